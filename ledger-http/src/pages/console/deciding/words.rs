//! Decisions and their fields in Portuguese; in English they are said where they are declared.

use ledger_core::contract::Field;

use crate::operators::persons::shape::Shape;
use crate::pages::lang::Lang;

/// Returns what a decision is.
pub(super) fn meaning(shape: Shape, lang: Lang) -> &'static str {
    let pt = MEANINGS.iter().find(|(name, _)| *name == shape.name).map(|(_, pt)| *pt);
    lang.t(pt.unwrap_or(shape.meaning), shape.meaning)
}

/// Returns what a field holds.
pub(super) fn note(field: &Field, lang: Lang) -> &'static str {
    let pt = NOTES.iter().find(|(en, _)| *en == field.meaning).map(|(_, pt)| *pt);
    lang.t(pt.unwrap_or(field.meaning), field.meaning)
}

const MEANINGS: [(&str, &str); 29] = [
    ("suspense.attached", "Dá um PIX a esclarecer à cobrança que ele paga."),
    ("suspense.returned", "O valor a esclarecer voltou: ao pagador, ou a nós."),
    ("payout.evidence", "Diz, com prova, o que houve com um saque."),
    ("payout.stopped", "A conformidade para um saque antes do envio."),
    ("payout.cleared", "A conformidade deixa seguir um saque parado."),
    ("delivery.evidence", "Diz, com prova, o que houve com um envio de cripto."),
    (
        "delivery.given_up",
        "Desiste de um envio de cripto, antes de sair ou depois de falhar com certeza.",
    ),
    (
        "delivery.resumed",
        "Deixa enviar o que resta de uma compra, depois que parte do PIX voltou: tarifas em \
         proporção, pelo preço combinado.",
    ),
    ("stray.settled", "Encerra a cobrança de cripto enviada sem motivo."),
    ("refund.decided", "Autoriza uma devolução de cripto; pode dizer a carteira."),
    ("cashout.stopped", "Toma para análise uma venda cujo pagamento ficou sem resposta."),
    (
        "cashout.cleared",
        "Deixa seguir uma venda em análise; com a chave corrigida, se era a chave.",
    ),
    ("wallet.deposit.assigned", "Abre um pedido de depósito para uma conta."),
    ("wallet.deposit.judged", "Aceita um depósito em análise, ou não o aceita."),
    ("wallet.deposit.reversed", "Desfaz um depósito já creditado: um débito forçado."),
    (
        "wallet.payment.resolved",
        "Diz como está um pagamento em análise; ou decide, uma vez, o destino da reserva de um \
         que falhou depois do envio.",
    ),
    ("wallet.withdrawal.evidence", "Diz, com prova, como está uma retirada."),
    ("payer.reviewed", "Alguém examinou um pagador."),
    ("fee.adjusted", "Corrige uma tarifa, sem principal."),
    ("balance.written_off", "Dá baixa de um saldo negativo, no máximo o que se deve."),
    ("hold.placed", "Bloqueia dinheiro; o que faltar, o bloqueio espera."),
    ("hold.released", "Libera um bloqueio: uma parte, ou tudo e de vez."),
    (
        "court.ordered",
        "A justiça toma dinheiro de um saldo, que pode ficar negativo; o valor espera até \
         suspense.returned dizer que saiu.",
    ),
    (
        "recovery.opened",
        "O banco do pagador contesta um PIX, ou uma parte dele; nada se registra nas contas.",
    ),
    (
        "recovery.blocked",
        "Bloqueia uma subconta para uma recuperação: o que há e o que vier, até o que os bloqueios \
         dela deixam do valor.",
    ),
    (
        "recovery.decided",
        "Decide, uma vez, a análise de uma recuperação; o bloqueio além do que se aceitou é \
         liberado.",
    ),
    (
        "person.erased",
        "Apaga o que o cofre guarda de uma pessoa; os registros seguem com os códigos dela.",
    ),
    ("person.held", "Põe uma guarda legal sobre uma pessoa, que então não é apagada."),
    ("person.released", "Encerra uma guarda legal."),
];

const NOTES: [(&str, &str); 74] = [
    ("the fact's own id, unique over all facts, which makes it known for ever", "o ID da decisão"),
    ("the API account's name", "o nome da conta"),
    ("the subaccount; absent: the house", "a subconta; vazio: a casa"),
    ("the charge", "a cobrança"),
    ("centavos", "centavos"),
    ("why", "por quê"),
    ("a reference to what was seen", "uma referência ao que se viu"),
    ("the CPF or CNPJ", "o CPF ou CNPJ"),
    ("identified, blocked or unknown", "identified, blocked ou unknown"),
    ("USDT", "USDT"),
    ("the network; absent: polygon", "a rede; vazio: polygon"),
    ("where to send", "para onde enviar"),
    ("the deposit", "o depósito"),
    (
        "cleared, returned (sent back once confirmed) or vanished (never confirmed)",
        "cleared (aceito), returned (volta quando confirmar) ou vanished (nunca confirmou)",
    ),
    ("whose it is, when no request says it; with cleared", "de quem é, sem pedido; com cleared"),
    (
        "how much of it, the rest being sent back; absent: all; with cleared",
        "quanto dele, e o resto volta; vazio: tudo; com cleared",
    ),
    ("the payment", "o pagamento"),
    (
        "sent, paid or failed; of a reserve: return, consume_paid or consume_lost",
        "sent, paid ou failed; de uma reserva: return, consume_paid ou consume_lost",
    ),
    ("the transaction, required when sent", "a transação, exigida com sent"),
    ("the PIX, required when paid or consume_paid", "o PIX, exigido com paid ou consume_paid"),
    ("when, with e2e", "quando, com e2e"),
    ("where its receipt is: an https:// address", "onde está o comprovante: um endereço https://"),
    ("the recipient's name", "o nome de quem recebeu"),
    (
        "the recipient's CPF or CNPJ, digits only, or a masked CPF",
        "o CPF ou CNPJ de quem recebeu, só dígitos, ou um CPF mascarado",
    ),
    ("the recipient's institution", "a instituição de quem recebeu"),
    ("who settled the PIX", "quem liquidou o PIX"),
    ("with return: what was sent is our loss", "com return: o que se enviou é perda nossa"),
    ("the withdrawal", "a retirada"),
    (
        "resumed, completed, or failed: nothing left, and the whole reserve goes back",
        "resumed, completed, ou failed: nada saiu, e a reserva volta inteira",
    ),
    ("the transaction, required when completed", "a transação, exigida com completed"),
    (
        "what arrived in all, required when completed",
        "quanto chegou ao todo, exigido com completed",
    ),
    ("what the network took, with received", "quanto a rede tomou, com received"),
    ("a reference to the proof", "uma referência à prova"),
    (
        "the purchase, conversion or commission withdrawal",
        "a compra, a conversão ou o saque de comissão",
    ),
    ("sent or not_sent", "sent (enviado) ou not_sent (não enviado)"),
    (
        "pagador (of a purchase), or saldo: custody, or where a conversion came from",
        "pagador (de uma compra), ou saldo: a custódia, ou de onde a conversão veio",
    ),
    ("the return, required to pagador", "a devolução, exigida com pagador"),
    ("the purchase", "a compra"),
    ("signed: positive in the customer's favour", "com sinal: positivo em favor do cliente"),
    (
        "deposit, payout, purchase or conversion; absent: deposit",
        "deposit, payout, purchase ou conversion; se vazio: deposit",
    ),
    (
        "the subaccount; absent: that of the cause, or the house; with a cause, another \
         subaccount that its money went on to (dispute, precautionary or judicial)",
        "a subconta; vazio: a da causa, ou a casa; com causa, outra subconta a que o dinheiro foi \
         (dispute, precautionary ou judicial)",
    ),
    (
        "the charge that is the cause; its own held part is taken first, and its return takes \
         what the block holds",
        "a cobrança que é a causa; a parte retida dela vai primeiro, e a devolução dela toma o que \
         o bloqueio segura",
    ),
    (
        "dispute, precautionary, judicial or administrative",
        "dispute, precautionary, judicial ou administrative",
    ),
    ("the hold", "o bloqueio"),
    (
        "how much; absent: everything, and the watch ends",
        "quanto; vazio: tudo, e o bloqueio não espera mais",
    ),
    (
        "the block placed for this order; it gives first",
        "o bloqueio desta ordem; ele paga primeiro",
    ),
    ("a reference to the order", "uma referência à ordem"),
    (
        "the recovery's id, as the bank that asks has it",
        "o ID da recuperação, como o banco a chama",
    ),
    (
        "until when it blocks what comes; absent, and at most: the policy's shortfall watch",
        "até quando bloqueia o que vier; vazio, e no máximo: o prazo da política",
    ),
    (
        "until when a person decides; absent: seven days",
        "até quando alguém decide; vazio: sete dias",
    ),
    (
        "the subaccount; absent: that of the charge; another that its money went on to",
        "a subconta; vazio: a da cobrança; outra a que o dinheiro foi",
    ),
    ("accepted or rejected", "accepted (aceita) ou rejected (negada)"),
    ("how much is accepted; absent: all of it", "quanto se aceita; vazio: tudo"),
    ("what waits", "o que espera"),
    (
        "the return by which it went back, as the provider lists it",
        "a devolução pela qual voltou, como o provedor a lista",
    ),
    ("recovered or lost", "recovered (recuperado) ou lost (perdido)"),
    ("the claim", "o que se cobra"),
    ("the payout", "o saque"),
    ("paid or not_paid", "paid (pago) ou not_paid (não pago)"),
    ("the end-to-end id, required when paid", "o E2E, exigido com paid"),
    ("the order; it or receipt_id", "a venda; ela ou receipt_id"),
    ("crypto that no order took", "cripto que nenhuma venda tomou"),
    (
        "the return wallet, where an operator names one",
        "a carteira da devolução, se um operador a diz",
    ),
    ("why, with actor", "por quê"),
    ("the order", "a venda"),
    ("the corrected key", "a chave corrigida"),
    ("the decision's own id, which makes it known for ever", "o ID da decisão"),
    ("why; kept in clear, so it names nobody", "por quê; fica legível, e por isso não diz nomes"),
    ("what the hold is called: a case, an order", "como se chama a guarda: um processo, uma ordem"),
    ("the CPF or CNPJ, and texts that mention it", "o CPF ou CNPJ, e textos que o mencionam"),
    ("a PIX key of theirs", "uma chave PIX da pessoa"),
    ("an e-mail address of theirs", "um e-mail da pessoa"),
    (
        "a name, letter by letter: of everybody who bears it",
        "um nome, letra por letra: de todos os que o têm",
    ),
    ("cpf, cnpj, phone, email or random", "cpf, cnpj, phone, email ou random"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operators::decisions;

    #[test]
    fn every_decision_and_every_field_of_one_is_said_in_portuguese() {
        for (shape, _) in decisions::all() {
            assert!(MEANINGS.iter().any(|(name, _)| *name == shape.name), "{}", shape.name);
            for field in decisions::fields(shape) {
                let said = NOTES.iter().any(|(en, _)| *en == field.meaning);
                assert!(said, "{} of {}: {}", field.name, shape.name, field.meaning);
            }
        }
        for (en, _) in NOTES {
            let mut fields = decisions::all().flat_map(|(shape, _)| decisions::fields(shape));
            assert!(fields.any(|field| field.meaning == en), "{en}");
        }
    }
}
