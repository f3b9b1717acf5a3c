//! The projector: replays a journal in a sequencer of its own, and writes what changed into tables.
//!
//! ```text
//! journal rows -> Sequencer -> Changes -> one transaction: rows, what is gone, outbox, checkpoint
//! ```
//!
//! The transaction is written only if the tables stand where the projector left them, so two
//! projectors of one set of tables never double anything: the second stops.
//! The checkpoint names record and link; tables whose link is not on the chain are refused.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;

use super::backend::target::{Target, in_one_file};
use super::backend::{Backend, TablesFailed};
use super::checkpoint::Checkpoint;
use super::error::ProjectError;
use super::from_first::Dropped;
use super::gathering::Gathering;
use super::rebuild;
use super::schema::VERSION;
use super::schema::extent::Extent;
use super::tables_writer::{Projected, TablesWriter};
use crate::engines::sequencer::{ReplayError, Sequencer};
use crate::journal::{Commit, Head, Journal};

/// Who else writes to the file that the tables are in, and waits for each of their transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OtherWriter {
    Journal,
    Nobody,
}

impl OtherWriter {
    /// How many records one transaction projects. More save little, and keep others waiting; where
    /// nobody waits, a balance is written once for all that changed it.
    const fn batch(self) -> u64 {
        match self {
            Self::Journal => 4_000,
            // A crate's own tests fill several transactions of few records.
            Self::Nobody if cfg!(test) => 400,
            Self::Nobody => 32_000,
        }
    }
}

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
    gathering: Gathering,
    tables: TablesWriter,
    other_writer: OtherWriter,
    /// Indexes that are to be made again.
    dropped: Dropped,
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
        projector.gathering.recover(journal, name)?;
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
        let (ledger, seq) = (name.to_owned(), goal.head.seq);
        if goal.version != VERSION {
            return Err(ProjectError::Version { ledger, found: goal.version });
        }
        projector.fill(journal, seq)?;
        let at = projector.at();
        if at.seq < seq {
            return Err(ProjectError::Truncated { ledger, seq, head: at.seq });
        }
        if at == goal.head { Ok(projector) } else { Err(ProjectError::Foreign { ledger, seq }) }
    }

    /// Over these tables, with a sequencer that has not begun.
    fn at_the_beginning(
        journal: &mut dyn Journal,
        name: &str,
        (extent, mut backend): (Extent, Box<dyn Backend>),
    ) -> Result<Self, ProjectError> {
        let sequencer = Sequencer::reading(journal, name).map_err(ReplayError::from)?;
        let Checkpoint { head, pruned, .. } =
            Checkpoint::begin(extent, &mut *backend, journal, name)?;
        if head.seq == 0 && extent != Extent::Outbox {
            rebuild::remove_rows_of_nothing(extent, &mut *backend, name)?;
        }
        let algorithm = journal.identity().algorithm;
        let gathering = Gathering::new((extent, sequencer), algorithm, (head, pruned));
        let shared = in_one_file(journal.file(), backend.file());
        let other_writer = if shared { OtherWriter::Journal } else { OtherWriter::Nobody };
        let tables = TablesWriter::new(extent, backend, name.to_owned(), head);
        Ok(Self { gathering, tables, other_writer, dropped: Dropped::default() })
    }

    /// Projects whatever the journal holds beyond what was projected, in transactions of some
    /// thousand records.
    ///
    /// # Errors
    ///
    /// [`ProjectError`]; what was written stays, and a later call goes on.
    pub fn catch_up(&mut self, journal: &mut dyn Journal) -> Result<Projected, ProjectError> {
        let before = self.totals();
        self.fill(journal, u64::MAX)?;
        Ok(self.totals().since(before))
    }

    /// Projects up to record `goal`, or as far as the journal goes.
    fn fill(&mut self, journal: &mut dyn Journal, goal: u64) -> Result<(), ProjectError> {
        let filled = self.fill_rows(journal, goal);
        let made = self.dropped.make(&mut *self.tables.backend);
        filled.and(made.map_err(ProjectError::from))
    }

    fn fill_rows(&mut self, journal: &mut dyn Journal, goal: u64) -> Result<(), ProjectError> {
        self.tables.write(None)?;
        if self.gathering.gather(journal, self.other_writer.batch(), goal)? {
            if self.tables.at().seq == 0 && self.other_writer == OtherWriter::Nobody {
                let TablesWriter { extent, backend, ledger, .. } = &mut self.tables;
                self.dropped = Dropped::before(*extent, &mut **backend, ledger)?;
            }
            self.fill_ahead(journal, goal)?;
        }
        self.flush()
    }

    /// Replays ahead of what is written: a transaction is gathered while another thread writes the
    /// one before it.
    fn fill_ahead(&mut self, journal: &mut dyn Journal, goal: u64) -> Result<(), ProjectError> {
        let Self { gathering, tables, other_writer, .. } = self;
        let failed = &AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (give, coming) = sync_channel(0);
            let thread = std::thread::Builder::new().name("ledger-tables".to_owned());
            let writes = thread.spawn_scoped(scope, move || tables.write_all(coming, failed));
            let writes = writes.map_err(|error| TablesFailed(error.into()))?;
            let mut gathered = Ok(true);
            while matches!(gathered, Ok(true)) && !failed.load(Ordering::Relaxed) {
                let more = gathering.cut().map(|next| next.is_none_or(|it| give.send(it).is_ok()));
                gathered = more.and_then(|_| gathering.gather(journal, other_writer.batch(), goal));
            }
            drop(give);
            let written = writes.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            written.and(gathered.map(drop))
        })
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
        let found = self.gathering.sequencer.head();
        if commit.head().seq <= found.seq {
            return self.flush();
        }
        if commit.previous != found {
            let (expected, found) = (commit.previous.seq, found.seq);
            return Err(ProjectError::Skipped { expected, found });
        }
        for row in &commit.rows {
            self.gathering.take(row)?;
        }
        self.flush()
    }

    /// Writes what was gathered, in one transaction with the checkpoint.
    fn flush(&mut self) -> Result<(), ProjectError> {
        let next = self.gathering.cut()?;
        self.tables.write(next)
    }

    /// Where the tables stand.
    #[must_use]
    pub const fn at(&self) -> Head {
        self.tables.at()
    }

    /// How much was projected since it was opened.
    #[must_use]
    pub const fn totals(&self) -> Projected {
        self.tables.totals()
    }

    /// The ledger as projected.
    #[must_use]
    pub const fn sequencer(&self) -> &Sequencer {
        &self.gathering.sequencer
    }

    /// Returns what it fills, when nobody follows any more.
    pub(super) fn into_backend(self) -> Box<dyn Backend> {
        self.tables.backend
    }

    pub(super) fn backend(&mut self) -> &mut dyn Backend {
        &mut *self.tables.backend
    }
}

impl std::fmt::Debug for Projector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Projector");
        shown
            .field("ledger", &self.tables.ledger)
            .field("at", &self.tables.at())
            .finish_non_exhaustive()
    }
}
