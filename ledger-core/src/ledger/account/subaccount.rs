//! Subaccounts, opened by the decision that first names them.

use crate::id::{AccountId, SubaccountId};
use crate::ledger::record::event::Event;
use crate::ledger::state::State;

/// The subaccount named, opened by the decision itself when it is new.
pub(in crate::ledger) fn resolve(
    state: &State,
    account: AccountId,
    known: Option<SubaccountId>,
    customer: Option<Box<str>>,
    events: &mut Vec<Event>,
) -> SubaccountId {
    if let Some(subaccount) = known {
        return subaccount;
    }
    let next = u32::try_from(state.books.subaccount_count());
    let subaccount = SubaccountId(next.expect("fewer than four billion subaccounts"));
    let customer = customer.expect("the house balance of an account always exists");
    events.push(Event::SubaccountOpened { subaccount, account, customer });
    subaccount
}
