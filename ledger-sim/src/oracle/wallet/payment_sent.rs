//! What leaves for a payment from a wallet, as the oracle sees it: it funds the payment's order, is
//! confirmed, or is a claim (rulings 1, 8 and 35; P:CostAboveReserve).

use ledger_core::accounting::CoinAccount;
use ledger_core::id::{ChainId, OpId};
use ledger_core::ledger::Outcome;
use ledger_core::time::Instant;

use super::payment::{Fate, Payment, PaymentStatus as Status};
use super::payment_fact::{APPLIED, ASIDE};
use crate::goal::Goal;
use crate::oracle::{Coin, ErroneousDelivery, IdScope, Oracle};

impl Oracle {
    /// What left before the order was accepted funds it, if it is enough and funded nothing else; a
    /// claim on the estimate does not say how much left.
    pub(super) fn sent_early(&mut self, op: OpId) {
        let it = self.payments[&op].clone();
        let (_, cost, _) = it.order.expect("it was just accepted");
        let fits = |claim: &ErroneousDelivery| {
            let open = claim.about == op && claim.end.is_none();
            let funded = self.seen.contains(&(IdScope::Deposit, claim.hash.clone()));
            open && !funded && (claim.units == it.estimate || claim.units >= cost)
        };
        let claim = self.erroneous_deliveries.values().find(|claim| fits(claim));
        let Some((hash, units)) = claim.map(|claim| (claim.hash.clone(), claim.units)) else {
            return;
        };
        self.reach(Goal::PaymentSentEarly);
        self.fund_order(op, &hash, Some(units).filter(|units| *units != it.estimate));
    }

    /// Our own coins left for the order; what left beyond its cost is ours to bear.
    pub(super) fn payment_sent(
        &mut self,
        op: OpId,
        it: &Payment,
        hash: &str,
        left: Option<u128>,
    ) -> Outcome {
        if it.sent.as_deref() == Some(hash) {
            return Outcome::Known;
        }
        let awaited = match it.status {
            Status::Accepted | Status::Sending => true,
            Status::UnderReview => it.sent.is_none(),
            _ => false,
        };
        let Some((_, cost, _)) = it.order.filter(|_| awaited) else {
            return self.payment_sent_in_error(op, it, hash, left);
        };
        if left.is_some_and(|left| left < cost) || self.funded_already(hash) {
            return self.payment_sent_in_error(op, it, hash, left);
        }
        match it.status {
            Status::Accepted => self.reach(Goal::PaymentSendImplied),
            Status::UnderReview => self.reach(Goal::PaymentSentInReview),
            _ => {}
        }
        self.fund_order(op, hash, left);
        APPLIED
    }

    /// Coins left for the order, and what left beyond its cost is ours to bear.
    pub(super) fn fund_order(&mut self, op: OpId, hash: &str, left: Option<u128>) {
        self.fund_payment(op, hash);
        let it = self.payments[&op].clone();
        let (_, cost, _) = it.order.expect("what is sent has an order");
        let excess = left.map_or(0, |left| left - cost);
        let stock = CoinAccount::Treasury(ChainId(it.chain));
        self.coins(it.usdt, CoinAccount::Slippage, stock, excess);
        if excess > 0 {
            self.payment(op).status = Status::UnderReview;
            self.reach(Goal::PaymentSentTooMuch);
        }
        self.paid_early(op);
    }

    /// What left and funds nothing is a claim on whoever received it: as much as was reported, or
    /// what the order costs, or was estimated to (rulings 1). The reserve is not touched.
    pub(super) fn payment_sent_in_error(
        &mut self,
        op: OpId,
        it: &Payment,
        hash: &str,
        left: Option<u128>,
    ) -> Outcome {
        let cost = it.order.map(|(_, cost, _)| cost);
        let units = left.or(cost).unwrap_or(it.estimate);
        let (asset, chain) = (it.usdt, it.chain);
        let outcome = self.claim(op, Coin { asset, chain, units }, hash, Goal::SentInError);
        if outcome != Outcome::Known {
            let short = left.is_some_and(|left| cost.is_some_and(|cost| left < cost));
            self.reach(if it.sent.is_some() {
                Goal::PaymentSentTwice
            } else if short && matches!(it.status, Status::Accepted | Status::Sending) {
                Goal::PaymentSentShort
            } else {
                Goal::PaymentSentForNothing
            });
        }
        outcome
    }

    pub(super) fn funded_already(&mut self, hash: &str) -> bool {
        let funded = self.seen.contains(&(IdScope::Deposit, hash.into()));
        if funded {
            self.reach(Goal::PaymentFundedTwice);
        }
        funded
    }

    fn fund_payment(&mut self, op: OpId, hash: &str) {
        if self.claim_ends(op, hash) {
            self.reach(Goal::PaymentClaimEnds);
        }
        let it = self.payment(op);
        it.sent = Some(hash.into());
        it.status = Status::Sent;
        let (usdt, chain) = (it.usdt, ChainId(it.chain));
        let (order, cost, _) = it.order.expect("what is sent has an order");
        self.coins(usdt, CoinAccount::Transit(chain), CoinAccount::Treasury(chain), cost);
        self.fund_from_wallet(order, hash);
    }

    /// The network confirmed it: its order books that, and pays, unless the payment is over.
    pub(super) fn payment_confirmed(&mut self, op: OpId, it: &Payment, at: Instant) -> Outcome {
        if it.sent.is_none() {
            return ASIDE;
        }
        if it.confirmed {
            return Outcome::Known;
        }
        if matches!(it.fate, Some(Fate::Lost | Fate::ReturnedAndLost)) {
            return self.coins_recovered(op, it);
        }
        self.payment(op).confirmed = true;
        let (order, ..) = it.order.expect("what was sent has an order");
        // Nothing is paid for what was settled before.
        let judged = it.fate.is_none();
        let reason = if judged { self.against_wallet(order, at) } else { None };
        self.arrive_from_wallet(order);
        if let Some(reason) = reason {
            self.wait_for_wallet(order, reason);
            if it.status == Status::Sent {
                self.payment(op).status = Status::UnderReview;
            }
        } else if it.status != Status::FailedAfterSend {
            self.ask_to_pay_for_wallet(order);
        } else if it.fate.is_none() {
            // Nobody is asked to pay what failed: its reserve waits for a person.
            self.stop_for_wallet(order);
            self.reach(Goal::PaymentFailedThenConfirmed);
        } else {
            self.fail_for_wallet(order);
            self.reach(Goal::PaymentSettledThenConfirmed);
        }
        APPLIED
    }
}
