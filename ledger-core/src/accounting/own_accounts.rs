//! The incomes that a fee correction touches, and the accounts between which own money and own
//! crypto are moved (rulings 30).

use minicbor::{Decode, Encode};

use super::chart::Account;
use super::coins::CoinAccount;
use crate::id::ChainId;

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

/// An account of our own money (rulings 30).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum OwnAccount {
    /// `equity.funding`: own money put in or taken out.
    #[n(0)]
    Funding,
    /// `prov.pix`: PIX collected, held at the provider.
    #[n(1)]
    ProviderPix,
    /// `prov.pay`: the prefunded float of payouts.
    #[n(2)]
    ProviderPay,
    /// `recv.prov`: a claim on the provider.
    #[n(3)]
    ProviderClaim,
    /// `tariff.due`: tariffs owed to the provider.
    #[n(4)]
    TariffDue,
    /// `fx`: what an exchange took or gave in reais.
    #[n(5)]
    Fx,
    /// `cells`: what was sent to another cell, or came from there, for accounts that moved.
    #[n(6)]
    Cells,
}

/// An account of our own crypto (rulings 30).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum OwnCoins {
    /// `equity.funding`: own coins put in or taken out.
    #[n(0)]
    Funding,
    /// `treas`: the stock on a network.
    #[n(1)]
    Treasury(#[n(0)] ChainId),
    /// `exp.gas`: what networks took.
    #[n(2)]
    Gas,
    /// `recv.prov`: a claim on whoever received it.
    #[n(3)]
    ProviderClaim,
    /// `fx`: what an exchange took or gave in the asset.
    #[n(4)]
    Fx,
    /// `exp.loss`: coins given up as lost.
    #[n(5)]
    Loss,
}

impl OwnAccount {
    /// The account in the chart.
    #[must_use]
    pub const fn account(self) -> Account {
        match self {
            Self::Funding => Account::Funding,
            Self::ProviderPix => Account::ProviderPix,
            Self::ProviderPay => Account::ProviderPay,
            Self::ProviderClaim => Account::ProviderClaim,
            Self::TariffDue => Account::TariffDue,
            Self::Fx => Account::Fx,
            Self::Cells => Account::Cells,
        }
    }

    /// Reads the account's name in the chart.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let all = [
            Self::Funding,
            Self::ProviderPix,
            Self::ProviderPay,
            Self::ProviderClaim,
            Self::TariffDue,
            Self::Fx,
            Self::Cells,
        ];
        all.into_iter().find(|own| own.account().control().name() == name)
    }
}

impl OwnCoins {
    /// The account in the chart.
    #[must_use]
    pub const fn account(self) -> CoinAccount {
        match self {
            Self::Funding => CoinAccount::Funding,
            Self::Treasury(chain) => CoinAccount::Treasury(chain),
            Self::Gas => CoinAccount::Gas,
            Self::ProviderClaim => CoinAccount::ProviderClaim,
            Self::Fx => CoinAccount::Fx,
            Self::Loss => CoinAccount::Loss,
        }
    }
}
