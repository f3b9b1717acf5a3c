//! The signature of Standard Webhooks 1.0.0, which stands beside our own:
//!
//! ```text
//! webhook-id:        ev_12_0_...
//! webhook-timestamp: 1763640000, seconds since 1970
//! webhook-signature: v1,<base64>, one for each secret in force, with spaces between
//! signed:            <id> "." <timestamp> "." <body, byte for byte>
//! ```
//!
//! Its secret is `whsec_` and base64 of the bytes that the hexadecimal digits of `whk_` stand for,
//! so that one secret signs both ways.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::contract::input::secret::Secret;
use crate::hexadecimal::bytes;
use crate::time::Instant;

/// The header that carries the event's id.
pub const STANDARD_ID_HEADER: &str = "webhook-id";

/// The header that carries the instant of the attempt.
pub const STANDARD_TIMESTAMP_HEADER: &str = "webhook-timestamp";

/// The header that carries the signatures.
pub const STANDARD_SIGNATURE_HEADER: &str = "webhook-signature";

/// The same secret in the form that libraries of Standard Webhooks take.
///
/// ```
/// use ledger_core::contract::Secret;
/// use ledger_core::contract::signature::standard_secret;
///
/// let secret = Secret::new("whk_000102030405060708090a0b0c0d0e0f1011121314151617");
/// assert_eq!(standard_secret(&secret).expose(), "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX");
/// ```
#[must_use]
pub fn standard_secret(secret: &Secret) -> Secret {
    Secret::new(&format!("whsec_{}", STANDARD.encode(key(secret))))
}

/// The value of [`STANDARD_SIGNATURE_HEADER`] for a body sent at `at`: a signature by each secret.
#[must_use]
pub fn sign_standard(secrets: &[Secret], id: &str, at: Instant, body: &[u8]) -> String {
    let signature = |secret: &Secret| {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&key(secret)).expect("HMAC takes keys of any length");
        mac.update(format!("{id}.{}.", seconds_of(at)).as_bytes());
        mac.update(body);
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    };
    secrets.iter().map(signature).collect::<Vec<_>>().join(" ")
}

/// The seconds since 1970 that a signature names as its instant.
#[must_use]
pub const fn seconds_of(at: Instant) -> i64 {
    at.micros().div_euclid(1_000_000)
}

/// The bytes of a secret; of one that somebody else made, and that has no digits, its letters.
fn key(secret: &Secret) -> Vec<u8> {
    let digits = secret.expose().strip_prefix("whk_").unwrap_or_default();
    let bytes = bytes(digits).filter(|bytes| !bytes.is_empty());
    bytes.unwrap_or_else(|| secret.expose().as_bytes().to_vec())
}
