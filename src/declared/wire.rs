//! Values as the contract's JSON.

use serde_json::{Map, Value};

use super::Within;
use crate::value::{
    AccountName, Amount, Bps, Cents, DecidedBy, Decimal, Document, EndToEndId, ExternalId, FactId,
    Instant, KeyType, Metadata, OperationId, PageSize, Party, PixKey, Text,
};

/// Fields of an object under way.
pub(crate) type Fields = Map<String, Value>;

/// A value on the wire.
pub(crate) trait Wire {
    /// What it is made of, where it is declared by `part!` or `words!`.
    const WITHIN: Within = Within::Value;

    fn wire(&self) -> Value;

    /// Adds it to the fields of an object, and its kind under `beside`, where it has one. What has
    /// no value, the house for one, is left out.
    fn insert_into(&self, name: &str, _beside: Option<&str>, fields: &mut Fields) {
        let value = self.wire();
        if !value.is_null() {
            fields.insert(name.to_owned(), value);
        }
    }
}

/// The fields as a value; null where there are none.
pub(crate) fn value_of(fields: Fields) -> Value {
    if fields.is_empty() { Value::Null } else { Value::Object(fields) }
}

/// A request or a fact under way: what is sent where. Its methods are the places of `typed!`.
#[derive(Default)]
pub(crate) struct Parts {
    pub(crate) target: Fields,
    pub(crate) body: Fields,
    pub(crate) supplied: Fields,
}

impl Parts {
    /// With a value in the path or the query.
    pub(crate) fn target(mut self, name: &str, beside: Option<&str>, value: &impl Wire) -> Self {
        value.insert_into(name, beside, &mut self.target);
        self
    }

    /// With a field of the body.
    pub(crate) fn body(mut self, name: &str, beside: Option<&str>, value: &impl Wire) -> Self {
        value.insert_into(name, beside, &mut self.body);
        self
    }

    /// With what is supplied beside the body.
    pub(crate) fn supplied(mut self, name: &str, beside: Option<&str>, value: &impl Wire) -> Self {
        value.insert_into(name, beside, &mut self.supplied);
        self
    }
}

macro_rules! as_text {
    ($($value:ty),*) => {
        $(
            impl Wire for $value {
                fn wire(&self) -> Value {
                    self.as_str().into()
                }
            }
        )*
    };
}

as_text!(AccountName, Document, EndToEndId, ExternalId, FactId, OperationId);

impl<const MOST: usize> Wire for Text<MOST> {
    fn wire(&self) -> Value {
        self.as_str().into()
    }
}

impl Wire for PixKey {
    fn wire(&self) -> Value {
        self.as_str().into()
    }

    fn insert_into(&self, name: &str, beside: Option<&str>, fields: &mut Fields) {
        fields.insert(name.to_owned(), self.wire());
        if let Some(beside) = beside {
            fields.insert(beside.to_owned(), self.kind().wire());
        }
    }
}

impl Wire for Party {
    fn wire(&self) -> Value {
        self.name().into()
    }
}

impl Wire for Amount {
    fn wire(&self) -> Value {
        self.cents().into()
    }
}

impl Wire for Cents {
    fn wire(&self) -> Value {
        self.cents().into()
    }
}

impl Wire for PageSize {
    fn wire(&self) -> Value {
        self.get().into()
    }
}

impl Wire for Bps {
    fn wire(&self) -> Value {
        self.get().into()
    }
}

impl Wire for Instant {
    fn wire(&self) -> Value {
        self.to_string().into()
    }
}

impl Wire for Decimal {
    fn wire(&self) -> Value {
        self.to_string().into()
    }
}

macro_rules! as_json {
    ($($value:ty),*) => {
        $(
            impl Wire for $value {
                fn wire(&self) -> Value {
                    (*self).into()
                }
            }
        )*
    };
}

as_json!(bool, i64, u16);

/// A decision stands among the fields of its fact, as `actor`, `reason` and `evidence`.
impl Wire for DecidedBy {
    fn wire(&self) -> Value {
        let mut fields = Fields::new();
        self.insert_into("", None, &mut fields);
        Value::Object(fields)
    }

    fn insert_into(&self, _name: &str, _beside: Option<&str>, fields: &mut Fields) {
        self.actor.insert_into("actor", None, fields);
        self.reason.insert_into("reason", None, fields);
        self.evidence.insert_into("evidence", None, fields);
    }
}

/// Without a pair it is left out, as none is.
impl Wire for Metadata {
    fn wire(&self) -> Value {
        if self.is_empty() { Value::Null } else { self.value() }
    }
}

impl Wire for KeyType {
    fn wire(&self) -> Value {
        self.name().into()
    }
}

impl<T: Wire> Wire for Option<T> {
    const WITHIN: Within = T::WITHIN;

    fn wire(&self) -> Value {
        self.as_ref().map_or(Value::Null, Wire::wire)
    }

    fn insert_into(&self, name: &str, beside: Option<&str>, fields: &mut Fields) {
        if let Some(value) = self {
            value.insert_into(name, beside, fields);
        }
    }
}

impl<T: Wire> Wire for Vec<T> {
    const WITHIN: Within = T::WITHIN;

    fn wire(&self) -> Value {
        self.iter().map(Wire::wire).collect()
    }
}
