//! Metadata: pairs of a service's own on what it creates.

use std::collections::BTreeMap;
use std::fmt;

use ledger_core::contract::canonical_metadata;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::InvalidValue;

/// The value of a pair of [`Metadata`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Scalar {
    /// A whole number, at most 2^53 - 1 either way.
    Whole(i64),
    /// True or false.
    Flag(bool),
    /// Text of at most 500 characters, none of which is a control character.
    Text(String),
    /// JSON's null: a key without a value.
    Null,
}

impl From<&str> for Scalar {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<i64> for Scalar {
    fn from(number: i64) -> Self {
        Self::Whole(number)
    }
}

impl From<bool> for Scalar {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

/// Up to 16 pairs, 2,048 bytes as JSON: a key of 1 to 40 characters, and a [`Scalar`].
///
/// The vault keeps them, and the journal a token: an erasure reaches them. Those of an operation
/// whose metadata was erased are empty. Order makes no difference.
///
/// ```
/// use custody_ledger::value::{Metadata, Scalar};
///
/// let order = Metadata::new([("pedido", Scalar::from("A-17")), ("parcela", Scalar::from(2))])?;
/// assert_eq!(order.get("parcela"), Some(&Scalar::Whole(2)));
/// let nested = Metadata::new([("k".repeat(41), Scalar::Null)]);
/// assert!(nested.unwrap_err().why().contains("must have a key of 1 to 40 characters"));
/// # Ok::<(), custody_ledger::value::InvalidValue>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Metadata(BTreeMap<String, Scalar>);

impl Metadata {
    /// These pairs; of two with one key, the last.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] naming the pair that is out of bounds, and the bound.
    pub fn new<K: Into<String>>(
        pairs: impl IntoIterator<Item = (K, Scalar)>,
    ) -> Result<Self, InvalidValue> {
        let pairs = Self(pairs.into_iter().map(|(key, value)| (key.into(), value)).collect());
        match canonical_metadata(&pairs.value()) {
            Ok(_) => Ok(pairs),
            Err(problem) => Err(InvalidValue::new("metadata", problem.detail)),
        }
    }

    /// Returns what the pair of this key holds; none where there is none.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Scalar> {
        self.0.get(key)
    }

    /// The pairs, in the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Scalar)> {
        self.0.iter().map(|(key, value)| (&**key, value))
    }

    /// Tells whether there is no pair: nothing was given, or it was erased.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As the contract's JSON.
    pub(crate) fn value(&self) -> Value {
        let pair = |(key, value): (&String, &Scalar)| (key.clone(), value.value());
        Value::Object(self.0.iter().map(pair).collect())
    }
}

impl Scalar {
    fn value(&self) -> Value {
        match self {
            Self::Whole(number) => (*number).into(),
            Self::Flag(flag) => (*flag).into(),
            Self::Text(text) => text.as_str().into(),
            Self::Null => Value::Null,
        }
    }
}

/// They may be of a person: how many they are, and not what they say.
impl fmt::Debug for Metadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Metadata({} pairs)", self.0.len())
    }
}
