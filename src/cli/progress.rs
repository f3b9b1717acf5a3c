//! Where a run was left: what a journal says of the lines of one source (rulings 61).

use ledger_core::ledger::{Origin, Record};
use ledger_sim::PLAYED;

/// What one ledger's journal holds of the latest run of one source.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// How often the source had been run afresh before.
    pub pass: u32,
    /// The first record of the run; none while there is none.
    pub first: Option<u64>,
    /// The last line that is answered for certain: its own decision is recorded, or something of a
    /// line after it.
    pub answered: u64,
    /// The last line that any record names.
    pub reached: u64,
    /// Each place where others wrote between two records of the run, by the line of the second.
    pub gaps: Vec<u64>,
    /// Tells whether others wrote after its last record.
    pub left: bool,
}

/// A line, as a record names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// In which run of the source.
    pub pass: u32,
    /// The number of the line, from 1.
    pub number: u64,
    /// The keyed hash of the lines up to it; of the line alone in journals of earlier versions.
    pub hash: u64,
    /// Tells whether the sandbox played it before the line.
    pub played: bool,
}

impl Named {
    /// The line of `source` that caused a record.
    pub fn from_record(source: &str, record: &Record) -> Option<Self> {
        let Origin::Line { source: known, pass, number, hash } = &record.cause.origin else {
            return None;
        };
        let (known, played) = match known.strip_prefix(PLAYED) {
            Some(known) => (known, true),
            None => (&**known, false),
        };
        (known == source).then_some(Self { pass: *pass, number: *number, hash: *hash, played })
    }
}

impl Progress {
    /// Takes note of a record.
    pub fn observe(&mut self, source: &str, record: &Record) {
        let Some(Named { pass, number, played, .. }) = Named::from_record(source, record) else {
            self.left = self.first.is_some();
            return;
        };
        if self.first.is_none() || pass != self.pass {
            *self = Self { pass, first: Some(record.seq.0), ..Self::default() };
        }
        if std::mem::take(&mut self.left) {
            self.gaps.push(number);
        }
        self.reached = number;
        // A line that only brought a deadline due may have been read and not answered.
        let own = !record.cause.deadline && !played;
        self.answered = self.answered.max(if own { number } else { number.saturating_sub(1) });
    }
}
