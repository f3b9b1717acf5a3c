//! What a service takes of one caller, and how long it works for one request.

use std::num::NonZeroU32;
use std::time::Duration;

use ledger_core::time::Span;

use crate::edge::client_address::Network;

/// The bounds of a service; each has a default.
///
/// ```
/// use ledger_http::Limits;
///
/// let limits = Limits { body_bytes: 16 * 1024, ..Limits::default() };
/// assert_eq!(limits.per_key.map(|rate| rate.requests.get()), Some(6_000));
/// assert!(limits.trusted_proxies.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of a body; a larger one is answered with 413.
    pub body_bytes: usize,
    /// How long a request may take, its body read included, until it is answered with 504.
    pub handling: Duration,
    /// How long the head of a request may take to arrive, until the connection is closed.
    pub header_read: Duration,
    /// How many requests a key may make; unlimited if none.
    pub per_key: Option<Rate>,
    /// How many requests an address may make, whatever keys it brings; unlimited if none.
    pub per_address: Option<Rate>,
    /// Whose `X-Forwarded-For` is believed: the proxies before the service.
    pub trusted_proxies: Vec<Network>,
    /// How far ahead of the machine's clock a fact of real money may be dated; one dated further
    /// ahead is taken as now, and its own instant is kept.
    pub fact_ahead: Span,
}

/// So many requests in so long, which may come all at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// How many requests.
    pub requests: NonZeroU32,
    /// In how many seconds.
    pub seconds: NonZeroU32,
}

impl Rate {
    /// So many requests a minute; none if it is zero.
    #[must_use]
    pub fn per_minute(requests: u32) -> Option<Self> {
        let requests = NonZeroU32::new(requests)?;
        NonZeroU32::new(60).map(|seconds| Self { requests, seconds })
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 64 * 1024,
            handling: Duration::from_secs(30),
            header_read: Duration::from_secs(10),
            per_key: Rate::per_minute(6_000),
            per_address: Rate::per_minute(12_000),
            trusted_proxies: Vec::new(),
            fact_ahead: Span::seconds(60),
        }
    }
}
