//! Erroneous delivery: crypto that was sent although the books say it should not have been.
//!
//! ```text
//! Absent --Claim--> Waiting --Settle--> Settled: Recovered, or Lost
//! ```
//!
//! Rulings 1 and 2: a delivery reported after its money went elsewhere, or reported twice in two
//! transactions, is a claim in `recv.prov` and waits for a person. [`decide`] judges, [`follows`]
//! says what may come next, [`evolve`] remembers, [`entry`] accounts.

use minicbor::{Decode, Encode};

use super::{Verdict, state_machine};
use crate::accounting::{CoinAccount, Entry};
use crate::coin::Units;
use crate::id::{AssetId, ChainId, OpId};

/// What was sent, and for what.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Order {
    /// The asset, by its number in this ledger.
    #[n(0)]
    pub asset: AssetId,
    /// On which network.
    #[n(1)]
    pub chain: ChainId,
    /// How much, in the asset's smallest units.
    #[n(2)]
    pub units: Units,
    /// The operation it was sent for.
    #[n(3)]
    pub about: OpId,
    /// The transaction's hash on its network.
    #[n(4)]
    pub hash: Box<str>,
    /// Which time the same coins are claimed, from 2: they were there again meanwhile.
    #[n(5)]
    pub again: Option<u32>,
}

/// How a claim ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum End {
    /// It came back.
    #[n(0)]
    Recovered,
    /// It is lost.
    #[n(1)]
    Lost,
}

/// What the world reports, or an operator decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Put it down as a claim.
    Claim(Order),
    /// End the claim.
    Settle(End),
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// Put down as a claim: `recv.prov`.
    #[n(0)]
    Claimed(#[n(0)] Order),
    /// Ended by a person, one way or the other.
    #[n(1)]
    Settled {
        /// What it was.
        #[n(0)]
        order: Order,
        /// Tells whether it came back or is lost.
        #[n(1)]
        end: End,
    },
}

/// Where the claim stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing was claimed.
    #[default]
    Absent,
    /// Waiting for a person.
    Waiting(Order),
    /// Ended: it came back, or is lost.
    Settled(Order, End),
}

/// Judges `command`; every one of them is a fact.
#[must_use]
pub fn decide(state: &State, command: Command) -> Verdict<Event> {
    match (state, command) {
        (State::Absent, Command::Claim(order)) => Verdict::Applied(Event::Claimed(order)),
        (State::Waiting(order), Command::Settle(end)) => {
            Verdict::Applied(Event::Settled { order: order.clone(), end })
        }
        (State::Settled(_, was), Command::Settle(end)) if *was == end => Verdict::Known,
        (_, _) => Verdict::SetAside,
    }
}

/// Tells whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Claimed(_)) => true,
        (State::Waiting(waiting), Event::Settled { order, .. }) => waiting == order,
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
    match event {
        Event::Claimed(order) => State::Waiting(order.clone()),
        Event::Settled { order, end } => State::Settled(order.clone(), *end),
    }
}

/// Accounts for `event`.
#[must_use]
pub fn entry(event: &Event) -> Entry {
    match event {
        Event::Claimed(order) => Entry::NONE.coins(
            order.asset,
            CoinAccount::ProviderClaim,
            CoinAccount::Treasury(order.chain),
            order.units,
        ),
        Event::Settled { order, end } => {
            let to = match end {
                End::Recovered => CoinAccount::Treasury(order.chain),
                End::Lost => CoinAccount::Loss,
            };
            Entry::NONE.coins(order.asset, to, CoinAccount::ProviderClaim, order.units)
        }
    }
}

state_machine! {
    decide: (Command, ()) = |state, command, ()| decide(state, command).into_list();
    evolve: |state, event, _| evolve(state, event);
    entry: |_, event| entry(event);
    account: |_| None;
}

impl State {
    /// The claim, while it waits for a person.
    #[must_use]
    pub const fn waiting(&self) -> Option<&Order> {
        match self {
            Self::Waiting(order) => Some(order),
            Self::Absent | Self::Settled(..) => None,
        }
    }

    /// Tells whether what was claimed came back.
    #[must_use]
    pub const fn is_recovered(&self) -> bool {
        matches!(self, Self::Settled(_, End::Recovered))
    }

    /// Tells whether nobody needs to look any more.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        matches!(self, Self::Settled(..))
    }
}
