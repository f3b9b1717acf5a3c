//! What is reported of payments from wallets and found out about them, as the oracle sees it: Part
//! A13; rulings 8 and 35; P:PaymentTransitions, P:PostFinalResolution.

use ledger_core::coin::Units;
use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::wallet::{PaymentFinding, PaymentRequest, Step};
use ledger_core::ledger::{Outcome, Refusal, Topic};
use ledger_core::machine::wallet::payment::{Adjudication, Finding};
use ledger_core::money::Amount;
use ledger_core::time::Instant;

use super::payment::{FailureReason, Payment, PaymentStatus as Status};
use crate::goal::Goal;
use crate::oracle::{IdScope, Oracle, Waiting};

pub(in crate::oracle) const APPLIED: Outcome = Outcome::Applied(None);
pub(super) const ASIDE: Outcome = Outcome::SetAside(None);

impl Oracle {
    /// A payment moved.
    pub(in crate::oracle) fn wallet_payment_moves(
        &mut self,
        named: Option<OpId>,
        step: &Step,
        at: Instant,
    ) -> Outcome {
        let Some(op) = named.filter(|op| self.payments.contains_key(op)) else { return ASIDE };
        let it = self.payments[&op].clone();
        let begun = it.status >= Status::Sending && it.order.is_some();
        let outcome = match step {
            Step::Order if it.status == Status::Reserved => self.payment_ordered(op, at),
            Step::Accept(_) if it.status == Status::Reserved => {
                self.reach(Goal::PaymentOrderImplied);
                match self.payment_ordered(op, at) {
                    APPLIED if self.payments[&op].status == Status::Ordered => {
                        self.payment_accepted(op, at)
                    }
                    outcome => outcome,
                }
            }
            Step::Accept(_) if it.status == Status::Ordered => self.payment_accepted(op, at),
            Step::Begin if it.status == Status::Accepted => {
                self.payment(op).status = Status::Sending;
                APPLIED
            }
            Step::Order if matches!(it.status, Status::Ordered | Status::Accepted) => {
                Outcome::Known
            }
            Step::Accept(_) if it.status == Status::Accepted => Outcome::Known,
            Step::Order | Step::Accept(_) | Step::Begin if begun => Outcome::Known,
            Step::Order | Step::Accept(_) | Step::Begin => ASIDE,
            Step::Send(hash, left) => self.payment_sent(op, &it, hash, left.map(Units::get)),
            Step::Confirm => self.payment_confirmed(op, &it, at),
            Step::Pay(pix) => return self.payment_paid(op, &pix.e2e, at),
            Step::Fail(reason) => self.payment_fails(op, &it, *reason),
            Step::Lose => match it.status {
                Status::Sending | Status::Sent => {
                    self.payment(op).status = Status::UnderReview;
                    APPLIED
                }
                Status::Reserved | Status::Ordered | Status::Accepted => ASIDE,
                _ => Outcome::Known,
            },
        };
        self.note_applied(op, outcome)
    }

    pub(in crate::oracle) fn note_applied(&mut self, op: OpId, outcome: Outcome) -> Outcome {
        if outcome == APPLIED {
            self.note(op);
            if let Some((order, ..)) = self.payments[&op].order {
                self.note(order);
            }
        }
        outcome
    }

    /// Its order is created at today's cost, or it fails: too dear for its reserve, or not sold
    /// now.
    fn payment_ordered(&mut self, op: OpId, at: Instant) -> Outcome {
        let it = self.payments[&op].clone();
        let request = PaymentRequest {
            asked: it.asked,
            net: Amount::new(it.net),
            payee: it.payee,
            quote: None,
            external_id: None,
        };
        let sale = match self.sale_of_payment(it.account, &request, op, at) {
            Ok(sale) => sale,
            // Without a price it is tried again.
            Err(Refusal::RateUnavailable) => return ASIDE,
            Err(Refusal::RecipientCeiling { .. }) => {
                self.reach(Goal::PaymentOverCeiling);
                return self.payment_failed(op, FailureReason::Ceiling);
            }
            Err(_) => return self.payment_failed(op, FailureReason::Cost),
        };
        if sale.coin.units + it.fee > it.reserved {
            self.reach(Goal::PaymentTooDear);
            return self.payment_failed(op, FailureReason::Cost);
        }
        let order = self.next_op(Kind::CashOut);
        let it = self.payment(op);
        it.order = Some((order, sale.coin.units, sale.split));
        it.status = Status::Ordered;
        self.sales.insert(order, sale);
        self.await_time(order);
        APPLIED
    }

    /// Its order is accepted, unless the recipient may not have so much today.
    fn payment_accepted(&mut self, op: OpId, at: Instant) -> Outcome {
        let (order, ..) = self.payments[&op].order.expect("the caller looked");
        if !self.accept_for_wallet(order, at) {
            self.reach(Goal::PaymentOverCeilingLater);
            return self.payment_failed(op, FailureReason::Ceiling);
        }
        self.payment(op).status = Status::Accepted;
        self.sent_early(op);
        APPLIED
    }

    fn payment_fails(&mut self, op: OpId, it: &Payment, reason: FailureReason) -> Outcome {
        match it.status {
            Status::Reserved | Status::Ordered | Status::Accepted | Status::Sending => {
                self.reach(Goal::PaymentFailedBefore);
                self.payment_failed(op, reason)
            }
            Status::Sent => self.payment_failed_after(op, reason),
            Status::Failed | Status::FailedAfterSend => Outcome::Known,
            Status::UnderReview | Status::Completed => ASIDE,
        }
    }

    /// Nothing left: the reserve goes back whole, unless its PIX or its coins are claimed.
    fn payment_failed(&mut self, op: OpId, reason: FailureReason) -> Outcome {
        let mut sent = self.erroneous_deliveries.values();
        let sent = sent.any(|claim| claim.about == op && claim.end.is_none());
        let told = sent || self.is_told_paid(op);
        let it = self.payment(op);
        if told {
            if it.status != Status::Sending {
                return ASIDE;
            }
            it.status = Status::UnderReview;
            return APPLIED;
        }
        it.status = Status::Failed;
        it.reason = Some(reason);
        let order = it.order;
        self.give_reserve_back(op);
        if let Some((order, ..)) = order {
            self.fail_for_wallet(order);
        }
        self.notify(op, Topic::WalletPaymentFailed);
        APPLIED
    }

    /// Tells whether its PIX was reported paid and is an open claim.
    fn is_told_paid(&self, op: OpId) -> bool {
        let order = self.payments[&op].order.map(|(order, ..)| order);
        let claims = [Some(op), order].into_iter().flatten();
        let mut claims = claims.flat_map(|op| self.waiting_about(op, Waiting::is_payment));
        claims.any(|it| *self.suspense[&it].outside != *format!("{it:?}"))
    }

    /// It failed after it was sent: the reserve stays until a person decides, and nobody pays.
    pub(in crate::oracle) fn payment_failed_after(
        &mut self,
        op: OpId,
        reason: FailureReason,
    ) -> Outcome {
        let it = self.payment(op);
        it.status = Status::FailedAfterSend;
        it.reason = Some(reason);
        if let Some((order, ..)) = it.order
            && self.is_paying_for_wallet(order)
        {
            self.stop_for_wallet(order);
        }
        self.notify(op, Topic::WalletPaymentFailed);
        self.reach(Goal::PaymentFailedAfter);
        APPLIED
    }

    /// A person found out how a payment stands, or decides what becomes of its reserve.
    pub(in crate::oracle) fn payment_found(
        &mut self,
        named: Option<OpId>,
        finding: &PaymentFinding,
        at: Instant,
    ) -> Outcome {
        let Some(op) = named.filter(|op| self.payments.contains_key(op)) else { return ASIDE };
        let it = self.payments[&op].clone();
        let paid = match finding {
            PaymentFinding::Found(Finding::Paid(pix)) => Some((pix, false)),
            PaymentFinding::Decided(Adjudication::Paid(pix)) => Some((pix, true)),
            _ => None,
        };
        if let Some((pix, decided)) = paid
            && self.seen.contains(&(IdScope::PixOut, pix.e2e.clone()))
            && !self.takes_claim(op, &it, &pix.e2e, decided)
        {
            return ASIDE;
        }
        let outcome = match finding {
            PaymentFinding::Found(Finding::Sent(hash))
                if it.status != Status::UnderReview && it.sent.as_deref() == Some(hash) =>
            {
                self.coins_recovered(op, &it)
            }
            PaymentFinding::Found(finding) if it.status == Status::UnderReview => {
                self.payment_evidence(op, &it, finding, at)
            }
            // Of one that did not fail it is what a report says.
            PaymentFinding::Found(Finding::Paid(pix))
            | PaymentFinding::Decided(Adjudication::Paid(pix))
                if it.is_sent() =>
            {
                self.payment_completes(op, &pix.e2e);
                self.reach(Goal::PaymentFoundPaid);
                APPLIED
            }
            PaymentFinding::Decided(Adjudication::Return(_))
                if it.waits_for_person() && self.is_told_paid(op) =>
            {
                ASIDE
            }
            PaymentFinding::Decided(decision) if it.waits_for_person() => {
                self.adjudicate(op, &it, decision)
            }
            PaymentFinding::Found(Finding::Paid(pix))
            | PaymentFinding::Decided(Adjudication::Paid(pix)) => {
                self.paid_in_error(op, &it, &pix.e2e, at)
            }
            PaymentFinding::Found(Finding::Sent(hash)) => {
                self.payment_sent_in_error(op, &it, hash, None)
            }
            PaymentFinding::Decided(_) if it.fate.is_some() => {
                self.reach(Goal::ReserveDecidedOnce);
                ASIDE
            }
            PaymentFinding::Found(_) | PaymentFinding::Decided(_) => ASIDE,
        };
        self.note_applied(op, outcome)
    }

    fn payment_evidence(
        &mut self,
        op: OpId,
        it: &Payment,
        finding: &Finding,
        at: Instant,
    ) -> Outcome {
        match (finding, &it.sent) {
            (Finding::Sent(hash), None) => {
                if self.funded_already(hash) {
                    return self.payment_sent_in_error(op, it, hash, None);
                }
                self.reach(Goal::PaymentFoundSent);
                self.fund_order(op, hash, None);
            }
            (Finding::Sent(hash), Some(known)) if hash == known => {
                let (order, ..) = it.order.expect("what was sent has an order");
                if self.waits_for_wallet(order) {
                    if self.against_wallet(order, at).is_some() {
                        self.reach(Goal::CeilingStands);
                        return ASIDE;
                    }
                    self.begin_for_wallet(order);
                    self.ask_to_pay_for_wallet(order);
                }
                self.payment(op).status = Status::Sent;
                self.reach(Goal::PaymentResumed);
            }
            (Finding::Sent(hash), Some(_)) => {
                return self.payment_sent_in_error(op, it, hash, None);
            }
            (Finding::Paid(pix), Some(_)) => {
                self.payment_completes(op, &pix.e2e);
                self.reach(Goal::PaymentFoundPaid);
            }
            (Finding::Paid(pix), None) => return self.paid_in_error(op, it, &pix.e2e, at),
            (Finding::Failed, None) => {
                self.reach(Goal::PaymentFoundFailed);
                return self.payment_failed(op, FailureReason::Provider);
            }
            (Finding::Failed, Some(_)) => {
                self.reach(Goal::PaymentFoundFailedAfter);
                return self.payment_failed_after(op, FailureReason::Provider);
            }
        }
        APPLIED
    }

    pub(in crate::oracle) fn payment(&mut self, op: OpId) -> &mut Payment {
        self.payments.get_mut(&op).expect("the caller found it")
    }
}
