//! What a fact is judged with, and the decisions it comes to (rulings 1 and 2).

use super::lookup::Lookup;
use super::{Decision, Outcome};
use crate::id::OpId;
use crate::ledger::record::event::Event;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::state::State;
use crate::machine::suspense::{self, Direction, Float};
use crate::machine::{charge, payout};
use crate::money::Amount;
use crate::time::Instant;

/// Everything a fact is judged with.
pub(in crate::ledger) struct FactContext<'a> {
    pub(in crate::ledger) state: &'a State,
    pub(in crate::ledger) lookup: &'a Lookup,
    pub(in crate::ledger) at: Instant,
    kind: FactKind,
    pub(in crate::ledger) about: Option<OpId>,
}

impl<'a> FactContext<'a> {
    /// The context of a fact of this kind, about this operation.
    pub(in crate::ledger) fn new(
        state: &'a State,
        lookup: &'a Lookup,
        (kind, about): (FactKind, Option<OpId>),
        at: Instant,
    ) -> Self {
        Self { state, lookup, at, kind, about }
    }
}

impl FactContext<'_> {
    pub(in crate::ledger) fn charge(&self) -> Option<(OpId, &charge::State)> {
        let (op, known) = self.lookup.operation.as_ref()?;
        Some((*op, known.charge()?))
    }

    pub(in crate::ledger) const fn kind(&self) -> FactKind {
        self.kind
    }

    pub(in crate::ledger) fn payout(&self) -> Option<(OpId, &payout::State)> {
        let (op, known) = self.lookup.operation.as_ref()?;
        Some((*op, known.payout()?))
    }

    pub(in crate::ledger) fn suspense(&self) -> Option<(OpId, &suspense::State)> {
        let (op, known) = self.lookup.operation.as_ref()?;
        Some((*op, known.suspense()?))
    }

    pub(in crate::ledger) fn suspense_order(
        &self,
        direction: Direction,
        float: Float,
        outside: &str,
        amount: Amount,
    ) -> suspense::Order {
        let about = self.about;
        suspense::Order {
            amount,
            direction,
            float,
            about,
            outside: outside.into(),
            paid_at: self.at,
            recovery: None,
        }
    }
}

impl FactContext<'_> {
    /// Records what a person decided, or sets it aside for a reason.
    pub(in crate::ledger) fn attributed_or_aside(
        &self,
        decided: Result<Decision, Reason>,
        decided_by: OperatorDecision,
    ) -> Decision {
        decided.map_or_else(|why| self.aside(why), |decision| attribute(decision, decided_by))
    }
}

pub(in crate::ledger) fn accept(events: Vec<Event>) -> Decision {
    Decision { events, outcome: Outcome::Applied(None) }
}

pub(in crate::ledger) const fn already_known() -> Decision {
    Decision::nothing(Outcome::Known)
}

/// A person's decision is recorded beside what it did.
pub(in crate::ledger) fn attribute(
    mut decision: Decision,
    decided_by: OperatorDecision,
) -> Decision {
    if !decision.events.is_empty() {
        decision.events.push(Event::Judged(decided_by));
    }
    decision
}
