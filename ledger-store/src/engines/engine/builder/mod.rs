//! How an engine is built: its name, its bounds, who watches and who follows.

mod parts;
#[cfg(test)]
mod sentinel;
mod standby;

use std::time::{Duration, Instant};

use ledger_core::ledger::Record;
use tracing::field::Empty;
use tracing::info_span;

use super::counters::micros;
use parts::{Following, Parts, let_go, record_loss};
pub(super) use standby::is_away;
pub use standby::{Position, Standby};

use super::lease::claiming::{From, outlast, take_over};
use super::lease::{Moment, SHORTEST};
use super::opening::{open_accepting, open_sequencer};
use super::{Engine, Follower, StartError};
use crate::engines::sequencer::Sequencer;
use crate::journal::{Head, Journal, Source};
use crate::state::snapshot::Snapshots;
use crate::tables::projection::{ProjectError, Target};

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
    parts: Parts,
    observe: Box<Observe<'a>>,
}

impl<'a> EngineBuilder<'a> {
    pub(super) fn new(name: &str) -> Self {
        Self {
            parts: Parts {
                name: name.to_owned(),
                queue: QUEUE,
                largest_commit: LARGEST_COMMIT,
                followers: Vec::new(),
                outbox: None,
                snapshots: None,
                lease: None,
                sentinel: false,
                accepted: None,
                by_force: false,
            },
            observe: Box::new(|_, _| ()),
        }
    }

    /// How many jobs wait in the queue before callers wait: 16,384 unless set.
    ///
    /// # Panics
    ///
    /// When it is zero: a queue without a place takes no job.
    pub fn queue(mut self, jobs: usize) -> Self {
        assert!(jobs > 0, "a queue has at least one place");
        self.parts.queue = jobs;
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
        self.parts.largest_commit = records;
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
        self.parts.followers.push(Following::Ready(Box::new(follower)));
        self
    }

    /// Lets a follower see every commit that is made when the ledger is taken over and replayed,
    /// and before anything is answered: one that begins where the journal ends then, such as a
    /// projector of an engine that stands by first.
    ///
    /// `make` is given the journal for reading; a lease is renewed while it works.
    pub fn follower_made<F: Follower + 'static>(
        mut self,
        make: impl FnOnce(&mut dyn Journal) -> Result<F, Source> + Send + 'static,
    ) -> Self {
        let make = move |journal: &mut dyn Journal| -> Result<Box<dyn Follower>, Source> {
            Ok(Box::new(make(journal)?))
        };
        self.parts.followers.push(Following::Made(Box::new(make)));
        self
    }

    /// Keeps an outbox in `target`, and no other table: what commits ask to be sent and carried out
    /// stands there right after they are durable, until it is acknowledged
    /// ([`Tables`](crate::projection::Tables)). No answer waits for it: [`Engine::outbox`] says how
    /// far it is.
    ///
    /// What is missing when the ledger is taken over is derived from its records before anything is
    /// answered.
    pub fn outbox(mut self, target: Target) -> Self {
        self.parts.outbox = Some(target);
        self
    }

    /// Holds every record that is decided against the invariants before it is written: against what
    /// it says, and what it touched. One that breaks any is not written, whoever waited for it or
    /// for what was decided beside it is told so ([`EngineError::NotWritten`], with record and
    /// invariant), and the engine goes on from what is durable.
    ///
    /// What only a walk over everything shows, and what only the outcome of the whole history does,
    /// stays the audit's. What it costs is in benches/README.md.
    ///
    /// [`EngineError::NotWritten`]: super::EngineError::NotWritten
    pub fn sentinel(mut self) -> Self {
        self.parts.sentinel = true;
        self
    }

    /// Holds the ledger by a lease of this duration: reads and refusals are answered within it
    /// only, from what is known here and without asking the journal; whoever would take over waits
    /// until it lapses, and while the engine works it is renewed each third of its duration.
    ///
    /// The shorter it is, the sooner a [`Standby`] takes over from an engine that was killed; the
    /// longer, the longer reads are answered while the database is away. An engine without a lease
    /// asks the journal before each batch that needs no append. Either waits for, and is refused
    /// by, a lease that another engine holds: [`EngineBuilder::start`].
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use ledger_store::engine::{Engine, StartError};
    /// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
    ///
    /// let disk = MemoryDisk::new();
    /// let journal = || MemoryJournal::open(&disk, "live", OpenMode::create()).map(Box::new);
    /// let engine = Engine::builder("live").lease(Duration::from_secs(1)).start(journal()?)?;
    /// assert_eq!(engine.view().wait()?.seq.0, 0);
    ///
    /// // Nobody takes over from a process that lives; it ends, and another may at once.
    /// let refused = Engine::builder("live").start(journal()?);
    /// assert!(matches!(refused, Err(StartError::InUse { .. })));
    /// engine.stop()?;
    /// Engine::builder("live").start(journal()?)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// When it is shorter than 100 ms, which clocks and their rounding leave nothing of.
    pub fn lease(mut self, duration: Duration) -> Self {
        assert!(duration >= SHORTEST, "a lease lasts at least {} ms", SHORTEST.as_millis());
        self.parts.lease = Some(duration);
        self
    }

    /// Takes the ledger over from whoever holds it, its process alive or its lease in force: it is
    /// fenced, and writes nothing more. Where it had a lease, this one answers once nothing is left
    /// of that.
    ///
    /// Without it a start is refused, by a sentence that names the holder
    /// ([`StartError::InUse`], [`StartError::Leased`]). It is for a new version that takes the
    /// place of the one that runs.
    ///
    /// ```
    /// use ledger_store::engine::{Engine, EngineError, StartError};
    /// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
    ///
    /// let disk = MemoryDisk::new();
    /// let journal = || MemoryJournal::open(&disk, "live", OpenMode::create()).map(Box::new);
    /// let older = Engine::builder("live").start(journal()?)?;
    /// let refused = Engine::builder("live").start(journal()?);
    /// assert!(matches!(refused, Err(StartError::InUse { .. })));
    /// let newer = Engine::builder("live").take_over().start(journal()?)?;
    /// assert_eq!(older.view().wait().unwrap_err(), EngineError::Fenced);
    /// assert!(newer.view().wait().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_over(mut self) -> Self {
        self.parts.by_force = true;
        self
    }

    /// Begins with the ledger's snapshot in this folder, if there is one to be trusted, whenever
    /// the journal is opened; what is replayed, and so observed, is then only what follows it.
    ///
    /// Snapshots are made by [`Snapshots::refresh`], beside the engine.
    pub fn snapshots(mut self, snapshots: Snapshots) -> Self {
        self.parts.snapshots = Some(snapshots);
        self
    }

    /// Goes on from `head`, where the journal ends whose later records are lost, and records that
    /// first: for whoever has restored an older copy, or is refused a ledger that is not whole
    /// (`JournalError::Lost` names the head). Every other writer must have ended. It is of
    /// [`EngineBuilder::start`] alone, and recorded once: started so again, it is known.
    ///
    /// Tables that are made of records are made anew; objects and snapshots of the lost records are
    /// moved to the folder `lost` beside the others, and the values that they brought are deleted.
    ///
    /// ```
    /// use ledger_store::engine::Engine;
    /// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
    ///
    /// let disk = MemoryDisk::new();
    /// let journal = || MemoryJournal::open(&disk, "live", OpenMode::create()).map(Box::new);
    /// let head = Engine::builder("live").start(journal()?)?.stop()?;
    /// let engine = Engine::builder("live").accept_loss(head).start(journal()?)?;
    /// assert_eq!(engine.stop()?.seq, head.seq + 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn accept_loss(mut self, head: Head) -> Self {
        self.parts.accepted = Some(head);
        self
    }

    /// Takes over the ledger: fences any older writer, replays the journal, starts.
    ///
    /// Whoever holds the ledger keeps it, unless [`EngineBuilder::take_over`] says otherwise: an
    /// engine whose process lives, as its lock says, refuses the start; a lease that is not renewed
    /// is waited out, and as soon as it is seen to be renewed, the start is refused. With a lease
    /// of its own the engine replays first, so that whoever holds the ledger goes on meanwhile.
    ///
    /// It blocks until the journal is replayed: async code starts an engine under `spawn_blocking`.
    ///
    /// # Errors
    ///
    /// [`StartError`] when the journal cannot be taken over or replayed.
    pub fn start(self, mut journal: Box<dyn Journal>) -> Result<Engine, StartError> {
        let Self { parts, mut observe } = self;
        let accepted = parts.accepted;
        if let Some(head) = accepted {
            journal.accept_loss(head);
        }
        let span = info_span!("ledger.open", ledger = %parts.name, records = Empty, micros = Empty);
        let entered = span.enter();
        let clock = Instant::now();
        let (of, snapshots) = ((&*parts.name, accepted), parts.snapshots.as_ref());
        let begun = if parts.lease.is_some() {
            let mut sequencer = open_accepting(&mut *journal, of, snapshots, &mut observe)?;
            let (opening, sent) = take_over(&mut *journal, parts.lease, parts.from(From::Nobody))?;
            let until = Instant::now() + opening.predecessor_lease;
            let mut lease = parts.lease_from(sent);
            let replayed = sequencer.go_on(&mut *journal, &mut observe).map_err(StartError::from);
            replayed
                .and_then(|()| outlast(&mut *journal, lease.as_mut(), until))
                .map(|()| (sequencer, lease))
        } else {
            let (opening, _) = take_over(&mut *journal, None, parts.from(From::Nobody))?;
            let until = Instant::now() + opening.predecessor_lease;
            let sequencer = open_accepting(&mut *journal, of, snapshots, observe);
            let sequencer = sequencer.map_err(StartError::from);
            sequencer.and_then(|it| outlast(&mut *journal, None, until).map(|()| (it, None)))
        };
        let (sequencer, lease) = begun.inspect_err(|_| let_go(&mut *journal))?;
        span.record("records", sequencer.head().seq).record("micros", micros(clock.elapsed()));
        drop(entered);
        let (identity, head) = (journal.identity(), sequencer.head());
        let lost = parts.snapshots.clone().filter(|_| accepted == Some(head));
        let engine = parts.begin(journal, sequencer, lease)?;
        let Some(accepted) = accepted else { return Ok(engine) };
        let engine = record_loss(engine, accepted)?;
        // Those of a loss that was recorded before may have been made since.
        if let Some(snapshots) = lost {
            snapshots.set_aside(&engine.name, identity, accepted.seq);
        }
        Ok(engine)
    }

    /// [`EngineBuilder::start`] with a sequencer that has replayed this journal up to some record,
    /// and is given once the ledger is taken over: what follows is replayed, and nobody observes
    /// it. Where none is given, everything is replayed.
    pub(super) fn start_from(
        self,
        mut journal: Box<dyn Journal>,
        give: impl FnOnce() -> Option<Sequencer>,
    ) -> Result<Engine, StartError> {
        let parts = self.parts;
        let (opening, sent) =
            take_over(&mut *journal, parts.lease, parts.from(From::WhoeverHangs))?;
        let until = Instant::now() + opening.predecessor_lease;
        let given = give().map_or_else(
            || open_sequencer(&mut *journal, &parts.name, parts.snapshots.as_ref(), |_, _| ()),
            Ok,
        );
        let replayed = given.and_then(|mut sequencer| {
            sequencer.go_on(&mut *journal, &mut |_, _| ())?;
            Ok(sequencer)
        });
        let mut lease = parts.lease_from(sent);
        let begun = replayed.map_err(StartError::from).and_then(|sequencer| {
            outlast(&mut *journal, lease.as_mut(), until).map(|()| sequencer)
        });
        let sequencer = begun.inspect_err(|_| let_go(&mut *journal))?;
        parts.begin(journal, sequencer, lease)
    }

    /// Starts with a sequencer that was opened of this journal after [`Journal::open_writer`] took
    /// the writer's place. The sequencer may have decided more than the journal holds, unless an
    /// outbox is kept: that is written with the first commit.
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
        let durable = sequencer.journal_head();
        if head != durable {
            return Err(StartError::Moved { expected: durable.seq, found: head.seq });
        }
        if self.parts.outbox.is_some() && sequencer.pending() > 0 {
            // What those records ask for was told to nobody.
            let (expected, found) = (durable.seq, sequencer.head().seq);
            return Err(StartError::Outbox(ProjectError::Skipped { expected, found }));
        }
        let sent = Moment::now();
        if let Some(lease) = self.parts.lease {
            journal.renew(lease)?;
        }
        let lease = self.parts.lease_from(sent);
        self.parts.begin(journal, sequencer, lease)
    }

    /// Follows the ledger without writing, and takes it over when no lease of another engine is in
    /// force any more: see [`Standby`].
    ///
    /// Nobody observes what it replays.
    pub fn stand_by(self, journal: Box<dyn Journal>) -> Standby {
        Standby::start(self.parts, journal, false)
    }

    /// The same, and leaves the ledger alone until [`Standby::hold_back`] says otherwise: whoever
    /// needs several ledgers takes them over in one order, the same for all that stand by for them,
    /// and gives back what it has when it does not get the rest; or two wait for one another.
    pub fn stand_by_held_back(self, journal: Box<dyn Journal>) -> Standby {
        Standby::start(self.parts, journal, true)
    }
}

impl std::fmt::Debug for EngineBuilder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EngineBuilder")
            .field("name", &self.parts.name)
            .field("queue", &self.parts.queue)
            .field("largest_commit", &self.parts.largest_commit)
            .field("followers", &self.parts.followers.len())
            .field("lease", &self.parts.lease)
            .finish_non_exhaustive()
    }
}
