//! What keys and secrets are made of.

use std::io::Read as _;

use ledger_core::hexadecimal::digits;

/// What a secret is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretFor<'a> {
    /// The call itself: an account's key, the secret of its webhooks.
    Call,
    /// The production key of the agent of this id.
    Production(&'a str),
}

/// Where the entropy of keys and secrets comes from.
pub trait Entropy {
    /// 64 hexadecimal digits that nobody can guess; none where there are none now, so that no key
    /// is made.
    fn hex(&self, of: SecretFor<'_>) -> Option<String>;
}

/// The system's own: fresh each time.
///
/// ```
/// use ledger_store::provider::supply::{Entropy as _, SecretFor, SystemEntropy};
///
/// let (one, other) = (SystemEntropy.hex(SecretFor::Call), SystemEntropy.hex(SecretFor::Call));
/// assert_ne!(one, other);
/// assert_eq!(one.expect("the system has some").len(), 64);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn hex(&self, _: SecretFor<'_>) -> Option<String> {
        let mut bytes = [0_u8; 32];
        let read = std::fs::File::open("/dev/urandom").and_then(|mut it| it.read_exact(&mut bytes));
        if let Err(error) = read {
            tracing::error!(%error, "the system gave no random bytes for a key");
            return None;
        }
        Some(digits(&bytes))
    }
}
