//! Deposits of coins to be sold: the sender that their network shows.

use ledger_core::ledger::Event;
use ledger_core::machine::{cash_out, unmatched_deposit};

/// Returns the address that a network shows as the sender of a deposit.
pub(super) fn deposit_sender(event: &Event) -> Option<String> {
    let from = match event {
        Event::CashOut { event: cash_out::Event::DepositSeen { deposit, .. }, .. } => {
            deposit.from.as_deref()
        }
        Event::UnmatchedDeposit { event: unmatched_deposit::Event::Received(order), .. } => {
            order.deposit.from.as_deref()
        }
        _ => None,
    };
    from.map(str::to_owned)
}
