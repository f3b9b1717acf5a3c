//! Metadata: pairs of the account's own on what it creates. They are one text of the vault, their
//! canonical JSON, under one token; so key order and the spelling of numbers make no difference.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value};

use super::answer::{AnswerField, AnswerType, field};
use super::field::{Field, FieldType, optional};
use crate::contract::error::{Problem, wrong};
use crate::contract::input::echo::mask_input;
use crate::contract::input::fields::Fields;
use crate::contract::input::tokens::Vault;
use crate::contract::object::Json;
use crate::contract::views::{Recall, Views};
use crate::id::Token;
use crate::ledger::Request;

/// The most pairs of one operation.
pub const MOST_PAIRS: usize = 16;
/// The most characters of a key.
pub const LONGEST_KEY: usize = 40;
/// The most characters of a text.
pub const LONGEST_TEXT: usize = 500;
/// The most bytes of all pairs together, as canonical JSON.
pub const MOST_BYTES: usize = 2_048;
/// The largest whole number, either way: 2^53 - 1, which every reader of JSON reads exactly.
pub const LARGEST_NUMBER: i64 = 9_007_199_254_740_991;

/// The account's own pairs, in a body.
pub(in crate::contract) const METADATA: Field = optional(
    "metadata",
    FieldType::Metadata,
    "pairs of the account's own: at most 16, and 2,048 bytes as JSON; a key has 1 to 40 \
     characters, a value is text of at most 500, a whole number, true, false or null",
);

/// The same, in an answer.
pub(in crate::contract) const SHOWN: AnswerField =
    field("metadata", AnswerType::Metadata, "pairs of the account's own; none once erased")
        .sometimes();

impl Fields<'_> {
    /// The token of the metadata, if any is given; an object without pairs gives none.
    ///
    /// # Errors
    ///
    /// A [`Problem`] naming the pair and what it must be.
    pub fn metadata(&mut self) -> Result<Option<Token>, Problem> {
        let Some(value) = self.value(METADATA.name) else { return Ok(None) };
        let text = canonical_metadata(value)?.map(|text| self.tokens().text(&text));
        Ok(text.map(|text| self.keep(text)))
    }

    /// A request with the metadata that the body gives what it creates.
    ///
    /// # Errors
    ///
    /// As [`Fields::metadata`].
    pub fn with_metadata(&mut self, request: Request) -> Result<Request, Problem> {
        Ok(request.with_metadata(self.metadata()?))
    }
}

/// The JSON that metadata is kept as: sorted by its keys, without blanks, each number in digits.
/// An object without pairs is kept as none.
///
/// ```
/// use ledger_core::contract::canonical_metadata;
/// use serde_json::json;
///
/// let kept = canonical_metadata(&json!({ "parcela": 2.0, "nota": "a" }));
/// assert_eq!(kept.expect("it is in bounds").as_deref(), Some(r#"{"nota":"a","parcela":2}"#));
/// ```
///
/// # Errors
///
/// A [`Problem`] naming the pair and what it must be.
pub fn canonical_metadata(value: &Value) -> Result<Option<String>, Problem> {
    let pairs = value.as_object().ok_or_else(|| bad("", "must be a JSON object"))?;
    if pairs.len() > MOST_PAIRS {
        return Err(bad("", &format!("must have at most {MOST_PAIRS} pairs")));
    }
    let sorted: BTreeMap<&str, Value> = pairs.iter().map(pair).collect::<Result<_, _>>()?;
    let text: Map<String, Value> =
        sorted.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    let text = Value::Object(text).to_string();
    if text.len() > MOST_BYTES {
        return Err(bad("", &format!("must have at most {MOST_BYTES} bytes as JSON")));
    }
    Ok(Some(text).filter(|_| !pairs.is_empty()))
}

fn pair<'a>((key, value): (&'a String, &Value)) -> Result<(&'a str, Value), Problem> {
    let length = key.chars().count();
    if length == 0 || length > LONGEST_KEY {
        let what = format!("must have a key of 1 to {LONGEST_KEY} characters");
        return Err(bad(key, &what));
    }
    if key.chars().any(char::is_control) {
        return Err(bad(key, "must have a key without control characters"));
    }
    let value = match value {
        Value::Null | Value::Bool(_) => value.clone(),
        Value::Number(number) => whole(number).map(Value::from).ok_or_else(|| {
            let what = format!("must be a whole number from -{LARGEST_NUMBER} to {LARGEST_NUMBER}");
            bad(key, &what)
        })?,
        Value::String(text) if text.chars().count() > LONGEST_TEXT => {
            return Err(bad(key, &format!("must have at most {LONGEST_TEXT} characters")));
        }
        Value::String(text) if text.chars().any(char::is_control) => {
            return Err(bad(key, "must not contain control characters"));
        }
        Value::String(_) => value.clone(),
        Value::Array(_) | Value::Object(_) => {
            return Err(bad(key, "must be text, a whole number, true, false or null"));
        }
    };
    Ok((key, value))
}

/// The whole number that a number is, however it is spelled: 10, 10.0 and 1e1 are one, which JSON
/// read as no integer writes as `10.0`.
fn whole(number: &Number) -> Option<i64> {
    let spelled = || number.to_string().strip_suffix(".0")?.parse().ok();
    let whole = number.as_i64().or_else(spelled);
    whole.filter(|whole| (-LARGEST_NUMBER..=LARGEST_NUMBER).contains(whole))
}

/// The refusal of the pair of this key; of all pairs together, without one.
fn bad(key: &str, what: &str) -> Problem {
    let pair = if key.is_empty() { String::new() } else { format!(".{}", mask_input(key)) };
    wrong(&format!("{}{pair}", METADATA.name), what)
}

impl<A: Recall, V: Vault> Views<'_, A, V> {
    /// Metadata as it was given, in the order of its keys; without a pair once it was erased. A
    /// vault in which tokens stand for themselves gives the text that stands for it.
    pub(in crate::contract) fn metadata(&self, token: Token) -> Json<'static> {
        let Some(text) = self.vault.value(token) else { return Json::Pairs(Vec::new()) };
        serde_json::from_str(text).map_or_else(
            |_| Json::Text(text.to_owned().into()),
            |pairs: Map<String, Value>| {
                Json::Pairs(pairs.into_iter().map(|(key, value)| (key, scalar(value))).collect())
            },
        )
    }
}

fn scalar(value: Value) -> Json<'static> {
    match value {
        Value::Bool(value) => Json::Bool(value),
        Value::Number(value) => Json::Number(value),
        Value::String(value) => Json::Text(value.into()),
        Value::Null | Value::Array(_) | Value::Object(_) => Json::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::canonical_metadata;
    use crate::contract::input::json::parse;

    fn read(text: &str) -> Result<Option<String>, String> {
        canonical_metadata(&parse(text).expect("it is JSON")).map_err(|problem| problem.detail)
    }

    #[test]
    fn pairs_are_one_text_whatever_their_order_and_spelling() {
        let same = r#"{"a":10,"b":"x","c":null,"d":true,"é":-3}"#;
        for spelled in [
            same,
            r#"{"d":true,"é":-3,"c":null,"b":"x","a":10}"#,
            r#" { "a": 1e1, "b": "\u0078", "c": null, "d": true, "\u00e9": -3.0 } "#,
        ] {
            assert_eq!(read(spelled), Ok(Some(same.to_owned())), "{spelled}");
        }
        assert_eq!(read(r#"{"z":-0.0}"#), Ok(Some(r#"{"z":0}"#.to_owned())));
        assert_eq!(read("{}"), Ok(None));
    }

    #[test]
    fn a_bad_pair_is_named_with_its_bound() {
        let many = (0..17).map(|place| format!(r#""k{place}":1"#)).collect::<Vec<_>>().join(",");
        let large: Vec<_> =
            ["a", "b", "c", "d", "e"].map(|key| format!(r#""{key}":"{}""#, "x".repeat(450))).into();
        let cases = [
            ("[]".to_owned(), "metadata must be a JSON object"),
            (format!("{{{many}}}"), "metadata must have at most 16 pairs"),
            (format!("{{{}}}", large.join(",")), "metadata must have at most 2048 bytes as JSON"),
            (r#"{"":1}"#.to_owned(), "metadata must have a key of 1 to 40 characters"),
            (
                format!(r#"{{"{}":1}}"#, "k".repeat(41)),
                "metadata.kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk must have a key of 1 to 40 \
                 characters",
            ),
            (r#"{"a\nb":1}"#.to_owned(), "metadata.ab must have a key without control characters"),
            (r#"{"a":"\u0007"}"#.to_owned(), "metadata.a must not contain control characters"),
            (
                format!(r#"{{"a":"{}"}}"#, "é".repeat(501)),
                "metadata.a must have at most 500 characters",
            ),
            (
                r#"{"a":{"b":1}}"#.to_owned(),
                "metadata.a must be text, a whole number, true, false or null",
            ),
            (
                r#"{"a":[1]}"#.to_owned(),
                "metadata.a must be text, a whole number, true, false or null",
            ),
        ];
        for (text, detail) in cases {
            assert_eq!(read(&text), Err(detail.to_owned()), "{text}");
        }
        for number in
            ["1.5", "9007199254740992", "-9007199254740992", "1e300", "18446744073709551615"]
        {
            let detail =
                "metadata.a must be a whole number from -9007199254740991 to 9007199254740991";
            assert_eq!(read(&format!(r#"{{"a":{number}}}"#)), Err(detail.to_owned()), "{number}");
        }
    }

    #[test]
    fn what_is_at_a_bound_passes() {
        let key = "k".repeat(40);
        let texts = format!(r#"{{"{key}":"{}"}}"#, "é".repeat(500));
        assert_eq!(read(&texts), Ok(Some(texts.clone())));
        let numbers = r#"{"a":9007199254740991,"b":-9007199254740991}"#;
        assert_eq!(read(numbers), Ok(Some(numbers.to_owned())));
    }
}
