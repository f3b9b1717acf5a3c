//! What the last command did, as far as it is compared or counted.

use ledger_core::id::{AccountId, Kind, OpId, SubaccountId};
use ledger_core::ledger::{SetAsideReason, Topic};
use ledger_core::time::Instant;

use super::{Oracle, PayoutStatus};
use crate::goal::Goal;

/// What the last command did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    pub(crate) subaccounts: Vec<SubaccountId>,
    /// Whose commission moved.
    pub(crate) commissions: Vec<AccountId>,
    pub(crate) ops: Vec<OpId>,
    pub(crate) goals: Vec<Goal>,
    /// When each record it leaves counts: deadlines at their own instants, itself at the last.
    pub(crate) dates: Vec<Instant>,
    /// What clients are notified of, in order (EVT-08).
    pub(crate) notifications: Vec<(OpId, Topic)>,
    /// What was settled a second time.
    pub(crate) twice: Option<OpId>,
    /// What the world is asked to do: send a PIX, or make this attempt of a delivery (EVT-09).
    pub(crate) tasks: Vec<(OpId, Option<u32>)>,
    pub(super) asked: Vec<OpId>,
    /// Tells whether a request that creates nothing, or a fact that is known, left a record.
    pub(super) changed: bool,
    /// Tells whether accounts, their keys or agents changed.
    pub(crate) access: bool,
    /// Tells whether crypto moved.
    pub(crate) coins: bool,
    /// How often a recovery may have changed.
    pub(crate) recoveries: u32,
    /// Why the fact is set aside, where it can be said.
    pub(crate) reason: Option<SetAsideReason>,
    /// Of the decision being made, one deadline or the command itself: what it moves ...
    pub(super) decided: Vec<OpId>,
    /// ... and where it raises what is available.
    pub(super) raised: Vec<SubaccountId>,
    /// How many notifications and tasks there were before the decision being made.
    before: (usize, usize),
}

impl Trace {
    pub(super) fn clear(&mut self) {
        self.subaccounts.clear();
        self.commissions.clear();
        self.ops.clear();
        self.goals.clear();
        self.dates.clear();
        self.notifications.clear();
        self.twice = None;
        self.tasks.clear();
        self.asked.clear();
        self.changed = false;
        self.access = false;
        self.coins = false;
        self.recoveries = 0;
        self.reason = None;
        self.begin_decision();
    }

    pub(super) fn begin_decision(&mut self) {
        self.decided.clear();
        self.raised.clear();
        self.before = (self.notifications.len(), self.tasks.len());
    }

    /// Takes back what the decision being made asks for: this attempt.
    pub(super) fn unask(&mut self, op: OpId, attempt: u32) {
        let mut place = 0..;
        let first = self.before.1;
        self.tasks.retain(|task| place.next() < Some(first) || *task != (op, Some(attempt)));
    }

    /// Takes back what the decision being made notifies of.
    pub(super) fn untell(&mut self, op: OpId, topic: Topic) {
        let mut place = 0..;
        let first = self.before.0;
        self.notifications.retain(|told| place.next() < Some(first) || *told != (op, topic));
    }
}

impl Oracle {
    pub(super) fn reach(&mut self, goal: Goal) {
        self.trace.goals.push(goal);
    }

    /// Foresees what a client is notified of; of a settlement it is once (INV-35).
    pub(super) fn notify(&mut self, op: OpId, topic: Topic) {
        if topic == Topic::ChargeSettled {
            let again = !self.settled.insert(op);
            self.trace.twice = again.then_some(op).or(self.trace.twice);
        }
        // A commission withdrawal has no event on the wire (P:CommissionEvents).
        if op.kind() != Kind::CommissionWithdrawal {
            self.trace.notifications.push((op, topic));
        }
    }

    /// Tells whether it was settled.
    pub(crate) fn is_settled(&self, op: OpId) -> bool {
        self.settled.contains(&op)
    }

    /// Foresees what the world is asked to do, of what still waits for it after the decision.
    pub(super) fn ask_the_world(&mut self) {
        let mut asked = std::mem::take(&mut self.trace.asked);
        asked.dedup();
        for op in asked {
            let payout = self.payouts.get(&op);
            if payout.is_some_and(|payout| payout.status == PayoutStatus::Requested) {
                self.trace.tasks.push((op, None));
            }
            let bought = self.charges.get(&op).and_then(|charge| charge.buy.as_ref());
            let bought = bought.filter(|buy| buy.end.is_none()).map(|buy| &buy.course);
            let converted = self.conversions.get(&op).filter(|it| !it.refunded);
            let course = bought.or(converted.map(|it| &it.course));
            if let Some(course) = course.filter(|course| course.can_stop()) {
                self.trace.tasks.push((op, Some(course.attempt + 1)));
            }
        }
    }

    /// Notes that the decision being made moves `op`.
    pub(super) fn note(&mut self, op: OpId) {
        self.trace.ops.push(op);
        self.trace.decided.push(op);
    }
}
