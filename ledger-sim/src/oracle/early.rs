//! What is reported before its time, as the oracle sees it: rulings 45 and 46.
//!
//! Money that went back before its payment was reported, or while its delivery was under way,
//! waits; it is applied by the first decision after which it fits.

use ledger_core::id::OpId;
use ledger_core::ledger::{Outcome, Topic};
use ledger_core::machine::delivery::{Command, DeliveryReport};
use ledger_core::time::Instant;

use super::Oracle;
use super::charge::ChargeStatus;
use super::fees::Earned;
use super::purchase::bought::End;
use super::purchase::delivery::{ErroneousDelivery, Moved, Stage, Step};
use super::purchase::offer::DeliveryTerms;
use super::suspense::{Waiting, WaitingStatus};
use crate::goal::Goal;

impl Oracle {
    /// Returns what waits and names `op`, in the order it was put aside.
    pub(crate) fn waiting_about(&self, op: OpId, wanted: fn(&Waiting) -> bool) -> Vec<OpId> {
        let own = self.named_by(op);
        own.filter(|it| self.suspense.get(it).is_some_and(wanted)).collect()
    }

    /// Returns what waits or is claimed and names `op`, in the order it came.
    pub(super) fn named_by(&self, op: OpId) -> impl Iterator<Item = OpId> {
        let own =
            self.put_aside.range((op, OpId::LEAST)..).take_while(move |(about, _)| *about == op);
        own.map(|(_, it)| *it)
    }

    /// Tells whether a return of what paid `op` waits.
    fn has_return_waiting(&self, op: OpId) -> bool {
        !self.waiting_about(op, Waiting::is_deposit_back).is_empty()
    }

    /// The smallest return that waits.
    pub(super) fn least_waiting(&self, op: OpId) -> i64 {
        let waiting = self.waiting_about(op, Waiting::is_deposit_back);
        waiting.iter().map(|it| self.suspense[it].amount).min().unwrap_or(i64::MAX)
    }

    /// Of what waits, what fits into `left` one after the other, and its sum.
    pub(super) fn fitting(&self, waiting: &[OpId], left: i64) -> (Vec<OpId>, i64) {
        let (mut taken, mut sum) = (Vec::new(), 0);
        for it in waiting {
            let amount = self.suspense[it].amount;
            if sum + amount <= left {
                taken.push(*it);
                sum += amount;
            }
        }
        (taken, sum)
    }

    /// What waited has found what it is of: the float is as it was before it was put aside.
    pub(super) fn settle_suspense(&mut self, waiting: OpId, by: OpId) {
        let it = &self.suspense[&waiting];
        let (amount, came_in, collection) = (it.amount, it.came_in, it.collection);
        if it.is_deposit_back() {
            let return_id = it.outside.clone();
            self.goes_back_by(&return_id, (by, amount), None);
        }
        if came_in {
            self.totals.suspense -= amount;
            *self.float(collection) -= amount;
        } else {
            self.totals.provider_claim -= amount;
            *self.float(collection) += amount;
        }
        self.ends_waiting(waiting, WaitingStatus::Attached(by));
        self.note(waiting);
    }

    /// Books what went back of a charge and waited, as one return, if it can go back now.
    pub(super) fn settle_returns(&mut self, op: OpId, at: Instant) {
        let waiting = self.waiting_about(op, Waiting::is_deposit_back);
        let charge = &self.charges[&op];
        let open = charge
            .buy
            .as_ref()
            .is_some_and(|buy| charge.credited && buy.end.is_none() && buy.course.is_open());
        if open {
            return;
        }
        let (taken, sum) = self.fitting(&waiting, charge.returnable());
        if sum > 0 {
            let early = !charge.credited;
            for it in taken {
                self.settle_suspense(it, op);
            }
            let booked = self.goes_back(op, sum, at);
            assert!(booked, "what fits goes back");
            self.reach(if early { Goal::ReturnedBeforePaid } else { Goal::ReturnFoundReason });
        }
        self.halt(op);
    }

    /// A report of an attempt that may still begin is kept until it does.
    pub(super) fn keep_report(
        &mut self,
        op: OpId,
        attempt: Option<u32>,
        report: &DeliveryReport,
    ) -> Outcome {
        let attempt = attempt.filter(|attempt| *attempt > 0 && self.may_begin(op, *attempt));
        if let Some(attempt) = attempt {
            self.early.entry(op).or_default().push((attempt, report.clone()));
        }
        Outcome::SetAside(None)
    }

    /// Tells whether this attempt comes after all that began, and may still.
    fn may_begin(&self, op: OpId, attempt: u32) -> bool {
        use ChargeStatus::Refunded;
        if let Some(it) = self.conversions.get(&op) {
            return !it.refunded && it.course.stage != Stage::Sent && attempt > it.course.attempt;
        }
        let charge = &self.charges[&op];
        let Some(buy) = &charge.buy else { return false };
        if !charge.credited {
            return charge.status != Refunded;
        }
        let after = match buy.end {
            None => buy.course.attempt,
            Some(End::Halted) => buy.course.attempt.max(1),
            Some(End::Returned | End::Credited(_)) => return false,
        };
        buy.course.stage != Stage::Sent && attempt > after
    }

    /// What was reported of attempts before they began, now that they can have begun.
    pub(super) fn book_reports(&mut self, op: OpId) {
        loop {
            let kept = self.early.get(&op).cloned().unwrap_or_default();
            let (course, delivery_terms, earned) =
                match (self.conversions.get(&op), self.charges.get(&op)) {
                    (Some(it), _) if !it.refunded => {
                        (&it.course, it.delivery_terms, (it.account, it.earned))
                    }
                    (None, Some(charge)) if charge.credited => match &charge.buy {
                        Some(buy) if buy.end.is_none() => {
                            (&buy.course, buy.delivery_terms, (buy.account, buy.earned))
                        }
                        _ => return,
                    },
                    _ => return,
                };
            let next = kept.iter().enumerate().find_map(|(place, (attempt, report))| {
                let command = Command { attempt: Some(*attempt), report: report.clone() };
                match course.judge_report(&command) {
                    Moved::By(steps) => Some((place, steps)),
                    Moved::Known | Moved::Aside => None,
                }
            });
            let Some((place, steps)) = next else { return };
            self.early.get_mut(&op).expect("it has some").remove(place);
            self.deliver(op, steps, delivery_terms, earned, (None, false));
            self.reach(Goal::ReportedEarly);
        }
    }

    /// Crypto that was reported sent before its purchase was paid: the claim ends, and it is
    /// delivered.
    pub(super) fn sent_before(&mut self, op: OpId) {
        let Some(buy) = self.charges[&op].buy.as_ref() else { return };
        let stands = buy.end.is_none() && buy.course.stage == Stage::Waiting;
        let (delivery_terms, earned) = (buy.delivery_terms, (buy.account, buy.earned));
        let first = self.claims_open(op).next().map(|(_, it)| it.hash.clone());
        let Some(hash) = first.filter(|_| stands) else { return };
        self.deliver(
            op,
            vec![Step::Begin, Step::Send(hash)],
            delivery_terms,
            earned,
            (None, false),
        );
        self.reach(Goal::SentBeforePaid);
    }

    /// The open claims on crypto that was sent for `op` without reason, in the order they were
    /// made.
    pub(crate) fn claims_open(
        &self,
        op: OpId,
    ) -> impl Iterator<Item = (OpId, &ErroneousDelivery)> + '_ {
        self.named_by(op).filter_map(|claim| Some((claim, self.erroneous_deliveries.get(&claim)?)))
    }

    pub(super) fn has_claim_open(&self, op: OpId) -> bool {
        self.claims_open(op).next().is_some()
    }

    /// Nothing is delivered while a return of its money waits, or crypto sent for it is a claim.
    pub(super) fn halt(&mut self, op: OpId) {
        let Some(charge) = self.charges.get(&op).filter(|charge| charge.credited) else { return };
        let Some(buy) = &charge.buy else { return };
        let stands = buy.end.is_none() && buy.course.can_stop();
        let delivery_terms = buy.delivery_terms;
        let returned = self.has_return_waiting(op);
        if !stands || !(returned || self.has_claim_open(op)) {
            return;
        }
        self.undo_purchase(op, delivery_terms);
        let charge = self.charges.get_mut(&op).expect("found above");
        charge.buy.as_mut().expect("found above").end = Some(End::Halted);
        self.note(op);
        self.reach(if returned { Goal::HaltedByReturn } else { Goal::HaltedByClaim });
    }

    /// A person lets what is left of a purchase be delivered: at the price that was agreed, with
    /// the fees that were agreed in proportion.
    pub(super) fn resume_delivery(&mut self, op: Option<OpId>) -> Outcome {
        let aside = Outcome::SetAside(None);
        let Some(op) = op else { return aside };
        let Some(charge) = self.charges.get(&op).filter(|charge| charge.credited) else {
            return aside;
        };
        let Some(buy) = charge.buy.as_ref() else { return aside };
        if self.has_return_waiting(op) || self.has_claim_open(op) {
            return aside;
        }
        match buy.end {
            None if buy.rest.is_some() => return Outcome::Known,
            Some(End::Halted) => {}
            _ => return aside,
        }
        let (left, received) = (charge.returnable(), charge.received);
        let (agreed, fees) = buy.agreed;
        let as_cents = |of: i64| {
            let part = i128::from(of) * i128::from(left) / i128::from(received);
            i64::try_from(part).expect("a part of centavos")
        };
        let whole = as_cents(fees.total());
        let partner = fees.partner_of(whole);
        let (cost, earned) = (left - whole, Earned { house: whole - partner, partner });
        let units = if cost > 0 { buy.offer.units(cost) } else { 0 };
        if units <= agreed.network_fee {
            return aside;
        }
        let delivery_terms = DeliveryTerms { cost, units, ..agreed };
        let returned = charge.returned_since;
        let after = buy.course.attempt.max(1);
        let charge = self.charges.get_mut(&op).expect("found above");
        let buy = charge.buy.as_mut().expect("found above");
        (buy.delivery_terms, buy.earned, buy.end) = (delivery_terms, earned, None);
        buy.rest = Some((returned, after));
        (buy.course.stage, buy.course.attempt) = (Stage::Retrying, after);
        self.buys(op, delivery_terms);
        self.trace.asked.push(op);
        self.note(op);
        self.book_reports(op);
        if returned > 0 {
            self.reach(Goal::RestResumed);
        }
        Outcome::Applied(None)
    }

    /// What came back of a payout before it was reported paid is booked with its payment.
    pub(super) fn settle_payout_returns(&mut self, op: OpId) {
        let waiting = self.waiting_about(op, Waiting::is_payment_back);
        let payout = &self.payouts[&op];
        let (taken, sum) = self.fitting(&waiting, payout.amount - payout.returned);
        if sum > 0 {
            for it in taken {
                self.settle_suspense(it, op);
            }
            self.payout_comes_back(op, sum);
            self.reach(Goal::CameBackBeforePaid);
        }
    }

    /// A return is put aside, whatever it is of.
    pub(super) fn return_waits(
        &mut self,
        op: Option<OpId>,
        return_id: &str,
        amount: i64,
        at: Instant,
    ) -> Outcome {
        let outcome = self.money_out(amount, true, return_id, at);
        if let Some(op) = op {
            self.halt(op);
        }
        outcome
    }

    /// A PIX went back: of a charge that is not credited yet, what stands in flight for it.
    pub(super) fn goes_back_uncredited(&mut self, op: OpId, amount: i64, at: Instant) {
        let charge = self.charges.get_mut(&op).expect("the caller found it");
        let whole = amount == charge.returnable();
        charge.returned_before += amount;
        self.totals.pix_in_flight -= amount;
        self.totals.provider_pix -= amount;
        if whole {
            charge.status = ChargeStatus::Refunded;
            charge.counted_at.get_or_insert(at);
            self.notify(op, Topic::ChargeRefunded);
            self.reach(Goal::ReturnedUncredited);
            self.end_blocks(op);
        }
        self.note(op);
    }
}
