//! Writes transactions into tables in their order, each from where the one before it left them.
//!
//! What could not be written waits and is written first the next time, once: where nobody can say
//! whether a transaction was written, the checkpoint says it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use ledger_core::time::Instant;

use super::backend::step::Move;
use super::backend::{Backend, Step, Written};
use super::changes::Changed;
use super::checkpoint::Checkpoint;
use super::error::ProjectError;
use super::schema::extent::Extent;
use crate::journal::Head;

/// What is written at once: what records changed, and the last of them.
#[derive(Debug)]
pub(super) struct Transaction {
    pub(super) changed: Changed,
    /// Where the tables stand when it is written.
    pub(super) to: Head,
    /// The instant of that record.
    pub(super) as_of: Instant,
}

/// How much was projected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Projected {
    /// How many records.
    pub records: u64,
    /// How many rows they wrote.
    pub rows: u64,
}

/// The tables of one ledger, as a projector writes them.
pub(super) struct TablesWriter {
    pub(super) backend: Box<dyn Backend>,
    pub(super) extent: Extent,
    pub(super) ledger: String,
    /// Where the tables stand.
    at: Head,
    /// Where they may stand besides: the outcome of the first write that waits is not known.
    unsure: Option<Head>,
    waiting: VecDeque<Transaction>,
    done: Projected,
}

impl Projected {
    /// What came since it was so much.
    pub(super) fn since(self, before: Self) -> Self {
        Self { records: self.records - before.records, rows: self.rows - before.rows }
    }
}

impl TablesWriter {
    /// Tables that stand at `at`.
    pub(super) fn new(extent: Extent, backend: Box<dyn Backend>, ledger: String, at: Head) -> Self {
        let (waiting, done) = (VecDeque::new(), Projected::default());
        Self { backend, extent, ledger, at, unsure: None, waiting, done }
    }

    /// Where the tables stand.
    pub(super) const fn at(&self) -> Head {
        self.at
    }

    /// How much was written.
    pub(super) const fn totals(&self) -> Projected {
        self.done
    }

    /// Writes what waits, and then this.
    ///
    /// # Errors
    ///
    /// [`ProjectError::Moved`] where somebody else has gone on; when the database fails. What is
    /// not written waits.
    pub(super) fn write(&mut self, next: Option<Transaction>) -> Result<(), ProjectError> {
        self.waiting.extend(next);
        while let Some(next) = self.waiting.pop_front() {
            if let Err(error) = self.write_one(&next) {
                self.waiting.push_front(next);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Writes transactions as they come, until no more do. From the first failure on they wait, and
    /// whoever sends them is shown it.
    ///
    /// # Errors
    ///
    /// That of [`TablesWriter::write`].
    pub(super) fn write_all(
        &mut self,
        coming: impl IntoIterator<Item = Transaction>,
        failed: &AtomicBool,
    ) -> Result<(), ProjectError> {
        let mut written = Ok(());
        for next in coming {
            if written.is_err() {
                self.waiting.push_back(next);
                continue;
            }
            written = self.write(Some(next));
            failed.store(written.is_err(), Ordering::Relaxed);
        }
        written
    }

    fn write_one(&mut self, next: &Transaction) -> Result<(), ProjectError> {
        let Transaction { changed, to, as_of } = next;
        if self.unsure.is_some() {
            let stands = Checkpoint::find(self.extent, &mut *self.backend, &self.ledger)?;
            if stands.map(|checkpoint| checkpoint.head) == self.unsure {
                self.record_written(next);
                return Ok(());
            }
        }
        // The checkpoint first: who does not move it writes nothing.
        let moving = Move { from: self.at, to: *to, as_of: *as_of };
        let mut steps = vec![Step::Move(self.extent, &self.ledger, moving)];
        steps.extend(changed.steps(&self.ledger));
        // If this ends badly, nobody can tell whether it was written.
        self.unsure = Some(*to);
        if self.backend.write(&steps)? == Written::No {
            let (ledger, seq) = (self.ledger.clone(), self.at.seq);
            return Err(ProjectError::Moved { ledger, seq });
        }
        drop(steps);
        self.record_written(next);
        Ok(())
    }

    fn record_written(&mut self, written: &Transaction) {
        self.done.records += written.to.seq - self.at.seq;
        self.done.rows += written.changed.count();
        (self.at, self.unsure) = (written.to, None);
    }
}
