//! How an account is opened.

use crate::id::KeyHash;
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
