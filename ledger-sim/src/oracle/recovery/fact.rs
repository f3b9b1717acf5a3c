//! Facts of recoveries: the reports of banks and operators, and what becomes of them.

use ledger_core::id::OpId;
use ledger_core::ledger::SetAsideReason as Reason;
use ledger_core::ledger::recovery::{Fact, Ruling};
use ledger_core::ledger::{Fact as AnyFact, Outcome};
use ledger_core::machine::hold::Kind;
use ledger_core::money::Amount;
use ledger_core::time::{Instant, Span};

use super::{Recovery, goal_aside};
use crate::goal::Goal;
use crate::oracle::hold::Block;
use crate::oracle::{ChargeStatus, Oracle, Waiting, later};

/// How long a person has to decide, where the fact says nothing else (P:Recoveries).
const ANALYSIS: Span = Span::days(7);

impl Oracle {
    /// Foresees what is reported of recoveries.
    pub(in crate::oracle) fn recovery_fact(&mut self, fact: &Fact, at: Instant) -> Outcome {
        self.trace.recoveries += 1;
        let came = match fact {
            Fact::Opened { recovery, charge, amount, blocks_until, decides_until, .. } => {
                let until = (*blocks_until, *decides_until);
                self.recovery_opened(recovery, (*charge, amount.cents()), until, at)
            }
            Fact::Blocked { recovery, charge, account, customer, .. } => {
                self.recovery_blocked((recovery, *charge), (account, customer.as_deref()), at)
            }
            Fact::Decided { recovery, charge, ruling, .. } => {
                self.recovery_decided(recovery, *charge, *ruling)
            }
            Fact::Refunded { recovery, charge, return_id, amount } => {
                self.recovery_refunded((recovery, *charge), return_id, amount.cents())
            }
        };
        came.unwrap_or_else(|why| {
            self.trace.reason = Some(why);
            let kind = AnyFact::Recovery(fact.clone()).kind();
            self.trace.goals.extend(goal_aside(kind, why));
            let Fact::Refunded { recovery, charge, return_id, amount } = fact else {
                return Outcome::SetAside(None);
            };
            // What left the account waits for a person, whatever it is of (rulings 21).
            let known = charge.filter(|op| self.charges.contains_key(op));
            let waits = self.return_waits(known, return_id, amount.cents(), at);
            if let Outcome::SetAside(Some(op)) = waits {
                let waiting = self.suspense.get_mut(&op).expect("it was just put aside");
                waiting.recovery = Some(recovery.clone());
            }
            waits
        })
    }

    /// A recovery, where the charge named is its cause.
    fn recovery_of(&self, name: &str, cause: Option<OpId>) -> Result<&Recovery, Reason> {
        let known = self.recoveries.get(name).filter(|known| Some(known.cause) == cause);
        known.ok_or(Reason::Unmatched)
    }

    /// Claims a part of a PIX that was credited: at most what may go back, less other claims.
    fn recovery_opened(
        &mut self,
        name: &str,
        (cause, amount): (Option<OpId>, i64),
        (blocks_until, decides_until): (Option<Instant>, Option<Instant>),
        at: Instant,
    ) -> Result<Outcome, Reason> {
        let cause = cause.filter(|op| self.charges.contains_key(op)).ok_or(Reason::Unmatched)?;
        if let Some(known) = self.recoveries.get(name) {
            let is = |told: Option<Instant>, known| told.is_none_or(|it| it == known);
            let same = (known.cause, known.amount) == (cause, amount)
                && is(blocks_until, known.blocks_until)
                && is(decides_until, known.decides_until);
            let known = same.then_some(Outcome::Known).ok_or(Reason::IdTaken)?;
            self.reach(Goal::RecoveryOpenedAgain);
            return Ok(known);
        }
        if let Some(why) = self.why_unclaimable(cause, amount) {
            return Err(why);
        }
        let last = later(at, self.policy.shortfall_watch);
        let blocks_until = blocks_until.unwrap_or(last);
        let decides_until = decides_until.unwrap_or(later(at, ANALYSIS));
        if blocks_until <= at || last < blocks_until || decides_until <= at {
            return Err(Reason::OutOfTurn);
        }
        if self.contestable(cause) < amount {
            return Err(Reason::AmountExceeds);
        }
        if self.recoveries.values().any(|it| it.cause == cause) {
            self.reach(Goal::RecoveryBesideAnother);
        }
        self.recoveries.insert(
            name.into(),
            Recovery {
                cause,
                amount,
                blocks_until,
                decides_until,
                accepted: None,
                refunded: 0,
                entered: 0,
            },
        );
        self.reach(Goal::RecoveryOpened);
        Ok(Outcome::Applied(None))
    }

    /// Returns why nothing is claimed of a charge; none where a deposit was credited of it.
    fn why_unclaimable(&self, cause: OpId, amount: i64) -> Option<Reason> {
        let charge = &self.charges[&cause];
        match (charge.status, &charge.buy) {
            (ChargeStatus::Pending | ChargeStatus::Expired, _) => Some(Reason::TooEarly),
            (ChargeStatus::Failed, _) => Some(Reason::OutOfTurn),
            (ChargeStatus::Paid, None) => None,
            (ChargeStatus::Paid, Some(buy)) if amount <= charge.returnable() => {
                let open = buy.course.is_open();
                Some(if open { Reason::OutcomeUnknown } else { Reason::OutOfTurn })
            }
            _ => Some(Reason::AmountExceeds),
        }
    }

    /// Blocks on a subaccount, once, what is there and what comes: all blocks together at most
    /// what is left of the claim.
    fn recovery_blocked(
        &mut self,
        (name, cause): (&str, Option<OpId>),
        (account, customer): (&str, Option<&str>),
        at: Instant,
    ) -> Result<Outcome, Reason> {
        let Recovery { cause, blocks_until, .. } = *self.recovery_of(name, cause)?;
        let credited = self.charges[&cause].status == ChargeStatus::Paid;
        if !credited || self.is_recovered(name) || blocks_until <= at {
            return Err(Reason::OutOfTurn);
        }
        let ([blocked, _], left) = (self.covered_by(name), self.charges[&cause].returnable());
        let (requested, most) = (self.outstanding(name).min(left), self.may_block(name, left));
        if requested == 0 || most == 0 {
            return Err(Reason::AmountExceeds);
        }
        let named = (self.account_named(account), customer);
        let subaccount = self.place_of_block(named, Some(cause), Kind::Dispute);
        let subaccount = subaccount.ok_or(Reason::Unmatched)?;
        if self.open_blocks(name).iter().any(|op| self.holds[op].subaccount == subaccount) {
            self.reach(Goal::RecoveryBlockedAgain);
            return Ok(Outcome::Known);
        }
        if blocked > 0 {
            self.reach(Goal::RecoveryBlockedFurther);
        }
        self.reach(Goal::RecoveryBlocked);
        Ok(self.block(
            subaccount,
            Some(cause),
            Block {
                kind: Kind::Dispute,
                requested,
                most,
                until: blocks_until,
                recovery: Some(name.into()),
            },
            at,
        ))
    }

    /// Returns how much more a recovery may block where so much may still go back of its PIX.
    pub(in crate::oracle) fn may_block(&self, name: &str, left: i64) -> i64 {
        let cause = self.recoveries[name].cause;
        let of_cause = self.recoveries.iter().filter(|(_, it)| it.cause == cause);
        let blocked: i64 = of_cause.map(|(name, _)| self.covered_by(name)[0]).sum();
        self.room_left(name).min(left - blocked).max(0)
    }

    /// Decides once: what is blocked beyond what was accepted is free, the last block first, and
    /// what went back before is booked.
    fn recovery_decided(
        &mut self,
        name: &str,
        cause: Option<OpId>,
        ruling: Ruling,
    ) -> Result<Outcome, Reason> {
        let &Recovery { cause, amount, accepted: before, .. } = self.recovery_of(name, cause)?;
        let accepted = match ruling {
            Ruling::Accepted(part) => part.map_or(amount, Amount::cents),
            Ruling::Rejected => 0,
        };
        if before.is_some() {
            let known = (before == Some(accepted)).then_some(Outcome::Known);
            let known = known.ok_or(Reason::OutOfTurn)?;
            self.reach(Goal::RulingAgain);
            return Ok(known);
        }
        if amount < accepted {
            return Err(Reason::AmountExceeds);
        }
        // What left too early may not become spendable (rulings 46).
        let mut waiting = self.waiting_about(cause, Waiting::is_deposit_back);
        waiting.retain(|it| self.suspense[it].recovery.as_deref() == Some(name));
        let left = Some(&self.charges[&cause]).filter(|it| it.status == ChargeStatus::Paid);
        let left = left.map_or(0, |charge| charge.returnable().min(amount));
        let (_, sum) = self.fitting(&waiting, left);
        if accepted < sum {
            return Err(Reason::OutcomeUnknown);
        }
        let [blocked, taken] = self.covered_by(name);
        if accepted <= blocked + taken {
            self.free_beyond(name, blocked + taken - accepted);
        }
        self.recoveries.get_mut(name).expect("found above").accepted = Some(accepted);
        self.refund_what_waits(cause);
        self.reach(match accepted {
            0 => Goal::RecoveryRejected,
            part if part < amount => Goal::RecoveryAcceptedInPart,
            _ => Goal::RecoveryAccepted,
        });
        Ok(Outcome::Applied(None))
    }

    /// Refunds what waits of a charge, as it came: each return for the recovery that it named, once
    /// that one is decided and as far as its blocks give.
    fn refund_what_waits(&mut self, cause: OpId) {
        for it in self.waiting_about(cause, Waiting::is_deposit_back) {
            let Waiting { amount, ref recovery, .. } = self.suspense[&it];
            let Some(name) = recovery.clone() else { continue };
            let of_cause = self.recovery_of(&name, Some(cause)).is_ok();
            if of_cause && self.why_no_refund(&name, amount).is_none() {
                self.settle_suspense(it, cause);
                self.refund(&name, amount);
                self.reach(Goal::RefundFoundRuling);
            }
        }
    }

    /// Frees what blocks have beyond what was accepted, the last placed first; one that keeps
    /// nothing ends.
    fn free_beyond(&mut self, name: &str, beyond: i64) {
        let mut left = beyond;
        for op in self.open_blocks(name).into_iter().rev() {
            let blocked = self.holds[&op].blocked_cents();
            let part = blocked.min(left);
            left -= part;
            if part == blocked {
                self.release_hold(Some(op), None);
            } else if part > 0 {
                self.release_hold(Some(op), Some(part));
                self.reach(Goal::RulingKeptPart);
            }
        }
    }

    /// A refund takes from the recovery's own blocks alone, and what they have beyond the rest of
    /// what was accepted is free.
    fn recovery_refunded(
        &mut self,
        (name, cause): (&str, Option<OpId>),
        return_id: &str,
        amount: i64,
    ) -> Result<Outcome, Reason> {
        let &Recovery { cause, .. } = self.recovery_of(name, cause)?;
        if let Some(why) = self.why_no_refund(name, amount) {
            return Err(why);
        }
        self.goes_back_by(return_id, (cause, amount), Some(name));
        let last = self.refund(name, amount);
        self.reach(if last { Goal::RefundedAtLast } else { Goal::RefundedInPart });
        self.refund_what_waits(cause);
        Ok(Outcome::Applied(None))
    }

    /// Returns why so much is no refund of a recovery; none where it is.
    fn why_no_refund(&self, name: &str, amount: i64) -> Option<Reason> {
        let known = &self.recoveries[name];
        let charge = &self.charges[&known.cause];
        if charge.status == ChargeStatus::Paid && known.accepted.is_none() {
            return Some(Reason::TooEarly);
        }
        let [blocked, _] = self.covered_by(name);
        let fits = charge.status == ChargeStatus::Paid
            && amount <= charge.returnable()
            && amount <= self.outstanding(name)
            && charge.borne_of(amount) <= blocked;
        (!fits).then_some(Reason::AmountExceeds)
    }

    /// So much goes back of a recovery; tells whether nothing is left of it.
    fn refund(&mut self, name: &str, amount: i64) -> bool {
        let ([_, taken], outstanding) = (self.covered_by(name), self.outstanding(name));
        let known = self.recoveries.get_mut(name).expect("the caller found it");
        known.refunded = known.refunded.max(taken) + amount;
        let cause = known.cause;
        let charge = &self.charges[&cause];
        let whole = amount == charge.returnable();
        if charge.borne_of(amount) < amount {
            self.reach(Goal::RefundWithFee);
        }
        self.forced_debit((cause, Some(name)), amount, whole);
        let ([blocked, _], keep) = (self.covered_by(name), outstanding - amount);
        if keep <= blocked {
            self.free_beyond(name, blocked - keep);
        }
        keep == 0
    }
}
