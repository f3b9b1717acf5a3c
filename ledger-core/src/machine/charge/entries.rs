//! The entries of a charge: Part A1 and A4, a row an event.

use super::terms::{Into, Origin};
use super::{Event, purchase};
use crate::accounting::{Account, Entry};
use crate::id::OpId;

/// Accounts for `event` of charge `op`.
#[must_use]
pub fn entry(op: OpId, event: &Event) -> Entry {
    match event {
        Event::Requested(_) | Event::Expired | Event::Failed | Event::Withheld { .. } => {
            Entry::NONE
        }
        Event::Purchase(event) => purchase::entry(op, event),
        Event::Delayed { payment, .. } | Event::UnderReview { payment } => {
            Entry::NONE.principal(Account::ProviderPix, Account::PixInFlight(op), payment.amount)
        }
        Event::Credited { credit, .. } => {
            let from = match credit.origin {
                Origin::Provider => Account::ProviderPix,
                Origin::Flight => Account::PixInFlight(op),
                Origin::Suspense => Account::SuspensePix,
            };
            let to = match credit.available_at {
                Some(_) => Account::Held(credit.subaccount),
                None => Account::Available(credit.subaccount),
            };
            Entry::NONE.principal(from, to, credit.gross).fee(
                to,
                Account::DepositIncome,
                credit.fee,
            )
        }
        Event::Matured { subaccount, amount } => {
            Entry::NONE.shift(Account::Held(*subaccount), Account::Available(*subaccount), *amount)
        }
        Event::PartTaken { subaccount, amount, into } => {
            let to = match into {
                Into::Available => Account::Available(*subaccount),
                Into::Frozen => Account::Frozen(*subaccount),
            };
            Entry::NONE.shift(Account::Held(*subaccount), to, *amount)
        }
        Event::PartRestored { subaccount, amount } => {
            Entry::NONE.shift(Account::Frozen(*subaccount), Account::Held(*subaccount), *amount)
        }
        Event::ReturnedUncredited { amount } => {
            Entry::NONE.principal(Account::PixInFlight(op), Account::ProviderPix, *amount)
        }
        Event::ReturnedTraced { subaccount, amount } => {
            Entry::NONE.principal(Account::Frozen(*subaccount), Account::ProviderPix, *amount)
        }
        Event::Returned { subaccount, amount, fee } => {
            let available = Account::Available(*subaccount);
            Entry::FORCED.principal(available, Account::ProviderPix, *amount).fee(
                Account::DepositIncome,
                available,
                *fee,
            )
        }
    }
}
