//! What the world reports of charges: PIX seen, received, released, returned.

use crate::id::{OpId, Token};
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, accept, already_known, attribute};
use crate::ledger::record::event::Event;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::facts::facts;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::record::{ExternalId, Scope};
use crate::machine::charge::PixPayment;
use crate::machine::suspense::{self, Direction, Float};
use crate::machine::{Verdict, charge, purchase};
use crate::money::Amount;
use crate::terms::{Review, Switch};
use crate::time::Instant;

facts! {
    /// What is reported of charges, and of those who pay them.
    #[allow(missing_docs)] // Fields bear the wire's names; the contract module describes each.
    Fact {
        /// A PIX arrived, for a charge if it named one.
        PixReceived { charge: Option<OpId>, payment: PixPayment }
            is FactKind::PixReceived,
            about *charge,
            outside Some(ExternalId::new(Scope::ReceivedPix, &payment.e2e)),
            at Some(&mut payment.paid_at),
            anew is_under_review(payment);
        /// A PIX was seen that the provider has not settled yet.
        PixSeen { charge: Option<OpId>, payment: PixPayment }
            is FactKind::PixSeen,
            about *charge,
            outside Some(ExternalId::new(Scope::ReceivedPix, &payment.e2e)),
            at Some(&mut payment.paid_at);
        /// A PIX received went back to its payer, in part or whole.
        PixReturned { charge: Option<OpId>, return_id: Box<str>, amount: Amount }
            is FactKind::PixReturned,
            about *charge,
            outside Some(ExternalId::new(Scope::ReturnedDeposit, return_id));
        /// The provider settled a PIX that was seen.
        ProviderSettled { charge: Option<OpId> } is FactKind::ProviderSettled, about *charge;
        /// The provider holds a PIX that was seen.
        ProviderHeld { charge: Option<OpId>, until: Option<Instant> }
            is FactKind::ProviderHeld, about *charge;
        /// The provider released a charge it held; with the PIX, it implies that it was paid.
        ProviderReleased { charge: Option<OpId>, payment: Option<PixPayment> }
            is FactKind::ProviderReleased,
            about *charge,
            pix payment.as_ref().map(|paid| (Scope::ReceivedPix, &*paid.e2e)),
            at payment.as_mut().map(|paid| &mut paid.paid_at);
        /// The provider cancelled a charge before payment.
        ProviderCancelled { charge: Option<OpId> } is FactKind::ProviderCancelled, about *charge;
        /// Somebody looked at a payer.
        PayerReviewed { payer: Token, review: Review, decided_by: OperatorDecision }
            is FactKind::PayerReviewed;
    }
}

impl FactContext<'_> {
    /// A fact about a charge.
    pub(in crate::ledger) fn decide_charge(&self, fact: Fact) -> Decision {
        match fact {
            // It was seen before; that it was received is new.
            Fact::PixReceived { payment, .. } if self.is_under_review(&payment) => {
                self.book_reviewed_payment(payment.amount)
            }
            Fact::PixReceived { payment, .. } => self.receive_payment(payment),
            Fact::PixSeen { payment, .. } => self.see_payment(payment),
            Fact::PixReturned { return_id, amount, .. } => self.return_payment(&return_id, amount),
            Fact::ProviderSettled { .. } => self.charge_moves(charge::Command::Settle),
            Fact::ProviderHeld { until, .. } => self.charge_moves(charge::Command::Withhold(until)),
            Fact::ProviderReleased { payment, .. } => self.release_payment(payment.as_ref()),
            Fact::ProviderCancelled { .. } => self.charge_moves(charge::Command::Cancel),
            Fact::PayerReviewed { payer, review, decided_by } => {
                attribute(accept(vec![Event::PayerReviewed { payer, review }]), decided_by)
            }
        }
    }
}

impl FactContext<'_> {
    pub(in crate::ledger) fn receive_payment(&self, payment: charge::PixPayment) -> Decision {
        let (order, unpayable) = (self.unplaced_payment(&payment), self.unpayable(&payment));
        match self.charge_verdict(charge::Command::Receive(payment)) {
            Some((op, Verdict::Applied(event))) => self.arrived_at(op, event),
            Some((_, Verdict::Known)) => already_known(),
            Some((_, Verdict::SetAside)) | None => self.to_suspense(order, unpayable),
        }
    }

    /// Tells whether this PIX was seen for the charge it names, and not received yet.
    fn is_under_review(&self, payment: &charge::PixPayment) -> bool {
        matches!(
            self.charge(),
            Some((_, charge::State::UnderReview(arrived))) if arrived.payment.e2e == payment.e2e
        )
    }

    /// A PIX that was under review is received: booked, or held where the charge says so.
    fn book_reviewed_payment(&self, amount: Amount) -> Decision {
        let seen = self.charge().and_then(|(_, state)| state.order()).map(|order| order.amount);
        if seen != Some(amount) {
            // What was seen is not credited by a settlement that says no amount.
            let held = self.charge_moves(charge::Command::Withhold(None));
            return self.waits(held.events, None, Reason::AmountDiffers);
        }
        let held = self.charge().and_then(|(_, state)| state.order()?.retention_hours).is_some();
        let settle = charge::Command::Settle;
        self.charge_moves(if held { charge::Command::Withhold(None) } else { settle })
    }

    pub(in crate::ledger) fn see_payment(&self, payment: charge::PixPayment) -> Decision {
        let (order, unpayable) = (self.unplaced_payment(&payment), self.unpayable(&payment));
        match self.charge_verdict(charge::Command::See(payment)) {
            Some((op, Verdict::Applied(event))) => self.arrived_at(op, event),
            Some((_, Verdict::Known)) => already_known(),
            Some((_, Verdict::SetAside)) | None => self.to_suspense(order, unpayable),
        }
    }

    /// A PIX arrived for the charge named, with what went back of it before.
    fn arrived_at(&self, op: OpId, event: charge::Event) -> Decision {
        let (_, charge) = self.charge().expect("it was just judged");
        accept(self.arrives(op, charge, event))
    }

    pub(in crate::ledger) fn return_payment(&self, return_id: &str, amount: Amount) -> Decision {
        let claim = self.suspense_order(Direction::Out, Float::Collection, return_id, amount);
        let unreturnable = self.unreturnable(amount);
        let steps = self.charge().and_then(|(op, charge)| self.return_steps(op, charge, amount));
        steps.map_or_else(|| self.return_waits(claim, unreturnable), accept)
    }

    /// Lets a return wait for a person; nothing is delivered while money of it may have gone back
    /// (rulings 45).
    pub(in crate::ledger) fn return_waits(
        &self,
        claim: suspense::Order,
        reason: Reason,
    ) -> Decision {
        let mut decision = self.to_suspense(claim, reason);
        if let Some((op, charge)) = self.charge() {
            self.halt(op, charge, &mut decision.events);
        }
        decision
    }

    /// A release that names the PIX implies that it was received (rulings 8).
    pub(in crate::ledger) fn release_payment(
        &self,
        payment: Option<&charge::PixPayment>,
    ) -> Decision {
        // A PIX that only this report names is booked, whatever becomes of the release.
        let aside = || match (payment, self.lookup.pix_seen) {
            (Some(payment), None) => {
                self.to_suspense(self.unplaced_payment(payment), self.unpayable(payment))
            }
            _ => self.aside(self.after_payment_reason()),
        };
        let Some((op, charge)) = self.charge() else { return aside() };
        if let Some(reason) = self.payment_contradicted(charge, payment) {
            return self.aside(reason);
        }
        let unpaid = matches!(charge, charge::State::Pending(_) | charge::State::Expired(_));
        if let (true, Some(payment), None) = (unpaid, payment, self.lookup.pix_seen) {
            let holds = charge.order().is_some_and(|order| order.retention_hours.is_some());
            let arrival = if holds { charge::Command::Receive } else { charge::Command::See };
            let now = self.charge_context(charge);
            let Verdict::Applied(first) = charge::decide(charge, arrival(payment.clone()), now)
            else {
                return aside();
            };
            let mut events = self.arrives(op, charge, first);
            self.hold_implied(op, charge, &mut events);
            return self.released_after(op, charge, events);
        }
        if payment.is_some() && self.lookup.pix_seen.is_none() {
            return aside();
        }
        if matches!(charge, charge::State::UnderReview(_)) {
            let mut events = Vec::new();
            self.hold_implied(op, charge, &mut events);
            return self.released_after(op, charge, events);
        }
        if matches!(charge, charge::State::Delayed(_)) {
            return self.released_after(op, charge, Vec::new());
        }
        let now = self.charge_context(charge);
        match charge::decide(charge, charge::Command::Release, now) {
            Verdict::Known => already_known(),
            Verdict::Applied(_) | Verdict::SetAside => self.aside(self.after_payment_reason()),
        }
    }

    /// A release implies that the PIX was held, expected or not (rulings 8).
    fn hold_implied(&self, op: OpId, charge: &charge::State, events: &mut Vec<Event>) {
        if let charge::State::UnderReview(_) = self.charge_after(op, charge, events) {
            let event = charge::Event::Withheld { until: self.at };
            events.push(Event::Charge { op, event });
        }
    }

    /// The reason that a PIX told again is not the one that paid the charge: another paid it, or it
    /// was of another amount (rulings 1 and 54). One that was never told is booked as any other.
    pub(in crate::ledger) fn payment_contradicted(
        &self,
        charge: &charge::State,
        told: Option<&PixPayment>,
    ) -> Option<Reason> {
        let told = told.filter(|_| self.lookup.pix_seen.is_some())?;
        match charge.payment()? {
            known if known.e2e != told.e2e => Some(Reason::IdTaken),
            known if known.amount != told.amount => Some(Reason::AmountDiffers),
            _ => None,
        }
    }

    /// A charge is released after these events; with returns that waited, as far as anything is
    /// left.
    fn released_after(&self, op: OpId, charge: &charge::State, mut events: Vec<Event>) -> Decision {
        let held = self.charge_after(op, charge, &events);
        self.book_returns(op, held, &mut events);
        accept(self.clear_arrival(op, charge, events, charge::Command::Release))
    }

    /// A PIX received that pays nothing.
    pub(in crate::ledger) fn unplaced_payment(
        &self,
        payment: &charge::PixPayment,
    ) -> suspense::Order {
        suspense::Order {
            amount: payment.amount,
            direction: Direction::In,
            float: Float::Collection,
            about: self.about,
            outside: payment.e2e.clone(),
            paid_at: payment.paid_at,
            recovery: None,
        }
    }

    pub(in crate::ledger) fn charge_moves(&self, command: charge::Command) -> Decision {
        match self.charge_verdict(command.clone()) {
            Some((op, Verdict::Applied(_))) => {
                let (_, charge) = self.charge().expect("it was just judged");
                let mut events = Vec::new();
                self.book_returns(op, charge.clone(), &mut events);
                accept(self.clear_arrival(op, charge, events, command))
            }
            Some((_, Verdict::Known)) => already_known(),
            Some((_, Verdict::SetAside)) | None => self.aside(self.after_payment_reason()),
        }
    }

    fn charge_verdict(&self, command: charge::Command) -> Option<(OpId, Verdict<charge::Event>)> {
        let (op, state) = self.charge()?;
        let now = self.charge_context(state);
        Some((op, charge::decide(state, command, now)))
    }

    pub(in crate::ledger) fn charge_context(&self, state: &charge::State) -> charge::Context {
        let first = state.order().is_some_and(|order| {
            let known = self.state.subaccount(order.subaccount);
            let house = self.state.account(order.account).map(|account| account.house);
            let deposits = order.purchase.is_none();
            deposits
                && known.is_some_and(|known| !known.deposited)
                && house != Some(order.subaccount)
        });
        charge::Context { at: self.at, first_deposit: if first { Switch::On } else { Switch::Off } }
    }
}

/// Tells whether the event books this PIX.
pub(in crate::ledger) fn books(event: &Event, pix: &PixPayment) -> bool {
    match event {
        Event::Charge { event: charge::Event::Delayed { payment, .. }, .. }
        | Event::Charge {
            event: charge::Event::Purchase(purchase::Event::Paid { payment, .. }),
            ..
        } => payment.e2e == pix.e2e,
        _ => false,
    }
}
