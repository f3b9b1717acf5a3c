//! The entries of a wallet deposit: Part A12, a row an event; rulings 33 and 34.

use super::{Event, Rejection, Transfer};
use crate::accounting::{CoinAccount, Entry};
use crate::machine::wallet::{into_usdt, out_of_usdt};

/// Accounts for `event`.
#[must_use]
pub fn entry(event: &Event) -> Entry {
    use CoinAccount::{Suspense, Transit, Treasury, WalletAvailable, WalletConfirming};
    let none = || Entry::NONE;
    match event {
        Event::Requested(_) | Event::Expired => Entry::NONE,
        Event::Seen { account, transfer } => {
            let (from, to) = (Transit(transfer.chain), WalletConfirming(*account));
            into_usdt(none(), transfer.pair(), from, to, transfer.units)
        }
        Event::Mismatched(transfer)
        | Event::Found { transfer, .. }
        | Event::MinedAgain(transfer) => {
            none().coins(transfer.asset, Transit(transfer.chain), Suspense, transfer.units)
        }
        Event::Credited { account, transfer } => {
            let Transfer { asset, chain, units, .. } = *transfer;
            let usdt = transfer.pair().1;
            let entry = none().coins(asset, Treasury(chain), Transit(chain), units);
            entry.coins(usdt, WalletConfirming(*account), WalletAvailable(*account), units)
        }
        Event::Doubted { account, transfer, .. } => {
            let from = WalletConfirming(*account);
            out_of_usdt(none(), transfer.pair(), from, Suspense, transfer.units)
        }
        Event::Settled(transfer) => {
            let (to, from) = (Treasury(transfer.chain), Transit(transfer.chain));
            none().coins(transfer.asset, to, from, transfer.units)
        }
        Event::Cleared { account, transfer, credited } => {
            let to = WalletAvailable(*account);
            let entry = into_usdt(none(), transfer.pair(), Suspense, to, *credited);
            let back = transfer.units.minus(Some(*credited));
            entry.coins(transfer.asset, Suspense, Treasury(transfer.chain), back)
        }
        Event::Rejected { transfer, rejection } => {
            let to = match rejection {
                Rejection::Returned => Treasury(transfer.chain),
                Rejection::Vanished => Transit(transfer.chain),
            };
            none().coins(transfer.asset, Suspense, to, transfer.units)
        }
        Event::Reappeared(transfer) => {
            none().coins(transfer.asset, Treasury(transfer.chain), Suspense, transfer.units)
        }
        Event::Reversed { account, transfer, credited } => {
            let (from, to) = (WalletAvailable(*account), Treasury(transfer.chain));
            out_of_usdt(Entry::FORCED, transfer.pair(), from, to, *credited)
        }
    }
}
