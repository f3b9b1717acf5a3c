//! How long operations wait whose orders do not succeed.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// How long an operation waits before its order is asked for again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackOff {
    /// After it did not succeed once; twice as long after each further time.
    pub first: Duration,
    /// The longest wait.
    pub most: Duration,
}

impl Default for BackOff {
    fn default() -> Self {
        Self { first: Duration::from_secs(1), most: Duration::from_mins(5) }
    }
}

impl BackOff {
    /// How long it waits after so many times.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// # use ledger_store::provider::BackOff;
    /// let back_off = BackOff::default();
    /// let waits = [1, 2, 3, 9, 100].map(|times| back_off.after(times).as_secs());
    /// assert_eq!(waits, [1, 2, 4, 256, 300]);
    /// ```
    #[must_use]
    pub fn after(self, times: u32) -> Duration {
        let factor = 1_u32.checked_shl(times.saturating_sub(1)).unwrap_or(u32::MAX);
        self.first.saturating_mul(factor).min(self.most)
    }
}

/// The operations that wait.
#[derive(Debug)]
pub(super) struct Delays {
    back_off: BackOff,
    waiting: HashMap<String, Delay>,
}

#[derive(Clone, Copy, Debug)]
struct Delay {
    times: u32,
    until: Instant,
}

impl Delays {
    pub(super) fn new(back_off: BackOff) -> Self {
        Self { back_off, waiting: HashMap::new() }
    }

    /// The operation's order did not succeed.
    pub(super) fn delay(&mut self, operation: &str, now: Instant) {
        let times = self.waiting.get(operation).map_or(1, |known| known.times.saturating_add(1));
        let until = now + self.back_off.after(times);
        self.waiting.insert(operation.to_owned(), Delay { times, until });
    }

    /// The operation's order succeeded: its next one waits for nothing.
    pub(super) fn clear(&mut self, operation: &str) {
        self.waiting.remove(operation);
    }

    pub(super) fn waits(&self, operation: &str, now: Instant) -> bool {
        self.waiting.get(operation).is_some_and(|known| now < known.until)
    }

    /// How many wait; those that nobody asked about since are forgotten.
    pub(super) fn count(&mut self, now: Instant) -> usize {
        let most = self.back_off.most;
        self.waiting.retain(|_, known| now < known.until + most);
        self.waiting.len()
    }
}
