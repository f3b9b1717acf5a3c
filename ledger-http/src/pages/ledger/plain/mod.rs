//! An operation as the owner of the account reads it: what it is about in words, and what moved on
//! which balance in reais. What programs read of it, the API answers.

mod fields;
mod movements;

use ledger_core::contract::Words;
use ledger_core::id::OpId;
use ledger_store::sequencer::Sequencer;

use super::operation_of;
use super::viewer::Viewer;
use crate::pages::format::local;
use crate::pages::lang::Lang;
use crate::pages::layout::{Cell, Section};

pub(super) use fields::rows as facts;
pub(in crate::pages) use movements::table as movements;

/// The sections of an operation's page; none for one that is not the viewer's.
pub(in crate::pages) fn sections(
    sequencer: &Sequencer,
    op: OpId,
    viewer: &Viewer,
) -> Option<Vec<Section>> {
    let views = sequencer.views();
    let (operation, records) = operation_of(sequencer, op, viewer)?;
    let lang = viewer.lang;
    let stands = Words::for_operation(&operation);
    let mut rows = Vec::new();
    if let Some(word) = stands.status.or(stands.settlement) {
        let shown = label(&word, lang).map_or_else(|| word.clone(), str::to_owned);
        rows.push((viewer.t("Situação", "Status"), Cell::text(shown)));
    }
    let created = Cell::text(local(operation.created_at, lang));
    rows.push((viewer.t("Criada, Brasília", "Created, Brasília"), created));
    rows.extend(fields::rows(&views.creation_response(op, &operation), viewer));
    let moved = movements(sequencer, &records, Some(op), viewer);
    Some(vec![Section::Facts { title: String::new(), rows }, Section::Table(moved)])
}

/// Returns what a status says, in Portuguese in the contract's words; none for a word that is not
/// known, which is never read as done (STM-09).
fn label(status: &str, lang: Lang) -> Option<&'static str> {
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
