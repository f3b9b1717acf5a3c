//! JSON read strictly: a key that stands twice in one object is refused, not overwritten.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

use super::echo::mask_input;

/// How many fields an object has room for as soon as it has one: most have no more, and one that
/// grows hashes each of its names again.
const ROOM: usize = 7;

struct Strict(Value);

/// Reads one JSON value.
///
/// # Errors
///
/// What is wrong and where, in one line: broken syntax, a key standing twice, trailing characters.
pub fn parse(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text).map(|Strict(value)| value)
}

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Strict)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value);
        number.map(Value::Number).ok_or_else(|| E::custom("a number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let Strict(value) = entries.next_value()?;
            if map.is_empty() {
                map = Map::with_capacity(ROOM);
            }
            match map.entry(key) {
                Entry::Vacant(place) => place.insert(value),
                Entry::Occupied(place) => {
                    let key = mask_input(place.key());
                    return Err(A::Error::custom(format!("the key \"{key}\" stands twice")));
                }
            };
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_stands_twice_is_refused_at_any_depth() {
        for text in [r#"{"a":1,"a":1}"#, r#"{"a":{"b":1,"b":2}}"#, r#"[{"b":1,"b":2}]"#] {
            assert!(parse(text).unwrap_err().to_string().contains("stands twice"), "{text}");
        }
    }

    #[test]
    fn other_json_reads_as_it_stands() {
        let text = r#"{"b":[1,-2,"x",null,true],"a":{"c":1.5}}"#;
        assert_eq!(parse(text).unwrap().to_string(), text);
        assert!(parse("{} {}").is_err());
        assert!(parse("").is_err());
    }
}
