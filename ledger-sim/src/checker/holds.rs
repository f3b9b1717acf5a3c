//! How holds stand, by the oracle and by the ledger.

use ledger_core::id::OpId;
use ledger_core::ledger::Operation;
use ledger_core::machine::hold;
use ledger_core::money::Cents;

use crate::oracle::Oracle;

/// Tells whether it is over and reserved; what it blocks, let go, gave, and is short of.
pub(super) type HoldView = ([bool; 2], [i64; 4]);

pub(super) fn hold_of(oracle: &Oracle, op: OpId) -> HoldView {
    let hold = &oracle.holds[&op];
    ([hold.closed, hold.reserved], hold.amounts())
}

pub(super) fn hold_found(operation: &Operation) -> Option<HoldView> {
    let state = operation.hold()?;
    let closed = matches!(state, hold::State::Closed(_));
    let amounts = state.amounts()?;
    let reserved = amounts.order.kind == hold::Kind::Reservation;
    let sums = [amounts.blocked_cents(), amounts.released, amounts.settled, amounts.shortfall()];
    Some(([closed, reserved], sums.map(Cents::cents)))
}
