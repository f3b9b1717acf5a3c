//! What opens a session: 256 random bits in hexadecimal digits, of which only a hash is kept.

use ledger_core::hexadecimal::digits;

/// The secret of a link or of a session.
pub(crate) struct Opener(String);

impl Opener {
    /// A new one.
    ///
    /// # Errors
    ///
    /// When the system gives no randomness.
    pub(crate) fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(digits(&bytes)))
    }

    /// The secret itself, for whom it is made.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// Returns what is kept of it.
    pub(super) fn hash(&self) -> String {
        hash(&self.0)
    }
}

/// The key that seals rows of the dashboard's table: without it, writing a row opens no dashboard.
pub(super) struct Seal([u8; 32]);

impl Seal {
    /// A seal by a secret that is kept outside the database.
    pub(super) fn by(secret: &str) -> Self {
        Self(blake3::derive_key("custody-ledger 2026-11 dashboard seal", secret.as_bytes()))
    }

    /// The keyed hash of `parts`, each behind its length, so that no two lists give one.
    pub(super) fn tag(&self, parts: &[&str]) -> String {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        digits(hasher.finalize().as_bytes())
    }
}

/// Returns what is kept of a secret. It has 256 random bits, so a hash without a key gives nothing
/// away.
pub(super) fn hash(secret: &str) -> String {
    derive_hash("custody-ledger 2026-11 dashboard opener", secret)
}

/// The token that a session's forms carry: another site knows neither it nor the cookie.
pub(crate) fn form_token(session: &str) -> String {
    derive_hash("custody-ledger 2026-11 dashboard form", session)
}

/// Tells whether two texts are one, in a time that does not depend on where they differ.
pub(crate) fn same(own: &str, given: &str) -> bool {
    blake3::hash(own.as_bytes()) == blake3::hash(given.as_bytes())
}

/// A hash of a secret for one purpose, which says nothing of its hashes for others.
pub(crate) fn derive_hash(purpose: &str, secret: &str) -> String {
    digits(&blake3::derive_key(purpose, secret.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_its_hash_and_its_form_token_say_nothing_of_each_other() {
        let (one, other) = (Opener::random().unwrap(), Opener::random().unwrap());
        assert_eq!(one.expose().len(), 64);
        assert_ne!(one.expose(), other.expose());
        let all = [one.expose().to_owned(), one.hash(), form_token(one.expose())];
        assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2], "{all:?}");
        assert!(same(&all[0], one.expose()) && !same(&all[0], &all[1]) && !same(&all[0], ""));
    }
}
