//! Of which environment a call is: its key's, or that of what it names.

use ledger_core::contract::{Call, CallKind, Environment};
use ledger_core::id::Kind;
use serde_json::Value;

use super::{Ledgers, Unanswered};

impl Ledgers {
    /// The environments that a call is for. `said` is what whoever reports a fact says of it; time
    /// that passes is for both unless it is said.
    ///
    /// # Errors
    ///
    /// [`Unanswered`] when that depends on what a ledger knows, and it takes no calls.
    pub async fn targets(
        &self,
        call: &Call,
        said: Option<Environment>,
    ) -> Result<Vec<Environment>, Unanswered> {
        if let Some(home) = call.ask.home() {
            return Ok(vec![home]);
        }
        let environment = match &call.ask {
            CallKind::Request { key: None, target, .. } => {
                said.unwrap_or_else(|| Environment::of_public(target))
            }
            CallKind::Request { key: Some(key), .. } | CallKind::Command { key: Some(key), .. } => {
                self.of_key(key).await?
            }
            CallKind::Command { key: None, .. } => Environment::Live,
            CallKind::Fact(name) if name == "time.passed" && said.is_none() => {
                return Ok(Environment::ALL.into());
            }
            CallKind::Fact(name) => match said {
                Some(said) => said,
                None => self.of_fact(name, &call.body).await?,
            },
        };
        Ok(vec![environment])
    }

    /// The environment in which a key is looked for. A key of today says so by how it begins, and
    /// opens nothing in the other; of an older one only a ledger that has it knows (AUTH-02).
    pub(crate) async fn of_key(&self, key: &str) -> Result<Environment, Unanswered> {
        if let Some(said) = said_by_key(key) {
            return Ok(said);
        }
        for ledger in self.all() {
            let hash = ledger.tokens().api_key(key);
            if ledger.engine().committed_state().await?.account_of_key(&hash).is_some() {
                return Ok(ledger.environment());
            }
        }
        Ok(Environment::Live)
    }

    /// The environment of the operation that a fact names, or else of the account.
    async fn of_fact(&self, name: &str, body: &Value) -> Result<Environment, Unanswered> {
        let text = |field: &str| body.get(field).and_then(Value::as_str);
        let named = Kind::fields().find_map(text).and_then(|id| self.operation(id));
        if let Some((ledger, _)) = named {
            return Ok(ledger.environment());
        }
        // The name of an account to be opened is of no ledger yet.
        let Some(account) = text("account").filter(|_| name != "account.opened") else {
            return Ok(Environment::Live);
        };
        for ledger in self.all() {
            if ledger.engine().committed_state().await?.account_named(account).is_some() {
                return Ok(ledger.environment());
            }
        }
        Ok(Environment::Live)
    }
}

/// The environment that a key says it is of; none where only a ledger that has it knows (AUTH-02).
pub(crate) fn said_by_key(key: &str) -> Option<Environment> {
    if key.starts_with("svc_test_") {
        return Some(Environment::Sandbox);
    }
    (key.starts_with("svc_live_") || !key.starts_with("svc_")).then_some(Environment::Live)
}
