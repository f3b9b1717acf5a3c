//! The audit: replays a journal from its first record and proves that nothing was changed.
//!
//! Chain, sequence, decoding, what may follow what, every entry balanced, every law, and the same
//! state from two replays. The first record at fault is named.

use ledger_core::ledger::laws::{self, Violation};
use ledger_core::ledger::{Event, Record};
use thiserror::Error;

use crate::book::{Book, ReplayError};
use crate::chain::Link;
use crate::digest::digest;
use crate::journal::{Head, Journal, JournalError};
use crate::projection::{Place, ProveError, Proved, prove};
use crate::report::Report;

/// How often progress is told, in records, and how finely a broken law is traced to its record.
const STRIDE: u64 = 1_000;

/// After which records every law is checked over everything: each time the journal has doubled, so
/// that all these checks together cost no more than two of the whole. What a record touched is
/// checked after every record.
#[derive(Clone, Copy, Debug)]
struct Checkpoints {
    sound: u64,
    next: u64,
    step: Step,
}

/// How checkpoints follow one another.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Each at twice the record of the one before.
    Doubling,
    /// One every [`STRIDE`] records.
    Even,
}

/// What an audit is asked to check besides the journal itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expect {
    /// A head kept elsewhere, which proves that no tail was cut.
    pub head: Option<Head>,
}

/// What is wrong with a journal.
#[derive(Debug, Error)]
pub enum Finding {
    /// It cannot be replayed.
    #[error("broken")]
    Broken(#[from] ReplayError),
    /// A law does not hold.
    #[error("record {seq}: a law is broken")]
    Law {
        /// The record after which it does not hold.
        seq: u64,
        /// Which, and how.
        #[source]
        violation: Violation,
    },
    /// It ends before the head kept elsewhere.
    #[error("truncated: it ends at record {found}, and a head at record {expected} was kept")]
    Truncated {
        /// Where the kept head is.
        expected: u64,
        /// Where the journal ends.
        found: u64,
    },
    /// It has another past than the head kept elsewhere.
    #[error("record {seq}: its link is not the one that was kept")]
    OtherPast {
        /// The record of the kept head.
        seq: u64,
    },
    /// The tables are not what the journal says.
    #[error("its tables are not what the journal says")]
    Tables(#[from] ProveError),
    /// Two replays came to different states.
    #[error("two replays differ: {first} and {second}")]
    NotDeterministic {
        /// The state hash of the first replay.
        first: Link,
        /// That of the second.
        second: Link,
    },
}

/// Audits one ledger; `progress` hears of each thousand records.
///
/// # Errors
///
/// The first [`Finding`].
pub fn audit(
    journal: &mut dyn Journal,
    name: &str,
    expect: Expect,
    mut progress: impl FnMut(u64),
) -> Result<Report, Finding> {
    let mut report = Report::new(name);
    let mut checkpoints = Checkpoints { sound: 0, next: STRIDE, step: Step::Doubling };
    let mut finding = None;
    let book = Book::open(journal, name, |book, record| {
        if finding.is_none() {
            finding = check(book, record, &mut report, &mut checkpoints).err();
        }
        if record.seq.0.is_multiple_of(STRIDE) {
            progress(record.seq.0);
        }
    });
    if let Some(finding) = finding {
        return Err(trace(journal, name, finding, checkpoints.sound));
    }
    let book = book?;
    journal.check()?;
    if let Err(finding) = all_laws(&book, book.head().seq) {
        return Err(trace(journal, name, finding, checkpoints.sound));
    }
    if let Some(kept) = expect.head {
        check_head(journal, name, &book, kept)?;
    }
    let first = digest(book.ledger());
    // Nothing is replayed to nothing.
    if let until @ 1.. = book.head().seq {
        let second = replayed(journal, name, until)?;
        if first != second {
            return Err(Finding::NotDeterministic { first, second });
        }
    }
    report.close(&book, first);
    Ok(report)
}

/// The state hash of another replay, as of this record: a writer may go on meanwhile, or what it was
/// killed over may still land.
fn replayed(journal: &mut dyn Journal, name: &str, until: u64) -> Result<Link, Finding> {
    let mut state = None;
    let whole = Book::open(journal, name, |book, record| {
        if record.seq.0 == until {
            state = Some(digest(book.ledger()));
        }
    })?;
    Ok(state.unwrap_or_else(|| digest(whole.ledger())))
}

/// Proves the tables of one ledger equal to the fold at their checkpoint; none where there are none.
///
/// # Errors
///
/// [`Finding::Tables`] with the first difference: table, key, column, expected and found.
pub fn audit_tables(
    journal: &mut dyn Journal,
    name: &str,
    place: &Place,
) -> Result<Option<Proved>, Finding> {
    Ok(prove(journal, name, place)?)
}

fn check(
    book: &Book,
    record: &Record,
    report: &mut Report,
    checkpoints: &mut Checkpoints,
) -> Result<(), Finding> {
    let ledger = book.ledger();
    let seq = record.seq.0;
    laws::check_touched(&ledger.state, &ledger.archive, record)
        .and_then(|()| report.count(record, &ledger.state))
        .map_err(|violation| Finding::Law { seq, violation })?;
    if seq == 1 && !matches!(record.events.first(), Some(Event::LedgerOpened { .. })) {
        let what = "the first record does not open the ledger".to_owned();
        return Err(Finding::Law { seq, violation: Violation { law: "OPENED", what } });
    }
    if seq < checkpoints.next {
        return Ok(());
    }
    all_laws(book, seq)?;
    checkpoints.passed(seq);
    Ok(())
}

/// The finding as near to its cause as a stride: between checkpoints lie more and more records, so
/// those after the last sound one are replayed with a check after every stride.
fn trace(journal: &mut dyn Journal, name: &str, finding: Finding, sound: u64) -> Finding {
    let next = sound.saturating_add(STRIDE);
    let mut checkpoints = Checkpoints { sound, next, step: Step::Even };
    let mut report = Report::new(name);
    let mut nearer = None;
    let again = Book::open(journal, name, |book, record| {
        if nearer.is_none() {
            nearer = check(book, record, &mut report, &mut checkpoints).err();
        }
    });
    drop(again);
    nearer.unwrap_or(finding)
}

impl Checkpoints {
    fn passed(&mut self, seq: u64) {
        self.sound = seq;
        self.next = match self.step {
            Step::Doubling => seq.saturating_mul(2),
            Step::Even => seq.saturating_add(STRIDE),
        };
    }
}

fn all_laws(book: &Book, seq: u64) -> Result<(), Finding> {
    let ledger = book.ledger();
    laws::check_all(&ledger.state, &ledger.archive)
        .map_err(|violation| Finding::Law { seq, violation })
}

/// Whether the kept head lies on this chain.
fn check_head(
    journal: &mut dyn Journal,
    name: &str,
    book: &Book,
    kept: Head,
) -> Result<(), Finding> {
    let found = book.head().seq;
    if found < kept.seq {
        return Err(Finding::Truncated { expected: kept.seq, found });
    }
    let algorithm = journal.identity().algorithm;
    let mut chain = crate::chain::Chain::genesis(algorithm, name);
    while chain.seq() < kept.seq {
        for row in journal.read(chain.seq() + 1, 16).map_err(ReplayError::from)? {
            for frame in row.frames() {
                let frame = frame
                    .map_err(|error| ReplayError::from(crate::frame::RowBroken::from(error)))?;
                if chain.seq() < kept.seq {
                    chain.push(frame.record);
                }
            }
        }
    }
    if chain.link() == kept.link { Ok(()) } else { Err(Finding::OtherPast { seq: kept.seq }) }
}

impl Finding {
    /// The first record at fault, where one can be named.
    #[must_use]
    pub fn seq(&self) -> Option<u64> {
        match self {
            Self::Broken(error) => error.seq(),
            Self::Law { seq, .. } | Self::OtherPast { seq } => Some(*seq),
            Self::Truncated { found, .. } => Some(found + 1),
            Self::NotDeterministic { .. } | Self::Tables(_) => None,
        }
    }
}

impl From<JournalError> for Finding {
    fn from(error: JournalError) -> Self {
        Self::Broken(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(mut checkpoints: Checkpoints, records: u64) -> Vec<u64> {
        let at = (1..=records).filter(|seq| {
            let reached = checkpoints.next <= *seq;
            if reached {
                checkpoints.passed(*seq);
            }
            reached
        });
        at.collect()
    }

    #[test]
    fn everything_is_checked_when_the_journal_has_doubled_and_evenly_when_a_law_is_traced() {
        let doubling = Checkpoints { sound: 0, next: STRIDE, step: Step::Doubling };
        assert_eq!(passed(doubling, 10_000), [1_000, 2_000, 4_000, 8_000]);
        let even = Checkpoints { sound: 4_000, next: 5_000, step: Step::Even };
        assert_eq!(passed(even, 8_000), [5_000, 6_000, 7_000, 8_000]);
    }
}
