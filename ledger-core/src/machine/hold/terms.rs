//! The terms of a hold: whose money, for which cause, how much and until when.

use minicbor::{Decode, Encode};

use crate::id::{OpId, SubaccountId, Token};
use crate::money::Amount;
use crate::time::Instant;

/// Why money is blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Kind {
    /// A deposit that is not yet available.
    #[n(0)]
    Maturity,
    /// The payer contests a PIX.
    #[n(1)]
    Dispute,
    /// Suspicion, for a short time.
    #[n(2)]
    Precautionary,
    /// A court order.
    #[n(3)]
    Judicial,
    /// Our own decision.
    #[n(4)]
    Administrative,
    /// A service keeps it for what it captures (P:Reservations).
    #[n(5)]
    Reservation,
}

impl Kind {
    /// Tells whether such a block may follow the money of its cause to another subaccount (rulings
    /// 81).
    #[must_use]
    pub const fn follows_money(self) -> bool {
        matches!(self, Self::Dispute | Self::Precautionary | Self::Judicial)
    }

    /// Tells whether an operator places such a block, for what there is of the money: neither what
    /// the charge keeps, nor what a service reserves.
    #[must_use]
    pub const fn blocks(self) -> bool {
        !matches!(self, Self::Maturity | Self::Reservation)
    }
}

/// The terms of a hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Order {
    /// The subaccount whose money is blocked.
    #[n(0)]
    pub subaccount: SubaccountId,
    /// Why it is blocked; never [`Kind::Maturity`], which the charge keeps.
    #[n(1)]
    pub kind: Kind,
    /// The charge whose PIX is the cause, if one is.
    #[n(2)]
    pub cause: Option<OpId>,
    /// How much is wanted, in centavos.
    #[n(3)]
    pub requested: Amount,
    /// Until when it watches for what is short.
    #[n(4)]
    pub watch_until: Instant,
    /// When it ends by itself: a precautionary block lasts 72 hours at most, a reservation until
    /// its deadline.
    #[n(5)]
    pub ends_at: Option<Instant>,
    /// The service's own description of a reservation.
    #[n(6)]
    pub note: Option<Token>,
    /// The service's own word for a reservation, such as `card`.
    #[n(7)]
    pub label: Option<Box<str>>,
}

impl Order {
    /// Tells whether it is of a reservation, which has no cause.
    pub(super) fn is_reservation(&self) -> bool {
        self.kind == Kind::Reservation && self.cause.is_none()
    }
}
