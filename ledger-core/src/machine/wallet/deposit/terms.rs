//! The terms of a wallet deposit: what was asked for, what arrived, and what is said of it.

use std::borrow::Cow;

use minicbor::{Decode, Encode};

use super::OnChain;
use crate::coin::Units;
use crate::id::{AccountId, AssetId, ChainId};
use crate::network::{Scheme, address};
use crate::terms::Stablecoin;
use crate::time::{Instant, Span};

/// Who made the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Origin {
    /// The client, by its own request.
    #[n(0)]
    Request,
    /// An operator, for the client.
    #[n(1)]
    Support,
}

/// The terms of a request: fixed when it is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Order {
    /// The API account whose wallet it is for.
    #[n(0)]
    pub account: AccountId,
    /// On which network.
    #[n(1)]
    pub chain: ChainId,
    /// The network's name.
    #[n(2)]
    pub network: Box<str>,
    /// The network's name for people.
    #[n(3)]
    pub title: Box<str>,
    /// The tokens taken, with their numbers.
    #[n(4)]
    pub accepted: Vec<(Stablecoin, AssetId)>,
    /// Where to send.
    #[n(5)]
    pub address: Box<str>,
    /// What was asked for.
    #[n(6)]
    pub requested: Units,
    /// What must be sent: the trailing decimals identify the request (P:DepositSuffix).
    #[n(7)]
    pub amount: Units,
    /// Who made it.
    #[n(8)]
    pub origin: Origin,
    /// When it was made.
    #[n(9)]
    pub created_at: Instant,
    /// When it expires.
    #[n(10)]
    pub expires_at: Instant,
}

/// What arrived on a network.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Transfer {
    /// The token, by its number in this ledger.
    #[n(0)]
    pub asset: AssetId,
    /// On which network.
    #[n(1)]
    pub chain: ChainId,
    /// How much, in the token's smallest units.
    #[n(2)]
    pub units: Units,
    /// The transaction and the place of the output in it.
    #[n(3)]
    pub mark: Mark,
    /// USDT's number where the token is worth one USDT; none for any other token.
    #[n(4)]
    pub usdt: Option<AssetId>,
}

/// A transaction, and the place of an output in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Mark {
    /// The transaction's hash on its network.
    #[n(0)]
    pub hash: Box<str>,
    /// The output, or the place among the transaction's transfers.
    #[n(1)]
    pub index: u32,
}

/// Why a transfer that was seen is no longer counted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Doubt {
    /// The network reorganised: it may vanish.
    #[n(0)]
    Reorganisation,
    /// Compliance looks at it.
    #[n(1)]
    Compliance,
}

/// How a rejected transfer ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Rejection {
    /// It was sent back.
    #[n(0)]
    Returned,
    /// It vanished from the network.
    #[n(1)]
    Vanished,
}

/// How long after its request an amount is given to no other at its address (rulings 68).
const KEPT: Span = Span::days(7);

impl Order {
    /// Until when no other request at the address is given this amount.
    #[must_use]
    pub fn kept_until(&self) -> Instant {
        self.expires_at.after(KEPT)
    }

    /// The address in its one spelling (rulings 64).
    #[must_use]
    pub fn spelled_address(&self) -> Cow<'_, str> {
        address::canonical(Scheme::for_network(&self.network), &self.address)
    }

    /// Tells whether this is the transfer that was asked for, to the millionth.
    #[must_use]
    pub fn expects(&self, transfer: &Transfer) -> bool {
        let taken = self.accepted.iter().any(|(_, asset)| *asset == transfer.asset);
        taken
            && transfer.usdt.is_some()
            && transfer.chain == self.chain
            && transfer.units == self.amount
    }
}

impl Transfer {
    /// Tells whether both are the same output of the same transaction.
    pub(super) fn is_output_of(&self, other: &Self) -> bool {
        self.chain == other.chain && self.mark == other.mark
    }

    /// The token, and the USDT it is worth one to one.
    pub(super) fn pair(&self) -> (AssetId, AssetId) {
        (self.asset, self.usdt.unwrap_or(self.asset))
    }
}

impl Rejection {
    /// Only what is there goes back, and only what is not there yet can vanish.
    pub(super) const fn fits(self, chain: OnChain) -> bool {
        matches!(
            (self, chain),
            (Self::Returned, OnChain::Confirmed) | (Self::Vanished, OnChain::Seen)
        )
    }

    pub(super) const fn was(self, chain: OnChain) -> bool {
        matches!(
            (self, chain),
            (Self::Returned, OnChain::Confirmed) | (Self::Vanished, OnChain::Vanished)
        )
    }
}
