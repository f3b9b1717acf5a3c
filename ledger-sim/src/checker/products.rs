//! Comparison of what stands in accounts of products.

use std::collections::BTreeMap;

use ledger_core::accounting::Books;
use ledger_core::id::ProductAccount;
use ledger_core::ledger::Operation;
use ledger_core::machine::entry;

use super::equal;
use crate::failure::wrong::Mismatch;
use crate::oracle::{Book, Oracle};

/// Compares every account of a product that is not empty.
pub(super) fn compare(oracle: &Oracle, books: &Books) -> Result<(), Mismatch> {
    let declared = oracle.products.balances.iter().filter_map(|(book, cents)| {
        let Book::Product(number, holder) = *book else { return None };
        let class = oracle.products.accounts[number].class;
        let number = u32::try_from(number).expect("few accounts");
        let account = class.account(ProductAccount { number, holder });
        (*cents != 0).then_some((account, *cents))
    });
    let found = books.flights().filter(|(account, _)| account.product().is_some());
    let expected: BTreeMap<_, _> = declared.collect();
    equal("the accounts of products", expected, found.collect())
}

/// Tells whether an entry was taken back.
pub(super) fn entry_found(found: &Operation) -> Option<bool> {
    found.entry().map(|entry| matches!(entry, entry::State::Reversed(_)))
}
