//! The engine: one deciding thread, a bounded queue, group commit, answers when durable.
//!
//! ```text
//! callers -> queue -> decides (Sequencer) -> one batch ahead -> writes (Journal) -> answers
//! ```
//!
//! The next batch is decided while the last one is written, and grows until it is. After a failed
//! append the decided state is dropped and rebuilt from the journal; what was not written is
//! answered as not written, so a caller repeats it with the same id and loses nothing.
//!
//! Once another engine has taken over, none of this one's answers is of its old state: a write
//! fails at the journal, and what needs no write, a read or a refusal, is answered only after the
//! journal has said that nobody took over. From then on every door says [`EngineError::Fenced`].
//!
//! # From a plain thread
//!
//! ```
//! use ledger_core::contract::Line;
//! use ledger_core::ledger::Origin;
//! use ledger_store::engine::Engine;
//! use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
//!
//! let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
//! let engine = Engine::builder("live").queue(1_024).start(Box::new(journal))?;
//! let line = r#"{"at": "2026-11-20T12:00:00Z", "fact": "account.opened",
//!     "body": {"id": "acc-1", "account": "loja"}, "supplied": {"key": "svc_live_loja"}}"#;
//! let line = Line::parse(line, |label| Ok(label.to_owned())).expect("well formed");
//! let handled = engine.handle(line.call(Origin::Call)).wait()?;
//! assert_eq!(handled.response.status, 200);
//! assert_eq!(engine.view().wait()?.seq.0, 1);
//!
//! // The records are there for whoever subscribes, and stopping tells where the chain ends.
//! let records = engine.subscribe(1);
//! assert_eq!(engine.stop()?.seq, 1);
//! assert_eq!(records.into_iter().map(|record| record.unwrap().seq.0).collect::<Vec<_>>(), [1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # From async code
//!
//! A full queue blocks whoever calls [`Engine::handle`] and its like, which an async task must not
//! be: it takes a [`Permit`] first, and awaits that. A [`Ticket`] is a future.
//! Starting, stopping and dropping an engine block too, and belong on a plain thread or under
//! `spawn_blocking`.
//!
//! ```
//! # use ledger_store::engine::{Engine, TryReserveError};
//! # use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
//! # let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
//! # let engine = Engine::builder("live").start(Box::new(journal))?;
//! # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
//! # runtime.block_on(async {
//! // Waits for a permit without blocking, then for the answer.
//! let state = engine.reserve().await?.view().await?;
//! assert_eq!(state.seq.0, 0);
//!
//! // Or turns callers away while the queue is full.
//! match engine.try_reserve() {
//!     Ok(permit) => drop(permit.view().await?),
//!     Err(TryReserveError::Full) => println!("503, and try again"),
//!     Err(TryReserveError::Fenced | TryReserveError::Ended) => println!("503"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod counters;
mod deciding;
mod error;
mod lease;
pub(super) mod opening;
mod outbox;
mod parked;
mod permit;
mod queue;
mod reading;
mod replica;
mod resting;
mod shared;
mod slot;
mod subscription;
mod ticket;
mod writing;

use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, Weak};

use ledger_core::contract::{Call, CallOutcome, Response};
use ledger_core::ledger::{Command, Outcome, Record, Refusal, State};
use ledger_core::time::Instant;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

pub use builder::{EngineBuilder, Position, Standby};
pub use counters::Counters;
pub use error::{EngineError, StartError, TryReserveError};
pub use outbox::OutboxProgress;
pub use permit::Permit;
pub use reading::readers::{CommittedRead, Read};
pub use reading::{Ended, EngineStatus};
pub use replica::{Look, Replica, ReplicaBuilder, ReplicaError, Stated};
pub use shared::WritingFails;
pub use subscription::{Records, Subscription, SubscriptionError};
pub use ticket::Ticket;
pub use writing::Follower;

use crate::engines::sequencer::{HandOut, Sequencer};
use crate::journal::{Head, Journal, Reopen};
use deciding::{Decider, WriterHandle};
use queue::{Queue, QueueEnd};
use reading::readers::Readers;
use resting::{Threads, decides};
use shared::{Belief, Shared};
use slot::Slot;
use ticket::Job;
use writing::Writer;

/// One ledger's engine; share it behind an `Arc`.
///
/// Dropped, it stops as by [`Engine::stop`].
#[derive(Debug)]
pub struct Engine {
    jobs: mpsc::Sender<Box<dyn Job>>,
    end: Arc<QueueEnd>,
    shared: Arc<Shared>,
    name: String,
    reopen: Reopen,
    threads: Arc<Threads>,
    outbox: Option<OutboxProgress>,
    /// Gone when nobody decides any more, and with them what the ledger takes of memory.
    readers: Weak<Readers>,
}

impl Engine {
    /// An engine of the ledger of this name, to be started over its journal.
    pub fn builder<'a>(name: &str) -> EngineBuilder<'a> {
        EngineBuilder::new(name)
    }

    /// Takes over a ledger: fences any older writer, replays the journal, starts.
    ///
    /// `observe` sees every record replayed, and the sequencer as it stood after it.
    ///
    /// # Errors
    ///
    /// [`StartError`] when the journal cannot be taken over or replayed.
    pub fn start(
        journal: Box<dyn Journal>,
        name: &str,
        observe: impl FnMut(&Sequencer, &Record),
    ) -> Result<Self, StartError> {
        Self::builder(name).observe(observe).start(journal)
    }

    /// Handles a call; the answer brings the events clients are sent and the instructions the world
    /// is asked to carry out. Blocks while the queue is full, as do all of these.
    ///
    /// ```
    /// # use ledger_core::contract::Line;
    /// # use ledger_core::ledger::{Origin, Task};
    /// # use ledger_store::{engine::Engine, MemoryDisk, MemoryJournal, OpenMode};
    /// # let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
    /// # let engine = Engine::builder("live").start(Box::new(journal))?;
    /// # let handle = |line: &str| {
    /// #     let line = Line::parse(line, |_| Ok(String::new())).expect("it is well formed");
    /// #     engine.handle(line.call(Origin::Call)).wait()
    /// # };
    /// # handle(r#"{"at": "2026-11-20T12:00:00Z", "fact": "account.opened",
    /// #     "body": {"id": "a-1", "account": "loja", "terms": {"carencia_horas": 0}},
    /// #     "supplied": {"key": "svc_live_loja"}}"#)?;
    /// # handle(r#"{"at": "2026-11-20T12:00:01Z", "fact": "fee.adjusted", "body": {"id": "a-2",
    /// #     "account": "loja", "effect_cents": 9000, "actor": "bia", "reason": "a gift",
    /// #     "evidence": "case-1"}}"#)?;
    /// let handled = handle(r#"{"at": "2026-11-20T12:00:02Z", "key": "svc_live_loja",
    ///     "request": "POST /payouts", "body": {"amount_cents": 5000, "tax_number": "52998224725",
    ///         "pix_key": "52998224725", "external_id": "p-1"}}"#)?;
    /// assert_eq!((handled.response.status, handled.notifications.len()), (200, 1));
    /// assert!(matches!(handled.instructions[0].task, Task::SendPix(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn handle(&self, call: Call) -> Ticket<CallOutcome> {
        self.with_permit(|permit| permit.handle(call))
    }

    /// Handles a call, for its answer alone.
    pub fn call(&self, call: Call) -> Ticket<Response> {
        self.with_permit(|permit| permit.call(call))
    }

    /// Executes a command.
    pub fn execute(&self, command: Command) -> Ticket<Result<Outcome, Refusal>> {
        self.with_permit(|permit| permit.execute(command))
    }

    /// Executes commands in order and in one commit.
    pub fn execute_all(&self, commands: Vec<Command>) -> Ticket<Vec<Result<Outcome, Refusal>>> {
        self.with_permit(|permit| permit.execute_all(commands))
    }

    /// The state as it stands when everything before has become durable. O(1).
    pub fn view(&self) -> Ticket<State> {
        self.decide(|sequencer| sequencer.ledger().state.clone())
    }

    /// Runs `work` on the deciding thread; its answer comes when all that was decided is durable.
    ///
    /// A panic of it is caught, and told as [`EngineError::Panicked`]. If it had begun to change
    /// the sequencer, nothing of that holds: the sequencer is rebuilt from the journal, and
    /// whatever was decided beside it is answered as [`EngineError::NotWritten`].
    pub fn decide<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Sequencer) -> T + Send + 'static,
    ) -> Ticket<T> {
        self.with_permit(|permit| permit.decide(work))
    }

    /// Hands out the instructions of these idempotency keys that stand, in one commit; says of each
    /// what came of it, in their order. What is answered [`HandOut::Given`] may be carried out:
    /// that it is handed out is durable. One that was handed out before is given again, and nothing
    /// is written.
    pub fn hand_out(&self, keys: Vec<String>, at: Instant) -> Ticket<Vec<HandOut>> {
        self.decide(move |sequencer| sequencer.hand_out(&keys, at))
    }

    /// Runs `work` as [`Engine::decide`] does, for a caller who asks more before this is answered.
    ///
    /// The thread that decides leaves the writing to another one and goes on with what follows; a
    /// lone caller's job it writes itself, which takes less time where nothing follows.
    pub fn decide_followed<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Sequencer) -> T + Send + 'static,
    ) -> Ticket<T> {
        self.with_permit(|permit| permit.decide_followed(work))
    }

    /// Waits for a slot of the queue, without blocking the thread.
    ///
    /// # Errors
    ///
    /// [`EngineError::Ended`] when the engine has stopped, [`EngineError::Fenced`] when another
    /// writer is known to have taken over.
    pub async fn reserve(&self) -> Result<Permit<'_>, EngineError> {
        self.shared.ensure_unfenced()?;
        let permit = self.jobs.reserve().await.map_err(|_| EngineError::Ended)?;
        // It may have waited for long.
        self.shared.ensure_unfenced()?;
        Ok(self.permit_of(permit))
    }

    /// A slot of the queue, if there is one now.
    ///
    /// # Errors
    ///
    /// [`TryReserveError`] when the queue is full, or the engine has stopped or is known to be
    /// fenced.
    pub fn try_reserve(&self) -> Result<Permit<'_>, TryReserveError> {
        self.shared.ensure_unfenced().map_err(|_| TryReserveError::Fenced)?;
        self.slot_of_the_queue()
    }

    /// A slot of the queue for whoever knows what becomes of the engine.
    fn slot_of_the_queue(&self) -> Result<Permit<'_>, TryReserveError> {
        match self.jobs.try_reserve() {
            Ok(permit) => Ok(self.permit_of(permit)),
            Err(TrySendError::Full(())) => Err(TryReserveError::Full),
            Err(TrySendError::Closed(())) => Err(TryReserveError::Ended),
        }
    }

    fn permit_of<'a>(&'a self, permit: mpsc::Permit<'a, Box<dyn Job>>) -> Permit<'a> {
        Permit { slot: permit, end: &self.end, readers: &self.readers }
    }

    /// Every committed record from number `from_seq` on, in order, once each, those to come
    /// included, until the engine ends.
    ///
    /// The journal is read by a thread and a connection of the subscription's own; why that cannot
    /// be is the first thing it gives.
    #[must_use]
    pub fn subscribe(&self, from_seq: u64) -> Subscription {
        Subscription::start(self.name.clone(), self.reopen.clone(), from_seq, &self.shared)
    }

    /// How far the outbox is, where the engine keeps one ([`EngineBuilder::outbox`]).
    #[must_use]
    pub fn outbox(&self) -> Option<OutboxProgress> {
        self.outbox.clone()
    }

    /// Returns what the engine has done since it started. Costs nothing; asks no thread.
    #[must_use]
    pub fn counters(&self) -> Counters {
        let queued = self.jobs.max_capacity() - self.jobs.capacity();
        self.shared.counting.snapshot(queued)
    }

    /// Stops: takes no more jobs, finishes and answers those in the queue, and tells where the
    /// chain ends. Blocks until all of it is durable. A job that comes later is told
    /// [`EngineError::Ended`]; a second stop is told what the first was.
    ///
    /// # Errors
    ///
    /// Why the engine had ended before.
    pub fn stop(&self) -> Result<Head, EngineError> {
        self.shared.stop();
        // A thread that waits for a job hears of it; one that is busy looks by itself.
        if let Ok(permit) = self.slot_of_the_queue() {
            drop(permit.decide(|_| ()));
        }
        self.end.wake();
        if !self.threads.end() {
            let within = "it was stopped from within, and ends after this job";
            return Err(EngineError::Stopped(within.to_owned()));
        }
        self.shared.end().unwrap_or_else(|| Err(EngineError::thread_lost()))
    }

    /// Where the chain ends that this engine made durable for certain: at its last commit, which
    /// subscriptions and followers know. O(1), and asks neither a thread nor the journal.
    ///
    /// # Errors
    ///
    /// [`EngineError::Fenced`] when another writer is known to have taken over. An engine without a
    /// lease may not know until something is asked of it; one whose lease has lapsed says
    /// [`EngineError::LeaseLapsed`].
    pub fn head(&self) -> Result<Head, EngineError> {
        self.shared.head()
    }

    /// Gives `ask` a permit, or an answer that there is none any more. Blocks while the queue is
    /// full.
    pub fn with_permit<T>(&self, ask: impl FnOnce(Permit<'_>) -> Ticket<T>) -> Ticket<T> {
        let permit = match self.try_reserve() {
            Err(TryReserveError::Full) => parked::wait(self.reserve()),
            Err(TryReserveError::Fenced) => Err(EngineError::Fenced),
            Err(TryReserveError::Ended) => Err(EngineError::Ended),
            Ok(permit) => Ok(permit),
        };
        permit.map_or_else(Ticket::from_error, ask)
    }

    fn spawn(
        name: String,
        sequencer: Sequencer,
        writer: Writer,
        fresh: Receiver<Sequencer>,
        shared: Arc<Shared>,
        (queue, largest_commit): (usize, usize),
    ) -> Self {
        let (reopen, outbox) = (writer.reopen(), writer.outbox());
        let (jobs, queue) = mpsc::channel(queue);
        let slot = Arc::new(Slot::new(largest_commit));
        let writer = Arc::new(Mutex::new(writer));
        let threads = Arc::new(Threads::default());
        let handle = WriterHandle {
            slot,
            fresh,
            writer: Arc::clone(&writer),
            shared: Arc::clone(&shared),
            threads: Arc::clone(&threads),
        };
        let end = Arc::new(QueueEnd::new(Arc::clone(&threads)));
        let queue = Queue::new(queue, Arc::clone(&end));
        let readers = Readers::new(sequencer, reopen.clone(), Arc::clone(&shared));
        let decider = Decider::new(Arc::new(readers), largest_commit, queue, handle);
        let readers = decider.readers();
        let started = "the system gives threads to a service that has just started";
        if shared.belief() != Belief::Unleased {
            let its = Arc::clone(&shared);
            let keeps = move || lease::keeping::run(&writer, &its);
            threads.start("ledger-leases", keeps).expect(started);
        }
        decides(&threads, Box::new(decider)).map_err(|(_, error)| error).expect(started);
        Self { jobs, end, shared, name, reopen, threads, outbox, readers }
    }
}

/// Finishes what was queued, then stops.
impl Drop for Engine {
    fn drop(&mut self) {
        // Whoever wants to know how it ended asks by `stop`.
        let _ = self.stop();
    }
}
