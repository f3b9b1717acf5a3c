//! How many requests a key and an address may make (LIM-30), counted in the memory of the process.

use std::hash::{BuildHasher as _, Hash, RandomState};
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::http::{HeaderName, HeaderValue};
use governor::clock::{Clock as _, MonotonicClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::limits::{Limits, Rate};

type Counts = RateLimiter<u64, DashMapStateStore<u64>, MonotonicClock, StateInformationMiddleware>;

/// The counts of a service. Callers are told apart by a hash with a seed of this process's own, so
/// nothing here says who called.
pub(crate) struct RateLimits {
    hashes: RandomState,
    keys: Option<Counter>,
    addresses: Option<Counter>,
    /// How often it was asked to forget.
    asked: AtomicU64,
}

/// Every how many times it forgets when it is asked to: looking at every caller costs time.
const SELDOM: u64 = 240;

struct Counter {
    rate: Rate,
    counts: Counts,
}

/// What a caller may still do, or how long it waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allowance {
    rate: Rate,
    remaining: u32,
    /// Seconds until one more passes; none while one does.
    pub(crate) wait: Option<u64>,
}

impl RateLimits {
    pub(crate) fn new(limits: &Limits) -> Self {
        let counter = |rate: Option<Rate>| rate.map(Counter::new);
        let (keys, addresses) = (counter(limits.per_key), counter(limits.per_address));
        Self { hashes: RandomState::new(), keys, addresses, asked: AtomicU64::new(0) }
    }

    /// Counts a request of an address; none where addresses are not limited.
    pub(crate) fn of_address(&self, address: Option<IpAddr>) -> Option<Allowance> {
        // A customer of IPv6 has a network of 64 bits to call from.
        let whole = match address {
            Some(IpAddr::V6(address)) => IpAddr::V6((u128::from(address) >> 64 << 64).into()),
            other => other?,
        };
        Some(self.addresses.as_ref()?.count(self.hash(whole)))
    }

    /// Counts a request with a key; none where keys are not limited.
    pub(crate) fn of_key(&self, key: &str) -> Option<Allowance> {
        Some(self.keys.as_ref()?.count(self.hash(key)))
    }

    /// Forgets whoever has not called for long enough that nothing is counted for them, about once
    /// a minute if it is asked four times a second.
    pub(crate) fn forget(&self) {
        if !self.asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(SELDOM) {
            return;
        }
        for counter in [&self.keys, &self.addresses].into_iter().flatten() {
            counter.counts.retain_recent();
        }
    }

    fn hash(&self, caller: impl Hash) -> u64 {
        self.hashes.hash_one(caller)
    }
}

impl std::fmt::Debug for RateLimits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RateLimits").finish_non_exhaustive()
    }
}

impl Counter {
    fn new(rate: Rate) -> Self {
        // One more passes each time so long has gone by, and a whole window's worth at once.
        let each = Duration::from_secs(rate.seconds.get().into()) / rate.requests.get();
        let quota = Quota::with_period(each.max(Duration::from_nanos(1)));
        let quota = quota.expect("the time is above zero").allow_burst(rate.requests);
        let counts = Counts::new(quota, DashMapStateStore::default(), MonotonicClock);
        Self { rate, counts }
    }

    fn count(&self, caller: u64) -> Allowance {
        let (remaining, wait) = match self.counts.check_key(&caller) {
            Ok(state) => (state.remaining_burst_capacity(), None),
            Err(until) => {
                let wait = until.wait_time_from(MonotonicClock.now());
                (0, Some(wait.as_millis().div_ceil(1_000).try_into().unwrap_or(u64::MAX).max(1)))
            }
        };
        Allowance { rate: self.rate, remaining, wait }
    }
}

impl Allowance {
    /// `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers).
    pub(crate) fn headers(self) -> Vec<(HeaderName, HeaderValue)> {
        let Self { rate, remaining, .. } = self;
        let (most, window) = (u64::from(rate.requests.get()), u64::from(rate.seconds.get()));
        // Until all of them may be made again.
        let reset = ((most - u64::from(remaining).min(most)) * window).div_ceil(most);
        let policy = format!("\"default\";q={most};w={window}");
        let limit = format!("\"default\";r={remaining};t={reset}");
        let named = |name: &'static str, value: String| {
            let value = HeaderValue::try_from(value).expect("numbers and quotes are visible ASCII");
            (HeaderName::from_static(name), value)
        };
        vec![named("ratelimit-policy", policy), named("ratelimit", limit)]
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    fn limits(requests: u32, seconds: u32) -> RateLimits {
        let (requests, seconds) =
            (NonZeroU32::new(requests).unwrap(), NonZeroU32::new(seconds).unwrap());
        let rate = Some(Rate { requests, seconds });
        RateLimits::new(&Limits { per_key: rate, per_address: rate, ..Limits::default() })
    }

    #[test]
    fn a_caller_is_counted_by_itself_and_told_when_to_come_back() {
        let limits = limits(2, 60);
        assert_eq!(limits.of_key("svc_live_1").unwrap().wait, None);
        let second = limits.of_key("svc_live_1").unwrap();
        assert_eq!((second.wait, second.remaining), (None, 0));
        let third = limits.of_key("svc_live_1").unwrap();
        assert_eq!(third.wait, Some(30));
        assert_eq!(limits.of_key("svc_live_2").unwrap().wait, None);
        let headers = third.headers();
        assert_eq!(headers[0].1, "\"default\";q=2;w=60");
        assert_eq!(headers[1].1, "\"default\";r=0;t=60");
    }

    #[test]
    fn addresses_of_one_network_of_ipv6_are_one_caller() {
        let limits = limits(1, 60);
        let count = |text: &str| limits.of_address(Some(text.parse().unwrap())).unwrap().wait;
        assert_eq!(count("2001:db8::1"), None);
        assert!(count("2001:db8::2").is_some());
        assert_eq!(count("2001:db8:0:1::1"), None);
        assert_eq!(count("203.0.113.9"), None);
        assert_eq!(limits.of_address(None), None);
    }
}
