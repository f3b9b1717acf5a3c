//! What the state counts of a sale beside it, and which sale lists an unmatched deposit.

use crate::id::{Kind, OpId};
use crate::ledger::archive::Archive;
use crate::ledger::record::Record;
use crate::ledger::record::event::Event as Recorded;
use crate::ledger::state::State;
use crate::ledger::state::apply::{Applied, Moved};
use crate::ledger::state::due::Due;
use crate::machine::Verdict;
use crate::machine::cash_out;
use crate::machine::refund::Coins;
use crate::machine::unmatched_deposit::{self, Event};
use crate::time::Instant;

impl Applied for cash_out::State {
    fn count(state: &mut State, moved: &Moved<'_, Self>) -> Result<(), &'static str> {
        state.count_recipient(moved.before, moved.after, moved.at);
        Ok(())
    }

    fn come_due(
        &self,
        state: &State,
        op: OpId,
        (at, due): (Instant, Due),
    ) -> Option<Vec<Recorded>> {
        let command = match due {
            Due::Expiry => cash_out::Command::Expire,
            Due::Retry => cash_out::Command::Retry,
            Due::Maturity | Due::Lapse | Due::End => return None,
        };
        let now = cash_out::Context {
            at,
            quote: None,
            scale: None,
            ceilings: state.ceilings(op, self, at),
            unmatched: OpId::new(Kind::UnmatchedDeposit, state.seq.next()),
        };
        match cash_out::decide(self, command, &now) {
            Verdict::Applied(steps) => {
                Some(steps.into_iter().map(|event| Recorded::CashOut { op, event }).collect())
            }
            Verdict::Known | Verdict::SetAside => None,
        }
    }
}

impl Applied for unmatched_deposit::State {
    fn apply(
        state: &mut State,
        archive: &mut impl Archive,
        record: &Record,
        (op, event): (OpId, &Event),
    ) -> Result<(), &'static str> {
        state.moves::<Self>(archive, record, (op, event))?;
        let about = match event {
            Event::Received(order) | Event::SplitOff(order) | Event::Parted { order, .. } => {
                order.about.map(|about| (about, order.deposit.coins))
            }
            _ => None,
        };
        about.map_or(Ok(()), |(order, coins)| {
            state.list_unmatched(archive, order, (op, coins), record)
        })
    }
}

impl State {
    /// The order that a new receipt is about lists it (rulings 50).
    fn list_unmatched(
        &mut self,
        archive: &mut impl Archive,
        order: OpId,
        unmatched: (OpId, Coins),
        record: &Record,
    ) -> Result<(), &'static str> {
        let Some(before) = self.current(archive, order) else { return Ok(()) };
        let after = before.machine.clone().with_unmatched(unmatched);
        if after == before.machine {
            return Ok(());
        }
        self.settle(archive, order, Some(before), after, record)
    }
}
