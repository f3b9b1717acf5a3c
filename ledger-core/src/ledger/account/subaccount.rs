//! Subaccounts, opened by the decision that first names them.

use crate::id::{AccountId, CustodyId};
use crate::ledger::record::event::Event;
use crate::ledger::state::State;

/// The subaccount named, opened by the decision itself when it is new.
pub(in crate::ledger) fn resolve(
    state: &State,
    account: AccountId,
    known: Option<CustodyId>,
    customer: Option<Box<str>>,
    events: &mut Vec<Event>,
) -> CustodyId {
    if let Some(custody) = known {
        return custody;
    }
    let next = u32::try_from(state.books.custody_count());
    let custody = CustodyId(next.expect("fewer than four billion subaccounts"));
    let customer = customer.expect("the house balance of an account always exists");
    events.push(Event::SubaccountOpened { custody, account, customer });
    custody
}
