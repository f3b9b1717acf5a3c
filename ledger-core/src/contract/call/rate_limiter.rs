//! What was asked lately, counted in the memory of the process (P:LookupMemory).
//!
//! A read leaves no record, so a limit on reads cannot be a fold of records. It is counted here,
//! beside the ledger: a process that begins anew counts anew, and nothing that is decided or
//! journaled depends on it.

use std::collections::{BTreeMap, VecDeque};

use crate::id::{AccountId, Token};
use crate::time::{Instant, Span};

/// What is counted, and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counted {
    /// PIX keys looked up by an account (LIM-21).
    Lookup(AccountId),
    /// Links to the panel asked for from an address.
    LinkFrom(Token),
    /// Links to the panel asked for an e-mail from an address.
    LinkFor {
        /// The e-mail address that links are asked for, as its token.
        email: Token,
        /// Who asks for them.
        from: Token,
    },
}

/// The latest instants of what is counted.
///
/// ```
/// use ledger_core::contract::{Counted, RateLimiter};
/// use ledger_core::id::AccountId;
/// use ledger_core::time::{Instant, Span};
///
/// let (mut limiter, noon) = (RateLimiter::default(), Instant::default());
/// let (lookup, once_a_minute) = (Counted::Lookup(AccountId(0)), (1, Span::seconds(60)));
/// assert_eq!(limiter.count(lookup, noon, once_a_minute), Ok(()));
/// assert_eq!(limiter.count(lookup, noon, once_a_minute), Err(Span::seconds(60)));
/// let later = noon.after(Span::seconds(60));
/// assert_eq!(limiter.count(lookup, later, once_a_minute), Ok(()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct RateLimiter {
    seen: BTreeMap<Counted, VecDeque<Instant>>,
    /// When what is past its window is swept out next.
    sweep_at: Instant,
}

impl RateLimiter {
    /// Counts one more at `at`, unless `most` were counted within `window`.
    ///
    /// # Errors
    ///
    /// How long to wait until one more passes.
    pub fn count(
        &mut self,
        what: Counted,
        at: Instant,
        (most, window): (u16, Span),
    ) -> Result<(), Span> {
        self.sweep(at);
        let seen = self.seen.entry(what).or_default();
        while seen.front().is_some_and(|first| first.after(window) <= at) {
            seen.pop_front();
        }
        if usize::from(most) <= seen.len() {
            let free = seen.front().map_or(at.after(window), |first| first.after(window));
            return Err(free.since(at));
        }
        seen.push_back(at);
        Ok(())
    }

    /// Forgets whom nothing was counted for within the longest window, once every such window.
    fn sweep(&mut self, at: Instant) {
        let longest = Span::hours(1);
        if self.sweep_at <= at {
            self.seen.retain(|_, seen| seen.back().is_some_and(|last| at < last.after(longest)));
            self.sweep_at = at.after(longest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_slides_and_says_how_long_to_wait() {
        let mut recent = RateLimiter::default();
        let at = |seconds: i64| Instant::from_micros(seconds * 1_000_000).unwrap();
        let five = (5, Span::seconds(60));
        let who = Counted::Lookup(AccountId(1));
        for second in 0..5 {
            assert_eq!(recent.count(who, at(second), five), Ok(()));
        }
        assert_eq!(recent.count(who, at(10), five), Err(Span::seconds(50)));
        assert_eq!(recent.count(Counted::Lookup(AccountId(2)), at(10), five), Ok(()));
        assert_eq!(recent.count(who, at(59), five), Err(Span::seconds(1)));
        assert_eq!(recent.count(who, at(60), five), Ok(()));
        assert_eq!(recent.count(who, at(60), five), Err(Span::seconds(1)));
        assert_eq!(recent.count(who, at(60), (0, Span::seconds(60))), Err(Span::seconds(1)));
    }

    #[test]
    fn what_is_long_past_is_forgotten() {
        let mut recent = RateLimiter::default();
        let at = |hours: i64| Instant::from_micros(hours * 3_600_000_000).unwrap();
        for number in 0..100 {
            let what = Counted::Lookup(AccountId(number));
            assert_eq!(recent.count(what, at(1), (5, Span::seconds(60))), Ok(()));
        }
        assert_eq!(
            recent.count(Counted::LinkFrom(Token([0; 16])), at(9), (5, Span::hours(1))),
            Ok(())
        );
        assert_eq!(recent.seen.len(), 1);
    }
}
