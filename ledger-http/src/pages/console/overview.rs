//! Overview: where the ledger stands, what is open, what waits for a person, what was refused.

use std::collections::BTreeMap;

use axum::extract::{Path, State};
use axum::http::header::LOCATION;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use ledger_core::accounting::Control;
use ledger_core::contract::Environment;
use ledger_core::ledger::State as Ledger;
use ledger_store::engine::EngineStatus;

use super::books::entries_of;
use super::frame::{Content, Frame};
use super::inbox;
use super::operations::kinds;
use crate::pages::chart::{Bar, bars};
use crate::pages::format::{age, brl, count, local};
use crate::pages::layout::{Cell, Figure, Section};
use crate::pages::ledger::viewer::segment;
use crate::pages::ledger::words;
use crate::service::Service;
use ledger_core::hexadecimal::digits;

/// `GET /`: the ledger of real money, or of several the first.
pub(super) async fn home(State(service): State<Service>) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::SEE_OTHER;
    let live = service.ledgers().each_of(Environment::Live).next();
    let first =
        live.map_or_else(|| "/live/".to_owned(), |live| format!("/{}/", segment(live.label())));
    let first = HeaderValue::try_from(first).unwrap_or(HeaderValue::from_static("/live/"));
    response.headers_mut().insert(LOCATION, first);
    response
}

/// Answers `GET /{ledger}/`: the overview of one ledger.
pub(super) async fn view(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    match Frame::for_ledger(service, head, &ledger, "") {
        Ok(frame) => frame.refreshing().render_committed(content).await,
        Err(response) => *response,
    }
}

fn content(frame: &Frame, state: &Ledger) -> Content {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let kinds = kinds(state);
    let mut sections = vec![figures(frame, state)];
    if !kinds.is_empty() {
        let drawn: Vec<Bar> = kinds
            .iter()
            .map(|(kind, open)| Bar {
                name: words::kind(*kind, lang).to_owned(),
                value: i128::from(*open),
                shown: count(*open, lang),
            })
            .collect();
        let title = viewer.t("Operações abertas", "Open operations");
        let svg = bars(&title, &drawn);
        sections.push(Section::Chart { title, svg });
    }
    let refused = refusal_bars(frame);
    if !refused.is_empty() {
        let title = viewer.t("Recusas nas últimas requisições", "Refusals among the last requests");
        let svg = bars(&title, &refused);
        sections.push(Section::Chart { title, svg });
    }
    sections.push(engine_status(frame, state));
    Content { title: viewer.t("Visão geral", "Overview"), subtitle: String::new(), sections }
}

/// The four numbers that an operator looks at first.
fn figures(frame: &Frame, state: &Ledger) -> Section {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let now = frame.service.now().max(state.now);
    let inbox = inbox::all(state, &frame.service.parts().hanging, now);
    let hanging = inbox.iter().filter(|item| item.hangs()).count() as u64;
    let oldest = inbox.first().map_or_else(String::new, |item| {
        let (hang, oldest) =
            (viewer.t("paradas", "hang"), viewer.t("a mais antiga:", "the oldest:"));
        format!("{} {hang} · {oldest} {}", count(hanging, lang), age(item.since, now))
    });
    let owed: i128 = [Control::Available, Control::Held, Control::Frozen]
        .into_iter()
        .map(|control| state.books.net_credit(control))
        .sum();
    let to = |path: &str| format!("{}/{path}", viewer.base);
    let figure = |name: String, text: String, href: String, note: String| Figure {
        name,
        value: Cell::text(text).to(href),
        note,
    };
    let open = state.open_operations().count() as u64;
    Section::Figures(vec![
        figure(
            viewer.t("Devido a clientes", "Owed to customers"),
            brl(owed, lang),
            entries_of(viewer, "cust.avail", ""),
            viewer.t("disponível e bloqueado", "available and blocked"),
        ),
        figure(
            viewer.t("Operações abertas", "Open operations"),
            count(open, lang),
            to("operations"),
            String::new(),
        ),
        figure(
            viewer.t("Pendências", "Inbox"),
            count(inbox.len() as u64, lang),
            to("waiting"),
            oldest,
        ),
        figure(
            viewer.t("Registros", "Records"),
            count(state.seq.0, lang),
            to("records"),
            String::new(),
        ),
    ])
}

/// Refusals among the requests that are remembered, by their code.
fn refusal_bars(frame: &Frame) -> Vec<Bar> {
    let mut codes: BTreeMap<String, u64> = BTreeMap::new();
    let of = |access: &crate::Access| access.environment == Some(frame.ledger().environment());
    for access in frame.service.parts().recent.all().into_iter().filter(of) {
        if let Some(code) = access.code {
            *codes.entry(code).or_default() += 1;
        }
    }
    let mut codes: Vec<(String, u64)> = codes.into_iter().collect();
    codes.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
    let shown = codes.into_iter().take(10);
    let lang = frame.viewer.lang;
    shown
        .map(|(name, number)| Bar { name, value: number.into(), shown: count(number, lang) })
        .collect()
}

/// The head of the chain, and what the engine does.
fn engine_status(frame: &Frame, state: &Ledger) -> Section {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let engine = frame.ledger().engine();
    let status = match engine.status() {
        EngineStatus::Writing => Cell::text(viewer.t("escreve", "writing")),
        EngineStatus::Failing(_) => Cell::mark(viewer.t("não grava", "writing fails")),
        EngineStatus::LeaseLapsed => Cell::mark(viewer.t("arrendamento vencido", "lease lapsed")),
        EngineStatus::Fenced { .. } => Cell::mark(viewer.t("substituída", "fenced")),
        _ => Cell::mark(viewer.t("parada", "stopped")),
    };
    let counters = engine.counters();
    let mut rows = vec![(viewer.t("Máquina do livro", "Engine"), status)];
    let doubted = ("não acreditado", "not believed");
    let set_back = ("atrasado", "set back");
    let doubt = frame.service.clock_doubt().map(|doubt| (doubted, doubt));
    let fault = doubt.or_else(|| Some((set_back, frame.service.clock_set_back()?)));
    if let Some(((pt, en), doubt)) = fault {
        let how = viewer.t("lê / esperado", "reads / expected");
        let text = format!("{} ({how}): {} / {}", viewer.t(pt, en), doubt.reads, doubt.expected);
        rows.push((viewer.t("Relógio", "Clock"), Cell::mark(text)));
    }
    if let Ok(head) = engine.head() {
        let text = format!("{} · {}", head.seq, digits(&head.link.0));
        let cell = Cell::code(text).to(viewer.record(head.seq));
        rows.push((viewer.t("Fim da cadeia", "Head of the chain"), cell));
    }
    let mut row = |pt, en, text: String| rows.push((viewer.t(pt, en), Cell::text(text)));
    row("Hora do livro, Brasília", "Ledger's time, Brasília", local(state.now, lang));
    let next = state.deadlines().next();
    let next = next.map_or_else(|| "–".to_owned(), |(at, ..)| local(at, lang));
    row("Próximo prazo", "Next deadline", next);
    row("Contas", "Accounts", count(state.accounts().count() as u64, lang));
    let asked = format!(
        "{} · {} {}",
        count(counters.commands, lang),
        count(counters.refusals, lang),
        lang.t("recusados", "refused"),
    );
    row("Comandos desde o início", "Commands since the start", asked);
    let mean = counters.writing_micros.checked_div(counters.commits).unwrap_or(0);
    let commits = format!("{} · {} µs", count(counters.commits, lang), count(mean, lang));
    row("Gravações, tempo médio", "Commits, mean time", commits);
    row("Na fila", "In the queue", count(counters.queued, lang));
    Section::Facts { title: viewer.t("Como está", "How it stands"), rows }
}
