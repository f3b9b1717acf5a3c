//! How accounts and subaccounts are opened.

use crate::id::{AccountId, KeyHash, SubaccountId};
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::terms::Terms;
use crate::time::Instant;

impl State {
    /// The next account is opened under its own terms, or under those published: what is opened
    /// before a published change takes part in it (rulings 49).
    pub(in crate::ledger) fn open_account(
        &self,
        name: Box<str>,
        key: KeyHash,
        terms: Option<Terms>,
        at: Instant,
    ) -> Vec<Event> {
        let (account, house) = (self.next_account(), self.next_subaccount());
        let changes = terms.is_none() && at < Terms::EFFECTIVE;
        let terms = Box::new(terms.unwrap_or_else(|| Terms::published_at(at)));
        let opened = Event::AccountOpened { account, name, key, house, terms };
        let (from, terms) = (Terms::EFFECTIVE, Box::new(Terms::latest()));
        let change = changes.then_some(Event::TermsAdopted { account, from, terms });
        std::iter::once(opened).chain(change).collect()
    }
}

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
