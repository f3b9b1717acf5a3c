//! Facts of accounts, of those that move between ledgers, and of the policy, as lines.

use ledger_core::contract::carried_body;
use ledger_core::ledger::account::Fact;
use ledger_core::ledger::cell::{Fact as CellFact, Step};
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

    pub(super) fn cell_fact(&self, fact: &CellFact) -> Value {
        match fact {
            CellFact::Moved { account, step, ledger } => {
                json!({ "account": account, "step": word(*step), "ledger": ledger })
            }
            CellFact::Arriving { account, ledger, carried } => {
                let mut fields = carried_body(carried, &self.people.tokens);
                fields["account"] = (**account).into();
                fields["ledger"] = (**ledger).into();
                fields
            }
            CellFact::BalanceCarried {
                account,
                customer,
                commission,
                effect,
                deposited,
                waiting_until,
            } => json!({
                "account": account,
                "customer_ref": customer,
                "commission": commission,
                "effect_cents": (effect.cents() != 0).then_some(effect.cents()),
                "deposited": deposited,
                "waiting_until": waiting_until.map(|until| until.to_string()),
            }),
        }
    }
}

const fn word(step: Step) -> &'static str {
    match step {
        Step::Leaving => "leaving",
        Step::Staying => "staying",
        Step::Departed => "departed",
        Step::Arrived => "arrived",
    }
}
