//! What the state counts of a hold beside it.

use crate::ledger::state::apply::{Applied, Moved};
use crate::ledger::state::{State, due};
use crate::machine::hold;

impl Applied for hold::State {
    fn count(state: &mut State, moved: &Moved<'_, Self>) -> Result<(), &'static str> {
        let watching = |hold: &Self| matches!(hold, Self::Open(open) if due::watches(open));
        let (was_watching, is_watching) = (watching(moved.before), watching(moved.after));
        let order = &moved.after.amounts().expect("evolve never leaves a hold absent").order;
        let (subaccount, cause) = (order.subaccount, order.cause);
        let known = state.subaccounts.get_mut(subaccount.0 as usize);
        let known = known.ok_or("a hold is on a subaccount that exists")?;
        known.watchers = known.watchers + u32::from(is_watching) - u32::from(was_watching);
        if moved.after.has_ended() {
            state.holds.remove(&(subaccount, moved.op));
            if let Some(cause) = cause {
                state.caused.remove(&(cause, moved.op));
            }
        } else {
            state.holds.insert((subaccount, moved.op));
            state.caused.extend(cause.map(|cause| (cause, moved.op)));
        }
        Ok(())
    }
}
