//! Money in suspense: a charge that takes it takes what one receipt put there.

use ledger_core::id::OpId;
use ledger_core::ledger::{Event, Record};
use ledger_core::machine::suspense;

/// Returns the receipt that the record attaches to the operation of the event.
pub(super) fn owner(record: &Record, event: &Event) -> Option<OpId> {
    let charge = event.op()?;
    record.events.iter().find_map(|event| match event {
        Event::Suspense { op, event: suspense::Event::Attached(to) } => {
            (*to == charge).then_some(*op)
        }
        _ => None,
    })
}
