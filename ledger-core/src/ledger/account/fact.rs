//! What operators report of accounts: opened, and on which terms.

use crate::id::{AccountId, AgentId, KeyHash};
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, accept, already_known, attribute};
use crate::ledger::record::event::Event;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::facts::facts;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::terms::{Policy, Terms};
use crate::time::Instant;

facts! {
    /// What is reported of accounts, and of the policy they are all served by.
    #[allow(missing_docs)] // Fields bear the wire's names; the contract module describes each.
    Fact {
        /// An API account was opened; without terms it has the published ones.
        Opened { name: Box<str>, key: KeyHash, terms: Option<Terms> } is FactKind::AccountOpened;
        /// The ledger's policy was changed.
        PolicyAdopted(policy: Policy) is FactKind::PolicyAdopted;
        /// An account's terms change from an instant on; none: at once.
        TermsAdopted { account: Box<str>, from: Option<Instant>, terms: Terms }
            is FactKind::TermsAdopted;
        /// An account got another key, for one that was lost or revoked.
        KeyReplaced { account: Box<str>, key: KeyHash, decided_by: OperatorDecision }
            is FactKind::KeyReplaced;
        /// An account's key was revoked.
        KeyRevoked { account: Box<str>, decided_by: OperatorDecision } is FactKind::KeyRevoked;
    }
}

impl FactContext<'_> {
    /// A fact about an account.
    pub(in crate::ledger) fn decide_account(&self, fact: Fact) -> Decision {
        match fact {
            Fact::Opened { name, key, terms } => self.account(name, key, terms),
            Fact::PolicyAdopted(policy) => self.policy(policy),
            Fact::TermsAdopted { account, from, terms } => self.terms(&account, from, terms),
            Fact::KeyReplaced { account, key, decided_by } => {
                attribute(self.key_replaced(&account, key), decided_by)
            }
            Fact::KeyRevoked { account, decided_by } => {
                attribute(self.key_revoked(&account), decided_by)
            }
        }
    }

    /// A policy; its wallet counts in assets and networks that the catalogue numbers.
    fn policy(&self, policy: Policy) -> Decision {
        let wallet = policy.wallet.as_ref();
        if wallet.is_some_and(|wallet| !self.state.catalogue.numbers_wallet(wallet)) {
            return self.aside(Reason::ListingDiffers);
        }
        accept(vec![Event::PolicyAdopted(Box::new(policy))])
    }
}

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
            // Whoever registers an agent is to find its id free.
            (None, None) if AgentId::is_given_by(&self.state.name, &name) => {
                return self.aside(Reason::NameTaken);
            }
            (None, None) if !self.state.knows_key(&key) => {}
            (Some(named), Some(opened)) if named == opened => return already_known(),
            (Some(_), None) if !self.state.knows_key(&key) => {
                return self.aside(Reason::NameTaken);
            }
            _ => return self.aside(Reason::IdTaken),
        }
        accept(self.state.open_account(name, key, terms, self.at))
    }

    /// Terms from an instant on. Terms adopted before a published change outlast it: the change is
    /// of accounts that agreed nothing else (rulings 48 and 49).
    fn terms_from(&self, account: AccountId, from: Instant, terms: Terms) -> Vec<Event> {
        let adopted = |from| Event::TermsAdopted { account, from, terms: Box::new(terms) };
        let schedule = self.state.account(account).map(|known| &known.schedule);
        let change = schedule.and_then(|known| known.beginning(Terms::EFFECTIVE));
        let before = schedule.map(|known| *known.at(from));
        let outlasts = change.is_some_and(|change| {
            from < Terms::EFFECTIVE && (*change == Terms::latest() || Some(*change) == before)
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
            Some(account) if self.state.lives_here(account).is_err() => {
                self.aside(Reason::OutOfTurn)
            }
            Some(account) => accept(self.terms_from(account, from.unwrap_or(self.at), terms)),
            None => self.aside(Reason::Unmatched),
        }
    }
}
