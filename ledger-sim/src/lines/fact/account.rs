//! Facts of accounts, and of the policy, as lines.

use ledger_core::ledger::account::Fact;
use ledger_core::terms::Terms;
use ledger_core::time::Instant;
use serde_json::{Value, json};

use crate::lines::{LineWriter, Written, body, terms};

impl LineWriter<'_> {
    pub(super) fn account_fact(&mut self, fact: &Fact, at: Instant) -> Written<Value> {
        Ok(match fact {
            Fact::Opened { name, terms, .. } => {
                let published = Terms::latest();
                let terms = terms.as_ref().map(|terms| terms::terms(terms, &published));
                body(json!({ "account": name, "terms": terms.transpose()? }))
            }
            Fact::PolicyAdopted(policy) => terms::policy(policy, &self.state.policy)?,
            Fact::TermsAdopted { account, from, terms } => {
                let known = self.state.account_named(account);
                let current = known.map_or_else(Terms::latest, |known| {
                    self.state.terms(known, from.unwrap_or(at))
                });
                let mut fields = terms::terms(terms, &current)?;
                fields["account"] = (**account).into();
                if let Some(from) = from {
                    fields["effective_from"] = from.to_string().into();
                }
                fields
            }
            Fact::KeyReplaced { account, decided_by, .. }
            | Fact::KeyRevoked { account, decided_by } => {
                self.with_decision(json!({ "account": account }), decided_by)
            }
        })
    }
}
