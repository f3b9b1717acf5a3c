//! Payments and refunds without their money, as the oracle sees them: held back for a person while
//! nobody was handed them (rulings 45, 70).

use std::collections::BTreeSet;

use ledger_core::accounting::CoinAccount;
use ledger_core::id::OpId;
use ledger_core::ledger::{InstructionKey, TaskKind, Topic};

use super::{Coin, Due, Liquidation, Phase, Reason, Sale, UnmatchedDepositStatus, Way};
use crate::oracle::payout::PayoutStatus;
use crate::oracle::{Oracle, PaymentStatus, Waiting};

impl Oracle {
    /// Holds back what would be paid or refunded for coins that a claim says vanished or were sent
    /// back, and for orders and payouts whose PIX a claim says was paid, among what the command
    /// touched.
    pub(in crate::oracle) fn hold_back(&mut self) {
        let touched = self.trace.ops.iter().flat_map(|op| self.operations_of(*op));
        for about in touched.collect::<BTreeSet<_>>() {
            let open = self.claims_open(about).map(|(_, it)| it.hash.clone());
            for hash in open.collect::<Vec<_>>() {
                self.hold_back_lost(about, &hash);
            }
            let order = self.payments.get(&about).and_then(|it| it.order);
            let op = order.map_or(about, |(order, ..)| order);
            let payment = self.sales.get(&op).and_then(|sale| sale.payment);
            let sent = self.told_paid(op) + payment.map_or(0, |payment| self.told_paid(payment));
            if sent <= 0 {
                continue;
            }
            if self.sales.contains_key(&op) {
                self.stop_paying(op);
                self.hold_refund(op);
            }
            self.doubt_payout(op);
        }
    }

    /// Of what waits and names an operation, how much more was told paid than came back.
    fn told_paid(&self, op: OpId) -> i64 {
        let sum = |wanted| {
            let waiting = self.waiting_about(op, wanted).into_iter();
            let named = waiting.map(|it| (it, &self.suspense[&it]));
            // What came in without an id of the world's is no return.
            let named = named.filter(|(it, waits)| *waits.outside != *format!("{it:?}"));
            named.map(|(_, waits)| waits.amount).sum::<i64>()
        };
        sum(Waiting::is_payment) - sum(Waiting::is_payment_back)
    }

    /// A payout that nobody was asked for yet waits for evidence.
    fn doubt_payout(&mut self, op: OpId) {
        if let Some(payout) = self.payouts.get_mut(&op)
            && payout.status == PayoutStatus::Requested
        {
            payout.status = PayoutStatus::Uncertain;
            self.note(op);
        }
    }

    /// An operation, and those that it is about.
    fn operations_of(&self, op: OpId) -> impl Iterator<Item = OpId> + use<> {
        let claim = self.erroneous_deliveries.get(&op).map(|it| it.about);
        let waiting = self.suspense.get(&op).and_then(|it| it.about);
        let order = self.unmatched.get(&op).and_then(|it| it.about);
        [Some(op), claim, waiting, order].into_iter().flatten()
    }

    /// Holds back what would be paid or refunded for coins that this transaction is a claim on.
    fn hold_back_lost(&mut self, about: OpId, hash: &str) {
        let sent_back = |sale: &Sale| !sale.was_brought_by(hash);
        if self.sellers(about).is_some_and(|sale| sale.had(hash).is_some() || sent_back(sale)) {
            self.stop_unsent(about);
            self.hold_refund(about);
        }
        let receipts = self.unmatched.iter().filter(|(op, it)| {
            let of = **op == about || it.about == Some(about);
            of && *it.hash == *hash && it.phase != UnmatchedDepositStatus::Vanished
        });
        for op in receipts.map(|(op, _)| *op).collect::<Vec<_>>() {
            self.hold_refund(op);
        }
    }

    /// An order that a seller made; those of payments from a wallet move with these.
    fn sellers(&self, op: OpId) -> Option<&Sale> {
        self.sales.get(&op).filter(|sale| sale.payment.is_none())
    }

    /// Its PIX is nobody's to send, or what was to be sold is due back.
    fn stop_unsent(&mut self, op: OpId) {
        let sale = &self.sales[&op];
        if sale.phase == Phase::Secured && sale.liquidation == Liquidation::None {
            self.refund_deposit(op, false);
            self.note(op);
        }
        self.stop_paying(op);
    }

    /// A PIX that nobody was handed is a person's to judge; with a payment from a wallet, the
    /// payment waits for that person too.
    fn stop_paying(&mut self, op: OpId) {
        let sale = &self.sales[&op];
        let (tried, payment) = (&sale.attempts, sale.payment);
        let attempt = tried.count;
        let key = InstructionKey { op, kind: TaskKind::PaySale, attempt };
        let unsent = tried.again_at.is_some() || !self.handed_out.contains(&key);
        if sale.phase != Phase::Paying || tried.lost || !unsent {
            return;
        }
        let attempts = &mut self.sale(op).attempts;
        (attempts.lost, attempts.again_at) = (true, None);
        self.trace.unask(op, attempt);
        match payment {
            None => {
                // A deposit that goes to review at once is told as that.
                self.trace.untell(op, Topic::DepositDetected);
                self.review(op, Reason::Stopped);
            }
            Some(payment) => {
                self.sale(op).phase = Phase::Review(Reason::Stopped);
                let payment_of = self.payment(payment);
                if payment_of.status == PaymentStatus::Sent {
                    payment_of.status = PaymentStatus::UnderReview;
                    self.note(payment);
                }
            }
        }
        self.note(op);
    }

    /// A refund that nobody was handed waits for evidence.
    fn hold_refund(&mut self, op: OpId) {
        let due = match self.sales.get(&op) {
            Some(sale) => sale.refund.as_ref(),
            None => self.unmatched.get(&op).and_then(|unmatched| unmatched.refund.as_ref()),
        };
        let Some(attempt) = due.filter(|due| due.is_under_way()).map(|due| due.attempt) else {
            return;
        };
        if self.handed_out.contains(&InstructionKey { op, kind: TaskKind::Refund, attempt }) {
            return;
        }
        self.refund_of(op).way = Way::Lost;
        self.trace.unask(op, attempt);
        // A reversal reads as a refund until it is sent (rulings 52).
        if self.sales.get(&op).is_some_and(|sale| sale.phase != Phase::Completed) {
            self.trace.untell(op, Topic::CashOutRefunding);
            self.notify(op, Topic::CashOutUnderReview);
        }
        self.note(op);
    }
}

/// Coins that are lost for good: nobody is sent them (rulings 45).
impl Oracle {
    /// Ends what would be refunded of lost coins; tells whether they may not be paid for or sent
    /// any more, and otherwise does nothing.
    pub(in crate::oracle) fn forgo(&mut self, about: OpId, hash: &str) -> bool {
        let sale = self.sales.get(&about);
        if sale.is_some_and(|sale| sale.payment.is_some()) {
            return true;
        }
        let held = sale.and_then(|sale| sale.deposits.iter().find(|it| *it.hash == *hash));
        let held = held.map(|held| held.coin);
        let receipts = self.unmatched.iter().filter(|(op, it)| {
            let of = **op == about || sale.is_some() && it.about == Some(about);
            of && *it.hash == *hash && !it.is_over()
        });
        let receipts: Vec<OpId> = receipts.map(|(op, _)| *op).collect();
        let settled = |sale: &super::Sale| match sale.phase {
            Phase::Quoted | Phase::Awaiting | Phase::Expired | Phase::Failed => true,
            Phase::Completed => true,
            Phase::Refunding => !self.is_out(about, sale.refund.as_ref()),
            _ => false,
        };
        let fits = held.is_none() || sale.is_none_or(settled);
        if !fits || receipts.iter().any(|op| self.is_out(*op, self.unmatched[op].refund.as_ref())) {
            return false;
        }
        if let Some(coin) = held {
            self.sale_forgoes(about, coin);
        }
        for op in receipts {
            self.receipt_forgoes(op);
        }
        true
    }

    /// Tells whether a refund was handed out, and nobody knows yet whether it was sent.
    fn is_out(&self, op: OpId, due: Option<&Due>) -> bool {
        due.is_some_and(|due| {
            let key = InstructionKey { op, kind: TaskKind::Refund, attempt: due.attempt };
            due.is_under_way() && self.handed_out.contains(&key)
        })
    }

    /// Lessens the refund of an order by so much; without anything it fails.
    fn sale_forgoes(&mut self, op: OpId, lost: Coin) {
        let sale = self.sale(op);
        let unsent = |due: &&mut Due| !matches!(due.way, Way::Sent(_));
        let due = sale.refund.as_mut().filter(|_| sale.phase == Phase::Refunding).filter(unsent);
        let Some(due) = due else { return };
        let gone = Coin { units: due.coin.units.min(lost.units), ..due.coin };
        due.coin.units -= gone.units;
        let whole = due.coin.units == 0;
        let earns = sale.given_back.is_some() && sale.e2e.is_none();
        let split = sale.sold.map(|(_, split)| split).filter(|_| earns && whole);
        self.shift(gone, CoinAccount::RefundDue(op), CoinAccount::Loss);
        if whole {
            let sale = self.sale(op);
            (sale.refund, sale.phase) = (None, Phase::Failed);
            self.unpromise(op);
            self.notify(op, Topic::CashOutFailed);
        }
        if let Some(split) = split {
            self.earn(op, split);
        }
        self.note(op);
    }

    fn receipt_forgoes(&mut self, op: OpId) {
        let receipt = self.unmatched.get_mut(&op).expect("the caller found it");
        let from = match receipt.phase {
            UnmatchedDepositStatus::Refunding => CoinAccount::RefundDue(op),
            _ => CoinAccount::Suspense,
        };
        (receipt.phase, receipt.refund) = (UnmatchedDepositStatus::Vanished, None);
        let coin = receipt.coin;
        self.shift(coin, from, CoinAccount::Loss);
        self.note(op);
    }
}
