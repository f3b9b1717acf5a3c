//! What the state counts of a charge beside it.

use crate::id::OpId;
use crate::ledger::state::State;
use crate::ledger::state::apply::{Applied, Moved};
use crate::machine::charge;

impl Applied for charge::State {
    fn count(state: &mut State, moved: &Moved<'_, Self>) -> Result<(), &'static str> {
        if let charge::Event::Credited { credit, .. } = moved.event {
            let known = state.subaccounts.get_mut(credit.subaccount.0 as usize);
            let known = known.ok_or("a credit goes to a subaccount that exists")?;
            known.deposited = true;
            known.waiting_until = known.waiting_until.or(credit.waiting_until);
        }
        state.count(moved.before, moved.after, moved.at);
        state.keep_part(moved.op, moved.before, moved.after);
        Ok(())
    }
}

impl State {
    /// Keeps the release schedule equal to the held parts of paid charges.
    fn keep_part(&mut self, op: OpId, before: &charge::State, after: &charge::State) {
        let (old, new) = (before.unreleased(), after.unreleased());
        if old == new {
            return;
        }
        if let Some((subaccount, at, _)) = old {
            self.parts.remove(&(subaccount, at, op));
        }
        if let Some((subaccount, at, held)) = new {
            self.parts.insert((subaccount, at, op), held);
        }
    }
}
