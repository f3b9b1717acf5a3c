//! What a page shows of a ledger: statements, operations and records, by whoever looks at them.
//!
//! The owner of an account sees its own legs of an entry, the operator all of them.

pub(super) mod chart_names;
mod decision;
mod event;
pub(super) mod operation;
pub(super) mod plain;
pub(super) mod record;
pub(super) mod statement;
pub(super) mod suspense;
pub(super) mod viewer;
pub(super) mod words;

use ledger_core::id::OpId;
use ledger_core::ledger::{Archive as _, Operation, Record};
use ledger_store::sequencer::Sequencer;

use viewer::Viewer;

/// How many records of one operation stand on its page.
const MOST_RECORDS: usize = 200;

/// An operation and its records; none for one that is not the viewer's.
fn operation_of(
    sequencer: &Sequencer,
    op: OpId,
    viewer: &Viewer,
) -> Option<(Operation, Vec<Record>)> {
    let views = sequencer.views();
    let operation = views.operation(op)?;
    if viewer.only.is_some() && views.state.owner_of(&operation) != viewer.only {
        return None;
    }
    let records = sequencer.trail(op)?.into_iter().take(MOST_RECORDS);
    let records = records.filter_map(|seq| views.archive.record(seq)).collect();
    Some((operation, records))
}
