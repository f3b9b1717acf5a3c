//! Calls and their answers: what a client or the world says, and what it hears.

mod check;
pub(super) mod committed;
pub(super) mod context;
pub(super) mod created_ids;
pub(super) mod handle;
pub(super) mod line;
pub(super) mod rate_limiter;

use core::net::IpAddr;
use std::fmt;

use serde_json::Value;

use super::body::Body;
use super::error::{Problem, RouteKind};
use super::object::object;
use crate::ledger::{Cause, Execution, Instruction, Notification, Origin, Record};
use crate::time::Instant;

/// A request of a client, or a fact of the world, at an instant.
///
/// Its `Debug` shows no key, body or query (INV-46).
///
/// ```
/// use ledger_core::contract::{Call, CallKind};
/// use ledger_core::ledger::Origin;
/// use ledger_core::time::Instant;
/// use serde_json::Value;
///
/// let at = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
/// let (ask, origin) = (CallKind::Fact("time.passed".into()), Origin::Request("req-0001".into()));
/// let call = Call { at, origin, ask, body: Value::Null, supplied: Value::Null, ip: None };
/// assert_eq!(call.request_id(), Some("req-0001"));
/// ```
#[derive(Clone)]
pub struct Call {
    /// The instant at which it takes effect; one before the ledger's own is taken as that.
    pub at: Instant,
    /// From where; carries the request id, if there is one.
    pub origin: Origin,
    /// What is asked or reported.
    pub ask: CallKind,
    /// The body: an object, or null for none.
    pub body: Value,
    /// What only a provider can know: a QR code, a key (rulings 39).
    pub supplied: Value,
    /// The address a request came from, as the adapter saw it; keys without an account are counted
    /// by it.
    pub ip: Option<IpAddr>,
}

/// What is asked or reported. Its `Debug` shows no key and no query.
#[derive(Clone)]
pub enum CallKind {
    /// A request by the contract's route.
    Request {
        /// The HTTP method in capitals, such as `GET`.
        method: String,
        /// Path and query as they came, percent-encoded: `/saldo?customer_ref=ana`.
        target: String,
        /// The value of the header `X-API-Key`, in clear; none where it was not sent.
        key: Option<String>,
    },
    /// What the contract describes and shows no route for, by a name of ours.
    Command {
        /// Our name of it, such as `commission.withdraw`.
        name: String,
        /// The API key of whoever asks, in clear.
        key: Option<String>,
    },
    /// A fact by its name.
    Fact(String),
}

/// An answer: HTTP status and JSON body. Its `Debug` shows no credential (INV-46).
///
/// ```
/// use ledger_core::contract::Response;
/// use serde_json::json;
///
/// let response = Response::ok(json!({"account": "loja", "api_key": "svc_live_1"}));
/// assert_eq!((response.status, &response.body["api_key"]), (200, &json!("svc_live_1")));
/// assert!(!format!("{response:?}").contains("svc_live_1")); // A log shows no key.
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The HTTP status: 200, or that of the refusal.
    pub status: u16,
    /// The JSON object to be sent back, the contract's error body on a refusal.
    pub body: Body,
}

/// What came of a call: the answer, and the records to be made durable before it is given.
#[derive(Clone, Debug)]
pub struct CallOutcome {
    /// The answer, to be given when all records are durable.
    pub response: Response,
    /// The records of the decision, those that time had brought due first; none for a plain read.
    pub records: Vec<Record>,
    /// What clients are notified of by it.
    pub notifications: Vec<Notification>,
    /// What the world is asked to do by it.
    pub instructions: Vec<Instruction>,
    /// What the ledger of the other environment is to carry out because of it: a call of its own,
    /// which may be made again without harm (rulings 9).
    pub onward: Option<Call>,
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Call");
        shown.field("at", &self.at).field("origin", &self.origin).field("ask", &self.ask);
        shown.finish_non_exhaustive()
    }
}

impl fmt::Debug for CallKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request { method, target, .. } => {
                write!(f, "{method} {}", target.split('?').next().unwrap_or_default())
            }
            Self::Command { name, .. } | Self::Fact(name) => f.write_str(name),
        }
    }
}

impl Call {
    /// The fact that time has passed until `at`, by which deadlines come due although nobody asks
    /// for anything.
    #[must_use]
    pub fn time_passed(at: Instant) -> Self {
        let ask = CallKind::Fact("time.passed".to_owned());
        let (origin, body, supplied) = (Origin::Call, Value::Null, Value::Null);
        Self { at, origin, ask, body, supplied, ip: None }
    }

    /// Where the call's records say they come from: a request id that is none is dropped (AUTH-08).
    #[must_use]
    pub fn cause(&self) -> Cause {
        match &self.origin {
            Origin::Request(id) if !is_request_id(id) => Cause::new(Origin::Call),
            origin => Cause::new(origin.clone()),
        }
    }

    /// The request id the call carries, if any (AUTH-07).
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        match &self.origin {
            Origin::Request(id) => Some(id).map(|id| &**id).filter(|id| is_request_id(id)),
            Origin::Call | Origin::Line { .. } => None,
        }
    }
}

impl CallOutcome {
    /// An answer with what was executed, if anything was.
    pub(super) fn new(response: Response, execution: Option<Execution>) -> Self {
        let (records, notifications, instructions) = match execution {
            Some(Execution { records, notifications, instructions, .. }) => {
                (records, notifications, instructions)
            }
            None => (Vec::new(), Vec::new(), Vec::new()),
        };
        Self { response, records, notifications, instructions, onward: None }
    }
}

impl Response {
    /// An answer of HTTP status 200 with this body.
    #[must_use]
    pub fn ok(body: impl Into<Body>) -> Self {
        Self { status: 200, body: body.into() }
    }

    /// The error body of a problem.
    #[must_use]
    pub fn problem(
        problem: &Problem,
        kind: RouteKind,
        at: Instant,
        request_id: Option<&str>,
    ) -> Self {
        Self { status: problem.code.status(kind), body: problem.body(at, request_id).into() }
    }

    /// With `docs`, where the error is described at length: `docs_url` and the code (ERR-10).
    /// Whoever embeds the ledger knows the address; an answer that is no error is left as it is.
    #[must_use]
    pub fn with_docs(mut self, docs_url: &str) -> Self {
        if let Some(code) = self.body.text("erro") {
            let docs = format!("{docs_url}#{code}");
            self.body["docs"] = docs.into();
        }
        self
    }

    /// The answer to a fact, with the id of what it created.
    #[must_use]
    pub fn outcome(outcome: &str, created: Option<(&'static str, String)>) -> Self {
        let mut body = object! { "outcome": outcome };
        if let Some((name, id)) = created {
            body[name] = id.into();
        }
        Self::ok(body)
    }
}

/// Tells whether text is a request id that is kept end to end: `[A-Za-z0-9._:-]{8,64}` (AUTH-07).
#[must_use]
pub fn is_request_id(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b':' | b'-');
    (8..=64).contains(&text.len()) && text.bytes().all(plain)
}
