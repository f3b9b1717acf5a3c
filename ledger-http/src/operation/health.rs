//! Whether the service lives, and whether it can take requests.

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use ledger_store::engine::EngineStatus;
use serde_json::{Map, Value, json};

use crate::service::Service;

/// Every way that a ledger may stand.
pub(super) const STATUSES: [&str; 5] = ["writing", "failing", "lease_lapsed", "fenced", "stopped"];

/// How a ledger stands, in a word.
pub(super) const fn status_name(status: &EngineStatus) -> &'static str {
    match status {
        EngineStatus::Writing => "writing",
        EngineStatus::Failing(_) => "failing",
        EngineStatus::LeaseLapsed => "lease_lapsed",
        EngineStatus::Fenced { .. } => "fenced",
        _ => "stopped",
    }
}

/// Returns what the program says of a ledger that does not write: a command that anybody may type.
pub(crate) const fn advice(status: &EngineStatus) -> Option<&'static str> {
    match status {
        EngineStatus::Writing => None,
        EngineStatus::Failing(_) => Some("custody-ledger runbook CommitsFailing"),
        _ => Some("custody-ledger runbook LedgerFenced"),
    }
}

/// `GET /health/live`: the process answers.
pub(crate) async fn live() -> Response {
    json_response(StatusCode::OK, &json!({ "status": "live" }))
}

/// `GET /health/ready`: all ledgers take calls. A ledger that was taken over from, has stopped, or
/// whose store takes no commit, is named, with the reason; of each it is said how many calls wait,
/// and how many entries of its outbox, where it keeps one, are durable in the journal and not in
/// that table yet. A clock of the machine that is not believed, or was set back, is named with what
/// it reads and what was expected. Beside what is wrong stands the command that says what to do.
pub(crate) async fn ready(State(service): State<Service>) -> Response {
    let (mut ledgers, mut ready) = (Map::new(), true);
    for ledger in service.ledgers().all() {
        let engine = ledger.engine();
        let stands = engine.status();
        let status = status_name(&stands);
        ready &= status == "writing";
        let head = engine.head().ok();
        let mut shown = json!({
            "status": status,
            "seq": head.as_ref().map(|head| head.seq),
            "queued": engine.counters().queued,
        });
        if let Some(advice) = advice(&stands) {
            shown["runbook"] = advice.into();
        }
        if let EngineStatus::Failing(failing) = &stands {
            shown["reason"] = failing.why.as_str().into();
            shown["failing_seconds"] = failing.since.elapsed().as_secs().into();
        }
        if let Some(outbox) = engine.outbox() {
            shown["outbox_waiting"] = outbox.waiting().into();
        }
        ledgers.insert(ledger.label().to_owned(), shown);
    }
    let (doubt, set_back) = (service.clock_doubt(), service.clock_set_back());
    ready &= doubt.is_none();
    let (code, text) = if ready {
        (StatusCode::OK, "ready")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "not_ready")
    };
    let mut body = json!({ "status": text, "ledgers": Value::Object(ledgers) });
    let clock = doubt.map(|doubt| ("not_believed", doubt));
    if let Some((status, doubt)) = clock.or(set_back.map(|jump| ("set_back", jump))) {
        body["clock"] = json!({
            "status": status,
            "detail": doubt.to_string(),
            "runbook": "custody-ledger runbook ClockDoubted",
        });
    }
    json_response(code, &body)
}

pub(crate) fn json_response(status: StatusCode, body: &Value) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}
