//! The contract over HTTP, of an open ledger.

use std::sync::Arc;

use ledger_core::id::Environment;
use ledger_http::{Ledgers, OpenLedger, Outbox, OutboxFailed, Service, ServiceBuilder};
use ledger_store::OpenMode;
use ledger_store::engine::EngineError;
use ledger_store::projection::Target;

use super::{Ledger, OpenError, Pending};

/// Why no service can be made of open ledgers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// A ledger is not of the environment that it is given as.
    #[error("a ledger of {found} money was given in place of one of {wanted} money")]
    Environment {
        /// The environment that is wanted there.
        wanted: &'static str,
        /// The environment that the ledger was made for.
        found: &'static str,
    },
    /// The journal cannot be opened for reading beside its writer.
    #[error("the journal cannot be opened for reading")]
    Open(#[from] OpenError),
    /// The outbox cannot be read.
    #[error(transparent)]
    Outbox(#[from] OutboxFailed),
    /// The engine has ended.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl Ledger {
    /// Begins a service over HTTP of this ledger of real money and one for test keys: the whole
    /// contract, and with what is said of the builder documents, pages, webhooks and console. It
    /// asks the ledger's provider, goes by its clock and gives out its outbox.
    ///
    /// The ledgers go on being used beside it. Whoever serves the routes stops before they shut
    /// down, and calls [`Service::tick`] about once a second, or starts a
    /// [`ticker`](ledger_http::server::ticker).
    ///
    /// ```
    /// use axum::Router;
    /// use custody_ledger::Ledger;
    /// use custody_ledger::http::router;
    ///
    /// let live = Ledger::open("memory:").wait()?;
    /// let test = Ledger::builder("memory:").sandbox(7).open().wait()?;
    /// let service = live.http(&test).wait()?.build()?;
    /// let routes: Router = Router::new().nest("/ledger", router(&service));
    /// # drop(routes);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn http(&self, sandbox: &Self) -> Pending<Result<ServiceBuilder, ServeError>> {
        let (live, sandbox) = (self.clone(), sandbox.clone());
        Pending::blocking(move || {
            let ledgers = Ledgers::new(
                live.to_open_ledger(Environment::Live)?,
                sandbox.to_open_ledger(Environment::Sandbox)?,
            );
            let service = Service::builder(ledgers).witnessed_by(Arc::clone(&live.0.clock));
            Ok(match live.0.helpers.supplier.clone() {
                Some(provider) => service.supply(provider),
                None => service,
            })
        })
    }

    /// Where its outbox stands, and with it what a service keeps beside the ledger: webhooks, the
    /// dashboard's sessions, operators. None for a store that keeps no tables.
    ///
    /// ```
    /// use custody_ledger::Ledger;
    /// use custody_ledger::http::courier::{WebhookSettings, Webhooks};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let store = format!("sqlite:{}", folder.path().join("ledger.db").display());
    /// let live = Ledger::builder(store).outbox().open().wait()?;
    /// let test = Ledger::builder("memory:").sandbox(7).open().wait()?;
    /// let tables = live.tables().expect("a file keeps tables");
    /// let webhooks = Webhooks::open(&tables, WebhookSettings::default())?;
    /// let service = live.http(&test).wait()?.webhooks(webhooks).build()?;
    /// # drop(service);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tables(&self) -> Option<Target> {
        self.0.store.target().ok()
    }

    /// The ledger as a service answers from it, in place of one of this environment.
    fn to_open_ledger(&self, wanted: Environment) -> Result<OpenLedger, ServeError> {
        if self.environment() != wanted {
            let (wanted, found) = (wanted.name(), self.environment().name());
            return Err(ServeError::Environment { wanted, found });
        }
        let served = self.attach_sandbox(OpenLedger::new(Arc::clone(&self.0.engine))?);
        let Some(tables) = self.tables().filter(|_| self.0.engine.outbox().is_some()) else {
            return Ok(served);
        };
        let journal = self.0.journal(OpenMode::ReadOnly)?;
        Ok(match Outbox::open(&tables, journal, &self.0.name)? {
            Some(outbox) => served.with_outbox(outbox),
            None => served,
        })
    }

    #[cfg(feature = "sim")]
    fn attach_sandbox(&self, served: OpenLedger) -> OpenLedger {
        match self.0.helpers.sandbox {
            Some(sandbox) => served.played_by(sandbox),
            None => served,
        }
    }

    #[cfg(not(feature = "sim"))]
    fn attach_sandbox(&self, served: OpenLedger) -> OpenLedger {
        served
    }
}
