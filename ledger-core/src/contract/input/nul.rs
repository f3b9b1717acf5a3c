//! Texts with a NUL, which no database keeps.

use serde_json::Value;

use super::echo::mask_input;
use crate::contract::error::{Problem, wrong};

/// Refuses a NUL in any string or key of `value`, which stands in the call as `name`: no database
/// keeps one in text.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn without_nul(name: &str, value: &Value) -> Result<(), Problem> {
    let within =
        |inside: &str, value: &Value| without_nul(&format!("{name}.{}", mask_input(inside)), value);
    match value {
        Value::String(text) if has_nul(text) => Err(wrong(name, "must not contain a NUL")),
        Value::Array(items) => items.iter().try_for_each(|item| without_nul(name, item)),
        Value::Object(map) => map.iter().try_for_each(|(key, value)| {
            if has_nul(key) {
                return Err(wrong(name, "must not have a key with a NUL"));
            }
            match value {
                Value::String(text) if !has_nul(text) => Ok(()),
                Value::String(_) | Value::Array(_) | Value::Object(_) => within(key, value),
                Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
            }
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
    }
}

/// Most texts are short: looking at all of them takes less time than looking for an end.
fn has_nul(text: &str) -> bool {
    text.bytes().fold(0, |found, byte| found | u8::from(byte == 0)) != 0
}
