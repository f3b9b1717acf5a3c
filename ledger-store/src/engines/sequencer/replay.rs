//! Opening a sequencer: a journal is replayed row by row, its chain checked record by record.

use std::borrow::Borrow;
use std::sync::atomic::Ordering;

use ledger_core::ledger::{BLOCK, Ledger, Record};

use super::read_ahead::{ReadAhead, VerifiedRows};
use super::recorded::decode_record;
use super::verified::{VerifiedRow, Verifier};
use super::{ReplayError, Sequencer};
use crate::bytes::codec;
use crate::bytes::commit_builder::CommitBuilder;
use crate::bytes::frame::Row;
use crate::journal::{Head, Identity, Journal, JournalError};
use crate::state::archive::JournalArchive;
use crate::state::vault::Vault;

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
        self.replay_reading(journal, until, &mut |_| (), observe)
    }

    /// The same; `read` is shown what follows before it is replayed.
    pub(crate) fn replay_reading(
        &mut self,
        journal: &mut dyn Journal,
        until: u64,
        read: &mut dyn FnMut(&VerifiedRows),
        observe: &mut impl FnMut(&Self, &Record),
    ) -> Result<(), ReplayError> {
        let verifier = Verifier::new(self.commit_builder.chain(), until).within();
        ReadAhead::new(journal, verifier).each(|rows| {
            read(&rows);
            self.replay_verified(&rows, observe)
        })
    }

    /// Replays rows whose chain was followed.
    pub(crate) fn replay_verified(
        &mut self,
        rows: &[VerifiedRow],
        observe: &mut impl FnMut(&Self, &Record),
    ) -> Result<(), ReplayError> {
        rows.iter().try_for_each(|row| self.apply_row(row, observe))
    }

    /// A sequencer of a ledger as a snapshot left it, `head` the last record in it.
    pub(crate) fn resume(
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
        let (row, done) = Verifier::new(self.commit_builder.chain(), u64::MAX).row(row);
        self.apply_row(&row, observe)?;
        Ok(done?)
    }

    fn apply_row<R: Borrow<Row>>(
        &mut self,
        row: &VerifiedRow<R>,
        observe: &mut impl FnMut(&Self, &Record),
    ) -> Result<(), ReplayError> {
        let mut frames = row.frames();
        let room = BLOCK.min(row.count());
        let (mut block, mut bytes) = (Vec::with_capacity(room), Vec::with_capacity(room));
        loop {
            block.clear();
            bytes.clear();
            let mut failed = None;
            for frame in frames.by_ref().take(BLOCK) {
                match self.decode_checked(frame.seq, frame.record) {
                    Ok(record) => block.push(record),
                    Err(error) => {
                        failed = Some(error);
                        break;
                    }
                }
                bytes.push(frame.record);
            }
            self.ledger.look_ahead_at(&block);
            for (record, bytes) in block.iter().zip(&bytes) {
                self.apply(record, bytes)?;
                observe(self, record);
            }
            match failed {
                Some(failed) => return Err(failed),
                None if block.is_empty() => break,
                None => {}
            }
        }
        for (seq, link) in row.links() {
            self.ledger.archive.anchors().link(*seq, *link);
        }
        if let Some(chain) = row.after() {
            self.commit_builder.resume(chain);
        }
        Ok(())
    }

    /// The record of these bytes; where it is asked, of no others than a ledger writes.
    pub(super) fn decode_checked(&mut self, seq: u64, bytes: &[u8]) -> Result<Record, ReplayError> {
        let record = decode_record(seq, bytes)?;
        if let Some(spare) = &mut self.exact {
            let written = codec::assert_as_written(&record, bytes, spare);
            written.map_err(|source| ReplayError::Codec { seq, source })?;
        }
        Ok(record)
    }

    /// Applies a record, given with its bytes.
    pub(super) fn apply(&mut self, record: &Record, bytes: &[u8]) -> Result<(), ReplayError> {
        self.begun += 1;
        let seq = record.seq.0;
        let applied = self.ledger.apply(record);
        let archive = &mut self.ledger.archive;
        // What follows from something unreadable proves nothing.
        if let Some(fault) = archive.fault() {
            return Err(JournalError::Medium(fault.into()).into());
        }
        applied.map_err(|source| ReplayError::Corrupt { seq, source })?;
        archive.push_record(bytes);
        archive.durable().store(seq, Ordering::Release);
        Ok(())
    }
}
