//! The ledgers that receive a client's call.

use std::slice;
use std::sync::Arc;

use ledger_cells::{Candidates, WholeStatement};
use ledger_core::contract::{Call, CallKind, CallOutcome, Environment, statement_asked};

use super::cells::blocking;
use super::{Ledgers, OpenLedger, Unanswered};

/// The ledgers that may have the answer to a call, in the order in which they are asked.
#[derive(Debug)]
pub(crate) enum Recipients {
    /// The one there is, or in which all of an account is.
    One(Arc<OpenLedger>),
    /// Several of real money, or one by what the call names.
    Several(Candidates<Arc<OpenLedger>>),
}

impl Recipients {
    pub(crate) fn ledgers(&self) -> &[Arc<OpenLedger>] {
        match self {
            Self::One(ledger) => slice::from_ref(ledger),
            Self::Several(candidates) => &candidates.ledgers,
        }
    }

    /// Tells whether what a ledger said is the answer, so that no further one is asked.
    pub(crate) fn is_answer(&self, outcome: &CallOutcome) -> bool {
        match self {
            Self::One(_) => true,
            Self::Several(candidates) => candidates.is_answer(outcome),
        }
    }
}

impl Ledgers {
    /// Who is asked a request or a command of an environment. Where the directory knows the key,
    /// and its account never moved, that is a lookup.
    ///
    /// # Errors
    ///
    /// [`Unanswered`] when a ledger takes no calls, or the directory is not written.
    pub(crate) async fn recipients(
        &self,
        environment: Environment,
        call: &Call,
    ) -> Result<Recipients, Unanswered> {
        let Some(cells) = self.cells().filter(|_| environment == Environment::Live) else {
            return Ok(Recipients::One(Arc::clone(self.for_environment(environment))));
        };
        // No client brings entropy, so this does not block.
        let Some(key) = key_of(call) else {
            return Ok(Recipients::Several(cells.of_anybody(call)?));
        };
        if let Some(ledger) = cells.only_ledger_of_key(key) {
            return Ok(Recipients::One(Arc::clone(ledger)));
        }
        let (cells, key, call) = (Arc::clone(cells), key.to_owned(), call.clone());
        Ok(Recipients::Several(blocking(move || cells.of_key(&key, &call)).await?))
    }

    /// Who is asked for the statement of an account that moved: one over all its ledgers. None for
    /// any other call.
    ///
    /// # Errors
    ///
    /// As of [`Ledgers::recipients`].
    pub(crate) async fn whole_statement(
        &self,
        environment: Environment,
        call: &Call,
    ) -> Result<Option<WholeStatement<Arc<OpenLedger>>>, Unanswered> {
        let cells = self.cells().filter(|_| environment == Environment::Live);
        let Some((cells, key)) = cells.zip(key_of(call)) else { return Ok(None) };
        if statement_asked(call).is_none() || cells.only_ledger_of_key(key).is_some() {
            return Ok(None);
        }
        let (cells, key, call) = (Arc::clone(cells), key.to_owned(), call.clone());
        blocking(move || cells.of_statement(&key, &call)).await
    }

    /// The ledger in which a call would begin something: that of the operation it names, or else
    /// the one that its account lives in.
    ///
    /// # Errors
    ///
    /// As of [`Ledgers::recipients`].
    pub(crate) async fn begins_in(
        &self,
        environment: Environment,
        call: &Call,
    ) -> Result<Arc<OpenLedger>, Unanswered> {
        let recipients = self.recipients(environment, call).await?;
        match (recipients.ledgers(), key_of(call)) {
            ([_, _, ..], Some(key)) => self.home_of_key(environment, key, call.at).await,
            (ledgers, _) => {
                Ok(Arc::clone(ledgers.first().expect("a call is for one ledger or more")))
            }
        }
    }

    /// The ledgers beside the home of a call's account that have something of it.
    pub(crate) fn beside_home(&self, call: &Call) -> Vec<Arc<OpenLedger>> {
        let asked = self.cells().zip(key_of(call));
        let beside = asked.map(|(cells, key)| cells.ledgers_beside_home_of_key(key));
        beside.unwrap_or_default().into_iter().cloned().collect()
    }

    /// Tells whether a call reads what may be read of several ledgers.
    pub(crate) fn reads_of_cells(&self, call: &Call) -> bool {
        let reads = matches!(&call.ask, CallKind::Request { method, .. } if method == "GET");
        reads && self.cells().is_some()
    }

    /// Tells whether the account of a call that reads moved away while a ledger answered it: what
    /// was read there may be what was left.
    pub(crate) fn moved_meanwhile(&self, ledger: &OpenLedger, call: &Call) -> bool {
        let cells = self.cells().filter(|_| ledger.environment() == Environment::Live);
        let asked = cells.zip(key_of(call));
        asked.is_some_and(|(cells, key)| {
            let only = cells.only_ledger_of_key(key);
            only.is_none_or(|only| **only.name() != **ledger.name())
        })
    }
}

/// Returns what the home of an account answered, with the rows of all its ledgers.
///
/// # Errors
///
/// [`Unanswered`] when one of them takes no calls.
pub(crate) async fn complete_statement(
    whole: WholeStatement<Arc<OpenLedger>>,
    outcome: CallOutcome,
) -> Result<CallOutcome, Unanswered> {
    blocking(move || Ok(whole.complete(outcome)?)).await
}

/// The key that a call is asked with.
fn key_of(call: &Call) -> Option<&str> {
    match &call.ask {
        CallKind::Request { key, .. } | CallKind::Command { key, .. } => key.as_deref(),
        CallKind::Fact(_) => None,
    }
}
