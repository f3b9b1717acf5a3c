//! Crypto that left without a reason: a claim on whoever received it, which waits for a person, or
//! ends when the reason comes (rulings 1; DESIGN.md, "Why does crypto sent without reason become a
//! claim?").

use crate::id::{Kind, OpId};
use crate::ledger::decision::fact_context::{FactContext, known};
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason;
use crate::machine::{Verdict, erroneous_delivery};

impl FactContext<'_> {
    /// A claim on whoever received what left, once a transaction and operation.
    pub(in crate::ledger) fn claimed(
        &self,
        order: erroneous_delivery::Order,
        reason: SetAsideReason,
    ) -> Decision {
        if self.lookup.claimed.is_some() {
            return known();
        }
        let op = OpId::new(Kind::ErroneousDelivery, self.state.seq.next());
        let events =
            vec![Event::ErroneousDelivery { op, event: erroneous_delivery::Event::Claimed(order) }];
        self.waits(events, Some(op), reason)
    }

    /// What the report of a transaction comes to: where it moved its operation, a claim that was
    /// made of the same transaction before ends, so that the coins leave the stock once.
    pub(in crate::ledger) fn claim_ended(&self, mut moved: Decision) -> Decision {
        if let Outcome::Applied(_) = moved.outcome {
            moved.events.splice(0..0, self.claim_taken_over());
        }
        moved
    }

    /// What was sent before there was a reason, now that there is one: the claim ends.
    pub(in crate::ledger) fn claim_taken_over(&self) -> Option<Event> {
        let op = OpId::new(Kind::ErroneousDelivery, self.lookup.claimed?);
        let claim = self.state.open(op)?.erroneous_delivery()?;
        match erroneous_delivery::decide(
            claim,
            erroneous_delivery::Command::Settle(erroneous_delivery::End::Recovered),
        ) {
            Verdict::Applied(event) => Some(Event::ErroneousDelivery { op, event }),
            Verdict::Known | Verdict::SetAside => None,
        }
    }
}
