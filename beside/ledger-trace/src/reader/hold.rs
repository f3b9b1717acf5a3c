//! Holds: their causes, and the money that each blocks.

use ledger_core::id::OpId;
use ledger_core::ledger::{Event, Record};
use ledger_core::machine::hold;

/// Returns a hold with the operation that it names as its cause, where the event places one.
pub(super) fn cause(event: &Event) -> Option<(OpId, OpId)> {
    match event {
        Event::Hold { op, event: hold::Event::Placed { order, .. } } => Some((*op, order.cause?)),
        _ => None,
    }
}

/// Returns the hold that keeps what the event at a place moves into or out of a blocked bucket. A
/// charge moves its own part, and the hold's event follows that one.
pub(super) fn owner(record: &Record, place: usize) -> Option<OpId> {
    record.events[place..].iter().find_map(|after| match after {
        Event::Hold { op, .. } => Some(*op),
        _ => None,
    })
}
