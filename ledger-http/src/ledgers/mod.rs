//! The ledgers that a service answers from: one of real money, one of test keys.

mod balances;
mod open_ledger;
mod routing;

use std::sync::Arc;

use ledger_core::contract::{Call, CallOutcome, Environment};
use ledger_core::id::OpId;
use ledger_core::time::Instant;

pub use open_ledger::{OpenLedger, Unanswered};
pub(crate) use routing::said_by_key;

/// Both ledgers of a service, and the way to the one that a call is for.
#[derive(Clone, Debug)]
pub struct Ledgers {
    live: Arc<OpenLedger>,
    sandbox: Arc<OpenLedger>,
}

impl Ledgers {
    /// Both, each opened for writing; their names are their own.
    ///
    /// # Panics
    ///
    /// When they are not of the environment that they are given as.
    #[must_use]
    pub fn new(live: OpenLedger, sandbox: OpenLedger) -> Self {
        assert!(live.environment() == Environment::Live, "the first ledger is of real money");
        assert!(sandbox.environment() == Environment::Sandbox, "the second is of test keys");
        Self { live: Arc::new(live), sandbox: Arc::new(sandbox) }
    }

    /// The ledger of an environment.
    #[must_use]
    pub fn of(&self, environment: Environment) -> &Arc<OpenLedger> {
        match environment {
            Environment::Live => &self.live,
            Environment::Sandbox => &self.sandbox,
        }
    }

    /// Both, in the order in which they are reported.
    pub fn all(&self) -> impl Iterator<Item = &Arc<OpenLedger>> {
        Environment::ALL.into_iter().map(|environment| self.of(environment))
    }

    /// The operation that an id names, and the environment of the ledger that gave it.
    pub(crate) fn operation(&self, id: &str) -> Option<(Environment, OpId)> {
        self.all().find_map(|ledger| Some((ledger.environment(), OpId::parse(id, ledger.name())?)))
    }

    /// Handles a call on the ledger of an environment, and passes on what that has for the other.
    ///
    /// # Errors
    ///
    /// [`Unanswered`] when there is no answer to be given now. What could not be passed on is none
    /// either: asked again, it is passed on again.
    pub async fn handle(
        &self,
        environment: Environment,
        call: Call,
        now: Instant,
    ) -> Result<CallOutcome, Unanswered> {
        let mut outcome = self.of(environment).handle(call, now).await?;
        if let Some(onward) = outcome.onward.take() {
            self.of(Environment::Live).handle(onward, now).await?;
        }
        Ok(outcome)
    }
}
