//! Objects of answers, made at their size: one that grows field by field is moved, and its fields
//! are looked up anew, four times before it has sixteen.

/// A JSON object of these fields, in this order; with room for some that are added to it.
///
/// A value is anything that [`serde_json::json!`] takes as an expression.
macro_rules! object {
    ($($field:literal: $value:expr),+ $(,)?) => {{
        const ROOM: usize = [$($field),+].len() + $crate::contract::object::SPARE;
        let mut fields = serde_json::Map::with_capacity(ROOM);
        $(fields.insert(String::from($field), serde_json::json!($value));)+
        serde_json::Value::Object(fields)
    }};
}

/// How many fields more there is room for.
pub(super) const SPARE: usize = 4;

pub(super) use object;

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn an_object_is_what_the_fields_say_in_their_order() {
        let made = object! { "b": 1, "a": Some("x"), "none": None::<u8>, "list": [1, 2] };
        let same = json!({ "b": 1, "a": "x", "none": null, "list": [1, 2] });
        assert_eq!(made.to_string(), same.to_string());
    }
}
