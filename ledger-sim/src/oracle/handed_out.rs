//! The handing out of instructions as the oracle sees it: rulings 70.

use ledger_core::id::OpId;
use ledger_core::ledger::{InstructionKey, OperatorDecision, Outcome, TaskKind};
use ledger_core::machine::delivery::{Command, DeliveryReport};
use ledger_core::time::Instant;

use super::Oracle;
use super::payout::PayoutStatus;
use super::purchase::delivery::Stage;
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
            _ => unreachable!("this world hands out payouts and deliveries"),
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

    /// Whether a person's word that a payout was not sent lacks the evidence it needs, once it may
    /// have been sent.
    pub(super) fn lacks_evidence(&self, op: Option<OpId>, by: &OperatorDecision) -> bool {
        let payout = op.and_then(|op| self.payouts.get(&op));
        by.evidence.is_none()
            && payout.is_some_and(|payout| match payout.status {
                PayoutStatus::Requested => payout.handed_out,
                PayoutStatus::Submitted | PayoutStatus::Uncertain => true,
                _ => false,
            })
    }

    /// Whether an attempt to deliver is under way, or its outcome unknown.
    pub(super) fn has_attempt_open(&self, op: Option<OpId>) -> bool {
        let Some(op) = op else { return false };
        let bought = self.charges.get(&op).and_then(|charge| charge.buy.as_ref());
        let converted = self.conversions.get(&op);
        let course = converted.map(|it| &it.course).or(bought.map(|it| &it.course));
        course.is_some_and(super::purchase::delivery::DeliveryProgress::is_open)
    }
}
