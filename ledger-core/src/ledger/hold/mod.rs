//! Holds, what they are short of, and what services reserve.

pub(super) mod fact;
mod reservation;
pub(super) mod shortfall;

use crate::accounting::{RowKind, Side};
use crate::id::{AccountId, OpId, SubaccountId, Token};
use crate::ledger::ledger_machine::operation_row::OperationRow;
use crate::ledger::ledger_machine::{LedgerMachine, REVERSED, RowKinds};
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::ledger::state::apply::{Applied, Moved};
use crate::ledger::state::due::{Due, watches};
use crate::ledger::state::outgoing::{Crypto, Outgoing};
use crate::ledger::waiting::Waiting;
use crate::machine::Verdict;
use crate::machine::hold::{self, Watch};
use crate::money::{Balance, Cents};
use crate::terms::Catalogue;
use crate::time::Instant;
use fact::let_go;

pub use fact::{Destination, Fact};

impl LedgerMachine for hold::State {
    /// Returns none: no client asked for it.
    fn creation(_: &hold::Event) -> Option<(AccountId, Option<&str>)> {
        None
    }

    fn note(event: &hold::Event) -> Option<Token> {
        match event {
            hold::Event::Captured { note, .. } => *note,
            _ => None,
        }
    }

    fn row_kinds(event: &hold::Event, _: Side) -> RowKinds {
        match event {
            hold::Event::Captured { .. } => [RowKind::Entry, RowKind::CommissionReversed],
            _ => REVERSED,
        }
    }

    fn crypto(&self) -> Crypto<'_> {
        Crypto::default()
    }

    fn row(&self, _: &Catalogue) -> OperationRow<'_> {
        let (name, progress) = match self {
            Self::Absent => ("absent", None),
            Self::Open(progress) => ("open", Some(progress)),
            Self::Closed(progress) => ("closed", Some(progress)),
        };
        OperationRow {
            state: name,
            subaccount: progress.map(|progress| progress.order.subaccount),
            amount: progress.map(|progress| progress.order.requested.cents()),
            ..OperationRow::default()
        }
    }

    fn waits(&self, _: Instant) -> Option<Waiting> {
        None
    }

    fn subaccount(&self) -> Option<SubaccountId> {
        Some(self.amounts()?.order.subaccount)
    }

    fn outgoing(&self) -> Option<Outgoing> {
        None
    }

    fn deadline(&self) -> Option<(Instant, Due)> {
        let Self::Open(open) = self else { return None };
        let lapse = watches(open).then_some((open.order.watch_until, Due::Lapse));
        let end = open.order.ends_at.map(|at| (at, Due::End));
        lapse.into_iter().chain(end).min()
    }
}

impl Applied for hold::State {
    fn count(state: &mut State, moved: &Moved<'_, Self>) -> Result<(), &'static str> {
        if let hold::Event::Captured { to, .. } = moved.event {
            state.is_declared(*to, None)?;
        }
        let watching = |hold: &Self| matches!(hold, Self::Open(open) if watches(open));
        let (was_watching, is_watching) = (watching(moved.before), watching(moved.after));
        let order = &moved.after.amounts().expect("evolve never leaves a hold absent").order;
        let (subaccount, cause) = (order.subaccount, order.cause);
        let part = |hold: &Self| {
            hold.amounts().map_or([Cents::ZERO; 2], |it| [it.blocked_cents(), it.settled])
        };
        state.domains.recoveries.follow(moved.op, part(moved.before), part(moved.after))?;
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

    fn come_due(&self, state: &State, op: OpId, (_, due): (Instant, Due)) -> Option<Vec<Event>> {
        let decided = match due {
            Due::Lapse => {
                let (available, own_part) = (Balance::ZERO, Cents::ZERO);
                let now = hold::Context { available, own_part, matures: Watch::Over };
                match hold::decide(self, hold::Command::Lapse, now) {
                    Verdict::Applied(event) => Verdict::Applied(vec![Event::Hold { op, event }]),
                    Verdict::Known | Verdict::SetAside => return None,
                }
            }
            Due::End => let_go(state, op, self, None),
            Due::Expiry | Due::Maturity | Due::Retry => return None,
        };
        match decided {
            Verdict::Applied(events) => Some(events),
            Verdict::Known | Verdict::SetAside => None,
        }
    }
}
