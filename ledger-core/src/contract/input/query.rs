//! Paths and queries: which route is asked, with which parameters.

use std::collections::BTreeSet;

use percent_encoding::percent_decode_str;

use super::echo::mask_input;
use crate::contract::error::{Code, Problem};
use crate::ledger::Malformed;
use crate::time::Instant;

/// The most parameters of a query; no route takes as many.
const MOST_PARAMETERS: usize = 64;

/// A request target, split into path segments and query parameters.
#[derive(Clone, Debug, Default)]
pub struct Target {
    path: String,
    /// The segments of a path with percent signs, decoded; none where they stand as they came.
    decoded: Option<Vec<String>>,
    query: Vec<(String, String)>,
}

impl Target {
    /// Splits `target`.
    ///
    /// # Errors
    ///
    /// `requisicao_invalida` when a parameter stands twice, when there are too many, for a percent
    /// sign that encodes nothing in the query, and for a NUL; `nao_encontrado` for a path that is
    /// no text in UTF-8.
    pub fn parse(target: &str) -> Result<Self, Problem> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let decoded = if path.contains('%') { Some(decode_segments(path)?) } else { None };
        if query.is_empty() {
            return Ok(Self { path: path.to_owned(), decoded, query: Vec::new() });
        }
        if MOST_PARAMETERS <= query.bytes().filter(|b| *b == b'&').count() {
            return Err(invalid(format!("a query has at most {MOST_PARAMETERS} parameters")));
        }
        if !is_encoded(query) {
            let detail = "a percent sign in a query begins two hex digits of UTF-8 text";
            return Err(invalid(detail.into()));
        }
        let query: Vec<(String, String)> =
            form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let mut names = BTreeSet::new();
        for (name, value) in &query {
            if name.contains('\0') || value.contains('\0') {
                return Err(invalid("a query must not contain a NUL".into()));
            }
            if !names.insert(name.as_str()) {
                return Err(invalid(format!("the parameter {} stands twice", mask_input(name))));
            }
        }
        Ok(Self { path: path.to_owned(), decoded, query })
    }

    /// The path as it came.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The segments of the path, percent-decoded: a slash that is encoded parts none.
    #[must_use]
    pub fn segments(&self) -> Vec<&str> {
        match &self.decoded {
            Some(decoded) => decoded.iter().map(String::as_str).collect(),
            None => segments_of(&self.path).collect(),
        }
    }

    /// The decoded value of a parameter; none where the query does not have it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Refuses any parameter but those in `known`: a misspelt `customer_ref` must not show the
    /// house.
    ///
    /// # Errors
    ///
    /// `requisicao_invalida` naming the parameter.
    pub fn only(&self, known: &[&str]) -> Result<(), Problem> {
        match self.query.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            Some((name, _)) => {
                Err(invalid(format!("the parameter {} is unknown here", mask_input(name))))
            }
            None => Ok(()),
        }
    }

    /// The subaccount asked for, as [`Malformed::customer`] has it.
    ///
    /// # Errors
    ///
    /// `formato_invalido` otherwise.
    pub fn customer(&self) -> Result<Option<&str>, Problem> {
        match self.get("customer_ref") {
            Some("casa") => Err(Problem::new(
                Code::FormatInvalid,
                "customer_ref \"casa\" names the house balance; omit the parameter instead",
            )),
            Some(text) if text.is_empty() || text.chars().count() > 80 => {
                Err(Problem::new(Code::FormatInvalid, "customer_ref must have 1 to 80 characters"))
            }
            Some(text) if Malformed::text(text, 80).is_err() => Err(Problem::new(
                Code::FormatInvalid,
                "customer_ref must not contain control characters",
            )),
            other => Ok(other),
        }
    }

    /// The instant that a parameter says; none where the query does not have it.
    ///
    /// # Errors
    ///
    /// `requisicao_invalida` naming the parameter otherwise.
    pub fn moment(&self, name: &str) -> Result<Option<Instant>, Problem> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let what = "must be an RFC 3339 instant with an offset, such as 2026-11-20T12:05:00Z; a + \
                    in a query is written %2B";
        Instant::parse(text).map(Some).ok_or_else(|| invalid(format!("{name} {what}")))
    }

    /// How many rows a page has: 1 to 200, 50 when not said (STM-10, P:DefaultLimit).
    ///
    /// # Errors
    ///
    /// `requisicao_invalida` otherwise (STM-13, P:DefaultViewBadLimit).
    pub fn limit(&self) -> Result<usize, Problem> {
        let Some(text) = self.get("limit") else { return Ok(50) };
        let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let limit = if plain { text.parse().ok() } else { None };
        limit
            .filter(|limit| (1..=200).contains(limit))
            .ok_or_else(|| invalid("limit must be a whole number from 1 to 200".into()))
    }
}

/// The path as an error shows it.
fn show_path(path: &str) -> String {
    mask_input(path.strip_prefix('/').unwrap_or(path))
}

fn segments_of(path: &str) -> impl Iterator<Item = &str> {
    path.strip_prefix('/').unwrap_or(path).split('/')
}

/// The segments of a path, decoded. A percent sign that begins no two hexadecimal digits stands for
/// itself.
fn decode_segments(path: &str) -> Result<Vec<String>, Problem> {
    let decode = |segment| percent_decode_str(segment).decode_utf8().map(Into::into);
    let decoded: Result<Vec<String>, _> = segments_of(path).map(decode).collect();
    let decoded =
        decoded.map_err(|_| Problem::new(Code::NotFound, "the path is no text in UTF-8"))?;
    if decoded.iter().any(|segment| segment.contains('\0')) {
        return Err(Problem::new(Code::NotFound, "the path contains a NUL"));
    }
    Ok(decoded)
}

/// Tells whether every percent sign begins two hex digits, and what they encode is UTF-8.
fn is_encoded(query: &str) -> bool {
    let bytes = query.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut place = 0;
    while let Some(byte) = bytes.get(place) {
        if *byte != b'%' {
            plain.push(*byte);
            place += 1;
            continue;
        }
        let digit = |offset: usize| char::from(*bytes.get(place + offset)?).to_digit(16);
        let Some((high, low)) = digit(1).zip(digit(2)) else { return false };
        plain.extend(u8::try_from(high * 16 + low));
        place += 3;
    }
    std::str::from_utf8(&plain).is_ok()
}

/// The problem `requisicao_invalida`, with this text for people.
#[must_use]
pub fn invalid(detail: String) -> Problem {
    Problem::new(Code::RequestInvalid, detail)
}

/// A route that does not exist.
pub(in crate::contract) fn unknown(method: &str, path: &str) -> Problem {
    let detail = format!("there is no route {} /{}", mask_input(method), show_path(path));
    Problem::new(Code::NotFound, detail)
}

/// A method that a route does not take.
pub(in crate::contract) fn not_taken(path: &str, known: &[&str]) -> Problem {
    let detail = format!("/{} takes {}", show_path(path), known.join(" and "));
    Problem::new(Code::MethodNotAllowed, detail)
}
