//! Signatures of webhooks: HMAC-SHA-256 over timestamp and body (EVT-11; contract, section 5).
//!
//! The contract shows neither header nor signing string, so these are ours:
//!
//! ```text
//! X-Webhook-Id:        ev_12_0_...                      the event's id, for deduplication
//! X-Webhook-Signature: t=1763640000,v1=<64 hex digits>  seconds since 1970, and the signature
//! signed:              <t> "." <body, byte for byte>    under the whole secret, whk_ included
//! ```
//!
//! A header may carry several `v1`, while a secret is being replaced: one that fits is enough.
//! Other parts of it are ignored, so that another scheme may stand beside this one.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use thiserror::Error;

pub use super::standard::{
    STANDARD_ID_HEADER, STANDARD_SIGNATURE_HEADER, STANDARD_TIMESTAMP_HEADER, seconds_of,
    sign_standard, standard_secret,
};
use crate::contract::input::secret::Secret;
use crate::hexadecimal::{bytes, digits};
use crate::time::{Instant, Span};

/// The header that carries a signature.
pub const SIGNATURE_HEADER: &str = "X-Webhook-Signature";

/// The header that carries the event's id.
pub const ID_HEADER: &str = "X-Webhook-Id";

/// How old or how far ahead a timestamp may be, unless a receiver says otherwise: five minutes.
pub const TOLERANCE: Span = Span::seconds(300);

/// For how long a secret that was replaced signs beside the one in force: a day.
pub const OVERLAP: Span = Span::hours(24);

/// The headers of a webhook sent at `at`: its id and its signatures, ours and those of Standard
/// Webhooks, each by every secret in force.
#[must_use]
pub fn headers(
    secrets: &[Secret],
    id: &str,
    at: Instant,
    body: &[u8],
) -> [(&'static str, String); 5] {
    [
        (ID_HEADER, id.to_owned()),
        (SIGNATURE_HEADER, sign_with(secrets, at, body)),
        (STANDARD_ID_HEADER, id.to_owned()),
        (STANDARD_TIMESTAMP_HEADER, seconds_of(at).to_string()),
        (STANDARD_SIGNATURE_HEADER, sign_standard(secrets, id, at, body)),
    ]
}

/// Why a receiver does not believe a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SignatureError {
    /// The header is none of this form.
    #[error("the signature header is malformed")]
    Malformed,
    /// It was signed too long ago, or lies ahead: perhaps an old one sent again.
    #[error("the timestamp is outside of the tolerance")]
    Untimely,
    /// No signature fits: another secret, another body, another timestamp.
    #[error("no signature fits")]
    Mismatch,
}

/// The value of [`SIGNATURE_HEADER`] for a body sent at `at`.
#[must_use]
pub fn sign(secret: &Secret, at: Instant, body: &[u8]) -> String {
    sign_with(std::slice::from_ref(secret), at, body)
}

/// The same with a signature by each of several secrets, while one is being replaced.
///
/// ```
/// use ledger_core::contract::Secret;
/// use ledger_core::contract::signature::{TOLERANCE, sign_with, verify};
/// use ledger_core::time::Instant;
///
/// let (new, old) = (Secret::new("whk_2"), Secret::new("whk_1"));
/// let sent = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
/// let header = sign_with(&[new.clone(), old.clone()], sent, b"{}");
/// for secret in [new, old] {
///     assert_eq!(verify(&secret, &header, b"{}", sent, TOLERANCE), Ok(()));
/// }
/// ```
#[must_use]
pub fn sign_with(secrets: &[Secret], at: Instant, body: &[u8]) -> String {
    let seconds = seconds_of(at);
    let mut header = format!("t={seconds}");
    for secret in secrets {
        let signature = mac(secret, seconds, body).finalize().into_bytes();
        header.push_str(",v1=");
        header.push_str(&digits(&signature));
    }
    header
}

/// Tells whether a body received at `now` was signed with `secret`, at an instant near enough.
///
/// Signatures are compared in constant time.
///
/// ```
/// use ledger_core::contract::Secret;
/// use ledger_core::contract::signature::{SignatureError, TOLERANCE, sign, verify};
/// use ledger_core::time::{Instant, Span};
///
/// let secret = Secret::new("whk_1");
/// let sent = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
/// let header = sign(&secret, sent, b"{}");
/// assert_eq!(verify(&secret, &header, b"{}", sent, TOLERANCE), Ok(()));
/// let late = sent.after(Span::hours(1));
/// assert_eq!(verify(&secret, &header, b"{}", late, TOLERANCE), Err(SignatureError::Untimely));
/// ```
///
/// # Errors
///
/// [`SignatureError`]: do not act on the body.
pub fn verify(
    secret: &Secret,
    header: &str,
    body: &[u8],
    now: Instant,
    tolerance: Span,
) -> Result<(), SignatureError> {
    let (mut signed_at, mut signatures) = (None, Vec::new());
    for part in header.split(',') {
        match part.trim().split_once('=').ok_or(SignatureError::Malformed)? {
            ("t", _) if signed_at.is_some() => return Err(SignatureError::Malformed),
            ("t", text) => signed_at = Some(seconds(text).ok_or(SignatureError::Malformed)?),
            ("v1", text) => {
                let signature = bytes(text).filter(|bytes| bytes.len() == 32);
                signatures.push(signature.ok_or(SignatureError::Malformed)?);
            }
            _ => {}
        }
    }
    let signed_at = signed_at.ok_or(SignatureError::Malformed)?;
    if signatures.is_empty() {
        return Err(SignatureError::Malformed);
    }
    let apart = seconds_of(now).abs_diff(signed_at);
    if tolerance.micros() / 1_000_000 < apart {
        return Err(SignatureError::Untimely);
    }
    let expected = mac(secret, signed_at, body);
    let mut fits = signatures.iter().map(|given| expected.clone().verify_slice(given).is_ok());
    fits.any(|fits| fits).then_some(()).ok_or(SignatureError::Mismatch)
}

fn mac(secret: &Secret, seconds: i64, body: &[u8]) -> Hmac<Sha256> {
    let key = secret.expose().as_bytes();
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(seconds.to_string().as_bytes());
    mac.update(b".");
    mac.update(body);
    mac
}

/// Digits alone: a signed string has one way to be written.
fn seconds(text: &str) -> Option<i64> {
    let plain = (1..=12).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    let canonical = plain && (text == "0" || !text.starts_with('0'));
    canonical.then(|| text.parse().ok()).flatten()
}
