//! Accounts that a product declares for itself, of a class and a commodity that it names
//! (P:ProductAccounts).

use minicbor::{Decode, Encode};

use super::chart::{Account, Class};
use super::coins::CoinAccount;
use crate::coin::Scale;
use crate::id::{AssetId, ProductAccount, SubaccountId};
use crate::terms::Switch;

/// The class that a product gives an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum ProductClass {
    /// Something owned: debits add to it.
    #[n(0)]
    Asset,
    /// Something owed: credits add to it.
    #[n(1)]
    Liability,
    /// Own money put in: credits add to it.
    #[n(2)]
    Equity,
    /// Earned: credits add to it.
    #[n(3)]
    Income,
    /// Spent: debits add to it.
    #[n(4)]
    Expense,
}

impl ProductClass {
    /// Every class, in the order of their numbers.
    pub const ALL: [Self; 5] =
        [Self::Asset, Self::Liability, Self::Equity, Self::Income, Self::Expense];

    /// The account of this class in the chart.
    #[must_use]
    pub const fn account(self, of: ProductAccount) -> Account {
        match self {
            Self::Asset => Account::ProductAsset(of),
            Self::Liability => Account::ProductLiability(of),
            Self::Equity => Account::ProductEquity(of),
            Self::Income => Account::ProductIncome(of),
            Self::Expense => Account::ProductExpense(of),
        }
    }

    /// The word that declarations have for it: `asset`, `liability`, ...
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asset => "asset",
            Self::Liability => "liability",
            Self::Equity => "equity",
            Self::Income => "income",
            Self::Expense => "expense",
        }
    }
}

impl Account {
    /// A net credit of the account in its own natural sign: above zero where the account stands on
    /// the side of its class.
    #[must_use]
    pub const fn natural(&self, net_credit: i128) -> i128 {
        match self.control().class() {
            Class::Asset | Class::Expense => -net_credit,
            _ => net_credit,
        }
    }

    /// A product's account as it stands in the chart of what is not reais; none for any other.
    #[must_use]
    pub const fn coins(&self) -> Option<CoinAccount> {
        Some(match *self {
            Self::ProductAsset(of) => CoinAccount::ProductAsset(of),
            Self::ProductLiability(of) => CoinAccount::ProductLiability(of),
            Self::ProductEquity(of) => CoinAccount::ProductEquity(of),
            Self::ProductIncome(of) => CoinAccount::ProductIncome(of),
            Self::ProductExpense(of) => CoinAccount::ProductExpense(of),
            _ => return None,
        })
    }
}

/// The commodity of an account that is not kept in reais.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Commodity {
    /// An asset of the catalogue, in its smallest units.
    #[n(0)]
    Asset(#[n(0)] AssetId),
    /// A unit of the product's own.
    #[n(1)]
    Unit(#[n(0)] Unit),
}

/// A unit that products count in, such as points: a commodity of the books like an asset.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(array)]
pub struct Unit {
    /// Its name, which no currency and no asset bears: 1 to 16 lower-case letters and digits.
    #[n(0)]
    pub name: Box<str>,
    /// How many decimals it has.
    #[n(1)]
    pub scale: Scale,
    /// Its number among the assets of this ledger.
    #[n(2)]
    pub asset: AssetId,
}

impl Commodity {
    /// The number under which the books keep it.
    #[must_use]
    pub const fn asset(&self) -> AssetId {
        match self {
            Self::Asset(asset) | Self::Unit(Unit { asset, .. }) => *asset,
        }
    }

    /// The unit, where it is a product's own.
    #[must_use]
    pub const fn unit(&self) -> Option<&Unit> {
        match self {
            Self::Asset(_) => None,
            Self::Unit(unit) => Some(unit),
        }
    }
}

/// An account as a product declares it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(array)]
pub struct DeclaredAccount {
    /// Its name, which no other account of the ledger bears.
    #[n(0)]
    pub name: Box<str>,
    /// What a balance of it means.
    #[n(1)]
    pub class: ProductClass,
    /// Tells whether each customer has one; off: there is one for all.
    #[n(2)]
    pub per_customer: Switch,
    /// Tells whether it may stand below zero, in the sign of its class.
    #[n(3)]
    pub overdraft: Switch,
    /// The commodity that its amounts count, in smallest units; none: centavos.
    #[n(4)]
    pub commodity: Option<Commodity>,
}

impl DeclaredAccount {
    /// The account in the chart: of a holder where each customer has one, of none otherwise.
    #[must_use]
    pub fn account(&self, number: u32, holder: Option<SubaccountId>) -> Option<Account> {
        let fits = holder.is_some() == self.per_customer.is_on();
        fits.then(|| self.class.account(ProductAccount { number, holder }))
    }

    /// The number of the commodity that it is kept in; none for reais.
    #[must_use]
    pub fn asset(&self) -> Option<AssetId> {
        self.commodity.as_ref().map(Commodity::asset)
    }
}
