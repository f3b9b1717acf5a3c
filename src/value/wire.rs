//! Values as the contract's JSON.

use rust_decimal::Decimal;
use serde_json::{Map, Value};

use super::{
    AccountName, Amount, Bps, Cents, Document, EndToEndId, ExternalId, FactId, Instant, KeyType,
    OperationId, Party, PixKey, Text,
};

/// A value on the wire.
pub(crate) trait Wire {
    fn wire(&self) -> Value;
}

/// A body under way.
#[derive(Default)]
pub(crate) struct Body(Map<String, Value>);

impl Body {
    /// With a field.
    pub(crate) fn with(mut self, name: &str, value: &impl Wire) -> Self {
        // What has no value, the house for one, is left out.
        let value = value.wire();
        if !value.is_null() {
            self.0.insert(name.to_owned(), value);
        }
        self
    }

    /// With the fields of another.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    pub(crate) fn into_value(self) -> Value {
        if self.0.is_empty() { Value::Null } else { Value::Object(self.0) }
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

as_text!(AccountName, Document, EndToEndId, ExternalId, FactId, OperationId, PixKey);

impl<const MOST: usize> Wire for Text<MOST> {
    fn wire(&self) -> Value {
        self.as_str().into()
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

impl Wire for super::DecidedBy {
    fn wire(&self) -> Value {
        self.body().into_value()
    }
}

impl super::DecidedBy {
    /// Its fields.
    pub(crate) fn body(&self) -> Body {
        let body = Body::default().with("actor", &self.actor).with("reason", &self.reason);
        body.with("evidence", &self.evidence)
    }
}

impl Wire for KeyType {
    fn wire(&self) -> Value {
        self.name().into()
    }
}

impl<T: Wire> Wire for Option<T> {
    fn wire(&self) -> Value {
        self.as_ref().map_or(Value::Null, Wire::wire)
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn wire(&self) -> Value {
        self.iter().map(Wire::wire).collect()
    }
}

impl<T: Wire> Wire for Box<T> {
    fn wire(&self) -> Value {
        (**self).wire()
    }
}
