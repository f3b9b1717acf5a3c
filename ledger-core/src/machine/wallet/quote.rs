//! Quote: what a payment or withdrawal of a wallet would cost, for a while and for one use.
//!
//! ```text
//! Absent --Issued--> Open --Used, when it is asked for--> Used
//!                      '----Lapsed, after a while-------> Lapsed
//! ```
//!
//! P:WithdrawalQuoteUse, P:QuoteDivergent, P:DuplicatePrevented. It moves no money.
//! [`decide`] judges, [`follows`] says what may come next, [`evolve`] remembers.

use std::sync::Arc;

use minicbor::{Decode, Encode};

use super::withdrawal;
use crate::accounting::Entry;
use crate::coin::Units;
use crate::id::{AccountId, OpId};
use crate::machine::cash_out::AmountBasis;
use crate::machine::{Verdict, state_machine};
use crate::money::Amount;
use crate::time::Instant;

/// What is quoted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Offer {
    /// A withdrawal to an external wallet.
    #[n(0)]
    Withdrawal(#[n(0)] Box<withdrawal::Terms>),
    /// A payment of a PIX, estimated.
    #[n(1)]
    Payment(#[n(0)] Box<PaymentOffer>),
}

/// What a payment would cost: an estimate (WAL-44).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct PaymentOffer {
    /// A key and an amount, or a code.
    #[n(0)]
    pub asked: AmountBasis,
    /// What the recipient would receive, in centavos.
    #[n(1)]
    pub net: Amount,
    /// What the order would cost, in millionths of USDT.
    #[n(2)]
    pub units: Units,
    /// What the network would take; none for nothing.
    #[n(3)]
    pub fee: Option<Units>,
}

/// The terms of a quote: fixed when it is issued.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Order {
    /// The API account whose wallet would pay.
    #[n(0)]
    pub account: AccountId,
    /// What is quoted.
    #[n(1)]
    pub offer: Offer,
    /// When it was issued.
    #[n(2)]
    pub created_at: Instant,
    /// Until when it may be used.
    #[n(3)]
    pub expires_at: Instant,
}

/// What happened; nothing of it is posted.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// Issued: for a while, and for one use.
    #[n(0)]
    Issued(#[n(0)] Box<Order>),
    /// Used by this operation.
    #[n(1)]
    Used(#[n(0)] OpId),
    /// Its time passed without a use.
    #[n(2)]
    Lapsed,
}

/// Where the quote stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// No quote was issued under this id.
    #[default]
    Absent,
    /// It may be used.
    Open(Arc<Order>),
    /// This operation used it up.
    Used(Arc<Order>, OpId),
    /// It can no longer be.
    Lapsed(Arc<Order>),
}

/// Why the ledger said no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Its time is over.
    Expired,
    /// This operation used it.
    Used {
        /// The operation that used it.
        by: OpId,
    },
    /// It was never issued.
    Unknown,
}

/// Judges whether a quote may be used for the operation `by`.
///
/// # Errors
///
/// The [`Refusal`], when it was never issued, was used, or its time is over.
pub fn request(state: &State, by: OpId) -> Result<Event, Refusal> {
    match state {
        State::Open(_) => Ok(Event::Used(by)),
        State::Used(_, by) => Err(Refusal::Used { by: *by }),
        State::Lapsed(_) => Err(Refusal::Expired),
        State::Absent => Err(Refusal::Unknown),
    }
}

/// Judges that the time of a quote is over.
#[must_use]
pub fn decide(state: &State) -> Verdict<Event> {
    match state {
        State::Open(_) => Verdict::Applied(Event::Lapsed),
        State::Used(..) | State::Lapsed(_) => Verdict::Known,
        State::Absent => Verdict::SetAside,
    }
}

/// Tells whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Issued(order)) => order.created_at < order.expires_at,
        (State::Open(_), Event::Used(_) | Event::Lapsed) => true,
        (_, _) => false,
    }
}

/// Remembers `event`: returns what `state` becomes by it.
///
/// # Panics
///
/// When `event` cannot follow `state`; replay checks [`follows`] first.
#[must_use]
pub fn evolve(state: &State, event: &Event) -> State {
    assert!(follows(state, event), "{event:?} cannot follow {state:?}");
    let open = || Arc::clone(state.order().expect("follows admits it on open quotes"));
    match event {
        Event::Issued(order) => State::Open(Arc::new(Order::clone(order))),
        Event::Used(op) => State::Used(open(), *op),
        Event::Lapsed => State::Lapsed(open()),
    }
}

state_machine! {
    decide: ((), ()) = |state, (), ()| decide(state).into_list();
    evolve: |state, event, _| evolve(state, event);
    entry: |_, _| Entry::NONE;
    account: |state| state.order().map(|order| order.account);
}

impl State {
    /// The terms, once issued.
    #[must_use]
    pub const fn order(&self) -> Option<&Arc<Order>> {
        match self {
            Self::Absent => None,
            Self::Open(order) | Self::Used(order, _) | Self::Lapsed(order) => Some(order),
        }
    }

    /// Tells whether it can no longer be used.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        matches!(self, Self::Used(..) | Self::Lapsed(_))
    }
}
