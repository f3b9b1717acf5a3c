//! Days in Brasília, as numbers.

use std::fmt;

use ledger_core::time::Instant;

/// A day in Brasília; days compare as they follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(u32);

impl Day {
    /// The day of an instant.
    #[must_use]
    pub fn from_instant(at: Instant) -> Self {
        Self::parse(&at.day_in_brasilia().to_string()).expect("a date is written so")
    }

    /// The last second of the day.
    #[must_use]
    pub fn end(self) -> Instant {
        Instant::parse(&format!("{self}T23:59:59-03:00")).expect("it is a day of the calendar")
    }

    /// Reads YYYY-MM-DD; `None` for any other text, and for a day that no calendar has.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Instant::parse(&format!("{text}T12:00:00-03:00"))?;
        let number = text.bytes().filter(u8::is_ascii_digit);
        let number = number.fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
        (text.len() == 10).then_some(Self(number))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number) = self;
        write!(f, "{:04}-{:02}-{:02}", number / 10_000, number / 100 % 100, number % 100)
    }
}
