//! `Prefer: dry-run`: what a request would do, without doing it (RFC 7240).

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use ledger_core::contract::{
    Call, Effect, Environment, Problem, Response, RouteKind, RouteShape, route_of,
};
use ledger_core::ledger::Outcome;
use ledger_sim::Sandbox;
use ledger_store::Vault;
use ledger_store::archive::JournalArchive;
use ledger_store::export::Leg;
use ledger_store::sequencer::Preview;
use serde_json::{Value, json};

use super::reply::{Occasion, Reply, Unfinished};
use crate::service::Service;
use crate::supply::supply_entropy;

/// Tells whether a client prefers to be told what a request would do.
pub(crate) fn is_preferred(headers: &HeaderMap) -> bool {
    let named = headers.get_all("prefer").iter().flat_map(|value| {
        let text = value.to_str().unwrap_or_default();
        text.split([',', ';']).map(|preference| preference.trim().to_ascii_lowercase())
    });
    named.into_iter().any(|preference| preference == "dry-run")
}

/// Tells whether there is something to be done that could be left undone: reads are answered as
/// they are.
pub(super) fn applies(shape: &RouteShape) -> bool {
    shape.effect == Effect::Decides
}

/// Returns what a call of a ledger would do, without doing it.
///
/// Nothing is asked of a provider, which would do something: what only it knows is made up, and can
/// neither be paid nor receive funds.
pub(super) async fn preview(
    service: &Service,
    target: Environment,
    mut call: Call,
    occasion: Occasion<'_>,
) -> Result<Reply, Problem> {
    let ledger = match service.ledgers().begins_in(target, &call).await {
        Ok(ledger) => ledger,
        Err(why) => return Ok(Reply::from_unanswered(&why, Unfinished::Read, occasion)),
    };
    supply_entropy(&mut call, service.ledgers()).map_err(|_| super::no_randomness())?;
    ledger.sandbox().unwrap_or(Sandbox::new(1)).supply(&mut call);
    let kind =
        route_of::<JournalArchive, Vault>(&call.ask).map_or(RouteKind::Other, |shape| shape.kind);
    let response = match ledger.preview(call, occasion.at).await {
        Ok(Ok(preview)) => Response::ok(preview_json(&preview)),
        Ok(Err(problem)) => {
            Response::problem(&problem, kind, occasion.at, Some(occasion.request_id))
        }
        Err(why) => return Ok(Reply::from_unanswered(&why, Unfinished::Read, occasion)),
    };
    Ok(with_preference_applied(Reply::new(response)))
}

/// An answer that says that nothing was done.
pub(crate) fn with_preference_applied(mut reply: Reply) -> Reply {
    let applied = HeaderName::from_static("preference-applied");
    reply.headers.push((applied, HeaderValue::from_static("dry-run")));
    reply
}

/// Returns what a call would do, as JSON.
pub(crate) fn preview_json(preview: &Preview) -> Value {
    let outcome = match preview.outcome {
        Outcome::Created(_) | Outcome::Registered(_) => "created",
        Outcome::Repeated(_) => "repeated",
        Outcome::Done => "done",
        Outcome::Applied(_) => "applied",
        Outcome::Known => "known",
        Outcome::SetAside(_) => "set_aside",
    };
    let events: Vec<Value> =
        preview.events.iter().map(|legs| json!({ "legs": legs_json(legs) })).collect();
    let mut shown = json!({ "dry_run": true, "outcome": outcome, "events": events });
    if !preview.ignored.is_empty() {
        shown["campos_ignorados"] = json!(preview.ignored);
    }
    shown
}

/// Legs as `export --format jsonl` writes them: debits positive.
fn legs_json(legs: &[Leg]) -> Vec<Value> {
    let leg = |leg: &Leg| {
        json!({
            "account": leg.place.chart,
            "kept_for": leg.place.kept_for,
            "commodity": leg.commodity,
            "amount": leg.text(),
        })
    };
    legs.iter().map(leg).collect()
}
