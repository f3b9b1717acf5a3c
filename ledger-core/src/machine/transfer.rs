//! Transfer: money moved between two subaccounts of one API account, without PIX and without fee.
//!
//! ```text
//! Absent --Done--> Done
//! ```
//!
//! Part A5; CUS-28 to CUS-33. The world reports nothing of a transfer, so nothing is decided here:
//! its slice of the ledger judges the request, [`evolve`] remembers, [`entry`] accounts.

use minicbor::{Decode, Encode};

use super::state_machine;
use crate::accounting::{Account, Entry};
use crate::id::{AccountId, SubaccountId, Token};
use crate::money::Amount;

/// The terms of a transfer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Order {
    /// The API account that both subaccounts are of.
    #[n(0)]
    pub account: AccountId,
    /// The subaccount debited.
    #[n(1)]
    pub from: SubaccountId,
    /// The subaccount credited.
    #[n(2)]
    pub to: SubaccountId,
    /// How much, in centavos.
    #[n(3)]
    pub amount: Amount,
    /// The client's own id.
    #[n(4)]
    pub external_id: Option<Box<str>>,
    /// The client's own description.
    #[n(5)]
    pub note: Option<Token>,
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// The money moved.
    #[n(0)]
    Done(#[n(0)] Order),
}

/// Where the transfer stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// No transfer was made under this id.
    #[default]
    Absent,
    /// The money moved, and nothing follows.
    Done(Order),
}

/// Whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Done(order)) => order.from != order.to,
        (State::Done(_), Event::Done(_)) => false,
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
    match event {
        Event::Done(order) => State::Done(order.clone()),
    }
}

/// Accounts for `event`.
///
/// ```
/// use ledger_core::accounting::Account;
/// use ledger_core::id::{AccountId, SubaccountId};
/// use ledger_core::machine::transfer::{Event, Order, entry};
/// use ledger_core::money::Amount;
///
/// let (ana, bia) = (SubaccountId(1), SubaccountId(2));
/// let amount = Amount::new(5_000).expect("it is above zero");
/// let (account, external_id, note) = (AccountId(0), None, None);
/// let order = Order { account, from: ana, to: bia, amount, external_id, note };
/// let moved = entry(&Event::Done(order));
/// assert_eq!(moved.net_credit(Account::Available(ana)), -5_000);
/// assert_eq!(moved.net_credit(Account::Available(bia)), 5_000);
/// ```
#[must_use]
pub fn entry(event: &Event) -> Entry {
    match event {
        Event::Done(order) => Entry::NONE.principal(
            Account::Available(order.from),
            Account::Available(order.to),
            order.amount,
        ),
    }
}

state_machine! {
    evolve: |state, event, _| evolve(state, event);
    entry: |_, event| entry(event);
    account: |state| match state {
        State::Absent => None,
        State::Done(order) => Some(order.account),
    };
}

impl State {
    /// Tells whether it happened, which is all there is to it.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        matches!(self, Self::Done(_))
    }
}
