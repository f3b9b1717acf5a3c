//! The readings of a journal that days are made of: onward from known books, and back from them.

use std::collections::BTreeMap;

use ledger_core::id::Seq;
use ledger_core::ledger::{Record, State};
use ledger_core::time::Instant;

use super::span::{Span, last_before};
use super::tally::{Line, Moved, add, balances};
use super::{DayBook, Days};
use crate::bytes::codec;
use crate::bytes::frame::RowBroken;
use crate::engines::sequencer::{ReplayError, Sequencer};
use crate::journal::{Journal, JournalError};
use crate::state::moment::{Moment, MomentError, decided_at};
use crate::state::snapshot::Snapshots;

/// How many rows are read at once.
const ROWS: usize = 64;

/// What is booked on each period, as records come in their order.
struct Counted {
    span: Span,
    periods: Vec<(Instant, Instant)>,
    books: Vec<(Moved, u64)>,
}

impl Counted {
    /// The periods of a span that have begun by the ledger's last record.
    fn new(span: Span, last: Instant) -> Self {
        let begun = |(begins, _): &(Instant, Instant)| *begins <= last;
        let periods: Vec<_> = span.periods().take_while(begun).collect();
        let books = vec![(Moved::new(), 0); periods.len()];
        Self { span, periods, books }
    }

    fn count(&mut self, record: &Record) {
        let place = self.periods.partition_point(|(_, ends)| *ends <= record.at);
        if let Some((moved, records)) = self.books.get_mut(place) {
            add(moved, record);
            *records += 1;
        }
    }

    /// The books of each period, from what every account had before the first; and what they had
    /// after the last.
    fn books(
        self,
        mut open: BTreeMap<Line, i128>,
        state: &State,
        last: Instant,
    ) -> (Days, BTreeMap<Line, i128>) {
        let mut periods = Vec::new();
        for ((begins, ends), (mut moved, records)) in self.periods.into_iter().zip(self.books) {
            for line in open.keys() {
                moved.entry(*line).or_default();
            }
            let mut lines = Vec::new();
            for (line, sides) in moved {
                let opening = open.get(&line).copied().unwrap_or_default();
                let shown = line.to_day_line(state, opening, sides);
                open.insert(line, shown.closing());
                lines.push(shown);
            }
            open.retain(|_, amount| *amount != 0);
            let (name, over) = (self.span.name(begins), ends <= last);
            periods.push(DayBook { name, begins, ends, over, records, lines });
        }
        (Days { periods }, open)
    }
}

/// The days or months of a ledger, replayed from the latest snapshot that is no later than the
/// first; what is booked on each account is held against what its books have after the last.
///
/// # Errors
///
/// [`MomentError`] where the journal cannot be replayed, or an account changed by something else
/// than was booked on it.
pub fn days(
    journal: &mut dyn Journal,
    name: &str,
    snapshots: Option<&Snapshots>,
    span: Span,
) -> Result<Days, MomentError> {
    // What is decided meanwhile is left out.
    let end = journal.head().map_err(ReplayError::from)?.seq;
    if end == 0 {
        return Ok(Days { periods: Vec::new() });
    }
    let last = decided_at(journal, end)?;
    let from = before(journal, span.begins())?.min(end);
    let to = before(journal, span.ends())?.min(end);
    let mut sequencer = Sequencer::opened_by(journal, name, snapshots, from);
    sequencer.go_on_until(journal, from, &mut |_, _| ())?;
    let open = balances(&sequencer.ledger().state);
    let mut counted = Counted::new(span, last);
    sequencer.go_on_until(journal, to, &mut |_, record| counted.count(record))?;
    let state = &sequencer.ledger().state;
    let (days, closing) = counted.books(open, state, last);
    let known = balances(state);
    if closing == known {
        return Ok(days);
    }
    let differs = |line: &&Line| closing.get(line) != known.get(line);
    let line = closing.keys().chain(known.keys()).find(differs);
    let line = *line.expect("maps that differ differ in a line");
    let booked = closing.get(&line).copied().unwrap_or_default();
    let changed = known.get(&line).copied().unwrap_or_default();
    let shown = line.to_day_line(state, 0, (0, 0));
    Err(MomentError::Unequal {
        place: format!("{} in {}", shown.name(), shown.commodity),
        changed,
        booked,
    })
}

/// As [`days`], of a ledger whose books are known, without a replay: only the records of the span
/// and after it are read, at most `most` of them.
///
/// `None` where there are more.
///
/// # Errors
///
/// [`MomentError`] where the journal cannot be read.
pub fn days_until(
    journal: &mut dyn Journal,
    state: &State,
    span: Span,
    most: u64,
) -> Result<Option<Days>, MomentError> {
    let (end, last) = (state.seq.0, state.now);
    let from = before(journal, span.begins())?.min(end);
    if most < end - from {
        return Ok(None);
    }
    let mut counted = Counted::new(span, last);
    let mut all = Moved::new();
    let mut next = from + 1;
    while next <= end {
        let rows = journal.read(next, ROWS).map_err(ReplayError::from)?;
        if rows.is_empty() {
            let gap = JournalError::Gap { expected: next, found: next - 1 };
            return Err(ReplayError::from(gap).into());
        }
        for row in rows {
            for frame in row.frames() {
                let frame = frame.map_err(RowBroken::from).map_err(ReplayError::from)?;
                if frame.seq < next || end < frame.seq {
                    continue;
                }
                let record = codec::decode(Seq(frame.seq), frame.record)
                    .map_err(|source| ReplayError::Codec { seq: frame.seq, source })?;
                counted.count(&record);
                add(&mut all, &record);
                next = frame.seq + 1;
            }
        }
    }
    let mut open = balances(state);
    for (line, (debits, credits)) in all {
        *open.entry(line).or_default() -= debits - credits;
    }
    open.retain(|_, amount| *amount != 0);
    Ok(Some(counted.books(open, state, last).0))
}

/// How many records were decided before an instant.
fn before(journal: &mut dyn Journal, at: Instant) -> Result<u64, MomentError> {
    match Moment::Instant(last_before(at)).records(journal) {
        Err(MomentError::BeforeTheFirst { .. } | MomentError::Empty) => Ok(0),
        records => records,
    }
}
