//! Where a sale, or an unmatched deposit, stands after an event.

use crate::id::{Kind, OpId};
use crate::ledger::archive::Archive;
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::ledger::state::operation::{Machine, Operation};
use crate::machine::{cash_out, unmatched_deposit};
use crate::time::Instant;

impl State {
    pub(in crate::ledger) fn cash_out(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &cash_out::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = cash_out::State::Absent;
        let state = before.as_ref().and_then(Operation::cash_out).unwrap_or(&absent);
        if op.kind() != Kind::CashOut || !cash_out::follows(state, event) {
            return Err("the cash-out order is not where this could happen to it");
        }
        let after = cash_out::evolve(state, event, record.at);
        self.count_recipient(state, &after, record.at);
        self.settle(archive, op, before, Machine::CashOut(after), record.at)
    }

    pub(in crate::ledger) fn unmatched(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &unmatched_deposit::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = unmatched_deposit::State::Absent;
        let state = before.as_ref().and_then(Operation::unmatched).unwrap_or(&absent);
        if op.kind() != Kind::UnmatchedDeposit || !unmatched_deposit::follows(state, event) {
            return Err("the receipt is not where this could happen to it");
        }
        let after = unmatched_deposit::evolve(state, event);
        self.settle(archive, op, before, Machine::UnmatchedDeposit(after), record.at)?;
        let created = Event::UnmatchedDeposit { op, event: event.clone() };
        match created.unmatched_about() {
            Some((order, _)) => self.list_unmatched(archive, order, op, record.at),
            None => Ok(()),
        }
    }

    /// The order that a new receipt is about lists it (rulings 50).
    fn list_unmatched(
        &mut self,
        archive: &mut impl Archive,
        order: OpId,
        unmatched: OpId,
        at: Instant,
    ) -> Result<(), &'static str> {
        let Some(before) = self.current(archive, order) else { return Ok(()) };
        let after = before.machine.clone().with_unmatched(unmatched);
        if after == before.machine {
            return Ok(());
        }
        self.settle(archive, order, Some(before), after, at)
    }
}
