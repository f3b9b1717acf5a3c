//! A hash of a tree: 32 bytes of SHA-256, in hexadecimal digits in proofs and in base64 in notes.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use ledger_store::chain::Link;

/// A hash of a tree, shown as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

/// Why a text is no [`struct@Hash`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a hash is 64 hexadecimal digits, or 32 bytes in base64")]
pub struct HashMalformed;

impl Hash {
    /// The hash in base64, as checkpoints write it.
    #[must_use]
    pub fn base64(&self) -> String {
        BASE64_STANDARD.encode(self.0)
    }

    /// Reads a hash in base64.
    ///
    /// # Errors
    ///
    /// [`HashMalformed`] where the text is not base64 of 32 bytes.
    pub fn from_base64(text: &str) -> Result<Self, HashMalformed> {
        let bytes = BASE64_STANDARD.decode(text).map_err(|_| HashMalformed)?;
        bytes.try_into().map(Self).map_err(|_| HashMalformed)
    }
}

impl FromStr for Hash {
    type Err = HashMalformed;

    fn from_str(text: &str) -> Result<Self, HashMalformed> {
        text.parse().map(|Link(bytes)| Self(bytes)).map_err(|_| HashMalformed)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Link(self.0).fmt(f)
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash({self})")
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}
