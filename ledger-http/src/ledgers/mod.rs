//! The ledgers that a service answers from: those of real money, and one of test keys.

mod balances;
mod cells;
mod facts;
mod open_ledger;
mod readers;
mod recipients;
mod routing;
mod sandbox_clock;

use std::sync::Arc;

use ledger_cells::Cells;
use ledger_core::contract::{Call, CallOutcome, Environment};
use ledger_core::id::OpId;
use ledger_core::time::Instant;

pub use cells::CellsUnfit;
pub use open_ledger::{OpenLedger, Unanswered};
pub(crate) use recipients::{Recipients, complete_statement};
pub(crate) use routing::said_by_key;

/// The ledgers of a service, and the way to the one that a call is for: one of real money, or
/// several with a directory ([`Ledgers::of_cells`]), and one of test keys.
#[derive(Clone, Debug)]
pub struct Ledgers {
    live: Live,
    sandbox: Arc<OpenLedger>,
}

/// What keeps real money.
#[derive(Clone, Debug)]
enum Live {
    One(Arc<OpenLedger>),
    Cells(Arc<Cells<Arc<OpenLedger>>>),
}

impl Ledgers {
    /// One of each environment, opened for writing; their names are their own.
    ///
    /// # Panics
    ///
    /// When they are not of the environment that they are given as.
    #[must_use]
    pub fn new(live: OpenLedger, sandbox: OpenLedger) -> Self {
        assert!(live.environment() == Environment::Live, "the first ledger is of real money");
        assert!(sandbox.environment() == Environment::Sandbox, "the second is of test keys");
        Self { live: Live::One(Arc::new(live)), sandbox: Arc::new(sandbox) }
    }

    /// The ledger of an environment; of several of real money the one for what nobody claims.
    #[must_use]
    pub fn for_environment(&self, environment: Environment) -> &Arc<OpenLedger> {
        match (environment, &self.live) {
            (Environment::Live, Live::One(live)) => live,
            (Environment::Live, Live::Cells(cells)) => cells.for_unclaimed(),
            (Environment::Sandbox, _) => &self.sandbox,
        }
    }

    /// Every ledger of an environment, in the order in which they are reported.
    pub fn each_of(&self, environment: Environment) -> impl Iterator<Item = &Arc<OpenLedger>> {
        let (one, cells) = match (environment, self.cells()) {
            (Environment::Live, Some(cells)) => (None, Some(cells.ledgers())),
            _ => (Some(self.for_environment(environment)), None),
        };
        one.into_iter().chain(cells.into_iter().flatten().map(|(_, ledger)| ledger))
    }

    /// All of them, in the order in which they are reported.
    pub fn all(&self) -> impl Iterator<Item = &Arc<OpenLedger>> {
        Environment::ALL.into_iter().flat_map(|environment| self.each_of(environment))
    }

    /// The ledger that is reported under this label.
    pub(crate) fn by_label(&self, label: &str) -> Option<&Arc<OpenLedger>> {
        self.all().find(|ledger| ledger.label() == label)
    }

    /// The operation that an id names, and the ledger that gave it.
    pub(crate) fn operation(&self, id: &str) -> Option<(&Arc<OpenLedger>, OpId)> {
        self.all().find_map(|ledger| Some((ledger, OpId::parse(id, ledger.name())?)))
    }

    /// Handles a call on the ledgers of an environment that may have its answer, and passes on what
    /// the sandbox has for real money.
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
        let recipients = self.recipients(environment, &call).await?;
        let mut first = None;
        for ledger in recipients.ledgers() {
            let outcome = ledger.handle(call.clone(), now).await?;
            if recipients.is_answer(&outcome) {
                return self.follow_up(ledger, outcome, now).await;
            }
            first = first.or(Some((ledger, outcome)));
        }
        let (ledger, outcome) = first.expect("a call is for one ledger or more");
        self.follow_up(ledger, outcome, now).await
    }

    /// Returns what follows of what a ledger has answered: a fact that the sandbox has for real
    /// money, and a key of real money that is new.
    ///
    /// # Errors
    ///
    /// [`Unanswered`] when that could not be passed on.
    pub(crate) async fn follow_up(
        &self,
        ledger: &OpenLedger,
        mut outcome: CallOutcome,
        now: Instant,
    ) -> Result<CallOutcome, Unanswered> {
        if let Some(onward) = outcome.onward.take() {
            for route in self.fact_routes(Environment::Live, &onward).await? {
                route.ledger.handle(onward.clone(), now).await?;
            }
        }
        if ledger.environment() == Environment::Live {
            self.make_known(&outcome, now).await?;
        }
        Ok(outcome)
    }
}
