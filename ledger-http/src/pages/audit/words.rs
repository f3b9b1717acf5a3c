//! What the sections, columns and words of an audit's report are called, in both languages.

use crate::pages::lang::Lang;

/// What a section shows, and what is to be known of it.
pub(super) struct SectionWords {
    pub(super) title: &'static str,
    pub(super) note: &'static str,
    /// What is said where it has no row.
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

/// What a column, a named value or a word is called; as it stands where it has no other name.
pub(super) fn word(key: &str, lang: Lang) -> &str {
    match WORDS.iter().find(|(known, ..)| *known == key) {
        Some((_, pt, en)) => lang.t(pt, en),
        None => key,
    }
}

type Texts = [&'static str; 3];

/// Sections: their key, and title, note and what is said where there is nothing, in Portuguese and
/// in English.
const SECTIONS: &[(&str, Texts, Texts)] = &[
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

/// Columns, named values and words: their key, and how they read in Portuguese and in English.
const WORDS: &[(&str, &str, &str)] = &[
    ("account", "Conta", "Account"),
    ("accrued", "Acumulada", "Accrued"),
    ("against", "Contra", "Against"),
    ("age", "Idade", "Age"),
    ("age_hours", "Idade", "Age"),
    ("agrees", "Confere", "Agrees"),
    ("at", "Quando (Brasília)", "When (Brasília)"),
    ("blocked", "Bloqueado", "Blocked"),
    ("charge_free", "Livre", "Free"),
    ("charge_limit", "Limite de cobrança", "Charge limit"),
    ("charged_today", "Cobrado hoje", "Charged today"),
    ("class", "Grupo", "Class"),
    ("client_ids", "Operações com id do cliente", "Operations under a client's id"),
    ("closing", "Fechamento", "Closing"),
    ("commodity", "Moeda", "Commodity"),
    ("control", "Controle", "Control"),
    ("conversion", "Conversão", "Conversion"),
    ("count", "Quantos", "Count"),
    ("covered", "Coberto", "Covered"),
    ("credit", "Crédito", "Credit"),
    ("credited", "Creditado", "Credited"),
    ("credits", "Créditos", "Credits"),
    ("customer", "Cliente", "Customer"),
    ("customers", "De clientes", "Customers'"),
    ("deadlines", "Deles, prazos", "Of them, deadlines"),
    ("debit", "Débito", "Debit"),
    ("debited", "Debitado", "Debited"),
    ("debits", "Débitos", "Debits"),
    ("decided_by_a_person", "Decididos por uma pessoa", "Decided by a person"),
    ("deposit", "Depósito", "Deposit"),
    ("engine_sources", "Fontes do programa", "Engine sources"),
    ("engine_version", "Versão do programa", "Engine version"),
    ("equal", "Iguais", "Equal"),
    ("events", "Eventos", "Events"),
    ("evidence", "Prova", "Evidence"),
    ("fact", "Fato", "Fact"),
    ("first_at", "Primeiro instante", "First instant"),
    ("first_day", "Primeiras 24 horas", "First 24 hours"),
    ("first_qr", "Primeiro QR de um documento", "First QR of a document"),
    ("first_transaction", "Primeiro pagamento", "First payment"),
    ("head_after", "Elo depois do último registro", "Link after the last record"),
    ("head_before", "Elo antes do primeiro registro", "Link before the first record"),
    ("held", "Mantido", "Held"),
    ("held_up_to", "Retido até", "Held up to"),
    ("id", "Id", "Id"),
    ("in", "Entradas", "In"),
    ("in_flight", "Em trânsito", "In flight"),
    ("in_suspense", "A esclarecer", "In suspense"),
    ("invariant", "O que vale", "What holds"),
    ("kept_heads", "Elos guardados que conferem", "Kept heads that agree"),
    ("last_kept_head", "O último deles, do registro", "The last of them, of record"),
    ("kind", "Tipo", "Kind"),
    ("last_at", "Último instante", "Last instant"),
    ("mature_day", "Dia maduro", "Mature day"),
    ("net", "Líquido", "Net"),
    ("open", "Abertas", "Open"),
    ("opening", "Abertura", "Opening"),
    ("operation", "Operação", "Operation"),
    ("operations", "Operações", "Operations"),
    ("out", "Saídas", "Out"),
    ("outside_ids", "Fatos com id de fora", "Facts under an outside id"),
    ("overdue_hours", "Em atraso", "Overdue"),
    ("owed", "Devido", "Owed"),
    ("owed_to_customers", "Devido a clientes", "Owed to customers"),
    ("owed_to_others", "Devido a outros", "Owed to others"),
    ("paid_out_today", "Sacado hoje", "Paid out today"),
    ("payable", "A pagar", "Payable"),
    ("payers_known", "Documentos conhecidos", "Documents known"),
    ("payout", "Saque, casa", "Payout, house"),
    ("payout_free", "Livre", "Free"),
    ("payout_limit", "Limite de saque", "Payout limit"),
    ("payout_partner", "Saque, parceiro", "Payout, partner"),
    ("payout_tariff", "Tarifa do provedor", "Provider's tariff"),
    ("policy_hash", "Política em vigor", "Policy in force"),
    ("policy_record", "Adotada pelo registro", "Adopted by record"),
    ("position", "Posição", "Position"),
    ("position_against", "Posição contrária", "Position against"),
    ("purchase", "Compra", "Purchase"),
    ("purchase_partner", "Compra, parceiro", "Purchase, partner"),
    ("reason", "Motivo", "Reason"),
    ("actor", "Quem", "Actor"),
    ("receivable", "A receber", "Receivable"),
    ("recipient_daily", "Teto do recebedor por dia", "Recipient's ceiling a day"),
    ("record", "Registro", "Record"),
    ("records", "Registros", "Records"),
    ("replays_agree", "Duas repetições concordam", "Two replays agree"),
    ("requested", "Pedido", "Requested"),
    ("reversed", "Estornada", "Reversed"),
    ("rows", "Linhas", "Rows"),
    ("sale", "Venda", "Sale"),
    ("short", "Falta", "Short"),
    ("state_hash", "Hash do estado", "State hash"),
    ("sub_ledgers", "Razões auxiliares", "Sub-ledgers"),
    ("sum", "Valor", "Sum"),
    ("surplus", "Sobra", "Surplus"),
    ("unknown", "Desfecho desconhecido", "Outcome unknown"),
    ("violations", "Violações", "Violations"),
    ("waiting", "À espera", "Waiting"),
    ("what", "O quê", "What"),
    ("withdrawn", "Sacada", "Withdrawn"),
    // Classes of the chart.
    ("asset", "Ativo", "Asset"),
    ("liability", "Passivo", "Liability"),
    ("equity", "Patrimônio", "Equity"),
    ("income", "Receita", "Income"),
    ("expense", "Despesa", "Expense"),
    ("trading", "Câmbio", "Trading"),
    // Kinds of holds.
    ("maturity", "Maturação", "Maturity"),
    ("dispute", "Disputa", "Dispute"),
    ("precautionary", "Cautelar", "Precautionary"),
    ("judicial", "Judicial", "Judicial"),
    ("administrative", "Administrativo", "Administrative"),
    // What waits for a person.
    ("provider hold", "Retido pelo provedor", "Provider hold"),
    ("PIX under review", "PIX em análise", "PIX under review"),
    ("halted purchase", "Compra parada", "Halted purchase"),
    ("unknown delivery", "Entrega de desfecho desconhecido", "Unknown delivery"),
    ("unknown payout", "Saque de desfecho desconhecido", "Unknown payout"),
    ("stopped payout", "Saque parado", "Stopped payout"),
    ("suspense", "Valor a esclarecer", "Suspense"),
    ("claim on the provider", "Crédito contra o provedor", "Claim on the provider"),
    ("claim on crypto", "Crédito em cripto", "Claim on crypto"),
    ("refund without a wallet", "Devolução sem carteira", "Refund without a wallet"),
    ("refund for an operator", "Devolução para um operador", "Refund for an operator"),
    ("unknown refund", "Devolução de desfecho desconhecido", "Unknown refund"),
    ("unknown sale", "Venda de desfecho desconhecido", "Unknown sale"),
    ("crypto nobody takes", "Cripto que ninguém aceita", "Crypto nobody takes"),
    (
        "wallet deposit under review",
        "Depósito na carteira em análise",
        "Wallet deposit under review",
    ),
    (
        "wallet payment under review",
        "Pagamento da carteira em análise",
        "Wallet payment under review",
    ),
    ("reserve to decide on", "Reserva a decidir", "Reserve to decide on"),
    (
        "wallet withdrawal under review",
        "Retirada da carteira em análise",
        "Wallet withdrawal under review",
    ),
    // Ages.
    ("under_1_h", "Menos de 1 hora", "Under 1 hour"),
    ("under_6_h", "Menos de 6 horas", "Under 6 hours"),
    ("under_24_h", "Menos de 24 horas", "Under 24 hours"),
    ("under_3_d", "Menos de 3 dias", "Under 3 days"),
    ("under_7_d", "Menos de 7 dias", "Under 7 days"),
    ("older", "7 dias ou mais", "7 days or more"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_has_words_twice_and_none_is_left_without_a_language() {
        let mut keys: Vec<&str> = WORDS.iter().map(|(key, ..)| *key).collect();
        keys.sort_unstable();
        assert!(keys.windows(2).all(|pair| pair[0] != pair[1]), "{keys:?}");
        assert!(WORDS.iter().all(|(_, pt, en)| !pt.is_empty() && !en.is_empty()));
        for (key, pt, en) in SECTIONS {
            assert!(!pt[0].is_empty() && !en[0].is_empty(), "{key}");
            assert_eq!(pt.map(str::is_empty), en.map(str::is_empty), "{key}");
        }
    }
}
