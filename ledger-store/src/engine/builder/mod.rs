//! How an engine is built: its name, its bounds, who watches and who follows.

use std::sync::Arc;
use std::time::Instant;

use ledger_core::ledger::Record;
use tracing::field::Empty;
use tracing::info_span;

use super::counters::micros;
use super::opening::opened;
use super::writing::Writer;
use super::{Engine, Follower, StartError};
use crate::journal::{Head, Journal};
use crate::sequencer::Sequencer;
use crate::snapshot::Snapshots;

/// How many jobs wait in the queue before callers wait.
const QUEUE: usize = 16_384;

/// How many records one commit holds before it is cut.
const LARGEST_COMMIT: usize = 8_000;

type Observe<'a> = dyn FnMut(&Sequencer, &Record) + 'a;

/// An engine before it starts; see [`Engine::builder`].
///
/// ```
/// use ledger_store::engine::{Engine, Follower};
/// use ledger_store::{Commit, MemoryDisk, MemoryJournal, OpenMode};
///
/// /// Sees every commit once it is durable, before anybody is answered.
/// struct Shown;
/// impl Follower for Shown {
///     fn follow(&mut self, commit: &Commit) -> Result<(), String> {
///         println!("record {} is durable", commit.head().seq);
///         Ok(())
///     }
/// }
///
/// let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
/// let engine = Engine::builder("live").queue(64).follower(Shown).start(Box::new(journal))?;
/// assert_eq!(engine.counters().records, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "an engine starts by `start`"]
pub struct EngineBuilder<'a> {
    name: String,
    queue: usize,
    largest_commit: usize,
    observe: Box<Observe<'a>>,
    followers: Vec<Box<dyn Follower>>,
    snapshots: Option<Snapshots>,
}

impl<'a> EngineBuilder<'a> {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            queue: QUEUE,
            largest_commit: LARGEST_COMMIT,
            observe: Box::new(|_, _| ()),
            followers: Vec::new(),
            snapshots: None,
        }
    }

    /// How many jobs wait in the queue before callers wait: 16,384 unless set.
    ///
    /// # Panics
    ///
    /// When it is zero: a queue without a place takes no job.
    pub fn queue(mut self, jobs: usize) -> Self {
        assert!(jobs > 0, "a queue has at least one place");
        self.queue = jobs;
        self
    }

    /// From how many records on a commit takes no further job: 8,000 unless set.
    ///
    /// A job is never divided: one that makes more records is a larger commit.
    ///
    /// # Panics
    ///
    /// When it is zero.
    pub fn largest_commit(mut self, records: usize) -> Self {
        assert!(records > 0, "a commit holds at least one record");
        self.largest_commit = records;
        self
    }

    /// Shows `observe` every record replayed, and the sequencer as it stood after it.
    pub fn observe(mut self, observe: impl FnMut(&Sequencer, &Record) + 'a) -> Self {
        self.observe = Box::new(observe);
        self
    }

    /// Lets `follower` see every commit once it is durable and before it is answered; several
    /// follow in the order in which they were given.
    pub fn follower(mut self, follower: impl Follower + 'static) -> Self {
        self.followers.push(Box::new(follower));
        self
    }

    /// Begins with the ledger's snapshot in this folder, if there is one to be trusted, whenever
    /// the journal is opened; what is replayed, and so observed, is then only what follows it.
    ///
    /// Snapshots are made by [`Snapshots::refresh`], beside the engine.
    pub fn snapshots(mut self, snapshots: Snapshots) -> Self {
        self.snapshots = Some(snapshots);
        self
    }

    /// Takes over the ledger: fences any older writer, replays the journal, starts.
    ///
    /// It blocks until the journal is replayed: async code starts an engine under `spawn_blocking`.
    ///
    /// # Errors
    ///
    /// [`StartError`] when the journal cannot be taken over or replayed.
    pub fn start(mut self, mut journal: Box<dyn Journal>) -> Result<Engine, StartError> {
        let span = info_span!("ledger.open", ledger = %self.name, records = Empty, micros = Empty);
        let entered = span.enter();
        let clock = Instant::now();
        super::writing::take_over(&mut *journal)?;
        let observe = std::mem::replace(&mut self.observe, Box::new(|_, _| ()));
        let sequencer = opened(&mut *journal, &self.name, self.snapshots.as_ref(), observe)?;
        span.record("records", sequencer.head().seq).record("micros", micros(clock.elapsed()));
        drop(entered);
        let head = sequencer.head();
        Ok(self.spawn(journal, sequencer, head))
    }

    /// Starts with a sequencer that was opened of this journal after [`Journal::open_writer`] took
    /// the writer's place. The sequencer may have decided more than the journal holds: that is
    /// written with the first commit.
    ///
    /// # Errors
    ///
    /// [`StartError`] when the journal cannot be read, or does not end where the sequencer was
    /// read.
    pub fn start_with(
        self,
        mut journal: Box<dyn Journal>,
        sequencer: Sequencer,
    ) -> Result<Engine, StartError> {
        let head = journal.head()?;
        let durable = sequencer.written();
        if head != durable {
            return Err(StartError::Moved { expected: durable.seq, found: head.seq });
        }
        Ok(self.spawn(journal, sequencer, head))
    }

    fn spawn(self, journal: Box<dyn Journal>, sequencer: Sequencer, head: Head) -> Engine {
        let Self { name, queue, largest_commit, observe: _, followers, snapshots } = self;
        let shared = Arc::new(super::shared::Shared::new(head));
        let (rebuilt, fresh) = std::sync::mpsc::sync_channel(1);
        let writer = Writer::new(
            journal,
            name.clone(),
            snapshots,
            followers,
            sequencer.durable(),
            rebuilt,
            Arc::clone(&shared),
        );
        Engine::spawn(name, sequencer, writer, fresh, shared, (queue, largest_commit))
    }
}

impl std::fmt::Debug for EngineBuilder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EngineBuilder")
            .field("name", &self.name)
            .field("queue", &self.queue)
            .field("largest_commit", &self.largest_commit)
            .field("followers", &self.followers.len())
            .finish_non_exhaustive()
    }
}
