//! One event: every attempt to send it, and the button that sends it again.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;

use super::one::{act, may_act, outcome};
use super::{address, open_frame};
use crate::courier::{AttemptRecord, Delivery};
use crate::pages::console::deciding::SignedIn;
use crate::pages::console::frame::{Content, Frame};
use crate::pages::format::{count, local};
use crate::pages::forms::with_forms;
use crate::pages::html::{away, nothing_here};
use crate::pages::layout::{Cell, Section, Table};
use crate::service::Service;

/// Answers `GET /{ledger}/webhooks/{account}/{event}`: one event with its attempts.
pub(super) async fn view(
    State(service): State<Service>,
    Path((ledger, account, event)): Path<(String, String, String)>,
    head: Parts,
) -> Response {
    let (frame, webhooks, signed_in) = match open_frame((service, &ledger), head).await {
        Ok(opened) => opened,
        Err(response) => return *response,
    };
    let found = webhooks.event(frame.ledger().environment(), &account, &event).await;
    let Ok(found) = found else { return away(&frame.head) };
    let Some(found) = found else { return nothing_here(&frame.head) };
    let frame = frame.refreshing();
    with_forms(frame.render_committed(move |frame, _| content(frame, &found, signed_in)).await)
}

fn content(
    frame: &Frame,
    (delivery, attempts): &(Delivery, Vec<AttemptRecord>),
    signed_in: Option<SignedIn>,
) -> Content {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let here = address(viewer, &delivery.account);
    let rows = vec![
        (viewer.t("Conta", "Account"), Cell::text(&*delivery.account).to(&*here)),
        (viewer.t("Evento", "Event"), Cell::code(&*delivery.topic)),
        (viewer.t("Situação", "Status"), Cell::code(delivery.state.name())),
        (viewer.t("Criado", "Created"), Cell::text(local(delivery.created_at, lang))),
        (
            viewer.t("Próxima tentativa", "Next attempt"),
            Cell::text(delivery.next_at.map_or_else(|| "–".to_owned(), |at| local(at, lang))),
        ),
    ];
    let mut sections = Vec::new();
    sections.extend(frame.query_value("done").and_then(|done| outcome(viewer, &done)));
    sections.push(Section::Facts { title: String::new(), rows });
    if let Some(signed_in) = may_act(frame, signed_in, &mut sections) {
        let go = viewer.t("Reenviar este evento", "Send this event again");
        let mut form = act(&signed_in, (&here, "resend"), Vec::new(), go);
        if let Section::Form { hidden, .. } = &mut form {
            hidden.push(("event", delivery.event.clone()));
        }
        sections.extend([form, signed_in.sign_out(lang)]);
    }
    let nothing = viewer.t("Nenhuma tentativa.", "No attempt.");
    let mut table = Table::new(viewer.t("Tentativas", "Attempts"), nothing)
        .numbers("#")
        .column(lang.t("Quando, Brasília", "When, Brasília"))
        .column(lang.t("Por quê", "Why"))
        .column(lang.t("Resultado", "Outcome"))
        .numbers("HTTP")
        .numbers("ms")
        .column(lang.t("Começo da resposta", "Beginning of the answer"));
    table.rows.extend(attempts.iter().map(|attempt| {
        let status = attempt.http_status.map_or_else(|| "–".to_owned(), |of| of.to_string());
        vec![
            Cell::number(attempt.number.to_string()),
            Cell::text(local(attempt.at, lang)),
            Cell::code(&*attempt.kind),
            Cell::code(&*attempt.outcome),
            Cell::number(status),
            Cell::number(count(attempt.latency_ms, lang)),
            Cell::text(&*attempt.answer),
        ]
    }));
    sections.push(Section::Table(table));
    let title = viewer.t("Evento", "Event");
    Content { title, subtitle: delivery.event.clone(), sections }
}
