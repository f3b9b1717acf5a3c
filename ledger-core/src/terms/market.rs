//! The deposit catalogue: which asset is bought from sellers on which network, and by which route
//! (`GET /catalog`; COUT-64). Apart from the delivery catalogue, with which it shares the numbers
//! of assets and networks.

use minicbor::{Decode, Encode};

use super::Switch;
use crate::coin::{Scale, Units};
use crate::id::{AssetId, ChainId};

/// How a sale reaches its recipient: the order's `path` (COUT-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Route {
    /// USDT and USDC on Polygon: paid from our own float at once.
    #[n(0)]
    Fast,
    /// Swapped on the network first.
    #[n(1)]
    Dex,
    /// Sold at an exchange first, and the proceeds forwarded.
    #[n(2)]
    Convert,
    /// The BRL stablecoin on Liquid: one unit is one real.
    #[n(3)]
    Liquid,
}

/// One asset on one network, as sellers deposit it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Market {
    /// The asset's number in this ledger.
    #[n(0)]
    pub asset: AssetId,
    /// The network's number in this ledger.
    #[n(1)]
    pub chain: ChainId,
    /// The asset's name: `usdt`.
    #[n(2)]
    pub asset_name: Box<str>,
    /// The network's name: `polygon`.
    #[n(3)]
    pub chain_name: Box<str>,
    /// The asset's decimals, the same on every network.
    #[n(4)]
    pub scale: Scale,
    /// How it is sold.
    #[n(5)]
    pub route: Route,
    /// The least of one deposit; none: what the least payment costs (COUT-82).
    #[n(6)]
    pub least: Option<Units>,
    /// The most of one deposit; none: what the largest payment costs.
    #[n(7)]
    pub most: Option<Units>,
    /// Tells whether it is bought now: off, `rede_indisponivel` (LIM-25).
    #[n(8)]
    pub offered: Switch,
    /// How long a quote is good, in minutes: 15 on Polygon, at most 300 elsewhere (COUT-85).
    #[n(9)]
    pub valid_minutes: u16,
    /// How many confirmations a deposit needs, for people.
    #[n(10)]
    pub confirmations: u16,
    /// How long a deposit takes to be credited, in minutes: never zero outside Polygon (LIM-24).
    #[n(11)]
    pub eta_minutes: u16,
}
