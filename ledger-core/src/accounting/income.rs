//! The income that a fee correction touches.

use minicbor::{Decode, Encode};

use super::chart::Account;

/// Which income a fee correction touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Income {
    /// `rev.deposit`: the fee on deposits.
    #[n(0)]
    Deposit,
    /// `rev.payout`: the house's fee on payouts.
    #[n(1)]
    Payout,
    /// `rev.purchase`: the house's fee on purchases.
    #[n(2)]
    Purchase,
    /// `rev.conv`: the house's fee on conversions.
    #[n(3)]
    Conversion,
}

impl Income {
    /// The account in the chart.
    #[must_use]
    pub const fn account(self) -> Account {
        match self {
            Self::Deposit => Account::DepositIncome,
            Self::Payout => Account::PayoutIncome,
            Self::Purchase => Account::PurchaseIncome,
            Self::Conversion => Account::ConversionIncome,
        }
    }
}
