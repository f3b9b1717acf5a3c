//! The body of an answer: JSON that most who get it only write, and a few look into.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::object::Json;

/// The fields that show a credential once.
const CREDENTIALS: [&str; 4] = ["api_key", "webhook_secret", "webhook_whsec", "monitor_url"];

/// The JSON body of an answer: an object, or null for none.
///
/// It is written as it was shown, and is a [`Value`] to whoever looks into it, which is made then
/// and kept. Its `Debug` shows no credential (INV-46).
///
/// ```
/// use ledger_core::contract::{Body, Response};
/// use serde_json::json;
///
/// let response = Response::ok(json!({"saldo_cents": 4900}));
/// assert_eq!(response.body["saldo_cents"], 4900);
/// assert_eq!(response.body.to_string(), r#"{"saldo_cents":4900}"#);
/// assert_eq!(response.body, json!({"saldo_cents": 4900}));
/// ```
#[derive(Clone)]
pub struct Body(Form);

#[derive(Clone)]
enum Form {
    /// As a view has it, and as whoever looked into it found it.
    Shown(Json<'static>, OnceLock<Box<Value>>),
    /// As it was made, or changed.
    Made(Box<Value>),
}

impl Body {
    /// The text of one of its fields; none where that is missing or no text. Costs a look at the
    /// names of its fields, and makes nothing.
    #[must_use]
    pub fn text(&self, field: &str) -> Option<&str> {
        match &self.0 {
            Form::Shown(json, _) => json[field].as_str(),
            Form::Made(value) => value.get(field)?.as_str(),
        }
    }

    /// The same, with a field more.
    pub(super) fn with_field(mut self, name: &'static str, value: Json<'static>) -> Self {
        match &mut self.0 {
            Form::Shown(json, made) => {
                json[name] = value;
                *made = OnceLock::new();
            }
            Form::Made(made) => made[name] = value.into(),
        }
        self
    }

    /// Tells whether one of its fields is a list with something in it.
    #[must_use]
    pub fn has_lists(&self) -> bool {
        match &self.0 {
            Form::Shown(Json::Object(fields), _) => fields
                .iter()
                .any(|(_, field)| matches!(field, Json::List(items) if !items.is_empty())),
            Form::Shown(..) => false,
            Form::Made(value) => value.as_object().is_some_and(|fields| {
                fields.values().any(|field| field.as_array().is_some_and(|items| !items.is_empty()))
            }),
        }
    }

    /// Tells whether there is none.
    #[must_use]
    pub fn is_null(&self) -> bool {
        match &self.0 {
            Form::Shown(json, _) => *json == Json::Null,
            Form::Made(value) => value.is_null(),
        }
    }
}

impl Deref for Body {
    type Target = Value;

    fn deref(&self) -> &Value {
        match &self.0 {
            Form::Shown(json, value) => value.get_or_init(|| Box::new(json.clone().into())),
            Form::Made(value) => value,
        }
    }
}

/// What is changed is no longer what was shown.
impl DerefMut for Body {
    fn deref_mut(&mut self) -> &mut Value {
        if let Form::Shown(json, value) = &mut self.0 {
            let shown = std::mem::replace(json, Json::Null);
            let value = value.take().unwrap_or_else(|| Box::new(shown.into()));
            self.0 = Form::Made(value);
        }
        match &mut self.0 {
            Form::Made(value) => value,
            Form::Shown(..) => unreachable!("it was made above"),
        }
    }
}

impl From<Value> for Body {
    fn from(value: Value) -> Self {
        Self(Form::Made(Box::new(value)))
    }
}

impl From<Json<'_>> for Body {
    fn from(json: Json<'_>) -> Self {
        Self(Form::Shown(json.into_owned(), OnceLock::new()))
    }
}

impl From<Body> for Value {
    fn from(body: Body) -> Self {
        match body.0 {
            Form::Shown(json, value) => value.into_inner().map_or_else(|| json.into(), |it| *it),
            Form::Made(value) => *value,
        }
    }
}

impl PartialEq for Body {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl PartialEq<Value> for Body {
    fn eq(&self, other: &Value) -> bool {
        **self == *other
    }
}

impl PartialEq<Body> for Value {
    fn eq(&self, other: &Body) -> bool {
        *self == **other
    }
}

/// As JSON: what was shown, in its order.
impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Form::Shown(json, _) => json.serialize(serializer),
            Form::Made(value) => value.serialize(serializer),
        }
    }
}

/// As JSON text.
impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Shown(json, _) => json.fmt(f),
            Form::Made(value) => value.fmt(f),
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut body = Value::clone(self);
        for name in CREDENTIALS {
            if let Some(shown) = body.get_mut(name).filter(|shown| !shown.is_null()) {
                *shown = "***".into();
            }
        }
        body.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Body;
    use crate::contract::object::{Json, object};

    /// The same JSON in both forms.
    fn both() -> [Body; 2] {
        let shown = object! { "id": "a", "api_key": "k", "cents": 7_i64, "list": vec![1_u64] };
        let made = json!({ "id": "a", "api_key": "k", "cents": 7, "list": [1] });
        [shown.into(), made.into()]
    }

    #[test]
    fn a_body_is_the_same_however_it_was_made() {
        let [shown, made] = both();
        assert_eq!(shown, made);
        assert_eq!(shown.to_string(), made.to_string());
        assert_eq!(serde_json::to_string(&shown).unwrap(), made.to_string());
        assert_eq!(Value::from(shown.clone()), Value::from(made));
        assert_eq!(
            (shown.text("id"), shown.text("cents"), shown.text("none")),
            (Some("a"), None, None)
        );
        assert!(Body::from(Json::Null).is_null() && Body::from(Value::Null).is_null());
        assert!(!shown.is_null() && shown.has_lists());
        assert!(!Body::from(object! { "list": Vec::<u64>::new() }).has_lists());
        assert!(!Body::from(json!({ "list": [] })).has_lists());
    }

    #[test]
    fn what_is_changed_is_what_is_written_from_then_on() {
        for mut body in both() {
            assert_eq!(body["cents"], 7);
            body["cents"] = 8.into();
            assert_eq!(body.to_string(), r#"{"id":"a","api_key":"k","cents":8,"list":[1]}"#);
            assert_eq!(body.text("id"), Some("a"));
            assert_eq!(body["cents"], 8);
        }
    }

    #[test]
    fn a_log_shows_no_credential_in_either_form() {
        for body in both() {
            assert!(!format!("{body:?}").contains("\"k\""), "{body:?}");
        }
    }
}
