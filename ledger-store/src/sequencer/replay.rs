//! Opening a sequencer: a journal is replayed row by row, its chain checked record by record.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use ledger_core::id::Seq;
use ledger_core::ledger::{Ledger, Record};

use super::{ROWS_AT_ONCE, ReplayError, Sequencer};
use crate::archive::JournalArchive;
use crate::chain::{Chain, Link};
use crate::codec;
use crate::commit_builder::CommitBuilder;
use crate::frame::{Frame, Row};
use crate::journal::{Head, Identity, Journal, JournalError};
use crate::vault::Vault;

impl Sequencer {
    /// An empty sequencer that replays `journal` row by row, and reads back from it what left
    /// memory.
    ///
    /// # Errors
    ///
    /// When the journal cannot be opened a second time.
    pub fn reading(journal: &dyn Journal, name: &str) -> Result<Self, JournalError> {
        let mut sequencer = Self::new(name, journal.identity());
        sequencer.ledger.archive.read_back_from(journal.reader()?);
        Ok(sequencer)
    }

    /// Replays a whole journal, its chain checked record by record, and shows each record to
    /// `observe` after it was applied.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] naming the first record at fault.
    pub fn open(
        journal: &mut dyn Journal,
        name: &str,
        mut observe: impl FnMut(&Self, &Record),
    ) -> Result<Self, ReplayError> {
        let mut sequencer = Self::new(name, journal.identity());
        sequencer.go_on(journal, &mut observe)?;
        Ok(sequencer)
    }

    /// As [`Sequencer::open`], refusing records in other bytes than a ledger writes.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] naming the first record at fault.
    pub fn open_exact(
        journal: &mut dyn Journal,
        name: &str,
        mut observe: impl FnMut(&Self, &Record),
    ) -> Result<Self, ReplayError> {
        let mut sequencer = Self::new(name, journal.identity()).exact();
        sequencer.go_on(journal, &mut observe)?;
        Ok(sequencer)
    }

    /// Replays everything that follows.
    pub(crate) fn go_on(
        &mut self,
        journal: &mut dyn Journal,
        observe: &mut impl FnMut(&Self, &Record),
    ) -> Result<(), ReplayError> {
        self.go_on_until(journal, u64::MAX, observe)
    }

    /// Replays what follows, record `until` last. The row that holds it is proved to its end.
    pub(crate) fn go_on_until(
        &mut self,
        journal: &mut dyn Journal,
        until: u64,
        observe: &mut impl FnMut(&Self, &Record),
    ) -> Result<(), ReplayError> {
        self.read_from(journal)?;
        self.replay_until(journal, until, observe)
    }

    /// Takes the vault of a journal, each row of it proved, and reads back what left memory.
    pub(crate) fn read_from(&mut self, journal: &mut dyn Journal) -> Result<(), ReplayError> {
        self.vault = Vault::open(journal)?;
        Ok(self.read_back_from(journal)?)
    }

    /// Reads back of a journal what left memory.
    pub(crate) fn read_back_from(&mut self, journal: &dyn Journal) -> Result<(), JournalError> {
        self.ledger.archive.read_back_from(journal.reader()?);
        Ok(())
    }

    /// Replays what follows in a journal that is read from already, record `until` last. It may
    /// begin within a row, whose records up to there are passed over.
    pub(crate) fn replay_until(
        &mut self,
        journal: &mut dyn Journal,
        until: u64,
        observe: &mut impl FnMut(&Self, &Record),
    ) -> Result<(), ReplayError> {
        self.replay_reading(journal, until, &mut |_, _| (), observe)
    }

    /// The same; `read` is shown all rows that are read at once, and whether the first may begin
    /// before what follows, before any of them is replayed.
    pub(crate) fn replay_reading(
        &mut self,
        journal: &mut dyn Journal,
        until: u64,
        read: &mut dyn FnMut(&Arc<[Row]>, bool),
        observe: &mut impl FnMut(&Self, &Record),
    ) -> Result<(), ReplayError> {
        let mut begins_within = true;
        while self.ledger.state.seq.0 < until {
            let next = self.ledger.state.seq.next().0;
            let mut rows = journal.read(next, ROWS_AT_ONCE)?;
            if rows.is_empty() {
                // Reading ends where the journal says it ends: a writer has gone on since, or
                // something hides the rest.
                let head = journal.head()?;
                if head == self.head() {
                    return Ok(());
                }
                rows = journal.read(next, ROWS_AT_ONCE)?;
                if rows.is_empty() {
                    return Err(JournalError::Gap { expected: next, found: head.seq }.into());
                }
            }
            let rows = Arc::from(rows);
            read(&rows, begins_within);
            self.replay_rows(&rows, begins_within, until, observe)?;
            begins_within = false;
        }
        Ok(())
    }

    /// Replays rows that were read, record `until` last. The first may begin before what follows,
    /// if it is said.
    pub(crate) fn replay_rows(
        &mut self,
        rows: &[Row],
        mut begins_within: bool,
        until: u64,
        observe: &mut impl FnMut(&Self, &Record),
    ) -> Result<(), ReplayError> {
        for row in rows.iter().take_while(|row| row.first <= until) {
            self.replay_row_until((row, begins_within), until, observe)?;
            begins_within = false;
        }
        Ok(())
    }

    /// A sequencer of a ledger as a snapshot left it, `head` the last record in it.
    pub(crate) fn resumed(
        name: &str,
        identity: Identity,
        ledger: Ledger<JournalArchive>,
        head: Head,
    ) -> Self {
        let mut sequencer = Self::new(name, identity);
        sequencer.ledger = ledger;
        let chain = head.chain(identity.algorithm);
        sequencer.commit_builder = CommitBuilder::new(chain, sequencer.ledger.archive.anchors());
        sequencer
    }

    /// Replays the row that follows, its chain checked record by record.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] naming the first record at fault.
    pub fn replay(&mut self, row: &Row) -> Result<(), ReplayError> {
        self.replay_row(row, &mut |_, _| ())
    }

    /// Replays the row that follows, and shows each record to `observe` after it was applied.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] naming the first record at fault.
    pub fn replay_row(
        &mut self,
        row: &Row,
        observe: &mut impl FnMut(&Self, &Record),
    ) -> Result<(), ReplayError> {
        self.replay_row_until((row, false), u64::MAX, observe)
    }

    fn replay_row_until(
        &mut self,
        (row, within): (&Row, bool),
        until: u64,
        observe: &mut impl FnMut(&Self, &Record),
    ) -> Result<(), ReplayError> {
        let mut chain = self.commit_builder.chain();
        let algorithm = chain.algorithm();
        let (mut failed, mut stopped) = (None, None);
        let each = |frame: Frame<'_>, link| {
            if failed.is_none() && frame.seq <= until {
                failed = self.replay_record(frame.seq, frame.record, link, observe).err();
                stopped = (frame.seq == until).then_some(link);
            }
        };
        if within { row.verify_rest(&mut chain, each) } else { row.verify(&mut chain, each) }?;
        if let Some(failed) = failed {
            return Err(failed);
        }
        let within = stopped.map(|link| Chain::resume(algorithm, until, link));
        self.commit_builder.resume(within.unwrap_or(chain));
        Ok(())
    }

    pub(super) fn replay_record(
        &mut self,
        seq: u64,
        bytes: &[u8],
        link: Link,
        observe: &mut impl FnMut(&Self, &Record),
    ) -> Result<(), ReplayError> {
        self.begun += 1;
        let record = codec::decode(Seq(seq), bytes);
        let record = record.map_err(|source| ReplayError::Codec { seq, source })?;
        if let Some(spare) = &mut self.exact {
            let written = codec::assert_as_written(&record, bytes, spare);
            written.map_err(|source| ReplayError::Codec { seq, source })?;
        }
        let applied = self.ledger.replay(&record);
        let archive = &mut self.ledger.archive;
        // What follows from something unreadable proves nothing.
        if let Some(fault) = archive.fault() {
            return Err(JournalError::Medium(fault.into()).into());
        }
        applied.map_err(|source| ReplayError::Corrupt { seq, source })?;
        archive.replayed(bytes);
        archive.anchors().link(seq, link);
        archive.durable().store(seq, Ordering::Release);
        observe(self, &record);
        Ok(())
    }
}
