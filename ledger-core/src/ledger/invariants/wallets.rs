//! USDT wallets: what is reserved and confirming, and what is awaited where.

use std::collections::BTreeMap;

use super::Holds;
use crate::accounting::CoinAccount;
use crate::coin::Units;
use crate::id::{AccountId, ChainId, OpId};
use crate::ledger::archive::Archive;
use crate::ledger::registry::Machine;
use crate::ledger::state::State;
use crate::machine::wallet::{deposit, payment, withdrawal};

/// The buckets of every wallet are what open operations say (INV-36).
pub(super) fn buckets_belong_to_open_operations(state: &State, _: &dyn Archive) -> Holds {
    let mut buckets: BTreeMap<CoinAccount, i128> = BTreeMap::new();
    for (_, operation) in state.open_operations() {
        if let Some((bucket, units)) = holds(&operation.machine) {
            *buckets.entry(bucket).or_default() += units.to_i128();
        }
    }
    buckets.retain(|_, units| *units != 0);
    let found = state.books.coins().filter(|(_, account, _)| is_counted(*account));
    let found: BTreeMap<CoinAccount, i128> =
        found.map(|(_, account, units)| (account, units)).collect();
    if found == buckets {
        return Ok(());
    }
    let differing = buckets.iter().find(|(account, units)| found.get(account) != Some(units));
    Err(format!("{found:?} stands; expected {differing:?}"))
}

/// Amounts tell open deposit requests at one address apart, and each is found by its own (INV-38).
pub(super) fn requests_await_different_amounts(state: &State, _: &dyn Archive) -> Holds {
    let mut awaited: BTreeMap<(ChainId, &str, Units), OpId> = BTreeMap::new();
    let mut open: BTreeMap<AccountId, usize> = BTreeMap::new();
    for (op, operation) in state.open_operations() {
        let Some(order) = operation.wallet_deposit().and_then(deposit::State::awaits) else {
            continue;
        };
        *open.entry(order.account).or_default() += 1;
        if let Some(other) = awaited.insert((order.chain, &order.address, order.amount), op) {
            return Err(format!("{other:?} and {op:?} await the same"));
        }
        let known =
            state.domains.wallets.awaiting(order.chain, &order.spelled_address(), order.amount);
        let other = known.and_then(|other| state.open(other)?.wallet_deposit()?.order());
        let respelled = other.is_some_and(|other| other.address != order.address);
        if known != Some(op) && !respelled {
            return Err(format!("{op:?} is not among those awaited: {known:?}"));
        }
    }
    for (account, count) in &open {
        let known = state.domains.wallets.open_deposits(*account);
        if known != *count {
            return Err(format!("{account:?} has {count} open, not {known}"));
        }
    }
    Ok(())
}

/// Returns what an open operation has in a bucket of a wallet.
fn holds(machine: &Machine) -> Option<(CoinAccount, Units)> {
    match machine {
        Machine::WalletDeposit(deposit::State::Confirming(progress)) => {
            let account = progress.account()?;
            Some((CoinAccount::WalletConfirming(account), progress.transfer.units))
        }
        Machine::CryptoWithdrawal(
            withdrawal::State::UnderWay(progress) | withdrawal::State::UnderReview(progress),
        ) if progress.flight.is_none() => {
            let terms = &progress.order.terms;
            Some((CoinAccount::WalletReserved(terms.account), terms.amount))
        }
        Machine::WalletPayment(payment::State::Known(progress)) => {
            let reserve = progress.reserve();
            Some((CoinAccount::WalletReserved(reserve.account), reserve.units))
        }
        _ => None,
    }
}

const fn is_counted(account: CoinAccount) -> bool {
    matches!(account, CoinAccount::WalletReserved(_) | CoinAccount::WalletConfirming(_))
}
