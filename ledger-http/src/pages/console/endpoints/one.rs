//! One endpoint: how it stands, its latest events, and what may be done about it.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::ledger::State as Ledger;
use ledger_core::time::Instant;

use super::list::since;
use super::{address, condition, last_error, off, open_frame, success};
use crate::courier::{Delivery, Standing};
use crate::operators::role::Right;
use crate::pages::console::deciding::{SignedIn, asking};
use crate::pages::console::frame::{Content, Frame};
use crate::pages::format::{age, count, local};
use crate::pages::forms::with_forms;
use crate::pages::html::{away, nothing_here};
use crate::pages::layout::{Cell, Input, Section, Table};
use crate::pages::ledger::viewer::{Viewer, segment};
use crate::service::Service;

/// Answers `GET /{ledger}/webhooks/{account}`: one endpoint with its latest events.
pub(super) async fn view(
    State(service): State<Service>,
    Path((ledger, account)): Path<(String, String)>,
    head: Parts,
) -> Response {
    let (frame, webhooks, signed_in) = match open_frame((service, &ledger), head).await {
        Ok(opened) => opened,
        Err(response) => return *response,
    };
    let (environment, now) = (frame.ledger().environment(), frame.service.now());
    let standing = webhooks.standing(environment, since(now)).await;
    let latest = webhooks.latest_deliveries(environment, account.clone()).await;
    let (Ok(mut standing), Ok((latest, _))) = (standing, latest) else { return away(&frame.head) };
    let Some(standing) = standing.remove(&account) else { return nothing_here(&frame.head) };
    let seen = Seen { account, standing, latest, now };
    let frame = frame.refreshing();
    with_forms(
        frame.render_committed(move |frame, state| content(frame, state, &seen, signed_in)).await,
    )
}

struct Seen {
    account: String,
    standing: Standing,
    latest: Vec<Delivery>,
    now: Instant,
}

fn content(frame: &Frame, state: &Ledger, seen: &Seen, signed_in: Option<SignedIn>) -> Content {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let Seen { account, standing, latest, now } = seen;
    let is_off = off(state, account, standing);
    let oldest = standing.oldest.map(|at| age(at, *now)).unwrap_or_default();
    let mut rows = vec![
        (viewer.t("Situação", "Status"), condition(viewer, is_off, standing)),
        (viewer.t("Êxito, 24 h", "Success, 24 h"), Cell::text(success(standing))),
        (viewer.t("Último erro", "Last error"), last_error(viewer, standing)),
        (viewer.t("Na fila", "Waiting"), Cell::text(count(standing.backlog, lang))),
        (viewer.t("O mais antigo", "The oldest"), Cell::text(oldest)),
    ];
    if state.account_named(account).is_some() {
        let cell = Cell::text(&**account).to(viewer.account(account, None));
        rows.push((viewer.t("Conta", "Account"), cell));
    }
    let mut sections = Vec::new();
    sections.extend(frame.query_value("done").and_then(|done| outcome(viewer, &done)));
    sections.push(Section::Facts { title: String::new(), rows });
    let here = address(viewer, account);
    let signed_in = may_act(frame, signed_in, &mut sections);
    if let Some(signed_in) = &signed_in {
        if is_off.is_some() {
            let go = viewer.t("Ligar de novo", "Switch on again");
            sections.push(act(signed_in, (&here, "on"), Vec::new(), go));
        }
        let note = viewer.t(
            "reenvia o que não foi entregue desde este instante (RFC 3339)",
            "sends what was not delivered since this instant once more (RFC 3339)",
        );
        let value = since(*now).to_string();
        let field = Input { name: "since", note, value, required: true, secret: false };
        let go = viewer.t("Reenviar o não entregue", "Send the undelivered again");
        sections.push(act(signed_in, (&here, "recover"), vec![field], go));
    }
    let nothing = viewer.t("Nenhuma entrega ainda.", "No delivery yet.");
    let mut table = Table::new(viewer.t("Últimos eventos", "Latest events"), nothing)
        .column(lang.t("Evento", "Event"))
        .column("ID")
        .column(lang.t("Situação", "Status"))
        .numbers(lang.t("Tentativas", "Attempts"))
        .numbers("HTTP")
        .column(lang.t("Mudou, Brasília", "Changed, Brasília"))
        .column(lang.t("Próxima tentativa", "Next attempt"));
    let dash = || "–".to_owned();
    table.rows.extend(latest.iter().map(|delivery| {
        let event = format!("{here}/{}", segment(&delivery.event));
        vec![
            Cell::code(&*delivery.topic),
            Cell::code(&*delivery.event).to(event),
            Cell::code(delivery.state.name()),
            Cell::number(count(delivery.attempts.into(), lang)),
            Cell::number(delivery.http_status.map_or_else(dash, |status| status.to_string())),
            Cell::text(local(delivery.updated_at, lang)),
            Cell::text(delivery.next_at.map_or_else(dash, |at| local(at, lang))),
        ]
    }));
    let Some(signed_in) = signed_in else {
        sections.push(Section::Table(table));
        return Content {
            title: viewer.t("Webhooks", "Webhooks"),
            subtitle: account.clone(),
            sections,
        };
    };
    sections.push(Section::Ticking {
        action: here,
        hidden: vec![("token", signed_in.token()), ("act", "again".to_owned())],
        name: "event",
        values: latest.iter().map(|delivery| delivery.event.clone()).collect(),
        table,
        go: viewer.t("Reenviar os marcados", "Send those ticked again"),
    });
    sections.push(signed_in.sign_out(lang));
    Content { title: viewer.t("Webhooks", "Webhooks"), subtitle: account.clone(), sections }
}

/// The session of an operator who may act; what else is shown in the place of buttons.
pub(super) fn may_act(
    frame: &Frame,
    signed_in: Option<SignedIn>,
    sections: &mut Vec<Section>,
) -> Option<SignedIn> {
    let viewer = &frame.viewer;
    frame.service.operators()?;
    let Some(signed_in) = signed_in else {
        let to = frame.head.uri.path();
        sections.push(asking(viewer.lang, to));
        return None;
    };
    if !signed_in.operator.has(Right::Decide) {
        sections.push(Section::Note(viewer.t(
            "Os seus papéis não incluem reenviar nem ligar de novo.",
            "Your roles do not include sending again or switching on.",
        )));
        return None;
    }
    Some(signed_in)
}

/// A button, with what it asks for.
pub(super) fn act(
    signed_in: &SignedIn,
    (action, name): (&str, &'static str),
    fields: Vec<Input>,
    go: String,
) -> Section {
    let hidden = vec![("token", signed_in.token()), ("act", name.to_owned())];
    Section::Form { action: action.to_owned(), hidden, fields, go }
}

/// Returns what came of what was asked for, in words: `queued-3`, `delivered-200`, `on`.
pub(super) fn outcome(viewer: &Viewer, done: &str) -> Option<Section> {
    let (word, number) = done.split_once('-').unwrap_or((done, ""));
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (pt, en) = match word {
        "queued" => ("Eventos postos na fila de novo: {}.", "Events queued once more: {}."),
        "delivered" => ("Entregue: HTTP {}.", "Delivered: HTTP {}."),
        "failed" => ("Não entregue: HTTP {}.", "Not delivered: HTTP {}."),
        "silent" => ("Não entregue: sem resposta.", "Not delivered: no answer."),
        "on" => ("Ligado de novo.", "Switched on again."),
        "unaddressed" => ("A conta não tem endereço.", "The account has no address."),
        "unreadable" => ("O instante não se lê.", "The instant cannot be read."),
        _ => return None,
    };
    Some(Section::Note(viewer.lang.t(pt, en).replace("{}", number)))
}
