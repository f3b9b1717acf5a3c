//! When a webhook is attempted again, and when it is given up: pure functions of what was answered.
//!
//! ```text
//! attempt  1   2    3      4       5    6    7     8     9     10
//! after    0 s 5 s  5 min  30 min  2 h  5 h  10 h  14 h  20 h  24 h   (P:WebhookAttempts)
//! ```

use std::time::{Duration, SystemTime};

use ledger_core::time::{Instant, Span};

/// How long is waited after each failure; after the one that follows the last, it is given up.
const WAITS: [Span; 9] = [
    Span::seconds(5),
    Span::seconds(5 * 60),
    Span::seconds(30 * 60),
    Span::hours(2),
    Span::hours(5),
    Span::hours(10),
    Span::hours(14),
    Span::hours(20),
    Span::hours(24),
];

/// A part in a hundred by which a wait is longer or shorter, at most, so that what failed together
/// does not come back together.
const JITTER_PERCENT: u64 = 20;

/// The least wait after a time-out or 429: whoever has too much to do is not asked again at once.
const LEAST_AFTER_OVERLOAD: Span = Span::seconds(60);

/// The longest that `Retry-After` may ask for.
const MOST_ASKED_FOR: Span = Span::hours(24);

/// How long an endpoint may only fail until it is switched off.
const FAILING: Span = Span::hours(120);

/// What came of one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The endpoint answered.
    Answered {
        /// Its HTTP status.
        status: u16,
        /// How long it asks to be left alone (`Retry-After`).
        retry_after: Option<Span>,
    },
    /// It did not answer in time.
    TimedOut,
    /// It was not reached, or its answer broke off.
    Unreachable,
    /// Its address is none that webhooks go to, so nothing was sent.
    Forbidden,
}

impl Outcome {
    /// Tells whether the endpoint has taken the event: any 2xx says so, and nothing else does.
    #[must_use]
    pub const fn is_success(self) -> bool {
        matches!(self, Self::Answered { status: 200..=299, .. })
    }

    /// Tells whether the endpoint says that it takes no events any more: 410.
    #[must_use]
    pub const fn is_gone(self) -> bool {
        matches!(self, Self::Answered { status: 410, .. })
    }

    /// The HTTP status, if there is one.
    #[must_use]
    pub const fn status(self) -> Option<u16> {
        match self {
            Self::Answered { status, .. } => Some(status),
            Self::TimedOut | Self::Unreachable | Self::Forbidden => None,
        }
    }

    /// Returns what it is called in logs, metrics and the list of deliveries.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answered { status: 200..=299, .. } => "delivered",
            Self::Answered { status: 300..=399, .. } => "redirected",
            Self::Answered { status: 410, .. } => "gone",
            Self::Answered { .. } => "refused",
            Self::TimedOut => "timed_out",
            Self::Unreachable => "unreachable",
            Self::Forbidden => "forbidden_address",
        }
    }
}

/// What follows an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Nothing: the event was taken.
    Delivered,
    /// Another attempt, after this long.
    Again(Span),
    /// Nothing: every attempt has failed.
    Abandoned,
    /// Nothing: the endpoint wants no events any more, and is switched off.
    Gone,
}

/// Returns what follows attempt number `attempt`, counted from 1. `random` is any number, another
/// each time.
///
/// ```
/// use ledger_core::time::Span;
/// use ledger_http::courier::schedule::{Next, Outcome, next};
///
/// let failed = Outcome::Unreachable;
/// // The middle of the range: the wait itself.
/// assert_eq!(next(1, failed, u64::MAX / 2), Next::Again(Span::seconds(5)));
/// assert_eq!(next(10, failed, 0), Next::Abandoned);
/// ```
#[must_use]
pub fn next(attempt: u32, outcome: Outcome, random: u64) -> Next {
    if outcome.is_success() {
        return Next::Delivered;
    }
    if outcome.is_gone() {
        return Next::Gone;
    }
    let place = usize::try_from(attempt.saturating_sub(1)).unwrap_or(usize::MAX);
    let Some(wait) = WAITS.get(place) else { return Next::Abandoned };
    Next::Again(with_jitter(*wait, random).max(least_wait(outcome)))
}

/// Tells whether an endpoint that has only failed since then is to be switched off.
#[must_use]
pub fn has_failed_for_too_long(since: Instant, now: Instant) -> bool {
    FAILING <= now.since(since)
}

/// Reads `Retry-After`: seconds, or a date of HTTP. What is neither, or has passed, asks for
/// nothing.
#[must_use]
pub fn retry_after(text: &str, now: Instant) -> Option<Span> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than a number holds are longer than anybody is waited for.
        return Some(text.parse().map_or(MOST_ASKED_FOR, Span::seconds));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    let since = u64::try_from(now.micros()).ok()?;
    let now = SystemTime::UNIX_EPOCH + Duration::from_micros(since);
    let wait = date.duration_since(now).ok()?.as_secs();
    Some(u32::try_from(wait).map_or(MOST_ASKED_FOR, Span::seconds))
}

fn least_wait(outcome: Outcome) -> Span {
    let asked = match outcome {
        Outcome::Answered { retry_after, .. } => retry_after.unwrap_or_default(),
        Outcome::TimedOut | Outcome::Unreachable | Outcome::Forbidden => Span::default(),
    };
    let overloaded = matches!(outcome, Outcome::TimedOut | Outcome::Answered { status: 429, .. });
    let least = if overloaded { LEAST_AFTER_OVERLOAD } else { Span::default() };
    asked.min(MOST_ASKED_FOR).max(least)
}

/// A wait, up to a fifth longer or shorter.
fn with_jitter(wait: Span, random: u64) -> Span {
    let (whole, most) = (wait.micros(), wait.micros() * JITTER_PERCENT / 100);
    // Where in the range from 0 to twice the most it lies.
    let place = (u128::from(random) * u128::from(2 * most)).div_ceil(u128::from(u64::MAX));
    let place = u64::try_from(place).unwrap_or(2 * most);
    let seconds = (whole - most + place) / 1_000_000;
    Span::seconds(u32::try_from(seconds).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn with_status(status: u16, retry_after: Option<Span>) -> Outcome {
        Outcome::Answered { status, retry_after }
    }

    fn wait(next: Next) -> Option<Span> {
        if let Next::Again(wait) = next { Some(wait) } else { None }
    }

    #[test]
    fn ten_attempts_are_made_within_75_hours_35_minutes_and_5_seconds() {
        let middle = u64::MAX / 2;
        let follows = |attempt| wait(next(attempt, Outcome::Unreachable, middle));
        let waits: Vec<Span> = (1..).map_while(follows).collect();
        assert_eq!(waits, WAITS);
        let all: u64 = waits.iter().map(|wait| wait.micros() / 1_000_000).sum();
        assert_eq!(all, (75 * 60 + 35) * 60 + 5);
        assert_eq!(next(10, Outcome::Unreachable, middle), Next::Abandoned);
    }

    #[test]
    fn only_2xx_is_success_and_410_switches_off() {
        for status in 100..600 {
            let expected = match status {
                200..=299 => Next::Delivered,
                410 => Next::Gone,
                _ => Next::Abandoned,
            };
            assert_eq!(next(10, with_status(status, None), 0), expected, "{status}");
        }
    }

    #[test]
    fn retry_after_is_read_as_seconds_and_as_a_date() {
        let now = Instant::parse("2026-11-20T12:00:00Z").unwrap();
        let read = |text| retry_after(text, now);
        assert_eq!(read("120"), Some(Span::seconds(120)));
        assert_eq!(read(" 7 "), Some(Span::seconds(7)));
        assert_eq!(read("Fri, 20 Nov 2026 12:03:00 GMT"), Some(Span::seconds(180)));
        assert_eq!(read("99999999999999999999"), Some(Span::hours(24)));
        for nothing in ["", "-1", "soon", "1.5", "Fri, 20 Nov 2026 11:59:59 GMT"] {
            assert_eq!(read(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn an_endpoint_is_switched_off_after_120_hours_of_failures() {
        let since = Instant::parse("2026-11-20T12:00:00Z").unwrap();
        let just_before = Span::seconds(120 * 3_600 - 1);
        assert!(!has_failed_for_too_long(since, since.after(just_before)));
        assert!(has_failed_for_too_long(since, since.after(Span::hours(120))));
    }

    proptest! {
        #[test]
        fn a_wait_is_at_most_a_fifth_longer_or_shorter(
            attempt in 1_u32..10, random: u64,
        ) {
            let wait = wait(next(attempt, Outcome::Unreachable, random)).unwrap();
            let whole = WAITS[attempt as usize - 1].micros();
            prop_assert!(whole * 8 <= wait.micros() * 10, "{wait:?}");
            prop_assert!(wait.micros() * 10 <= whole * 12, "{wait:?}");
        }

        #[test]
        fn overload_waits_a_minute_and_retry_after_is_heeded_up_to_a_day(
            attempt in 1_u32..10, random: u64, asked in 0_u32..200_000, overloaded: bool,
        ) {
            let status = if overloaded { 429 } else { 503 };
            let asked = Span::seconds(asked);
            let wait = wait(next(attempt, with_status(status, Some(asked)), random)).unwrap();
            prop_assert!(asked.min(Span::hours(24)) <= wait);
            prop_assert!(!overloaded || Span::seconds(60) <= wait);
            let timed_out = next(attempt, Outcome::TimedOut, random);
            prop_assert!(matches!(timed_out, Next::Again(wait) if Span::seconds(60) <= wait));
        }

        #[test]
        fn what_fails_is_tried_again_until_the_tenth_attempt(attempt in 1_u32.., random: u64) {
            let again = wait(next(attempt, Outcome::Forbidden, random)).is_some();
            prop_assert_eq!(again, attempt < 10);
        }
    }
}
