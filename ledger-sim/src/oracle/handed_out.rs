//! The handing out of instructions as the oracle sees it: rulings 70.

use ledger_core::id::OpId;
use ledger_core::ledger::wallet::{Fact as WalletFact, WithdrawalReport};
use ledger_core::ledger::{Fact, InstructionKey, OperatorDecision, Outcome, SaleReport, TaskKind};
use ledger_core::machine::cash_out;
use ledger_core::machine::delivery::{Command, DeliveryReport};
use ledger_core::time::Instant;

use super::payout::PayoutStatus;
use super::purchase::delivery::{DeliveryProgress, Stage};
use super::{Due, Liquidation, Oracle, PaymentStatus, Phase, Step, WithdrawalStatus};
use crate::goal::Goal;

impl Oracle {
    /// An instruction is handed out, if it stands: once.
    pub(super) fn handed_out(&mut self, key: Option<InstructionKey>, at: Instant) -> Outcome {
        let Some(InstructionKey { op, kind, attempt }) = key else {
            return Outcome::SetAside(None);
        };
        match kind {
            TaskKind::SendPix => self.payout_handed_out(op),
            TaskKind::Deliver => self.delivery_handed_out(op, attempt, at),
            TaskKind::Sell => self.selling_handed_out(op, at),
            TaskKind::Withdraw => self.withdrawal_handed_out(op, at),
            TaskKind::PaySale | TaskKind::Refund | TaskKind::Pay => {
                self.note_handed_out(InstructionKey { op, kind, attempt })
            }
        }
    }

    /// That it is handed out is noted beside its operation, once.
    fn note_handed_out(&mut self, key: InstructionKey) -> Outcome {
        if !self.stands(key) {
            self.reach(Goal::SpentNotHandedOut);
            Outcome::SetAside(None)
        } else if self.handed_out.insert(key) {
            self.reach(match key.kind {
                TaskKind::PaySale => Goal::PaymentHandedOut,
                TaskKind::Refund => Goal::RefundHandedOut,
                _ => Goal::WalletPaymentHandedOut,
            });
            Outcome::Applied(None)
        } else {
            Outcome::Known
        }
    }

    /// Tells whether what is noted beside its operation is still to be carried out.
    fn stands(&self, key: InstructionKey) -> bool {
        let InstructionKey { op, kind, attempt } = key;
        let sale = self.sales.get(&op);
        let asked = |due: &Due| due.is_under_way() && due.attempt == attempt;
        match kind {
            TaskKind::PaySale => sale.is_some_and(|sale| {
                let tried = &sale.attempts;
                let asked = tried.count == attempt && tried.again_at.is_none();
                // Whether a lost attempt was begun at all, nobody knows.
                let begins = !tried.lost || self.handed_out.contains(&key);
                sale.phase == Phase::Paying && asked && begins
            }),
            TaskKind::Refund => {
                let unmatched = self.unmatched.get(&op).and_then(|it| it.refund.as_ref());
                sale.and_then(|sale| sale.refund.as_ref()).or(unmatched).is_some_and(asked)
            }
            _ => self.payments.get(&op).is_some_and(|it| it.status <= PaymentStatus::Sent),
        }
    }

    /// What stands no more was handed out for nothing, and is not handed out again.
    pub(super) fn forget_handed_out(&mut self) {
        let over = self.handed_out.iter().copied().filter(|key| !self.stands(*key));
        for key in over.collect::<Vec<_>>() {
            self.handed_out.remove(&key);
        }
    }

    /// That it is handed out is that selling begins.
    fn selling_handed_out(&mut self, op: OpId, at: Instant) -> Outcome {
        let Some(sale) = self.sales.get(&op) else { return Outcome::SetAside(None) };
        let kept = matches!(sale.phase, Phase::Secured | Phase::Paying | Phase::Completed);
        match sale.liquidation {
            Liquidation::Selling(_) | Liquidation::Lost(_) => Outcome::Known,
            Liquidation::None if kept && sale.sold.is_some() && sale.refund.is_none() => {
                self.reach(Goal::SellingHandedOut);
                let report = SaleReport::Moved(cash_out::Command::StartSale);
                self.happens(&Fact::Sale { order: Some(op), report }, at)
            }
            _ => Outcome::SetAside(None),
        }
    }

    /// That it is handed out is that sending begins.
    fn withdrawal_handed_out(&mut self, op: OpId, at: Instant) -> Outcome {
        let under_way = |it: &&super::Withdrawal| it.status == WithdrawalStatus::UnderWay;
        match self.withdrawals.get(&op).filter(under_way).map(|it| it.step) {
            None => Outcome::SetAside(None),
            Some(Step::Reserved) => {
                self.reach(Goal::WithdrawalHandedOut);
                let report = WithdrawalReport::Begin;
                let begun = WalletFact::Withdrawal { withdrawal: Some(op), report };
                self.happens(&Fact::Wallet(Box::new(begun)), at)
            }
            Some(_) => Outcome::Known,
        }
    }

    fn payout_handed_out(&mut self, op: OpId) -> Outcome {
        let Some(payout) = self.payouts.get_mut(&op) else { return Outcome::SetAside(None) };
        match payout.status {
            PayoutStatus::Requested | PayoutStatus::Submitted | PayoutStatus::Uncertain
                if payout.handed_out =>
            {
                Outcome::Known
            }
            PayoutStatus::Requested => {
                payout.handed_out = true;
                self.reach(Goal::HandedOut);
                Outcome::Applied(None)
            }
            _ => {
                self.reach(Goal::NotHandedOut);
                Outcome::SetAside(None)
            }
        }
    }

    /// Where an attempt is due, that it is handed out is that it begins.
    fn delivery_handed_out(&mut self, op: OpId, attempt: u32, at: Instant) -> Outcome {
        let bought = self.charges.get(&op).filter(|charge| charge.credited);
        let bought = bought.and_then(|charge| charge.buy.as_ref()).filter(|it| it.end.is_none());
        let converted = self.conversions.get(&op).filter(|it| !it.is_over());
        let course = bought.map(|it| &it.course).or(converted.map(|it| &it.course));
        let Some(course) = course else { return Outcome::SetAside(None) };
        let due = match course.stage {
            Stage::Waiting | Stage::Retrying => course.attempt + 1 == attempt,
            Stage::Sending | Stage::Accepted | Stage::Unknown if course.attempt == attempt => {
                return Outcome::Known;
            }
            _ => false,
        };
        if !due {
            return Outcome::SetAside(None);
        }
        let begins = Command { attempt: Some(attempt), report: DeliveryReport::Begin };
        self.delivery_news(Some(op), &begins, None, false, at)
    }

    /// Tells whether a person's word that a payout was not sent lacks the evidence it needs, once
    /// it may have been sent.
    pub(super) fn lacks_evidence(&self, op: Option<OpId>, by: &OperatorDecision) -> bool {
        let payout = op.and_then(|op| self.payouts.get(&op));
        by.evidence.is_none()
            && payout.is_some_and(|payout| match payout.status {
                PayoutStatus::Requested => payout.handed_out,
                PayoutStatus::Submitted | PayoutStatus::Uncertain => true,
                _ => false,
            })
    }

    /// Tells whether an attempt to deliver is under way, or its outcome unknown.
    pub(super) fn has_attempt_open(&self, op: Option<OpId>) -> bool {
        self.delivery_named(op).is_some_and(DeliveryProgress::is_open)
    }

    /// The delivery of the purchase or conversion named.
    pub(super) fn delivery_named(&self, op: Option<OpId>) -> Option<&DeliveryProgress> {
        let op = op?;
        let bought = self.charges.get(&op).and_then(|charge| charge.buy.as_ref());
        let converted = self.conversions.get(&op);
        converted.map(|it| &it.course).or(bought.map(|it| &it.course))
    }
}
