//! How amounts, instants and ids stand in JSON.

use ledger_core::contract::Secret;
use ledger_core::time::Instant;
use rust_decimal::Decimal;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::value::{Amount, ApiKey, Balance, Cents, Party};

/// A value that stands in JSON as a plainer one.
pub(super) trait Plain: Sized {
    type As: Serialize + for<'de> Deserialize<'de>;

    fn plain(&self) -> Self::As;

    fn from_plain(plain: Self::As) -> Option<Self>;
}

impl Plain for Amount {
    type As = i64;

    fn plain(&self) -> i64 {
        self.cents()
    }

    fn from_plain(cents: i64) -> Option<Self> {
        Self::new(cents).ok()
    }
}

impl Plain for Cents {
    type As = i64;

    fn plain(&self) -> i64 {
        self.cents()
    }

    fn from_plain(cents: i64) -> Option<Self> {
        Self::new(cents).ok()
    }
}

impl Plain for Balance {
    type As = i64;

    fn plain(&self) -> i64 {
        self.cents()
    }

    fn from_plain(cents: i64) -> Option<Self> {
        Some(Self::new(cents))
    }
}

impl Plain for Instant {
    type As = String;

    fn plain(&self) -> String {
        self.to_string()
    }

    fn from_plain(text: String) -> Option<Self> {
        Self::parse(&text)
    }
}

impl Plain for Decimal {
    type As = String;

    fn plain(&self) -> String {
        self.to_string()
    }

    fn from_plain(text: String) -> Option<Self> {
        text.parse().ok()
    }
}

/// The house stands in answers as `casa`, which no customer may bear.
impl Plain for Party {
    type As = String;

    fn plain(&self) -> String {
        self.to_string()
    }

    fn from_plain(text: String) -> Option<Self> {
        Self::from_wire(&text)
    }
}

impl Plain for ApiKey {
    type As = String;

    fn plain(&self) -> String {
        self.expose().to_owned()
    }

    fn from_plain(text: String) -> Option<Self> {
        Self::new(&text).ok()
    }
}

impl Plain for Secret {
    type As = String;

    fn plain(&self) -> String {
        self.expose().to_owned()
    }

    fn from_plain(text: String) -> Option<Self> {
        Some(Self::new(&text))
    }
}

impl<T: Plain> Plain for Option<T> {
    type As = Option<T::As>;

    fn plain(&self) -> Self::As {
        self.as_ref().map(Plain::plain)
    }

    fn from_plain(plain: Self::As) -> Option<Self> {
        match plain {
            Some(plain) => T::from_plain(plain).map(Some),
            None => Some(None),
        }
    }
}

pub(super) fn serialize<T: Plain, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    value.plain().serialize(to)
}

pub(super) fn deserialize<'de, T: Plain, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    let plain = T::As::deserialize(from)?;
    T::from_plain(plain).ok_or_else(|| D::Error::custom("out of range"))
}
