//! How `serve` comes to its ledgers: it opens them, or stands by until whoever serves them ends.

use std::fmt::Display;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ledger_core::contract::Environment;
use ledger_http::server::{Router, Running};
use ledger_http::{Ledgers, OpenLedger, Outbox, standby_router, system_clock};
use ledger_sim::Sandbox;
use ledger_store::OpenMode;
use ledger_store::engine::{Engine, EngineBuilder, Standby};

use super::MOMENT;
use super::settings::Settings;
use crate::Failure;
use crate::run::ending::Stop;
use crate::store::{self, Store};

/// Opens both ledgers for writing.
pub(super) fn open(store: &Store, settings: &Settings) -> Result<Ledgers, Failure> {
    both(settings, |environment| open_one(store, settings, environment))
}

/// Opens the ledger of an environment for writing.
pub(super) fn open_one(
    store: &Store,
    settings: &Settings,
    environment: Environment,
) -> Result<OpenLedger, Failure> {
    let name = environment.name();
    let (mode, builder) = (mode(settings)?, builder(store, settings, name)?);
    let started = || -> Result<_, Box<dyn std::error::Error>> {
        let engine = builder.start(store.open(environment, mode)?)?;
        open_ledger(store, settings, name, engine)
    };
    started().map_err(|error| open_failure(store, environment, &*error))
}

pub(super) fn both(
    settings: &Settings,
    mut open: impl FnMut(Environment) -> Result<OpenLedger, Failure>,
) -> Result<Ledgers, Failure> {
    // In the order in which every process comes to them.
    let live = open(Environment::Live)?;
    let sandbox = open(Environment::Sandbox)?.played_by(Sandbox::new(settings.sandbox_seed));
    Ok(Ledgers::new(live, sandbox))
}

pub(super) fn open_failure(
    store: &dyn Display,
    environment: Environment,
    error: &(dyn std::error::Error + 'static),
) -> Failure {
    let name = environment.name();
    Failure::because(&format!("{store}: ledger {name} cannot be opened"), error)
}

pub(super) fn mode(settings: &Settings) -> Result<OpenMode, Failure> {
    let vault_key = settings.vault_key.as_deref().map(store::vault_key).transpose()?;
    Ok(OpenMode::Create { vault_key, algorithm: None, designation: None })
}

/// The engine of a ledger as the settings want it, before it starts.
pub(super) fn builder(
    store: &Store,
    settings: &Settings,
    name: &str,
) -> Result<EngineBuilder<'static>, Failure> {
    let mut engine = Engine::builder(name).queue(settings.queue);
    if let Some(snapshots) = store.snapshots() {
        engine = engine.snapshots(snapshots);
    }
    if let Some(lease) = settings.lease() {
        engine = engine.lease(lease);
    }
    if settings.take_over {
        engine = engine.take_over();
    }
    if settings.sentinel {
        engine = engine.sentinel();
    }
    if settings.outbox {
        let none = || Failure::new(format!("{store} keeps no outbox: name a file or a database"));
        engine = engine.outbox(store.target().ok_or_else(none)?);
    }
    Ok(engine)
}

/// A ledger of an engine that has started.
pub(super) fn open_ledger(
    store: &Store,
    settings: &Settings,
    name: &str,
    engine: Engine,
) -> Result<OpenLedger, Box<dyn std::error::Error>> {
    let ledger = OpenLedger::new(Arc::new(engine))?;
    let Some(tables) = store.target().filter(|_| settings.outbox) else { return Ok(ledger) };
    let reading = store.open_named(name, OpenMode::ReadOnly)?;
    let outbox = Outbox::open(&tables, reading, name)?;
    Ok(ledger.with_outbox(outbox.ok_or("the outbox was just made")?))
}

/// A standby of both ledgers of a store.
///
/// Every standby takes them over in one order, and gives the first back when it does not get the
/// second: two that are started together would wait for one another otherwise.
pub(super) struct StandingBy<'a> {
    pub(super) store: &'a Store,
    pub(super) settings: &'a Settings,
}

/// What follows both ledgers.
struct Standbys {
    live: Standby,
    sandbox: Standby,
}

impl StandingBy<'_> {
    /// Begins to follow both ledgers; the second is left alone until the first is taken over.
    fn follow(&self) -> Result<Standbys, Failure> {
        let Self { store, settings } = self;
        if matches!(store, Store::Memory(_)) {
            return Err(Failure::new("memory: is followed by nobody: name a file or a database"));
        }
        let opened = |environment: Environment| -> Result<_, Failure> {
            let journal = store.open(environment, mode(settings)?);
            let journal = journal.map_err(|error| open_failure(*store, environment, &error))?;
            Ok((builder(store, settings, environment.name())?, journal))
        };
        let (live, journal) = opened(Environment::Live)?;
        let live = live.stand_by(journal);
        let (sandbox, journal) = opened(Environment::Sandbox)?;
        Ok(Standbys { live, sandbox: sandbox.stand_by_held_back(journal) })
    }

    /// Both ledgers, once they were taken over; nothing where it is to end before. Until then
    /// whoever asks is answered that nothing is served here yet.
    pub(super) fn await_promotion(
        &self,
        running: &Running,
        stop: &Stop,
        mut greets: impl FnMut() -> Result<(), Failure>,
    ) -> Result<Option<Ledgers>, Failure> {
        let mut greeted = false;
        loop {
            let Standbys { mut live, mut sandbox } = self.follow()?;
            running.replace(std::iter::repeat(waiting(&live, &sandbox)));
            if !std::mem::replace(&mut greeted, true) {
                greets()?;
            }
            if let Some(live) = self.await_engine(&mut live, Environment::Live, (stop, None))? {
                sandbox.hold_back(false);
                let patience = Some(self.patience());
                match self.await_engine(&mut sandbox, Environment::Sandbox, (stop, patience))? {
                    Some(sandbox) => return self.open_both(live, sandbox).map(Some),
                    // Another standby may hold the second one, and wait for the first.
                    None => drop((live, sandbox)),
                }
            }
            if stop.signal().is_some() {
                return Ok(None);
            }
        }
    }

    /// How long the second ledger is waited for: the lease of whoever was killed lapses by then.
    fn patience(&self) -> Duration {
        2 * self.settings.lease().unwrap_or_default() + Duration::from_secs(2)
    }

    /// The engine of a standby; nothing where it is to end before, or within so long, or where its
    /// lease lapsed in the midst of taking over and another one was faster.
    fn await_engine(
        &self,
        standby: &mut Standby,
        environment: Environment,
        (stop, patience): (&Stop, Option<Duration>),
    ) -> Result<Option<Engine>, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let runtime = runtime.expect("the system gives a timer to a program that has just started");
        let begun = Instant::now();
        loop {
            let waited = runtime.block_on(async {
                // The timer is of the runtime, so it is made within.
                tokio::time::timeout(MOMENT, standby.promotion()).await
            });
            match waited {
                Ok(Err(error)) if error.is_anothers() => return Ok(None),
                Ok(started) => {
                    let started = started.map(Some);
                    return started.map_err(|error| open_failure(self.store, environment, &error));
                }
                Err(_) if stop.signal().is_some() => return Ok(None),
                Err(_) if patience.is_some_and(|most| begun.elapsed() > most) => return Ok(None),
                Err(_) => {}
            }
        }
    }

    fn open_both(&self, live: Engine, sandbox: Engine) -> Result<Ledgers, Failure> {
        let Self { store, settings } = self;
        let mut engines = [Some(live), Some(sandbox)].into_iter();
        both(settings, |environment| {
            let engine = engines.next().flatten().expect("each environment is opened once");
            let ledger = open_ledger(store, settings, environment.name(), engine);
            ledger.map_err(|error| open_failure(*store, environment, &*error))
        })
    }
}

/// Returns what answers while it stands by, on every listener.
fn waiting(live: &Standby, sandbox: &Standby) -> Router {
    let (live, sandbox) = (live.position(), sandbox.position());
    standby_router(system_clock(), move |environment| match environment {
        Environment::Live => live.seq(),
        Environment::Sandbox => sandbox.seq(),
    })
}
