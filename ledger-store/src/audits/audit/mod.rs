//! The audit: replays a journal from its first record and proves that nothing was changed.
//!
//! Chain, sequence, decoding, what may follow what, every entry balanced, every invariant, and the
//! same state from two replays. The first record at fault is named.
//!
//! It can be done in pieces: [`audit_in_pieces`] begins with a state that an earlier audit kept and
//! signed, and keeps its own.

mod books;
mod follow;
mod kept_heads;
mod pace;
mod replay;
mod state;
mod twin;

use std::convert::Infallible;
use std::num::NonZeroU64;

pub use follow::FollowingAudit;
use kept_heads::check_heads;
use ledger_core::ledger::invariants::Violation;
pub(crate) use pace::{Checkpoints, STRIDE};
use replay::Replay;
pub use state::{AuditedState, InProgress, StateRefused};
use thiserror::Error;

use crate::audits::report::Report;
use crate::bytes::chain::Link;
use crate::engines::sequencer::ReplayError;
use crate::journal::{Head, Journal, JournalError};
#[cfg(feature = "sqlite")]
use crate::tables::projection::{ProveError, Proved, Target, prove};

/// What an audit is asked to check besides the journal itself.
///
/// ```
/// # use ledger_store::audit::{Expect, Finding, audit};
/// # use ledger_store::{Head, Link, MemoryDisk, MemoryJournal, OpenMode};
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
    /// A value that the vault learned is gone, and nobody noted that it was erased.
    #[error(
        "record {seq}: the value of token {token} is not in the vault, and no erasure of it is noted{}",
        of_others(*others)
    )]
    ValueMissing {
        /// The record that names the token first.
        seq: u64,
        /// The token, as records show it.
        token: String,
        /// How many other values are missing.
        others: u64,
    },
    /// A value that was erased is in the vault.
    #[error("the value of token {token} was erased after record {erased}, and is in the vault")]
    ValueBack {
        /// The token, as records show it.
        token: String,
        /// The last record when it was erased; none since names the token.
        erased: u64,
    },
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
    progress: impl FnMut(u64),
) -> Result<Report, Finding> {
    let nobody_keeps = |_: &InProgress<'_>| Ok::<(), Infallible>(());
    audit_in_pieces(journal, name, (expect, Pieces::default()), progress, nobody_keeps)
        .map_err(Stopped::into_finding)
}

/// How an audit is done in pieces.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pieces<'a> {
    /// The state that it begins with; none: with the first record.
    pub from: Option<&'a AuditedState>,
    /// After how many records its state is given to be kept, beside the end; none: at the end
    /// alone.
    pub every: Option<NonZeroU64>,
}

/// Why an audit in pieces ended.
#[derive(Debug, Error)]
pub enum Stopped<E> {
    /// The ledger is at fault.
    #[error(transparent)]
    Finding(#[from] Finding),
    /// The state that it was to begin with is not used.
    #[error(transparent)]
    State(#[from] StateRefused),
    /// Its state could not be kept.
    #[error("the state of the audit could not be kept")]
    Keep(#[source] E),
}

/// Audits one ledger as [`audit`] does, from a state on that was kept of an earlier audit, and
/// gives its own to `keep`: after each so many records, and once everything was proved. What is
/// kept was proved up to its record, every invariant over everything included.
///
/// # Errors
///
/// [`Stopped`]: nothing is kept from the first fault on.
pub fn audit_in_pieces<E>(
    journal: &mut dyn Journal,
    name: &str,
    (expect, pieces): (Expect, Pieces<'_>),
    mut progress: impl FnMut(u64),
    mut keep: impl FnMut(&InProgress<'_>) -> Result<(), E>,
) -> Result<Report, Stopped<E>> {
    let Expect { heads } = expect;
    let mut replay =
        Replay::begin_both(journal, name, pieces.from).map_err(Stopped::nothing_kept)?;
    loop {
        let until = pieces.every.map_or(u64::MAX, |every| {
            (replay.head().seq / every.get() + 1).saturating_mul(every.get())
        });
        replay.go_on(journal, until, &mut progress)?;
        if replay.head().seq < until {
            break;
        }
        replay.everything(journal)?;
        if let Some(stands) = replay.in_progress(journal, None) {
            keep(&stands).map_err(Stopped::Keep)?;
        }
    }
    journal.check().map_err(Finding::from)?;
    replay.everything(journal)?;
    replay.values(journal)?;
    let from = pieces.from.map(AuditedState::head);
    check_heads(journal, name, (from, replay.head()), heads.clone())?;
    let state = replay.state_twice(journal).map_err(Stopped::nothing_kept)?;
    if let Some(stands) = replay.in_progress(journal, Some(state)) {
        keep(&stands).map_err(Stopped::Keep)?;
    }
    let Replay { sequencer, books, .. } = replay;
    let mut report = books.into_report()?;
    report.close(&sequencer, (state, pieces.from.map(AuditedState::to_begun)), &heads);
    Ok(report)
}

/// How many other values there are, in words.
fn of_others(count: u64) -> String {
    if count == 0 { String::new() } else { format!("; nor {count} other values") }
}

/// How many more there are, in words.
fn in_words(count: u64) -> String {
    match count {
        0 => String::new(),
        1 => ", and of one record after it".to_owned(),
        more => format!(", and of {more} records after it"),
    }
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

impl Stopped<Infallible> {
    /// The same of an audit whose state may be kept.
    fn nothing_kept<E>(self) -> Stopped<E> {
        match self {
            Self::Finding(finding) => Stopped::Finding(finding),
            Self::State(refused) => Stopped::State(refused),
            Self::Keep(never) => match never {},
        }
    }

    /// Returns what is wrong, of an audit that began with the first record.
    fn into_finding(self) -> Finding {
        match self {
            Self::Finding(finding) => finding,
            Self::State(_) => unreachable!("it begins with the first record"),
            Self::Keep(never) => match never {},
        }
    }
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
            Self::ValueMissing { seq, .. } => Some(*seq),
            Self::ValueBack { .. } | Self::NotDeterministic { .. } => None,
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
