//! The inbox as a file: what an address shows, all of it.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::contract::set_aside_word;
use ledger_store::projection::{QueryColumn, QueryRows, QueryValue};

use super::Inbox;
use super::rows::{Named, fetch_names};
use crate::pages::console::frame::Frame;
use crate::pages::csv;
use crate::pages::html::{apology, away, file};
use crate::service::Service;

/// How many rows a file has at most.
const MOST_IN_FILE: usize = 10_000;

/// `GET /{ledger}/waiting.csv`: what the same address shows, all of it.
pub(in crate::pages::console) async fn download(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    let (frame, inbox) = match Inbox::open((service, &ledger), head).await {
        Ok(opened) => opened,
        Err(response) => return *response,
    };
    if inbox.items.len() > MOST_IN_FILE {
        let lang = frame.viewer.lang;
        let sentence = lang.t(
            "São mais de 10.000 linhas: restrinja o filtro.",
            "There are more than 10,000 rows: narrow the filter.",
        );
        let title = lang.t("Sem arquivo", "No file");
        return apology(&frame.head, StatusCode::UNPROCESSABLE_ENTITY, title, sentence);
    }
    let ops = inbox.items.iter().map(|item| item.op).collect();
    let Some(names) = fetch_names(&frame, ops).await else { return away(&frame.head) };
    let found = in_columns(&frame, &inbox, &names);
    file(csv::render(&found), "text/csv; charset=utf-8", "waiting.csv")
}

const COLUMNS: [&str; 17] = [
    "operation",
    "kind",
    "account",
    "customer",
    "external_id",
    "about",
    "commodity",
    "amount",
    "created_at",
    "age_seconds",
    "reason",
    "why",
    "set_aside",
    "pix",
    "payer",
    "with",
    "note",
];

fn in_columns(frame: &Frame, inbox: &Inbox, names: &[Named]) -> QueryRows {
    let lang = frame.viewer.lang;
    let rows = inbox.items.iter().zip(names).map(|(item, named)| {
        let text = |text: &str| QueryValue::Text(text.to_owned());
        let aside = named.aside.as_ref();
        let seconds = inbox.now.since(item.since).micros() / 1_000_000;
        vec![
            text(&named.id),
            text(item.op.kind().name()),
            text(named.account(item).unwrap_or_default()),
            text(&named.customer),
            text(&named.external_id),
            text(&named.about),
            text(&item.commodity),
            QueryValue::Number(item.sum.plain()),
            text(&item.since.to_string()),
            QueryValue::Number(seconds.to_string()),
            text(item.reason.name()),
            text(&named.why(item, lang)),
            text(aside.and_then(|aside| aside.reason).map_or("", set_aside_word)),
            text(aside.map_or("", |aside| &aside.outside)),
            text(aside.map_or("", |aside| &aside.payer)),
            text(item.assignment.as_ref().and_then(|it| it.with.as_deref()).unwrap_or_default()),
            text(item.assignment.as_ref().map_or("", |it| &it.note)),
        ]
    });
    let columns = COLUMNS.map(|name| QueryColumn { name: name.to_owned() }).to_vec();
    QueryRows { columns, rows: rows.collect(), more: false }
}
