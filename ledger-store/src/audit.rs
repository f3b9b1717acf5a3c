//! The audit: replays a journal from its first record and proves that nothing was changed.
//!
//! Chain, sequence, decoding, what may follow what, every entry balanced, every invariant, and the
//! same state from two replays. The first record at fault is named.

use ledger_core::ledger::invariants::{self, Violation};
use ledger_core::ledger::outcome::Outcomes;
use ledger_core::ledger::{Event, Record};
use thiserror::Error;

use crate::chain::{Chain, Link};
use crate::digest::digest;
use crate::frame::{Row, RowBroken};
use crate::journal::{Head, Journal, JournalError};
#[cfg(feature = "sqlite")]
use crate::projection::{ProveError, Proved, Target, prove};
use crate::report::Report;
use crate::sequencer::{ReplayError, Sequencer};

/// How often progress is shown, in records, and how finely a broken invariant is traced to its
/// record.
pub(crate) const STRIDE: u64 = 1_000;

/// After which records every invariant is checked over everything: each time the journal has
/// doubled, so that all these checks together cost no more than two of the whole. What a record
/// touched is checked after every record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checkpoints {
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
///
/// ```
/// use ledger_store::audit::{Expect, Finding, audit};
/// use ledger_store::{Head, Link, MemoryDisk, MemoryJournal, OpenMode};
///
/// // Somebody wrote down where the journal stood; since then its end was cut off.
/// let mut journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
/// let kept = Head { seq: 7, link: Link([0x38; 32]) };
/// let found = audit(&mut journal, "live", Expect { heads: vec![kept] }, |_| ());
/// assert!(matches!(found, Err(Finding::Truncated { expected: 7, found: 0 })));
/// # Ok::<(), ledger_store::OpenError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Expect {
    /// Heads kept elsewhere, in any order: they prove that no tail was cut, and that no record up
    /// to the last of them was rewritten and chained anew.
    pub heads: Vec<Head>,
}

/// What is wrong with a journal.
#[derive(Debug, Error)]
pub enum Finding {
    /// It cannot be replayed.
    #[error("broken")]
    Broken(#[from] ReplayError),
    /// An invariant does not hold.
    #[error("record {seq}: an invariant is broken")]
    Invariant {
        /// The record after which it does not hold.
        seq: u64,
        /// Which, and how.
        #[source]
        violation: Violation,
    },
    /// Nothing was changed, and what was ordered or booked is not what the contract allows.
    #[error("record {seq}: the outcome is not what it must be{}", in_words(*others))]
    Outcome {
        /// The first record that decided so.
        seq: u64,
        /// What it violates, and how.
        #[source]
        violation: Violation,
        /// How many records after it violate something.
        others: u64,
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
    #[cfg(feature = "sqlite")]
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
    let Expect { heads } = expect;
    let mut report = Report::new(journal.identity().ledger_name(name));
    let mut checkpoints = Checkpoints::doubling();
    let mut finding = None;
    let mut outcome = Outcome::default();
    let sequencer = Sequencer::open_exact(journal, name, |sequencer, record| {
        if finding.is_none() {
            finding = check(sequencer, record, &mut report, &mut checkpoints).err();
        }
        outcome.check(sequencer, record);
        if record.seq.0.is_multiple_of(STRIDE) {
            progress(record.seq.0);
        }
    });
    if let Some(finding) = finding {
        return Err(trace(journal, name, finding, checkpoints.sound));
    }
    let sequencer = sequencer?;
    journal.check()?;
    if let Err(finding) = all_invariants(&sequencer, sequencer.head().seq) {
        return Err(trace(journal, name, finding, checkpoints.sound));
    }
    check_heads(journal, name, &sequencer, heads.clone())?;
    let first = digest(sequencer.ledger());
    // Nothing is replayed to nothing.
    if let until @ 1.. = sequencer.head().seq {
        let second = replayed(journal, name, until)?;
        if first != second {
            return Err(Finding::NotDeterministic { first, second });
        }
    }
    outcome.finding()?;
    report.close(&sequencer, first, &heads);
    Ok(report)
}

/// The outcome of a journal, judged without its states. It is reported last, so that a journal
/// written by a version that let something pass is first proven to be what was written.
#[derive(Default)]
struct Outcome {
    outcomes: Outcomes,
    first: Option<(u64, Violation)>,
    others: u64,
}

impl Outcome {
    fn check(&mut self, sequencer: &Sequencer, record: &Record) {
        let given = sequencer.ledger().instructions(record);
        let Err(violation) = self.outcomes.keeps(record, &given) else { return };
        match &self.first {
            Some(_) => self.others += 1,
            None => self.first = Some((record.seq.0, violation)),
        }
    }

    fn finding(self) -> Result<(), Finding> {
        let others = self.others;
        let finding = |(seq, violation)| Finding::Outcome { seq, violation, others };
        self.first.map(finding).map_or(Ok(()), Err)
    }
}

/// How many more there are, in words.
fn in_words(count: u64) -> String {
    match count {
        0 => String::new(),
        1 => ", and of one record after it".to_owned(),
        more => format!(", and of {more} records after it"),
    }
}

/// The state hash of another replay, as of this record: a writer may go on meanwhile, or what it
/// was killed over may still land.
fn replayed(journal: &mut dyn Journal, name: &str, until: u64) -> Result<Link, Finding> {
    let mut state = None;
    let whole = Sequencer::open(journal, name, |sequencer, record| {
        if record.seq.0 == until {
            state = Some(digest(sequencer.ledger()));
        }
    })?;
    Ok(state.unwrap_or_else(|| digest(whole.ledger())))
}

/// Proves the tables of one ledger equal to the fold at their checkpoint; none where there are
/// none.
///
/// # Errors
///
/// [`Finding::Tables`] with the first difference: table, key, column, expected and found.
#[cfg(feature = "sqlite")]
pub fn audit_tables(
    journal: &mut dyn Journal,
    name: &str,
    target: &Target,
) -> Result<Option<Proved>, Finding> {
    Ok(prove(journal, name, target)?)
}

fn check(
    sequencer: &Sequencer,
    record: &Record,
    report: &mut Report,
    checkpoints: &mut Checkpoints,
) -> Result<(), Finding> {
    let ledger = sequencer.ledger();
    let seq = record.seq.0;
    invariants::check_touched(&ledger.state, &ledger.archive, record)
        .and_then(|()| report.count(record, &ledger.state))
        .map_err(|violation| Finding::Invariant { seq, violation })?;
    if seq == 1 && !matches!(record.events.first(), Some(Event::LedgerOpened { .. })) {
        let what = "the first record does not open the ledger".to_owned();
        return Err(Finding::Invariant { seq, violation: Violation { invariant: "OPENED", what } });
    }
    if !checkpoints.is_due(seq) {
        return Ok(());
    }
    all_invariants(sequencer, seq)?;
    checkpoints.passed(seq);
    Ok(())
}

/// The finding as near to its cause as a stride: between checkpoints lie more and more records, so
/// those after the last sound one are replayed with a check after every stride.
fn trace(journal: &mut dyn Journal, name: &str, finding: Finding, sound: u64) -> Finding {
    let mut checkpoints = Checkpoints::even_from(sound);
    let mut report = Report::new(journal.identity().ledger_name(name));
    let mut nearer = None;
    let again = Sequencer::open(journal, name, |sequencer, record| {
        if nearer.is_none() {
            nearer = check(sequencer, record, &mut report, &mut checkpoints).err();
        }
    });
    drop(again);
    nearer.unwrap_or(finding)
}

impl Checkpoints {
    /// Those of a first replay.
    pub(crate) const fn doubling() -> Self {
        Self { sound: 0, next: STRIDE, step: Step::Doubling }
    }

    /// Those of a replay that looks more closely at what comes after record `sound`.
    pub(crate) const fn even_from(sound: u64) -> Self {
        Self { sound, next: sound.saturating_add(STRIDE), step: Step::Even }
    }

    /// The record of the last checkpoint that was passed.
    pub(crate) const fn sound(&self) -> u64 {
        self.sound
    }

    /// Whether the next one is reached with this record.
    pub(crate) const fn is_due(&self, seq: u64) -> bool {
        self.next <= seq
    }

    /// Takes it that everything was checked after this record.
    pub(crate) fn passed(&mut self, seq: u64) {
        self.sound = seq;
        self.next = match self.step {
            Step::Doubling => seq.saturating_mul(2),
            Step::Even => seq.saturating_add(STRIDE),
        };
    }
}

fn all_invariants(sequencer: &Sequencer, seq: u64) -> Result<(), Finding> {
    let ledger = sequencer.ledger();
    invariants::check_all(&ledger.state, &ledger.archive)
        .map_err(|violation| Finding::Invariant { seq, violation })
}

/// Whether every kept head lies on this chain; the first that does not is named.
fn check_heads(
    journal: &mut dyn Journal,
    name: &str,
    sequencer: &Sequencer,
    mut kept: Vec<Head>,
) -> Result<(), Finding> {
    kept.sort_unstable_by_key(|head| head.seq);
    let Some(last) = kept.last().copied() else { return Ok(()) };
    let mut kept = kept.into_iter().peekable();
    let mut chain = Chain::genesis(journal.identity().algorithm, name);
    differs(&mut kept, &chain)?;
    while chain.seq() < last.seq.min(sequencer.head().seq) {
        let rows = journal.read(chain.seq() + 1, 16).map_err(ReplayError::from)?;
        if rows.is_empty() {
            break;
        }
        for frame in rows.iter().flat_map(Row::frames) {
            let frame = frame.map_err(RowBroken::from).map_err(ReplayError::from)?;
            if frame.seq == chain.seq() + 1 && chain.seq() < last.seq {
                chain.push(frame.record);
                differs(&mut kept, &chain)?;
            }
        }
    }
    match kept.next() {
        Some(next) => Err(Finding::Truncated { expected: next.seq, found: chain.seq() }),
        None => Ok(()),
    }
}

/// Compares where the chain stands with the heads that were kept of it there.
fn differs(
    kept: &mut std::iter::Peekable<impl Iterator<Item = Head>>,
    chain: &Chain,
) -> Result<(), Finding> {
    while let Some(head) = kept.next_if(|head| head.seq == chain.seq()) {
        if head.link != chain.link() {
            return Err(Finding::OtherPast { seq: head.seq });
        }
    }
    Ok(())
}

impl Finding {
    /// The first record at fault, where one can be named.
    #[must_use]
    pub fn seq(&self) -> Option<u64> {
        match self {
            Self::Broken(error) => error.seq(),
            Self::Invariant { seq, .. } | Self::Outcome { seq, .. } | Self::OtherPast { seq } => {
                Some(*seq)
            }
            Self::Truncated { found, .. } => Some(found + 1),
            Self::NotDeterministic { .. } => None,
            #[cfg(feature = "sqlite")]
            Self::Tables(_) => None,
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
            let reached = checkpoints.is_due(*seq);
            if reached {
                checkpoints.passed(*seq);
            }
            reached
        });
        at.collect()
    }

    #[test]
    fn everything_is_checked_when_the_journal_has_doubled_and_evenly_when_a_law_is_traced() {
        assert_eq!(passed(Checkpoints::doubling(), 10_000), [1_000, 2_000, 4_000, 8_000]);
        assert_eq!(passed(Checkpoints::even_from(4_000), 8_000), [5_000, 6_000, 7_000, 8_000]);
    }
}
