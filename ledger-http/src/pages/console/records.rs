//! Records: the latest, one with its proof, and the way from an id to what it names.

use axum::extract::{Path, State};
use axum::http::header::LOCATION;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use ledger_core::id::{OpId, Seq};
use ledger_core::ledger::{Archive as _, ExternalId, Scope};
use ledger_store::sequencer::Sequencer;

use super::frame::{Content, Frame};
use crate::pages::format::local;
use crate::pages::html::nothing_here;
use crate::pages::layout::{Cell, Section, Table};
use crate::pages::ledger::viewer::Viewer;
use crate::pages::ledger::{record, words};
use crate::service::Service;
use ledger_core::hexadecimal::digits;

/// How many records stand on a page.
const MOST: u64 = 50;

/// `GET /{ledger}/records?before=…`.
pub(super) async fn list(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    match Frame::of(service, head, &ledger, "records") {
        Ok(frame) => frame.read(latest).await,
        Err(response) => *response,
    }
}

fn latest(frame: &Frame, sequencer: &Sequencer) -> Option<Content> {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let ledger = sequencer.ledger();
    let last = ledger.state.seq.0;
    let from = frame.number("before").map_or(last, |before| before.saturating_sub(1).min(last));
    let first = from.saturating_sub(MOST) + 1;
    let mut table = Table::new("", viewer.t("Nenhum registro ainda.", "No record yet."))
        .numbers(lang.t("Registro", "Record"))
        .column(lang.t("Quando, Brasília", "When, Brasília"))
        .column(lang.t("Eventos", "Events"))
        .column(lang.t("Operação", "Operation"))
        .column(lang.t("Elo", "Link"));
    for seq in (first..=from).rev() {
        let record = ledger.archive.record(Seq(seq))?;
        let names: Vec<String> = record.events.iter().map(words::event).collect();
        let op = record.events.iter().find_map(ledger_core::ledger::Event::op);
        let op = op.map(|op| viewer.operation_cell(&op.text(&ledger.state.name)));
        let link = sequencer.evidence(seq).map(|evidence| digits(&evidence.after.0[..8]));
        table.rows.push(vec![
            viewer.record_cell(seq),
            Cell::text(local(record.at, lang)),
            Cell::text(names.join(", ")),
            op.unwrap_or_default(),
            Cell::code(link.map_or_else(String::new, |link| format!("{link}…"))),
        ]);
    }
    if first > 1 {
        let name = viewer.t("Registros anteriores", "Earlier records");
        table.next = Some((name, format!("{}/records?before={first}", viewer.base)));
    }
    let sections = vec![search(viewer, ""), Section::Table(table)];
    Some(Content { title: viewer.t("Registros", "Records"), subtitle: String::new(), sections })
}

/// `GET /{ledger}/records/{seq}`.
pub(super) async fn one(
    State(service): State<Service>,
    Path((ledger, seq)): Path<(String, String)>,
    head: Parts,
) -> Response {
    let shown = move |frame: &Frame, sequencer: &Sequencer| {
        let seq = seq.parse().ok()?;
        let sections = record::sections(sequencer, seq, &frame.viewer)?;
        let title = format!("{} {seq}", frame.viewer.t("Registro", "Record"));
        Some(Content { title, subtitle: String::new(), sections })
    };
    match Frame::of(service, head, &ledger, "records") {
        Ok(frame) => frame.read(shown).await,
        Err(response) => *response,
    }
}

/// The field that leads to whatever an id names.
pub(super) fn search(viewer: &Viewer, value: &str) -> Section {
    Section::Search {
        label: viewer
            .t("Operação, registro, conta ou ID de PIX", "Operation, record, account or PIX id"),
        action: format!("{}/find", viewer.base),
        name: "q".to_owned(),
        value: value.to_owned(),
        go: viewer.t("Abrir", "Open"),
    }
}

/// `GET /{ledger}/find?q=…`.
pub(super) async fn find(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    let frame = match Frame::of(service, head, &ledger, "") {
        Ok(frame) => frame,
        Err(response) => return *response,
    };
    let asked = frame.asked("q").unwrap_or_default().trim().to_owned();
    let (viewer, of) = (frame.viewer.clone(), frame.ledger().clone());
    let (text, to) = (asked.clone(), viewer.clone());
    match of.read(move |sequencer| found(sequencer, &text, &to)).await {
        Ok(Some(path)) => {
            let mut response = Response::default();
            *response.status_mut() = StatusCode::SEE_OTHER;
            let path = HeaderValue::try_from(path).expect("a path of ours is visible ASCII");
            response.headers_mut().insert(LOCATION, path);
            response
        }
        Ok(None) => {
            let title = viewer.t("Nada encontrado", "Nothing found");
            let sections = vec![search(&viewer, &asked)];
            let nothing = Content { title, subtitle: asked, sections };
            frame.summed(move |_, _| nothing).await
        }
        Err(_) => nothing_here(&frame.head),
    }
}

/// Where that is which a text names.
fn found(sequencer: &Sequencer, text: &str, viewer: &Viewer) -> Option<String> {
    let ledger = sequencer.ledger();
    if let Some(op) = OpId::parse(text, &ledger.state.name) {
        sequencer.trail(op)?;
        return Some(viewer.operation(text));
    }
    if let Ok(seq) = text.parse::<u64>() {
        return (1..=ledger.state.seq.0).contains(&seq).then(|| viewer.record(seq));
    }
    if ledger.state.account_named(text).is_some() {
        return Some(viewer.account(text, None));
    }
    let mut scopes = [Scope::ReceivedPix, Scope::SentPix].into_iter();
    let seq = scopes.find_map(|scope| ledger.archive.seen(&ExternalId { scope, id: text.into() }));
    seq.map(|seq| viewer.record(seq.0))
}
