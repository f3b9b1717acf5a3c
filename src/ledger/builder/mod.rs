//! How a ledger is opened.

mod open_error;

use std::sync::Arc;
use std::time::Duration;

use ledger_core::id::{Designation, Environment};
use ledger_store::clock::Clock;
use ledger_store::engine::{Engine, EngineBuilder, Follower};
use ledger_store::provider::{DriverBuilder, Provider, ProviderRuntime};
use ledger_store::snapshot::Snapshots;
use ledger_store::{Head, Journal, OpenMode};

pub use open_error::OpenError;

use super::opening::{Configures, OpenedWith, Opening};
use super::sandbox::Sandbox;
use super::store::Store;
use super::{Ledger, Pending, Replica, Standby};

/// The shortest lease: clocks leave nothing of a shorter one.
const SHORTEST_LEASE: Duration = Duration::from_millis(100);

/// How long a replica waits for a record that it is asked for, unless it is said.
const WAITS: Duration = Duration::from_secs(5);

/// A ledger to be opened; see [`Ledger::builder`].
///
/// ```
/// use std::sync::Arc;
///
/// use custody_ledger::{Ledger, ManualClock};
///
/// let clock = Arc::new(ManualClock::at("2026-11-20T12:00:00Z").expect("it is RFC 3339"));
/// let ledger = Ledger::builder("memory:").name("sandbox").clock(clock).queue(64).open().wait()?;
/// assert_eq!(ledger.head()?.seq, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a ledger opens by `open`"]
pub struct Builder {
    store: Store,
    name: Option<String>,
    environment: Option<Environment>,
    clock: Option<Arc<dyn Clock>>,
    queue: Option<usize>,
    largest_commit: Option<usize>,
    vault_key: Option<[u8; 32]>,
    followers: Vec<Box<dyn Follower>>,
    outbox: bool,
    sentinel: bool,
    tick: Option<Duration>,
    lease: Option<Duration>,
    take_over: bool,
    accepted: Option<Head>,
    provider: Option<OpenedWith>,
    driven: Option<Configures>,
    snapshots: Option<Snapshots>,
    writer: Option<String>,
    waits: Duration,
    pub(super) sandbox: Option<Sandbox>,
}

impl Builder {
    pub(super) fn new(store: Store) -> Self {
        Self {
            store,
            name: None,
            environment: None,
            clock: None,
            queue: None,
            largest_commit: None,
            vault_key: None,
            followers: Vec::new(),
            outbox: false,
            sentinel: false,
            tick: Some(Duration::from_secs(1)),
            lease: None,
            take_over: false,
            accepted: None,
            provider: None,
            driven: None,
            snapshots: None,
            writer: None,
            waits: WAITS,
            sandbox: None,
        }
    }

    /// Which ledger of the store: `live` unless said, or `sandbox` where that is its environment. A
    /// store holds any number, each by its name, and a name says nothing of the environment once
    /// the ledger is made.
    pub fn name(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// The environment a new ledger is made for, and keeps for ever; a ledger that was made for
    /// another does not open ([`EnvironmentDiffers`](ledger_store::OpenError::EnvironmentDiffers)).
    ///
    /// Unless said, a new ledger is live, but for the one named `sandbox`, and a ledger that stands
    /// opens as what it is.
    ///
    /// ```
    /// use custody_ledger::{Environment, Ledger};
    ///
    /// let tests = Ledger::builder("memory:").name("loja-2").environment(Environment::Sandbox);
    /// assert_eq!(tests.open().wait()?.environment(), Environment::Sandbox);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn environment(mut self, environment: Environment) -> Self {
        self.environment = Some(environment);
        self
    }

    /// The clock that requests and facts are dated by: the machine's unless said, which a ledger of
    /// real money holds against the time that elapses ([`Ledger::clock_doubt`]).
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Some(Arc::new(clock));
        self
    }

    /// How many calls wait before callers wait: 16,384 unless said.
    pub fn queue(mut self, calls: usize) -> Self {
        self.queue = Some(calls);
        self
    }

    /// From how many records on a commit takes no further call: 8,000 unless said.
    pub fn largest_commit(mut self, records: usize) -> Self {
        self.largest_commit = Some(records);
        self
    }

    /// The key under which a new ledger hides persons: random unless said. A ledger that stands
    /// must have this one.
    pub fn vault_key(mut self, key: [u8; 32]) -> Self {
        self.vault_key = Some(key);
        self
    }

    /// Lets `follower` see every commit once it is durable and before it is answered.
    pub fn follower(mut self, follower: impl Follower + 'static) -> Self {
        self.followers.push(Box::new(follower));
        self
    }

    /// Keeps an outbox: [`Ledger::outbox`].
    pub fn outbox(mut self) -> Self {
        self.outbox = true;
        self
    }

    /// Holds every record against the invariants before it is written: one that would break any, by
    /// a mistake of this program, is not written, and whoever asked for it is told so
    /// ([`EngineError::NotWritten`](crate::EngineError::NotWritten)).
    pub fn sentinel(mut self) -> Self {
        self.sentinel = true;
        self
    }

    /// How often it is looked whether a deadline has come: every second unless said; never, if
    /// none. Deadlines come with the next call anyway.
    pub fn tick(mut self, every: Option<Duration>) -> Self {
        self.tick = every;
        self
    }

    /// Has a provider know and do what only it can: requests are supplied by it unless they bring
    /// it themselves, and what the ledger asks of the world is carried out by it, and told
    /// ([`crate::provider`]). Keeps an outbox.
    pub fn provider(mut self, provider: impl Provider) -> Self {
        self.provider = Some(OpenedWith::Blocking(Arc::new(provider)));
        self.outbox()
    }

    /// The same by a provider whose calls are futures, a thousand of them in flight
    /// ([`AsyncProvider`](crate::provider::AsyncProvider)). They run on a thread of their own, or
    /// where a [`ProviderRuntime`] says. Keeps an outbox.
    pub fn async_provider(mut self, provider: impl Into<ProviderRuntime>) -> Self {
        self.provider = Some(OpenedWith::Async(provider.into()));
        self.outbox()
    }

    /// How its driver works, where it is to work otherwise: with more workers or orders in flight,
    /// another back-off.
    pub fn configure_driver(
        mut self,
        by: impl FnOnce(DriverBuilder) -> DriverBuilder + Send + Sync + 'static,
    ) -> Self {
        self.driven = Some(Box::new(by));
        self
    }

    /// Holds the ledger by a lease of this duration, 100 ms or more: reads and refusals are
    /// answered within it only, and without asking the store; nobody takes over until it lapses,
    /// and it is renewed while the ledger works. Whoever opens a ledger that another holds waits
    /// for a lease that is not renewed, and is refused one that is, with a lease or without.
    pub fn lease(mut self, duration: Duration) -> Self {
        self.lease = Some(duration);
        self
    }

    /// Takes the ledger over from whoever holds it, its process alive or its lease in force; that
    /// one is fenced, and writes nothing more. Where it had a lease, this one answers once nothing
    /// is left of it. For a new version of a service that takes the place of the one that runs.
    ///
    /// ```
    /// use custody_ledger::Ledger;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let store = format!("sqlite:{}", folder.path().join("ledger.db").display());
    /// let older = Ledger::open(&*store).wait()?;
    /// let refused = Ledger::open(&*store).wait().unwrap_err().to_string();
    /// assert!(refused.contains(&format!("held by process {} on host ", std::process::id())));
    /// let newer = Ledger::builder(&*store).take_over().open().wait()?;
    /// # drop((older, newer));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_over(mut self) -> Self {
        self.take_over = true;
        self
    }

    /// Goes on from `head`, where the ledger ends whose later records are lost, and records that
    /// first: for a store that is not whole, whose refusal says the head, or that was restored from
    /// an older copy. Every other writer must have ended; said again, it is known. It is of
    /// [`Builder::open`] alone.
    ///
    /// ```
    /// use custody_ledger::Ledger;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let store = format!("sqlite:{}", folder.path().join("restored.db").display());
    /// let head = Ledger::open(&*store).wait()?.shutdown()?;
    /// let ledger = Ledger::builder(&*store).accept_loss(head).open().wait()?;
    /// assert_eq!(ledger.head()?.seq, head.seq + 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn accept_loss(mut self, head: Head) -> Self {
        self.accepted = Some(head);
        self
    }

    /// Begins with the last snapshot in a folder instead of the first record, and shortens
    /// [`Ledger::at`] by those of earlier records. [`Ledger::snapshot`] saves them; one that cannot
    /// be trusted is passed over.
    pub fn snapshots(mut self, folder: Snapshots) -> Self {
        self.snapshots = Some(folder);
        self
    }

    /// Opens it, and replays its journal. Whoever holds it keeps it: another process that lives, or
    /// another ledger of this one, is named in the refusal
    /// ([`StartError::InUse`](crate::StartError::InUse), [`Leased`](crate::StartError::Leased)),
    /// unless [`Builder::take_over`] is said; a lease that is not renewed is waited out
    /// ([`Builder::lease`]).
    pub fn open(self) -> Pending<Result<Ledger, OpenError>> {
        Pending::blocking(move || {
            let (engine, journal, opening) = self.prepare()?;
            opening.ledger(engine.start(journal)?)
        })
    }

    /// Follows the ledger without writing, and opens it when whoever holds it has stopped, or its
    /// lease has lapsed: see [`Standby`].
    pub fn standby(self) -> Pending<Result<Standby, OpenError>> {
        Pending::blocking(move || {
            let (engine, journal, opening) = self.prepare()?;
            Ok(Standby::new(engine.stand_by(journal), opening))
        })
    }

    /// Where the ledger is written, which a replica names to whoever asks it to write.
    pub fn writer(mut self, address: &str) -> Self {
        self.writer = Some(address.to_owned());
        self
    }

    /// How long a replica waits for a record that it is asked for: five seconds unless said.
    pub fn waits(mut self, within: Duration) -> Self {
        self.waits = within;
        self
    }

    /// Follows the ledger for reading, and takes neither its epoch nor a lease: see [`Replica`].
    /// Everything else that is said of the ledger is for when it is promoted. The ledger must have
    /// been made; one in memory is nobody else's to follow. A store that is an `http::CommitSource`
    /// is followed over HTTP, and is never promoted ([`OpenError::StreamOnly`]).
    pub fn replica(self) -> Pending<Result<Replica, OpenError>> {
        Pending::blocking(move || {
            let (store, name) = (self.store.clone().medium()?, self.ledger_name());
            let (writer, waits) = (self.writer.clone(), self.waits);
            let prepare = move || self.prepare();
            Replica::follow((&store, &name), (writer.as_deref(), waits), prepare)
        })
    }

    /// The name of the ledger, said or by its environment.
    fn ledger_name(&self) -> String {
        let played = self.sandbox.as_ref().map(|_| Environment::Sandbox);
        let environment = played.or(self.environment).unwrap_or(Environment::Live);
        self.name.clone().unwrap_or_else(|| environment.name().to_owned())
    }

    /// The engine to be started, its journal, and what makes a ledger of it.
    fn prepare(mut self) -> Result<(EngineBuilder<'static>, Box<dyn Journal>, Opening), OpenError> {
        let store = self.store.clone().medium()?;
        if self.sandbox.is_some() {
            self.environment = Some(Environment::Sandbox);
        }
        let name = self.ledger_name();
        let designation = self.environment.map(Designation::Chosen);
        let mode = OpenMode::Create { vault_key: self.vault_key, algorithm: None, designation };
        let journal = store.journal(&name, mode)?;
        let mut engine = Engine::builder(&name);
        if let Some(queue) = self.queue {
            engine = engine.queue(queue.max(1));
        }
        if let Some(records) = self.largest_commit {
            engine = engine.largest_commit(records.max(1));
        }
        if self.outbox {
            engine = engine.outbox(store.target()?);
        }
        if self.sentinel {
            engine = engine.sentinel();
        }
        if self.take_over {
            engine = engine.take_over();
        }
        if let Some(head) = self.accepted {
            engine = engine.accept_loss(head);
        }
        if let Some(lease) = self.lease {
            engine = engine.lease(lease.max(SHORTEST_LEASE));
        }
        if let Some(snapshots) = &self.snapshots {
            engine = engine.snapshots(snapshots.clone());
        }
        for follower in std::mem::take(&mut self.followers) {
            engine = engine.follower(Boxed(follower));
        }
        let Self { snapshots, clock, tick, outbox, provider, driven, sandbox, .. } = self;
        let opening =
            Opening { store, snapshots, name, clock, tick, outbox, provider, driven, sandbox };
        Ok((engine, journal, opening))
    }
}

/// A follower behind a pointer.
struct Boxed(Box<dyn Follower>);

impl Follower for Boxed {
    fn follow(&mut self, commit: &ledger_store::Commit) -> Result<(), String> {
        self.0.follow(commit)
    }
}

impl std::fmt::Debug for Builder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The store's name may hold a password.
        f.debug_struct("Builder")
            .field("name", &self.name)
            .field("environment", &self.environment)
            .finish_non_exhaustive()
    }
}
