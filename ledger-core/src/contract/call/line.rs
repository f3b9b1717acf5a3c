//! JSON lines: one line is one call (design: "The contract").

use crate::contract::sandbox::is_played_pix;
use core::net::IpAddr;

use serde_json::{Map, Value};

use super::{Call, CallKind};
use crate::contract::error::{Code, Problem, wrong};
use crate::contract::input::echo::mask_input;
use crate::contract::input::fields::missing;
use crate::contract::input::json;
use crate::id::Environment;
use crate::ledger::Origin;
use crate::time::Instant;

/// The keys a line may have.
const KEYS: [&str; 10] =
    ["at", "key", "request", "command", "fact", "body", "supplied", "environment", "as", "ip"];

/// One line, read and not yet addressed. Its `Debug` shows no key, body or query (INV-46).
///
/// ```
/// use ledger_core::contract::Line;
/// use ledger_core::ledger::Origin;
///
/// let text = r#"{"at": "2026-11-20T12:00:00Z", "key": "svc_live_loja",
///     "request": "GET /cashin/$p1.cashin_id/status"}"#;
/// let line = Line::parse(text, |label| {
///     assert_eq!(label, "p1.cashin_id"); // What an earlier line, `"as": "p1"`, was answered.
///     Ok("ci_1".to_owned())
/// });
/// let call = line.expect("it is well formed").call(Origin::Call);
/// assert_eq!(format!("{:?}", call.ask), "GET /cashin/ci_1/status"); // Never with the key.
/// ```
#[derive(Clone)]
pub struct Line {
    /// The instant of the line; one before the ledger's own is taken as that.
    pub at: Instant,
    /// What is asked or reported.
    pub ask: CallKind,
    /// The JSON object of `body`; null where the line has none.
    pub body: Value,
    /// The JSON object of `supplied`: what only a provider can know (rulings 39); null for none.
    pub supplied: Value,
    /// Which ledger a fact that names no operation is for.
    pub environment: Option<Environment>,
    /// The name by which later lines refer to the answer.
    pub label: Option<String>,
    /// The address a request came from.
    pub ip: Option<IpAddr>,
}

impl Environment {
    /// The ledger a request without a key is for, by its route: test keys are made in the sandbox,
    /// and what is public is of real money (KEY-15).
    #[must_use]
    pub fn of_public(target: &str) -> Self {
        let path = target.split('?').next().unwrap_or_default();
        let played = path.strip_prefix("/v1/verificar/").is_some_and(is_played_pix);
        if played || path == "/keys/sandbox" { Self::Sandbox } else { Self::Live }
    }
}

impl std::fmt::Debug for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Line");
        shown.field("at", &self.at).field("ask", &self.ask).field("label", &self.label);
        shown.finish_non_exhaustive()
    }
}

impl CallKind {
    /// The ledger that is asked whatever key comes with it: agents register in the sandbox.
    #[must_use]
    pub fn home(&self) -> Option<Environment> {
        match self {
            Self::Request { target, .. } if target == "/mesh/agents" => Some(Environment::Sandbox),
            _ => None,
        }
    }
}

impl Line {
    /// Reads one line; `refer` resolves what stands behind a `$` inside a string.
    ///
    /// # Errors
    ///
    /// A [`Problem`] that says what is wrong: broken JSON, an unknown key, an unknown label.
    pub fn parse(
        text: &str,
        mut refer: impl FnMut(&str) -> Result<String, Problem>,
    ) -> Result<Self, Problem> {
        // A file from some editors begins with a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let value = json::parse(text).map_err(|error| {
            // A line is one line: where it breaks is a column.
            let reported = error.to_string();
            let what = reported.split(" at line ").next().unwrap_or_default();
            let detail = format!("the line is no JSON: {what}, at column {}", error.column());
            Problem::new(Code::FormatInvalid, detail)
        })?;
        let Value::Object(map) = value else {
            return Err(wrong("the line", "must be a JSON object"));
        };
        let mut parts = Parts::from_map(map)?;
        let at = parts.text("at")?.ok_or_else(|| missing("at"))?;
        let at = Instant::parse(&at).ok_or_else(|| {
            wrong("at", "must be an RFC 3339 instant with an offset, to the microsecond")
        })?;
        let ask = ask(&mut parts, &mut refer)?;
        let label = parts.text("as")?;
        if label.as_deref().is_some_and(|label| !is_label(label)) {
            return Err(wrong("as", "must be letters, digits, _ or -"));
        }
        let environment = match (parts.text("environment")?.as_deref(), &ask) {
            (None, _) => None,
            (Some(_), CallKind::Request { key: Some(_), .. } | CallKind::Command { .. }) => {
                return Err(wrong("environment", "is for facts; a request's key says it"));
            }
            (Some("live"), _) => Some(Environment::Live),
            (Some("sandbox"), _) => Some(Environment::Sandbox),
            (Some(_), _) => return Err(wrong("environment", "must be live or sandbox")),
        };
        let ip = match parts.text("ip")? {
            Some(_) if matches!(ask, CallKind::Fact(_)) => {
                return Err(wrong("ip", "is for requests"));
            }
            Some(text) => Some(text.parse().map_err(|_| wrong("ip", "must be an IP address"))?),
            None => None,
        };
        let mut object = |name: &str| -> Result<Value, Problem> {
            match parts.take(name) {
                None => Ok(Value::Null),
                Some(mut value @ (Value::Object(_) | Value::Null)) => {
                    resolve(&mut value, &mut refer)?;
                    Ok(value)
                }
                Some(_) => Err(wrong(name, "must be a JSON object")),
            }
        };
        let (body, supplied) = (object("body")?, object("supplied")?);
        Ok(Self { at, ask, body, supplied, environment, label, ip })
    }

    /// The call this line makes.
    #[must_use]
    pub fn call(self, origin: Origin) -> Call {
        let Self { at, ask, body, supplied, ip, .. } = self;
        Call { at, origin, ask, body, supplied, ip }
    }
}

/// The values of a line, each at the place of its key in [`KEYS`].
struct Parts([Option<Value>; KEYS.len()]);

impl Parts {
    fn from_map(map: Map<String, Value>) -> Result<Self, Problem> {
        let mut parts = Self([const { None }; KEYS.len()]);
        for (key, value) in map {
            *parts.part(&key).ok_or_else(|| {
                let known = KEYS.join(", ");
                wrong(&mask_input(&key), &format!("is unknown in a line; known are {known}"))
            })? = Some(value);
        }
        Ok(parts)
    }

    fn part(&mut self, name: &str) -> Option<&mut Option<Value>> {
        let place = KEYS.iter().position(|known| *known == name)?;
        Some(&mut self.0[place])
    }

    fn take(&mut self, name: &str) -> Option<Value> {
        self.part(name)?.take()
    }

    fn text(&mut self, name: &str) -> Result<Option<String>, Problem> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(wrong(name, "must be a string")),
        }
    }
}

fn ask(
    parts: &mut Parts,
    refer: &mut impl FnMut(&str) -> Result<String, Problem>,
) -> Result<CallKind, Problem> {
    let key = parts.text("key")?;
    if let Some(name) = parts.text("command")? {
        if parts.take("request").or_else(|| parts.take("fact")).is_some() {
            return Err(wrong("the line", "has command beside request or fact"));
        }
        return Ok(CallKind::Command { name, key });
    }
    match (parts.text("request")?, parts.text("fact")?) {
        (Some(mut request), None) => {
            substitute(&mut request, refer)?;
            let (method, target) = request.split_once(' ').unwrap_or(("", ""));
            if !matches!(method, "GET" | "POST" | "PATCH") || !target.starts_with('/') {
                return Err(wrong("request", "must be a method and a path, as POST /payouts"));
            }
            Ok(CallKind::Request { method: method.into(), target: target.into(), key })
        }
        (None, Some(_)) if key.is_some() => Err(wrong("key", "is for requests")),
        (None, Some(fact)) => Ok(CallKind::Fact(fact)),
        (Some(_), Some(_)) => Err(wrong("the line", "has both request and fact")),
        (None, None) => Err(wrong("the line", "must have request, command or fact")),
    }
}

fn is_label(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    !text.is_empty() && text.bytes().all(plain)
}

/// Replaces what any string within refers to; most lines refer to nothing, and stay as they are.
fn resolve(
    value: &mut Value,
    refer: &mut impl FnMut(&str) -> Result<String, Problem>,
) -> Result<(), Problem> {
    match value {
        Value::String(text) => substitute(text, refer),
        Value::Array(items) => items.iter_mut().try_for_each(|item| resolve(item, refer)),
        Value::Object(map) => map.values_mut().try_for_each(|value| resolve(value, refer)),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

/// Replaces `$label.field` by what it refers to, and `$$` by a dollar.
fn substitute(
    text: &mut String,
    refer: &mut impl FnMut(&str) -> Result<String, Problem>,
) -> Result<(), Problem> {
    if !text.contains('$') {
        return Ok(());
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = &text[..];
    while let Some(place) = rest.find('$') {
        out.push_str(&rest[..place]);
        rest = &rest[place + 1..];
        if let Some(after) = rest.strip_prefix('$') {
            out.push('$');
            rest = after;
            continue;
        }
        let named = |b: char| b.is_ascii_alphanumeric() || matches!(b, '_' | '-' | '.');
        let end = rest.find(|b| !named(b)).unwrap_or(rest.len());
        out.push_str(&refer(&rest[..end])?);
        rest = &rest[end..];
    }
    out.push_str(rest);
    *text = out;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Line, Problem> {
        Line::parse(text, |name| match name {
            "p1.cashin_id" => Ok("ci_1".to_owned()),
            other => Err(wrong(other, "is an unknown label")),
        })
    }

    #[test]
    fn labels_are_resolved_inside_any_string_and_two_dollars_are_one() {
        let line = parse(
            r#"{"at":"2026-11-20T12:00:00Z","key":"k","request":"GET /cashin/$p1.cashin_id/status","body":{"a":["x$p1.cashin_id/y","$$5"]}}"#,
        )
        .unwrap();
        assert_eq!(line.body.to_string(), r#"{"a":["xci_1/y","$5"]}"#);
        assert!(
            matches!(line.ask, CallKind::Request { target, .. } if target == "/cashin/ci_1/status")
        );
    }

    #[test]
    fn malformed_lines_say_what_is_wrong() {
        for (text, what) in [
            ("{", "no JSON"),
            ("[]", "must be a JSON object"),
            (r#"{"at":"2026-11-20T12:00:00Z"}"#, "must have request, command or fact"),
            (r#"{"at":"yesterday","fact":"time.passed"}"#, "RFC 3339"),
            (r#"{"fact":"time.passed"}"#, "at is required"),
            (r#"{"at":"2026-11-20T12:00:00Z","fact":"x","why":1}"#, "why is unknown"),
            (r#"{"at":"2026-11-20T12:00:00Z","request":"payouts"}"#, "a method and a path"),
            (
                r#"{"at":"2026-11-20T12:00:00Z","fact":"x","body":{"a":"$q.b"}}"#,
                "q.b is an unknown",
            ),
            (r#"{"at":"2026-11-20T12:00:00Z","fact":"x","body":{"a":1,"a":2}}"#, "stands twice"),
            (r#"{"at":"2026-11-20T12:00:00Z","fact":"x","environment":"test"}"#, "live or sandbox"),
        ] {
            let problem = parse(text).unwrap_err();
            assert!(problem.detail.contains(what), "{text}: {}", problem.detail);
        }
    }
}
