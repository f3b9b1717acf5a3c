//! Accounts that a product declares for itself, of a class that it names (P:ProductAccounts).

use std::fmt;

use minicbor::{Decode, Encode};

use super::chart::{Account, Class};
use crate::id::SubaccountId;

/// An account that a product declared: single, or that of one customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(array)]
pub struct ProductAccount {
    /// Its number in this ledger, from 0 in the order of declaration.
    #[n(0)]
    pub number: u32,
    /// The subaccount that it is kept for, where each customer has one.
    #[n(1)]
    pub holder: Option<SubaccountId>,
}

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
}

/// The number, with the holder where there is one: `3`, `3/17`.
impl fmt::Display for ProductAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.holder {
            Some(holder) => write!(f, "{}/{}", self.number, holder.0),
            None => write!(f, "{}", self.number),
        }
    }
}
