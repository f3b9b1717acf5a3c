//! What left the stock for an operation of a wallet that cannot take it: a claim on whoever received
//! it, which waits for a person (rulings 1; DESIGN.md, "Why does crypto sent without reason become a
//! claim?").

use crate::coin::Units;
use crate::id::{Kind, OpId};
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::event::Event;
use crate::ledger::fact::{Case, known};
use crate::machine::stray;

impl Case<'_> {
    /// A claim on whoever received what left, once a transaction and operation.
    pub(super) fn claimed(&self, order: stray::Order) -> Decision {
        if self.found.claimed.is_some() {
            return known();
        }
        let op = OpId::new(Kind::Stray, self.state.seq.next());
        let events = vec![Event::Stray { op, event: stray::Event::Claimed(order) }];
        Decision { events, outcome: Outcome::SetAside(Some(op)) }
    }

    /// What the news of a transaction comes to: where it moved its operation, a claim that was made
    /// of the same transaction before ends, so that the coins leave the stock once.
    pub(super) fn claim_ended(&self, mut moved: Decision) -> Decision {
        if let Outcome::Applied(_) = moved.outcome {
            moved.events.splice(0..0, self.claim_taken_over());
        }
        moved
    }

    /// A payment that was told sent moved, or what left is a claim: as much as was told, or what its
    /// order costs or was estimated to.
    pub(super) fn or_astray(
        &self,
        moved: Decision,
        sent: Option<(Box<str>, Option<Units>)>,
    ) -> Decision {
        let Some((hash, left)) = sent else { return moved };
        if moved.outcome != Outcome::SetAside(None) {
            return self.claim_ended(moved);
        }
        let named = self.found.operation.as_ref();
        let known = named.and_then(|(op, known)| Some((*op, known.wallet_payment()?.standing()?)));
        let Some((about, standing)) = known else { return moved };
        let order = &standing.order;
        let cost = standing.cashout.map(|(_, cost)| cost.units);
        let units = left.or(cost).unwrap_or(order.estimate);
        let (asset, chain) = (order.usdt, order.chain);
        self.claimed(stray::Order { asset, chain, units, about, hash })
    }
}
