//! Entry: a balanced set of moves that a product posts over its own accounts, customers' available
//! money and the house's own, and takes back once, in whole or in part.
//!
//! ```text
//! Absent --Posted--> Posting --Posted--> Posted --Reversed--> Reversing --Reversed--> Reversed
//! ```
//!
//! Each event is one move, and the last of a posting or of a reversal says that it is: all of them
//! stand in one record. The ledger judges the fact; [`evolve`] remembers, [`entry`] accounts.

use std::convert::Infallible;

use minicbor::{Decode, Encode};

use super::state_machine;
use crate::accounting::{Account, CoinMove, Entry};
use crate::coin::Units;
use crate::id::{AssetId, Token};
use crate::money::Amount;
use crate::terms::Switch;

/// One amount, from the account that is debited to the one that is credited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(array)]
pub struct Movement {
    /// The account debited.
    #[n(0)]
    pub debit: Account,
    /// The account credited.
    #[n(1)]
    pub credit: Account,
    /// How much, in the smallest units of the commodity.
    #[n(2)]
    pub amount: Amount,
    /// The commodity that both accounts are kept in; none for reais.
    #[n(3)]
    pub asset: Option<AssetId>,
}

impl Movement {
    /// The same units of a commodity between accounts of products; none for reais.
    fn coins(&self) -> Option<CoinMove> {
        let (debit, credit) = (self.debit.coins()?, self.credit.coins()?);
        let units = Units::new(self.amount.cents().unsigned_abs().into())?;
        Some(CoinMove { asset: self.asset?, debit, credit, units })
    }
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// A move of the entry was posted.
    #[n(0)]
    Posted {
        /// The move that was posted.
        #[n(0)]
        moved: Movement,
        /// The product's own description, the same in each event of the entry.
        #[n(1)]
        note: Option<Token>,
        /// Tells whether it is the last move of the entry.
        #[n(2)]
        last: Switch,
        /// The template that gave the amounts, by its number in the ledger.
        #[n(3)]
        template: Option<u32>,
    },
    /// A move of the entry was taken back, in whole or in part.
    #[n(1)]
    Reversed {
        /// The move back, with debit and credit of its own.
        #[n(0)]
        moved: Movement,
        /// Tells whether it is the last move of the reversal.
        #[n(1)]
        last: Switch,
    },
}

/// Where the entry stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing was posted under this id.
    #[default]
    Absent,
    /// Some of its moves are posted: the rest follow in the same record.
    Posting(Vec<Movement>),
    /// All of its moves are posted.
    Posted(Vec<Movement>),
    /// Some of its moves are taken back: the rest follow in the same record.
    Reversing(Vec<Movement>),
    /// It was taken back, in whole or in part, and nothing follows.
    Reversed(Vec<Movement>),
}

/// Tells whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent | State::Posting(_), Event::Posted { moved, .. })
        | (State::Posted(_) | State::Reversing(_), Event::Reversed { moved, .. }) => {
            moved.debit != moved.credit && moved.asset.is_some() == moved.coins().is_some()
        }
        (State::Posted(_) | State::Reversing(_) | State::Reversed(_), Event::Posted { .. })
        | (State::Absent | State::Posting(_) | State::Reversed(_), Event::Reversed { .. }) => false,
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
    let mut moves = state.moves().to_vec();
    match event {
        Event::Posted { moved, last, .. } => {
            moves.push(*moved);
            if last.is_on() { State::Posted(moves) } else { State::Posting(moves) }
        }
        Event::Reversed { last, .. } => {
            if last.is_on() {
                State::Reversed(moves)
            } else {
                State::Reversing(moves)
            }
        }
    }
}

/// Accounts for `event`.
#[must_use]
pub fn entry(event: &Event) -> Entry {
    let (Event::Posted { moved, .. } | Event::Reversed { moved, .. }) = event;
    match moved.coins() {
        None => Entry::NONE.principal(moved.debit, moved.credit, moved.amount),
        Some(m) => Entry::NONE.coins(m.asset, m.debit, m.credit, m.units),
    }
}

impl State {
    /// The moves that were posted, in their order.
    #[must_use]
    pub fn moves(&self) -> &[Movement] {
        match self {
            Self::Absent => &[],
            Self::Posting(moves)
            | Self::Posted(moves)
            | Self::Reversing(moves)
            | Self::Reversed(moves) => moves,
        }
    }

    /// Tells whether all of its moves are posted, or taken back.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        matches!(self, Self::Posted(_) | Self::Reversed(_))
    }

    /// Returns what it added to the credit balance of `account`, in its smallest units.
    #[must_use]
    pub fn net_credit(&self, account: Account) -> i128 {
        let moves = self.moves().iter().map(|moved| {
            let amount = i128::from(moved.amount.cents());
            let credited = if moved.credit == account { amount } else { 0 };
            credited - if moved.debit == account { amount } else { 0 }
        });
        moves.sum()
    }
}

state_machine! {
    decide: (Infallible, ()) = |_, command, ()| match command {};
    evolve: |state, event, _| evolve(state, event);
    entry: |_, event| entry(event);
    account: |_| None;
}
