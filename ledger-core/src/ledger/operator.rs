//! What operators decide: holds, suspense, corrections.

use std::sync::Arc;

use super::aside::SetAsideReason as Reason;
use super::debit;
use super::decision::{Decision, Outcome};
use super::early::taken;
use super::event::Event;
use super::fact::{Case, applied, known};
use super::state::State;
use super::words::Income;
use crate::id::{Kind, OpId};
use crate::machine::hold::{self, Watch};
use crate::machine::suspense::{self, Direction, Float};
use crate::machine::{Verdict, charge};
use crate::money::{Amount, Balance, Share};

impl Case<'_> {
    /// A block: on the cause's own subaccount if it names a charge, else on the one named.
    pub(super) fn hold_placed(
        &self,
        account: &str,
        names_customer: bool,
        kind: hold::Kind,
        requested: Amount,
    ) -> Decision {
        let charge = self.charge();
        let named = self.found.parties[0];
        // What was given up to a customer's custody stands there.
        let bearer = |order: &Arc<charge::Order>| match charge {
            Some((_, charge::State::Bought(bought))) => bought.bearer(),
            _ => order.custody,
        };
        let of_cause = charge.and_then(|(_, state)| state.order()).filter(|order| {
            let its_account = self.state.account_named(account) == Some(order.account);
            its_account && (!names_customer || named == Some(bearer(order)))
        });
        let custody = match self.about {
            None => named,
            Some(_) => of_cause.map(bearer),
        };
        let Some(custody) = custody else { return self.aside(Reason::Unmatched) };
        let paid = charge.and_then(|(op, state)| match state {
            charge::State::Paid(paid) => Some((op, paid)),
            _ => None,
        });
        let now = hold::Circumstances {
            available: self.state.books.custody(custody).available,
            own_part: paid.map_or(Share::ZERO, |(_, paid)| paid.held),
            matures: Watch::Over,
        };
        let watch_until = self.at.after(self.state.policy.shortfall_watch);
        let precaution = self.state.policy.precaution.filter(|_| kind == hold::Kind::Precautionary);
        let ends_at = precaution.map(|span| self.at.after(span));
        let cause = self.about;
        let order = hold::Order { custody, kind, cause, requested, watch_until, ends_at };
        let placed = hold::decide(&hold::State::Absent, hold::Command::Place(order), now);
        let Verdict::Applied(event) = placed else { return self.aside(Reason::OutOfTurn) };
        let op = OpId::new(Kind::Hold, self.state.seq.next());
        let mut events = Vec::new();
        if let (hold::Event::Placed { from_held, .. }, Some((charge, _))) = (&event, paid)
            && let Some(amount) = from_held.amount()
        {
            let into = charge::Into::Frozen;
            let event = charge::Event::PartTaken { custody, amount, into };
            events.push(Event::Charge { op: charge, event });
        }
        events.push(Event::Hold { op, event });
        Decision { events, outcome: Outcome::Applied(Some(op)) }
    }

    /// Money goes back to where it came from, unless that has matured since (rulings 26).
    pub(super) fn hold_released(&self, amount: Option<Amount>) -> Decision {
        let named = self.found.operation.as_ref();
        let Some((op, state)) = named.and_then(|(op, known)| Some((*op, known.hold()?))) else {
            return self.aside(Reason::Unmatched);
        };
        match let_go(self.state, op, state, amount) {
            Verdict::Applied(events) => applied(events),
            Verdict::Known => known(),
            Verdict::SetAside => self.aside(Reason::OutOfTurn),
        }
    }

    pub(super) fn suspense_attached(&self, charge: Option<OpId>) -> Decision {
        let Some((op, state)) = self.suspense() else { return self.aside(Reason::Unmatched) };
        let Some(charge) = charge else { return self.aside(Reason::Unmatched) };
        if let suspense::State::Waiting(order) = state
            && order.is_a_deposit_returned()
        {
            return self.return_attached((op, order), charge);
        }
        let event = match suspense::decide(state, suspense::Command::Attach(charge)) {
            Verdict::Applied(event) => event,
            Verdict::Known => return known(),
            Verdict::SetAside => return self.aside(Reason::OutOfTurn),
        };
        let suspense::State::Waiting(order) = state else { return self.aside(Reason::OutOfTurn) };
        let second = self.found.second.as_ref().and_then(|(_, known)| known.charge());
        let Some(target) = second.filter(|_| order.float == Float::Collection) else {
            return self.aside(match second {
                None => Reason::Unmatched,
                Some(_) => Reason::OutOfTurn,
            });
        };
        let receipt = charge::Receipt {
            e2e: order.outside.clone(),
            amount: order.amount,
            paid_at: order.paid_at,
        };
        let fits = target.order().is_none_or(|order| order.can_take(&receipt));
        let now = self.charge_circumstances(target);
        match charge::decide(target, charge::Command::Attach(receipt), now) {
            Ok(Verdict::Applied(credited)) => {
                let events = vec![
                    Event::Suspense { op, event },
                    Event::Charge { op: charge, event: credited },
                ];
                applied(self.with_early(charge, target, events))
            }
            _ if !fits => self.aside(Reason::AmountDiffers),
            _ => self.aside(Reason::OutOfTurn),
        }
    }

    /// A return that was set aside is of this charge, which books it.
    fn return_attached(&self, (op, order): (OpId, &suspense::Order), charge: OpId) -> Decision {
        let second = self.found.second.as_ref().and_then(|(_, known)| known.charge());
        let Some(target) = second else { return self.aside(Reason::Unmatched) };
        let steps = self.return_steps(charge, target, order.amount);
        match (taken(op, order, charge), steps) {
            (Some(taken), Some(steps)) => applied(std::iter::once(taken).chain(steps).collect()),
            _ => self.aside(Reason::AmountExceeds),
        }
    }

    pub(super) fn suspense_returned(&self) -> Decision {
        let Some((op, state)) = self.suspense() else { return self.aside(Reason::Unmatched) };
        match suspense::decide(state, suspense::Command::Return) {
            Verdict::Applied(event) => applied(vec![Event::Suspense { op, event }]),
            Verdict::Known => known(),
            Verdict::SetAside => self.aside(Reason::OutOfTurn),
        }
    }

    /// A court takes money from a subaccount: from the block named, from held parts, and from
    /// available, which may become negative (rulings 21); it waits until somebody says where it went.
    pub(super) fn court_ordered(&self, hold: Option<OpId>, amount: Amount) -> Decision {
        let Some(custody) = self.found.parties[0] else { return self.aside(Reason::Unmatched) };
        let block = match (hold, &self.found.operation) {
            (None, _) => None,
            (Some(_), Some((op, known))) => match known.hold() {
                Some(hold::State::Open(open)) if open.order.custody == custody => Some((*op, open)),
                _ => return self.aside(Reason::OutOfTurn),
            },
            (Some(_), None) => return self.aside(Reason::Unmatched),
        };
        let order = suspense::Order {
            amount,
            direction: Direction::In,
            float: Float::Court,
            about: hold,
            outside: "".into(),
            paid_at: self.at,
        };
        let command = suspense::Command::Take(order, custody);
        let Verdict::Applied(event) = suspense::decide(&suspense::State::Absent, command) else {
            return self.aside(Reason::OutOfTurn);
        };
        let op = OpId::new(Kind::Suspense, self.state.seq.next());
        let mut events = debit::of_order(self.state, custody, block, amount);
        events.push(Event::Suspense { op, event });
        Decision { events, outcome: Outcome::Applied(Some(op)) }
    }

    /// A fee charged may not take available below zero: that is for forced debits alone.
    pub(super) fn fee_adjusted(&self, given: Share, charged: Share, income: Income) -> Decision {
        let Some(custody) = self.found.parties[0] else { return self.aside(Reason::Unmatched) };
        let available = self.state.books.custody(custody).available;
        let covered = charged.amount().is_none_or(|amount| available.covers(amount));
        if !covered || given.is_zero() == charged.is_zero() {
            return self.aside(Reason::AmountExceeds);
        }
        let op = OpId::new(Kind::Adjustment, self.state.seq.next());
        let event = Event::FeeAdjusted { op, custody, given, charged, income };
        Decision { events: vec![event], outcome: Outcome::Applied(Some(op)) }
    }

    /// No more is written off than is owed (rulings 29).
    pub(super) fn written_off(&self, amount: Amount) -> Decision {
        let Some(custody) = self.found.parties[0] else { return self.aside(Reason::Unmatched) };
        let available = self.state.books.custody(custody).available;
        let owed = Balance::new(available.cents().saturating_neg());
        if !owed.covers(amount) {
            return self.aside(Reason::AmountExceeds);
        }
        let op = OpId::new(Kind::Adjustment, self.state.seq.next());
        let event = Event::BalanceWrittenOff { op, custody, amount };
        Decision { events: vec![event], outcome: Outcome::Applied(Some(op)) }
    }
}

/// Lets go of so much of a hold, or of everything: the part that its cause held goes back there,
/// unless that has matured since (rulings 26).
pub(super) fn let_go(
    ledger: &State,
    op: OpId,
    state: &hold::State,
    amount: Option<Amount>,
) -> Verdict<Vec<Event>> {
    let cause = state.standing().and_then(|standing| standing.order.cause);
    let immature = cause.filter(|cause| match ledger.open(*cause) {
        Some(known) => matches!(
            known.charge(),
            Some(charge::State::Paid(paid)) if paid.settled_at.is_none()
        ),
        None => false,
    });
    let now = hold::Circumstances {
        available: Balance::ZERO,
        own_part: Share::ZERO,
        matures: if immature.is_some() { Watch::Running } else { Watch::Over },
    };
    match hold::decide(state, hold::Command::Release(amount), now) {
        Verdict::Applied(event) => {
            let mut events = Vec::with_capacity(2);
            if let (hold::Event::Released { custody, to_held, .. }, Some(charge)) =
                (&event, immature)
                && let Some(amount) = to_held.amount()
            {
                let event = charge::Event::PartRestored { custody: *custody, amount };
                events.push(Event::Charge { op: charge, event });
            }
            events.push(Event::Hold { op, event });
            Verdict::Applied(events)
        }
        Verdict::Known => Verdict::Known,
        Verdict::SetAside => Verdict::SetAside,
    }
}
