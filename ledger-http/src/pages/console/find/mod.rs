//! Find: the box on every page, and what it leads to.

pub(super) mod certificate;
pub(super) mod person;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::Response;
use serde_json::{Value, json};

use super::frame::{Content, Frame};
use super::guard::operator_of;
use crate::ledgers::OpenLedger;
use crate::operation::lines::SearchNote;
use crate::pages::format::{brl, count};
use crate::pages::forms::see;
use crate::pages::html::{accepts, away};
use crate::pages::layout::{Cell, Section, Table};
use crate::pages::ledger::viewer::{Viewer, form_encode, segment};
use crate::pages::ledger::words;
use crate::search::{HITS, HitTarget, RECORDS, Search, SearchResult};
use crate::service::Service;

/// The most letters of a text that is searched.
const LONGEST: usize = 256;

/// What a search of one ledger, and of the requests that are remembered, has found.
struct Results {
    found: Vec<SearchResult>,
    /// The ids of requests, where the text is one's.
    requests: bool,
    more: bool,
}

/// `GET /{ledger}/find?q=…`: a page, or JSON for whoever accepts that.
pub(super) async fn view(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    let frame = match Frame::for_ledger(service, head, &ledger, "") {
        Ok(frame) => frame,
        Err(response) => return *response,
    };
    let asked: String = frame.filter_value("q").unwrap_or_default().chars().take(LONGEST).collect();
    let ledger = Arc::clone(frame.ledger());
    let Some(results) = search_ledger(&frame, &ledger, &asked).await else {
        return away(&frame.head);
    };
    if accepts(&frame.head, "application/json") {
        return as_json(&frame, &results);
    }
    if let ([only], false, false) = (&results.found[..], results.more, results.requests) {
        return see(&address(only, &frame.viewer));
    }
    frame.render_committed(move |frame, _| content(frame, &results, &asked)).await
}

/// Searches one ledger, and says in the log who did.
async fn search_ledger(frame: &Frame, ledger: &OpenLedger, text: &str) -> Option<Results> {
    let service = &frame.service;
    let mut search = Search::new(text, ledger.tokens());
    let first = ledger.read(move |sequencer| {
        search.begin(sequencer);
        search
    });
    let mut search = first.await.ok()?;
    loop {
        let (goes_on, next) =
            ledger.read(move |sequencer| (search.go_on(sequencer), search)).await.ok()?;
        search = next;
        if !goes_on {
            break;
        }
    }
    let (found, search) =
        ledger.read(move |sequencer| (search.results(sequencer), search)).await.ok()?;
    let recent = service.parts().recent.all();
    let requests = recent.iter().any(|access| access.request_id == text);
    if !text.is_empty() {
        service.parts().access_log.note_search(&SearchNote {
            at: service.now(),
            operator: operator_of(service, &frame.head).await.map(|operator| operator.name),
            text: ledger.tokens().line(text),
            person: search.names_a_person(),
            hits: found.len(),
        });
    }
    Some(Results { found, requests, more: search.more })
}

fn address(found: &SearchResult, viewer: &Viewer) -> String {
    match &found.place {
        HitTarget::Operation(_) => {
            viewer.operation(found.operation.as_ref().map_or("", |(_, id)| id.as_str()))
        }
        HitTarget::Record(seq) => viewer.record(*seq),
        HitTarget::Account(account) => viewer.account(account, None),
        HitTarget::Customer { account, customer } => viewer.account(account, Some(customer)),
    }
}

fn content(frame: &Frame, results: &Results, asked: &str) -> Content {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let nothing = viewer.t("Nada encontrado.", "Nothing found.");
    let mut table = Table::new("", nothing)
        .column(lang.t("O quê", "What"))
        .column(lang.t("Tipo", "Kind"))
        .column(lang.t("Conta", "Account"))
        .numbers(lang.t("Valor", "Amount"))
        .column(lang.t("Situação", "Status"))
        .column(lang.t("Encontrado por", "Found by"));
    table.rows.extend(results.found.iter().map(|found| {
        let (kind, name) = match (&found.place, &found.operation) {
            (_, Some((kind, id))) => (words::kind(*kind, lang).to_owned(), id.clone()),
            (HitTarget::Record(seq), _) => (viewer.t("Registro", "Record"), seq.to_string()),
            (HitTarget::Customer { customer, .. }, _) => {
                (viewer.t("Cliente", "Customer"), customer.clone())
            }
            _ => (viewer.t("Conta", "Account"), found.account.clone()),
        };
        let (pt, en) = found.by.name();
        vec![
            Cell::code(name).to(address(found, viewer)),
            Cell::text(kind),
            Cell::text(&*found.account),
            Cell::number(found.cents.map(|cents| brl(cents.into(), lang)).unwrap_or_default()),
            Cell::code(&*found.status),
            Cell::text(lang.t(pt, en)),
        ]
    }));
    let mut sections = vec![Section::Table(table)];
    if results.more {
        let text = lang.t(
            "Há mais: são mostrados até {hits}, e olhados os últimos {records} registros.",
            "There is more: {hits} are shown at most, and the last {records} records looked at.",
        );
        let text = text.replace("{hits}", &count(HITS as u64, lang));
        sections.push(Section::Note(text.replace("{records}", &count(RECORDS, lang))));
    }
    let mut rows = Vec::new();
    if results.requests {
        let href = format!("{}/requests?id={}", viewer.base, form_encode(asked));
        rows.push((viewer.t("Requisição", "Request"), Cell::code(asked).to(href)));
    }
    let others = frame.service.ledgers().all().map(|ledger| ledger.label().to_owned());
    rows.extend(others.filter(|label| *label != frame.ledger().label()).map(|label| {
        let href = format!("/{}/find?q={}", segment(&label), form_encode(asked));
        (viewer.t("O mesmo em", "The same in"), Cell::text(label).to(href))
    }));
    if !rows.is_empty() {
        sections.push(Section::Facts { title: String::new(), rows });
    }
    let title = if results.found.is_empty() && !results.requests {
        viewer.t("Nada encontrado", "Nothing found")
    } else {
        viewer.t("Busca", "Search")
    };
    Content { title, subtitle: asked.to_owned(), sections }
}

fn as_json(frame: &Frame, results: &Results) -> Response {
    let hits = results.found.iter().map(|found| {
        let mut hit = found.json();
        hit["path"] = address(found, &frame.viewer).into();
        hit
    });
    json(&json!({ "items": hits.collect::<Vec<_>>(), "more": results.more }))
}

/// An answer to whoever accepts JSON, which nobody keeps.
fn json(body: &Value) -> Response {
    let mut response = Response::new(Body::from(body.to_string()));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
