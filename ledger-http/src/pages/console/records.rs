//! Records: the latest, and one with its proof.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::id::Seq;
use ledger_core::ledger::Archive as _;
use ledger_store::sequencer::Sequencer;

use super::frame::{Content, Frame};
use crate::pages::format::local;
use crate::pages::layout::{Cell, Section, Table};
use crate::pages::ledger::{record, words};
use crate::service::Service;
use ledger_core::hexadecimal::digits;

/// How many records stand on a page.
const MOST: u64 = 50;

/// Answers `GET /{ledger}/records?before=…`: the latest records.
pub(super) async fn list(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    match Frame::for_ledger(service, head, &ledger, "records") {
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
    let sections = vec![Section::Table(table)];
    Some(Content { title: viewer.t("Registros", "Records"), subtitle: String::new(), sections })
}

/// Answers `GET /{ledger}/records/{seq}`: one record with its proof.
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
    match Frame::for_ledger(service, head, &ledger, "records") {
        Ok(frame) => frame.read(shown).await,
        Err(response) => *response,
    }
}
