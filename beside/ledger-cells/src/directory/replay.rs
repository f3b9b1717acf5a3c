//! Replaying a directory from its first record, with every link verified.

use ledger_core::directory::{Directory, evolve, follows};
use ledger_core::time::Instant;

use super::{DIRECTORY, DirectoryReplayError, Record};
use ledger_store::chain::Chain;
use ledger_store::codec::CodecError;
use ledger_store::journal::{Head, Journal, JournalError, Row};

/// How many rows are read at once.
const ROWS_AT_ONCE: usize = 256;

/// A directory as its journal says it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// What it holds.
    pub directory: Directory,
    /// When its last record was recorded; the beginning of time while there is none.
    pub at: Instant,
    /// The chain after its last record.
    chain: Chain,
}

/// Replays a directory whole, each record shown to `each` once it was applied. `kept` are heads
/// that were kept elsewhere, which prove that no end was cut off and no past rewritten.
///
/// # Errors
///
/// [`DirectoryReplayError`] naming the first record at fault.
///
/// ```
/// use ledger_cells::directory::{DIRECTORY, replay};
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let mode = OpenMode::Directory { environment: None };
/// let mut journal = MemoryJournal::open(&MemoryDisk::new(), DIRECTORY, mode)?;
/// let replayed = replay(&mut journal, &[], |_, _| ())?;
/// assert_eq!((replayed.head().seq, replayed.directory.cells().count()), (0, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn replay(
    journal: &mut dyn Journal,
    kept: &[Head],
    mut each: impl FnMut(u64, &Record),
) -> Result<Replayed, DirectoryReplayError> {
    let mut replayed = Replayed::for_journal(journal)?;
    let mut other_past = None;
    replayed.go_on(journal, |head, record| {
        let rewritten = kept.iter().any(|kept| kept.seq == head.seq && kept.link != head.link);
        other_past = other_past.or(rewritten.then_some(head.seq));
        each(head.seq, record);
    })?;
    if let Some(seq) = other_past {
        return Err(DirectoryReplayError::OtherPast { seq });
    }
    let found = replayed.head().seq;
    if let Some(lost) = kept.iter().find(|kept| found < kept.seq) {
        return Err(DirectoryReplayError::Truncated { expected: lost.seq, found });
    }
    replayed.directory.check()?;
    Ok(replayed)
}

impl Replayed {
    /// An empty directory, of what `journal` was created with; nothing is written to it.
    ///
    /// A journal of another name is found by where its chain begins, since that is of the name.
    pub(super) fn for_journal(journal: &mut dyn Journal) -> Result<Self, DirectoryReplayError> {
        let identity = journal.identity();
        let chain = Chain::genesis(identity.algorithm, DIRECTORY);
        let head = journal.head()?;
        let begins_as_one = match journal.read(1, 1)?.first() {
            Some(row) => !matches!(first_of(row), Err(CodecError::OfALedger)),
            None => head.seq != 0 || head == Head::from_chain(&chain),
        };
        if !begins_as_one {
            return Err(DirectoryReplayError::OfALedger);
        }
        let directory = Directory::new(identity.environment(DIRECTORY));
        Ok(Self { directory, at: Instant::default(), chain })
    }

    /// Replays what follows, as far as the journal goes.
    pub(super) fn go_on(
        &mut self,
        journal: &mut dyn Journal,
        mut each: impl FnMut(Head, &Record),
    ) -> Result<(), DirectoryReplayError> {
        loop {
            let rows = journal.read(self.chain.seq() + 1, ROWS_AT_ONCE)?;
            if rows.is_empty() {
                // Reading ends where the journal says that it ends.
                let head = journal.head()?;
                if head == self.head() {
                    return Ok(());
                }
                if journal.read(self.chain.seq() + 1, 1)?.is_empty() {
                    let expected = self.chain.seq() + 1;
                    return Err(JournalError::Gap { expected, found: head.seq }.into());
                }
            }
            for row in &rows {
                self.row(row, &mut each)?;
            }
        }
    }

    fn row(
        &mut self,
        row: &Row,
        each: &mut impl FnMut(Head, &Record),
    ) -> Result<(), DirectoryReplayError> {
        let mut chain = self.chain;
        let mut applied = Ok(());
        row.verify(&mut chain, |frame, link| {
            if applied.is_ok() {
                let head = Head { seq: frame.seq, link };
                applied = self.apply(frame.seq, frame.record).map(|record| each(head, &record));
            }
        })?;
        applied?;
        self.chain = chain;
        Ok(())
    }

    /// Decodes a record and remembers it.
    fn apply(&mut self, seq: u64, bytes: &[u8]) -> Result<Record, DirectoryReplayError> {
        let record =
            Record::decode(bytes).map_err(|source| DirectoryReplayError::Codec { seq, source })?;
        if record.at < self.at {
            return Err(DirectoryReplayError::TimeWentBack { seq });
        }
        if !follows(&self.directory, &record.event) {
            return Err(DirectoryReplayError::Impossible { seq });
        }
        self.remember(&record);
        Ok(record)
    }

    fn remember(&mut self, record: &Record) {
        self.directory = evolve(&self.directory, &record.event);
        self.at = record.at;
    }

    /// Remembers a record that was appended, after which the chain stands at `head`.
    pub(super) fn remember_appended(&mut self, record: &Record, head: Head) {
        self.remember(record);
        self.chain = head.chain(self.chain.algorithm());
    }

    /// The chain after the last record.
    pub(super) const fn chain(&self) -> Chain {
        self.chain
    }

    /// Where the journal ends.
    #[must_use]
    pub fn head(&self) -> Head {
        Head::from_chain(&self.chain)
    }
}

/// The first record of a row, whatever its link says.
fn first_of(row: &Row) -> Result<Record, CodecError> {
    let frame = row.frames().next().and_then(Result::ok);
    Record::decode(frame.map_or(&[], |frame| frame.record))
}
