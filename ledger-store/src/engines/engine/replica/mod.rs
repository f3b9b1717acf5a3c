//! A replica: follows a ledger that another process writes, and answers reads at a stated record.
//!
//! ```text
//! journal -> rows -> Sequencer (chain checked, nothing decided) -> reads, each at a record
//! ```
//!
//! It takes neither the epoch nor a lease, and cannot write: its journal is open for reading only.
//! Time does not advance here: a read is answered at the instant of the last record, and the
//! deadlines that come due are recorded by whoever writes the ledger.
//! It keeps no personal value in memory: those that an answer shows are read of the store's vault
//! for that answer, so whoever is erased there is erased here.
//!
//! It stands in the store, and in no crate beside, since it ends as an engine: a promotion hands
//! its sequencer to the start of one. Eight functions of engine and sequencer would be opened for
//! it that nobody else is to call.

mod error;
mod following;
mod look;

use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ledger_core::contract::{Call, Response, Tokens};
use ledger_core::id::LedgerName;
use ledger_core::ledger::State;

pub use error::ReplicaError;
use following::{Follower, PendingRead, Shared, Work};
pub use look::Look;

use super::{Engine, EngineBuilder, StartError};
use crate::engines::sequencer::Sequencer;
use crate::engines::sequencer::only_read::only_reads;
use crate::journal::{Head, Identity, Journal, JournalError};
use crate::state::snapshot::Snapshots;

/// How many reads wait before more are turned away.
const QUEUE: usize = 4_096;

/// What is read, and the record it was read at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated<T> {
    /// The number of the last record that the answer knows of.
    pub seq: u64,
    /// What was read.
    pub answer: T,
}

/// A replica that is to begin; see [`Replica::builder`].
#[derive(Debug)]
#[must_use = "a replica begins by `follow`"]
pub struct ReplicaBuilder {
    name: String,
    snapshots: Option<Snapshots>,
    writer: Option<String>,
}

impl ReplicaBuilder {
    /// Begins with the ledger's snapshot in this folder, if there is one to be trusted.
    pub fn snapshots(mut self, snapshots: Snapshots) -> Self {
        self.snapshots = Some(snapshots);
        self
    }

    /// Where the ledger is written, which whoever asks for a write is answered.
    pub fn writer(mut self, address: &str) -> Self {
        self.writer = Some(address.to_owned());
        self
    }

    /// Begins to follow the ledger of a journal, which may be open for reading only. Reads that
    /// come before the journal is replayed wait for it.
    #[must_use]
    pub fn follow(self, journal: Box<dyn Journal>) -> Replica {
        let Self { name, snapshots, writer } = self;
        let identity = journal.identity();
        let shared = Arc::new(Shared::default());
        let (jobs, queue) = sync_channel(QUEUE);
        let its = Arc::clone(&shared);
        let follower = Follower::new((name.clone(), snapshots), journal, queue, its);
        let thread = std::thread::Builder::new().name("ledger-replica".to_owned());
        let thread = thread.spawn(move || follower.run());
        let thread = thread.expect("the system gives a thread to a service that has just started");
        Replica { name, identity, writer, shared, jobs, thread: Mutex::new(Some(thread)) }
    }
}

/// A ledger that another process writes, for reading.
///
/// ```
/// use std::time::Duration;
///
/// use ledger_core::contract::Line;
/// use ledger_core::ledger::Origin;
/// use ledger_store::engine::{Engine, Replica, ReplicaError};
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let disk = MemoryDisk::new();
/// let open = |mode| MemoryJournal::open(&disk, "live", mode).map(Box::new);
/// let engine = Engine::start(open(OpenMode::create())?, "live", |_, _| ())?;
/// let replica = Replica::builder("live").follow(open(OpenMode::ReadOnly)?);
///
/// let opened = r#"{"at": "2026-11-20T12:00:00Z", "fact": "account.opened",
///     "body": {"id": "acc-1", "account": "loja"}, "supplied": {"key": "svc_live_loja"}}"#;
/// let call = |line: &str| Line::parse(line, |_| Ok(String::new())).expect("it is well formed");
/// let opened = call(opened).call(Origin::Call);
/// engine.call(opened.clone()).wait()?;
///
/// // What record 1 did is there, or an error says that the replica has not come so far.
/// let second = Duration::from_secs(1);
/// let saldo = r#"{"at": "2026-11-20T12:00:00Z", "key": "svc_live_loja", "request": "GET /saldo"}"#;
/// let saldo = replica.call(call(saldo).call(Origin::Call), 1, second).wait()?;
/// assert_eq!((saldo.seq, saldo.answer.status), (1, 200));
///
/// // It writes nothing.
/// let refused = replica.call(opened, 0, second).wait();
/// assert!(matches!(refused, Err(ReplicaError::OnlyRead { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Replica {
    name: String,
    identity: Identity,
    writer: Option<String>,
    shared: Arc<Shared>,
    jobs: SyncSender<PendingRead>,
    thread: Mutex<Option<JoinHandle<Option<Sequencer>>>>,
}

impl Replica {
    /// A replica of the ledger of this name.
    pub fn builder(name: &str) -> ReplicaBuilder {
        ReplicaBuilder { name: name.to_owned(), snapshots: None, writer: None }
    }

    /// Answers a call that only reads: every GET of the contract, and what a key may ask that
    /// records nothing. It is answered at the instant of the last record, whatever the call's own.
    ///
    /// At record `at_least` or later, for which it waits `within`, and for its turn. Facts, and
    /// whatever would record something, are refused without being looked at.
    pub fn call(&self, call: Call, at_least: u64, within: Duration) -> Look<Response> {
        if !only_reads(&call) {
            return Look::from_error(ReplicaError::OnlyRead { writer: self.writer.clone() });
        }
        self.asks(at_least, within, move |sequencer, journal| sequencer.look(journal, &call))
    }

    /// The state at record `at_least` or later, for which it waits `within`. O(1) once it is there.
    pub fn committed_at(&self, at_least: u64, within: Duration) -> Look<State> {
        self.read(at_least, within, |sequencer| sequencer.ledger().state.clone())
    }

    /// Returns what `found` reads of the ledger at record `at_least` or later, for which it waits
    /// `within`. The vault knows nothing there: what is rendered shows no person.
    pub fn read<T: Send + 'static>(
        &self,
        at_least: u64,
        within: Duration,
        found: impl FnOnce(&Sequencer) -> T + Send + 'static,
    ) -> Look<T> {
        self.asks(at_least, within, move |sequencer, _| Ok(found(sequencer)))
    }

    /// Where it has come to, every link checked on the way; the chain's beginning while nothing is
    /// replayed. Asks nobody.
    #[must_use]
    pub fn head(&self) -> Head {
        self.shared.head().unwrap_or_else(|| {
            let chain = crate::bytes::chain::Chain::genesis(self.identity.algorithm, &self.name);
            Head::from_chain(&chain)
        })
    }

    /// Why it does not follow now: the store is away, and is tried again, or the journal is
    /// damaged, and it has ended. None while it follows.
    #[must_use]
    pub fn fault(&self) -> Option<ReplicaError> {
        self.shared.fault()
    }

    /// Where the ledger is written, as far as that was said.
    #[must_use]
    pub fn writer(&self) -> Option<&str> {
        self.writer.as_deref()
    }

    /// Returns what the ledger is called.
    #[must_use]
    pub fn name(&self) -> LedgerName {
        self.identity.ledger_name(&self.name)
    }

    /// Derives the ledger's tokens.
    #[must_use]
    pub const fn tokens(&self) -> Tokens {
        Tokens::new(self.identity.vault_key)
    }

    /// Takes the ledger over, as a standby does, and starts the engine of `builder` over `journal`,
    /// which is the same ledger open for writing. What was replayed is not replayed again. Blocks.
    ///
    /// The replica ends once the ledger is taken over. Until then it goes on: a lease that another
    /// engine holds is waited for, and one that is seen to be renewed is left alone.
    ///
    /// # Errors
    ///
    /// [`StartError`], as of [`EngineBuilder::start`].
    pub fn promote(
        &self,
        builder: EngineBuilder<'_>,
        journal: Box<dyn Journal>,
    ) -> Result<Engine, StartError> {
        builder.start_from(journal, || {
            let mut sequencer = self.end()?;
            sequencer.decide_again();
            Some(sequencer)
        })
    }

    fn asks<T: Send + 'static>(
        &self,
        seq: u64,
        within: Duration,
        work: impl FnOnce(&mut Sequencer, &mut dyn Journal) -> Result<T, JournalError> + Send + 'static,
    ) -> Look<T> {
        let (work, look) = Work::new(work);
        let until = Instant::now().checked_add(within);
        match self.jobs.try_send(PendingRead { seq, until, work }) {
            Ok(()) => look,
            Err(TrySendError::Full(_)) => Look::from_error(ReplicaError::Busy),
            Err(TrySendError::Disconnected(_)) => Look::from_error(self.shared.end_error()),
        }
    }

    /// Ends its thread; the sequencer, where it was whole.
    fn end(&self) -> Option<Sequencer> {
        self.shared.stop();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        // A thread that panicked has no sequencer that can be believed.
        thread.join().ok().flatten()
    }
}

/// Ends its thread, and so its connection to the store.
impl Drop for Replica {
    fn drop(&mut self) {
        self.shared.stop();
        if tokio::runtime::Handle::try_current().is_err() {
            drop(self.end());
        }
    }
}
