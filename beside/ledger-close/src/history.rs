//! The closes and statements that a journal has so far.

use ledger_core::accounting::{DayClose, ReceivedStatement};
use ledger_core::ledger::{Event, Record};
use ledger_core::time::Instant;
use ledger_matching::Day;

/// Closes, reopenings and statements, in the order of their records.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Every close, also of days that were reopened since.
    pub closes: Vec<ClosedDay>,
    /// The statements that were received.
    pub statements: Vec<Received>,
    first: Option<Instant>,
}

/// A close as it was recorded.
#[derive(Clone, Debug)]
pub struct ClosedDay {
    /// The record that closed it.
    pub record: u64,
    /// The instant at which it was recorded.
    pub at: Instant,
    /// The day, with its accounts and evidence.
    pub close: DayClose,
    /// The record that reopened it, if one did.
    pub reopened: Option<u64>,
}

/// A statement as it was recorded.
#[derive(Clone, Debug)]
pub struct Received {
    /// The record that received it.
    pub record: u64,
    /// The statement, as the fact brought it.
    pub statement: ReceivedStatement,
}

impl ClosedDay {
    /// The day in Brasília.
    #[must_use]
    pub fn day(&self) -> Day {
        Day::from_instant(self.close.begins)
    }
}

impl History {
    /// Takes in the next record.
    pub fn follow(&mut self, record: &Record) {
        self.first.get_or_insert(record.at);
        let (seq, at) = (record.seq.0, record.at);
        for event in &record.events {
            match event {
                Event::DayClosed(close) => {
                    let close = DayClose::clone(close);
                    self.closes.push(ClosedDay { record: seq, at, close, reopened: None });
                }
                Event::DayReopened { begins } => {
                    let mut closes = self.closes.iter_mut().rev();
                    if let Some(known) = closes.find(|known| known.close.begins == *begins) {
                        known.reopened = Some(seq);
                    }
                }
                Event::StatementReceived(statement) => {
                    let statement = ReceivedStatement::clone(statement);
                    self.statements.push(Received { record: seq, statement });
                }
                _ => {}
            }
        }
    }

    /// The day of the first record.
    #[must_use]
    pub fn first_day(&self) -> Option<Day> {
        self.first.map(Day::from_instant)
    }

    /// Tells whether a day is closed and was not reopened.
    #[must_use]
    pub fn is_closed(&self, day: Day) -> bool {
        self.closes.iter().any(|known| known.day() == day && known.reopened.is_none())
    }

    /// The last day that is closed.
    #[must_use]
    pub fn last_closed(&self) -> Option<&ClosedDay> {
        self.closes.iter().filter(|known| known.reopened.is_none()).max_by_key(|known| known.day())
    }

    /// How often a day was closed so far, reopened or not.
    #[must_use]
    pub fn times_closed(&self, day: Day) -> usize {
        self.closes.iter().filter(|known| known.day() == day).count()
    }

    /// How often a day was reopened so far.
    #[must_use]
    pub fn times_reopened(&self, day: Day) -> usize {
        let reopened = |known: &&ClosedDay| known.day() == day && known.reopened.is_some();
        self.closes.iter().filter(reopened).count()
    }
}
