//! Where a sale, or an unmatched deposit, stands after an event.

use crate::id::OpId;
use crate::ledger::archive::Archive;
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
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
        self.moves::<cash_out::State>(archive, record.at, (op, event), |ledger, before, after| {
            ledger.count_recipient(before, after, record.at);
            Ok(())
        })
    }

    pub(in crate::ledger) fn unmatched(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &unmatched_deposit::Event,
    ) -> Result<(), &'static str> {
        let moved = (op, event);
        self.moves::<unmatched_deposit::State>(archive, record.at, moved, |_, _, _| Ok(()))?;
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
