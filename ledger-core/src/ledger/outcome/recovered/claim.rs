//! The claim of a recovery, and the part of it that one hold has.

use minicbor::{Decode, Encode};

use crate::id::OpId;
use crate::machine::hold::Event as Hold;

/// Centavos that a recovery claims of a charge, and that went back of it.
#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
pub(super) struct Claim {
    #[n(0)]
    pub(super) cause: OpId,
    #[n(1)]
    pub(super) limit: i64,
    #[n(2)]
    pub(super) decided: bool,
    #[n(3)]
    pub(super) refunded: i64,
}

/// Centavos that a hold of a recovery blocks, and that were taken from it.
#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
pub(super) struct Part {
    #[n(0)]
    pub(super) recovery: Box<str>,
    #[n(1)]
    pub(super) blocked: i64,
    #[n(2)]
    pub(super) taken: i64,
}

impl Part {
    /// Follows an event of the hold.
    pub(super) fn follow(&mut self, event: &Hold) {
        match event {
            Hold::ToppedUp { amount, .. } => self.blocked += amount.cents(),
            Hold::Taken { amount, .. }
            | Hold::Returned { amount, .. }
            | Hold::Captured { amount, .. } => {
                self.blocked -= amount.cents();
                self.taken += amount.cents();
            }
            Hold::Released { to_held, to_available, .. } => {
                self.blocked -= to_held.cents() + to_available.cents();
            }
            Hold::Placed { .. } | Hold::Lapsed => {}
        }
    }
}
