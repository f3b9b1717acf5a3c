//! A month over its days: all of them are closed, or those that are not are named.

use ledger_core::time::Instant;
use ledger_matching::Day;
use ledger_store::Journal;
use ledger_store::days::{DayBook, Period, Span, days_until};
use ledger_store::moment::MomentError;
use ledger_store::sequencer::Sequencer;

use crate::history::History;

/// A month of one ledger.
#[derive(Debug)]
pub struct MonthToClose {
    /// The month, `2026-11`.
    pub month: String,
    /// Its accounts over the whole month; none where the ledger has not come to it.
    pub book: Option<DayBook>,
    /// Its days that are closed.
    pub closed: Vec<Day>,
    /// Its days that are not, from the day of the ledger's first record on.
    pub open: Vec<Day>,
}

impl MonthToClose {
    /// Reads a month, `2026-11`; `None` where the text is no month.
    ///
    /// # Errors
    ///
    /// [`MomentError`] where the journal cannot be replayed.
    pub fn read(
        journal: &mut dyn Journal,
        name: &str,
        month: &str,
    ) -> Result<Option<Self>, MomentError> {
        let is_month = month.len() == 7;
        let span = |by| Span::parse(month, month, by).filter(|_| is_month);
        let (Some(whole), Some(days)) = (span(Period::Month), span(Period::Day)) else {
            return Ok(None);
        };
        let mut history = History::default();
        let sequencer = Sequencer::open(journal, name, |_, record| history.follow(record))?;
        let state = &sequencer.ledger().state;
        let first = history.first_day();
        let days = days.periods().map(|(begins, _): (Instant, _)| Day::from_instant(begins));
        let days = days.filter(|day| first.is_some_and(|first| first <= *day));
        let (closed, open) = days.partition(|day| history.is_closed(*day));
        let book =
            if first.is_some() { days_until(journal, state, whole, u64::MAX)? } else { None };
        let book = book.and_then(|days| days.periods.into_iter().next());
        Ok(Some(Self { month: month.to_owned(), book, closed, open }))
    }

    /// Tells whether every day of the month is closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.open.is_empty() && !self.closed.is_empty()
    }
}
