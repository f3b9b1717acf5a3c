//! Accounts of the chart by whose their balance is: one table, without a wildcard, so that an
//! account that is added to the chart does not compile before it is decided here.

use ledger_core::accounting::{Account, Class, CoinAccount, Control};
use ledger_core::id::{AssetId, OpId};

/// A commodity: amounts of one are never added to those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Commodity {
    /// Reais, in centavos.
    Reais,
    /// An asset, in its smallest units, by its number in the ledger.
    Asset(AssetId),
}

/// An account of the chart, in reais or in one asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LedgerAccount {
    /// An account in reais.
    Reais(Account),
    /// An account of one asset.
    Coins(AssetId, CoinAccount),
}

/// Tells whose the balance of an account is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Treatment {
    /// It is in custody: a float, a stock, a claim on a provider.
    Held,
    /// It is owed to clients, or to somebody not known yet.
    Clients,
    /// It is owed to others: a provider's tariffs, other cells.
    Creditors,
    /// It is the institution's own: capital, income, expense.
    Own,
    /// It is what was exchanged between commodities, also the institution's own.
    Exchange,
}

/// Returns whose the balance of a control account in reais is.
///
/// ```
/// use ledger_core::accounting::Control;
/// use ledger_regulatory::{Treatment, reais_treatment};
///
/// assert_eq!(reais_treatment(Control::Available), Treatment::Clients);
/// assert_eq!(reais_treatment(Control::ProviderPix), Treatment::Held);
/// ```
#[must_use]
pub const fn reais_treatment(control: Control) -> Treatment {
    match control {
        Control::ProviderPix
        | Control::ProviderPay
        | Control::ProviderClaim
        | Control::Exchange
        | Control::ProductAsset => Treatment::Held,
        Control::Available
        | Control::Held
        | Control::Frozen
        | Control::PixInFlight
        | Control::PayoutInFlight
        | Control::ConversionInFlight
        | Control::SaleInFlight
        | Control::Commission
        | Control::Reward
        | Control::SuspensePix
        | Control::ProductLiability => Treatment::Clients,
        Control::TariffDue | Control::Cells => Treatment::Creditors,
        Control::Funding
        | Control::DepositIncome
        | Control::PayoutIncome
        | Control::PurchaseIncome
        | Control::ConversionIncome
        | Control::SaleIncome
        | Control::ReserveIncome
        | Control::Rounding
        | Control::Loss
        | Control::RewardExpense
        | Control::ProductEquity
        | Control::ProductIncome
        | Control::ProductExpense => Treatment::Own,
        Control::Fx => Treatment::Exchange,
    }
}

/// Returns whose the balance of an account of crypto is.
#[must_use]
pub const fn coin_treatment(account: CoinAccount) -> Treatment {
    match account {
        CoinAccount::Treasury(_)
        | CoinAccount::ProviderClaim
        | CoinAccount::Transit(_)
        | CoinAccount::Exchange
        | CoinAccount::ProductAsset(_) => Treatment::Held,
        CoinAccount::DeliveryInFlight(_)
        | CoinAccount::Deposited(_)
        | CoinAccount::RefundDue(_)
        | CoinAccount::Suspense
        | CoinAccount::WalletAvailable(_)
        | CoinAccount::WalletReserved(_)
        | CoinAccount::WalletConfirming(_)
        | CoinAccount::WithdrawalInFlight(_)
        | CoinAccount::ProductLiability(_) => Treatment::Clients,
        CoinAccount::Funding
        | CoinAccount::Gas
        | CoinAccount::Loss
        | CoinAccount::Slippage
        | CoinAccount::ProductEquity(_)
        | CoinAccount::ProductIncome(_)
        | CoinAccount::ProductExpense(_) => Treatment::Own,
        CoinAccount::Fx => Treatment::Exchange,
    }
}

impl LedgerAccount {
    /// Returns the commodity that it is kept in.
    #[must_use]
    pub const fn commodity(self) -> Commodity {
        match self {
            Self::Reais(_) => Commodity::Reais,
            Self::Coins(asset, _) => Commodity::Asset(asset),
        }
    }

    /// Returns its name in the chart, without what it is kept for.
    #[must_use]
    pub const fn chart(self) -> &'static str {
        match self {
            Self::Reais(account) => account.control().name(),
            Self::Coins(_, account) => account.name(),
        }
    }

    /// Returns whose its balance is.
    #[must_use]
    pub const fn treatment(self) -> Treatment {
        match self {
            Self::Reais(account) => reais_treatment(account.control()),
            Self::Coins(_, account) => coin_treatment(account),
        }
    }

    /// Returns what a balance of it means.
    #[must_use]
    pub const fn class(self) -> Class {
        match self {
            Self::Reais(account) => account.control().class(),
            Self::Coins(_, account) => account.class(),
        }
    }

    /// Returns the operation that it is kept for, if it is kept for one.
    #[must_use]
    pub const fn op(self) -> Option<OpId> {
        match self {
            Self::Reais(
                Account::PixInFlight(op)
                | Account::PayoutInFlight(op)
                | Account::ConversionInFlight(op)
                | Account::SaleInFlight(op),
            ) => Some(op),
            Self::Coins(_, account) => account.op(),
            Self::Reais(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_treatment_agrees_with_the_class_of_the_chart() {
        for control in Control::ALL {
            let expected = match control.class() {
                Class::Asset => vec![Treatment::Held],
                Class::Liability => vec![Treatment::Clients, Treatment::Creditors],
                Class::Equity | Class::Income | Class::Expense => vec![Treatment::Own],
                Class::Trading => vec![Treatment::Exchange],
            };
            assert!(expected.contains(&reais_treatment(control)), "{control:?}");
        }
    }
}
