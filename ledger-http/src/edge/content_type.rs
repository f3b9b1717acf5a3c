//! Which kinds of content a request brings and takes, and in which language.

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use ledger_core::contract::{Code, Problem};

use crate::pages::Lang;

/// How errors are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Accepted {
    pub(crate) form: Form,
    /// English, unless the client prefers Portuguese and says so.
    pub(crate) lang: Lang,
}

/// In which form errors are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The contract's, as `application/json`.
    Json,
    /// The same with the members of RFC 9457, as `application/problem+json`.
    ProblemDetails,
}

/// How a client takes errors: as problem details only where it names them.
pub(crate) fn negotiate(headers: &HeaderMap) -> Accepted {
    Accepted { form: form(headers), lang: Lang::from_accept_language(headers).unwrap_or(Lang::En) }
}

fn form(headers: &HeaderMap) -> Form {
    let mut named = headers.get_all(ACCEPT).iter().flat_map(|value| {
        value.to_str().unwrap_or_default().split(',').map(|range| {
            let mut parts = range.split(';').map(str::trim);
            let kind = parts.next().unwrap_or_default();
            // One of no weight at all is one that is not wanted.
            let refused = parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"));
            (kind, refused)
        })
    });
    let wanted = named
        .any(|(kind, refused)| kind.eq_ignore_ascii_case("application/problem+json") && !refused);
    if wanted { Form::ProblemDetails } else { Form::Json }
}

/// Tells whether a body is said to be JSON (API-01).
///
/// # Errors
///
/// `formato_invalido` for any other type, and for one that is not said.
pub(crate) fn expect_json(headers: &HeaderMap) -> Result<(), Problem> {
    let mut given = headers.get_all(CONTENT_TYPE).iter();
    let (first, more) = (given.next(), given.next().is_some());
    let text = first.and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut parts = text.split(';').map(str::trim);
    let kind = parts.next().unwrap_or_default();
    let is_json = kind.eq_ignore_ascii_case("application/json");
    let in_utf8 = parts.all(|part| match part.split_once('=') {
        Some((name, value)) if name.eq_ignore_ascii_case("charset") => {
            value.trim_matches('"').eq_ignore_ascii_case("utf-8")
        }
        _ => true,
    });
    if is_json && in_utf8 && !more {
        return Ok(());
    }
    let detail = "a body is JSON in UTF-8, and says so: Content-Type: application/json";
    Err(Problem::new(Code::FormatInvalid, detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &'static str, value: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().unwrap());
        headers
    }

    #[test]
    fn problem_details_are_given_where_they_are_named() {
        for (accept, expected) in [
            ("application/problem+json", Form::ProblemDetails),
            ("application/json, application/Problem+JSON;q=0.5", Form::ProblemDetails),
            ("application/problem+json;q=0", Form::Json),
            ("application/json", Form::Json),
            ("*/*", Form::Json),
        ] {
            assert_eq!(form(&headers("accept", accept)), expected, "{accept}");
        }
        assert_eq!(form(&HeaderMap::new()), Form::Json);
    }

    #[test]
    fn a_body_says_that_it_is_json() {
        for (kind, passes) in [
            ("application/json", true),
            ("Application/JSON; charset=UTF-8", true),
            ("application/json; charset=\"utf-8\"", true),
            ("application/json; charset=latin1", false),
            ("application/x-www-form-urlencoded", false),
            ("text/plain", false),
        ] {
            assert_eq!(expect_json(&headers("content-type", kind)).is_ok(), passes, "{kind}");
        }
        assert!(expect_json(&HeaderMap::new()).is_err());
    }
}
