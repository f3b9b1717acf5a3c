//! The entries of a hold, a row an event: only what came from available moves here.

use super::Event;
use crate::accounting::{Account, Entry};
use crate::id::SubaccountId;
use crate::money::Cents;

/// Accounts for `event`.
#[must_use]
pub fn entry(event: &Event) -> Entry {
    let moved = |subaccount: SubaccountId, as_cents: Cents| {
        Entry::NONE.shift(Account::Available(subaccount), Account::Frozen(subaccount), as_cents)
    };
    let freed = |subaccount: SubaccountId, as_cents: Cents| {
        Entry::NONE.shift(Account::Frozen(subaccount), Account::Available(subaccount), as_cents)
    };
    match event {
        Event::Placed { order, from_available, .. } => moved(order.subaccount, *from_available),
        Event::ToppedUp { subaccount, amount } => moved(*subaccount, amount.as_cents()),
        // The charge's own event sends what went back.
        Event::Lapsed | Event::Returned { .. } => Entry::NONE,
        Event::Released { subaccount, to_available, .. } => freed(*subaccount, *to_available),
        Event::Taken { subaccount, amount } => freed(*subaccount, amount.as_cents()),
    }
}
