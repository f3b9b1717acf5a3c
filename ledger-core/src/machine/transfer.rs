//! Transfer: money moved between two subaccounts of one API account, without PIX and without fee.
//!
//! ```text
//! Absent --Done--> Done
//! Absent --Grouped--> Grouped
//! ```
//!
//! A group is several such moves as one transfer: all of its legs, or none (GRP-01).
//!
//! Part A5; CUS-28 to CUS-33. The world reports nothing of a transfer, so nothing is decided here:
//! its slice of the ledger judges the request, [`evolve`] remembers, [`entry`] accounts.

use std::convert::Infallible;

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

/// The terms of a group of transfers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Group {
    /// The API account that all subaccounts are of.
    #[n(0)]
    pub account: AccountId,
    /// The moves, from 1 to 100, in the order asked for.
    #[n(1)]
    pub legs: Vec<Leg>,
    /// The client's own id of the whole.
    #[n(2)]
    pub external_id: Option<Box<str>>,
    /// The client's own description of the whole.
    #[n(3)]
    pub note: Option<Token>,
}

/// One move of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Leg {
    /// The subaccount debited.
    #[n(0)]
    pub from: SubaccountId,
    /// The subaccount credited.
    #[n(1)]
    pub to: SubaccountId,
    /// How much, in centavos.
    #[n(2)]
    pub amount: Amount,
}

impl Group {
    /// The most legs of a group.
    pub const MOST: usize = 100;

    /// All legs together; none where there is no leg, or the sum cannot be counted.
    #[must_use]
    pub fn total(&self) -> Option<Amount> {
        let mut amounts = self.legs.iter().map(|leg| leg.amount);
        let first = amounts.next()?;
        amounts.try_fold(first, |sum, amount| sum.plus(amount.as_cents()))
    }
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// The money moved.
    #[n(0)]
    Done(#[n(0)] Order),
    /// The money of every leg moved.
    #[n(1)]
    Grouped(#[n(0)] Group),
}

/// Where the transfer stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// No transfer was made under this id.
    #[default]
    Absent,
    /// The money moved, and nothing follows.
    Done(Order),
    /// The money of every leg moved, and nothing follows.
    Grouped(Group),
}

/// Tells whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Done(order)) => order.from != order.to,
        (State::Absent, Event::Grouped(group)) => {
            let counted = group.legs.len() <= Group::MOST && group.total().is_some();
            counted && group.legs.iter().all(|leg| leg.from != leg.to)
        }
        (State::Done(_) | State::Grouped(_), _) => false,
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
        Event::Grouped(group) => State::Grouped(group.clone()),
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
        Event::Grouped(group) => group.legs.iter().fold(Entry::NONE, |entry, leg| {
            let (from, to) = (Account::Available(leg.from), Account::Available(leg.to));
            entry.principal(from, to, leg.amount)
        }),
    }
}

state_machine! {
    decide: (Infallible, ()) = |_, command, ()| match command {};
    evolve: |state, event, _| evolve(state, event);
    entry: |_, event| entry(event);
    account: |state| match state {
        State::Absent => None,
        State::Done(order) => Some(order.account),
        State::Grouped(group) => Some(group.account),
    };
}

impl State {
    /// Tells whether it happened, which is all there is to it.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        matches!(self, Self::Done(_) | Self::Grouped(_))
    }
}
