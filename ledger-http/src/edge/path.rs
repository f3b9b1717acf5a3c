//! Text in a path: percent signs are decoded, as axum decodes them, and written for links.

use std::borrow::Cow;

use ledger_core::contract::{Code, Problem};
use percent_encoding::percent_decode_str;

/// The text that a segment of a path stands for. A percent sign that begins no two hexadecimal
/// digits stands for itself.
///
/// # Errors
///
/// `nao_encontrado` for what is no text in UTF-8: such a path leads nowhere.
pub(super) fn decode_segment(segment: &str) -> Result<Cow<'_, str>, Problem> {
    let no_text = |_| Problem::new(Code::NotFound, "the path is no text in UTF-8");
    percent_decode_str(segment).decode_utf8().map_err(no_text)
}

/// A value as a query holds it.
pub(crate) fn form_encode(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// A text as one segment of a path.
pub(crate) fn segment(text: &str) -> String {
    form_encode(text).replace('+', "%20")
}

/// A query with another value of this name, or with none; everything else is as it was.
pub(crate) fn requery(query: &str, name: &str, value: Option<&str>) -> String {
    let others = form_urlencoded::parse(query.as_bytes()).filter(|(known, _)| known != name);
    let mut pairs = form_urlencoded::Serializer::for_suffix(String::from("?"), 1);
    pairs.extend_pairs(others).extend_pairs(value.map(|value| (name, value)));
    pairs.finish()
}

#[cfg(test)]
mod tests {
    use ledger_core::contract::CallKind;
    use serde_json::{Value, json};

    use super::*;
    use crate::edge::resolve_call;

    fn asked_for(segment: &str) -> Result<Value, Code> {
        let target = format!("/carteira-usdt/withdrawals/{segment}");
        let asked =
            resolve_call("GET", target, None, Value::Null).map_err(|problem| problem.code)?;
        assert!(
            matches!(&asked.0, CallKind::Command { name, .. } if name == "wallet.withdrawal.get")
        );
        Ok(asked.1)
    }

    #[test]
    fn a_parameter_of_a_path_of_ours_is_decoded() {
        for (segment, text) in [
            ("uw_1", "uw_1"),
            ("uw%5F1", "uw_1"),
            ("a%3Ab%2fc", "a:b/c"),
            ("a+b", "a+b"),
            ("%C3%A9", "é"),
            ("100%", "100%"),
            ("%zz", "%zz"),
            ("%2525", "%25"),
        ] {
            assert_eq!(asked_for(segment), Ok(json!({ "withdrawal_id": text })), "{segment}");
        }
    }

    #[test]
    fn a_parameter_that_is_no_text_leads_nowhere() {
        for segment in ["%ff", "a%C3", "%ed%a0%80"] {
            assert_eq!(asked_for(segment), Err(Code::NotFound), "{segment}");
        }
    }
}
