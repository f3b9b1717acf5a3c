//! A day as the journal has it: one replay, and one reading of the records since the day began.

use std::collections::BTreeMap;

use ledger_core::ledger::State;
use ledger_core::time::Instant;
use ledger_matching::{Day, OurMovement, OwnBooks, Status};
use ledger_store::Journal;
use ledger_store::days::{DayBook, DayLine, Period, Span, days_until};
use ledger_store::moment::{Moment, MomentError};
use ledger_store::sequencer::Sequencer;

use crate::history::History;

/// A day of one ledger, as it is to be closed.
#[derive(Debug)]
pub struct DayToClose {
    /// The ledger's name.
    pub ledger: String,
    /// The day in Brasília.
    pub day: Day,
    /// The openings, movements and closings of its accounts; none where the ledger has not come to
    /// the day.
    pub book: Option<DayBook>,
    /// The last record that is not after the day; 0 where none is.
    pub last: u64,
    /// Items that are open at the day's end, by reason.
    pub open: Vec<OpenItems>,
    /// Movements that came on the day and belong to a day before.
    pub late: Vec<Late>,
    /// Movements that came after the day and belong to it.
    pub came_after: Vec<Late>,
    /// The closes and statements of the journal so far.
    pub history: History,
    /// The ledger's movements on accounts outside.
    pub own: OwnBooks,
    /// The instant of the journal's last record.
    pub now: Instant,
}

/// How many things are open for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenItems {
    /// The reason, in a few English words.
    pub reason: String,
    /// How many, above zero.
    pub count: u64,
}

/// A movement that was told on a later day than it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Late {
    /// The record that booked it.
    pub record: u64,
    /// The day on which it was paid or seen.
    pub belongs_to: Day,
    /// Its id outside, or that of the fact.
    pub id: String,
    /// The control account.
    pub account: String,
    /// The amount with its asset, below zero where it left.
    pub amount: String,
}

impl DayToClose {
    /// Reads a day of the ledger of this name; what is decided meanwhile is left out.
    ///
    /// # Errors
    ///
    /// [`MomentError`] where the journal cannot be replayed.
    pub fn read(journal: &mut dyn Journal, name: &str, day: Day) -> Result<Self, MomentError> {
        let (begins, ends) = (day.end().day_begins_in_brasilia(), day.end().next_day_in_brasilia());
        let before = records_before(journal, begins)?;
        let last = records_before(journal, ends)?;
        let (mut own, mut history) = (OwnBooks::default(), History::default());
        let mut open = Vec::new();
        let sequencer = Sequencer::open(journal, name, |sequencer, record| {
            let state = &sequencer.ledger().state;
            own.follow(state, record);
            history.follow(record);
            if record.seq.0 == last {
                open = open_items(state, ends);
            }
        })?;
        let state = &sequencer.ledger().state;
        let book = if last > 0 { book(journal, state, day)? } else { None };
        let told_late = |it: &&OurMovement| it.status == Status::Booked && before < it.record;
        let told_late = own.movements().iter().filter(told_late);
        let (on_day, after): (Vec<_>, Vec<_>) = told_late.partition(|it| it.record <= last);
        Ok(Self {
            ledger: name.to_owned(),
            day,
            book,
            last,
            open,
            late: on_day.into_iter().filter(|it| it.day < day).map(Late::from_own).collect(),
            came_after: after.into_iter().filter(|it| it.day == day).map(Late::from_own).collect(),
            now: state.now,
            history,
            own,
        })
    }

    /// The statements received that are of the day, or of days around it.
    pub fn statements(&self) -> impl Iterator<Item = &crate::Received> {
        let (begins, ends) = (self.day.end().day_begins_in_brasilia(), self.day.end());
        let statements = self.history.statements.iter();
        statements.filter(move |it| it.statement.begins <= ends && begins <= it.statement.ends)
    }
}

/// How many records were decided before an instant.
fn records_before(journal: &mut dyn Journal, at: Instant) -> Result<u64, MomentError> {
    let last = Instant::from_micros(at.micros() - 1).unwrap_or(at);
    match Moment::Instant(last).records(journal) {
        Err(MomentError::BeforeTheFirst { .. } | MomentError::Empty) => Ok(0),
        records => records,
    }
}

/// Returns what waits for a person at an instant, and the holds, by reason.
fn open_items(state: &State, at: Instant) -> Vec<OpenItems> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for (_, operation) in state.open_operations() {
        let waits = operation.machine.waits(at).map(|waiting| waiting.why());
        let hold = || operation.hold().map(|_| "hold".to_owned());
        if let Some(reason) = waits.or_else(hold) {
            *counts.entry(reason).or_default() += 1;
        }
    }
    counts.into_iter().map(|(reason, count)| OpenItems { reason, count }).collect()
}

impl Late {
    fn from_own(movement: &OurMovement) -> Self {
        let id = movement.id.as_ref().or(movement.fact.as_ref());
        Self {
            record: movement.record,
            belongs_to: movement.day,
            id: id.map(ToString::to_string).unwrap_or_default(),
            account: movement.account.control(),
            amount: format!("{} {}", movement.signed_amount(), movement.account.asset),
        }
    }
}

/// The books of a day; of one that begins after the last record, what accounts had then.
fn book(
    journal: &mut dyn Journal,
    state: &State,
    day: Day,
) -> Result<Option<DayBook>, MomentError> {
    let known = day.min(Day::from_instant(state.now));
    let text = known.to_string();
    let Some(span) = Span::parse(&text, &text, Period::Day) else { return Ok(None) };
    let days = days_until(journal, state, span, u64::MAX)?;
    let book = days.and_then(|days| days.periods.into_iter().next());
    Ok(book.map(|book| if known < day { nothing_booked(book, day) } else { book }))
}

/// A day on which nothing was booked, after one that was.
fn nothing_booked(book: DayBook, day: Day) -> DayBook {
    let lines = book.lines.into_iter().filter(|line| line.closing() != 0);
    let lines =
        lines.map(|line| DayLine { opening: line.closing(), debits: 0, credits: 0, ..line });
    DayBook {
        name: day.to_string(),
        begins: day.end().day_begins_in_brasilia(),
        ends: day.end().next_day_in_brasilia(),
        over: false,
        records: 0,
        lines: lines.collect(),
    }
}
