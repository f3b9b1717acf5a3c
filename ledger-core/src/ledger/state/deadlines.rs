//! Deadlines: what becomes due by the passing of time alone (rulings 3 and 4).

use super::State;
use super::apply::Applied;
use super::due::Due;
use crate::id::OpId;
use crate::ledger::consequences;
use crate::ledger::record::event::Event;
use crate::ledger::registry::each_machine;
use crate::time::Instant;

/// The events of a deadline that came due.
///
/// # Panics
///
/// When the agenda names an operation that waits for nothing: a bug in `apply`.
pub(in crate::ledger) fn decide_due(
    state: &State,
    (at, op, due): (Instant, OpId, Due),
) -> Vec<Event> {
    let operation = state.open(op).expect("the agenda holds open operations only");
    let events = each_machine!(
        of &operation.machine, it => Applied::come_due(it, state, op, (at, due)), None
    );
    let Some(mut events) = events else { unreachable!("{operation:?} is never due for {due:?}") };
    consequences::of_deadline(state, &mut events);
    events
}
