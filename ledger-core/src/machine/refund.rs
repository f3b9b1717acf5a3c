//! A refund of crypto: how much is due, to which wallet, and how far it got.
//!
//! Carried by a cash-out order and by an unmatched deposit, which account for it. Above a limit it
//! waits for an operator; without a wallet it waits for one; an unknown outcome waits for evidence
//! (INV-32).

use minicbor::{Decode, Encode};

use crate::coin::Units;
use crate::id::{AssetId, ChainId};
use crate::terms::Switch;

/// An amount of one asset on one network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Coins {
    /// The asset, by its number in this ledger.
    #[n(0)]
    pub asset: AssetId,
    /// On which network.
    #[n(1)]
    pub chain: ChainId,
    /// How much, in the asset's smallest units.
    #[n(2)]
    pub units: Units,
}

/// A refund that is due.
///
/// ```
/// use ledger_core::coin::Units;
/// use ledger_core::id::{AssetId, ChainId};
/// use ledger_core::machine::refund::{Coins, Refund};
/// use ledger_core::terms::Switch;
///
/// let units = Units::new(5_000_000).expect("five USDT are above zero");
/// let coins = Coins { asset: AssetId(0), chain: ChainId(0), units };
/// let refund = Refund::due(coins, None, Switch::On);
/// assert!(!refund.is_under_way() && refund.may_grow()); // Nobody has said to which wallet.
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Refund {
    /// How much: in the deposit's own asset, on its own network (COUT-51).
    pub coins: Coins,
    /// Where to; none while nobody has said (P:NoRefundAddress).
    pub to: Option<Box<str>>,
    /// Tells whether it may be sent: small enough, or an operator allowed it (COUT-52).
    pub allowed: Switch,
    /// How far it got.
    pub status: RefundStatus,
    /// Which attempt, from 1.
    pub attempt: u32,
}

/// How far a refund got.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RefundStatus {
    /// Due, or under way.
    Due,
    /// Nobody knows whether it was sent.
    Lost,
    /// Sent, in this transaction.
    Sent(Box<str>),
}

/// What became of a refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefundReport {
    /// It was sent, in this transaction.
    Sent(Box<str>),
    /// It definitely was not: another attempt follows.
    Failed,
    /// Nobody knows whether it was sent.
    Lost,
}

impl Coins {
    /// The same asset and network.
    #[must_use]
    pub fn same_kind(self, other: Self) -> bool {
        self.asset == other.asset && self.chain == other.chain
    }
}

impl Refund {
    /// A refund that is due: to this wallet if one is known.
    #[must_use]
    pub const fn due(coins: Coins, to: Option<Box<str>>, allowed: Switch) -> Self {
        Self { coins, to, allowed, status: RefundStatus::Due, attempt: 1 }
    }

    /// Tells whether it is being sent: nothing is missing, and nobody has lost it.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        self.status == RefundStatus::Due && self.to.is_some() && self.allowed.is_on()
    }

    /// Tells whether it is due and was neither sent nor lost.
    #[must_use]
    pub fn is_under_way_or_waits(&self) -> bool {
        self.status == RefundStatus::Due
    }

    /// Tells whether more may be added to it: it still waits, so that it is sent once.
    #[must_use]
    pub fn may_grow(&self) -> bool {
        self.is_under_way_or_waits() && !self.is_under_way()
    }

    /// The transaction that sent it, once it was sent.
    #[must_use]
    pub fn sent_hash(&self) -> Option<&str> {
        match &self.status {
            RefundStatus::Sent(hash) => Some(hash),
            RefundStatus::Due | RefundStatus::Lost => None,
        }
    }
}
