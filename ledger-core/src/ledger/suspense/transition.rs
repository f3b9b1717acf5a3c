//! Where money in suspense, or a receivable, stands after an event.

use crate::id::{Kind, OpId};
use crate::ledger::archive::Archive;
use crate::ledger::record::Record;
use crate::ledger::state::State;
use crate::ledger::state::operation::{Machine, Operation};
use crate::machine::{erroneous_delivery, suspense};

impl State {
    pub(in crate::ledger) fn erroneous_delivery(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &erroneous_delivery::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = erroneous_delivery::State::Absent;
        let state = before.as_ref().and_then(Operation::erroneous_delivery).unwrap_or(&absent);
        if op.kind() != Kind::ErroneousDelivery || !erroneous_delivery::follows(state, event) {
            return Err("the stray crypto is not where this could happen to it");
        }
        let after = erroneous_delivery::evolve(state, event);
        self.settle(archive, op, before, Machine::ErroneousDelivery(after), record.at)
    }

    pub(in crate::ledger) fn suspense(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &suspense::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = suspense::State::Absent;
        let state = before.as_ref().and_then(Operation::suspense).unwrap_or(&absent);
        if op.kind() != Kind::Suspense || !suspense::follows(state, event) {
            return Err("what was put aside is not where this could happen to it");
        }
        let after = suspense::evolve(state, event);
        self.settle(archive, op, before, Machine::Suspense(after), record.at)
    }
}
