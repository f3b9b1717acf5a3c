//! Which accounts of the chart are owed to somebody: one table, with a reason for each that is not.
//!
//! Both tables match every account without a wildcard, so an account that is added to the chart
//! does not compile before it is decided here.

use ledger_core::accounting::{CoinAccount, Control};

/// Classes of holders, in the order of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Custody of customers and of houses, spendable and held.
    Customers,
    /// Custody that a hold blocks for somebody's claim.
    Holds,
    /// Commission of partners.
    Partners,
    /// Rewards of agents.
    Agents,
    /// Wallets of API accounts.
    Wallets,
    /// Crypto that a customer sent for an order that is not settled.
    Deposits,
    /// Money and crypto on the way to somebody.
    InFlight,
    /// Refunds that are due.
    Refunds,
    /// Receipts that wait for a person.
    InSuspense,
    /// Accounts of liability that a product declared.
    Declared,
    /// Tariffs of the settlement provider.
    Provider,
    /// Other cells, for accounts that moved there.
    Cells,
}

/// Tells whether an account of the chart is owed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// It is owed, in this class.
    Owed(Class),
    /// It is not, for this reason.
    NotOwed(&'static str),
}

/// A class of a commodity with its accounts, in the order of a file.
pub type Row = (Class, &'static [&'static str]);

/// The classes of reais, each with its accounts of the chart.
pub const REAIS: [Row; 9] = [
    (Class::Customers, &["cust.avail", "cust.held"]),
    (Class::Holds, &["cust.frozen"]),
    (Class::Partners, &["comm"]),
    (Class::Agents, &["reward"]),
    (Class::InFlight, &["flight.pix_in", "flight.payout", "flight.conv", "flight.pixout"]),
    (Class::InSuspense, &["susp.pix"]),
    (Class::Declared, &["prod.liability"]),
    (Class::Provider, &["tariff.due"]),
    (Class::Cells, &["cells"]),
];

/// The classes of each asset of crypto, each with its accounts of the chart.
pub const COINS: [Row; 5] = [
    (Class::Wallets, &["wal.avail", "wal.reserved", "wal.confirming"]),
    (Class::Deposits, &["dep"]),
    (Class::InFlight, &["flight.deliv", "flight.wdr"]),
    (Class::Refunds, &["refund"]),
    (Class::InSuspense, &["susp.crypto"]),
];

/// The class that a file lists last for an asset or unit that accounts of products have liabilities
/// in.
pub const DECLARED: Row = (Class::Declared, &["prod.liability"]);

/// The name of the commodity of reais.
pub const BRL: &str = "BRL";

/// Returns the classes that a file always lists for a commodity, in order.
///
/// ```
/// use ledger_reserves::chart::{Class, rows};
///
/// assert_eq!(rows("BRL")[0].0, Class::Customers);
/// assert_eq!(rows("USDT")[0].0, Class::Wallets);
/// ```
#[must_use]
pub fn rows(commodity: &str) -> &'static [Row] {
    if commodity == BRL { &REAIS } else { &COINS }
}

/// Returns [`rows`], and [`DECLARED`] after those of an asset where products have `declared`
/// liabilities in it; reais list the class in any case.
///
/// ```
/// use ledger_reserves::chart::{DECLARED, rows, rows_with};
///
/// assert_eq!(rows_with("pontos", true).last(), Some(&DECLARED));
/// assert_eq!(rows_with("BRL", true), rows("BRL"));
/// ```
#[must_use]
pub fn rows_with(commodity: &str, declared: bool) -> Vec<Row> {
    let last: &[Row] = if declared && commodity != BRL { &[DECLARED] } else { &[] };
    [rows(commodity), last].concat()
}

impl Class {
    /// Its name in files: lower case, with `_` between words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Customers => "customers",
            Self::Holds => "holds",
            Self::Partners => "partners",
            Self::Agents => "agents",
            Self::Wallets => "wallets",
            Self::Deposits => "deposits",
            Self::InFlight => "in_flight",
            Self::Refunds => "refunds",
            Self::InSuspense => "suspense",
            Self::Declared => "declared",
            Self::Provider => "provider",
            Self::Cells => "cells",
        }
    }
}

/// Tells whether a control account in reais is owed.
///
/// ```
/// use ledger_core::accounting::Control;
/// use ledger_reserves::chart::{Class, Treatment, reais};
///
/// assert_eq!(reais(Control::SuspensePix), Treatment::Owed(Class::InSuspense));
/// assert!(matches!(reais(Control::ProviderPix), Treatment::NotOwed(_)));
/// ```
#[must_use]
pub const fn reais(control: Control) -> Treatment {
    use Treatment::{NotOwed, Owed};
    match control {
        Control::Available | Control::Held => Owed(Class::Customers),
        Control::Frozen => Owed(Class::Holds),
        Control::Commission => Owed(Class::Partners),
        Control::Reward => Owed(Class::Agents),
        Control::PixInFlight
        | Control::PayoutInFlight
        | Control::ConversionInFlight
        | Control::SaleInFlight => Owed(Class::InFlight),
        Control::SuspensePix => Owed(Class::InSuspense),
        Control::ProductLiability => Owed(Class::Declared),
        Control::TariffDue => Owed(Class::Provider),
        Control::Cells => Owed(Class::Cells),
        Control::ProviderPix | Control::ProviderPay => {
            NotOwed("a float is held: its statement counts it")
        }
        Control::ProviderClaim => NotOwed("a claim is owed to the house"),
        Control::Exchange => NotOwed("reais at the exchange are held: its statement counts them"),
        Control::Funding => NotOwed("own money put in is the owners'"),
        Control::DepositIncome
        | Control::PayoutIncome
        | Control::PurchaseIncome
        | Control::ConversionIncome
        | Control::SaleIncome
        | Control::ReserveIncome => NotOwed("fees earned are the house's"),
        Control::Rounding => NotOwed("what rounding left is the house's"),
        Control::Fx => NotOwed("a position between commodities is a debt to nobody"),
        Control::Loss | Control::RewardExpense => NotOwed("an expense was borne already"),
        Control::ProductAsset => NotOwed("a product declared it as owned"),
        Control::ProductEquity => NotOwed("a product declared it as own money"),
        Control::ProductIncome => NotOwed("a product declared it as earned"),
        Control::ProductExpense => NotOwed("a product declared it as spent"),
    }
}

/// Tells whether an account of crypto is owed.
#[must_use]
pub const fn coins(account: CoinAccount) -> Treatment {
    use Treatment::{NotOwed, Owed};
    match account {
        CoinAccount::WalletAvailable(_)
        | CoinAccount::WalletReserved(_)
        | CoinAccount::WalletConfirming(_) => Owed(Class::Wallets),
        CoinAccount::Deposited(_) => Owed(Class::Deposits),
        CoinAccount::DeliveryInFlight(_) | CoinAccount::WithdrawalInFlight(_) => {
            Owed(Class::InFlight)
        }
        CoinAccount::RefundDue(_) => Owed(Class::Refunds),
        CoinAccount::Suspense => Owed(Class::InSuspense),
        CoinAccount::ProductLiability(_) => Owed(Class::Declared),
        CoinAccount::Treasury(_) | CoinAccount::Transit(_) => {
            NotOwed("stock on a network is held: its wallet's statement counts it")
        }
        CoinAccount::Exchange => NotOwed("stock at the exchange is held: its statement counts it"),
        CoinAccount::ProviderClaim => NotOwed("a claim is owed to the house"),
        CoinAccount::Funding => NotOwed("own crypto put in is the owners'"),
        CoinAccount::Fx => NotOwed("a position between commodities is a debt to nobody"),
        CoinAccount::Gas | CoinAccount::Loss | CoinAccount::Slippage => {
            NotOwed("an expense was borne already")
        }
        CoinAccount::ProductAsset(_) => NotOwed("a product declared it as owned"),
        CoinAccount::ProductEquity(_) => NotOwed("a product declared it as own means"),
        CoinAccount::ProductIncome(_) => NotOwed("a product declared it as earned"),
        CoinAccount::ProductExpense(_) => NotOwed("a product declared it as spent"),
    }
}

#[cfg(test)]
mod tests {
    use ledger_core::accounting::Class as Sort;
    use ledger_core::id::{AccountId, ChainId, Kind, OpId, ProductAccount, Seq};

    use super::*;

    /// The class that lists an account by name, if one does.
    fn class_listing(rows: &[Row], name: &str) -> Option<Class> {
        let mut all = rows.iter().filter(|(_, accounts)| accounts.contains(&name));
        let first = all.next().map(|(class, _)| *class);
        assert!(all.next().is_none(), "{name} is listed twice");
        first
    }

    #[test]
    fn every_liability_in_reais_is_owed_and_listed_and_nothing_else_is() {
        for control in Control::ALL {
            let listed = class_listing(&REAIS, control.name());
            match reais(control) {
                Treatment::Owed(class) => {
                    assert_eq!(control.class(), Sort::Liability, "{control:?}");
                    assert_eq!(listed, Some(class), "{control:?}");
                }
                Treatment::NotOwed(reason) => {
                    assert_ne!(control.class(), Sort::Liability, "{control:?}");
                    assert!(listed.is_none() && reason.len() > 15, "{control:?}");
                }
            }
        }
        let count: usize = REAIS.iter().map(|(_, accounts)| accounts.len()).sum();
        let owed = Control::ALL.into_iter().filter(|it| matches!(reais(*it), Treatment::Owed(_)));
        assert_eq!(owed.count(), count);
    }

    #[test]
    fn every_liability_in_crypto_is_owed_and_listed_and_nothing_else_is() {
        let (op, account, chain) = (OpId::new(Kind::Payout, Seq(1)), AccountId(0), ChainId(0));
        let product = ProductAccount { number: 0, holder: None };
        let all = [
            CoinAccount::Treasury(chain),
            CoinAccount::ProviderClaim,
            CoinAccount::Funding,
            CoinAccount::DeliveryInFlight(op),
            CoinAccount::Fx,
            CoinAccount::Gas,
            CoinAccount::Loss,
            CoinAccount::Transit(chain),
            CoinAccount::Deposited(op),
            CoinAccount::RefundDue(op),
            CoinAccount::Suspense,
            CoinAccount::Exchange,
            CoinAccount::WalletAvailable(account),
            CoinAccount::WalletReserved(account),
            CoinAccount::WalletConfirming(account),
            CoinAccount::WithdrawalInFlight(op),
            CoinAccount::Slippage,
            CoinAccount::ProductAsset(product),
            CoinAccount::ProductLiability(product),
            CoinAccount::ProductEquity(product),
            CoinAccount::ProductIncome(product),
            CoinAccount::ProductExpense(product),
        ];
        let rows = [&COINS[..], &[DECLARED]].concat();
        for account in all {
            let listed = class_listing(&rows, account.name());
            let owed = match coins(account) {
                Treatment::Owed(class) => Some(class),
                Treatment::NotOwed(_) => None,
            };
            assert_eq!(owed, listed, "{account}");
            assert_eq!(owed.is_some(), account.class() == Sort::Liability, "{account}");
        }
    }
}
