//! Where a charge stands after an event.

use crate::id::{Kind, OpId};
use crate::ledger::archive::Archive;
use crate::ledger::record::Record;
use crate::ledger::state::State;
use crate::ledger::state::operation::{Machine, Operation};
use crate::machine::charge;

impl State {
    pub(in crate::ledger) fn charge(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &charge::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = charge::State::Absent;
        let state = before.as_ref().and_then(Operation::charge).unwrap_or(&absent);
        if op.kind() != Kind::Charge || !charge::follows(state, event) {
            return Err("the charge is not where this could happen to it");
        }
        let after = charge::evolve(state, event, record.at);
        if let charge::Event::Credited { credit, .. } = event {
            let known = self.subaccount.get_mut(credit.subaccount.0 as usize);
            let known = known.ok_or("a credit goes to a subaccount that exists")?;
            known.deposited = true;
            known.waiting_until = known.waiting_until.or(credit.waiting_until);
        }
        self.count(state, &after, record.at);
        self.keep_part(op, state, &after);
        self.settle(archive, op, before, Machine::Charge(after), record.at)
    }
}
