//! Recoveries of contested PIX as the oracle sees them: P:Recoveries; rulings 22, 46, 81 and 88.
//!
//! It counts nothing as it goes: what a recovery blocks, and what was taken for it, is the sum of
//! what its holds say.

mod fact;

use ledger_core::id::OpId;
use ledger_core::ledger::FactKind;
use ledger_core::ledger::SetAsideReason as Reason;
use ledger_core::ledger::recovery::Fact;
use ledger_core::time::Instant;

use super::{Hold, IdScope, Oracle};
use crate::goal::Goal;

/// A bank's claim on a PIX that was credited.
#[derive(Clone, Debug)]
pub(crate) struct Recovery {
    pub(crate) cause: OpId,
    pub(crate) amount: i64,
    pub(crate) blocks_until: Instant,
    pub(crate) decides_until: Instant,
    /// How much was accepted, once it is decided; nothing where it was rejected.
    pub(crate) accepted: Option<i64>,
    /// How much went back by the last refund and all returns before it.
    pub(crate) refunded: i64,
    /// How much its holds ever took.
    pub(crate) entered: i64,
}

impl Recovery {
    /// Returns how much it may block and give back in all.
    pub(crate) fn limit(&self) -> i64 {
        self.accepted.unwrap_or(self.amount)
    }
}

/// A return that was booked: of which charge, how much, and for which recovery.
#[derive(Clone, Debug)]
pub(crate) struct BookedReturn {
    pub(crate) charge: OpId,
    pub(crate) amount: i64,
    recovery: Option<Box<str>>,
}

impl Oracle {
    /// Returns what the holds of a recovery block now, and what was taken from them.
    pub(crate) fn covered_by(&self, name: &str) -> [i64; 2] {
        let own = self.holds.values().filter(|hold| hold.recovery.as_deref() == Some(name));
        own.map(Hold::amounts)
            .fold([0; 2], |sums, [blocked, _, taken, _]| [sums[0] + blocked, sums[1] + taken])
    }

    /// Returns how much more a recovery may block.
    pub(in crate::oracle) fn room_left(&self, name: &str) -> i64 {
        let [blocked, _] = self.covered_by(name);
        (self.outstanding(name) - blocked).max(0)
    }

    /// Returns how much may still go back for a recovery: all but what returns and debits took.
    pub(crate) fn outstanding(&self, name: &str) -> i64 {
        let known = &self.recoveries[name];
        let [_, taken] = self.covered_by(name);
        (known.limit() - taken.max(known.refunded)).max(0)
    }

    /// Tells whether a recovery is decided, and nothing is left of what was accepted.
    pub(crate) fn is_recovered(&self, name: &str) -> bool {
        self.recoveries[name].accepted.is_some() && self.outstanding(name) == 0
    }

    /// Returns how much of a charge no recovery claims.
    pub(crate) fn contestable(&self, cause: OpId) -> i64 {
        let claims = self.recoveries.iter().filter(|(_, it)| it.cause == cause);
        let claimed: i64 = claims.map(|(name, _)| self.outstanding(name)).sum();
        (self.charges[&cause].returnable() - claimed).max(0)
    }

    /// Returns the open holds of a recovery, first placed first.
    pub(in crate::oracle) fn open_blocks(&self, name: &str) -> Vec<OpId> {
        let own = |hold: &Hold| hold.recovery.as_deref() == Some(name) && !hold.closed;
        self.holds.iter().filter(|(_, hold)| own(hold)).map(|(op, _)| *op).collect()
    }

    /// Counts what a hold took, where it is a recovery's.
    pub(in crate::oracle) fn enters(&mut self, hold: OpId, cents: i64) {
        let name = self.holds.get(&hold).and_then(|hold| hold.recovery.as_ref());
        if let Some(known) = name.and_then(|name| self.recoveries.get_mut(name)) {
            known.entered += cents;
            self.trace.recoveries += 1;
        }
    }

    /// Notes a return that is booked: none is twice (rulings 8).
    pub(in crate::oracle) fn goes_back_by(
        &mut self,
        return_id: &str,
        (charge, amount): (OpId, i64),
        recovery: Option<&str>,
    ) {
        let booked = BookedReturn { charge, amount, recovery: recovery.map(Into::into) };
        let before = self.booked_returns.insert(return_id.into(), booked);
        assert!(before.is_none(), "return {return_id} is booked twice");
    }

    /// Notes that a return was known: by a fact of the other kind, perhaps.
    pub(in crate::oracle) fn return_known(&mut self, return_id: &str, of_recovery: bool) {
        let Some(booked) = self.booked_returns.get(return_id) else { return };
        match (booked.recovery.is_some(), of_recovery) {
            (false, true) => self.reach(Goal::RefundToldAsReturn),
            (true, false) => self.reach(Goal::ReturnToldAsRefund),
            (true, true) => self.reach(Goal::RefundKnown),
            (false, false) => {}
        }
    }
}

/// The id that the world gave a fact, where it gave one.
pub(in crate::oracle) fn identity(fact: &Fact) -> Option<(IdScope, Box<str>)> {
    match fact {
        Fact::Refunded { return_id, .. } => Some((IdScope::DepositBack, return_id.clone())),
        Fact::Opened { .. } | Fact::Blocked { .. } | Fact::Decided { .. } => None,
    }
}

/// Returns the goal of a fact that is set aside.
const fn goal_aside(kind: FactKind, why: Reason) -> Option<Goal> {
    Some(match (kind, why) {
        (FactKind::RecoveryOpened, Reason::Unmatched) => Goal::RecoveryOfNothing,
        (FactKind::RecoveryOpened, Reason::IdTaken) => Goal::RecoveryNameTaken,
        (FactKind::RecoveryOpened, Reason::TooEarly) => Goal::RecoveryTooEarly,
        (FactKind::RecoveryOpened, Reason::OutOfTurn) => Goal::RecoveryOutOfTurn,
        (FactKind::RecoveryOpened, Reason::AmountExceeds) => Goal::RecoveryAbove,
        (FactKind::RecoveryOpened, Reason::OutcomeUnknown) => Goal::RecoveryWhileDelivered,
        (FactKind::RecoveryBlocked, Reason::Unmatched) => Goal::RecoveryBlockOfNothing,
        (FactKind::RecoveryBlocked, Reason::OutOfTurn) => Goal::RecoveryBlockOver,
        (FactKind::RecoveryBlocked, Reason::AmountExceeds) => Goal::RecoveryBlockFull,
        (FactKind::RecoveryDecided, Reason::Unmatched) => Goal::RulingOfNothing,
        (FactKind::RecoveryDecided, Reason::OutOfTurn) => Goal::RulingTwice,
        (FactKind::RecoveryDecided, Reason::AmountExceeds) => Goal::RulingAbove,
        (FactKind::RecoveryDecided, Reason::OutcomeUnknown) => Goal::RulingBelowWaiting,
        (FactKind::RecoveryRefunded, Reason::Unmatched) => Goal::RefundOfNothing,
        (FactKind::RecoveryRefunded, Reason::TooEarly) => Goal::RefundTooEarly,
        (FactKind::RecoveryRefunded, Reason::AmountExceeds) => Goal::RefundAbove,
        _ => return None,
    })
}
