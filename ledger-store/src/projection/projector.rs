//! The projector: replays a journal in a sequencer of its own, and writes what changed into tables.
//!
//! ```text
//! journal rows -> Sequencer -> Changes -> one transaction: rows, what is gone, outbox, checkpoint
//! ```
//!
//! The transaction is written only if the tables stand where the projector left them, so two
//! projectors of one set of tables never double anything: the second stops.
//! The checkpoint names record and link; tables whose link is not on the chain are refused.

use super::backend::step::Move;
use super::backend::target::Target;
use super::backend::{Backend, Step, TablesFailed, Written};
use super::changes::{Changed, Changes};
use super::checkpoint::Checkpoint;
use super::error::ProjectError;
use super::rebuild;
use super::schema::VERSION;
use super::schema::extent::Extent;
use crate::chain::{Algorithm, Chain};
use crate::frame::{FrameWriter, Row};
use crate::journal::{Commit, Head, Journal, JournalError};
use crate::sequencer::{ReplayError, Sequencer};

/// How many rows are read from a journal at once.
const ROWS_AT_ONCE: usize = 16;

/// How many records one transaction projects: more saves nothing, and keeps others waiting.
const BATCH: u64 = 4_000;

/// Fills the tables of one ledger.
///
/// ```
/// use ledger_store::projection::{Projector, Tables, Target, prove};
/// use ledger_store::{OpenMode, SqliteJournal};
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("ledger.db");
/// let target = Target::Sqlite(file.clone());
/// let mut journal = SqliteJournal::open(&file, "live", OpenMode::create())?;
/// drop(Projector::open(&mut journal, "live", &target)?);
/// assert!(Tables::open(&target, "live")?.is_some());
/// assert!(prove(&mut journal, "live", &target)?.is_some()); // They are what the journal says.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Projector {
    backend: Box<dyn Backend>,
    extent: Extent,
    ledger: String,
    sequencer: Sequencer,
    changes: Changes,
    algorithm: Algorithm,
    /// Where the tables stand.
    at: Head,
    /// Where they may stand besides: the outcome of a write is not known.
    unsure: Option<Head>,
    pruned: u64,
    done: Projected,
}

/// How much was projected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Projected {
    /// How many records.
    pub records: u64,
    /// How many rows they wrote.
    pub rows: u64,
}

impl Projector {
    /// Opens the tables of the ledger named `name` in `target`, makes them where they are not, and
    /// brings them up to the journal's head.
    ///
    /// # Errors
    ///
    /// [`ProjectError`], above all when the tables are of another past than the journal.
    pub fn open(
        journal: &mut dyn Journal,
        name: &str,
        target: &Target,
    ) -> Result<Self, ProjectError> {
        Self::of_tables(journal, name, target.filling(Extent::Whole)?)
    }

    /// Empties the tables first: everything in them is made again from the first record on, but
    /// for what was acknowledged of the outbox, which stays acknowledged.
    ///
    /// # Errors
    ///
    /// [`ProjectError`], where the tables are of another version, or a medium fails.
    pub fn rebuild(
        journal: &mut dyn Journal,
        name: &str,
        target: &Target,
    ) -> Result<Self, ProjectError> {
        let mut backend = target.filling(Extent::Whole)?;
        let extent = Checkpoint::extent_of_tables(&mut *backend, name)?;
        rebuild::empty(extent, &mut *backend, journal, name)?;
        Self::over(journal, name, (extent, backend))
    }

    pub(super) fn of_tables(
        journal: &mut dyn Journal,
        name: &str,
        mut backend: Box<dyn Backend>,
    ) -> Result<Self, ProjectError> {
        let extent = Checkpoint::extent_of_tables(&mut *backend, name)?;
        Self::over(journal, name, (extent, backend))
    }

    pub(super) fn over(
        journal: &mut dyn Journal,
        name: &str,
        tables: (Extent, Box<dyn Backend>),
    ) -> Result<Self, ProjectError> {
        let mut projector = Self::at_the_beginning(journal, name, tables)?;
        projector.recover(journal)?;
        projector.catch_up(journal)?;
        Ok(projector)
    }

    /// Fills new tables up to a checkpoint and no further, so that they can be compared with those
    /// that stand there.
    pub(super) fn up_to(
        journal: &mut dyn Journal,
        name: &str,
        tables: (Extent, Box<dyn Backend>),
        goal: &Checkpoint,
    ) -> Result<Self, ProjectError> {
        let mut projector = Self::at_the_beginning(journal, name, tables)?;
        let foreign = || ProjectError::Foreign { ledger: name.to_owned(), seq: goal.head.seq };
        if goal.version != VERSION {
            return Err(ProjectError::Version { ledger: name.to_owned(), found: goal.version });
        }
        while projector.sequencer.head().seq < goal.head.seq {
            let rows = read(journal, &projector.sequencer)?;
            if rows.is_empty() {
                let head = projector.sequencer.head().seq;
                let ledger = name.to_owned();
                return Err(ProjectError::Truncated { ledger, seq: goal.head.seq, head });
            }
            for row in &rows {
                if row.last() <= goal.head.seq {
                    projector.take(row)?;
                } else if row.first <= goal.head.seq {
                    // The journal's rows may be cut elsewhere than those that were projected.
                    let chain = projector.sequencer.head().chain(projector.algorithm);
                    projector.take(&first_part(row, chain, goal.head.seq))?;
                }
            }
            projector.flush()?;
        }
        if projector.at == goal.head { Ok(projector) } else { Err(foreign()) }
    }

    /// Over these tables, with a sequencer that has not begun.
    fn at_the_beginning(
        journal: &mut dyn Journal,
        name: &str,
        (extent, mut backend): (Extent, Box<dyn Backend>),
    ) -> Result<Self, ProjectError> {
        let sequencer = Sequencer::reading(journal, name).map_err(ReplayError::from)?;
        let found = Checkpoint::begun(extent, &mut *backend, journal, name)?;
        let ledger = name.to_owned();
        Ok(Self {
            backend,
            extent,
            ledger,
            sequencer,
            changes: Changes::of(extent),
            algorithm: journal.identity().algorithm,
            at: found.head,
            unsure: None,
            pruned: found.pruned,
            done: Projected::default(),
        })
    }

    /// Replays up to the checkpoint, and proves that it is on this chain.
    fn recover(&mut self, journal: &mut dyn Journal) -> Result<(), ProjectError> {
        let mut proved = self.at.seq == 0;
        while self.sequencer.head().seq < self.at.seq {
            let rows = read(journal, &self.sequencer)?;
            if rows.is_empty() {
                let (ledger, head) = (self.ledger.clone(), self.sequencer.head().seq);
                return Err(ProjectError::Truncated { ledger, seq: self.at.seq, head });
            }
            for row in &rows {
                if (row.first..=row.last()).contains(&self.at.seq) {
                    proved = self.is_on_chain(row);
                }
                if row.last() >= self.at.seq && !proved {
                    let ledger = self.ledger.clone();
                    return Err(ProjectError::Foreign { ledger, seq: self.at.seq });
                }
                self.take(row)?;
            }
        }
        Ok(())
    }

    /// Whether the checkpoint's link is that of its record, which is in `row`.
    fn is_on_chain(&self, row: &Row) -> bool {
        let mut chain = self.sequencer.head().chain(self.algorithm);
        for frame in row.frames().map_while(Result::ok) {
            chain.push(frame.record);
            if chain.seq() == self.at.seq {
                return chain.link() == self.at.link;
            }
        }
        false
    }

    /// Projects whatever the journal holds beyond what was projected, in transactions of some
    /// thousand records.
    ///
    /// # Errors
    ///
    /// [`ProjectError`]; what was written stays, and a later call goes on.
    pub fn catch_up(&mut self, journal: &mut dyn Journal) -> Result<Projected, ProjectError> {
        let before = self.done;
        self.flush()?;
        loop {
            let rows = read(journal, &self.sequencer)?;
            for row in &rows {
                self.take(row)?;
                if self.changes.records() >= BATCH {
                    self.flush()?;
                }
            }
            if rows.is_empty() {
                self.flush()?;
                return Ok(self.done.since(before));
            }
        }
    }

    /// Projects a commit that just became durable, before anybody is answered: an engine that
    /// follows inline calls this.
    ///
    /// A commit that was projected already is passed over. What could not be written is written
    /// with the next commit.
    ///
    /// # Errors
    ///
    /// [`ProjectError`] when the commit does not follow, or the tables fail.
    pub fn follow(&mut self, commit: &Commit) -> Result<(), ProjectError> {
        let found = self.sequencer.head();
        if commit.head().seq <= found.seq {
            return self.flush();
        }
        if commit.previous != found {
            let (expected, found) = (commit.previous.seq, found.seq);
            return Err(ProjectError::Skipped { expected, found });
        }
        for row in &commit.rows {
            self.take(row)?;
        }
        self.flush()
    }

    /// Replays a row; what its records beyond the checkpoint change is gathered.
    fn take(&mut self, row: &Row) -> Result<(), ProjectError> {
        let checks: Vec<[u8; 8]> =
            row.frames().map_while(Result::ok).map(|frame| frame.check).collect();
        let (changes, from) = (&mut self.changes, self.at.seq);
        self.sequencer.replay_row(row, &mut |sequencer, record| {
            let seq = record.seq.0;
            if seq > from {
                let place = usize::try_from(seq - row.first).unwrap_or(usize::MAX);
                let check = checks.get(place).copied().unwrap_or_default();
                changes.note(sequencer, record, check);
            } else if seq == from {
                changes.begin(sequencer);
            }
        })?;
        Ok(())
    }

    /// Writes what was gathered, in one transaction with the checkpoint.
    ///
    /// Writing the same twice is writing it once, so what may have been written already is written
    /// again together with what came since.
    fn flush(&mut self) -> Result<(), ProjectError> {
        if self.changes.records() == 0 {
            return Ok(());
        }
        let to = self.sequencer.head();
        let changed = self.changes.changed(&self.sequencer, self.pruned);
        if let Some(fault) = self.sequencer.fault() {
            // Something old could not be read back, so nothing gathered can be trusted to be whole.
            return Err(ReplayError::from(JournalError::Medium(fault.into())).into());
        }
        let rows = changed.count();
        if self.write(changed, to)? == Written::No {
            let (ledger, seq) = (self.ledger.clone(), self.at.seq);
            return Err(ProjectError::Moved { ledger, seq });
        }
        self.done.records += to.seq - self.at.seq;
        self.done.rows += rows;
        self.at = to;
        self.unsure = None;
        self.changes.clear();
        Ok(())
    }

    fn write(&mut self, changed: Changed, to: Head) -> Result<Written, TablesFailed> {
        if self.unsure.is_some() {
            let stands = Checkpoint::find(self.extent, &mut *self.backend, &self.ledger)?;
            let stands = stands.map(|checkpoint| checkpoint.head);
            if stands == self.unsure {
                self.at = stands.unwrap_or(self.at);
            }
        }
        let now = self.sequencer.ledger().state.now;
        // The checkpoint first: who does not move it writes nothing.
        let moving = Move { from: self.at, to, as_of: now };
        let mut steps = vec![Step::Move(self.extent, &self.ledger, moving)];
        steps.extend(changed.steps(&self.ledger));
        // If this ends badly, nobody can tell whether it was written.
        self.unsure = Some(to);
        self.backend.write(&steps)
    }

    /// Where the tables stand.
    #[must_use]
    pub const fn at(&self) -> Head {
        self.at
    }

    /// How much was projected since it was opened.
    #[must_use]
    pub const fn done(&self) -> Projected {
        self.done
    }

    /// The ledger as projected.
    #[must_use]
    pub const fn sequencer(&self) -> &Sequencer {
        &self.sequencer
    }

    /// What it fills, when nobody follows any more.
    pub(super) fn into_backend(self) -> Box<dyn Backend> {
        self.backend
    }

    pub(super) fn backend(&mut self) -> &mut dyn Backend {
        &mut *self.backend
    }
}

/// The next rows; a journal that ends while its head says that it goes on is damaged.
fn read(journal: &mut dyn Journal, sequencer: &Sequencer) -> Result<Vec<Row>, ReplayError> {
    let next = sequencer.head().seq + 1;
    let rows = journal.read(next, ROWS_AT_ONCE)?;
    if !rows.is_empty() {
        return Ok(rows);
    }
    let found = journal.head()?.seq;
    if found < next {
        return Ok(rows);
    }
    // A writer has gone on since, or something hides the rest.
    let rows = journal.read(next, ROWS_AT_ONCE)?;
    let gap = JournalError::Gap { expected: next, found };
    if rows.is_empty() { Err(gap.into()) } else { Ok(rows) }
}

/// A row of what `row` holds up to record `last`, which it holds.
fn first_part(row: &Row, chain: Chain, last: u64) -> Row {
    let mut frames = FrameWriter::new(chain);
    for frame in row.frames().map_while(Result::ok).take_while(|frame| frame.seq <= last) {
        frames.push(frame.record);
    }
    frames.cut().expect("the row begins with that record or before it")
}

impl Projected {
    fn since(self, before: Self) -> Self {
        Self { records: self.records - before.records, rows: self.rows - before.rows }
    }
}

impl std::fmt::Debug for Projector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Projector");
        shown.field("ledger", &self.ledger).field("at", &self.at).finish_non_exhaustive()
    }
}
