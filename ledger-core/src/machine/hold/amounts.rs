//! The amounts of a hold: what of the requested is blocked, was let go or settled, and is short.

use super::{Kind, Order, State};
use crate::accounting::Account;
use crate::money::{Amount, Cents};

/// The amounts of a hold (rulings 26): requested = blocked + released + settled + short.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Amounts {
    /// The terms on which it was placed.
    pub order: Order,
    /// Blocked, and taken from the cause's held part.
    pub from_held: Cents,
    /// Blocked, and taken from available.
    pub from_available: Cents,
    /// Let go since it was placed.
    pub released: Cents,
    /// Given to forced debits; of a reservation, captured.
    pub settled: Cents,
    /// Tells whether it watches for what is short.
    pub watch: Watch,
}

/// Tells whether a hold watches for what it could not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Watch {
    /// It takes more once there is more.
    Running,
    /// It no longer does.
    Over,
}

impl Amounts {
    /// Returns what is blocked now.
    #[must_use]
    pub fn blocked_cents(&self) -> Cents {
        sum(self.from_held, self.from_available)
    }

    /// Returns what it could not take (rulings 26).
    #[must_use]
    pub fn shortfall(&self) -> Cents {
        let had = sum(self.blocked_cents(), sum(self.released, self.settled));
        self.order.requested.as_cents().less_or_nothing(had)
    }

    /// Tells whether it can give so much to the return of its cause: a block on another subaccount
    /// than its cause's took nothing from a held part (rulings 81).
    pub(super) fn gives_to_return(&self, amount: Amount) -> bool {
        self.order.cause.is_some()
            && self.from_held.is_zero()
            && amount.as_cents() <= self.from_available
    }

    /// Tells whether it can give so much to a forced debit, which takes nothing that is reserved
    /// (P:Reservations).
    pub(super) fn gives_to_debit(&self, amount: Amount) -> bool {
        self.order.kind.blocks() && amount.as_cents() <= self.blocked_cents()
    }

    /// Tells whether so much can be captured of it, for another account than it came from.
    pub(super) fn gives_to_capture(&self, amount: Amount, to: Account) -> bool {
        self.order.kind == Kind::Reservation
            && to.subaccount() != Some(self.order.subaccount)
            && amount.as_cents() <= self.blocked_cents()
    }

    pub(super) fn open_or_closed(self) -> State {
        let watches = self.watch == Watch::Running && !self.shortfall().is_zero();
        if self.blocked_cents().is_zero() && !watches {
            State::Closed(self)
        } else {
            State::Open(self)
        }
    }
}

pub(super) fn sum(a: Cents, b: Cents) -> Cents {
    a.plus(b).expect("both are parts of what was requested")
}
