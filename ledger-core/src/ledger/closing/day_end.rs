//! Ends of days: kept as the ledger's time passes them, and held against what a close states.

use std::collections::BTreeMap;

use super::index::DayEnd;
use crate::accounting::day_sums::DaySums;
use crate::accounting::{DayClose, Entry, hash_of_lines};
use crate::id::{EvidenceHash, Seq};
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::state::State;
use crate::time::Instant;

impl State {
    /// The days that are closed: the first instant of the first, and the first after the last;
    /// none where no day is. Between them every day is closed.
    #[must_use]
    pub fn closed_days(&self) -> Option<(Instant, Instant)> {
        self.domains.closings.closed
    }

    /// Tells whether a statement was received, by the SHA-256 of its file.
    #[must_use]
    pub fn has_statement(&self, sha256: &EvidenceHash) -> bool {
        self.domains.closings.has_received(sha256)
    }

    /// Keeps what the books have at the end of a day, before the first record after it is applied.
    pub(in crate::ledger) fn end_day(&mut self, next: Instant) {
        if next < self.domains.closings.day_ends {
            return;
        }
        if self.seq != Seq::default() {
            let end = self.day_now();
            let closings = &mut self.domains.closings;
            closings.ends.insert(closings.day_ends, end);
        }
        let closings = &mut self.domains.closings;
        closings.day_ends = next.next_day_in_brasilia();
        closings.today = DaySums::default();
    }

    /// Adds an entry to what was booked on the ledger's day.
    #[inline]
    pub(in crate::ledger) fn book_on_day(&mut self, entry: &Entry) {
        self.domains.closings.today.book(entry);
    }

    /// Judges whether a day may be closed at `at` with these amounts, and returns its last record.
    pub(in crate::ledger) fn may_close(
        &self,
        close: &DayClose,
        at: Instant,
    ) -> Result<Seq, Reason> {
        let DayClose { begins, ends, .. } = *close;
        if at < ends {
            return Err(Reason::TooEarly);
        }
        let end = self.end_of_day(ends).ok_or(Reason::Unmatched)?;
        if self.closed_days().is_some_and(|(_, until)| until != begins) {
            return Err(Reason::OutOfTurn);
        }
        if !close.statements.iter().all(|sha256| self.has_statement(sha256)) {
            return Err(Reason::Unmatched);
        }
        let opening = self.end_of_day(begins).map_or_else(no_amounts, |end| end.books);
        let [opens, booked, closes] = [
            close.openings().map(|lines| hash_of_lines(&lines)),
            close.movements().map(|lines| hash_of_lines(&lines)),
            close.closings().map(|lines| hash_of_lines(&lines)),
        ];
        let agrees = (opens, booked, closes) == (Some(opening), Some(end.booked), Some(end.books));
        agrees.then_some(end.last).ok_or(Reason::ClosingDiffers)
    }

    /// Remembers that a day is closed, as its books were.
    pub(in crate::ledger) fn close_day(
        &mut self,
        close: &DayClose,
        at: Instant,
    ) -> Result<(), &'static str> {
        if !close.is_of_one_day() || self.may_close(close, at) != Ok(close.last) {
            return Err("a day is closed in its order, once, as the books were at its end");
        }
        let closings = &mut self.domains.closings;
        let first = closings.closed.map_or(close.begins, |(first, _)| first);
        closings.closed = Some((first, close.ends));
        Ok(())
    }

    /// The end of the day that ended at `ends`, with what the last day before it left where it had
    /// no record; none before the ledger's first record. Time has come to `ends`.
    fn end_of_day(&self, ends: Instant) -> Option<DayEnd> {
        let closings = &self.domains.closings;
        let (of, mut end) = if self.seq != Seq::default() && self.now < ends {
            (closings.day_ends, self.day_now())
        } else {
            closings.ends.range(..=ends).next_back().map(|(of, end)| (*of, *end))?
        };
        if of != ends {
            end.booked = no_amounts();
        }
        Some(end)
    }

    /// The end of the ledger's day, were it over.
    fn day_now(&self) -> DayEnd {
        let books = hash_of_lines(&self.books.chart_lines());
        let booked = hash_of_lines(&self.domains.closings.today.lines());
        DayEnd { last: self.seq, books, booked }
    }
}

/// The hash of no amounts.
fn no_amounts() -> EvidenceHash {
    hash_of_lines::<1>(&BTreeMap::new())
}
