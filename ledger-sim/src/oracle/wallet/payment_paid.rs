//! The PIX of a payment from a wallet, as the oracle sees it: it completes the payment, or it is a
//! claim, which a person's word may end (rulings 1 and 8; W62).

use ledger_core::accounting::{CoinAccount, RowKind};
use ledger_core::id::OpId;
use ledger_core::ledger::{Outcome, Topic};
use ledger_core::time::Instant;

use super::payment::{Payment, PaymentStatus as Status};
use super::payment_fact::APPLIED;
use crate::goal::Goal;
use crate::oracle::Oracle;
use crate::oracle::suspense::{Waiting, WaitingStatus};

impl Oracle {
    /// The PIX of a payment was paid; one that contradicts it is money that left without a reason
    /// (rulings 1).
    pub(in crate::oracle) fn payment_paid(&mut self, op: OpId, e2e: &str, at: Instant) -> Outcome {
        let it = self.payments[&op].clone();
        match it.status {
            Status::Sent => {}
            // What was paid is evidence of itself.
            Status::UnderReview if it.sent.is_some() => self.reach(Goal::PaymentPaidInReview),
            _ => return self.paid_in_error(op, &it, e2e, at),
        }
        self.payment_completes(op, e2e);
        self.note_applied(op, APPLIED)
    }

    /// The PIX that was reported paid before anything was sent for it.
    pub(super) fn paid_early(&mut self, op: OpId) {
        let net = self.payments[&op].net;
        let own = |it: &Waiting| {
            let waits = it.payment == Some(op) && it.status == WaitingStatus::Waiting;
            waits && it.amount == net && !it.came_in && !it.collection
        };
        let claim = self.suspense.iter().find(|(_, it)| own(it));
        let Some((claim, e2e)) = claim.map(|(claim, it)| (*claim, it.outside.clone())) else {
            return;
        };
        let (order, ..) = self.payments[&op].order.expect("what was sent has an order");
        self.claim_pays(claim, order);
        self.payment_completes(op, &e2e);
        self.reach(Goal::PaymentPaidEarly);
    }

    pub(super) fn paid_in_error(
        &mut self,
        op: OpId,
        it: &Payment,
        e2e: &str,
        at: Instant,
    ) -> Outcome {
        self.reach(Goal::PaymentPixInError);
        let outcome = self.money_out(it.net, false, e2e, at);
        if let Outcome::SetAside(Some(claim)) = outcome {
            self.suspense.get_mut(&claim).expect("just put aside").payment = Some(op);
        }
        outcome
    }

    /// The claim on just this PIX, reported of this payment and not ended.
    fn claim_of(&self, op: OpId, e2e: &str) -> Option<OpId> {
        let mut all = self.suspense.iter();
        let own = |it: &Waiting| {
            it.payment == Some(op) && *it.outside == *e2e && it.status == WaitingStatus::Waiting
        };
        all.find(|(_, it)| own(it)).map(|(claim, _)| *claim)
    }

    /// Tells whether a PIX that is known may end a payment that is reported paid by a person: it is
    /// a claim of this payment's, and ends with it.
    pub(super) fn takes_claim(&mut self, op: OpId, it: &Payment, e2e: &str, decided: bool) -> bool {
        let awaited = it.is_sent() || decided && it.waits_for_person();
        let claim = self.claim_of(op, e2e).zip(it.order).filter(|_| awaited);
        let Some((claim, (order, ..))) = claim else { return false };
        self.claim_pays(claim, order);
        self.reach(Goal::PaymentByClaim);
        true
    }

    /// That it was paid implies that what funded it arrived (rulings 8).
    pub(super) fn payment_completes(&mut self, op: OpId, e2e: &str) {
        self.consumed_by_pix(op, e2e);
        let it = self.payment(op);
        it.status = Status::Completed;
        it.e2e = Some(e2e.into());
        let code = matches!(it.asked, ledger_core::machine::cash_out::AmountBasis::Code(_));
        self.notify(op, Topic::WalletPaymentCompleted);
        self.reach(if code { Goal::PaymentOfCode } else { Goal::PaymentOfKey });
    }

    /// One entry closes the reserve: what the order cost, the network's fee, and what is left.
    pub(in crate::oracle) fn consumed_by_pix(&mut self, op: OpId, e2e: &str) {
        let it = self.payments[&op].clone();
        let (order, _, split) = it.order.expect("what was sent has an order");
        if !it.confirmed {
            self.payment(op).confirmed = true;
            self.arrive_from_wallet(order);
            self.reach(Goal::PaymentArrivalImplied);
        } else if self.waits_for_wallet(order) {
            self.begin_for_wallet(order);
        }
        self.complete_for_wallet(order, e2e);
        self.consume(op, CoinAccount::Fx);
        self.totals.fx -= split.gross();
        self.totals.provider_pay -= split.net;
        self.totals.sale_income += split.house;
        self.totals.reserve_income += split.reserve;
        self.totals.rounding += split.residue;
        self.commission(it.account, op, RowKind::CommissionEarned, split.partner);
        self.settles(it.account, split.net);
    }
}
