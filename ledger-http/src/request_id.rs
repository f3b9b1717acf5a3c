//! The id of a request: `X-Request-ID`, kept when it fits the contract's pattern, made otherwise.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::Extensions;
use ledger_core::contract::is_request_id;

/// The header that brings a request's id, and takes it back.
pub const HEADER: &str = "x-request-id";

/// By what a request is found again: in its answer, in every error, in the log and in the journal
/// (AUTH-07).
///
/// ```
/// use ledger_http::RequestId;
///
/// let kept = RequestId::from_header(Some("req-2026-0001"), || unreachable!("it fits"));
/// assert_eq!(kept.as_str(), "req-2026-0001");
/// let made = RequestId::from_header(Some("no spaces, please"), || 7);
/// assert_eq!(made.as_str(), "req_0000000000000007");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(String);

impl RequestId {
    /// The id that a client gave where it fits the pattern, or one of the number that `make` gives.
    pub fn from_header(given: Option<&str>, make: impl FnOnce() -> u64) -> Self {
        match given.filter(|given| is_request_id(given)) {
            Some(given) => Self(given.to_owned()),
            None => Self(format!("req_{:016x}", make())),
        }
    }

    /// The id that the service gave a request as it came, or a new one where it gave none.
    pub(crate) fn from_extensions(extensions: &Extensions, numbers: &Numbers) -> Self {
        let given = extensions.get::<Self>().cloned();
        given.unwrap_or_else(|| Self::from_header(None, || numbers.next()))
    }

    /// As it stands in headers and bodies.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Numbers that no other request of this process has: counted from where the process began.
#[derive(Debug)]
pub struct Numbers(AtomicU64);

impl Numbers {
    /// Counts from `first`.
    #[must_use]
    pub const fn from(first: u64) -> Self {
        Self(AtomicU64::new(first))
    }

    /// The next number.
    pub fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}
