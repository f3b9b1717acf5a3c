//! An operation as the owner of the account reads it: what it is about in words, and what moved on
//! which balance in reais. What programs read of it, the API answers.

mod fields;
mod movements;
mod status;

use ledger_core::contract::Words;
use ledger_core::id::OpId;
use ledger_store::sequencer::Sequencer;

use super::operation_of;
use super::viewer::Viewer;
use crate::pages::format::local;
use crate::pages::layout::{Cell, Section};

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
        let shown = status::label(&word, lang).map_or_else(|| word.clone(), str::to_owned);
        rows.push((viewer.t("Situação", "Status"), Cell::text(shown)));
    }
    let created = Cell::text(local(operation.created_at, lang));
    rows.push((viewer.t("Criada, Brasília", "Created, Brasília"), created));
    rows.extend(fields::rows(&views.creation_response(op, &operation), viewer));
    let moved = movements(sequencer, &records, Some(op), viewer);
    Some(vec![Section::Facts { title: String::new(), rows }, Section::Table(moved)])
}
