//! Where a hold stands after an event.

use crate::id::OpId;
use crate::ledger::archive::Archive;
use crate::ledger::state::{State, due};
use crate::machine::hold;
use crate::time::Instant;

impl State {
    pub(in crate::ledger) fn hold(
        &mut self,
        archive: &mut impl Archive,
        at: Instant,
        op: OpId,
        event: &hold::Event,
    ) -> Result<(), &'static str> {
        let watching =
            |state: &hold::State| matches!(state, hold::State::Open(open) if due::watches(open));
        self.moves::<hold::State>(archive, at, (op, event), |ledger, before, after| {
            let (was_watching, is_watching) = (watching(before), watching(after));
            let subaccount =
                after.amounts().expect("evolve never leaves a hold absent").order.subaccount;
            let known = ledger.subaccounts.get_mut(subaccount.0 as usize);
            let known = known.ok_or("a hold is on a subaccount that exists")?;
            known.watchers = known.watchers + u32::from(is_watching) - u32::from(was_watching);
            if after.has_ended() {
                ledger.holds.remove(&(subaccount, op));
            } else {
                ledger.holds.insert((subaccount, op));
            }
            Ok(())
        })
    }
}
