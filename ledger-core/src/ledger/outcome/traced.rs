//! What returns take from subaccounts that were not credited: only what was blocked there for them
//! (OUT-14).

use std::collections::BTreeMap;

use minicbor::{Decode, Encode};

use super::{Findings, violates};
use crate::id::{OpId, SubaccountId};
use crate::machine::{charge, hold};

/// What is blocked for a cause, by the blocks that name it.
#[derive(Clone, Debug, Default, Encode, Decode)]
#[cbor(array)]
pub(super) struct Traced {
    #[n(0)]
    blocks: BTreeMap<OpId, Block>,
}

/// An open block that names its cause.
#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
struct Block {
    #[n(0)]
    cause: OpId,
    #[n(1)]
    subaccount: SubaccountId,
    /// Centavos blocked now.
    #[n(2)]
    blocked: i64,
    #[n(3)]
    kind: hold::Kind,
}

impl Traced {
    pub(super) fn charge(&mut self, op: OpId, event: &charge::Event, found: &mut Findings) {
        let charge::Event::ReturnedTraced { subaccount, amount } = event else { return };
        let (took, blocked) = (amount.cents(), self.blocked_for(op, *subaccount));
        if blocked < took {
            let what = format!(
                "{op:?}: its return took {took} from {subaccount:?}, where {blocked} were blocked \
                 for it"
            );
            violates(found, "OUT-14", what);
        }
    }

    pub(super) fn hold(&mut self, op: OpId, event: &hold::Event) {
        if let hold::Event::Placed { order, from_held, from_available } = event {
            let Some(cause) = order.cause else { return };
            let blocked = from_held.cents() + from_available.cents();
            let (subaccount, kind) = (order.subaccount, order.kind);
            self.blocks.insert(op, Block { cause, subaccount, blocked, kind });
            return;
        }
        let Some(block) = self.blocks.get_mut(&op) else { return };
        match event {
            hold::Event::ToppedUp { amount, .. } => block.blocked += amount.cents(),
            hold::Event::Taken { amount, .. }
            | hold::Event::Returned { amount, .. }
            | hold::Event::Captured { amount, .. } => {
                block.blocked -= amount.cents();
            }
            hold::Event::Released { to_held, to_available, end, .. } => {
                block.blocked -= to_held.cents() + to_available.cents();
                if *end == hold::End::Yes {
                    self.blocks.remove(&op);
                }
            }
            hold::Event::Placed { .. } | hold::Event::Lapsed => {}
        }
    }

    /// Returns what blocks that may follow money hold on a subaccount for a cause.
    fn blocked_for(&self, cause: OpId, subaccount: SubaccountId) -> i64 {
        let blocks = self.blocks.values();
        let its = blocks.filter(|block| {
            block.cause == cause && block.subaccount == subaccount && block.kind.follows_money()
        });
        its.map(|block| block.blocked).sum()
    }
}
