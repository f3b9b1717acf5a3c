//! Transfer: money moved between two subaccounts of one API account, without PIX and without fee.
//!
//! ```text
//! Absent --Request--> Done
//! ```
//!
//! Part A5; CUS-28 to CUS-33. [`decide`] judges, [`evolve`] remembers, [`entry`] accounts.

use minicbor::{Decode, Encode};

use crate::accounting::{Account, Entry};
use crate::id::{AccountId, SubaccountId, Token};
use crate::money::{Amount, Balance};
use crate::time::Instant;

/// The terms of a transfer.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Order {
    /// Whose.
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

/// What someone wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Move the money now.
    Request(Order),
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// The money moved.
    #[n(0)]
    Done(#[n(0)] Order),
}

/// Where the transfer stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Not requested.
    #[default]
    Absent,
    /// Over.
    Done(Order),
}

/// What the ledger knows of the source when the transfer is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FundsAvailable {
    /// What it may spend.
    pub spendable: Balance,
    /// The end of its waiting period, while one is running.
    pub waiting_until: Option<Instant>,
}

/// Why the ledger said no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Source and destination are one subaccount.
    SameParty,
    /// The source's waiting period is running.
    Waiting {
        /// When it ends.
        until: Instant,
    },
    /// The source has too little available.
    FundsInsufficient {
        /// What it may spend.
        available: Balance,
    },
    /// The transfer is done already.
    OutOfTurn,
}

/// Judges `command`.
///
/// # Errors
///
/// The [`Refusal`], in the order of rulings 6: destination, waiting period, balance.
pub fn decide(state: &State, command: Command, funds: FundsAvailable) -> Result<Event, Refusal> {
    let Command::Request(order) = command;
    match state {
        State::Done(_) => Err(Refusal::OutOfTurn),
        State::Absent if order.from == order.to => Err(Refusal::SameParty),
        State::Absent => match funds.waiting_until {
            Some(until) => Err(Refusal::Waiting { until }),
            None if funds.spendable.covers(order.amount) => Ok(Event::Done(order)),
            None => Err(Refusal::FundsInsufficient { available: funds.spendable }),
        },
    }
}

/// Whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Done(order)) => order.from != order.to,
        (State::Done(_), Event::Done(_)) => false,
    }
}

/// Remembers `event`.
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
