//! What operators report of accounts: opened, and on which terms.

use crate::id::{AccountId, KeyHash};
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, applied, known};
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::terms::Terms;
use crate::time::Instant;

impl FactContext<'_> {
    pub(in crate::ledger) fn account(
        &self,
        name: Box<str>,
        key: KeyHash,
        terms: Option<Terms>,
    ) -> Decision {
        let by_name = self.state.account_named(&name);
        let by_key = self.state.account_of_key(&key);
        match (by_name, by_key) {
            (None, None) if !self.state.knows_key(&key) => {}
            (Some(named), Some(opened)) if named == opened => return known(),
            _ => return self.aside(Reason::IdTaken),
        }
        applied(self.state.open_account(name, key, terms, self.at))
    }

    /// Terms from an instant on. Terms adopted before a published change outlast it: the change is
    /// of accounts that agreed nothing else (rulings 48 and 49).
    fn terms_from(&self, account: AccountId, from: Instant, terms: Terms) -> Vec<Event> {
        let adopted = |from| Event::TermsAdopted { account, from, terms: Box::new(terms) };
        let schedule = self.state.account(account).map(|known| &known.schedule);
        let change = schedule.and_then(|known| known.beginning(Terms::EFFECTIVE));
        let before = schedule.map(|known| *known.at(from));
        let outlasts = change.is_some_and(|change| {
            from < Terms::EFFECTIVE && (*change == Terms::published() || Some(*change) == before)
        });
        let again = outlasts.then(|| adopted(Terms::EFFECTIVE));
        std::iter::once(adopted(from)).chain(again).collect()
    }

    pub(in crate::ledger) fn terms(
        &self,
        account: &str,
        from: Option<Instant>,
        terms: Terms,
    ) -> Decision {
        match self.state.account_named(account) {
            Some(account) => applied(self.terms_from(account, from.unwrap_or(self.at), terms)),
            None => self.aside(Reason::Unmatched),
        }
    }
}
