//! An answer on its way to the client: the contract's status and body, and the headers beside it.

use axum::body::Body;
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response as HttpResponse;
use ledger_core::contract::{Action, Code, Problem, Response, RouteKind};
use ledger_core::time::Instant;
use serde_json::Value;

use super::content_type::{Accepted, Form};
use super::portuguese;
use crate::ledgers::Unanswered;
use crate::pages::Lang;

/// The header of an answer that names the record it stands at, or that the request made.
pub const RECORD: &str = "x-ledger-record";

/// What an answer is, before it is rendered.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) response: Response,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
}

/// The effect that a request without an answer may have had, which says how it is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfinished {
    /// Nothing: it only reads, or only tries.
    Read,
    /// The request of a client, which `external_id` makes the same again.
    Request,
    /// A fact or a decision, which are the same by their own ids.
    Fact,
}

impl Unfinished {
    /// Returns what a client's request of this method may have done.
    pub(crate) fn of_method(method: &str) -> Self {
        if ["GET", "HEAD"].contains(&method) { Self::Read } else { Self::Request }
    }
}

/// The code of an error beside its body, for whoever logs the answer.
#[derive(Clone, Debug)]
pub(crate) struct ErrorCode(pub(crate) String);

/// When and under which id it is answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occasion<'a> {
    pub(crate) at: Instant,
    pub(crate) request_id: &'a str,
}

impl Reply {
    pub(crate) const fn new(response: Response) -> Self {
        Self { response, headers: Vec::new() }
    }

    /// The contract's error body of what is wrong before any ledger is asked.
    pub(crate) fn problem(problem: &Problem, occasion: Occasion<'_>) -> Self {
        let Occasion { at, request_id } = occasion;
        Self::new(Response::problem(problem, RouteKind::Other, at, Some(request_id)))
    }

    /// Why a ledger gave no answer, in the contract's words, and how it is asked again.
    pub(crate) fn from_unanswered(
        why: &Unanswered,
        unfinished: Unfinished,
        occasion: Occasion<'_>,
    ) -> Self {
        let again = match unfinished {
            Unfinished::Read => "the ledger gives no answer now; ask again",
            Unfinished::Request => {
                "whether it was recorded is not known: ask again with the same external_id"
            }
            Unfinished::Fact => "whether it was recorded is not known: send it again as it was",
        };
        let problem = match why {
            Unanswered::Overloaded => {
                Problem::new(Code::Paused, "too many requests wait; nothing of this was done")
                    .with("retry_after_seconds", 1.into())
            }
            Unanswered::ClockDoubted(doubt) => {
                let detail = format!("{doubt}; nothing of this was done");
                Problem::new(Code::Paused, detail).with("retry_after_seconds", 5.into())
            }
            Unanswered::Away => {
                Problem::new(Code::Paused, "the ledger is away; nothing of this was done")
                    .with("retry_after_seconds", 5.into())
            }
            Unanswered::Unknown => Problem::new(Code::Paused, again)
                .asking_for(Action::Repeat)
                .with("retry_after_seconds", 1.into()),
            Unanswered::Failed => {
                Problem::new(Code::InternalError, "this request fails within; nothing was done")
            }
        };
        Self::problem(&problem, occasion)
    }

    /// An error with the address where it is described, if errors are described anywhere.
    pub(crate) fn with_docs_url(mut self, docs_url: Option<&str>) -> Self {
        if let Some(docs_url) = docs_url {
            self.response = self.response.with_docs(docs_url);
        }
        self
    }

    /// With the methods that its path takes.
    pub(crate) fn allowing(mut self, methods: &str) -> Self {
        let value = HeaderValue::try_from(methods).expect("methods are letters and commas");
        self.headers.push((ALLOW, value));
        self
    }

    /// With the record that it stands at, where one is known: a replica is asked for it.
    pub(crate) fn with_record(mut self, seq: Option<u64>) -> Self {
        let value = seq.map(|seq| (HeaderName::from_static(RECORD), seq.into()));
        self.headers.extend(value);
        self
    }

    /// The code of an error; none of an answer that is none.
    pub(crate) fn code(&self) -> Option<&str> {
        self.response.body.text("erro")
    }

    /// As HTTP, in the form that the client accepts.
    pub(crate) fn render(self, accepted: Accepted) -> HttpResponse {
        let code = self.code().map(|code| ErrorCode(code.to_owned()));
        let Self { response: Response { status, mut body }, mut headers } = self;
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let error = body.text("erro").is_some();
        if error && let Some(seconds) = body["retry_after_seconds"].as_u64() {
            headers.push((RETRY_AFTER, seconds.into()));
        }
        if error && accepted.lang == Lang::Pt {
            portuguese::translate(&mut body);
            headers.push((CONTENT_LANGUAGE, HeaderValue::from_static(Lang::Pt.tag())));
        }
        let content_type = if error && accepted.form == Form::ProblemDetails {
            add_problem_details(&mut body, status);
            "application/problem+json"
        } else {
            "application/json"
        };
        // Balances and keys are nobody's to keep on the way.
        headers.push((CACHE_CONTROL, HeaderValue::from_static("no-store")));
        let mut bytes = Vec::new();
        if !body.is_null() {
            bytes = serde_json::to_vec(&body).expect("names are text, and memory takes it");
            headers.push((CONTENT_TYPE, HeaderValue::from_static(content_type)));
        }
        if status != StatusCode::NO_CONTENT {
            headers.push((CONTENT_LENGTH, bytes.len().into()));
        }
        let mut rendered = HttpResponse::new(Body::from(bytes));
        *rendered.status_mut() = status;
        *rendered.headers_mut() = HeaderMap::from_iter(headers);
        if let Some(code) = code {
            rendered.extensions_mut().insert(code);
        }
        rendered
    }
}

/// The members of RFC 9457 beside the contract's: `type` is where the error is described.
fn add_problem_details(body: &mut Value, status: StatusCode) {
    let docs = body.get("docs").and_then(Value::as_str).unwrap_or("about:blank").to_owned();
    body["type"] = docs.into();
    body["title"] = status.canonical_reason().unwrap_or("Error").into();
    body["status"] = status.as_u16().into();
}
