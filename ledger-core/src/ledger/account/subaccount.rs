//! Subaccounts, opened by the decision that first names them.

use crate::id::{AccountId, SubaccountId};
use crate::ledger::record::event::Event;
use crate::ledger::state::State;

/// The subaccount named, opened by the decision itself when it is new and no event of it opened it.
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
    let customer = customer.expect("the house balance of an account always exists");
    let mut opened = 0;
    for event in events.iter() {
        if let Event::SubaccountOpened { subaccount, account: of, customer: name } = event {
            if *of == account && *name == customer {
                return *subaccount;
            }
            opened += 1;
        }
    }
    let next = u32::try_from(state.books.subaccount_count() + opened);
    let subaccount = SubaccountId(next.expect("fewer than four billion subaccounts"));
    events.push(Event::SubaccountOpened { subaccount, account, customer });
    subaccount
}
