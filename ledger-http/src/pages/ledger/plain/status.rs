//! Statuses as people read them, in both languages; the contract's words in Portuguese.

use crate::pages::lang::Lang;

/// Returns what a status says; none for a word that is not known, which is never read as done
/// (STM-09).
pub(super) fn label(status: &str, lang: Lang) -> Option<&'static str> {
    let (_, pt, en) = STATUSES.iter().find(|(word, ..)| *word == status)?;
    Some(lang.t(pt, en))
}

const STATUSES: &[(&str, &str, &str)] = &[
    ("pending", "Pendente", "Pending"),
    ("registered", "Aguardando pagamento", "Awaiting payment"),
    ("reserved", "Reservado", "Reserved"),
    ("expired", "Expirada", "Expired"),
    ("failed", "Falhou", "Failed"),
    ("delayed", "Retida no provedor", "Held by the provider"),
    ("under_review", "Em análise", "Under review"),
    ("paid", "Paga", "Paid"),
    ("sent", "Enviado", "Sent"),
    ("settled", "Liquidado", "Settled"),
    ("refunded", "Devolvida", "Refunded"),
    ("requested", "Solicitado", "Requested"),
    ("submitted", "Enviado", "Sent"),
    ("uncertain", "Resultado desconhecido", "Outcome unknown"),
    ("completed", "Concluído", "Completed"),
    ("concluido", "Concluído", "Completed"),
    ("concluida", "Concluída", "Completed"),
    ("returned", "Devolvido", "Returned"),
    ("reversed", "Estornado", "Reversed"),
    ("QUOTE_CREATED", "Cotação criada", "Quoted"),
    ("AWAITING_DEPOSIT", "Aguardando depósito", "Awaiting the deposit"),
    ("DEPOSIT_DETECTED", "Depósito detectado", "Deposit detected"),
    ("DEPOSIT_CONFIRMED", "Depósito confirmado", "Deposit confirmed"),
    ("SELLING", "Vendendo", "Selling"),
    ("SOLD", "Vendido", "Sold"),
    ("FORWARDING", "Encaminhando", "Forwarding"),
    ("PROCESSING", "Pagando", "Paying"),
    ("PAYING_OUT", "Pagando", "Paying"),
    ("COMPLETED", "Concluída", "Completed"),
    ("MANUAL_REVIEW", "Em análise", "Under review"),
    ("REFUNDING", "Devolvendo", "Refunding"),
    ("REFUNDING_CRYPTO", "Devolvendo", "Refunding"),
    ("REFUNDED", "Devolvida", "Refunded"),
    ("EXPIRED", "Expirada", "Expired"),
    ("FAILED", "Falhou", "Failed"),
    ("DELAYED", "Atrasada", "Delayed"),
    (
        "AWAITING_REFUND_ADDRESS",
        "Aguardando carteira de devolução",
        "Awaiting a wallet for the refund",
    ),
];
