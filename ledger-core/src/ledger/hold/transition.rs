//! Where a hold stands after an event.

use crate::id::{Kind, OpId};
use crate::ledger::archive::Archive;
use crate::ledger::state::operation::{Machine, Operation};
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
        let before = self.current(archive, op);
        let absent = hold::State::Absent;
        let state = before.as_ref().and_then(Operation::hold).unwrap_or(&absent);
        if op.kind() != Kind::Hold || !hold::follows(state, event) {
            return Err("the hold is not where this could happen to it");
        }
        let after = hold::evolve(state, event);
        let watching =
            |state: &hold::State| matches!(state, hold::State::Open(open) if due::watches(open));
        let (was_watching, is_watching) = (watching(state), watching(&after));
        let subaccount =
            after.amounts().expect("evolve never leaves a hold absent").order.subaccount;
        let known = self.subaccount.get_mut(subaccount.0 as usize);
        let known = known.ok_or("a hold is on a subaccount that exists")?;
        known.watchers = known.watchers + u32::from(is_watching) - u32::from(was_watching);
        if after.has_ended() {
            self.holds.remove(&(subaccount, op));
        } else {
            self.holds.insert((subaccount, op));
        }
        self.settle(archive, op, before, Machine::Hold(after), at)
    }
}
