//! Days and months of Brasília: what every account of the chart had at the beginning of each, what
//! was booked on it, and what it had at the end.
//!
//! A period's closing is the next one's opening, its sums over all accounts are nil in every
//! commodity, and its closing is what the trial balance of that moment says.
//!
//! ```text
//! days:       books at the beginning --each record's legs--> held against the books at the end
//! days_until: books as they are      --less each record's legs--> what they were at the beginning
//! ```

mod reading;
mod span;
mod tally;
mod text;

use ledger_core::accounting::Class;
use ledger_core::coin::Scale;
use ledger_core::time::Instant;

pub use self::reading::{days, days_until};
pub use self::span::{Period, Span};

/// The periods of a span, the earliest first, as far as the ledger has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Days {
    /// Each day or month.
    pub periods: Vec<DayBook>,
}

/// The books of one day or month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayBook {
    /// The day, `2026-11-20`, or the month, `2026-11`.
    pub name: String,
    /// Its first instant.
    pub begins: Instant,
    /// The first instant after it.
    pub ends: Instant,
    /// Tells whether it is over: a record was decided after it, so nothing is booked on it any
    /// more.
    pub over: bool,
    /// How many records were decided in it.
    pub records: u64,
    /// Every account that had something or was booked on, reais first, in the order of the chart.
    pub lines: Vec<DayLine>,
}

/// One account of the chart in one commodity over a period, in smallest units, debits positive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayLine {
    /// `BRL`, or an asset's name.
    pub commodity: String,
    /// How many decimals the commodity has.
    pub scale: Scale,
    /// What a balance of the account means.
    pub class: Class,
    /// Its name in the chart; all that is kept for customers and operations is one account.
    pub account: &'static str,
    /// The network that coins are kept on; empty for all else.
    pub network: String,
    /// What it had at the beginning.
    pub opening: i128,
    /// The sum of what was debited, never below zero.
    pub debits: i128,
    /// The sum of what was credited, never below zero.
    pub credits: i128,
}

impl Days {
    /// All periods as one, under the names of the first and the last; `None` where there is none.
    #[must_use]
    pub fn whole(&self) -> Option<DayBook> {
        let mut periods = self.periods.iter();
        let mut whole = periods.next()?.clone();
        for book in periods {
            for line in &book.lines {
                match whole.lines.iter_mut().find(|known| known.is_account_of(line)) {
                    Some(known) => {
                        known.debits += line.debits;
                        known.credits += line.credits;
                    }
                    None => whole.lines.push(line.clone()),
                }
            }
            whole.records += book.records;
            (whole.ends, whole.over) = (book.ends, book.over);
        }
        if let [first, .., last] = &self.periods[..] {
            whole.name = format!("{} – {}", first.name, last.name);
        }
        Some(whole)
    }
}

impl DayLine {
    fn is_account_of(&self, other: &Self) -> bool {
        let key = |line: &Self| (line.account, line.commodity.clone(), line.network.clone());
        key(self) == key(other)
    }

    /// Returns what it had at the end, in smallest units, debits positive.
    #[must_use]
    pub const fn closing(&self) -> i128 {
        self.opening + self.debits - self.credits
    }

    /// Its name with the network, as the trial balance has it: `treas polygon`.
    #[must_use]
    pub fn name(&self) -> String {
        let mark = if self.network.is_empty() { "" } else { " " };
        format!("{}{mark}{}", self.account, self.network)
    }

    /// Returns what it added to the result, in smallest units, expenses below zero; none of an
    /// account that is neither income nor expense.
    #[must_use]
    pub fn earnings(&self) -> Option<i128> {
        let counts = matches!(self.class, Class::Income | Class::Expense);
        counts.then(|| self.credits - self.debits)
    }
}
