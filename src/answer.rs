//! What came of a request or a fact.

use std::fmt;

use ledger_core::contract::{CallOutcome, Response};
use ledger_core::ledger::{Instruction, Notification};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, Refusal};
use crate::value::{ApiKey, OperationId};

/// A request that was answered. What the answer says is durable.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Done<T> {
    /// The answer.
    pub answer: T,
    /// The number of the record behind it; none where nothing was recorded: it was only read, or
    /// asked before.
    pub seq: Option<u64>,
    /// What clients are notified of by it.
    pub notifications: Vec<Notification>,
    /// What the world is asked to do by it.
    pub instructions: Vec<Instruction>,
}

impl<T> Done<T> {
    /// Whether this recorded nothing: a read, or a request that was made before under the same
    /// external id, whose answer is how the operation stands now.
    #[must_use]
    pub const fn is_repeated(&self) -> bool {
        self.seq.is_none()
    }
}

/// A fact that was taken. What came of it is durable.
#[derive(Clone)]
#[non_exhaustive]
pub struct Reported {
    /// What came of it.
    pub outcome: Outcome,
    /// The number of the record behind it; none where it was known.
    pub seq: Option<u64>,
    /// What clients are notified of by it.
    pub notifications: Vec<Notification>,
    /// What the world is asked to do by it.
    pub instructions: Vec<Instruction>,
    /// The whole answer, as the contract's JSON.
    pub body: Value,
}

impl Reported {
    /// The key that the ledger made of the fact's entropy, for an account that it opened or whose
    /// key it replaced. It is shown once: no later answer has it. None where the fact brought its
    /// key.
    ///
    /// ```
    /// use custody_ledger::fact::account::AccountOpened;
    /// use custody_ledger::prelude::*;
    ///
    /// let ledger = Ledger::open("memory:").wait()?;
    /// let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
    /// # let entropy = "5e".repeat(32); // A service draws 32 fresh bytes.
    /// let opened = ledger.report(&opened.entropy(entropy.parse()?)).wait()?;
    /// let loja = ledger.client(opened.api_key().expect("no key was brought"));
    /// assert!(loja.reader(&Party::House).wait()?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn api_key(&self) -> Option<ApiKey> {
        ApiKey::new(self.body.get("api_key")?.as_str()?).ok()
    }
}

/// With the whole answer, but for a new key.
impl fmt::Debug for Reported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut body = self.body.clone();
        if let Some(key) = body.get_mut("api_key").filter(|key| !key.is_null()) {
            *key = "***".into();
        }
        f.debug_struct("Reported")
            .field("outcome", &self.outcome)
            .field("seq", &self.seq)
            .field("notifications", &self.notifications)
            .field("instructions", &self.instructions)
            .field("body", &body)
            .finish()
    }
}

/// What came of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// It happened, and created this operation, if it creates one.
    Applied(Option<OperationId>),
    /// It was reported before: nothing happened.
    Known,
    /// It contradicts the books and waits for a person: under this id, where money waits with it.
    SetAside {
        /// What waits.
        waiting: Option<OperationId>,
        /// Why: the word that the list of set-aside facts shows.
        reason: String,
    },
}

/// The answer to a request.
pub(crate) fn done<T: DeserializeOwned>(outcome: CallOutcome) -> Result<Done<T>, Error> {
    let CallOutcome { response, records, notifications, instructions, .. } = outcome;
    let answer = serde_json::from_value(accepted(response)?)?;
    // Deadlines that came due on the way have records of their own.
    let own = records.last().filter(|record| !record.cause.deadline);
    Ok(Done { answer, seq: own.map(|record| record.seq.0), notifications, instructions })
}

/// The answer to a fact.
pub(crate) fn reported(outcome: CallOutcome) -> Result<Reported, Error> {
    let CallOutcome { response, records, notifications, instructions, .. } = outcome;
    let body = accepted(response)?;
    let created = body.as_object().and_then(|body| {
        let id = body.iter().find(|(name, _)| name.ends_with("_id"))?.1.as_str()?;
        OperationId::new(id).ok()
    });
    let outcome = match body["outcome"].as_str() {
        Some("applied") => Outcome::Applied(created),
        Some("set_aside") => {
            let reason = body["reason"].as_str().unwrap_or_default().to_owned();
            Outcome::SetAside { waiting: created, reason }
        }
        _ => Outcome::Known,
    };
    let own = records.last().filter(|record| !record.cause.deadline);
    let seq = own.map(|record| record.seq.0);
    Ok(Reported { outcome, seq, notifications, instructions, body })
}

fn accepted(response: Response) -> Result<Value, Refusal> {
    if (200..300).contains(&response.status) {
        Ok(response.body.into())
    } else {
        Err(Refusal::of(&response))
    }
}
