//! How many wrong credentials an address may bring, counted in the memory of the process.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use ledger_core::time::{Instant, Span};

/// After so many wrong credentials an address is not heard.
const MOST: u32 = 10;
/// For so long from the first of them.
const WINDOW: Span = Span::seconds(5 * 60);

/// Wrong credentials by address, and since when.
#[derive(Default)]
pub(super) struct Lockout(Mutex<HashMap<Option<IpAddr>, (u32, Instant)>>);

impl Lockout {
    /// For how many seconds the address is not heard; none where it is.
    pub(super) fn waits(&self, address: Option<IpAddr>, now: Instant) -> Option<u64> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (failed, since) = counts.get(&address)?;
        let until = since.after(WINDOW);
        (*failed >= MOST && now < until).then(|| until.since(now).micros().div_ceil(1_000_000))
    }

    /// Counts a wrong credential, and forgets those of long ago.
    pub(super) fn count_failure(&self, address: Option<IpAddr>, now: Instant) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.retain(|_, (_, since)| now < since.after(WINDOW));
        counts.entry(address).or_insert((0, now)).0 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_wrong_credentials_in_five_minutes_are_the_most_of_one_address() {
        let lockout = Lockout::default();
        let noon = Instant::parse("2026-11-20T12:00:00Z").unwrap();
        let (one, other) = (Some(IpAddr::from([10, 0, 0, 1])), Some(IpAddr::from([10, 0, 0, 2])));
        for _ in 0..MOST {
            assert_eq!(lockout.waits(one, noon), None);
            lockout.count_failure(one, noon);
        }
        assert_eq!(lockout.waits(one, noon), Some(300));
        assert_eq!(lockout.waits(one, noon.after(Span::seconds(299))), Some(1));
        assert_eq!(lockout.waits(other, noon), None);
        let after = noon.after(WINDOW);
        assert_eq!(lockout.waits(one, after), None);
        lockout.count_failure(other, after);
        assert_eq!(lockout.0.lock().unwrap().len(), 1, "what is over is forgotten");
    }
}
