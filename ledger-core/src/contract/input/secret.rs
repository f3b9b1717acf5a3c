//! Secrets made of entropy: shown once, journaled as hashes, never in debug text (rulings 10).

use std::fmt;

use serde_json::Value;

use crate::contract::error::{Problem, wrong};
use crate::id::Environment;

/// A credential. What it is comes out by [`Secret::expose`] only (AUTH-11).
///
/// ```
/// # use ledger_core::contract::Secret;
/// let secret = Secret::new("whk_1");
/// assert_eq!(secret.expose(), "whk_1");
/// assert!(!format!("{secret:?}").contains("whk_1"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Box<str>);

/// What is derived of entropy besides a key; each by a name of its own, so that none tells another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Webhooks are signed with it.
    Webhook,
    /// It opens the private monitor.
    Monitor,
}

/// How many hexadecimal digits a secret shows: 192 bits.
const DIGITS: usize = 48;

impl Secret {
    /// A credential of this text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// The credential itself, for whoever shows it once or signs with it.
    #[must_use]
    pub const fn expose(&self) -> &str {
        &self.0
    }

    /// The API key that `supplied.entropy` makes: `svc_live_` where money is real, `svc_test_` in a
    /// sandbox (KEY-13).
    ///
    /// # Errors
    ///
    /// A [`Problem`] when there is no entropy.
    pub fn api_key(supplied: &Value, environment: Environment) -> Result<Self, Problem> {
        let entropy = entropy(supplied)?;
        Ok(Self(format!("{}{}", begin(environment), &entropy[..DIGITS]).into()))
    }

    /// The API key a supply brings, or makes of its entropy (rulings 10).
    ///
    /// # Errors
    ///
    /// A [`Problem`] when it brings neither, or not as it must be.
    pub fn from_supply(supplied: &Value, environment: Environment) -> Result<Self, Problem> {
        let text = |name: &str| supplied.get(name).and_then(Value::as_str);
        if let Some(key) = text("key") {
            // A key says which ledger it is of, and opens no other (KEY-15).
            let other = match environment {
                Environment::Live => Environment::Sandbox,
                Environment::Sandbox => Environment::Live,
            };
            let foreign = begin(other);
            if key.starts_with(foreign) {
                let what =
                    format!("begins with {foreign} and opens nothing in a {environment} ledger");
                return Err(wrong("supplied.key", &what));
            }
            let plain = key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
            let sound = key.starts_with("svc_") && (8..=128).contains(&key.len()) && plain;
            return sound
                .then(|| Self::new(key))
                .ok_or_else(|| wrong("supplied.key", "must be svc_ and letters, digits, _ and -"));
        }
        Self::api_key(supplied, environment)
            .map_err(|_| wrong("supplied", "must bring key, or entropy of 64 hex digits"))
    }

    /// What `supplied.entropy` makes for a purpose.
    ///
    /// # Errors
    ///
    /// A [`Problem`] when there is no entropy.
    pub fn from_entropy(supplied: &Value, purpose: Purpose) -> Result<Self, Problem> {
        let entropy = entropy(supplied)?;
        let (prefix, context) = match purpose {
            Purpose::Webhook => ("whk_", "custody-ledger webhook secret v1"),
            Purpose::Monitor => ("mon_", "custody-ledger monitor token v1"),
        };
        let digits = blake3::Hash::from(blake3::derive_key(context, entropy.as_bytes())).to_hex();
        Ok(Self(format!("{prefix}{}", &digits[..DIGITS]).into()))
    }
}

/// What keys of an environment begin with.
const fn begin(environment: Environment) -> &'static str {
    match environment {
        Environment::Live => "svc_live_",
        Environment::Sandbox => "svc_test_",
    }
}

/// Tells whether `supplied` brings entropy at all.
#[must_use]
pub fn brings_entropy(supplied: &Value) -> bool {
    supplied.get("entropy").is_some_and(|value| !value.is_null())
}

fn entropy(supplied: &Value) -> Result<String, Problem> {
    let text = supplied.get("entropy").and_then(Value::as_str);
    let sound = |text: &&str| text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
    let text = text.filter(sound);
    text.map(str::to_ascii_lowercase)
        .ok_or_else(|| wrong("supplied", "must bring entropy of 64 hex digits"))
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}
