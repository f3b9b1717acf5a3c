//! A ledger as it stood at any moment: after so many records, or at an instant.
//!
//! A moment becomes the number of a record, and the journal is replayed up to it: from the latest
//! snapshot that is no later, or else from the first record. [`compare`] puts two moments side by
//! side.

mod comparison;

use std::str::FromStr;

use ledger_core::id::Seq;
use ledger_core::ledger::Record;
use ledger_core::time::Instant;
use thiserror::Error;

pub use self::comparison::{Compared, Comparison, compare};
use crate::bytes::codec;
use crate::bytes::frame::RowBroken;
use crate::engines::sequencer::{ReplayError, Sequencer};
use crate::journal::{Journal, JournalError};
use crate::state::snapshot::Snapshots;

/// A moment of a ledger.
///
/// ```
/// # use ledger_store::moment::Moment;
///
/// assert_eq!("12".parse(), Ok(Moment::Records(12)));
/// assert!(matches!("2026-11-20T12:00:00Z".parse(), Ok(Moment::Instant(_))));
/// assert_eq!("2026-11-20".parse::<Moment>(), "2026-11-20T23:59:59.999999-03:00".parse());
/// assert!("yesterday".parse::<Moment>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// After so many records, as heads and checkpoints count them; none: before the first.
    Records(u64),
    /// After the last record that was decided at or before this instant; a day is read as its last
    /// microsecond in Brasília.
    Instant(Instant),
}

/// Text that names no moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "a moment is a number of records, a day, such as 2026-11-20, or an RFC 3339 instant with an \
     offset, such as 2026-11-20T12:05:00Z"
)]
pub struct MomentMalformed;

/// Why a ledger cannot be shown as it stood at a moment.
#[derive(Debug, Error)]
pub enum MomentError {
    /// There are not so many records.
    #[error("there is no record {records}: the journal ends with record {last}")]
    AfterTheEnd {
        /// How many records were asked for.
        records: u64,
        /// How many there are.
        last: u64,
    },
    /// Nothing was decided yet.
    #[error("nothing was decided by {at}: record 1 is of {first}")]
    BeforeTheFirst {
        /// The instant that was asked for.
        at: Instant,
        /// That of the first record.
        first: Instant,
    },
    /// Nothing was ever decided.
    #[error("the journal has no record")]
    Empty,
    /// The earlier moment is the later one.
    #[error("the first moment is after record {from}, and the second before it, after record {to}")]
    Reversed {
        /// How many records the first moment counts.
        from: u64,
        /// How many the second counts.
        to: u64,
    },
    /// No instant is between the two.
    #[error(
        "the first moment is {from} and the second, {to}, is not after it: a day begins the period \
         with its first instant and ends it with its last"
    )]
    NothingBetween {
        /// The first moment.
        from: Instant,
        /// The second moment, at or before the first.
        to: Instant,
    },
    /// What was booked between two moments is not what balances changed by.
    #[error("{place} changed by {changed}, and the entries between come to {booked}")]
    Unequal {
        /// The account of the chart, what it is kept for, and the commodity.
        place: String,
        /// What its balance changed by, in smallest units, debits positive.
        changed: i128,
        /// What the entries between come to, in smallest units, debits positive.
        booked: i128,
    },
    /// The journal cannot be replayed.
    #[error("the journal cannot be replayed")]
    Replay(#[from] ReplayError),
}

impl FromStr for Moment {
    type Err = MomentMalformed;

    fn from_str(text: &str) -> Result<Self, MomentMalformed> {
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return text.parse().map(Self::Records).map_err(|_| MomentMalformed);
        }
        let at = noon(text).map(|noon| last_before(noon.next_day_in_brasilia()));
        at.or_else(|| Instant::parse(text)).map(Self::Instant).ok_or(MomentMalformed)
    }
}

/// Noon in Brasília on the day that the text names.
fn noon(text: &str) -> Option<Instant> {
    if text.contains('T') { None } else { Instant::parse(&format!("{text}T12:00:00-03:00")) }
}

fn last_before(at: Instant) -> Instant {
    Instant::from_micros(at.micros() - 1).unwrap_or(at)
}

impl Moment {
    /// Reads the moment that a period begins after: as it is parsed, except that a day is not yet
    /// part of it.
    ///
    /// ```
    /// # use ledger_store::moment::Moment;
    ///
    /// assert_eq!(Moment::parse_start("2026-11-20"), "2026-11-19".parse());
    /// assert_eq!(Moment::parse_start("12"), Ok(Moment::Records(12)));
    /// ```
    ///
    /// # Errors
    ///
    /// [`MomentMalformed`] where the text names no moment.
    pub fn parse_start(text: &str) -> Result<Self, MomentMalformed> {
        match noon(text) {
            Some(noon) => Ok(Self::Instant(last_before(noon.day_begins_in_brasilia()))),
            None => text.parse(),
        }
    }

    /// How many records the journal has at this moment. An instant is found by halving: the journal
    /// is not read through.
    ///
    /// # Errors
    ///
    /// [`MomentError`] where the journal has no such moment, or cannot be read.
    pub fn records(self, journal: &mut dyn Journal) -> Result<u64, MomentError> {
        let last = journal.head().map_err(ReplayError::from)?.seq;
        let at = match self {
            Self::Records(records) if last < records => {
                return Err(MomentError::AfterTheEnd { records, last });
            }
            Self::Records(records) => return Ok(records),
            Self::Instant(at) => at,
        };
        if last == 0 {
            return Err(MomentError::Empty);
        }
        let first = decided_at(journal, 1)?;
        if at < first {
            return Err(MomentError::BeforeTheFirst { at, first });
        }
        // Records are dated in their order.
        let (mut known, mut beyond) = (1, last + 1);
        while known + 1 < beyond {
            let middle = known + (beyond - known) / 2;
            if decided_at(journal, middle)? <= at {
                known = middle;
            } else {
                beyond = middle;
            }
        }
        Ok(known)
    }
}

/// When a record was decided.
pub(crate) fn decided_at(journal: &mut dyn Journal, seq: u64) -> Result<Instant, ReplayError> {
    for row in journal.read(seq, 1)? {
        for frame in row.frames() {
            let frame = frame.map_err(RowBroken::from)?;
            if frame.seq == seq {
                let record = codec::decode(Seq(seq), frame.record);
                return Ok(record.map_err(|source| ReplayError::Codec { seq, source })?.at);
            }
        }
    }
    Err(JournalError::Gap { expected: seq, found: journal.head()?.seq }.into())
}

impl Sequencer {
    /// Opens a ledger as it stood at a moment, from the latest snapshot that is no later and can be
    /// trusted; `observe` sees what is replayed. The chain is checked up to there, and the row that
    /// holds the last record to its end.
    ///
    /// What it shows is what it showed then, except for persons: they are those of the vault as it
    /// is now. It is for reading: a writer goes on from the journal's end alone.
    ///
    /// ```
    /// # use ledger_store::moment::Moment;
    /// # use ledger_store::sequencer::Sequencer;
    /// # use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
    ///
    /// let mut journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
    /// let before = Sequencer::open_at(&mut journal, "live", None, Moment::Records(0), |_, _| ())?;
    /// assert_eq!(before.head().seq, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MomentError`] where the journal has no such moment, or cannot be replayed.
    pub fn open_at(
        journal: &mut dyn Journal,
        name: &str,
        snapshots: Option<&Snapshots>,
        moment: Moment,
        mut observe: impl FnMut(&Self, &Record),
    ) -> Result<Self, MomentError> {
        let records = moment.records(journal)?;
        let mut sequencer = Self::opened_by(journal, name, snapshots, records);
        sequencer.go_on_until(journal, records, &mut observe)?;
        Ok(sequencer)
    }

    /// As [`Sequencer::open_at`] where a snapshot of at most so many records shortens it; nothing
    /// where there is none, and everything would have to be replayed.
    ///
    /// # Errors
    ///
    /// [`MomentError`] where the journal has not so many records, or cannot be replayed.
    pub fn open_by_snapshot(
        journal: &mut dyn Journal,
        name: &str,
        snapshots: &Snapshots,
        records: u64,
    ) -> Result<Option<Self>, MomentError> {
        let mut sequencer = Self::opened_by(journal, name, Some(snapshots), records);
        if sequencer.head().seq == 0 {
            return Ok(None);
        }
        sequencer.go_on_until(journal, records, &mut |_, _| ())?;
        Ok(Some(sequencer))
    }

    /// As the latest snapshot of at most so many records left it; else empty.
    pub(crate) fn opened_by(
        journal: &mut dyn Journal,
        name: &str,
        snapshots: Option<&Snapshots>,
        records: u64,
    ) -> Self {
        let identity = journal.identity();
        let latest = |snapshots: &Snapshots| snapshots.latest(journal, name, records).ok();
        match snapshots.and_then(latest) {
            Some(resumed) => Self::resume(name, identity, resumed.ledger, resumed.head),
            None => Self::new(name, identity),
        }
    }
}
