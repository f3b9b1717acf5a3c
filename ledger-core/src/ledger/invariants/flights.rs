//! What is in flight, in reais and in crypto: it belongs to an operation that is open (INV-33), and
//! is never below zero (INV-07).

use std::collections::BTreeMap;

use super::Holds;
use crate::accounting::{Account, CoinAccount, Control};
use crate::id::AssetId;
use crate::ledger::archive::Archive;
use crate::ledger::state::State;

/// Nothing in flight and nothing in suspense is below zero (INV-07).
pub(super) fn are_not_negative(state: &State, _: &dyn Archive) -> Holds {
    let below = |(account, cents): &(Account, i64)| *cents < 0 && account.product().is_none();
    if let Some((account, cents)) = state.books.flights().find(below) {
        return Err(format!("{account} has {cents}"));
    }
    let suspense = state.books.balance(Control::SuspensePix);
    if suspense < 0 {
        return Err(format!("{} has {suspense}", Control::SuspensePix.name()));
    }
    let below = |(_, account, units): &(AssetId, CoinAccount, i128)| flies(*account) && *units < 0;
    match state.books.coins().find(below) {
        Some((asset, account, units)) => {
            Err(format!("{} of {asset:?} has {units} units", account.name()))
        }
        None => Ok(()),
    }
}

/// Every flight is exactly what its open operation has under way (INV-33).
pub(super) fn belong_to_open_operations(state: &State, _: &dyn Archive) -> Holds {
    let mut owed: Vec<(Account, i64)> = Vec::new();
    let mut coins: BTreeMap<(AssetId, CoinAccount), i128> = BTreeMap::new();
    for (op, operation) in state.open_operations() {
        if let Some((account, cents)) = operation.machine.under_way(op)
            && cents != 0
        {
            owed.push((account, cents));
        }
        for (account, asset, units) in operation.machine.coins_under_way(op) {
            *coins.entry((asset, account)).or_default() += units.to_i128();
        }
    }
    let flying =
        |account: &Account| !matches!(account, Account::Reward(_)) && account.product().is_none();
    let mut found: Vec<(Account, i64)> =
        state.books.flights().filter(|(account, _)| flying(account)).collect();
    owed.sort_unstable();
    found.sort_unstable();
    if found != owed {
        let what = format!("{} flights for {} open operations", found.len(), owed.len());
        let differing = owed.iter().find(|flight| found.binary_search(flight).is_err());
        return Err(format!("{what}; expected {differing:?}"));
    }
    let found = state.books.coins().filter(|(_, account, _)| flies(*account));
    let found: BTreeMap<_, _> =
        found.map(|(asset, account, units)| ((asset, account), units)).collect();
    if found == coins {
        return Ok(());
    }
    let what = format!("{} amounts of crypto for {} under way", found.len(), coins.len());
    let differing = coins.iter().find(|(key, units)| found.get(key) != Some(units));
    Err(format!("{what}; expected {differing:?}"))
}

/// Tells whether crypto in this account is under way, or in suspense.
fn flies(account: CoinAccount) -> bool {
    account.op().is_some() || account == CoinAccount::Suspense
}
