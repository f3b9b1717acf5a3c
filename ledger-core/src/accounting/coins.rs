//! The chart of accounts, the crypto side: each account is kept per asset, so no move can mix two
//! commodities (INV-01).

use std::fmt;

use minicbor::{Decode, Encode};

use super::chart::Class;
use crate::coin::Units;
use crate::id::{AssetId, ChainId, OpId};

/// A place where an asset stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum CoinAccount {
    /// `treas`: own stock on a network.
    #[n(0)]
    Treasury(#[n(0)] ChainId),
    /// `recv.prov`: a claim on whoever received it.
    #[n(1)]
    ProviderClaim,
    /// `equity.funding`: own money moved into or out of the stock.
    #[n(2)]
    Funding,
    /// `flight.deliv`: owed to an external address.
    #[n(3)]
    DeliveryInFlight(#[n(0)] OpId),
    /// `fx`: the asset's side of what was exchanged.
    #[n(4)]
    Fx,
    /// `exp.gas`: network costs, less what customers paid for them.
    #[n(5)]
    Gas,
    /// `exp.loss`: lost.
    #[n(6)]
    Loss,
}

/// Units of one asset debited to one account and credited to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoinMove {
    /// Which asset.
    pub asset: AssetId,
    /// The account debited.
    pub debit: CoinAccount,
    /// The account credited.
    pub credit: CoinAccount,
    /// How much, in the asset's smallest units.
    pub units: Units,
}

impl CoinAccount {
    /// The account's name in the chart, without what it is kept for.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Treasury(_) => "treas",
            Self::ProviderClaim => "recv.prov",
            Self::Funding => "equity.funding",
            Self::DeliveryInFlight(_) => "flight.deliv",
            Self::Fx => "fx",
            Self::Gas => "exp.gas",
            Self::Loss => "exp.loss",
        }
    }

    /// What a balance of the account means.
    #[must_use]
    pub const fn class(self) -> Class {
        match self {
            Self::Treasury(_) | Self::ProviderClaim => Class::Asset,
            Self::Funding => Class::Equity,
            Self::DeliveryInFlight(_) => Class::Liability,
            Self::Fx => Class::Trading,
            Self::Gas | Self::Loss => Class::Expense,
        }
    }
}

/// The name in the chart, with what the account is kept for: `treas[0]`.
impl fmt::Display for CoinAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::Treasury(chain) => write!(f, "[{}]", chain.0),
            Self::DeliveryInFlight(op) => write!(f, "[{op:?}]"),
            _ => Ok(()),
        }
    }
}
