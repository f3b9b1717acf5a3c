//! What views are made of: JSON that borrows its names and texts from what it shows.
//!
//! A [`Value`] owns each name of each field, and hashes it; a view whose text is all that is wanted
//! has no use for either.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Index, IndexMut};

use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Serialize, Serializer};
use serde_json::{Map, Number, Value};

/// A JSON value that is shown: an object is a list of fields, in their order.
///
/// It is written as text by its [`Serialize`], and turns into a [`Value`] where somebody looks into
/// it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Json<'a> {
    /// The JSON value `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, written without quotes.
    Number(Number),
    /// A string, borrowed where it can be.
    Text(Cow<'a, str>),
    /// A list of values, in their order.
    List(Vec<Self>),
    /// An object, whose names differ from one another.
    Object(Vec<(&'static str, Self)>),
    /// An object whose names are a client's own, and differ from one another.
    Pairs(Vec<(String, Self)>),
}

/// A JSON object of these fields, in this order; with room for some that are added to it.
macro_rules! object {
    ($($field:tt: $value:expr),+ $(,)?) => {{
        const ROOM: usize = [$($field),+].len() + $crate::contract::object::SPARE;
        let mut fields = Vec::with_capacity(ROOM);
        $(fields.push(($field, $crate::contract::object::Json::from($value)));)+
        $crate::contract::object::Json::Object(fields)
    }};
}

/// How many fields more there is room for: those that a view is given besides, and no more, so that
/// the largest of the common views lie in what an allocator keeps at hand for a thread, 1 KiB.
pub(super) const SPARE: usize = 5;

pub(super) use object;

impl Json<'_> {
    /// With the fields of another object: where it has one of the same name, in its place.
    pub(super) fn with(mut self, more: Self) -> Self {
        let Self::Object(more) = more else { unreachable!("a part of a view is an object") };
        for (name, value) in more {
            self[name] = value;
        }
        self
    }

    /// The text of a string; none of anything else.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The same, borrowing nothing.
    pub(super) fn into_owned(self) -> Json<'static> {
        match self {
            Self::Null => Json::Null,
            Self::Bool(value) => Json::Bool(value),
            Self::Number(value) => Json::Number(value),
            Self::Text(text) => Json::Text(text.into_owned().into()),
            Self::List(items) => Json::List(items.into_iter().map(Json::into_owned).collect()),
            Self::Object(fields) => {
                let fields = fields.into_iter().map(|(name, value)| (name, value.into_owned()));
                Json::Object(fields.collect())
            }
            Self::Pairs(pairs) => {
                let pairs = pairs.into_iter().map(|(name, value)| (name, value.into_owned()));
                Json::Pairs(pairs.collect())
            }
        }
    }

    fn fields(&mut self) -> &mut Vec<(&'static str, Self)> {
        match self {
            Self::Object(fields) => fields,
            _ => unreachable!("only an object of this module's making is given fields"),
        }
    }
}

impl<'a> Index<&str> for Json<'a> {
    type Output = Json<'a>;

    /// The field of this name; `null` where there is none.
    fn index(&self, name: &str) -> &Self::Output {
        let found = match self {
            Self::Object(fields) => fields.iter().find(|(known, _)| *known == name),
            _ => None,
        };
        found.map_or(&Json::Null, |(_, value)| value)
    }
}

impl IndexMut<&'static str> for Json<'_> {
    /// The field of this name, added where there is none.
    fn index_mut(&mut self, name: &'static str) -> &mut Self {
        let fields = self.fields();
        let place = fields.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            fields.push((name, Self::Null));
            fields.len() - 1
        });
        &mut fields[place].1
    }
}

/// As JSON text.
impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(value) => value.serialize(serializer),
            Self::Text(value) => serializer.serialize_str(value),
            Self::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(item)?;
                }
                list.end()
            }
            Self::Pairs(pairs) => serializer.collect_map(pairs.iter().map(|(name, it)| (name, it))),
            Self::Object(fields) => {
                let mut object = serializer.serialize_map(Some(fields.len()))?;
                for (name, value) in fields {
                    object.serialize_entry(name, value)?;
                }
                object.end()
            }
        }
    }
}

impl From<Json<'_>> for Value {
    fn from(json: Json<'_>) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(value),
            Json::Number(value) => Self::Number(value),
            Json::Text(value) => Self::String(value.into_owned()),
            Json::List(items) => Self::Array(items.into_iter().map(Self::from).collect()),
            Json::Object(fields) => {
                // One that grew field by field would be moved several times; few are given more.
                let mut object = Map::with_capacity(fields.len() + 1);
                for (name, value) in fields {
                    object.insert(name.to_owned(), value.into());
                }
                Self::Object(object)
            }
            Json::Pairs(pairs) => {
                Self::Object(pairs.into_iter().map(|(name, it)| (name, it.into())).collect())
            }
        }
    }
}

impl<'a> From<&'a str> for Json<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a Box<str>> for Json<'a> {
    fn from(text: &'a Box<str>) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Json<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl<'a> From<Cow<'a, str>> for Json<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Json<'_> {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

macro_rules! numbers {
    ($($number:ty),+) => {$(
        impl From<$number> for Json<'_> {
            fn from(value: $number) -> Self {
                Self::Number(value.into())
            }
        }
    )+};
}

numbers!(i64, u8, u16, u32, u64);

impl<T: Into<Self>> From<Option<T>> for Json<'_> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<'a> From<&'a Option<Box<str>>> for Json<'a> {
    fn from(text: &'a Option<Box<str>>) -> Self {
        text.as_ref().into()
    }
}

impl<T: Into<Self>> From<Vec<T>> for Json<'_> {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Json;

    #[test]
    fn an_object_is_what_the_fields_say_in_their_order() {
        let mut made = object! {
            "b": 1_i64,
            "a": Some("x"),
            "none": None::<u8>,
            "list": vec![1_u64, 2],
            "within": object! { "\"": "\n" },
        };
        made["a"] = "y".into();
        made["last"] = true.into();
        let made = made.with(object! { "b": 2_i64, "new": String::from("z") });
        let same = json!({
            "b": 2, "a": "y", "none": null, "list": [1, 2], "within": { "\"": "\n" },
            "last": true, "new": "z",
        });
        assert_eq!(made.to_string(), same.to_string());
        assert_eq!(Value::from(made).to_string(), same.to_string());
        assert_eq!(Json::Null["a"], Json::Null);
    }
}
