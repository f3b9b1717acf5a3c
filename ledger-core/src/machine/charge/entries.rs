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
        Event::Delayed { receipt, .. } | Event::UnderReview { receipt } => {
            Entry::NONE.principal(Account::ProviderPix, Account::PixInFlight(op), receipt.amount)
        }
        Event::Credited { credit, .. } => {
            let from = match credit.origin {
                Origin::Provider => Account::ProviderPix,
                Origin::Flight => Account::PixInFlight(op),
                Origin::Suspense => Account::SuspensePix,
            };
            let to = match credit.available_at {
                Some(_) => Account::Held(credit.custody),
                None => Account::Available(credit.custody),
            };
            Entry::NONE.principal(from, to, credit.gross).fee(
                to,
                Account::DepositIncome,
                credit.fee,
            )
        }
        Event::Matured { custody, amount } => {
            Entry::NONE.shift(Account::Held(*custody), Account::Available(*custody), *amount)
        }
        Event::PartTaken { custody, amount, into } => {
            let to = match into {
                Into::Available => Account::Available(*custody),
                Into::Frozen => Account::Frozen(*custody),
            };
            Entry::NONE.shift(Account::Held(*custody), to, *amount)
        }
        Event::PartRestored { custody, amount } => {
            Entry::NONE.shift(Account::Frozen(*custody), Account::Held(*custody), *amount)
        }
        Event::ReturnedUncredited { amount } => {
            Entry::NONE.principal(Account::PixInFlight(op), Account::ProviderPix, *amount)
        }
        Event::Returned { custody, amount, fee } => {
            let available = Account::Available(*custody);
            Entry::FORCED.principal(available, Account::ProviderPix, *amount).fee(
                Account::DepositIncome,
                available,
                *fee,
            )
        }
    }
}
