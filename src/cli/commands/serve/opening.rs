//! How `serve` comes to its ledgers: it opens them, or stands by until whoever serves them ends.

use std::fmt::Display;
use std::net::TcpListener;
use std::sync::Arc;

use ledger_core::contract::Environment;
use ledger_http::server::{Connections, Running};
use ledger_http::{Ledgers, OpenLedger, Outbox, standby_router, system_clock};
use ledger_sim::Sandbox;
use ledger_store::OpenMode;
use ledger_store::engine::{Engine, EngineBuilder, Standby, StartError};

use super::MOMENT;
use super::settings::Settings;
use crate::Failure;
use crate::run::stop::Stop;
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
        opened(store, settings, name, engine)
    };
    started().map_err(|error| unopened(store, environment, &*error))
}

pub(super) fn both(
    settings: &Settings,
    mut open: impl FnMut(Environment) -> Result<OpenLedger, Failure>,
) -> Result<Ledgers, Failure> {
    let sandbox = open(Environment::Sandbox)?.played_by(Sandbox::new(settings.sandbox_seed));
    Ok(Ledgers::new(open(Environment::Live)?, sandbox))
}

pub(super) fn unopened(
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
pub(super) fn opened(
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

/// A standby of both ledgers.
pub(super) struct StandingBy<'a> {
    store: &'a Store,
    settings: &'a Settings,
    standbys: Vec<(Environment, Standby)>,
}

impl<'a> StandingBy<'a> {
    /// Begins to follow both ledgers.
    pub(super) fn begin(store: &'a Store, settings: &'a Settings) -> Result<Self, Failure> {
        if matches!(store, Store::Memory(_)) {
            return Err(Failure::new("memory: is followed by nobody: name a file or a database"));
        }
        let follow = |environment: Environment| -> Result<_, Failure> {
            let journal = store.open(environment, mode(settings)?);
            let journal = journal.map_err(|error| unopened(store, environment, &error))?;
            Ok((environment, builder(store, settings, environment.name())?.stand_by(journal)))
        };
        let standbys = Environment::ALL.into_iter().map(follow).collect::<Result<_, _>>()?;
        Ok(Self { store, settings, standbys })
    }

    /// Answers clients, until it is ended, that nothing is served here yet.
    pub(super) fn served(
        &self,
        listener: &TcpListener,
        connections: Connections,
    ) -> Result<Running, Failure> {
        let positions = self.standbys.iter().map(|(of, standby)| (*of, standby.position()));
        let positions: Vec<_> = positions.collect();
        let replayed = move |environment| {
            let found = positions.iter().find(|(of, _)| *of == environment);
            found.map_or(0, |(_, position)| position.seq())
        };
        let routes = standby_router(system_clock(), replayed);
        Ok(Running::start(vec![(listener.try_clone()?, routes)], connections, Some(1))?)
    }

    /// Both ledgers, once they were taken over; nothing where it is to end before.
    pub(super) fn promoted(self, stop: &Stop) -> Result<Option<Ledgers>, Failure> {
        let Self { store, settings, standbys } = self;
        let mut ledgers = Vec::new();
        for (environment, standby) in standbys {
            let started = awaited(standby, stop);
            let engine = started.map_err(|error| unopened(store, environment, &error))?;
            let Some(engine) = engine else { return Ok(None) };
            let ledger = opened(store, settings, environment.name(), engine);
            let ledger = ledger.map_err(|error| unopened(store, environment, &*error))?;
            ledgers.push((environment, ledger));
        }
        let ledgers = both(settings, |environment| {
            let place = ledgers.iter().position(|(of, _)| *of == environment);
            Ok(ledgers.swap_remove(place.expect("every environment was followed")).1)
        });
        ledgers.map(Some)
    }
}

/// The engine of a standby; nothing where it is to end before.
fn awaited(mut standby: Standby, stop: &Stop) -> Result<Option<Engine>, StartError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.expect("the system gives a timer to a program that has just started");
    loop {
        let waited = runtime.block_on(async {
            // The timer is of the runtime, so it is made within.
            tokio::time::timeout(MOMENT, standby.promoted()).await
        });
        match waited {
            Ok(started) => return started.map(Some),
            Err(_) if stop.asked().is_some() => return Ok(None),
            Err(_) => {}
        }
    }
}
