//! Requests: the last that clients made, without keys, bodies or whom they were about.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::ledger::State as Ledger;

use super::frame::{Content, Frame};
use crate::pages::format::{count, local};
use crate::pages::layout::{Cell, Section, Table};
use crate::pages::ledger::viewer::form_encode;
use crate::service::Service;

/// How many requests stand on the page.
const MOST: usize = 200;

/// Answers `GET /{ledger}/requests?id=…&code=…`: the last requests of clients.
pub(super) async fn view(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    match Frame::for_ledger(service, head, &ledger, "requests") {
        Ok(frame) => frame.render_committed(content).await,
        Err(response) => *response,
    }
}

fn content(frame: &Frame, _: &Ledger) -> Content {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let (id, code) = (frame.filter_value("id"), frame.filter_value("code"));
    let nothing = viewer.t("Nenhuma requisição lembrada.", "No request is remembered.");
    let mut table = Table::new("", nothing)
        .column(lang.t("Quando, Brasília", "When, Brasília"))
        .column("X-Request-ID")
        .column(lang.t("Rota", "Route"))
        .numbers("HTTP")
        .column(lang.t("Erro", "Error"))
        .numbers("ms");
    let all = frame.service.parts().recent.all().into_iter().filter(|access| {
        // A page or a document asks no ledger in the contract's name; a refusal at the edge is one.
        let of = match access.environment {
            Some(of) => frame.ledger().environment() == of,
            None => access.code.is_some(),
        };
        of && id.as_ref().is_none_or(|id| access.request_id == *id)
            && code.as_ref().is_none_or(|code| access.code.as_ref() == Some(code))
    });
    for access in all.take(MOST) {
        let of = |name: &str, text: &str| {
            format!("{}/requests?{name}={}", viewer.base, form_encode(text))
        };
        let error = access.code.as_deref();
        let micros = access.took.as_micros();
        let took = format!("{}.{:02}", micros / 1_000, micros % 1_000 / 10);
        table.rows.push(vec![
            Cell::text(local(access.at, lang)),
            Cell::code(&*access.request_id).to(of("id", &access.request_id)),
            Cell::code(format!("{} {}", access.method, access.route)),
            Cell::number(access.status.to_string()),
            error.map_or_else(Cell::default, |code| Cell::code(code).to(of("code", code))),
            Cell::number(crate::pages::format::decimal(&took, lang)),
        ]);
    }
    let kept = frame.service.parts().recent.all().len() as u64;
    let text = viewer.t(
        "As últimas requisições que este processo respondeu; as entregas de webhooks não estão \
         aqui.",
        "The last requests that this process answered; deliveries of webhooks are not here.",
    );
    let mut sections = vec![Section::Table(table)];
    if id.is_some() || code.is_some() {
        let all = Cell::text(count(kept, lang)).to(format!("{}/requests", viewer.base));
        let rows = vec![(viewer.t("Todas", "All"), all)];
        sections.insert(0, Section::Facts { title: String::new(), rows });
    }
    Content { title: viewer.t("Requisições", "Requests"), subtitle: text, sections }
}
