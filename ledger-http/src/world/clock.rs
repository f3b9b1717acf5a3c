//! `POST /clock/accept`: a person believes the machine's clock as it reads.

use axum::extract::{Request, State};
use axum::response::Response as HttpResponse;
use ledger_core::contract::{Code, Problem, Response};
use serde_json::{Value, json};

use super::fact::respond;
use crate::edge::body::read_json;
use crate::edge::reply::Reply;
use crate::service::Service;

/// The most bytes of a body.
const LARGEST: usize = 4_096;

/// Believes the clock from now on; the answer repeats who says so and why, for the caller's log.
pub(super) async fn accept(State(service): State<Service>, request: Request) -> HttpResponse {
    let (head, body) = request.into_parts();
    let accepted = async {
        let body = read_json(&head.headers, body, LARGEST).await?;
        let (actor, reason) = (text(&body, "actor")?, text(&body, "reason")?);
        let doubt = service.clock_doubt().map(|doubt| doubt.to_string());
        let none = || Problem::new(Code::NotFound, "nothing is held against this service's clock");
        let at = service.accept_clock().ok_or_else(none)?;
        let shown = json!({
            "accepted": at.to_string(), "actor": actor, "reason": reason, "doubt": doubt,
        });
        Ok(Reply::new(Response::ok(shown)))
    };
    let accepted: Result<Reply, Problem> = accepted.await;
    respond(&service, &Request::from_parts(head, axum::body::Body::empty()), accepted)
}

fn text<'a>(body: &'a Value, name: &str) -> Result<&'a str, Problem> {
    let text = body.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    text.ok_or_else(|| Problem::new(Code::RequestInvalid, format!("{name} must be a text")))
}
