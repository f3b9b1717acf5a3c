//! The chart of accounts: Part A0 of the requirements (P:ChartOfAccounts), the BRL side; the crypto
//! side stands beside it in [`super::CoinAccount`].

use std::fmt;

use minicbor::{Decode, Encode};

use crate::id::{AccountId, AgentId, OpId, ProductAccount, SubaccountId};

/// A place where money stands.
///
/// ```
/// use ledger_core::accounting::{Account, Class, Control};
/// use ledger_core::id::SubaccountId;
///
/// let available = Account::Available(SubaccountId(3));
/// assert_eq!(available.to_string(), "cust.avail[3]");
/// assert_eq!(available.control(), Control::Available);
/// assert_eq!(Control::Available.class(), Class::Liability); // Custody is owed to customers.
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum Account {
    /// `prov.pix`: PIX collected, held at the settlement provider.
    #[n(0)]
    ProviderPix,
    /// `prov.pay`: prefunded payout float at the provider.
    #[n(1)]
    ProviderPay,
    /// `recv.prov`: a claim on the provider.
    #[n(2)]
    ProviderClaim,
    /// `equity.funding`: own money moved into or out of provider floats.
    #[n(3)]
    Funding,
    /// `cust.avail`: spendable custody.
    #[n(4)]
    Available(#[n(0)] SubaccountId),
    /// `cust.held`: booked, not yet available.
    #[n(5)]
    Held(#[n(0)] SubaccountId),
    /// `cust.frozen`: blocked by a hold.
    #[n(6)]
    Frozen(#[n(0)] SubaccountId),
    /// `flight.pix_in`: PIX received and not yet allocated.
    #[n(7)]
    PixInFlight(#[n(0)] OpId),
    /// `flight.payout`: a debited payout that is not final.
    #[n(8)]
    PayoutInFlight(#[n(0)] OpId),
    /// `flight.conv`: a debited conversion or commission withdrawal that is not final.
    #[n(9)]
    ConversionInFlight(#[n(0)] OpId),
    /// `comm`: partner commission owed to an API account.
    #[n(10)]
    Commission(#[n(0)] AccountId),
    /// `tariff.due`: PIX tariff owed to the provider.
    #[n(11)]
    TariffDue,
    /// `susp.pix`: receipts that matched nothing.
    #[n(12)]
    SuspensePix,
    /// `rev.deposit`: deposit fees earned.
    #[n(13)]
    DepositIncome,
    /// `rev.payout`: house fees earned on payouts.
    #[n(14)]
    PayoutIncome,
    /// `rev.purchase`: house fees earned on purchases.
    #[n(15)]
    PurchaseIncome,
    /// `rev.conv`: house fees earned on conversions of custody.
    #[n(16)]
    ConversionIncome,
    /// `fx[BRL]`: the reais side of what was exchanged for crypto.
    #[n(17)]
    Fx,
    /// `exp.loss`: losses borne by the service.
    #[n(18)]
    Loss,
    /// `flight.pixout`: reais of a sale owed to a PIX recipient, fees and reserve among them.
    #[n(19)]
    SaleInFlight(#[n(0)] OpId),
    /// `rev.cashout`: house fees earned on sales.
    #[n(20)]
    SaleIncome,
    /// `rev.reserve`: operational reserves earned.
    #[n(21)]
    ReserveIncome,
    /// `rounding`: what rounding left.
    #[n(22)]
    Rounding,
    /// `exch`: reais at the exchange while a sale is under way.
    #[n(23)]
    Exchange,
    /// `exp.reward`: rewards granted to agents.
    #[n(24)]
    RewardExpense,
    /// `reward`: rewards owed to an agent, by its number.
    #[n(25)]
    Reward(#[n(0)] AgentId),
    /// `cells`: owed to other cells for accounts that moved there, or, below zero, owed by them.
    #[n(26)]
    Cells,
    /// `prod.asset`: something owned, in an account that a product declared.
    #[n(27)]
    ProductAsset(#[n(0)] ProductAccount),
    /// `prod.liability`: something owed, in an account that a product declared.
    #[n(28)]
    ProductLiability(#[n(0)] ProductAccount),
    /// `prod.equity`: own money put in, in an account that a product declared.
    #[n(29)]
    ProductEquity(#[n(0)] ProductAccount),
    /// `prod.income`: earned, in an account that a product declared.
    #[n(30)]
    ProductIncome(#[n(0)] ProductAccount),
    /// `prod.expense`: spent, in an account that a product declared.
    #[n(31)]
    ProductExpense(#[n(0)] ProductAccount),
}

/// What a balance of an account means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Something owned: debits add to it.
    Asset,
    /// Something owed: credits add to it.
    Liability,
    /// Own money put in.
    Equity,
    /// Earned: credits add to it.
    Income,
    /// Spent or lost.
    Expense,
    /// Exchanged: a position, of either sign.
    Trading,
}

impl Class {
    /// Its name in files and metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asset => "asset",
            Self::Liability => "liability",
            Self::Equity => "equity",
            Self::Income => "income",
            Self::Expense => "expense",
            Self::Trading => "trading",
        }
    }
}

/// A control account: an account of its own, or all the sub-accounts of one name together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // Each is the account of [`Account`] that bears its name.
pub enum Control {
    ProviderPix,
    ProviderPay,
    ProviderClaim,
    Funding,
    Available,
    Held,
    Frozen,
    PixInFlight,
    PayoutInFlight,
    Commission,
    TariffDue,
    SuspensePix,
    DepositIncome,
    PayoutIncome,
    Loss,
    ConversionInFlight,
    PurchaseIncome,
    ConversionIncome,
    Fx,
    SaleInFlight,
    SaleIncome,
    ReserveIncome,
    Rounding,
    Exchange,
    RewardExpense,
    Reward,
    Cells,
    ProductAsset,
    ProductLiability,
    ProductEquity,
    ProductIncome,
    ProductExpense,
}

impl Control {
    /// Every control account, in the order of the chart.
    pub const ALL: [Self; 32] = [
        Self::ProviderPix,
        Self::ProviderPay,
        Self::ProviderClaim,
        Self::Funding,
        Self::Available,
        Self::Held,
        Self::Frozen,
        Self::PixInFlight,
        Self::PayoutInFlight,
        Self::Commission,
        Self::TariffDue,
        Self::SuspensePix,
        Self::DepositIncome,
        Self::PayoutIncome,
        Self::Loss,
        Self::ConversionInFlight,
        Self::PurchaseIncome,
        Self::ConversionIncome,
        Self::Fx,
        Self::SaleInFlight,
        Self::SaleIncome,
        Self::ReserveIncome,
        Self::Rounding,
        Self::Exchange,
        Self::RewardExpense,
        Self::Reward,
        Self::Cells,
        Self::ProductAsset,
        Self::ProductLiability,
        Self::ProductEquity,
        Self::ProductIncome,
        Self::ProductExpense,
    ];

    /// The account's name in the chart.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ProviderPix => "prov.pix",
            Self::ProviderPay => "prov.pay",
            Self::ProviderClaim => "recv.prov",
            Self::Funding => "equity.funding",
            Self::Available => "cust.avail",
            Self::Held => "cust.held",
            Self::Frozen => "cust.frozen",
            Self::PixInFlight => "flight.pix_in",
            Self::PayoutInFlight => "flight.payout",
            Self::Commission => "comm",
            Self::TariffDue => "tariff.due",
            Self::SuspensePix => "susp.pix",
            Self::DepositIncome => "rev.deposit",
            Self::PayoutIncome => "rev.payout",
            Self::Loss => "exp.loss",
            Self::ConversionInFlight => "flight.conv",
            Self::PurchaseIncome => "rev.purchase",
            Self::ConversionIncome => "rev.conv",
            Self::Fx => "fx",
            Self::SaleInFlight => "flight.pixout",
            Self::SaleIncome => "rev.cashout",
            Self::ReserveIncome => "rev.reserve",
            Self::Rounding => "rounding",
            Self::Exchange => "exch",
            Self::RewardExpense => "exp.reward",
            Self::Reward => "reward",
            Self::Cells => "cells",
            Self::ProductAsset => "prod.asset",
            Self::ProductLiability => "prod.liability",
            Self::ProductEquity => "prod.equity",
            Self::ProductIncome => "prod.income",
            Self::ProductExpense => "prod.expense",
        }
    }

    /// Returns what a balance of this account means.
    #[must_use]
    pub const fn class(self) -> Class {
        match self {
            Self::ProviderPix
            | Self::ProviderPay
            | Self::ProviderClaim
            | Self::Exchange
            | Self::ProductAsset => Class::Asset,
            Self::Funding | Self::ProductEquity => Class::Equity,
            Self::DepositIncome
            | Self::PayoutIncome
            | Self::PurchaseIncome
            | Self::ConversionIncome
            | Self::SaleIncome
            | Self::ReserveIncome
            | Self::Rounding
            | Self::ProductIncome => Class::Income,
            Self::Fx => Class::Trading,
            Self::Loss | Self::RewardExpense | Self::ProductExpense => Class::Expense,
            Self::Available
            | Self::Held
            | Self::Frozen
            | Self::PixInFlight
            | Self::PayoutInFlight
            | Self::ConversionInFlight
            | Self::Commission
            | Self::TariffDue
            | Self::SuspensePix
            | Self::SaleInFlight
            | Self::Reward
            | Self::Cells
            | Self::ProductLiability => Class::Liability,
        }
    }
}

impl Account {
    /// The control account this one belongs to.
    #[must_use]
    #[inline]
    pub const fn control(&self) -> Control {
        match self {
            Self::ProviderPix => Control::ProviderPix,
            Self::ProviderPay => Control::ProviderPay,
            Self::ProviderClaim => Control::ProviderClaim,
            Self::Funding => Control::Funding,
            Self::Available(_) => Control::Available,
            Self::Held(_) => Control::Held,
            Self::Frozen(_) => Control::Frozen,
            Self::PixInFlight(_) => Control::PixInFlight,
            Self::PayoutInFlight(_) => Control::PayoutInFlight,
            Self::Commission(_) => Control::Commission,
            Self::TariffDue => Control::TariffDue,
            Self::SuspensePix => Control::SuspensePix,
            Self::DepositIncome => Control::DepositIncome,
            Self::PayoutIncome => Control::PayoutIncome,
            Self::Loss => Control::Loss,
            Self::ConversionInFlight(_) => Control::ConversionInFlight,
            Self::PurchaseIncome => Control::PurchaseIncome,
            Self::ConversionIncome => Control::ConversionIncome,
            Self::Fx => Control::Fx,
            Self::SaleInFlight(_) => Control::SaleInFlight,
            Self::SaleIncome => Control::SaleIncome,
            Self::ReserveIncome => Control::ReserveIncome,
            Self::Rounding => Control::Rounding,
            Self::Exchange => Control::Exchange,
            Self::RewardExpense => Control::RewardExpense,
            Self::Reward(_) => Control::Reward,
            Self::Cells => Control::Cells,
            Self::ProductAsset(_) => Control::ProductAsset,
            Self::ProductLiability(_) => Control::ProductLiability,
            Self::ProductEquity(_) => Control::ProductEquity,
            Self::ProductIncome(_) => Control::ProductIncome,
            Self::ProductExpense(_) => Control::ProductExpense,
        }
    }

    /// The subaccount whose custody this is, if it is one of its three buckets.
    #[must_use]
    #[inline]
    pub const fn subaccount(&self) -> Option<SubaccountId> {
        match self {
            Self::Available(subaccount) | Self::Held(subaccount) | Self::Frozen(subaccount) => {
                Some(*subaccount)
            }
            _ => None,
        }
    }

    /// The account that a product declared, if it is one.
    #[must_use]
    pub const fn product(&self) -> Option<ProductAccount> {
        match self {
            Self::ProductAsset(of)
            | Self::ProductLiability(of)
            | Self::ProductEquity(of)
            | Self::ProductIncome(of)
            | Self::ProductExpense(of) => Some(*of),
            _ => None,
        }
    }
}

/// The name in the chart, with what the account is kept for: `cust.avail[3]`.
impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.control().name())?;
        match self {
            Self::Available(subaccount) | Self::Held(subaccount) | Self::Frozen(subaccount) => {
                write!(f, "[{}]", subaccount.0)
            }
            Self::PixInFlight(op)
            | Self::PayoutInFlight(op)
            | Self::ConversionInFlight(op)
            | Self::SaleInFlight(op) => write!(f, "[{op:?}]"),
            Self::Reward(agent) => write!(f, "[{}]", agent.0),
            Self::Commission(account) => write!(f, "[{}]", account.0),
            Self::ProductAsset(of)
            | Self::ProductLiability(of)
            | Self::ProductEquity(of)
            | Self::ProductIncome(of)
            | Self::ProductExpense(of) => write!(f, "[{of}]"),
            _ => Ok(()),
        }
    }
}
