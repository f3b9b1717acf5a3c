//! How `serve` reads what another process writes, until it is promoted.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ledger_core::contract::Environment;
use ledger_http::server::Router;
use ledger_http::{CommitSource, Ledgers, RemoteJournal, Replicas, replica_router, system_clock};
use ledger_store::engine::{Replica, ReplicaError, StartError};
use ledger_store::snapshot::Snapshots;
use ledger_store::{Journal, OpenError, OpenMode};
use signal_hook::consts::SIGUSR1;
use signal_hook::flag;

use super::MOMENT;
use super::opening::{both, builder, mode, open_failure, open_ledger};
use super::settings::Settings;
use crate::run::ending::Stop;
use crate::store::{self, Store};
use crate::{Failure, say};

/// How long a request waits for the record that it asks for.
const WAITS: Duration = Duration::from_secs(5);

/// What is followed.
pub(super) enum Followed<'a> {
    Store(&'a Store),
    /// The service that writes it; there is no way to its store.
    Stream(CommitSource),
}

impl<'a> Followed<'a> {
    pub(super) fn from_settings(store: &'a Store, settings: &Settings) -> Result<Self, Failure> {
        match settings.stream()? {
            Some(stream) => Ok(Self::Stream(stream)),
            None if matches!(store, Store::Memory(_)) => {
                Err(Failure::new("memory: is followed by nobody: name a file or a database"))
            }
            None => Ok(Self::Store(store)),
        }
    }

    fn open(&self, environment: Environment) -> Result<Box<dyn Journal>, OpenError> {
        match self {
            Self::Store(store) => store.open(environment, OpenMode::ReadOnly),
            Self::Stream(source) => {
                let name = environment.name();
                let journal = RemoteJournal::open(source, name)?;
                store::of_environment(Box::new(journal), environment)
            }
        }
    }

    fn snapshots(&self) -> Option<Snapshots> {
        match self {
            Self::Store(store) => store.snapshots(),
            Self::Stream(_) => None,
        }
    }
}

impl fmt::Display for Followed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(store) => store.fmt(f),
            Self::Stream(source) => source.fmt(f),
        }
    }
}

/// Replicas of both ledgers of a store, or of a service.
pub(super) struct Reading<'a> {
    followed: Followed<'a>,
    settings: &'a Settings,
    replicas: Replicas,
    promote: Arc<AtomicBool>,
}

impl<'a> Reading<'a> {
    /// Begins to follow both ledgers, which must have been made.
    pub(super) fn begin(followed: Followed<'a>, settings: &'a Settings) -> Result<Self, Failure> {
        let promote = Arc::new(AtomicBool::new(false));
        flag::register(SIGUSR1, Arc::clone(&promote))?;
        let follow = |environment: Environment| -> Result<_, Failure> {
            let journal = followed.open(environment);
            let journal = journal.map_err(|error| open_failure(&followed, environment, &error))?;
            let mut replica = Replica::builder(environment.name());
            if let Some(writer) = &settings.writer_url {
                replica = replica.writer(writer);
            }
            if let Some(snapshots) = followed.snapshots() {
                replica = replica.snapshots(snapshots);
            }
            Ok(replica.follow(journal))
        };
        let (live, sandbox) = (follow(Environment::Live)?, follow(Environment::Sandbox)?);
        let replicas = Replicas::new(live, sandbox, system_clock());
        let replicas = replicas.with_limits(settings.limits()?, WAITS);
        Ok(Self { followed, settings, replicas, promote })
    }

    /// Returns what is followed, as messages name it.
    pub(super) const fn upstream(&self) -> &Followed<'a> {
        &self.followed
    }

    /// Returns what answers reads.
    pub(super) fn routes(&self) -> Router {
        replica_router(&self.replicas)
    }

    /// Both ledgers, once SIGUSR1 has asked for them and they were taken over; nothing where it is
    /// to end before.
    pub(super) fn await_promotion(self, stop: &Stop) -> Result<Option<Ledgers>, Failure> {
        let mut looks = 0_u32;
        while stop.signal().is_none() {
            if self.promote.swap(false, Ordering::Relaxed)
                && let Some(ledgers) = self.take_over()?
            {
                return Ok(Some(ledgers));
            }
            for environment in Environment::ALL {
                if let Some(ended @ ReplicaError::Ended(_)) =
                    self.replicas.for_environment(environment).fault()
                {
                    return Err(open_failure(&self.followed, environment, &ended));
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
        let Self { followed, settings, replicas, .. } = self;
        let Followed::Store(store) = *followed else {
            say(&format!(
                "custody-ledger: not promoted, and goes on to read: {followed} is a stream of \
                 commits, which has no store to write to"
            ));
            return Ok(None);
        };
        let mut ledgers = Vec::new();
        for environment in Environment::ALL {
            let journal = store.open(environment, mode(settings)?);
            let journal = journal.map_err(|error| open_failure(store, environment, &error))?;
            let builder = builder(store, settings, environment.name())?;
            match replicas.for_environment(environment).promote(builder, journal) {
                Err(error @ (StartError::Leased { .. } | StartError::InUse { .. }))
                    if ledgers.is_empty() =>
                {
                    say(&format!("custody-ledger: not promoted, and goes on to read: {error}"));
                    return Ok(None);
                }
                Err(error) => return Err(open_failure(store, environment, &error)),
                Ok(engine) => {
                    let ledger = open_ledger(store, settings, environment.name(), engine);
                    let ledger =
                        ledger.map_err(|error| open_failure(store, environment, &*error))?;
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
