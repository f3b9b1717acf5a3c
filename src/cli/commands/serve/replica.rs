//! How `serve` reads what another process writes, until it is promoted.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ledger_core::contract::Environment;
use ledger_http::server::{Connections, Running};
use ledger_http::{Ledgers, Replicas, replica_router, system_clock};
use ledger_store::OpenMode;
use ledger_store::engine::{Replica, ReplicaError, StartError};
use signal_hook::consts::SIGUSR1;
use signal_hook::flag;

use super::MOMENT;
use super::opening::{both, builder, mode, opened, unopened};
use super::settings::Settings;
use crate::run::stop::Stop;
use crate::store::Store;
use crate::{Failure, say};

/// How long a request waits for the record that it asks for.
const WAITS: Duration = Duration::from_secs(5);

/// Replicas of both ledgers of a store.
pub(super) struct Reading<'a> {
    store: &'a Store,
    settings: &'a Settings,
    replicas: Replicas,
    promote: Arc<AtomicBool>,
}

impl<'a> Reading<'a> {
    /// Begins to follow both ledgers, which must have been made.
    pub(super) fn begin(store: &'a Store, settings: &'a Settings) -> Result<Self, Failure> {
        if matches!(store, Store::Memory(_)) {
            return Err(Failure::new("memory: is followed by nobody: name a file or a database"));
        }
        let promote = Arc::new(AtomicBool::new(false));
        flag::register(SIGUSR1, Arc::clone(&promote))?;
        let follow = |environment: Environment| -> Result<_, Failure> {
            let journal = store.open(environment, OpenMode::ReadOnly);
            let journal = journal.map_err(|error| unopened(store, environment, &error))?;
            let mut replica = Replica::builder(environment.name());
            if let Some(writer) = &settings.writer_url {
                replica = replica.writer(writer);
            }
            if let Some(snapshots) = store.snapshots() {
                replica = replica.snapshots(snapshots);
            }
            Ok(replica.follow(journal))
        };
        let (live, sandbox) = (follow(Environment::Live)?, follow(Environment::Sandbox)?);
        let replicas = Replicas::new(live, sandbox, system_clock());
        let replicas = replicas.limited(settings.limits()?, WAITS);
        Ok(Self { store, settings, replicas, promote })
    }

    /// Answers reads, until it is ended.
    pub(super) fn served(
        &self,
        listener: &TcpListener,
        connections: Connections,
    ) -> Result<Running, Failure> {
        let routes = replica_router(&self.replicas);
        Ok(Running::start(vec![(listener.try_clone()?, routes)], connections, None)?)
    }

    /// Both ledgers, once SIGUSR1 has asked for them and they were taken over; nothing where it is
    /// to end before.
    pub(super) fn promoted(self, stop: &Stop) -> Result<Option<Ledgers>, Failure> {
        let mut looks = 0_u32;
        while stop.asked().is_none() {
            if self.promote.swap(false, Ordering::Relaxed)
                && let Some(ledgers) = self.take_over()?
            {
                return Ok(Some(ledgers));
            }
            for environment in Environment::ALL {
                if let Some(ended @ ReplicaError::Ended(_)) = self.replicas.of(environment).fault()
                {
                    return Err(unopened(self.store, environment, &ended));
                }
            }
            looks = looks.wrapping_add(1);
            if looks.is_multiple_of(20) {
                self.replicas.forget();
            }
            std::thread::sleep(MOMENT);
        }
        Ok(None)
    }

    /// Takes both ledgers over; nothing where the first is held by another that renews its lease.
    fn take_over(&self) -> Result<Option<Ledgers>, Failure> {
        let Self { store, settings, replicas, .. } = self;
        let mut ledgers = Vec::new();
        for environment in Environment::ALL {
            let journal = store.open(environment, mode(settings)?);
            let journal = journal.map_err(|error| unopened(store, environment, &error))?;
            let builder = builder(store, settings, environment)?;
            match replicas.of(environment).promoted(builder, journal) {
                Err(error @ StartError::Leased { .. }) if ledgers.is_empty() => {
                    say(&format!("custody-ledger: not promoted, and goes on to read: {error}"));
                    return Ok(None);
                }
                Err(error) => return Err(unopened(store, environment, &error)),
                Ok(engine) => {
                    let ledger = opened(store, settings, environment, engine);
                    let ledger = ledger.map_err(|error| unopened(store, environment, &*error))?;
                    ledgers.push((environment, ledger));
                }
            }
        }
        let ledgers = both(settings, |environment| {
            let place = ledgers.iter().position(|(of, _)| *of == environment);
            Ok(ledgers.swap_remove(place.expect("every environment was taken over")).1)
        });
        ledgers.map(Some)
    }
}
