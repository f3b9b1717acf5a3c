//! How long is waited after a failure: pure functions of how often it failed.

use std::time::Duration;

use crate::courier::schedule::Outcome;

/// The longest that `Retry-After` may ask for: longer would be a mistake, and money waits.
const MOST_ASKED_FOR: Duration = Duration::from_mins(15);

/// The wait after failure number `failures`, counted from 1: twice as long each time, up to the
/// longest, and a fifth shorter or longer by `random`, so that what failed together does not come
/// back together. Never shorter than the other side asked for.
pub(crate) fn after(
    failures: u32,
    outcome: Outcome,
    bounds: (Duration, Duration),
    random: u64,
) -> Duration {
    let (first, longest) = bounds;
    let doubled = first.saturating_mul(1_u32.checked_shl(failures - 1).unwrap_or(u32::MAX));
    let wait = doubled.min(longest);
    let part = u32::try_from(random % 401).expect("it is below 401");
    // From four fifths of it to six.
    let wait = (wait * (800 + part) / 1_000).min(longest);
    let asked = match outcome {
        Outcome::Answered { retry_after: Some(asked), .. } => Duration::from_micros(asked.micros()),
        _ => Duration::ZERO,
    };
    wait.max(asked.min(MOST_ASKED_FOR))
}

#[cfg(test)]
mod tests {
    use ledger_core::time::Span;

    use super::*;

    const BOUNDS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(1));

    /// The middle of the range: the wait itself.
    const MIDDLE: u64 = 200;

    #[test]
    fn a_wait_doubles_to_a_minute_and_no_number_of_failures_ends_it() {
        let seconds = |failures| after(failures, Outcome::Unreachable, BOUNDS, MIDDLE).as_secs();
        assert_eq!([1, 2, 3, 4, 5, 6, 7].map(seconds), [1, 2, 4, 8, 16, 32, 60]);
        for failures in [31, 32, 33, 64, 1_000_000, u32::MAX] {
            assert_eq!(seconds(failures), 60, "{failures}");
        }
    }

    #[test]
    fn what_failed_together_comes_back_apart_and_never_after_more_than_a_minute() {
        for random in [0, 1, 399, 400, u64::MAX] {
            let third = after(3, Outcome::TimedOut, BOUNDS, random).as_millis();
            assert!((3_200..=4_800).contains(&third), "{third}");
            assert!(after(99, Outcome::TimedOut, BOUNDS, random) <= BOUNDS.1);
        }
        assert_ne!(
            after(3, Outcome::TimedOut, BOUNDS, 0),
            after(3, Outcome::TimedOut, BOUNDS, 400)
        );
    }

    #[test]
    fn a_service_that_asks_for_time_is_given_a_quarter_of_an_hour_at_most() {
        let asking = |seconds| {
            let retry_after = Some(Span::seconds(seconds));
            after(1, Outcome::Answered { status: 503, retry_after }, BOUNDS, MIDDLE).as_secs()
        };
        assert_eq!([0, 30, 300, 900, 86_400].map(asking), [1, 30, 300, 900, 900]);
    }
}
