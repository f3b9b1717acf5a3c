//! Which ledger a line is for, and what the lines before it have made known of keys and names.

use ledger_core::contract::{Body, CallKind, Environment, Line, opened_account};
use ledger_core::id::{Kind, OpId};
use serde_json::Value;

use super::{Environments, OpenLedger};

impl Environments {
    /// Which ledgers a line is for: its key's, that of what it names or says; time is for both.
    pub fn route(&mut self, line: &Line) -> Vec<Environment> {
        let passes = matches!(&line.ask, CallKind::Fact(name) if name == "time.passed");
        if passes && line.environment.is_none() {
            return Environment::ALL.into();
        }
        let of = |matches: &dyn Fn(&Environment, &OpenLedger) -> bool| {
            let found =
                self.ledgers.iter().find(|(environment, ledger)| matches(environment, ledger));
            found.map(|(environment, _)| *environment)
        };
        let environment = line.ask.home().or_else(|| match &line.ask {
            CallKind::Request { key: None, target, .. } => {
                Some(line.environment.unwrap_or_else(|| Environment::of_public(target)))
            }
            CallKind::Request { key: Some(key), .. } => {
                of(&|_, ledger| ledger.keys.contains(&ledger.tokens.api_key(key)))
            }
            CallKind::Command { key, .. } => {
                let key = key.as_deref().unwrap_or_default();
                of(&|_, ledger| ledger.keys.contains(&ledger.tokens.api_key(key)))
            }
            CallKind::Fact(name) => {
                let text = |field: &str| line.body.get(field).and_then(Value::as_str);
                let named = Kind::fields().find_map(text);
                let account = text("account").filter(|_| name != "account.opened");
                line.environment
                    .or_else(|| {
                        let id = named?;
                        of(&|environment, _| OpId::parse(id, &(*environment).into()).is_some())
                    })
                    .or_else(|| {
                        let account = account?;
                        of(&|_, ledger| ledger.names.contains(account))
                    })
            }
        });
        let environment = environment.unwrap_or(Environment::Live);
        if matches!(&line.ask, CallKind::Fact(name) if opened_account(name).is_some()) {
            self.expect_account(environment, line);
        }
        vec![environment]
    }

    /// An account about to be opened: the lines after this one may already use it.
    fn expect_account(&mut self, environment: Environment, line: &Line) {
        // An agent's account is named after it.
        let text = |field: &str| line.body.get(field).and_then(Value::as_str);
        let name = text("account").or_else(|| text("agent_id")).map(str::to_owned);
        let key = line.supplied.get("key").and_then(Value::as_str).map(str::to_owned);
        if let Some((_, ledger)) = self.ledgers.iter_mut().find(|(known, _)| *known == environment)
        {
            ledger.names.extend(name);
            ledger.keys.extend(key.map(|key| ledger.tokens.api_key(&key)));
        }
    }

    /// A key that an answer showed once, and the name of the account it opens, if that is new.
    pub fn learn_key(&mut self, environment: Environment, answer: &Body) {
        let Some(key) = answer.text("api_key") else { return };
        // The key that production is granted with is the live ledger's, whoever shows it.
        let named = answer.pointer("/key/account").and_then(Value::as_str);
        let name = named.or(answer.text("agent_id"));
        let granted = answer["environment"] == "production";
        let environment = if granted { Environment::Live } else { environment };
        if let Some((_, ledger)) = self.ledgers.iter_mut().find(|(known, _)| *known == environment)
        {
            ledger.keys.insert(ledger.tokens.api_key(key));
            ledger.names.extend(name.map(str::to_owned));
        }
    }
}
