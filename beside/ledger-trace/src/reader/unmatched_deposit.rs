//! Receipts of coins: what an order had put aside becomes a receipt's own.

use ledger_core::accounting::CoinAccount;
use ledger_core::ledger::Event;
use ledger_core::machine::unmatched_deposit;

use crate::account::{LedgerAccount, Slot};
use crate::step::Flow;

/// Returns the flow by which coins in suspense change hands, where the event says that they do.
pub(super) fn handed_over(event: &Event) -> Option<Flow> {
    match event {
        Event::UnmatchedDeposit { op, event: unmatched_deposit::Event::Parted { order, .. } } => {
            let coins = order.deposit.coins;
            let from = LedgerAccount::Coins(coins.asset, CoinAccount::Suspense).slot(order.about);
            Some(Flow { from, to: Slot { of: Some(*op), ..from }, amount: coins.units.get() })
        }
        _ => None,
    }
}
