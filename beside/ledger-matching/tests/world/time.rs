//! Instants of the world, in microseconds, and how each file writes them.

use ledger_core::time::Instant;

/// A second in microseconds.
pub const SECOND: i64 = 1_000_000;
/// A minute in microseconds.
pub const MINUTE: i64 = 60 * SECOND;
/// An hour in microseconds.
pub const HOUR: i64 = 60 * MINUTE;
/// A day in microseconds.
pub const DAY: i64 = 24 * HOUR;

/// Midnight in Brasília, at which the month of the world begins.
pub fn month_begins() -> i64 {
    Instant::parse("2026-11-01T03:00:00Z").expect("an instant").micros()
}

/// RFC 3339 in UTC.
pub fn rfc3339(at: i64) -> String {
    Instant::from_micros(at).expect("an instant").to_string()
}

/// `20/11/2026 09:02:00`, on the clock of Brasília.
pub fn at_the_bank(at: i64) -> String {
    let text = rfc3339(at - 3 * HOUR);
    format!("{}/{}/{} {}", &text[8..10], &text[5..7], &text[..4], &text[11..19])
}

/// `2026-11-20 12:02:00`, in UTC.
pub fn at_the_exchange(at: i64) -> String {
    let text = rfc3339(at);
    format!("{} {}", &text[..10], &text[11..19])
}

/// The minute as ids of PIX write it, in UTC.
pub fn minute_of_pix(at: i64) -> String {
    let text = rfc3339(at);
    [&text[..4], &text[5..7], &text[8..10], &text[11..13], &text[14..16]].concat()
}
