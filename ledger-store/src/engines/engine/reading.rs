//! What is read of an engine beside whoever writes: the committed state, and how the engine stands;
//! and the time that passes meanwhile.

pub(super) mod readers;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use ledger_core::contract::Call;
use ledger_core::ledger::State;
use ledger_core::time::Instant as LedgerInstant;

use super::shared::{Belief, WritingFails};
use super::{Engine, EngineError, parked};
use crate::journal::{Head, Journal, OpenError};

/// How an engine stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineStatus {
    /// It takes jobs and writes.
    Writing,
    /// The medium takes no commit: a disk is full, or a server is away. Whoever asks for what needs
    /// writing is told so; the engine tries again by itself, and goes on once it is taken.
    Failing(WritingFails),
    /// Its lease has lapsed: it writes, and answers no read until the lease is renewed.
    LeaseLapsed,
    /// Another writer has taken over.
    Fenced {
        /// When this engine learned of it, by this process's monotonic clock.
        since: Instant,
    },
    /// It has stopped: where the chain ends, or why.
    Stopped(Result<Head, EngineError>),
}

impl Engine {
    /// Why no lock keeps other writers from the ledger: its files are on the network, its database
    /// has no locks or is reached by a pooler that shares sessions, or it is in a store of objects.
    /// Such a ledger is held by a lease ([`EngineBuilder::lease`](super::EngineBuilder::lease)), or
    /// a second writer takes over unasked. Nothing where a lock keeps it.
    #[must_use]
    pub fn lock_fault(&self) -> Option<&str> {
        self.shared.unlocked.as_deref()
    }

    /// The state at the last record that is durable, without waiting for whoever writes.
    ///
    /// Whoever was answered sees what was answered. The first read after a while asks the deciding
    /// thread, as [`Engine::view`] does; from then on every commit shows the state after it, and
    /// reads cost a lock and a pointer. An engine with a lease answers within it only, when nobody
    /// can have taken over; one without learns of a take-over with the next job, which asks the
    /// journal: [`Engine::view`] is one.
    ///
    /// ```
    /// # use ledger_store::engine::Engine;
    /// # use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
    /// # let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
    /// # let engine = Engine::builder("live").start(Box::new(journal))?;
    /// assert_eq!(engine.committed_now()?.seq.0, 0); // On a plain thread.
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// assert_eq!(engine.committed_state().await?.seq.0, 0); // In async code.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EngineError`] when the engine has ended or its lease has lapsed.
    pub async fn committed_state(&self) -> Result<Arc<State>, EngineError> {
        match self.shared.committed_state()? {
            Some(state) => Ok(state),
            None => self.reserve().await?.view().await.map(Arc::new),
        }
    }

    /// [`Engine::committed_state`], on a plain thread.
    ///
    /// # Errors
    ///
    /// As of [`Engine::committed_state`].
    pub fn committed_now(&self) -> Result<Arc<State>, EngineError> {
        match self.shared.committed_state()? {
            Some(state) => Ok(state),
            None => self.view().wait().map(Arc::new),
        }
    }

    /// The committed state, where it is shown already and a lease says that nobody has taken over:
    /// what is answered of it is what the deciding thread would answer. None otherwise; the first
    /// time it has the state shown from the next batch on.
    ///
    /// ```
    /// # use ledger_store::engine::Engine;
    /// # use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
    /// # let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
    /// let engine = Engine::builder("live").start(Box::new(journal))?;
    /// assert!(engine.committed_by_lease().is_none()); // It holds no lease.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn committed_by_lease(&self) -> Option<Arc<State>> {
        self.shared.committed_by_lease()
    }

    /// The committed state at record `seq` or later, waiting until that record is durable: whoever
    /// knows the number of a record, from whatever answer, sees what it did.
    ///
    /// A number that no record has yet is waited for; async code may stop to wait at any time.
    ///
    /// ```
    /// # use ledger_store::engine::Engine;
    /// # use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
    /// # use ledger_core::contract::Line;
    /// # use ledger_core::ledger::Origin;
    /// # let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
    /// # let engine = Engine::builder("live").start(Box::new(journal))?;
    /// # let line = r#"{"at": "2026-11-20T12:00:00Z", "fact": "account.opened",
    /// #     "body": {"id": "acc-1", "account": "loja"}, "supplied": {"key": "svc_live_loja"}}"#;
    /// # let line = Line::parse(line, |_| Ok(String::new())).expect("well formed");
    /// let written = engine.call(line.call(Origin::Call)); // Record 1 is on its way.
    /// assert_eq!(engine.committed_at_now(1)?.seq.0, 1);
    /// # drop(written);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EngineError`] when the engine has ended, or ends before, or its lease has lapsed.
    pub async fn committed_at(&self, seq: u64) -> Result<Arc<State>, EngineError> {
        self.shared.durable(seq).await?;
        self.committed_state().await
    }

    /// [`Engine::committed_at`], on a plain thread, which blocks until record `seq` is durable.
    ///
    /// # Errors
    ///
    /// As of [`Engine::committed_at`].
    pub fn committed_at_now(&self, seq: u64) -> Result<Arc<State>, EngineError> {
        parked::wait(self.shared.durable(seq))?;
        self.committed_now()
    }

    /// Waits until record `seq` is durable; where the chain ends then, at that record or later. A
    /// number that no record has yet is waited for, and no thread is asked.
    ///
    /// ```
    /// # use ledger_store::engine::Engine;
    /// # use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
    /// # let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
    /// # let engine = Engine::builder("live").start(Box::new(journal))?;
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// assert_eq!(engine.durable(0).await?, engine.head()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EngineError`] when the engine has ended, or ends before, or its lease has lapsed.
    pub async fn durable(&self, seq: u64) -> Result<Head, EngineError> {
        self.shared.durable(seq).await?;
        self.head()
    }

    /// The journal that this engine writes, opened once more for reading.
    ///
    /// # Errors
    ///
    /// When it cannot be opened a second time.
    pub fn reader(&self) -> Result<Box<dyn Journal>, OpenError> {
        self.reopen.open()
    }

    /// Has what is due by `now` happen, though nobody asks for anything: whoever has a clock calls
    /// it now and then, such as each second. Waits for nothing, and keeps the engine from nothing:
    /// one that rests is woken where a deadline has come, and now and then, at least each thirty
    /// seconds, to find out whether another writer has taken over.
    ///
    /// ```
    /// # use ledger_core::time::Instant;
    /// # use ledger_store::engine::{Engine, EngineStatus};
    /// # use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
    /// # let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
    /// # let engine = Engine::builder("live").start(Box::new(journal))?;
    /// engine.tick(Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339"));
    /// assert_eq!(engine.status(), EngineStatus::Writing);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tick(&self, now: LedgerInstant) {
        let is_due =
            move |state: &State| state.deadlines().next().is_some_and(|(at, ..)| at <= now);
        let rested = if self.end.is_resting() { self.shared.resting_state() } else { None };
        if rested.is_some_and(|state| !is_due(&state)) {
            return;
        }
        // With a full queue time goes on anyway; an engine that ended has no deadlines any more.
        if let Ok(permit) = self.try_reserve() {
            permit.aside(move |sequencer| {
                if is_due(&sequencer.ledger().state) {
                    sequencer.call(&Call::time_passed(now));
                }
            });
        }
    }

    /// Comes when the engine writes no more, and tells where the chain ends or why it ended. It
    /// holds nothing of the engine, which ends by a stop or a drop although somebody waits for it.
    ///
    /// ```
    /// # use ledger_store::engine::Engine;
    /// # use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
    /// # let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
    /// # let engine = Engine::builder("live").start(Box::new(journal))?;
    /// let end = engine.termination();
    /// let watching = std::thread::spawn(move || end.wait());
    /// drop(engine);
    /// assert_eq!(watching.join().expect("it watches")?.seq, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn termination(&self) -> Ended {
        let shared = Arc::clone(&self.shared);
        Ended(Box::pin(async move { shared.over().await }))
    }

    /// How the engine stands. Costs nothing; asks no thread.
    #[must_use]
    pub fn status(&self) -> EngineStatus {
        match (self.shared.end_reached(), self.shared.failing()) {
            (None, Some(failing)) => EngineStatus::Failing(failing),
            (None, None) if self.shared.belief() == Belief::Lapsed => EngineStatus::LeaseLapsed,
            (None, None) => EngineStatus::Writing,
            (Some(end), _) => match (end, self.shared.fenced_since()) {
                (Err(EngineError::Fenced), Some(since)) => EngineStatus::Fenced { since },
                (end, _) => EngineStatus::Stopped(end),
            },
        }
    }
}

/// The end of an engine, to come: await it, or wait for it on a plain thread.
#[must_use = "it is awaited or waited for"]
pub struct Ended(Pin<Box<dyn Future<Output = Result<Head, EngineError>> + Send>>);

impl Ended {
    /// Waits until the engine writes no more, and blocks this thread meanwhile.
    ///
    /// # Errors
    ///
    /// Why the engine ended, where it was not stopped.
    pub fn wait(self) -> Result<Head, EngineError> {
        parked::wait(self.0)
    }
}

impl Future for Ended {
    type Output = Result<Head, EngineError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.as_mut().poll(context)
    }
}

impl std::fmt::Debug for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Ended")
    }
}
