//! What a journal holds after some record, against which a run that is resumed executes its lines
//! again (rulings 61): the same lines on the same state make the same records, byte for byte.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;

use ledger_core::id::Seq;
use ledger_core::ledger::Record;

use super::read_ahead::RowsAtOnce;
use super::{ReplayError, Sequencer};
use crate::bytes::chain::{Chain, Link};
use crate::bytes::codec;
use crate::journal::{Head, Journal, JournalError};
use crate::state::vault::Vault;

/// The records of a journal from some point on, its chain followed again: for its writer alone, as
/// its end, once found, is not looked for again.
pub struct Recorded {
    journal: Box<dyn Journal>,
    chain: Chain,
    waiting: VecDeque<StoredRecord>,
    next: Option<Record>,
    rows_at_once: RowsAtOnce,
    /// Tells whether its end was found, which stays its end: who asks is its writer.
    ended: bool,
}

/// A record as the journal holds it.
struct StoredRecord {
    seq: u64,
    bytes: Box<[u8]>,
    link: Link,
}

/// A record that the journal holds, and what was decided in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differs {
    /// What the journal holds.
    pub recorded: Record,
    /// What was decided.
    pub decided: Record,
}

impl Recorded {
    /// The sequencer as it stood after record `last`, and the records that follow it.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] naming the first record at fault.
    pub fn after(
        journal: &mut dyn Journal,
        name: &str,
        last: u64,
    ) -> Result<(Sequencer, Self), ReplayError> {
        let mut sequencer = Sequencer::new(name, journal.identity());
        sequencer.vault = Vault::open(&mut *journal)?;
        sequencer.ledger.archive.read_back_from(journal.reader()?);
        let chain = sequencer.commit_builder.chain();
        let journal = journal.reader()?;
        let mut recorded = Self::after_chain(journal, chain);
        while sequencer.ledger.state.seq.0 < last {
            if !recorded.apply(&mut sequencer)? {
                let found = recorded.chain.seq();
                return Err(JournalError::Gap { expected: found + 1, found }.into());
            }
        }
        Ok((sequencer, recorded))
    }

    /// The records that follow those of a sequencer that was opened of this journal.
    ///
    /// # Errors
    ///
    /// When the journal cannot be opened a second time.
    pub fn beyond(journal: &dyn Journal, sequencer: &Sequencer) -> Result<Self, JournalError> {
        Ok(Self::after_chain(journal.reader()?, sequencer.commit_builder.chain()))
    }

    /// What a journal holds beyond where this chain stands.
    fn after_chain(journal: Box<dyn Journal>, chain: Chain) -> Self {
        let (waiting, rows_at_once) = (VecDeque::new(), RowsAtOnce::default());
        Self { journal, chain, waiting, next: None, rows_at_once, ended: false }
    }

    /// The next record that the journal holds; `None` at its end.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] naming the first record at fault.
    #[allow(clippy::should_implement_trait)] // It lends what it gives, and may fail.
    pub fn next(&mut self) -> Result<Option<&Record>, ReplayError> {
        if self.next.is_none() {
            self.read()?;
            if let Some(StoredRecord { seq, bytes, .. }) = self.waiting.front() {
                self.next = Some(decode_record(*seq, bytes)?);
            }
        }
        Ok(self.next.as_ref())
    }

    /// Applies the next record to a sequencer that stands before it; `false` at the journal's end.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] naming the record at fault.
    pub fn apply(&mut self, sequencer: &mut Sequencer) -> Result<bool, ReplayError> {
        self.read()?;
        let Some(known) = self.waiting.pop_front() else { return Ok(false) };
        self.next = None;
        let record = sequencer.decode_checked(known.seq, &known.bytes)?;
        sequencer.apply(&record, &known.bytes)?;
        sequencer.goes_on_after(&known);
        Ok(true)
    }

    /// Holds what `sequencer` decided since the last call against the records that follow: what is
    /// the same is not written again. What it decided beyond the journal's end stays for its next
    /// cut.
    ///
    /// Personal data that the journal's vault has no more was erased; the sequencer forgets it
    /// again.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] naming the first record at fault.
    pub fn hold(
        &mut self,
        sequencer: &mut Sequencer,
    ) -> Result<Result<(), Box<Differs>>, ReplayError> {
        let mut same = 0;
        while same < sequencer.draft.count() {
            self.read()?;
            let Some(known) = self.waiting.front() else { break };
            let decided = sequencer.draft.records().nth(same).expect("it was counted");
            if decided != &*known.bytes {
                let recorded = decode_record(known.seq, &known.bytes)?;
                let decided = decode_record(known.seq, decided)?;
                return Ok(Err(Box::new(Differs { recorded, decided })));
            }
            same += 1;
            let known = self.waiting.pop_front().expect("it was seen");
            self.next = None;
            sequencer.goes_on_after(&known);
        }
        if same > 0 {
            sequencer.draft.drop_first(same);
            if sequencer.draft.count() == 0 {
                sequencer.forget_erased();
            }
        }
        Ok(Ok(()))
    }

    /// Reads what comes next, where nothing waits.
    fn read(&mut self) -> Result<(), ReplayError> {
        if self.ended || !self.waiting.is_empty() {
            return Ok(());
        }
        let rows = self.journal.read(self.chain.seq() + 1, self.rows_at_once.0)?;
        self.rows_at_once.learn(&rows);
        for row in &rows {
            row.verify(&mut self.chain, |frame, link| {
                let (seq, bytes) = (frame.seq, frame.record.into());
                self.waiting.push_back(StoredRecord { seq, bytes, link });
            })?;
        }
        if rows.is_empty() {
            let head = self.journal.head()?;
            if head != Head::from_chain(&self.chain) {
                let expected = self.chain.seq() + 1;
                return Err(JournalError::Gap { expected, found: head.seq }.into());
            }
            self.ended = true;
        }
        Ok(())
    }
}

pub(super) fn decode_record(seq: u64, bytes: &[u8]) -> Result<Record, ReplayError> {
    codec::decode(Seq(seq), bytes).map_err(|source| ReplayError::Codec { seq, source })
}

/// Shows where it stands; what the records say stays with them.
impl std::fmt::Debug for Recorded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (read, waiting) = (self.chain.seq(), self.waiting.len());
        f.debug_struct("Recorded")
            .field("read", &read)
            .field("waiting", &waiting)
            .finish_non_exhaustive()
    }
}

impl Sequencer {
    /// Where the journal ends that holds what this sequencer was read from, or held against.
    pub(crate) fn journal_head(&self) -> Head {
        Head::from_chain(&self.commit_builder.chain())
    }

    /// What was decided stands in the journal up to this record.
    fn goes_on_after(&mut self, known: &StoredRecord) {
        let archive = &self.ledger.archive;
        archive.anchors().link(known.seq, known.link);
        archive.durable().store(known.seq, Ordering::Release);
        let algorithm = self.commit_builder.chain().algorithm();
        self.commit_builder.resume(Chain::resume(algorithm, known.seq, known.link));
    }

    /// What a record that is durable brought to the vault, and the journal's vault does not hold.
    fn forget_erased(&mut self) {
        for row in self.vault.take_new() {
            self.vault.erase(row.token);
        }
    }
}
