//! What the sections of an audit's report are called and say of themselves, in both languages.

use crate::pages::lang::Lang;

/// What a section shows, and what is to be known of it.
pub(super) struct SectionWords {
    pub(super) title: &'static str,
    pub(super) note: &'static str,
    /// Returns what is said where it has no row.
    pub(super) empty: &'static str,
}

/// The words of a section; none for one that has none, which a test rules out.
pub(super) fn section(key: &str, lang: Lang) -> Option<SectionWords> {
    let (_, pt, en) = SECTIONS.iter().find(|(known, ..)| *known == key)?;
    let [title, note, empty] = match lang {
        Lang::Pt => *pt,
        Lang::En => *en,
    };
    Some(SectionWords { title, note, empty })
}

type Texts = [&'static str; 3];

/// Sections: their key, and title, note and what is said where there is nothing, in Portuguese and
/// in English.
const SECTIONS: &[(&str, Texts, Texts)] = &[
    (
        "begun_with",
        [
            "Auditoria a partir de um estado guardado",
            "Os registros anteriores não foram lidos: o que se diz deles e o que deles é contado é do estado que foi assinado, e não foi provado outra vez.",
            "",
        ],
        [
            "An audit from a kept state on",
            "The records before were not read: all that is said of them and counted in them is that state's, as it was signed, and was not proved again.",
            "",
        ],
    ),
    (
        "chain",
        [
            "O que foi lido",
            "A cadeia foi seguida do primeiro ao último registro, e duas repetições chegaram ao mesmo estado.",
            "",
        ],
        [
            "What was read",
            "The chain was followed from the first record to the last, and two replays came to the same state.",
            "",
        ],
    ),
    (
        "invariants",
        [
            "Invariantes",
            "Valeram depois de cada registro; uma auditoria que encontra uma violação não dá relatório.",
            "",
        ],
        [
            "Invariants",
            "They held after every record; an audit that finds one violated gives no report.",
            "",
        ],
    ),
    (
        "sums",
        ["Soma zero por moeda", "", "Não há moeda."],
        ["Sum zero by commodity", "", "There is no commodity."],
    ),
    (
        "trial_balance",
        ["Balancete", "Cada conta do razão que não está vazia.", "Nenhuma conta tem saldo."],
        [
            "Trial balance",
            "Every account of the chart that is not empty.",
            "No account has a balance.",
        ],
    ),
    (
        "coverage",
        [
            "Cobertura",
            "O que se deve contra o que se mantém; saldos abaixo de zero são créditos a receber, e não diminuem o que se deve aos outros.",
            "Nada é devido e nada é mantido.",
        ],
        [
            "Coverage",
            "What is owed against what is held; balances below zero are receivables, and do not lessen what is owed to others.",
            "Nothing is owed and nothing is held.",
        ],
    ),
    (
        "over_time",
        [
            "Saldos e obrigações no tempo",
            "Em até 120 momentos, a distâncias iguais; saldos abaixo de zero descontados.",
            "Nada foi registrado.",
        ],
        [
            "Balances and liabilities over time",
            "At up to 120 moments, at even distances; balances below zero taken off.",
            "Nothing was recorded.",
        ],
    ),
    (
        "control",
        [
            "Razões auxiliares e contas de controle",
            "O que é mantido em partes soma o que a conta de controle diz.",
            "",
        ],
        [
            "Sub-ledgers and control accounts",
            "What is kept in parts comes to what the control account says.",
            "",
        ],
    ),
    (
        "roll_forward",
        [
            "Evolução por subconta",
            "Abertura, entradas, saídas e fechamento, das linhas do extrato.",
            "Nenhuma subconta foi aberta.",
        ],
        [
            "Roll-forward by subaccount",
            "Opening, in, out and closing, from the rows of the statement.",
            "No subaccount was opened.",
        ],
    ),
    (
        "receivables",
        [
            "A receber de saldos abaixo de zero",
            "Débitos forçados depois que o dinheiro foi gasto.",
            "Nenhum saldo está abaixo de zero.",
        ],
        [
            "Receivable from balances below zero",
            "Forced debits after the money was spent.",
            "No balance is below zero.",
        ],
    ),
    (
        "holds",
        ["Bloqueios abertos", "", "Nenhum bloqueio está aberto."],
        ["Holds outstanding", "", "No hold is outstanding."],
    ),
    (
        "waiting",
        [
            "À espera de uma pessoa",
            "Valores a esclarecer, análises, e o que ninguém sabe como terminou.",
            "Nada espera por uma pessoa.",
        ],
        [
            "Waiting for a person",
            "Suspense, reviews, and what nobody knows the outcome of.",
            "Nothing waits for a person.",
        ],
    ),
    (
        "open_over_time",
        [
            "Operações abertas no tempo",
            "Quantas não terminaram, quantas esperam por uma pessoa, e de quantas o desfecho é desconhecido.",
            "Nada foi registrado.",
        ],
        [
            "Open operations over time",
            "How many had not ended, how many waited for a person, and of how many the outcome was unknown.",
            "Nothing was recorded.",
        ],
    ),
    (
        "ageing",
        [
            "Idade do que está em trânsito",
            "Por conta e pela idade da operação.",
            "Nada está em trânsito.",
        ],
        [
            "Ageing of what is in transit",
            "By account and by the age of the operation.",
            "Nothing is in transit.",
        ],
    ),
    (
        "fees",
        [
            "Receitas e despesas por tipo",
            "Em reais, desde o primeiro registro; o que foi estornado está ao lado.",
            "Nada foi ganho nem gasto.",
        ],
        [
            "Income and expense by type",
            "In reais, since the first record; what was reversed stands beside it.",
            "Nothing was earned or spent.",
        ],
    ),
    (
        "fee_schedules",
        [
            "Tarifas em vigor",
            "Percentual e parte fixa em reais, por conta; a de venda, quando vazia, é a publicada.",
            "Nenhuma conta foi aberta.",
        ],
        [
            "Fees in force",
            "Percentage and fixed part in reais, by account; that of a sale, where empty, is the published one.",
            "No account was opened.",
        ],
    ),
    (
        "commission",
        ["Comissão de parceiros", "", "Nenhum parceiro tem comissão."],
        ["Partners' commission", "", "No partner has a commission."],
    ),
    (
        "reserve",
        ["Reserva operacional e arredondamento", "", ""],
        ["Operational reserve and rounding residue", "", ""],
    ),
    (
        "trading",
        [
            "Posição por par",
            "O que as contas de câmbio receberam a crédito; débitos abaixo de zero.",
            "Nada foi trocado.",
        ],
        [
            "Trading position by pair",
            "What the exchange accounts were credited with; debits below zero.",
            "Nothing was exchanged.",
        ],
    ),
    (
        "duplicates",
        [
            "Repetições impedidas",
            "Identidades que valem uma única vez. Uma repetição e um pedido recusado não deixam registro, e por isso o diário não os conta.",
            "",
        ],
        [
            "Duplicates prevented",
            "Identities that count once and for all. A repeat and a refused request leave no record, so the journal does not count them.",
            "",
        ],
    ),
    (
        "set_aside",
        [
            "Fatos postos de lado",
            "Fatos que contradiziam os livros, pelo motivo.",
            "Nenhum fato foi posto de lado.",
        ],
        [
            "Facts set aside",
            "Facts that contradicted the books, by the reason.",
            "No fact was set aside.",
        ],
    ),
    (
        "remarks",
        [
            "Observações",
            "Perdas aceitas, e transações que dois registros antigos contam em grafias diferentes: vale o primeiro.",
            "Nada a observar.",
        ],
        [
            "Remarks",
            "Losses that were accepted, and transactions that two old records tell of in different spellings: the first one counts.",
            "There is nothing to remark.",
        ],
    ),
    (
        "decisions",
        [
            "Decisões de operadores",
            "Quem, por quê e com que prova, até onde o cofre ainda o diz.",
            "Nenhuma pessoa decidiu nada.",
        ],
        [
            "Operators' decisions",
            "Who, why and on what evidence, as far as the vault still says it.",
            "No person decided anything.",
        ],
    ),
    (
        "limits",
        [
            "Limites do dia por conta",
            "Do dia de Brasília em que o livro está.",
            "Nenhuma conta foi aberta.",
        ],
        [
            "Limits of the day by account",
            "Of the day of Brasília that the ledger is in.",
            "No account was opened.",
        ],
    ),
    (
        "ladder",
        ["Escada do pagador e teto do recebedor", "Vazia quando a escada está desligada.", ""],
        ["Payer ladder and recipient's ceiling", "Empty where the ladder is switched off.", ""],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_says_the_same_in_both_languages() {
        for (key, pt, en) in SECTIONS {
            assert!(!pt[0].is_empty() && !en[0].is_empty(), "{key}");
            assert_eq!(pt.map(str::is_empty), en.map(str::is_empty), "{key}");
        }
    }
}
