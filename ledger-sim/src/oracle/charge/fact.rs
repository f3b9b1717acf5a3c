//! What the provider reports of charges beside that they were paid: Part A1; rulings 1, 4 and 8.

use ledger_core::id::OpId;
use ledger_core::ledger::charge::Fact;
use ledger_core::ledger::{Outcome, Topic};
use ledger_core::machine::charge::PixPayment;
use ledger_core::time::Instant;

use super::{Before, ChargeStatus};
use crate::goal::Goal;
use crate::oracle::{IdScope, Oracle};

impl Oracle {
    /// Foresees what is reported of charges, and of those who pay them.
    pub(in crate::oracle) fn charge_fact(&mut self, fact: &Fact, at: Instant) -> Outcome {
        match fact {
            Fact::PixReceived { charge, payment } => self.pix_received(*charge, payment, at),
            Fact::PixSeen { charge, payment } => self.pix_seen(*charge, payment, at),
            Fact::PixReturned { charge, return_id, amount } => {
                self.pix_returned(*charge, return_id, amount.cents(), at)
            }
            Fact::ProviderSettled { charge } => self.provider_settled(*charge, at),
            Fact::ProviderHeld { charge, until } => self.provider_held(*charge, *until, at),
            Fact::ProviderReleased { charge, payment } => {
                self.provider_released(*charge, payment.as_ref(), at)
            }
            Fact::ProviderCancelled { charge } => self.provider_cancelled(*charge),
            Fact::PayerReviewed { payer, review, .. } => self.payer_reviewed(*payer, *review),
        }
    }

    /// A PIX was seen that the provider has not settled yet.
    pub(in crate::oracle) fn pix_seen(
        &mut self,
        op: Option<OpId>,
        payment: &PixPayment,
        at: Instant,
    ) -> Outcome {
        let charge = op.and_then(|op| Some((op, self.charges.get_mut(&op)?)));
        match charge {
            Some((op, charge)) if charge.is_paid_by(payment) => {
                charge.received = payment.amount.cents();
                charge.pay_at(payment, at);
                charge.status = ChargeStatus::UnderReview;
                self.totals.provider_pix += payment.amount.cents();
                self.totals.pix_in_flight += payment.amount.cents();
                self.note(op);
                self.settle_returns(op, at);
                Outcome::Applied(None)
            }
            _ => self.money_in(payment.amount.cents(), true, &payment.e2e, payment.paid_at),
        }
    }

    /// A PIX that was seen is received now: settled, or held where the charge says so.
    pub(in crate::oracle) fn seen_arrives(
        &mut self,
        op: Option<OpId>,
        payment: &PixPayment,
        at: Instant,
    ) -> Option<Outcome> {
        let (op, charge) = op.and_then(|op| Some((op, self.charges.get(&op)?)))?;
        let own = charge.e2e.as_ref() == Some(&payment.e2e);
        if charge.status != ChargeStatus::UnderReview || !own {
            return None;
        }
        if charge.received != payment.amount.cents() {
            // One PIX has one amount: what was seen is booked, and is held until somebody looked.
            self.reach(Goal::SeenOtherwise);
            let _ = self.provider_held(Some(op), None, at);
            return Some(Outcome::SetAside(None));
        }
        let held = charge.held_hours.is_some();
        self.reach(Goal::SeenThenReceived);
        Some(if held {
            self.provider_held(Some(op), None, at)
        } else {
            self.provider_settled(Some(op), at)
        })
    }

    /// The provider settled the PIX that was seen.
    pub(in crate::oracle) fn provider_settled(&mut self, op: Option<OpId>, at: Instant) -> Outcome {
        match op.and_then(|op| Some((op, self.charges.get(&op)?))) {
            Some((op, charge)) if charge.status == ChargeStatus::UnderReview => {
                self.clear_rest(op, at);
                self.reach(Goal::SettledAfterReview);
                Outcome::Applied(None)
            }
            Some((_, charge)) if charge.credited => Outcome::Known,
            _ => Outcome::SetAside(None),
        }
    }

    /// The provider holds the PIX that was seen.
    pub(in crate::oracle) fn provider_held(
        &mut self,
        op: Option<OpId>,
        until: Option<Instant>,
        at: Instant,
    ) -> Outcome {
        let Some((op, charge)) = op.and_then(|op| Some((op, self.charges.get(&op)?))) else {
            return Outcome::SetAside(None);
        };
        let gone = charge.status == ChargeStatus::Refunded && charge.buy.is_none();
        match charge.status {
            ChargeStatus::UnderReview => {
                self.settle_returns(op, at);
                if self.charges[&op].status == ChargeStatus::UnderReview {
                    self.withhold(op, until, at);
                }
                Outcome::Applied(None)
            }
            ChargeStatus::Delayed if until.is_none() || until == charge.withheld => Outcome::Known,
            ChargeStatus::Delayed => Outcome::SetAside(None),
            _ if charge.credited && !gone => Outcome::Known,
            _ => Outcome::SetAside(None),
        }
    }

    /// The provider withholds what stands in flight.
    fn withhold(&mut self, op: OpId, until: Option<Instant>, at: Instant) {
        let charge = self.charges.get_mut(&op).expect("the caller found it");
        charge.status = ChargeStatus::Delayed;
        charge.withheld = Some(charge.held_until(until, at));
        charge.counted_at = Some(at);
        let announced = charge.held_hours.is_some();
        self.notify(op, Topic::ChargeDelayed);
        self.note(op);
        if !announced {
            self.reach(Goal::HeldUnannounced);
        }
    }

    /// A return that waits goes back of what stands in flight; what is left is cleared.
    fn clear_rest(&mut self, op: OpId, at: Instant) {
        self.settle_returns(op, at);
        let status = self.charges[&op].status;
        if matches!(status, ChargeStatus::UnderReview | ChargeStatus::Delayed) {
            self.clear(op, at);
        }
    }

    /// What stood in flight is the customer's now, or buys.
    pub(in crate::oracle) fn clear(&mut self, op: OpId, at: Instant) {
        let charge = self.charges.get_mut(&op).expect("the caller found it");
        charge.counted_at.get_or_insert(at);
        if self.charges[&op].buy.is_some() {
            self.buy(op, Before::Flight);
            self.paid_now(op, at);
        } else {
            self.credit(op, Before::Flight, at);
        }
    }

    /// The provider let go of a charge it held; with the PIX named, it also reports the payment.
    pub(in crate::oracle) fn provider_released(
        &mut self,
        op: Option<OpId>,
        payment: Option<&PixPayment>,
        at: Instant,
    ) -> Outcome {
        let known = op.and_then(|op| Some((op, self.charges.get(&op)?)));
        let fresh =
            payment.filter(|payment| !self.seen.contains(&(IdScope::PixIn, payment.e2e.clone())));
        if let (Some((op, charge)), Some(payment)) = (known, fresh)
            && charge.is_paid_by(payment)
        {
            let expected = charge.held_hours.is_some();
            self.reach(Goal::ReleaseImplied);
            if expected {
                self.receive(op, payment, at);
            } else {
                // It was held although nobody expected that.
                self.seen.insert((IdScope::PixIn, payment.e2e.clone()));
                self.pix_seen(Some(op), payment, at);
                if self.charges[&op].status == ChargeStatus::UnderReview {
                    self.provider_held(Some(op), None, at);
                }
            }
            if self.charges[&op].status == ChargeStatus::Delayed {
                self.clear(op, at);
            }
            return Outcome::Applied(None);
        }
        if let Some(payment) = fresh {
            // A PIX that only this report names, and that pays nothing, waits (rulings 1).
            self.reach(Goal::ReleaseOfOther);
            return self.money_in(payment.amount.cents(), true, &payment.e2e, payment.paid_at);
        }
        if let (Some((_, charge)), Some(payment)) = (known, payment)
            && charge.is_not_of(payment)
        {
            // It contradicts the PIX that paid: somebody must look (rulings 1).
            return Outcome::SetAside(None);
        }
        match known.map(|(op, charge)| (op, charge.status, charge.credited)) {
            Some((op, ChargeStatus::UnderReview, _)) => {
                // A release implies that it was held (rulings 8).
                self.withhold(op, Some(at), at);
                self.clear_rest(op, at);
                self.reach(Goal::ReleaseImpliedHold);
                Outcome::Applied(None)
            }
            Some((op, ChargeStatus::Delayed, _)) => {
                self.clear_rest(op, at);
                Outcome::Applied(None)
            }
            Some((_, ChargeStatus::Paid | ChargeStatus::Refunded, true)) => Outcome::Known,
            _ => Outcome::SetAside(None),
        }
    }

    /// The provider gave up a charge before payment.
    pub(in crate::oracle) fn provider_cancelled(&mut self, op: Option<OpId>) -> Outcome {
        let Some((op, charge)) = op.and_then(|op| Some((op, self.charges.get_mut(&op)?))) else {
            return Outcome::SetAside(None);
        };
        match charge.status {
            ChargeStatus::Pending => {
                charge.status = ChargeStatus::Failed;
                self.notify(op, Topic::ChargeFailed);
                self.note(op);
                Outcome::Applied(None)
            }
            ChargeStatus::Expired | ChargeStatus::Failed => Outcome::Known,
            _ => Outcome::SetAside(None),
        }
    }
}

/// The id that the world gave a fact, where it gave one.
pub(in crate::oracle) fn identity(fact: &Fact) -> Option<(IdScope, Box<str>)> {
    match fact {
        Fact::PixReceived { payment, .. } | Fact::PixSeen { payment, .. } => {
            Some((IdScope::PixIn, payment.e2e.clone()))
        }
        Fact::PixReturned { return_id, .. } => Some((IdScope::DepositBack, return_id.clone())),
        _ => None,
    }
}
