//! Instants in microseconds of UTC, and the calendar day of Brasília.
//!
//! Nothing here reads a clock (P:Clock): an instant is always an argument.

mod conversions;
mod day;

use std::fmt;

use chrono::{DateTime, Datelike as _, NaiveDate, SecondsFormat, Timelike as _, Utc};
use chrono_tz::America::Sao_Paulo;
use day::Day;
use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A point in time: microseconds since 1970-01-01T00:00:00Z.
///
/// ```
/// # use ledger_core::time::Instant;
/// // What is paid late in the evening counts for the day of Brasília, not for that of UTC.
/// let paid = Instant::parse("2026-11-20T23:30:00-03:00").expect("it is RFC 3339");
/// assert_eq!(paid.to_string(), "2026-11-21T02:30:00Z");
/// assert_eq!(paid.day_in_brasilia().to_string(), "2026-11-20");
/// assert_eq!(paid.next_day_in_brasilia().to_string(), "2026-11-21T03:00:00Z");
///
/// // With serde it is its text in UTC.
/// assert_eq!(serde_json::to_string(&paid)?, r#""2026-11-21T02:30:00Z""#);
/// assert_eq!(serde_json::from_str::<Instant>(r#""2026-11-20T23:30:00-03:00""#)?, paid);
/// let no_offset = serde_json::from_str::<Instant>(r#""2026-11-20T23:30:00""#).unwrap_err();
/// assert!(no_offset.to_string().starts_with("no instant: RFC 3339 with an offset"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(into = "String", try_from = "String")]
pub struct Instant(i64);

/// What is no instant; the text, which may be of a person, is not repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "no instant: RFC 3339 with an offset, of the years 1970 to 9999 and to the microsecond, as in \
     2026-11-20T12:00:00Z"
)]
pub struct NoInstant;

/// A length of time in microseconds, never negative.
///
/// ```
/// # use ledger_core::time::{Instant, Span};
/// let paid = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
/// let released = paid.after(Span::hours(24));
/// assert_eq!(released.since(paid), Span::days(1));
/// assert_eq!(paid.since(released), Span::default()); // Nothing has passed yet.
///
/// // With serde it is the number of microseconds.
/// assert_eq!(serde_json::to_string(&Span::seconds(2))?, "2000000");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Encode,
    Decode,
    Serialize,
    Deserialize,
)]
#[cbor(transparent)]
#[serde(transparent)]
pub struct Span(#[n(0)] u64);

/// The last instant that text can name: 9999-12-31T23:59:59.999999Z.
const LATEST: i64 = 253_402_300_799_999_999;

impl Span {
    /// So many whole seconds.
    #[must_use]
    pub const fn seconds(seconds: u32) -> Self {
        Self(seconds as u64 * 1_000_000)
    }

    /// So many whole hours.
    #[must_use]
    pub const fn hours(hours: u32) -> Self {
        Self(hours as u64 * 3_600_000_000)
    }

    /// So many days of 24 hours.
    #[must_use]
    pub const fn days(days: u32) -> Self {
        Self((days as u64).saturating_mul(86_400_000_000))
    }

    /// Whole hours in this span, rounded down.
    #[must_use]
    pub const fn whole_hours(self) -> u64 {
        self.0 / 3_600_000_000
    }

    /// The number of microseconds.
    #[must_use]
    pub const fn micros(self) -> u64 {
        self.0
    }
}

impl Instant {
    /// The instant so many microseconds after 1970-01-01T00:00:00Z; `None` outside years 1970 to
    /// 9999.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Option<Self> {
        if micros >= 0 && micros <= LATEST { Some(Self(micros)) } else { None }
    }

    /// Microseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Reads RFC 3339 text with an offset, to the microsecond; `None` for anything else.
    ///
    /// A finer fraction than microseconds is refused rather than rounded.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let fraction = text.split_once('.').map_or("", |(_, rest)| rest);
        let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 9 || !text.is_ascii() {
            return None;
        }
        let at = DateTime::parse_from_rfc3339(text).ok()?.with_timezone(&Utc);
        let exact =
            at.timestamp_subsec_nanos() % 1_000 == 0 && at.timestamp_subsec_nanos() < 1_000_000_000;
        if exact { Self::from_micros(at.timestamp_micros()) } else { None }
    }

    /// This instant later by `span`, at most the last instant that text can name.
    #[must_use]
    pub const fn after(self, span: Span) -> Self {
        let micros = self.0.saturating_add_unsigned(span.0);
        if micros < LATEST { Self(micros) } else { Self(LATEST) }
    }

    /// The time since `earlier`; zero when `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Span {
        Span(if self.0 > earlier.0 { self.0.abs_diff(earlier.0) } else { 0 })
    }

    /// The first instant of the next calendar day in Brasília (P:NextDay, CUS-26).
    ///
    /// Where midnight does not exist (the nights when summer time began), the day begins at 01:00.
    #[must_use]
    pub fn next_day_in_brasilia(self) -> Self {
        Day::containing(self).ends
    }

    /// The first instant of this calendar day in Brasília.
    #[must_use]
    pub fn day_begins_in_brasilia(self) -> Self {
        Day::containing(self).begins
    }

    /// The calendar day in Brasília.
    #[must_use]
    pub fn day_in_brasilia(self) -> NaiveDate {
        Day::containing(self).date
    }

    /// The same instant on the wall clock of Brasília, with its offset, for people.
    #[must_use]
    pub fn in_brasilia(self) -> String {
        self.utc().with_timezone(&Sao_Paulo).to_rfc3339_opts(SecondsFormat::AutoSi, false)
    }

    fn utc(self) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(self.0).expect("an Instant lies in years 1970 to 9999")
    }
}

/// RFC 3339 in UTC; the fraction appears only where there is one, of three digits or six.
///
/// Every view shows several, so it is written without memory of its own.
impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, mut text) = (self.utc(), *b"0000-00-00T00:00:00.000000Z");
        let micros = at.timestamp_subsec_micros();
        write_digits(&mut text[..4], at.year().unsigned_abs());
        write_digits(&mut text[5..7], at.month());
        write_digits(&mut text[8..10], at.day());
        write_digits(&mut text[11..13], at.hour());
        write_digits(&mut text[14..16], at.minute());
        write_digits(&mut text[17..19], at.second());
        write_digits(&mut text[20..26], micros);
        let end = match micros {
            0 => 19,
            _ if micros.is_multiple_of(1_000) => 23,
            _ => 26,
        };
        text[end] = b'Z';
        f.write_str(std::str::from_utf8(&text[..=end]).expect("digits are ASCII"))
    }
}

/// Writes the last digits of a number, as many as there are places.
fn write_digits(places: &mut [u8], number: u32) {
    let mut left = number;
    for place in places.iter_mut().rev() {
        *place = b'0' + u8::try_from(left % 10).expect("a digit is below ten");
        left /= 10;
    }
}

impl From<Instant> for String {
    fn from(at: Instant) -> Self {
        at.to_string()
    }
}

impl TryFrom<String> for Instant {
    type Error = NoInstant;

    fn try_from(text: String) -> Result<Self, NoInstant> {
        Self::parse(&text).ok_or(NoInstant)
    }
}

impl<C> Encode<C> for Instant {
    fn encode<W: minicbor::encode::Write>(
        &self,
        e: &mut minicbor::Encoder<W>,
        _: &mut C,
    ) -> Result<(), minicbor::encode::Error<W::Error>> {
        e.i64(self.0)?.ok()
    }
}

impl<'b, C> Decode<'b, C> for Instant {
    fn decode(d: &mut minicbor::Decoder<'b>, _: &mut C) -> Result<Self, minicbor::decode::Error> {
        let instant = Self::from_micros(d.i64()?);
        instant.ok_or_else(|| minicbor::decode::Error::message("an instant lies in 1970 to 9999"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_written_as_the_calendar_has_it() {
        const STEPS: i64 = 3_001;
        for step in 0..STEPS {
            let second = LATEST / 1_000_000 / STEPS * step;
            for fraction in [0, 1, 20, 1_000, 123_000, 123_456, 999_999] {
                let at = Instant::from_micros(second * 1_000_000 + fraction).unwrap();
                let known = at.utc().to_rfc3339_opts(SecondsFormat::AutoSi, true);
                assert_eq!(at.to_string(), known);
            }
        }
        let last = Instant::from_micros(LATEST).unwrap();
        assert_eq!(last.to_string(), "9999-12-31T23:59:59.999999Z");
    }
}
