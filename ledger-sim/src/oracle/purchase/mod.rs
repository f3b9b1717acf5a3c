//! Purchases as the oracle sees them, from their payment on: Parts A1 and A2; rulings 28 and 36.

pub(crate) mod bought;
pub(super) mod delivery;
pub(super) mod offer;

use ledger_core::accounting::RowKind;
use ledger_core::id::{OpId, SubaccountId};
use ledger_core::ledger::purchase::Fact;
use ledger_core::ledger::{GiveUpTo, Outcome, Topic};
use ledger_core::machine::charge::PixPayment;
use ledger_core::machine::delivery::{Command, DeliveryReport};
use ledger_core::time::Instant;

use super::books::RowOf;
use super::charge::{Before, ChargeStatus};
use super::purchase::bought::End;
use super::purchase::delivery::{Moved, Stage};
use super::{IdScope, Oracle};
use crate::goal::Goal;

impl Oracle {
    /// Foresees what becomes of a report of a purchase, of a delivery, or of what is on offer.
    pub(in crate::oracle) fn purchase_fact(&mut self, fact: &Fact, at: Instant) -> Outcome {
        match fact {
            Fact::Delivery { op, command, payment } => {
                self.delivery_news(*op, command, payment.as_ref(), false, at)
            }
            Fact::DeliveryEvidence { op, sent: None, decided_by }
                if decided_by.evidence.is_none() && self.has_attempt_open(*op) =>
            {
                Outcome::SetAside(None)
            }
            Fact::DeliveryEvidence { op, sent, .. } => {
                let report = sent.clone().map_or(DeliveryReport::Fail, DeliveryReport::Confirm);
                // A person found out what became of the last attempt that began.
                let last = self.delivery_named(*op).map(|it| it.attempt);
                let command = Command { attempt: last.filter(|last| *last > 0), report };
                self.delivery_news(*op, &command, None, true, at)
            }
            Fact::DeliveryGivenUp { op, to, .. } => self.given_up(*op, to),
            Fact::DeliveryResumed { op, .. } => self.resume_delivery(*op),
            Fact::ErroneousDeliverySettled { erroneous_delivery, end, .. } => {
                self.erroneous_delivery_settled(*erroneous_delivery, *end)
            }
            Fact::CatalogueUpdated { listed, dropped } => self.catalogue_updated(listed, dropped),
            Fact::MarketsUpdated { opened, closed } => self.markets_updated(opened, closed),
            Fact::RateQuoted { asset, quote } => self.rate_quoted(asset, quote),
        }
    }

    /// A purchase is paid: its money stands in flight until it is delivered.
    pub(super) fn buy(&mut self, op: OpId, from: Before) {
        let charge = self.charges.get_mut(&op).expect("the caller found it");
        let amount = charge.received;
        charge.status = ChargeStatus::Paid;
        charge.credited = true;
        charge.settled = true;
        charge.gross = amount;
        charge.returned_since = charge.returned_before;
        let held = charge.held_hours.is_some();
        if charge.returned_before > 0 {
            charge.buy.as_mut().expect("the caller knows").end = Some(End::Halted);
            self.reach(Goal::HaltedBeforePaid);
        }
        match from {
            Before::Provider => {
                self.totals.provider_pix += amount;
                self.totals.pix_in_flight += amount;
            }
            Before::Flight => {}
            Before::Suspense => {
                self.totals.suspense -= amount;
                self.totals.pix_in_flight += amount;
            }
        }
        if held && from == Before::Flight {
            self.reach(Goal::HeldPurchasePaid);
        }
        self.notify(op, Topic::ChargePaid);
        self.trace.asked.push(op);
        self.note(op);
    }

    /// A report of a delivery, by whoever brings it; a PIX it names and does not use waits (rulings
    /// 1).
    pub(super) fn delivery_news(
        &mut self,
        op: Option<OpId>,
        command: &Command,
        payment: Option<&PixPayment>,
        found_out: bool,
        at: Instant,
    ) -> Outcome {
        let known = |oracle: &Self, payment: &PixPayment| {
            oracle.seen.contains(&(IdScope::PixIn, payment.e2e.clone()))
        };
        let fresh = payment.filter(|payment| !known(self, payment));
        let told = payment.filter(|payment| known(self, payment));
        let charge = op.and_then(|op| self.charges.get(&op));
        let contradicts = charge.zip(told).is_some_and(|(charge, told)| charge.is_not_of(told));
        let outcome = self.delivery_moves(op, command, fresh, found_out, at);
        let Some(unused) = fresh.filter(|payment| !known(self, payment)) else {
            let settled = matches!(outcome, Outcome::Known | Outcome::Applied(_));
            return if contradicts && settled { Outcome::SetAside(None) } else { outcome };
        };
        self.reach(Goal::NamedBesides);
        let waits = self.money_in(unused.amount.cents(), true, &unused.e2e, unused.paid_at);
        match outcome {
            Outcome::SetAside(Some(_)) => outcome,
            _ => waits,
        }
    }

    fn delivery_moves(
        &mut self,
        op: Option<OpId>,
        command: &Command,
        fresh: Option<&PixPayment>,
        found_out: bool,
        at: Instant,
    ) -> Outcome {
        let Some(op) = op else { return Outcome::SetAside(None) };
        if let DeliveryReport::Confirm(hash) = &command.report
            && self.has_settled_claim(op, hash)
        {
            return Outcome::Known;
        }
        if self.conversions.contains_key(&op) {
            return self.conversion_news(op, command, found_out);
        }
        let Some(charge) = self.charges.get(&op) else { return Outcome::SetAside(None) };
        let Some(buy) = charge.buy.as_ref() else { return Outcome::SetAside(None) };
        let (earned, account) = (buy.earned, buy.account);
        // An attempt of before a part went back sent what was agreed then.
        let before = |(_, after): (i64, u32)| command.attempt.is_some_and(|it| it <= after);
        // Where nothing had gone back, what it sent is what is owed.
        let of_before = buy.rest.is_some_and(before) && buy.delivery_terms != buy.agreed.0;
        let delivery_terms = if of_before { buy.agreed.0 } else { buy.delivery_terms };
        let hash = match &command.report {
            DeliveryReport::Confirm(hash) => Some(hash.clone()),
            _ => None,
        };
        if !charge.credited {
            let Some(hash) = hash.clone() else {
                let attempt = command.attempt.or(Some(1));
                return self.keep_report(op, attempt, &command.report);
            };
            if !self.implied_payment(op, fresh, at) {
                return self.erroneous_delivery(op, delivery_terms, &hash);
            }
            self.reach(Goal::SentImpliedPaid);
        }
        let buy = self.charges[&op].buy.as_ref().expect("found above");
        if buy.end.is_some() {
            return match (&command.report, hash) {
                (DeliveryReport::Fail | DeliveryReport::Lose, _) => Outcome::Known,
                (_, Some(hash)) => self.erroneous_delivery(op, delivery_terms, &hash),
                (_, None) => self.keep_report(op, command.attempt, &command.report),
            };
        }
        if let (true, Some(hash)) = (of_before, &hash) {
            self.reach(Goal::SentOfBefore);
            return self.erroneous_delivery(op, delivery_terms, hash);
        }
        match (buy.course.judge_report(command), hash) {
            (Moved::By(steps), _) => {
                let held = self.charges[&op].held_hours.is_some();
                let how = (command.attempt, found_out);
                self.deliver(op, steps, delivery_terms, (account, earned), how);
                if held && self.course(op).stage == Stage::Sent {
                    self.reach(Goal::HeldPurchaseSent);
                }
                self.book_reports(op);
                self.settle_returns(op, at);
                Outcome::Applied(None)
            }
            (Moved::Known, _) => Outcome::Known,
            (Moved::Aside, Some(hash)) => self.erroneous_delivery(op, delivery_terms, &hash),
            (Moved::Aside, None) => self.keep_report(op, command.attempt, &command.report),
        }
    }

    /// That it was sent implies that it was paid and let go, where the PIX is known or named now
    /// and all of it is still there.
    fn implied_payment(&mut self, op: OpId, fresh: Option<&PixPayment>, at: Instant) -> bool {
        let charge = &self.charges[&op];
        match charge.status {
            ChargeStatus::UnderReview | ChargeStatus::Delayed => {
                if charge.returned_before > 0 {
                    return false;
                }
                let charge = self.charges.get_mut(&op).expect("the caller found it");
                charge.counted_at.get_or_insert(at);
                self.buy(op, Before::Flight);
                true
            }
            ChargeStatus::Pending | ChargeStatus::Expired => {
                let Some(payment) = fresh.filter(|payment| charge.is_paid_by(payment)) else {
                    return false;
                };
                self.arrive(op, payment, at);
                if self.charges[&op].status == ChargeStatus::Delayed {
                    self.buy(op, Before::Flight);
                }
                true
            }
            _ => false,
        }
    }

    /// A PIX that bought crypto went back, in part or whole; false when it may not (rulings 28).
    pub(super) fn purchase_returned(&mut self, op: OpId, amount: i64) -> bool {
        let charge = &self.charges[&op];
        let whole = amount == charge.returnable();
        let buy = charge.buy.as_ref().expect("the caller found a purchase");
        let delivery_terms = buy.delivery_terms;
        match (buy.course.stage, buy.end) {
            (_, Some(End::Returned)) => return false,
            (_, Some(End::Credited(subaccount))) => {
                let traced = self.give_from_traced((op, None), subaccount, amount);
                self.take_by_force(op, subaccount, amount - traced);
                self.totals.provider_pix -= amount;
                self.row(subaccount, op, RowKind::Reversal, RowOf::Principal(traced - amount));
                self.reach(Goal::ReturnedAfterCustody);
            }
            (Stage::Sent, None) => self.return_delivered(op, amount),
            (_, Some(End::Halted)) => {
                self.totals.provider_pix -= amount;
                self.totals.pix_in_flight -= amount;
            }
            (_, None) if buy.course.can_stop() => {
                self.undo_purchase(op, delivery_terms);
                self.totals.provider_pix -= amount;
                self.totals.pix_in_flight -= amount;
            }
            (_, None) => {
                self.reach(Goal::ReturnedWhileOpen);
                return false;
            }
        }
        let charge = self.charges.get_mut(&op).expect("found above");
        charge.returned_since += amount;
        let buy = charge.buy.as_mut().expect("found above");
        if buy.course.stage != Stage::Sent && !matches!(buy.end, Some(End::Credited(_))) {
            buy.end = Some(if whole { End::Returned } else { End::Halted });
        }
        let ends_undelivered = buy.end == Some(End::Returned);
        if whole {
            charge.status = ChargeStatus::Refunded;
            self.notify(op, Topic::ChargeRefunded);
            self.end_blocks(op);
            if ends_undelivered {
                self.reach(Goal::ReturnedUndelivered);
            }
        }
        self.note(op);
        true
    }

    /// The house bears what was delivered; the rest reverses the fees, the partner's in proportion.
    fn return_delivered(&mut self, op: OpId, amount: i64) {
        let charge = &self.charges[&op];
        let buy = charge.buy.as_ref().expect("the caller found a purchase");
        let (house, account, earned) = (charge.subaccount, buy.account, buy.earned);
        let gone = buy.rest.map_or(0, |(returned, _)| returned);
        let past = |returned: i64| (returned - gone - buy.delivery_terms.cost).max(0);
        let (before, after) = (past(charge.returned_since), past(charge.returned_since + amount));
        let reversed = after - before;
        let partner = earned.partner_of(after) - earned.partner_of(before);
        self.take_by_force(op, house, amount - reversed);
        self.totals.provider_pix -= amount;
        self.totals.purchase_income -= reversed - partner;
        self.row(house, op, RowKind::Reversal, RowOf::Principal(-amount));
        self.row(house, op, RowKind::Reversal, RowOf::Fee(reversed));
        self.commission(account, op, RowKind::CommissionReversed, -partner);
        self.reach(Goal::ReturnedAfterDelivery);
        if partner > 0 {
            self.reach(Goal::CommissionReversed);
        }
        if self.totals.commissions[account.0 as usize] < 0 {
            self.reach(Goal::CommissionBelowZero);
        }
    }

    /// Takes so much by force from a balance, in the order of rulings 23.
    fn take_by_force(&mut self, op: OpId, subaccount: SubaccountId, bears: i64) {
        let need = self.take_from_blocks((op, None), subaccount, bears);
        self.take_other_parts(op, subaccount, need);
        self.touch(subaccount).available -= bears;
    }

    fn knows_return(&self, id: &str) -> bool {
        self.seen.contains(&(IdScope::DepositBack, id.into()))
    }

    /// No more attempts: what is left goes back to the payer, or into custody (rulings 36).
    pub(super) fn given_up(&mut self, op: Option<OpId>, to: &GiveUpTo) -> Outcome {
        let aside = Outcome::SetAside(None);
        let Some(op) = op else { return aside };
        if self.conversions.contains_key(&op) {
            return match to {
                GiveUpTo::Custody => self.conversion_given_up(op),
                GiveUpTo::Payer(_) => aside,
            };
        }
        let Some(charge) = self.charges.get(&op).filter(|charge| charge.credited) else {
            return aside;
        };
        let Some(buy) = charge.buy.clone() else { return aside };
        match buy.end {
            Some(End::Returned) if matches!(to, GiveUpTo::Payer(id) if self.knows_return(id)) => {
                return Outcome::Known;
            }
            Some(End::Credited(_)) if matches!(to, GiveUpTo::Custody) => return Outcome::Known,
            Some(End::Returned | End::Credited(_)) => return aside,
            Some(End::Halted) => {}
            None if buy.course.can_stop() => {}
            None => return aside,
        }
        // What went back is not there to be given up: somebody attaches it first (rulings 45).
        if self.least_waiting(op) <= charge.returnable() {
            return aside;
        }
        let returned = matches!(to, GiveUpTo::Payer(id) if self.knows_return(id));
        if returned || self.has_claim_open(op) {
            return aside;
        }
        let (left, house, halted) = (charge.returnable(), charge.subaccount, buy.end.is_some());
        if !halted {
            self.undo_purchase(op, buy.delivery_terms);
        }
        self.totals.pix_in_flight -= left;
        let end = match to {
            GiveUpTo::Payer(id) => {
                self.seen.insert((IdScope::DepositBack, id.clone()));
                self.totals.provider_pix -= left;
                let charge = self.charges.get_mut(&op).expect("found above");
                charge.returned_since += left;
                charge.status = ChargeStatus::Refunded;
                self.notify(op, Topic::ChargeRefunded);
                self.end_blocks(op);
                self.reach(if halted { Goal::HaltedToPayer } else { Goal::GivenUpToPayer });
                End::Returned
            }
            GiveUpTo::Custody => {
                let subaccount = match buy.customer.as_deref() {
                    None => house,
                    Some(customer) => self.resolve(buy.account, Some(customer)),
                };
                self.give(subaccount, left);
                self.row(subaccount, op, RowKind::Deposit, RowOf::Principal(left));
                self.reach(if halted { Goal::HaltedToCustody } else { Goal::GivenUpToCustody });
                End::Credited(subaccount)
            }
        };
        let charge = self.charges.get_mut(&op).expect("found above");
        charge.buy.as_mut().expect("found above").end = Some(end);
        self.note(op);
        Outcome::Applied(None)
    }
}
