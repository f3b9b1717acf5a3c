//! Every endpoint that was sent something, those in trouble first.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::ledger::State as Ledger;
use ledger_core::time::Instant;

use super::{address, condition, last_error, off, success};
use crate::courier::Standing;
use crate::pages::console::frame::{Content, Frame};
use crate::pages::format::{age, count};
use crate::pages::html::away;
use crate::pages::layout::{Cell, Figure, Section, Table};
use crate::service::Service;

/// How many endpoints stand on the page.
const MOST: usize = 200;
/// How many hours count as of late.
pub(super) const HOURS: u32 = 24;

/// Answers `GET /{ledger}/webhooks`: the endpoints, those in trouble first.
pub(super) async fn view(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    let frame = match Frame::for_ledger(service, head, &ledger, "webhooks") {
        Ok(frame) => frame,
        Err(response) => return *response,
    };
    let now = frame.service.now();
    let since = since(now);
    let standing = match frame.service.webhooks() {
        Some(webhooks) => {
            let standing = webhooks.standing(frame.ledger().environment(), since).await;
            let Ok(standing) = standing else { return away(&frame.head) };
            Some(standing.into_iter().collect())
        }
        None => None,
    };
    frame
        .refreshing()
        .render_committed(move |frame, state| content(frame, state, standing, now))
        .await
}

/// The beginning of what counts as of late.
pub(super) fn since(now: Instant) -> Instant {
    let micros = now.micros() - i64::from(HOURS) * 3_600_000_000;
    Instant::from_micros(micros).unwrap_or_default()
}

fn content(
    frame: &Frame,
    state: &Ledger,
    standing: Option<Vec<(String, Standing)>>,
    now: Instant,
) -> Content {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let (title, mut sections) = (viewer.t("Webhooks", "Webhooks"), Vec::new());
    let subtitle = viewer.t(
        "Como estão os endereços dos clientes; êxito das últimas 24 horas.",
        "How the endpoints of clients stand; success of the last 24 hours.",
    );
    let Some(mut all) = standing else {
        let sentence = viewer
            .t("Este serviço não envia webhooks agora.", "This service sends no webhooks now.");
        return Content { title, subtitle, sections: vec![Section::Note(sentence)] };
    };
    let is_off = |(account, standing): &(String, Standing)| off(state, account, standing).is_some();
    all.sort_by_key(|one| {
        let trouble = (is_off(one), one.1.endpoint.failing_since.is_some());
        (std::cmp::Reverse((trouble, one.1.backlog)), one.0.clone())
    });
    let sum = |of: &dyn Fn(&(String, Standing)) -> u64| all.iter().map(of).sum::<u64>();
    let figure = |name: String, number: u64| Figure {
        name,
        value: Cell::text(count(number, lang)),
        note: String::new(),
    };
    let failing = |one: &(String, Standing)| {
        u64::from(!is_off(one) && one.1.endpoint.failing_since.is_some())
    };
    sections.push(Section::Figures(vec![
        figure(viewer.t("Desligados", "Switched off"), sum(&|one| u64::from(is_off(one)))),
        figure(viewer.t("Falhando", "Failing"), sum(&failing)),
        figure(viewer.t("Eventos na fila", "Events waiting"), sum(&|one| one.1.backlog)),
    ]));
    let nothing = viewer.t("Nada foi enviado ainda.", "Nothing was sent yet.");
    let mut table = Table::new("", nothing)
        .column(lang.t("Conta", "Account"))
        .column(lang.t("Situação", "Status"))
        .numbers(lang.t("Êxito, 24 h", "Success, 24 h"))
        .column(lang.t("Último erro", "Last error"))
        .numbers(lang.t("Na fila", "Waiting"))
        .numbers(lang.t("O mais antigo", "The oldest"));
    table.rows.extend(all.iter().take(MOST).map(|(account, standing)| {
        vec![
            Cell::text(&**account).to(address(viewer, account)),
            condition(viewer, off(state, account, standing), standing),
            Cell::number(success(standing)),
            last_error(viewer, standing),
            Cell::number(count(standing.backlog, lang)),
            Cell::number(standing.oldest.map(|at| age(at, now)).unwrap_or_default()),
        ]
    }));
    if all.len() > MOST {
        let text =
            viewer.t("São mostrados os 200 em pior estado, de", "The worst 200 are shown, of");
        sections.push(Section::Note(format!("{text} {}.", count(all.len() as u64, lang))));
    }
    sections.push(Section::Table(table));
    Content { title, subtitle, sections }
}
