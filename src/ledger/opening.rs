//! What makes a ledger of its engine, once that has started.

use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::time::Duration;

use ledger_core::id::Environment;
use ledger_store::clock::{Clock, SystemClock};
use ledger_store::engine::Engine;
use ledger_store::machine_clock::{KeptMoment, MachineClock};
use ledger_store::projection::Tables;
use ledger_store::provider::{Driver, DriverBuilder, Provider, ProviderRuntime, Supplier};
use ledger_store::snapshot::Snapshots;

use super::pending::Helpers;
use super::sandbox::{Sandbox, SandboxWorld};
use super::store::Medium;
use super::ticker::ticker;
use super::{AtWork, Ledger, Open, OpenError};

/// Settings of how a driver works.
pub(super) type Configures = Box<dyn FnOnce(DriverBuilder) -> DriverBuilder + Send + Sync>;

/// The provider that a ledger is opened with.
#[derive(Clone)]
pub(super) enum OpenedWith {
    Blocking(Arc<dyn Provider>),
    Async(ProviderRuntime),
}

impl OpenedWith {
    fn driver(self) -> DriverBuilder {
        match self {
            Self::Blocking(provider) => Driver::builder(provider),
            Self::Async(provider) => Driver::async_builder(provider),
        }
    }

    fn supplier(self) -> Supplier {
        match self {
            Self::Blocking(provider) => Supplier::new(provider),
            Self::Async(provider) => provider.into(),
        }
    }
}

/// What a ledger is opened with, beside its engine.
pub(super) struct Opening {
    pub(super) store: Medium,
    pub(super) snapshots: Option<Snapshots>,
    pub(super) name: String,
    pub(super) clock: Option<Arc<dyn Clock>>,
    pub(super) tick: Option<Duration>,
    pub(super) outbox: bool,
    pub(super) provider: Option<OpenedWith>,
    pub(super) driven: Option<Configures>,
    pub(super) sandbox: Option<Sandbox>,
}

impl Opening {
    /// Sets what works beside the engine to work.
    pub(super) fn ledger(self, engine: Engine) -> Result<Ledger, OpenError> {
        let engine = Arc::new(engine);
        let Self { store, snapshots, name, .. } = self;
        let state = engine.view().wait()?;
        let environment = state.name.environment();
        let clock = self.clock.unwrap_or_else(|| match environment {
            Environment::Live => Arc::new(MachineClock::new()),
            Environment::Sandbox => Arc::new(SystemClock),
        });
        let kept = store.target().ok().filter(|_| environment == Environment::Live);
        let kept = kept.and_then(|target| KeptMoment::read(&target, &name));
        if environment == Environment::Live && state.seq.0 > 0 {
            clock.hold_against(state.now, kept.as_ref().and_then(KeptMoment::moment));
        }
        // Before the first record there is no time to be far ahead of.
        let latest = if state.seq.0 == 0 { clock.now() } else { state.now }.micros();
        // A sandbox has its deadlines come due itself, between what it plays.
        let tick = self.tick.filter(|_| self.sandbox.is_none());
        let ticker = tick.map(|every| ticker(&engine, (Arc::clone(&clock), kept), every));
        let world = self.sandbox.map(|it| SandboxWorld::start(&engine, it, Arc::clone(&clock)));
        let sandbox =
            self.sandbox.filter(|_| self.outbox).map(|it| OpenedWith::Blocking(Arc::new(it)));
        let driver = match self.provider.clone().or(sandbox) {
            None => None,
            Some(provider) => {
                let outbox = Tables::open_writing(&store.target()?, &name)?;
                let outbox = outbox.expect("the engine has made it");
                let driver = provider.driver();
                let driver = match self.driven {
                    Some(configures) => configures(driver),
                    None => driver,
                };
                Some(driver.start(&engine, Arc::clone(&clock), outbox))
            }
        };
        let supplier = self.provider.map(OpenedWith::supplier);
        let helpers = Helpers { supplier, sandbox: self.sandbox };
        let (at_work, latest) = (AtWork { ticker, world, driver }, AtomicI64::new(latest));
        let open =
            Open { engine, clock, latest, store, snapshots, name, environment, helpers, at_work };
        Ok(Ledger(Arc::new(open)))
    }
}
