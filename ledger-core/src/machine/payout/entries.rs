//! The entries of a payout: Part A6, a row an event.

use super::Event;
use crate::accounting::{Account, Entry};
use crate::id::OpId;

/// Accounts for `event` of payout `op`.
#[must_use]
pub fn entry(op: OpId, event: &Event) -> Entry {
    let flight = Account::PayoutInFlight(op);
    match event {
        Event::Requested(order) => {
            let available = Account::Available(order.subaccount);
            let fees = order.fees.total().expect("follows admits no order whose fees overflow");
            Entry::NONE.principal(available, flight, order.amount).fee(available, flight, fees)
        }
        Event::Submitted | Event::Uncertain | Event::Stopped | Event::Cleared => Entry::NONE,
        Event::Completed { account, amount, fees, .. } => Entry::NONE
            .principal(flight, Account::ProviderPay, *amount)
            .fee(flight, Account::PayoutIncome, fees.house)
            .fee(flight, Account::Commission(*account), fees.partner)
            .fee(flight, Account::TariffDue, fees.tariff),
        Event::Failed { subaccount, amount, fees } => {
            let available = Account::Available(*subaccount);
            let fees = fees.total().expect("the same fees as were debited");
            Entry::NONE.principal(flight, available, *amount).fee(flight, available, fees)
        }
        Event::Returned { subaccount, account, amount, fees } => {
            let available = Account::Available(*subaccount);
            Entry::NONE
                .principal(Account::ProviderPay, available, *amount)
                .fee(Account::PayoutIncome, available, fees.house)
                .fee(Account::Commission(*account), available, fees.partner)
        }
    }
}
