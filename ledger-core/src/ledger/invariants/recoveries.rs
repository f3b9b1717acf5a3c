//! Recoveries: each counts what its holds block, at most what it claims (INV-14, OUT-22).

use super::Holds;
use crate::ledger::archive::Archive;
use crate::ledger::registry::Operation;
use crate::ledger::state::State;
use crate::machine::hold;

/// Each recovery counts what its open holds block, for its own cause, and no more than its limit.
pub(super) fn count_what_their_holds_block(state: &State, _: &dyn Archive) -> Holds {
    for (name, recovery) in state.recoveries() {
        let mut blocked = 0;
        for op in &recovery.holds {
            if let Some(hold::State::Open(open)) = state.open(*op).and_then(Operation::hold) {
                blocked += open.blocked_cents().cents();
                if open.order.cause != Some(recovery.cause) {
                    return Err(format!("{name}: {op:?} blocks for another cause"));
                }
            }
        }
        let (counted, taken) = (recovery.blocked.cents(), recovery.taken.cents());
        if blocked != counted {
            return Err(format!("{name} counts {counted} blocked, its holds {blocked}"));
        }
        if blocked > 0 && blocked + taken > recovery.limit().cents() {
            return Err(format!("{name} has {blocked} and {taken} of {:?}", recovery.limit()));
        }
    }
    Ok(())
}
