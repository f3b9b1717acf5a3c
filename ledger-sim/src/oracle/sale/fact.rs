//! What is reported of a sale as the oracle sees it: which of its parts takes a report, what was
//! reported before its time, and its deadline (rulings 8, 31 to 33, 46).

use ledger_core::id::OpId;
use ledger_core::ledger::{Outcome, SaleReport, Topic};
use ledger_core::machine::cash_out::Command;
use ledger_core::money::Amount;
use ledger_core::time::Instant;

use super::{APPLIED, ASIDE, Phase, Reason};
use crate::goal::Goal;
use crate::oracle::{IdScope, Oracle, Waiting};

impl Oracle {
    /// A report of a sale, or of crypto that no order took.
    pub(in crate::oracle) fn sale_news(
        &mut self,
        order: Option<OpId>,
        report: &SaleReport,
        at: Instant,
    ) -> Outcome {
        if let Some(outcome) = self.paid_from_wallet(order, report, at) {
            return outcome;
        }
        let own = |op: &OpId| self.sales.get(op).is_some_and(|sale| sale.payment.is_none());
        let waits = |it: &Waiting| it.is_payment() || it.is_payment_back();
        let op = order.filter(own).filter(|op| !self.waiting_about(*op, waits).is_empty());
        let before = op.map(|op| self.sales[&op].clone());
        let outcome = self.sale_reported(order, report, at);
        // Crypto that the order did not take moves no order.
        if let (Outcome::Applied(_), Some(op)) = (outcome, op)
            && before.as_ref() != Some(&self.sales[&op])
        {
            self.settle_sale(op);
        }
        outcome
    }

    /// What was reported of the PIX of an order before its time is applied once it can be.
    fn settle_sale(&mut self, op: OpId) {
        let sale = &self.sales[&op];
        let stands = [Phase::Paying, Phase::Secured, Phase::Review(Reason::Stopped)];
        let net = sale.sold.map(|(_, split)| split.net).filter(|_| stands.contains(&sale.phase));
        let claims = self.waiting_about(op, Waiting::is_payment);
        let claim = claims.into_iter().find(|it| Some(self.suspense[it].amount) == net);
        if let Some(claim) = claim {
            let e2e = self.suspense[&claim].outside.clone();
            self.settle_suspense(claim, op);
            self.pay_sale(op, &e2e);
            // Nobody is asked to send what was sent.
            self.trace.tasks.retain(|(asked, attempt)| *asked != op || attempt.is_none());
            self.reach(Goal::SalePaidEarly);
        }
        let sale = &self.sales[&op];
        let left = sale.sold.map_or(0, |(_, split)| split.net - sale.reversed);
        let mut waiting = self.waiting_about(op, Waiting::is_payment_back);
        // What came in without an id of the world's is no return.
        waiting.retain(|it| *self.suspense[it].outside != *format!("{it:?}"));
        let (taken, sum) = self.fitting(&waiting, left);
        if sum > 0 && self.reverse(op, sum) {
            for it in taken {
                self.settle_suspense(it, op);
            }
            self.notify_reversal(op);
            self.refund_steps(op);
            self.note(op);
            self.reach(Goal::SaleReversedEarly);
        }
    }

    fn sale_reported(&mut self, order: Option<OpId>, report: &SaleReport, at: Instant) -> Outcome {
        match report {
            SaleReport::Seen(deposit) => self.deposit_seen(order, deposit, at),
            SaleReport::Confirmed { hash, deposit } => {
                self.sale_deposit_confirmed(order, hash, deposit.as_ref(), at)
            }
            SaleReport::Unlisted => Outcome::SetAside(None),
            SaleReport::Vanished(hash) => self.deposit_vanished(order, hash, at),
            SaleReport::Moved(Command::RefuseKey(back)) => {
                self.key_reported_refused(order, back.cents(), at)
            }
            SaleReport::Moved(command @ Command::Arrive(arrived)) => {
                match self.sale_moves(order, command, at) {
                    Outcome::SetAside(None) => {
                        self.reach(Goal::ProceedsUnawaited);
                        self.pays_in(arrived.cents(), at)
                    }
                    outcome => outcome,
                }
            }
            SaleReport::Moved(command) => self.sale_moves(order, command, at),
            SaleReport::Paid { pix, amount } => {
                self.sale_paid(order, &pix.e2e, amount.map(Amount::cents), at)
            }
            SaleReport::Reversed { return_id, amount } => {
                self.sale_reversed(order, return_id, amount.cents(), at)
            }
            SaleReport::TokenReturned(units) => self.token_returned(order, units.get()),
            SaleReport::Stopped(_) => self.sale_moves(order, &Command::Stop, at),
            SaleReport::Cleared { pix_key, .. } => self.sale_cleared(order, *pix_key, at),
            SaleReport::RefundDecided { to, decided_by } => {
                self.refund_decided(order, to.as_deref(), decided_by.is_some())
            }
            SaleReport::Refund(report) => self.refund_reported(order, report),
            SaleReport::RefundFailed { attempt } => self.refund_failed(order, *attempt),
        }
    }

    /// A report that moves an order: what it cannot take is set aside without money.
    pub(super) fn sale_moves(
        &mut self,
        order: Option<OpId>,
        command: &Command,
        at: Instant,
    ) -> Outcome {
        let Some(op) = order.filter(|op| self.sales.contains_key(op)) else { return ASIDE };
        match command {
            Command::Cancel => self.sale_cancelled(op),
            Command::Delay => self.sale_delayed(op),
            Command::Resume => self.sale_resumed(op, at),
            Command::StartSale
            | Command::Fill(_)
            | Command::FailSale
            | Command::LoseSale
            | Command::Forward
            | Command::Arrive(_) => self.leg_moves(op, command, at),
            Command::StartPayment
            | Command::FailSend
            | Command::GiveUpPayment
            | Command::RefuseKey(_)
            | Command::LosePayment
            | Command::Stop
            | Command::HandOver => self.payment_moves(op, command, at),
            _ => unreachable!("what somebody asks, or news of another shape"),
        }
    }

    /// It comes to nothing while it holds nothing of the customer's (P:FailedGuard).
    fn sale_cancelled(&mut self, op: OpId) -> Outcome {
        match self.sale(op).phase {
            Phase::Quoted | Phase::Awaiting => {}
            Phase::Failed => return Outcome::Known,
            _ => return ASIDE,
        }
        self.sale(op).phase = Phase::Failed;
        self.unpromise(op);
        self.notify(op, Topic::CashOutFailed);
        self.note(op);
        self.reach(Goal::SaleCancelled);
        APPLIED
    }

    fn sale_delayed(&mut self, op: OpId) -> Outcome {
        let sale = self.sale(op);
        if sale.delayed {
            return Outcome::Known;
        }
        if !matches!(sale.phase, Phase::Detected | Phase::Secured | Phase::Paying) {
            return ASIDE;
        }
        sale.delayed = true;
        self.note(op);
        APPLIED
    }

    fn sale_resumed(&mut self, op: OpId, at: Instant) -> Outcome {
        let sale = self.sale(op);
        if !sale.delayed {
            return Outcome::Known;
        }
        sale.delayed = false;
        if sale.phase == Phase::Detected && sale.all_confirmed() {
            self.reach(Goal::DelayedThenResumed);
            self.sale_advances(op, at);
        }
        self.note(op);
        APPLIED
    }

    /// Its deadline: the quote or the deposit came to nothing, or another send is due.
    pub(in crate::oracle) fn sale_due(&mut self, op: OpId) {
        let now = self.now;
        let sale = self.sale(op);
        if sale.phase == Phase::Paying {
            if let Some(reason) = self.sold_against(op, now) {
                self.reach(Goal::RetryWaits);
                self.review(op, reason);
                return self.note(op);
            }
            let sale = self.sale(op);
            sale.attempts.again_at = None;
            sale.attempts.count += 1;
            let attempt = sale.attempts.count;
            self.trace.tasks.push((op, Some(attempt)));
        } else {
            sale.phase = Phase::Expired;
            self.unpromise(op);
            self.notify(op, Topic::CashOutExpired);
        }
        self.note(op);
    }
}

/// Tells whether a report is of a deposit, which is known by the time its transaction was mined.
pub(in crate::oracle) const fn is_of_a_deposit(report: &SaleReport) -> bool {
    matches!(report, SaleReport::Seen(_) | SaleReport::Confirmed { .. } | SaleReport::Vanished(_))
}

/// The id that the world gave a report, where it gave one.
pub(in crate::oracle) fn identity(report: &SaleReport) -> Option<(IdScope, Box<str>)> {
    match report {
        SaleReport::Paid { pix, .. } => Some((IdScope::PixOut, pix.e2e.clone())),
        SaleReport::Reversed { return_id, .. } => Some((IdScope::PayoutBack, return_id.clone())),
        _ => None,
    }
}
