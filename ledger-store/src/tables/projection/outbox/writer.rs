//! Writing the outbox that an engine keeps: what was decided goes there as it is, so that nothing
//! is decided a second time for it.

use std::borrow::Cow;

use ledger_core::time::Instant;

use super::pending::Pending;
use crate::journal::{Head, Journal};
use crate::tables::projection::backend::step::Move;
use crate::tables::projection::backend::target::Target;
use crate::tables::projection::backend::{Backend, Step, Written};
use crate::tables::projection::checkpoint::Checkpoint;
use crate::tables::projection::error::ProjectError;
use crate::tables::projection::projector::Projector;
use crate::tables::projection::schema::extent::Extent;
use crate::tables::projection::schema::table::Cells;
use crate::tables::projection::schema::{CHECKPOINT, OUTBOX};

/// How often it begins anew where another engine writes to the same outbox.
const MOST_TRIES: u32 = 16;

/// The outbox of one ledger, up to some record.
pub(crate) struct OutboxWriter {
    target: Target,
    /// Nothing while it rests.
    backend: Option<Box<dyn Backend>>,
    ledger: String,
    /// Where it stands.
    at: Head,
    /// Where it may stand besides: the outcome of a write is not known.
    unsure: Option<Head>,
}

/// The rows of what follows records up to a head, and nothing else that follows those.
#[derive(Debug)]
pub(crate) struct Batch {
    rows: Vec<Cells>,
    /// The last of those records.
    pub(crate) to: Head,
    /// The instant of that last record.
    as_of: Instant,
}

impl Batch {
    /// The batch of entries, each with the first bytes of its record's link, of records up to `to`,
    /// whose last is of the instant `as_of`.
    pub(crate) fn from_entries(entries: Vec<(Pending, [u8; 8])>, to: Head, as_of: Instant) -> Self {
        let mut room = Vec::new();
        let rows = entries.into_iter().map(|(entry, check)| entry.row(check, &mut room)).collect();
        Self { rows, to, as_of }
    }
}

impl OutboxWriter {
    /// The outbox of the ledger named `name` in `target`, made where it is not, and brought up to
    /// the journal's head: where it is behind, what is missing is derived from the records again.
    ///
    /// # Errors
    ///
    /// [`ProjectError`], above all when it is of another past than the journal.
    pub(crate) fn open(
        journal: &mut dyn Journal,
        name: &str,
        target: &Target,
    ) -> Result<Self, ProjectError> {
        let mut tries = 0;
        loop {
            match Self::open_outbox(journal, name, target) {
                // The engine that was taken over from has written its last.
                Err(ProjectError::Moved { .. }) if tries < MOST_TRIES => tries += 1,
                opened => return opened,
            }
        }
    }

    fn open_outbox(
        journal: &mut dyn Journal,
        name: &str,
        target: &Target,
    ) -> Result<Self, ProjectError> {
        let mut backend = target.filling(Extent::Outbox)?;
        if backend.has(CHECKPOINT.name)? {
            backend.write(&[Checkpoint::handed_over(name)])?;
        }
        let found = Checkpoint::begin(Extent::Outbox, &mut *backend, journal, name)?;
        let head = journal.head().map_err(crate::engines::sequencer::ReplayError::from)?;
        let (backend, at) = if found.head == head {
            (backend, head)
        } else {
            let filled = Projector::over(journal, name, (Extent::Outbox, backend))?;
            let at = filled.at();
            (filled.into_backend(), at)
        };
        let (target, ledger) = (target.clone(), name.to_owned());
        Ok(Self { target, backend: Some(backend), ledger, at, unsure: None })
    }

    /// Gives its connection up, until it is to write.
    pub(crate) fn rest(&mut self) {
        self.backend = None;
    }

    /// Where it stands.
    pub(crate) const fn at(&self) -> Head {
        self.at
    }

    /// Writes what follows, in one transaction with the checkpoint. What could not be written may
    /// be written once more: writing it twice is writing it once.
    ///
    /// # Errors
    ///
    /// [`ProjectError::Moved`] where somebody else has gone on; when the database fails.
    pub(crate) fn write(&mut self, batch: &Batch) -> Result<(), ProjectError> {
        let backend = match &mut self.backend {
            Some(backend) => backend,
            none => none.insert(self.target.writing()?),
        };
        if let Some(unsure) = self.unsure {
            let stands = Checkpoint::find(Extent::Outbox, &mut **backend, &self.ledger)?;
            if stands.is_some_and(|checkpoint| checkpoint.head == unsure) {
                self.at = unsure;
            }
            self.unsure = None;
        }
        if self.at.seq >= batch.to.seq {
            return Ok(());
        }
        let moving = Move { from: self.at, to: batch.to, as_of: batch.as_of };
        // The checkpoint first: who does not move it writes nothing.
        let steps = [
            Step::Move(Extent::Outbox, &self.ledger, moving),
            Step::Put(&OUTBOX, &self.ledger, Cow::Borrowed(&*batch.rows)),
        ];
        self.unsure = Some(batch.to);
        if backend.write(&steps)? == Written::No {
            let (ledger, seq) = (self.ledger.clone(), self.at.seq);
            return Err(ProjectError::Moved { ledger, seq });
        }
        (self.at, self.unsure) = (batch.to, None);
        Ok(())
    }
}
