//! The entries of a wallet payment: Part A13, a row an event; rulings 35.

use super::{Bearer, Cost, Event, Reserve, Resolution, Whereabouts};
use crate::accounting::{Account, CoinAccount, Entry};
use crate::coin::Units;
use crate::id::ChainId;
use crate::terms::Deal;

/// Accounts for `event` (rulings 35).
#[must_use]
pub fn entry(event: &Event) -> Entry {
    use CoinAccount::{Loss, Slippage, Transit, Treasury, WalletAvailable, WalletReserved};
    match event {
        Event::Ordered { .. }
        | Event::Accepted
        | Event::Begun
        | Event::Confirmed
        | Event::Questioned
        | Event::Resumed
        | Event::FailedAfterSend(_) => Entry::NONE,
        Event::Requested(order) => {
            let (from, to) = (WalletAvailable(order.account), WalletReserved(order.account));
            Entry::NONE.coins(order.usdt, from, to, order.reserved)
        }
        Event::Sent { usdt, chain, units, excess, .. } => Entry::NONE
            .coins(*usdt, Transit(*chain), Treasury(*chain), *units)
            .coins(*usdt, Slippage, Treasury(*chain), *excess),
        Event::Completed { reserve, cost, .. }
        | Event::Resolved { reserve, cost, resolution: Resolution::Paid(_) } => {
            completion_entry(*reserve, *cost)
        }
        Event::Failed { reserve, .. } => reserve.with_return(Entry::NONE),
        Event::Resolved { reserve, cost, resolution: Resolution::Returned(lost) } => {
            let entry = reserve.with_return(Entry::NONE);
            let from = lost.map(|at| at.account(reserve.chain));
            match from {
                Some(from) => entry.coins(reserve.usdt, Loss, from, cost.units),
                None => entry,
            }
        }
        // What the client lost waits for a person as coins that were found, which books it.
        Event::Recovered { bearer: Bearer::Client, .. } => Entry::NONE,
        Event::Recovered { usdt, chain, units, bearer: Bearer::House } => {
            Entry::NONE.coins(*usdt, Treasury(*chain), Loss, *units)
        }
        Event::Resolved { reserve, cost, resolution: Resolution::Lost(at) } => {
            reserve.consumption_entry(at.account(reserve.chain), *cost)
        }
    }
}

/// One entry closes the reserve: what the order cost, the network's fee, and what is left.
fn completion_entry(reserve: Reserve, cost: Cost) -> Entry {
    let Deal { net, fees, reserve: kept, residue } = cost.deal;
    reserve
        .consumption_entry(CoinAccount::Fx, cost)
        .principal(Account::Fx, Account::ProviderPay, net)
        .fee(Account::Fx, Account::SaleIncome, fees.house)
        .fee(Account::Fx, Account::Commission(reserve.account), fees.partner)
        .fee(Account::Fx, Account::ReserveIncome, kept)
        .fee(Account::Fx, Account::Rounding, residue)
}

impl Reserve {
    fn with_return(self, entry: Entry) -> Entry {
        let (from, to) = (self.bucket(), CoinAccount::WalletAvailable(self.account));
        entry.coins(self.usdt, from, to, self.units)
    }

    fn consumption_entry(self, to: CoinAccount, cost: Cost) -> Entry {
        let available = CoinAccount::WalletAvailable(self.account);
        Entry::NONE
            .coins(self.usdt, self.bucket(), to, cost.units)
            .coins(self.usdt, self.bucket(), CoinAccount::Gas, self.fee)
            .coins(self.usdt, self.bucket(), available, self.units_left(cost))
    }

    pub(super) fn units_left(self, cost: Cost) -> Option<Units> {
        self.units.minus(Some(cost.units)).and_then(|rest| rest.minus(self.fee))
    }

    const fn bucket(self) -> CoinAccount {
        CoinAccount::WalletReserved(self.account)
    }
}

impl Whereabouts {
    const fn account(self, chain: ChainId) -> CoinAccount {
        match self {
            Self::Transit => CoinAccount::Transit(chain),
            Self::Treasury => CoinAccount::Treasury(chain),
        }
    }
}
