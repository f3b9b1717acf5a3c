//! The terms of a crypto withdrawal: what was quoted, what was ordered, what is reported of it.

use minicbor::{Decode, Encode};

use crate::coin::Units;
use crate::id::{AccountId, AssetId, ChainId, OpId};
use crate::terms::Stablecoin;
use crate::time::Instant;

/// What was quoted, and is withdrawn.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Terms {
    /// The API account whose wallet pays.
    #[n(0)]
    pub account: AccountId,
    /// What is sent.
    #[n(1)]
    pub coin: Stablecoin,
    /// The number in this ledger of what is sent.
    #[n(2)]
    pub asset: AssetId,
    /// The number of USDT in this ledger.
    #[n(3)]
    pub usdt: AssetId,
    /// On which network.
    #[n(4)]
    pub chain: ChainId,
    /// The network's name.
    #[n(5)]
    pub network: Box<str>,
    /// The network's name for people.
    #[n(6)]
    pub title: Box<str>,
    /// To which wallet.
    #[n(7)]
    pub address: Box<str>,
    /// What the wallet pays, in millionths of USDT: fees are deducted from it.
    #[n(8)]
    pub amount: Units,
    /// What the network takes of it; none for nothing.
    #[n(9)]
    pub network_fee: Option<Units>,
    /// What the conversion is estimated to take; none for nothing.
    #[n(10)]
    pub conversion_fee: Option<Units>,
    /// What is estimated to arrive.
    #[n(11)]
    pub estimated: Units,
    /// The least that may arrive.
    #[n(12)]
    pub minimum: Units,
}

/// The terms of a withdrawal: fixed when it is requested.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Order {
    /// The quote it was made with.
    #[n(0)]
    pub quote: OpId,
    /// What was quoted.
    #[n(1)]
    pub terms: Terms,
    /// The client's own id.
    #[n(2)]
    pub external_id: Box<str>,
    /// When it was requested.
    #[n(3)]
    pub created_at: Instant,
}

/// What a network says was sent.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Sent {
    /// The transaction's hash on its network.
    #[n(0)]
    pub hash: Box<str>,
    /// What arrived, in the token's smallest units.
    #[n(1)]
    pub received: Units,
    /// What the network took; none for what was quoted.
    #[n(2)]
    pub network_fee: Option<Units>,
}

/// What was found out of a withdrawal, with proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Nothing went wrong: it goes on.
    Resumed,
    /// It arrived, with whatever was sent after.
    Completed(Sent),
    /// Nothing left, and nothing will.
    Failed,
}

impl Terms {
    /// The least that a conversion must give: the minimum and the network's fee.
    pub(super) fn least_obtained(&self) -> Units {
        let fee = self.network_fee.map_or(0, Units::get);
        Units::new(self.minimum.get() + fee).expect("both are far below the most units")
    }
}
