//! A ledger that is open: what a service holds in its hand.

mod builder;
#[cfg(feature = "cells")]
mod cells;
mod clock;
mod health;
#[cfg(feature = "http")]
mod http;
pub mod journal;
mod opening;
mod outbox;
mod pending;
mod persons;
mod reader;
mod replica;
#[cfg(not(feature = "sim"))]
#[path = "sandbox/none.rs"]
mod sandbox;
#[cfg(feature = "sim")]
mod sandbox;
mod standby;
mod statements;
mod store;
mod ticker;
mod webhook;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

pub use builder::{Builder, OpenError};
#[cfg(feature = "cells")]
pub use cells::{Cells, CellsBuilder, CellsClient, CellsError, CellsRefused};
pub use health::OutboxDepth;
#[cfg(feature = "http")]
pub use http::ServeError;
use ledger_core::contract::{Call, CallKind, Views};
use ledger_core::id::Environment;
use ledger_core::ledger::Origin;
use ledger_core::time::Instant;
use ledger_store::archive::JournalArchive;
use ledger_store::engine::{Counters, Engine, EngineError, EngineStatus};
#[cfg(feature = "testkit")]
use ledger_store::journal::AppendFaults;
use ledger_store::projection::Entry;
use ledger_store::provider::{Driver, Reports};
use ledger_store::sequencer::Sequencer;
use ledger_store::snapshot::Snapshots;
use ledger_store::{Head, Vault};
pub use outbox::{Outbox, OutboxUnavailable};
use pending::Helpers;
pub use pending::Pending;
pub use persons::{HoldFailed, Whose};
pub use reader::{BalanceReader, CommittedBalance};
pub use replica::{Replica, ReplicaError, Stated};
use serde_json::Value;
pub use standby::{Position, Standby};

use self::clock::doubt_for_call;
use crate::answer::{Done, Reported, fact_answer, request_answer};
use crate::fact::Fact;
use crate::request::{Account, Anybody, Asking, Request};
use crate::value::{ApiKey, Party};
use ledger_store::clock::Clock;
use sandbox::SandboxWorld;
use store::Medium;
pub use store::Store;
use ticker::Ticker;
pub use webhook::Webhook;
use webhook::webhook;

/// After how long without any call it is first told of the time: half an hour.
const QUIET: i64 = 30 * 60 * 1_000_000;

/// A ledger that is open for writing: the one writer of its journal. Clones are the same ledger.
///
/// Whatever it answers is durable. Every method that asks gives a [`Pending`]: await it, or wait
/// for it on a plain thread.
///
/// ```
/// use custody_ledger::prelude::*;
/// use custody_ledger::fact::account::AccountOpened;
/// use custody_ledger::request::balance::GetBalance;
///
/// let ledger = Ledger::open("memory:").wait()?;
/// let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
/// ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
///
/// let loja = ledger.client(ApiKey::new("svc_live_loja")?);
/// let balance = loja.ask(&GetBalance::new(Party::customer("ana")?)).wait()?.answer;
/// assert_eq!(balance.available.cents(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Ledger(Arc<Open>);

struct Open {
    engine: Arc<Engine>,
    clock: Arc<dyn Clock>,
    /// The latest instant that was sent, in microseconds.
    latest: AtomicI64,
    store: Medium,
    snapshots: Option<Snapshots>,
    name: String,
    environment: Environment,
    helpers: Helpers,
    at_work: AtWork,
}

/// What works beside the engine, and stops before it does.
struct AtWork {
    ticker: Option<Ticker>,
    world: Option<SandboxWorld>,
    driver: Option<Driver>,
}

impl AtWork {
    fn stop(&self) {
        if let Some(ticker) = &self.ticker {
            ticker.stop();
        }
        if let Some(world) = &self.world {
            world.stop();
        }
        if let Some(driver) = &self.driver {
            driver.stop();
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.at_work.stop();
    }
}

impl Ledger {
    /// Opens the ledger `live` of a store, which is made where it is missing: `sqlite:ledger.db`,
    /// `postgres://user@host/database`, `s3://bucket/prefix` or its likes, or `memory:`, which is
    /// gone with it.
    ///
    /// A ledger that is open already is refused, but see [`Builder::take_over`].
    pub fn open(store: impl Into<Store>) -> Pending<Result<Self, OpenError>> {
        Self::builder(store).open()
    }

    /// A ledger to be opened otherwise: under another name, with other bounds, another clock, an
    /// outbox.
    pub fn builder(store: impl Into<Store>) -> Builder {
        Builder::new(store.into())
    }

    /// A replica of the ledger `live` of a store, which another process writes: it reads, and
    /// writes nothing ([`Builder::replica`]).
    pub fn replica(store: impl Into<Store>) -> Pending<Result<Replica, OpenError>> {
        Self::builder(store).replica()
    }

    /// Reports a fact: it is applied, known, or set aside. A malformed one is refused.
    pub fn report<F: Fact>(&self, fact: &F) -> Pending<Result<Reported, crate::Error>> {
        let at = self.0.clock.now();
        match self.0.clock.doubt() {
            Some(doubt) => Pending::refusal(&doubt, at),
            None => self.report_at(fact, at),
        }
    }

    /// [`Ledger::report`], with the instant at which it happened.
    pub fn report_at<F: Fact>(
        &self,
        fact: &F,
        at: Instant,
    ) -> Pending<Result<Reported, crate::Error>> {
        self.0.handle(reporting(fact, at), |outcome| fact_answer(outcome?))
    }

    /// A client of the ledger, by the key of its account.
    #[must_use]
    pub fn client(&self, key: ApiKey) -> Client {
        Client { ledger: self.clone(), key }
    }

    /// Asks what anybody may ask.
    pub fn ask<R: Request<By = Anybody>>(
        &self,
        request: &R,
    ) -> Pending<Result<Done<R::Answer>, crate::Error>> {
        self.submit(request, None)
    }

    fn submit<R: Request>(
        &self,
        request: &R,
        key: Option<&ApiKey>,
    ) -> Pending<Result<Done<R::Answer>, crate::Error>> {
        let call = asking(request, key, self.0.clock.now());
        match doubt_for_call(&*self.0.clock, &call) {
            Some(doubt) => Pending::refusal(&doubt, call.at),
            None => self.0.handle(call, |outcome| request_answer(outcome?)),
        }
    }

    /// The notices to be sent and the instructions to be carried out, until each is acknowledged.
    ///
    /// # Errors
    ///
    /// [`OutboxUnavailable`] where the ledger was opened without one ([`Builder::outbox`]), or its
    /// tables cannot be read.
    pub fn outbox(&self) -> Result<Outbox, OutboxUnavailable> {
        Outbox::open(&self.0.store, &self.0.name, &self.0.engine, &self.0.clock)
    }

    /// The door for what the provider tells by itself, where the ledger was opened with one
    /// ([`Builder::provider`]).
    #[must_use]
    pub fn reports(&self) -> Option<Reports> {
        self.0.at_work.driver.as_ref().map(Driver::reports)
    }

    /// Looks at what is committed, on the deciding thread.
    pub(crate) fn look<T, E>(
        &self,
        look: impl FnOnce(&Views<'_, JournalArchive, Vault>) -> Result<T, E> + Send + 'static,
    ) -> Pending<Result<T, E>>
    where
        T: Send + 'static,
        E: From<EngineError> + Send + 'static,
    {
        let job = move |sequencer: &mut Sequencer| look(&sequencer.views());
        Pending::job(Arc::clone(&self.0.engine), move |permit| permit.decide(job)).flatten()
    }

    /// The webhook of a notification: where it goes, and what is sent, signed now; for a day after
    /// a rotation by both secrets. None while its account has set no address, or once that was
    /// erased: acknowledge it then.
    pub fn webhook(&self, entry: &Entry) -> Pending<Result<Option<Webhook>, EngineError>> {
        let (id, operation) = (entry.id.clone(), entry.operation.clone());
        let (body, now) = (entry.body.to_string(), self.0.clock.now());
        let signed =
            move |sequencer: &mut Sequencer| webhook(sequencer, (id, &operation), body, now);
        Pending::job(Arc::clone(&self.0.engine), move |permit| permit.decide(signed))
    }

    /// Returns what goes wrong with its appends; none where its journal is not in memory.
    #[cfg(feature = "testkit")]
    pub(crate) fn append_faults(&self) -> Option<AppendFaults> {
        match &self.0.store {
            Medium::Memory(disk, _) => disk.faults(&self.0.name),
            #[cfg(feature = "sqlite")]
            Medium::Sqlite(_) => None,
            #[cfg(feature = "postgres")]
            Medium::Postgres(_) => None,
            #[cfg(feature = "object")]
            Medium::Objects(_) => None,
            #[cfg(feature = "http")]
            Medium::Stream(_) => None,
        }
    }

    /// The environment it was made for ([`Builder::environment`]).
    #[must_use]
    pub fn environment(&self) -> Environment {
        self.0.environment
    }

    /// Where the chain ends that is durable.
    ///
    /// # Errors
    ///
    /// [`EngineError`] when the ledger was taken over from, or its lease has lapsed.
    pub fn head(&self) -> Result<Head, EngineError> {
        self.0.engine.head()
    }

    /// Comes when the ledger writes no more, whoever still holds it: where the chain ends, or why
    /// it ended, above all [`EngineError::Fenced`] when another writer has taken over. A service
    /// that awaits it knows when to stop, or to stand by again.
    pub fn termination(&self) -> Pending<Result<Head, EngineError>> {
        Pending::new(self.0.engine.termination())
    }

    /// How the ledger stands: it writes, was taken over from, or has stopped. Asks nobody.
    #[must_use]
    pub fn status(&self) -> EngineStatus {
        self.0.engine.status()
    }

    /// Returns what was done since the ledger was opened.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.0.engine.counters()
    }

    /// Finishes and answers what was taken, takes no more, and tells where the chain ends: what the
    /// provider carries out is finished and told first. Blocks; from async code, call it by
    /// `spawn_blocking`.
    ///
    /// # Errors
    ///
    /// Why the ledger had ended before.
    pub fn shutdown(&self) -> Result<Head, EngineError> {
        self.0.at_work.stop();
        self.0.engine.stop()
    }
}

/// A client: an account, by its key.
#[derive(Clone, Debug)]
pub struct Client {
    ledger: Ledger,
    key: ApiKey,
}

impl Client {
    /// Asks for something of this account.
    pub fn ask<R: Request<By = Account>>(
        &self,
        request: &R,
    ) -> Pending<Result<Done<R::Answer>, crate::Error>> {
        self.ledger.submit(request, Some(&self.key))
    }

    /// A reader of one balance of this account, which waits for nobody who writes. None where the
    /// key opens no account, and for a customer to whom nothing was ever credited.
    ///
    /// It asks the deciding thread once: a key is known by its hash under the vault's key, and the
    /// archive knows customers by their names, and both are that thread's. Make a reader once for
    /// each party and keep it: its reads ask nobody.
    ///
    /// ```
    /// # use custody_ledger::fact::account::AccountOpened;
    /// # use custody_ledger::prelude::*;
    /// # let ledger = Ledger::open("memory:").wait()?;
    /// # let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
    /// # ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
    /// let loja = ledger.client(ApiKey::new("svc_live_loja")?);
    /// let house = loja.reader(&Party::House).wait()?.expect("an account has a house");
    /// assert_eq!(house.read()?.available.cents(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reader(&self, party: &Party) -> Pending<Result<Option<BalanceReader>, EngineError>> {
        let (key, party) = (self.key.clone(), party.clone());
        let engine = Arc::clone(&self.ledger.0.engine);
        let job = move |sequencer: &mut Sequencer| {
            let hash = sequencer.tokens().api_key(key.expose());
            let account = sequencer.ledger().state.account_of_key(&hash)?;
            let subaccount = sequencer.views().party(account, party.name())?;
            Some(BalanceReader::new(engine, account, subaccount))
        };
        Pending::job(Arc::clone(&self.ledger.0.engine), move |permit| permit.decide(job))
    }
}

impl std::fmt::Debug for Ledger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ledger").field("name", &self.0.name).finish_non_exhaustive()
    }
}

impl Open {
    /// Asks the engine; after a long silence it is told of the time first, so that no call lies too
    /// far ahead of the last record.
    fn handle<T: Send + 'static>(
        &self,
        call: Call,
        read: fn(Result<ledger_core::contract::CallOutcome, EngineError>) -> T,
    ) -> Pending<T> {
        let time = self.time_before(call.at);
        Pending::call(Arc::clone(&self.engine), self.helpers.clone(), time, call, read)
    }

    /// Returns what tells the engine of the time before a call of `at`, after a long silence.
    fn time_before(&self, at: Instant) -> Option<Call> {
        let before = self.latest.fetch_max(at.micros(), Ordering::Relaxed);
        (at.micros() - before > QUIET).then(|| Call::time_passed(at))
    }
}

/// The call that a fact is.
fn reporting<F: Fact>(fact: &F, at: Instant) -> Call {
    let fact = fact.report();
    call(at, CallKind::Fact(fact.name.to_owned()), fact.body, fact.supplied)
}

/// The call that a request is, by a key.
fn asking<R: Request>(request: &R, key: Option<&ApiKey>, at: Instant) -> Call {
    let asked = request.ask();
    let key = key.map(|key| key.expose().to_owned());
    let ask = match asked.by {
        Asking::Route(method, target) => {
            CallKind::Request { method: method.to_owned(), target, key }
        }
        Asking::Command(name) => CallKind::Command { name: name.to_owned(), key },
    };
    call(at, ask, asked.body, asked.supplied)
}

fn call(at: Instant, ask: CallKind, body: Value, supplied: Value) -> Call {
    Call { at, origin: Origin::Call, ask, body, supplied, ip: None }
}
