//! Reading ahead: where a journal is long, one thread reads it and follows its chain, and another
//! replays what that has found sound.
//!
//! The thread that replays also decodes. Records that another thread decoded lie in its core's
//! cache, and fetching them from there costs more than decoding them.

use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{Builder, scope};
use std::vec::IntoIter;

use super::ReplayError;
use super::verified::{VerifiedRow, Verifier};
use crate::bytes::frame::Row;
use crate::journal::{Head, Journal, JournalError};

/// How many records are replayed before another thread is worth beginning.
const ENOUGH: usize = 10_000;

/// How many records are handed over at once, at least, where there are as many.
const AT_ONCE: usize = 1_000;

/// How many rows are read from a journal at once, before it is known how much they hold.
const ROWS_AT_ONCE: usize = 16;

/// The most rows that are read at once, where each holds little.
const MOST_ROWS: usize = 64 * ROWS_AT_ONCE;

/// More rows are read at once where as many as this hold less...
const FEW_BYTES: usize = 64 << 10;

/// ...and few again where they hold more.
const MANY_BYTES: usize = 4 << 20;

/// How many times [`AT_ONCE`] wait to be replayed.
const AHEAD: usize = 16;

/// How many rows are read from a journal at once: the more, the less they hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowsAtOnce(pub(super) usize);

/// Rows that are replayed together.
pub(crate) type VerifiedRows = Arc<[VerifiedRow]>;

/// What follows in a journal.
pub(super) struct ReadAhead<'j> {
    journal: &'j mut dyn Journal,
    verifier: Verifier,
    /// What was read and is still to be verified.
    rows: IntoIter<Row>,
    rows_at_once: RowsAtOnce,
    /// What is wrong with what follows the last that was given.
    failed: Option<ReplayError>,
}

impl<'j> ReadAhead<'j> {
    pub(super) fn new(journal: &'j mut dyn Journal, verifier: Verifier) -> Self {
        let rows = Vec::new().into_iter();
        Self { journal, verifier, rows, rows_at_once: RowsAtOnce::default(), failed: None }
    }

    /// Gives everything that follows to `replay`, in order, until that fails.
    ///
    /// # Errors
    ///
    /// Of `replay`, or what is wrong with what follows the last that it was given.
    pub(super) fn each(
        mut self,
        mut replay: impl FnMut(VerifiedRows) -> Result<(), ReplayError>,
    ) -> Result<(), ReplayError> {
        let mut replayed = 0;
        while replayed < ENOUGH {
            let Some(rows) = self.next()? else { return Ok(()) };
            replayed += rows.iter().map(VerifiedRow::count).sum::<usize>();
            replay(rows)?;
        }
        let ahead = &mut self;
        let begun = scope(|scope| {
            let (sender, verified) = sync_channel(AHEAD);
            let thread = Builder::new().name("ledger-reads".to_owned());
            let begun = thread.spawn_scoped(scope, move || ahead.send_all(&sender));
            begun.ok().map(|_| verified.into_iter().try_for_each(|rows| replay(rows?)))
        });
        // Where the system gives no thread, this one does it.
        begun.unwrap_or_else(|| {
            while let Some(rows) = self.next()? {
                replay(rows)?;
            }
            Ok(())
        })
    }

    /// Sends everything that follows, until nobody receives.
    fn send_all(&mut self, sender: &SyncSender<Result<VerifiedRows, ReplayError>>) {
        while let Some(next) = self.next().transpose() {
            let failed = next.is_err();
            if sender.send(next).is_err() || failed {
                return;
            }
        }
    }

    /// The rows that follow; none at the end.
    fn next(&mut self) -> Result<Option<VerifiedRows>, ReplayError> {
        if let Some(failed) = self.failed.take() {
            return Err(failed);
        }
        let (mut verified, mut records) = (Vec::new(), 0);
        while records < AT_ONCE && !self.verifier.is_done() {
            if verified.is_empty() && self.rows.as_slice().is_empty() {
                self.rows = self.read()?.into_iter();
            }
            let Some(row) = self.rows.next() else { break };
            let (row, done) = self.verifier.row(row);
            records += row.count();
            verified.push(row);
            if let Err(failed) = done {
                self.failed = Some(failed.into());
                break;
            }
        }
        Ok(if verified.is_empty() { None } else { Some(verified.into()) })
    }

    /// Reads what follows.
    fn read(&mut self) -> Result<Vec<Row>, ReplayError> {
        let head = Head::from_chain(&self.verifier.chain());
        let expected = head.seq + 1;
        let RowsAtOnce(at_once) = self.rows_at_once;
        let mut rows = self.journal.read(expected, at_once)?;
        if rows.is_empty() {
            // Reading ends where the journal says it ends: a writer has gone on since, or something
            // hides the rest.
            let found = self.journal.head()?;
            if found == head {
                return Ok(rows);
            }
            rows = self.journal.read(expected, at_once)?;
            if rows.is_empty() {
                return Err(JournalError::Gap { expected, found: found.seq }.into());
            }
        }
        self.rows_at_once.learn(&rows);
        Ok(rows)
    }
}

impl Default for RowsAtOnce {
    fn default() -> Self {
        Self(ROWS_AT_ONCE)
    }
}

impl RowsAtOnce {
    /// Learns from what was just read how many to read next.
    pub(super) fn learn(&mut self, rows: &[Row]) {
        let bytes: usize = rows.iter().map(|row| row.payload.len()).sum();
        if bytes < FEW_BYTES && rows.len() == self.0 {
            self.0 = MOST_ROWS.min(2 * self.0);
        } else if bytes > MANY_BYTES {
            self.0 = ROWS_AT_ONCE;
        }
    }
}

#[cfg(test)]
mod tests {
    use ledger_core::contract::Line;
    use ledger_core::ledger::Origin;

    use crate::engines::sequencer::{ReplayError, Sequencer};
    use crate::journal::{Head, Journal, MemoryDisk, MemoryJournal, OpenMode};

    /// A journal of so many records and a few more, each row of it with so many.
    fn journal(records: u64, rows: u64) -> (MemoryDisk, Head) {
        let disk = MemoryDisk::new();
        let mode =
            OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
        let mut journal = MemoryJournal::open(&disk, "live", mode).unwrap();
        journal.open_writer().unwrap();
        let mut sequencer = Sequencer::new("live", journal.identity());
        for second in 0..records {
            let (minute, second) = (second / 60, second % 60);
            let (hour, minute) = (minute / 60, minute % 60);
            let line = format!(
                r#"{{"at":"2026-11-20T{hour:02}:{minute:02}:{second:02}Z","fact":"time.passed"}}"#
            );
            let line = Line::parse(&line, |_| Ok(String::new())).unwrap();
            assert_eq!(sequencer.call(&line.call(Origin::Call)).status, 200);
            if sequencer.pending() as u64 >= rows {
                journal.append(&sequencer.cut().unwrap()).unwrap();
            }
        }
        if let Some(rest) = sequencer.cut() {
            journal.append(&rest).unwrap();
        }
        (disk, sequencer.head())
    }

    fn open_journal(disk: &MemoryDisk) -> MemoryJournal {
        MemoryJournal::open(disk, "live", OpenMode::ReadOnly).unwrap()
    }

    /// The records seen before the end, and what the end is.
    fn replay_until(
        journal: &mut MemoryJournal,
        until: u64,
    ) -> (Vec<u64>, Result<Head, ReplayError>) {
        let mut seen = Vec::new();
        let mut sequencer = Sequencer::new("live", journal.identity());
        let done = sequencer.go_on_until(journal, until, &mut |sequencer, record| {
            assert_eq!(sequencer.ledger().state.seq, record.seq, "it is seen once it is applied");
            seen.push(record.seq.0);
        });
        (seen, done.map(|()| sequencer.head()))
    }

    #[test]
    fn a_long_journal_is_read_ahead_to_its_head_whatever_its_rows_hold() {
        for rows in [1, 7, 1_000] {
            let (disk, head) = journal(21_500, rows);
            let (seen, done) = replay_until(&mut open_journal(&disk), u64::MAX);
            assert!(head.seq > 20_000 && seen.into_iter().eq(1..=head.seq));
            assert_eq!(done.unwrap(), head);
        }
    }

    #[test]
    fn reading_ahead_ends_with_the_record_that_is_wanted_within_a_row_too() {
        let (disk, head) = journal(21_500, 1_000);
        for until in [1, 999, 1_000, 9_999, 10_000, 10_001, 12_345, head.seq] {
            let mut journal = open_journal(&disk);
            let (seen, done) = replay_until(&mut journal, until);
            assert!(seen.into_iter().eq(1..=until));
            assert_eq!(done.unwrap().seq, until);
        }
        // And it goes on from there.
        let mut sequencer = Sequencer::new("live", open_journal(&disk).identity());
        for until in [500, 11_500, 11_501, u64::MAX] {
            sequencer.go_on_until(&mut open_journal(&disk), until, &mut |_, _| ()).unwrap();
            assert_eq!(sequencer.head().seq, until.min(head.seq));
        }
        assert_eq!(sequencer.head(), head);
    }
}
