//! Where a paid charge stands: what is held, what was booked, what went back.

use std::sync::Arc;

use super::State;
use super::terms::{Credit, Order, PixPayment};
use crate::id::SubaccountId;
use crate::money::{Amount, Balance, Cents};
use crate::time::Instant;

/// A charge whose PIX arrived and is not booked: under review, or held at the provider.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arrived {
    /// The terms on which it was issued.
    pub order: Arc<Order>,
    /// The PIX that arrived for it.
    pub payment: PixPayment,
    /// When the provider means to release it, once it holds it.
    pub until: Option<Instant>,
    /// What went back already.
    pub returned: Cents,
}

/// A charge booked to its subaccount.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Paid {
    /// The terms on which it was issued.
    pub order: Arc<Order>,
    /// The PIX that paid it.
    pub payment: PixPayment,
    /// What was booked.
    pub credit: Credit,
    /// What of it still stands in the held bucket.
    pub held: Cents,
    /// When it became available: `settlement_status` is `sent` from then on.
    pub settled_at: Option<Instant>,
    /// What went back since it was booked.
    pub returned: Cents,
}

/// A charge of which the whole went back.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Refunded {
    /// The terms on which it was issued.
    pub order: Arc<Order>,
    /// The PIX that went back.
    pub payment: PixPayment,
    /// When the credit had become available, if ever.
    pub settled_at: Option<Instant>,
    /// Tells whether it had been booked before it went back.
    pub credit: Option<Credit>,
}

impl Arrived {
    /// Returns what the provider still has for us.
    #[must_use]
    pub fn remaining_balance(&self) -> Balance {
        self.payment.amount.as_cents().less_or_nothing(self.returned).into()
    }

    /// Tells whether the credit is available at once: what the provider held is, on its release
    /// (CUS-19).
    #[must_use]
    pub fn credits_at_once(&self) -> bool {
        self.until.is_some() || self.order.credits_at_once()
    }

    pub(super) fn after_return(&self, amount: Amount, state: fn(Arc<Self>) -> State) -> State {
        let returned = self.returned.plus(amount.as_cents()).expect("at most what was received");
        if returned == self.payment.amount.as_cents() {
            State::Refunded(Arc::new(Refunded {
                order: Arc::clone(&self.order),
                payment: self.payment.clone(),
                settled_at: None,
                credit: None,
            }))
        } else {
            state(Arc::new(Self { returned, ..self.clone() }))
        }
    }
}

impl Paid {
    /// Returns what could still go back to the payer.
    #[must_use]
    pub fn returnable_balance(&self) -> Balance {
        self.credit.gross.as_cents().less_or_nothing(self.returned).into()
    }

    /// How much of a return of `amount` reverses the fee: what passes the net credited, counting
    /// all returns since the credit together (rulings 22).
    #[must_use]
    pub fn fee_share_of_return(&self, amount: Amount) -> Cents {
        let net = self.credit.net();
        let before = self.returned;
        let after = before.plus(amount.as_cents()).unwrap_or(self.credit.gross.as_cents());
        after.less_or_nothing(net).less_or_nothing(before.less_or_nothing(net))
    }

    /// Returns what went back over the whole life of the charge: `returned_cents` (rulings 27).
    #[must_use]
    pub fn returned_in_all(&self) -> Cents {
        let uncredited =
            self.payment.amount.as_cents().less_or_nothing(self.credit.gross.as_cents());
        uncredited.plus(self.returned).expect("at most what was received")
    }

    pub(super) fn refunded_when_empty(self) -> State {
        if self.returned == self.credit.gross.as_cents() {
            State::Refunded(Arc::new(Refunded {
                order: self.order,
                payment: self.payment,
                settled_at: self.settled_at,
                credit: Some(self.credit),
            }))
        } else {
            State::Paid(Arc::new(self))
        }
    }
}

impl State {
    /// The order, while it is issued and neither paid nor over (LIM-05).
    #[must_use]
    pub fn unpaid(&self) -> Option<&Order> {
        match self {
            Self::Pending(order) => Some(order),
            Self::UnderReview(arrived) => Some(&arrived.order),
            _ => None,
        }
    }

    /// Returns what of the credit is still to be released: to whom, when, how much.
    #[must_use]
    pub fn unreleased_credit(&self) -> Option<(SubaccountId, Instant, Cents)> {
        match self {
            Self::Paid(paid) if !paid.held.is_zero() => {
                paid.credit.available_at.map(|at| (paid.order.subaccount, at, paid.held))
            }
            _ => None,
        }
    }
}
