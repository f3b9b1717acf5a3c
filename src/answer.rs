//! What came of a request or a fact.

use std::fmt;

use ledger_core::contract::{CallOutcome, Response, set_aside_reason, set_aside_word};
use ledger_core::ledger::{Instruction, Notification, SetAsideReason};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, Refusal};
use crate::value::{ApiKey, OperationId};

/// A request that was answered. What the answer says is durable.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Done<T> {
    /// The answer, of the request's own type.
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
    /// Tells whether this recorded nothing: a read, or a request that was made before under the
    /// same external id, whose answer is how the operation stands now.
    #[must_use]
    pub const fn is_repeated(&self) -> bool {
        self.seq.is_none()
    }
}

/// A fact that was taken. What came of it is durable: it may have been set aside, which
/// [`Reported::ensure_applied`] gives as an error.
#[must_use = "the fact may have been set aside: `ensure_applied` says so"]
#[derive(Clone)]
#[non_exhaustive]
pub struct Reported {
    /// What came of it.
    pub outcome: Outcome,
    /// The number of the record behind it; none where its identity was known.
    pub seq: Option<u64>,
    /// What clients are notified of by it.
    pub notifications: Vec<Notification>,
    /// What the world is asked to do by it.
    pub instructions: Vec<Instruction>,
    /// The whole answer, as the contract's JSON.
    pub body: Value,
}

impl Reported {
    /// Returns what it did, now or when it was first reported, as far as it was not set aside: a
    /// fact that contradicts the books is an error here, to be looked at by a person.
    ///
    /// Reported again it stays that error, and changes nothing. To try again, such as when there is
    /// money, a service reports it under another id.
    ///
    /// ```
    /// use custody_ledger::SetAsideReason;
    /// use custody_ledger::fact::account::AccountOpened;
    /// use custody_ledger::prelude::*;
    ///
    /// let ledger = Ledger::open("memory:").wait()?;
    /// let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
    /// let opened = opened.key("svc_live_loja".try_into()?);
    /// assert!(!ledger.report(&opened).wait()?.ensure_applied()?.is_known);
    /// assert!(ledger.report(&opened).wait()?.ensure_applied()?.is_known);
    ///
    /// // Another fact opens an account of the same name.
    /// let again = AccountOpened::new(FactId::new("acc-2")?, AccountName::new("loja")?);
    /// let again = ledger.report(&again.key("svc_live_loja_2".try_into()?)).wait()?;
    /// let aside = again.ensure_applied().unwrap_err();
    /// assert_eq!(aside.reason, SetAsideReason::NameTaken);
    /// // It stays set aside, however often it is reported.
    /// let again = AccountOpened::new(FactId::new("acc-2")?, AccountName::new("loja")?);
    /// let again = ledger.report(&again.key("svc_live_loja_2".try_into()?)).wait()?;
    /// assert_eq!(again.ensure_applied().unwrap_err(), aside);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SetAside`], with the reason.
    pub fn ensure_applied(&self) -> Result<Applied, SetAside> {
        match &self.outcome {
            Outcome::Applied(operation) => {
                Ok(Applied { operation: operation.clone(), is_known: false, differs: Vec::new() })
            }
            Outcome::Known(FirstOutcome::Applied(operation)) => {
                let (operation, differs) = (operation.clone(), self.differing_fields());
                Ok(Applied { operation, is_known: true, differs })
            }
            Outcome::SetAside(aside) | Outcome::Known(FirstOutcome::SetAside(aside)) => {
                Err(aside.clone())
            }
        }
    }

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

    fn differing_fields(&self) -> Vec<String> {
        let named = self.body.get("campos_divergentes").and_then(Value::as_array);
        let named = named.into_iter().flatten().filter_map(Value::as_str);
        named.map(str::to_owned).collect()
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
    /// It was reported before: nothing happened now, and this came of it then.
    Known(FirstOutcome),
    /// It contradicts the books and waits for a person.
    SetAside(SetAside),
}

/// The outcome of a fact when it was first reported.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FirstOutcome {
    /// It happened, and created this operation, if it creates one.
    Applied(Option<OperationId>),
    /// It contradicted the books, and waits for a person.
    SetAside(SetAside),
}

/// A fact that did what it says, now or when it was first reported.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Applied {
    /// The operation that it created, if it creates one.
    pub operation: Option<OperationId>,
    /// It was reported before, and nothing happened now.
    pub is_known: bool,
    /// The fields in which it says something else than when it was first reported: what they say
    /// now does not count.
    pub differs: Vec<String>,
}

/// A fact that contradicts the books: it is recorded, and waits for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetAside {
    /// Why it contradicts them.
    pub reason: SetAsideReason,
    /// The operation under which its money waits, where it brings some.
    pub waiting: Option<OperationId>,
}

impl fmt::Display for SetAside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the fact is set aside as {}", set_aside_word(self.reason))?;
        match &self.waiting {
            Some(waiting) => write!(f, ", and its money waits as {waiting}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SetAside {}

/// The answer to a request.
pub(crate) fn request_answer<T: DeserializeOwned>(outcome: CallOutcome) -> Result<Done<T>, Error> {
    let CallOutcome { response, records, notifications, instructions, .. } = outcome;
    let answer = answer(response)?;
    // Deadlines that came due on the way have records of their own.
    let own = records.last().filter(|record| !record.cause.deadline);
    Ok(Done { answer, seq: own.map(|record| record.seq.0), notifications, instructions })
}

/// The answer to a request, of the response that brings it.
pub(crate) fn answer<T: DeserializeOwned>(response: Response) -> Result<T, Error> {
    Ok(serde_json::from_value(body_or_refusal(response)?)?)
}

/// The answer to a fact.
pub(crate) fn fact_answer(outcome: CallOutcome) -> Result<Reported, Error> {
    let CallOutcome { response, records, notifications, instructions, .. } = outcome;
    let body = body_or_refusal(response)?;
    let created = body.as_object().and_then(|body| {
        let id = body.iter().find(|(name, _)| name.ends_with("_id"))?.1.as_str()?;
        OperationId::new(id).ok()
    });
    let outcome = match (body["outcome"].as_str(), reason_of(&body)) {
        (Some("applied"), _) => Outcome::Applied(created),
        (Some("set_aside"), Some(reason)) => {
            Outcome::SetAside(SetAside { reason, waiting: created })
        }
        (_, Some(reason)) => {
            Outcome::Known(FirstOutcome::SetAside(SetAside { reason, waiting: created }))
        }
        _ => Outcome::Known(FirstOutcome::Applied(created)),
    };
    let own = records.last().filter(|record| !record.cause.deadline);
    let seq = own.map(|record| record.seq.0);
    Ok(Reported { outcome, seq, notifications, instructions, body })
}

/// Why it was set aside, now or when it was first reported; none where it was not. The first
/// versions of the ledger kept no reason.
fn reason_of(body: &Value) -> Option<SetAsideReason> {
    let reason = body.get("reason")?.as_str().and_then(set_aside_reason);
    Some(reason.unwrap_or(SetAsideReason::Unmatched))
}

fn body_or_refusal(response: Response) -> Result<Value, Refusal> {
    if (200..300).contains(&response.status) {
        Ok(response.body.into())
    } else {
        Err(Refusal::from_response(&response))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_an_old_record_set_aside_without_a_reason_is_unmatched() {
        let answer = |body| {
            let nothing = (Vec::new(), Vec::new(), Vec::new());
            let (records, notifications, instructions) = nothing;
            let response = Response::ok(body);
            let outcome =
                CallOutcome { response, records, notifications, instructions, onward: None };
            fact_answer(outcome).unwrap().outcome
        };
        let aside = SetAside { reason: SetAsideReason::Unmatched, waiting: None };
        let known = json!({ "outcome": "known", "first_outcome": "set_aside", "reason": null });
        assert_eq!(answer(known), Outcome::Known(FirstOutcome::SetAside(aside)));
        assert_eq!(
            answer(json!({ "outcome": "known" })),
            Outcome::Known(FirstOutcome::Applied(None))
        );
    }
}
