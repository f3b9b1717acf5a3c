//! Sums that come to nothing: of an entry's legs, and of every commodity over all accounts.

use std::collections::BTreeMap;

use super::Holds;
use crate::accounting::{Entry, Posting, Side};
use crate::id::AssetId;
use crate::ledger::archive::Archive;
use crate::ledger::state::State;

/// Debits equal credits (INV-01).
pub(super) fn entry_balances(entry: &Entry) -> Holds {
    legs_balance(entry.legs())
}

/// The same of legs by themselves: no entry can be built whose legs do not balance.
pub(super) fn legs_balance(legs: impl IntoIterator<Item = Posting>) -> Holds {
    let signed = |leg: Posting| match leg.side {
        Side::Debit => -i128::from(leg.amount.cents()),
        Side::Credit => i128::from(leg.amount.cents()),
    };
    let sum: i128 = legs.into_iter().map(signed).sum();
    if sum == 0 { Ok(()) } else { Err(format!("an entry is out by {sum}")) }
}

/// All accounts in reais sum to nothing (INV-02).
pub(super) fn reais_sum_to_nothing(state: &State) -> Holds {
    match state.books.trial_balance() {
        0 => Ok(()),
        sum => Err(format!("the trial balance is {sum}")),
    }
}

/// All accounts of each asset sum to nothing (INV-02, ONE-COMMODITY).
pub(super) fn coins_sum_to_nothing(state: &State, _: &dyn Archive) -> Holds {
    let mut sums: BTreeMap<AssetId, i128> = BTreeMap::new();
    for (asset, _, balance) in state.books.coins() {
        let sum = sums.entry(asset).or_default();
        *sum = sum.checked_add(balance).ok_or("too much")?;
    }
    match sums.into_iter().find(|(_, sum)| *sum != 0) {
        Some((asset, sum)) => Err(format!("{asset:?} sums to {sum} units")),
        None => Ok(()),
    }
}
