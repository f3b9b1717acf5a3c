//! A PIX that was reported and waits in suspense, by the operation it names: put aside, and so no
//! longer once it was given to somebody, went back, or was booked.

use std::collections::BTreeMap;

use minicbor::{Decode, Encode};

use crate::id::{Kind, OpId};
use crate::machine::suspense::{self, Direction, Float};

/// What waits of one kind.
#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
pub(super) struct Waiting {
    #[n(0)]
    direction: Direction,
    #[n(1)]
    float: Float,
    /// The kind of the operations it may name; none: of any.
    #[n(2)]
    about: Option<Kind>,
    /// The operation that each names.
    #[n(3)]
    named: BTreeMap<OpId, OpId>,
    /// What waits of each operation, in the order it was reported, in centavos.
    #[n(4)]
    amounts: BTreeMap<OpId, Vec<(OpId, i64)>>,
}

impl Waiting {
    pub(super) fn new(direction: Direction, float: Float, about: Option<Kind>) -> Self {
        let (named, amounts) = (BTreeMap::new(), BTreeMap::new());
        Self { direction, float, about, named, amounts }
    }

    pub(super) fn event(&mut self, suspense: OpId, event: &suspense::Event) {
        match event {
            suspense::Event::Received(order)
                if (order.direction, order.float) == (self.direction, self.float) =>
            {
                let wanted = |op: &OpId| self.about.is_none_or(|kind| op.kind() == kind);
                let Some(op) = order.about.filter(wanted) else { return };
                self.named.insert(suspense, op);
                self.amounts.entry(op).or_default().push((suspense, order.amount.cents()));
            }
            suspense::Event::Received(_) | suspense::Event::Ordered { .. } => {}
            suspense::Event::Attached(_)
            | suspense::Event::Returned(_)
            | suspense::Event::SentBack { .. }
            | suspense::Event::TakenOver { .. } => {
                let Some(op) = self.named.remove(&suspense) else { return };
                let amounts = self.amounts.get_mut(&op).expect("what is named waits");
                amounts.retain(|(known, _)| *known != suspense);
                if amounts.is_empty() {
                    self.amounts.remove(&op);
                }
            }
        }
    }

    /// Tells whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// Returns what waits of an operation, in the order it was reported.
    pub(super) fn amounts(&self, op: OpId) -> impl Iterator<Item = i64> {
        self.amounts.get(&op).into_iter().flatten().map(|(_, cents)| *cents)
    }

    /// How much of it could be applied to what is `left`, oldest first; what is more than that
    /// contradicts it and waits for a person (rulings 2).
    pub(super) fn applicable(&self, op: OpId, left: i64) -> i64 {
        self.amounts(op).fold(0, |sum, cents| if sum + cents <= left { sum + cents } else { sum })
    }
}
