//! The journal replayed, and what its records change gathered until it is cut into a transaction.

use super::changes::Changes;
use super::error::ProjectError;
use super::schema::extent::Extent;
use super::tables_writer::Transaction;
use crate::bytes::chain::{Algorithm, Chain};
use crate::bytes::frame::{FrameWriter, Row};
use crate::engines::sequencer::{ReplayError, Sequencer};
use crate::journal::{Head, Journal, JournalError};

/// How many rows are read from a journal at once.
const ROWS_AT_ONCE: usize = 16;

/// A journal as it is replayed for tables.
pub(super) struct Gathering {
    pub(super) sequencer: Sequencer,
    changes: Changes,
    algorithm: Algorithm,
    /// Where the tables stand: what comes behind it is gathered.
    from: Head,
    /// Rows that were read, and are not replayed.
    rows: std::vec::IntoIter<Row>,
    /// Entries of the outbox up to this record are not written again.
    pruned: u64,
}

impl Gathering {
    /// A sequencer that has not begun, for tables of this extent that stand at `from`.
    pub(super) fn new(
        (extent, sequencer): (Extent, Sequencer),
        algorithm: Algorithm,
        (from, pruned): (Head, u64),
    ) -> Self {
        let (changes, rows) = (Changes::new(extent), Vec::new().into_iter());
        Self { sequencer, changes, algorithm, from, rows, pruned }
    }

    /// Replays up to where the tables stand, and proves that this is on the journal's chain.
    pub(super) fn recover(
        &mut self,
        journal: &mut dyn Journal,
        ledger: &str,
    ) -> Result<(), ProjectError> {
        let seq = self.from.seq;
        while self.sequencer.head().seq < seq {
            let ledger = ledger.to_owned();
            let Some(row) = self.next(journal)? else {
                let head = self.sequencer.head().seq;
                return Err(ProjectError::Truncated { ledger, seq, head });
            };
            if row.last() >= seq && !self.is_on_chain(&row) {
                return Err(ProjectError::Foreign { ledger, seq });
            }
            self.take(&row)?;
        }
        Ok(())
    }

    /// Gathers until there are `enough` records, or none is left up to `goal`: says whether there
    /// are enough.
    pub(super) fn gather(
        &mut self,
        journal: &mut dyn Journal,
        enough: u64,
        goal: u64,
    ) -> Result<bool, ProjectError> {
        while self.changes.records() < enough {
            if self.sequencer.head().seq >= goal {
                return Ok(false);
            }
            let Some(row) = self.next(journal)? else { return Ok(false) };
            if row.last() <= goal {
                self.take(&row)?;
            } else {
                // The journal's rows may be cut elsewhere than those that were projected.
                let chain = self.sequencer.head().chain(self.algorithm);
                self.take(&first_part(&row, chain, goal))?;
            }
        }
        Ok(true)
    }

    /// Returns what was gathered, as a transaction; none where nothing was.
    pub(super) fn cut(&mut self) -> Result<Option<Transaction>, ProjectError> {
        if self.changes.records() == 0 {
            return Ok(None);
        }
        let changed = self.changes.pending_writes(&self.sequencer, self.pruned);
        if let Some(fault) = self.sequencer.fault() {
            // Something old could not be read back, so nothing gathered can be trusted to be whole.
            return Err(ReplayError::from(JournalError::Medium(fault.into())).into());
        }
        self.changes.clear();
        let as_of = self.sequencer.ledger().state.now;
        Ok(Some(Transaction { changed, to: self.sequencer.head(), as_of }))
    }

    /// Replays a row; what its records beyond the tables change is gathered.
    pub(super) fn take(&mut self, row: &Row) -> Result<(), ProjectError> {
        let checks: Vec<[u8; 8]> =
            row.frames().map_while(Result::ok).map(|frame| frame.check).collect();
        let (changes, from) = (&mut self.changes, self.from.seq);
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

    /// The next row of the journal; one that ends while its head says that it goes on is damaged.
    fn next(&mut self, journal: &mut dyn Journal) -> Result<Option<Row>, ReplayError> {
        let next = self.sequencer.head().seq + 1;
        // What was read and is not what follows was replayed otherwise, or could not be.
        if self.rows.as_slice().first().is_none_or(|row| row.first != next) {
            self.rows = self.read(journal)?.into_iter();
        }
        Ok(self.rows.next())
    }

    fn read(&self, journal: &mut dyn Journal) -> Result<Vec<Row>, ReplayError> {
        let next = self.sequencer.head().seq + 1;
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

    /// Tells whether the link of the tables' checkpoint is that of its record, which is in `row`.
    fn is_on_chain(&self, row: &Row) -> bool {
        let mut chain = self.sequencer.head().chain(self.algorithm);
        for frame in row.frames().map_while(Result::ok) {
            chain.push(frame.record);
            if chain.seq() == self.from.seq {
                return chain.link() == self.from.link;
            }
        }
        false
    }
}

/// A row of what `row` holds up to record `last`, which it holds.
fn first_part(row: &Row, chain: Chain, last: u64) -> Row {
    let mut frames = FrameWriter::new(chain);
    for frame in row.frames().map_while(Result::ok).take_while(|frame| frame.seq <= last) {
        frames.push(frame.record);
    }
    frames.cut().expect("the row begins with that record or before it")
}
