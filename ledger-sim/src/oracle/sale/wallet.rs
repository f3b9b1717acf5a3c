//! The order that pays for a wallet as the oracle sees it: it moves with its payment only, and
//! books nothing but that what funds it arrived (rulings 35).

use ledger_core::id::OpId;
use ledger_core::ledger::{Outcome, SaleReport};
use ledger_core::machine::cash_out::Command;
use ledger_core::money::Amount;
use ledger_core::time::Instant;

use super::{APPLIED, ASIDE, HeldDeposit, PayoutAttempts, Phase, Reason};
use crate::goal::Goal;
use crate::oracle::{FailureReason, IdScope, Oracle, PaymentStatus};

impl Oracle {
    /// A report of such an order: only that its PIX was paid is new, and that is its payment's.
    pub(super) fn paid_from_wallet(
        &mut self,
        order: Option<OpId>,
        report: &SaleReport,
        at: Instant,
    ) -> Option<Outcome> {
        let payment = self.sales.get(&order?)?.payment?;
        let (pix, amount) = match report {
            SaleReport::Paid { pix, amount } => (pix, amount),
            SaleReport::Reversed { return_id, amount } => {
                self.reach(Goal::PaymentCameBack);
                return Some(self.money_in(amount.cents(), false, return_id, at));
            }
            SaleReport::Seen(_) | SaleReport::Confirmed { .. } | SaleReport::Vanished(_) => {
                return None;
            }
            SaleReport::Moved(told) if self.is_paying_for_wallet(order?) => {
                let outcome = self.answered_for_wallet(payment, told, at);
                return Some(self.note_applied(payment, outcome));
            }
            SaleReport::Moved(Command::RefuseKey(back))
                if self.sales[&order?].phase == Phase::Completed =>
            {
                return Some(self.pays_in(back.cents(), at));
            }
            _ => {
                self.reach(Goal::PaymentOrderAlone);
                return Some(ASIDE);
            }
        };
        let net = self.payments[&payment].net;
        let reported = amount.map_or(net, Amount::cents);
        Some(if reported == net {
            self.reach(Goal::PaymentPaidByOrder);
            self.payment_paid(payment, &pix.e2e, at)
        } else {
            self.money_out(reported, false, &pix.e2e, at)
        })
    }

    /// The provider's answer to the PIX moves the payment; a part that it kept of a refused one is
    /// a claim.
    fn answered_for_wallet(&mut self, op: OpId, told: &Command, at: Instant) -> Outcome {
        let (status, net) = (self.payments[&op].status, self.payments[&op].net);
        let (reason, back) = match told {
            Command::FailSend | Command::GiveUpPayment => (FailureReason::Provider, net),
            Command::RefuseKey(back) => (FailureReason::Key, back.cents()),
            Command::LosePayment if status == PaymentStatus::Sent => {
                self.payments.get_mut(&op).expect("its order pays").status =
                    PaymentStatus::UnderReview;
                return APPLIED;
            }
            Command::LosePayment => return Outcome::Known,
            _ => {
                self.reach(Goal::PaymentOrderAlone);
                return ASIDE;
            }
        };
        // Found out of one under review, it has no reason of its own.
        let reviewed = status == PaymentStatus::UnderReview;
        let reason = if reviewed { FailureReason::Provider } else { reason };
        let outcome = self.payment_failed_after(op, reason);
        if back < net {
            self.claims(net - back, at);
        } else if back > net {
            self.pays_in(back - net, at);
        }
        outcome
    }

    pub(in crate::oracle) fn is_paying_for_wallet(&self, order: OpId) -> bool {
        self.sales[&order].phase == Phase::Paying
    }

    /// Tells whether the recipient may have so much today; if so, it is promised.
    pub(in crate::oracle) fn accept_for_wallet(&mut self, op: OpId, at: Instant) -> bool {
        let sale = &self.sales[&op];
        let net = sale.split.net;
        if self.room_of(&sale.whom, at) < net {
            return false;
        }
        let sale = self.sale(op);
        (sale.accepted, sale.phase) = (Some(at), Phase::Awaiting);
        self.promise(op, net);
        true
    }

    /// What funds it was sent.
    pub(in crate::oracle) fn fund_from_wallet(&mut self, op: OpId, hash: &str) {
        self.brought_by_us(hash, op);
        let seen_at = self.now;
        let sale = self.sale(op);
        let (hash, coin) = (hash.into(), sale.coin);
        sale.deposits.push(HeldDeposit {
            hash,
            coin,
            strange: false,
            confirmed: false,
            confirmations: None,
            seen_at,
        });
        sale.phase = Phase::Detected;
    }

    /// It arrived: it stands in the stock again, and pays.
    pub(in crate::oracle) fn arrive_from_wallet(&mut self, op: OpId) {
        let sale = self.sale(op);
        sale.deposits.iter_mut().for_each(|held| held.confirmed = true);
        let coin = sale.coin;
        self.shift(coin, coin.stock(), coin.transit());
        self.begin_for_wallet(op);
    }

    pub(in crate::oracle) fn begin_for_wallet(&mut self, op: OpId) {
        let sale = self.sale(op);
        sale.phase = Phase::Paying;
        sale.sold = Some((sale.coin, sale.split));
        sale.attempts = PayoutAttempts { count: 1, ..PayoutAttempts::default() };
    }

    /// Why the PIX of a payment may not go, if it may not.
    pub(in crate::oracle) fn against_wallet(&mut self, op: OpId, at: Instant) -> Option<Reason> {
        let net = self.sales[&op].split.net;
        self.against(op, net, at)
    }

    /// A ceiling stands against it: a person looks.
    pub(in crate::oracle) fn wait_for_wallet(&mut self, op: OpId, reason: Reason) {
        let sale = self.sale(op);
        sale.phase = Phase::Review(reason);
        (sale.sold, sale.attempts) = (None, PayoutAttempts::default());
        self.reach(Goal::PaymentWaitsForCeiling);
    }

    pub(in crate::oracle) fn waits_for_wallet(&self, op: OpId) -> bool {
        matches!(self.sales[&op].phase, Phase::Review(reason) if reason.is_ceiling())
    }

    /// The world is asked for its PIX.
    pub(in crate::oracle) fn ask_to_pay_for_wallet(&mut self, op: OpId) {
        self.ask_to_pay(op);
    }

    /// What failed is paid by nobody until a person knows more.
    pub(in crate::oracle) fn stop_for_wallet(&mut self, op: OpId) {
        let sale = self.sale(op);
        sale.phase = Phase::Review(Reason::Stopped);
        sale.attempts.lost = true;
    }

    pub(in crate::oracle) fn complete_for_wallet(&mut self, op: OpId, e2e: &str) {
        self.seen.insert((IdScope::PixOut, e2e.into()));
        let sale = self.sale(op);
        sale.e2e = Some(e2e.into());
        sale.phase = Phase::Completed;
        sale.attempts = PayoutAttempts { count: sale.attempts.count, ..PayoutAttempts::default() };
    }

    pub(in crate::oracle) fn fail_for_wallet(&mut self, op: OpId) {
        self.sale(op).phase = Phase::Failed;
        self.unpromise(op);
    }

    /// What funded it never arrives.
    pub(in crate::oracle) fn vanish_for_wallet(&mut self, op: OpId) {
        self.sale(op).deposits.clear();
    }
}
