//! The part of the state that days keep: the books' hashes at the end of each, the statements
//! received, and the days that are closed.

use im::{OrdMap, OrdSet};
use minicbor::{Decode, Encode};

use crate::accounting::day_sums::{DaySums, SavedSums};
use crate::counted::hash_counted;
use crate::id::{EvidenceHash, Seq};
use crate::time::Instant;

/// Days that are over, and those that are closed. Clones in O(1).
///
/// A day with a record takes 96 bytes for ever: it may be closed, or reopened, however late.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::ledger) struct Closings {
    /// When the day of the ledger's last record ends.
    pub(super) day_ends: Instant,
    /// The sums of that day.
    pub(super) today: DaySums,
    /// The first instant of the first day that is closed, and the first after the last one.
    pub(super) closed: Option<(Instant, Instant)>,
    /// The end of each day that had a record, under the instant at which it ended.
    pub(super) ends: OrdMap<Instant, DayEnd>,
    statements: OrdSet<EvidenceHash>,
}

hash_counted!(Closings { day_ends, today, closed } { ends, statements });

/// The end of a day: its last record, the hash of what every account had then, and of what was
/// booked on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(array)]
pub(in crate::ledger) struct DayEnd {
    #[n(0)]
    pub(super) last: Seq,
    #[n(1)]
    pub(super) books: EvidenceHash,
    #[n(2)]
    pub(super) booked: EvidenceHash,
}

/// The part of a snapshot.
#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
pub(in crate::ledger) struct SavedClosings {
    #[n(0)]
    day_ends: Instant,
    #[n(1)]
    closed: Option<(Instant, Instant)>,
    #[n(2)]
    ends: Vec<(Instant, DayEnd)>,
    #[n(3)]
    statements: Vec<EvidenceHash>,
    #[n(4)]
    today: SavedSums,
}

impl Closings {
    /// Returns what is saved of them.
    pub(in crate::ledger) fn save(&self) -> SavedClosings {
        let Self { day_ends, today, closed, ends, statements } = self;
        SavedClosings {
            day_ends: *day_ends,
            closed: *closed,
            ends: ends.iter().map(|(at, end)| (*at, *end)).collect(),
            statements: statements.iter().copied().collect(),
            today: today.save(),
        }
    }

    /// The closings that were saved.
    pub(in crate::ledger) fn restore(saved: SavedClosings) -> Self {
        let SavedClosings { day_ends, closed, ends, statements, today } = saved;
        let (ends, statements) = (ends.into_iter().collect(), statements.into_iter().collect());
        Self { day_ends, today: DaySums::restore(today), closed, ends, statements }
    }

    /// Tells whether a statement was received.
    pub(in crate::ledger) fn has_received(&self, statement: &EvidenceHash) -> bool {
        self.statements.contains(statement)
    }

    /// Remembers a statement.
    pub(in crate::ledger) fn receive(&mut self, sha256: EvidenceHash) -> Result<(), &'static str> {
        let known = self.statements.insert(sha256).is_some();
        if known { Err("a statement is received once") } else { Ok(()) }
    }

    /// Opens the last day again that is closed.
    pub(in crate::ledger) fn reopen(&mut self, begins: Instant) -> Result<(), &'static str> {
        let is_day = begins == begins.day_begins_in_brasilia();
        let ends = begins.next_day_in_brasilia();
        let closed = self.closed.filter(|(_, until)| is_day && *until == ends);
        let (first, _) = closed.ok_or("the last day that is closed is reopened, and no other")?;
        self.closed = (first < begins).then_some((first, begins));
        Ok(())
    }
}
