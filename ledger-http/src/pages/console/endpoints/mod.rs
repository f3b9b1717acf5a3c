//! Webhooks: how the endpoints of accounts stand, their events with every attempt, and what an
//! operator does about them.

mod acting;
mod event;
mod list;
mod one;

use axum::Router;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::get;
use ledger_core::ledger::State as Ledger;
use ledger_core::time::Instant;

use crate::courier::{OffReason, Standing, Webhooks, token_text};
use crate::pages::console::deciding::SignedIn;
use crate::pages::console::frame::Frame;
use crate::pages::format::local;
use crate::pages::html::nothing_here;
use crate::pages::layout::Cell;
use crate::pages::ledger::viewer::{Viewer, segment};
use crate::service::Service;

/// The routes of the view.
pub(super) fn routes() -> Router<Service> {
    Router::new()
        .route("/{ledger}/webhooks", get(list::view))
        .route("/{ledger}/webhooks/{account}", get(one::view).post(acting::send))
        .route("/{ledger}/webhooks/{account}/{event}", get(event::view))
}

/// The request's frame, the webhooks of the service, and whose session it brings, or the page that
/// says why not.
async fn open_frame(
    of: (Service, &str),
    head: Parts,
) -> Result<(Frame, Webhooks, Option<SignedIn>), Box<Response>> {
    let (frame, signed_in) = SignedIn::open_frame(of, head, "webhooks").await?;
    match frame.service.webhooks().cloned() {
        Some(webhooks) => Ok((frame, webhooks, signed_in)),
        None => Err(Box::new(nothing_here(&frame.head))),
    }
}

/// The page of an account's endpoint.
fn address(viewer: &Viewer, account: &str) -> String {
    format!("{}/webhooks/{}", viewer.base, segment(account))
}

/// Since when an endpoint is switched off, and why: what another address was answered with says
/// nothing of the present one.
fn off(state: &Ledger, account: &str, standing: &Standing) -> Option<(Instant, OffReason)> {
    let known = state.account(state.account_named(account)?)?;
    let present = known.credentials.webhook.map(token_text)?;
    standing.endpoint.off.filter(|_| standing.endpoint.url == present)
}

/// Switched off, failing, or in order.
fn condition(viewer: &Viewer, off: Option<(Instant, OffReason)>, standing: &Standing) -> Cell {
    let lang = viewer.lang;
    if let Some((since, reason)) = off {
        let text = lang.t("desligado desde", "switched off since");
        return Cell::mark(format!("{text} {} ({})", local(since, lang), reason.name()));
    }
    match standing.endpoint.failing_since {
        Some(since) => {
            let text = lang.t("falha desde", "failing since");
            Cell::mark(format!("{text} {}", local(since, lang)))
        }
        None => Cell::text(lang.t("em ordem", "in order")),
    }
}

/// `98% (49 / 50)` of what ended of late; nothing where nothing did.
fn success(standing: &Standing) -> String {
    let ended = standing.delivered + standing.abandoned;
    match (standing.delivered * 100).checked_div(ended) {
        Some(percent) => format!("{percent}% ({} / {ended})", standing.delivered),
        None => "–".to_owned(),
    }
}

/// Returns what the last failure was answered with, and when.
fn last_error(viewer: &Viewer, standing: &Standing) -> Cell {
    let Some((at, status)) = standing.failed else { return Cell::text("–") };
    let status = match status {
        Some(status) => format!("HTTP {status}"),
        None => viewer.t("sem resposta", "no answer"),
    };
    Cell::text(format!("{status} · {}", local(at, viewer.lang)))
}
