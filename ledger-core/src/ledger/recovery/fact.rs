//! Facts of recoveries: claims of banks, blocks and decisions of operators, and refunds.

use super::index::Recovery;
use crate::id::OpId;
use crate::ledger::charge::reversal::{Givers, blocks_of};
use crate::ledger::decision::fact_context::{FactContext, accept, already_known};
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::hold::fact::{BlockTerms, let_go};
use crate::ledger::record::event::Event;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::facts::facts;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::record::{ExternalId, Scope};
use crate::machine::{Verdict, charge, hold};
use crate::money::{Amount, Cents};
use crate::time::{Instant, Span};

/// How long a person has to decide, where the fact says nothing else (P:Recoveries).
pub(crate) const ANALYSIS: Span = Span::days(7);

facts! {
    /// The facts of recoveries.
    #[allow(missing_docs)] // Fields bear the wire's names; the contract module describes each.
    Fact {
        /// A bank asks for a contested PIX, or a part of it.
        Opened {
            recovery: Box<str>,
            charge: Option<OpId>,
            amount: Amount,
            blocks_until: Option<Instant>,
            decides_until: Option<Instant>,
            decided_by: OperatorDecision,
        } is FactKind::RecoveryOpened, about *charge;
        /// An operator blocks what a subaccount has of it, and what comes.
        Blocked {
            recovery: Box<str>,
            charge: Option<OpId>,
            account: Box<str>,
            customer: Option<Box<str>>,
            decided_by: OperatorDecision,
        } is FactKind::RecoveryBlocked, about *charge, of Some((account, customer.as_deref()));
        /// The analysis was decided.
        Decided {
            recovery: Box<str>,
            charge: Option<OpId>,
            ruling: Ruling,
            decided_by: OperatorDecision,
        } is FactKind::RecoveryDecided, about *charge;
        /// A part of what was accepted went back to the payer.
        Refunded { recovery: Box<str>, charge: Option<OpId>, return_id: Box<str>, amount: Amount }
            is FactKind::RecoveryRefunded,
            about *charge,
            outside Some(ExternalId::new(Scope::ReturnedDeposit, return_id));
    }
}

/// The result of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// So much goes back; none: all that was contested.
    Accepted(Option<Amount>),
    /// Nothing goes back.
    Rejected,
}

impl FactContext<'_> {
    /// A fact about a recovery.
    pub(in crate::ledger) fn decide_recovery(&self, fact: Fact) -> Decision {
        match fact {
            Fact::Opened { recovery, amount, blocks_until, decides_until, decided_by, .. } => {
                let until = (blocks_until, decides_until);
                self.attributed_or_aside(self.recovery_opened(&recovery, amount, until), decided_by)
            }
            Fact::Blocked { recovery, account, customer, decided_by, .. } => {
                let named = (&*account, customer.is_some());
                self.attributed_or_aside(self.recovery_blocked(&recovery, named), decided_by)
            }
            Fact::Decided { recovery, ruling, decided_by, .. } => {
                self.attributed_or_aside(self.recovery_decided(&recovery, ruling), decided_by)
            }
            Fact::Refunded { recovery, return_id, amount, .. } => {
                self.recovery_refunded(&recovery, &return_id, amount)
            }
        }
    }

    /// The recovery named, where the charge named is its cause.
    pub(super) fn recovery(&self, name: &str) -> Result<&Recovery, Reason> {
        let known = self.state.recovery(name).filter(|known| Some(known.cause) == self.about);
        known.ok_or(Reason::Unmatched)
    }

    /// Claims a part of a PIX that was credited, at most what may still go back of it.
    fn recovery_opened(
        &self,
        name: &str,
        amount: Amount,
        (blocks_until, decides_until): (Option<Instant>, Option<Instant>),
    ) -> Result<Decision, Reason> {
        let (cause, state) = self.charge().ok_or(Reason::Unmatched)?;
        if let Some(known) = self.state.recovery(name) {
            let same = known.cause == cause
                && known.amount == amount
                && blocks_until.is_none_or(|until| until == known.blocks_until)
                && decides_until.is_none_or(|until| until == known.decides_until);
            return if same { Ok(already_known()) } else { Err(Reason::IdTaken) };
        }
        let last = self.at.after(self.state.policy.shortfall_watch);
        let blocks_until = blocks_until.unwrap_or(last);
        let decides_until = decides_until.unwrap_or(self.at.after(ANALYSIS));
        let charge::State::Paid(paid) = state else { return Err(self.unreturnable(amount)) };
        // What was carried to another ledger is contested there.
        let here = state.order().is_none_or(|order| self.state.has_balances_of(order.account));
        if !here || blocks_until <= self.at || blocks_until > last || decides_until <= self.at {
            return Err(Reason::OutOfTurn);
        }
        if self.state.contestable(cause, paid) < amount.as_cents() {
            return Err(Reason::AmountExceeds);
        }
        let recovery = name.into();
        let opened = Event::RecoveryOpened { recovery, cause, amount, blocks_until, decides_until };
        Ok(accept(vec![opened]))
    }

    /// Blocks on a subaccount by a hold that watches for all that may still go back; all holds
    /// together block at most that. A subaccount where one is open is blocked already.
    fn recovery_blocked(&self, name: &str, on: (&str, bool)) -> Result<Decision, Reason> {
        let known = self.recovery(name)?;
        let Some((_, charge::State::Paid(paid))) = self.charge() else {
            return Err(Reason::OutOfTurn);
        };
        if known.is_over() || known.blocks_until <= self.at {
            return Err(Reason::OutOfTurn);
        }
        let left = paid.returnable_balance().spendable();
        let amount = known.outstanding().min(left).amount();
        let most = known.room().min(left.less_or_nothing(self.state.blocked_for(known.cause)));
        let (Some(amount), false) = (amount, most.is_zero()) else {
            return Err(Reason::AmountExceeds);
        };
        let (kind, watch_until) = (hold::Kind::Dispute, known.blocks_until);
        let asked = BlockTerms { kind, amount, most, watch_until };
        let mut decision = self.hold_placed(on, asked);
        if let Outcome::Applied(Some(hold)) = decision.outcome {
            if self.is_blocked_for(known, &decision.events) {
                return Ok(already_known());
            }
            decision.events.push(Event::RecoveryBlocked { recovery: name.into(), hold });
        }
        Ok(decision)
    }

    /// Tells whether a hold of the recovery is open on the subaccount that another is placed on.
    fn is_blocked_for(&self, known: &Recovery, placed: &[Event]) -> bool {
        let subaccount = placed.iter().find_map(|event| match event {
            Event::Hold { event: hold::Event::Placed { order, .. }, .. } => Some(order.subaccount),
            _ => None,
        });
        let mut open = subaccount.into_iter().flat_map(|it| self.state.holds_on(it));
        open.any(|op| known.holds.contains(&op))
    }

    /// Decides once; what is blocked beyond what was accepted is let go. Returns that were told
    /// too early are booked, and may not become spendable (rulings 46).
    fn recovery_decided(&self, name: &str, ruling: Ruling) -> Result<Decision, Reason> {
        let known = self.recovery(name)?;
        let accepted = match ruling {
            Ruling::Accepted(amount) => amount.unwrap_or(known.amount).as_cents(),
            Ruling::Rejected => Cents::ZERO,
        };
        match known.accepted {
            Some(before) if before == accepted => return Ok(already_known()),
            Some(_) => return Err(Reason::OutOfTurn),
            None if accepted > known.amount.as_cents() => return Err(Reason::AmountExceeds),
            None if accepted < self.returned_early(name, known.amount) => {
                return Err(Reason::OutcomeUnknown);
            }
            None => {}
        }
        let givers = Givers { charge: known.cause, recovery: Some(name), before: &[] };
        let mut events = self.let_go_beyond(givers, accepted.less_or_nothing(known.taken));
        events.push(Event::RecoveryDecided { recovery: name.into(), accepted });
        Ok(accept(self.with_refunds(events)))
    }

    /// Lets go of what the holds that give block beyond what they keep, last placed first; a hold
    /// that keeps nothing ends, since there is nothing left to watch for.
    pub(super) fn let_go_beyond(&self, givers: Givers<'_>, keep: Cents) -> Vec<Event> {
        let mut open: Vec<_> = blocks_of(self.state, givers).collect();
        let blocks = open.iter().map(|(_, block)| block.blocked_cents());
        let blocked = blocks.fold(Cents::ZERO, |sum, it| sum.plus(it).unwrap_or(sum));
        if blocked < keep {
            return Vec::new();
        }
        let mut beyond = blocked.less_or_nothing(keep);
        open.reverse();
        let released = open.into_iter().filter_map(|(op, block)| {
            let part = block.blocked_cents().min(beyond);
            beyond = beyond.less_or_nothing(part);
            let whole = part == block.blocked_cents();
            let amount = if whole { None } else { Some(part.amount()?) };
            match let_go(self.state, op, &hold::State::Open(block.into_owned()), amount) {
                Verdict::Applied(events) => Some(events),
                Verdict::Known | Verdict::SetAside => None,
            }
        });
        released.flatten().collect()
    }
}
