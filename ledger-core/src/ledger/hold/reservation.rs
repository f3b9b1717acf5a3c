//! Reservations: money that a service keeps of what a customer has, and captures in parts
//! (P:Reservations).

use super::fact::{Destination, let_go};
use crate::id::{Kind, OpId, Token};
use crate::ledger::decision::fact_context::{FactContext, accept};
use crate::ledger::decision::refusal::affordable;
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::product::index::is_open_to_products;
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::machine::Verdict;
use crate::machine::hold::{self, Capture, Command, Watch};
use crate::money::{Amount, Balance, Cents};
use crate::terms::Switch;
use crate::time::Instant;

impl FactContext<'_> {
    /// All that is reserved is spendable now, by the rules of a transfer.
    pub(super) fn reservation_made(
        &self,
        requested: Amount,
        ends_at: Option<Instant>,
        (label, note): (Option<Box<str>>, Option<Token>),
    ) -> Result<Decision, Reason> {
        let subaccount = self.lookup.subaccounts[0].ok_or(Reason::Unmatched)?;
        let known = self.state.subaccount(subaccount).ok_or(Reason::Unmatched)?;
        self.state.lives_here(known.account).map_err(|_| Reason::OutOfTurn)?;
        if ends_at.is_some_and(|ends_at| ends_at <= self.at) {
            return Err(Reason::OutOfTurn);
        }
        affordable(self.state, subaccount, Some(requested), self.at)
            .map_err(|_| Reason::AmountExceeds)?;
        // It is short of nothing: there is nothing to watch for.
        let (kind, cause, watch_until) = (hold::Kind::Reservation, None, self.at);
        let order =
            hold::Order { subaccount, kind, cause, requested, watch_until, ends_at, note, label };
        let event = self.decide_reservation(&hold::State::Absent, Command::Reserve(order))?;
        let op = OpId::new(Kind::Hold, self.state.seq.next());
        Ok(Decision {
            events: vec![Event::Hold { op, event }],
            outcome: Outcome::Applied(Some(op)),
        })
    }

    /// A part of what is left goes to its destination; after the last, the rest is available again.
    ///
    /// The last is taken while the account waits to leave this ledger, since it waits for that.
    pub(super) fn reservation_captured(
        &self,
        (amount, note): (Amount, Option<Token>),
        to: &Destination,
        last: Switch,
    ) -> Result<Decision, Reason> {
        let found = self.lookup.operation.as_ref();
        let found = found.and_then(|(op, known)| Some((*op, known.hold()?)));
        let (op, state) = found.ok_or(Reason::Unmatched)?;
        let hold::State::Open(open) = state else { return Err(Reason::OutOfTurn) };
        if open.order.kind == hold::Kind::Reservation && open.blocked_cents() < amount.as_cents() {
            return Err(Reason::AmountExceeds);
        }
        let ends = last.is_on() || open.blocked_cents() == amount.as_cents();
        let owner = self.state.subaccount(open.order.subaccount).map(|known| known.account);
        let ending = owner.filter(|_| ends);
        let mut events = Vec::new();
        let holder = self.lookup.holders.first().copied().flatten();
        is_open_to_products(&to.account).then_some(()).ok_or(Reason::Unmatched)?;
        let named = (&*to.account, to.holder.as_ref());
        let to = self.resolved_account(named, holder, ending, &mut events)?;
        self.state.asset_of(to).is_none().then_some(()).ok_or(Reason::UnitDiffers)?;
        self.may_stand(&[(to, amount.cents().into())], ending)?;
        let capture = Capture { amount, to, note };
        let event = self.decide_reservation(state, Command::Capture(capture))?;
        let left = hold::evolve(state, &event);
        events.push(Event::Hold { op, event });
        if last.is_on()
            && let Verdict::Applied(rest) = let_go(self.state, op, &left, None)
        {
            events.extend(rest);
        }
        Ok(accept(events))
    }

    fn decide_reservation(
        &self,
        state: &hold::State,
        command: Command,
    ) -> Result<hold::Event, Reason> {
        let available = match &command {
            Command::Reserve(order) => self.state.spendable(order.subaccount),
            _ => Balance::ZERO,
        };
        let now = hold::Context { available, own_part: Cents::ZERO, matures: Watch::Over };
        match hold::decide(state, command, now) {
            Verdict::Applied(event) => Ok(event),
            Verdict::Known | Verdict::SetAside => Err(Reason::OutOfTurn),
        }
    }
}
