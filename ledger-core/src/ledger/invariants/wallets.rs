//! USDT wallets: what is reserved and confirming, and what is awaited where.

use std::collections::BTreeMap;

use super::{Violation, broken};
use crate::accounting::CoinAccount;
use crate::coin::Units;
use crate::id::{AccountId, ChainId, OpId};
use crate::ledger::state::State;
use crate::ledger::state::operation::Machine;
use crate::machine::wallet::{deposit, payment, withdrawal};

/// The buckets of every wallet are what open operations say, and amounts tell requests apart.
pub(super) fn check(state: &State) -> Result<(), Violation> {
    let mut buckets: BTreeMap<CoinAccount, i128> = BTreeMap::new();
    let mut awaited: BTreeMap<(ChainId, &str, Units), OpId> = BTreeMap::new();
    let mut open: BTreeMap<AccountId, usize> = BTreeMap::new();
    for (op, operation) in state.open_operations() {
        if let Some((bucket, units)) = holds(&operation.machine) {
            *buckets.entry(bucket).or_default() += units.signed();
        }
        let Some(order) = operation.wallet_deposit().and_then(deposit::State::awaits) else {
            continue;
        };
        *open.entry(order.account).or_default() += 1;
        if let Some(other) = awaited.insert((order.chain, &order.address, order.amount), op) {
            return Err(broken("INV-38", format!("{other:?} and {op:?} await the same")));
        }
        let known = state.wallets.awaiting(order.chain, &order.address, order.amount);
        if known != Some(op) {
            return Err(broken("INV-38", format!("{op:?} is not among those awaited: {known:?}")));
        }
    }
    for (account, count) in &open {
        let known = state.wallets.open_deposits(*account);
        if known != *count {
            return Err(broken("INV-38", format!("{account:?} has {count} open, not {known}")));
        }
    }
    let found: BTreeMap<CoinAccount, i128> = state
        .books
        .coins()
        .filter(|(_, account, _)| is_counted(*account))
        .map(|(_, account, units)| (account, units))
        .collect();
    buckets.retain(|_, units| *units != 0);
    if found == buckets {
        Ok(())
    } else {
        let differing = buckets.iter().find(|(account, units)| found.get(account) != Some(units));
        Err(broken("INV-36", format!("{found:?} stands; expected {differing:?}")))
    }
}

/// What an open operation has in a bucket of a wallet.
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
