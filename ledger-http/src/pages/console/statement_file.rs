//! The statement of an account or a customer for a period, to print or to keep: a page, CSV, OFX.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use ledger_store::days::{Period, Span};
use ledger_store::sequencer::Sequencer;

use super::frame::Frame;
use crate::pages::html::{apology, away, file, nothing_here, page};
use crate::pages::layout::{Choice, Section};
use crate::pages::ledger::statement::Whose;
use crate::pages::period::{PeriodStatement, StatementFormat, StatementOf};
use crate::service::Service;

/// How many rows one read takes.
const TURN: u32 = 250;
/// How many rows a file has at most.
const ROWS: u32 = 10_000;

/// Answers `GET /{ledger}/accounts/{name}/statement/file?customer=…&from=…&to=…&as=…`.
pub(super) async fn download(
    State(service): State<Service>,
    Path((ledger, name)): Path<(String, String)>,
    head: Parts,
) -> Response {
    let frame = match Frame::for_ledger(service, head, &ledger, "accounts") {
        Ok(frame) => frame,
        Err(response) => return *response,
    };
    let lang = frame.viewer.lang;
    let asked = |name| frame.query_value(name).unwrap_or_default();
    let span = Span::parse(asked("from").trim(), asked("to").trim(), Period::Day);
    let (Some(span), Some(format)) = (span, StatementFormat::parse(&asked("as"))) else {
        let sentence = lang.t(
            "Datas são como 2026-11-20, meses como 2026-11; o formato é html, csv ou ofx.",
            "Dates are like 2026-11-20, months like 2026-11; the format is html, csv or ofx.",
        );
        return sorry(&frame, StatusCode::BAD_REQUEST, sentence);
    };
    let (ledger, customer) = (Arc::clone(frame.ledger()), frame.query_value("customer"));
    let begun = ledger.read(move |sequencer| {
        let (account, customer) = (&*name, customer.as_deref());
        let of = StatementOf { account, customer, span, institution: None };
        PeriodStatement::begin(sequencer, &of, lang)
    });
    let mut statement = match begun.await {
        Ok(Some(statement)) => statement,
        Ok(None) => return nothing_here(&frame.head),
        Err(_) => return away(&frame.head),
    };
    if statement.rows() > ROWS {
        let sentence = lang.t(
            "São mais de 10.000 linhas: peça menos dias.",
            "There are more than 10,000 rows: ask for fewer days.",
        );
        return sorry(&frame, StatusCode::UNPROCESSABLE_ENTITY, sentence);
    }
    loop {
        let next = ledger.read(move |sequencer| (statement.go_on(sequencer, TURN), statement));
        let Ok((goes_on, next)) = next.await else { return away(&frame.head) };
        statement = next;
        if !goes_on {
            break;
        }
    }
    if format == StatementFormat::Html {
        return page(&frame.head, StatusCode::OK, &statement.page());
    }
    let (name, content_type) = format.file();
    file(statement.to_bytes(format), content_type, name)
}

fn sorry(frame: &Frame, status: StatusCode, sentence: &str) -> Response {
    let title = frame.viewer.lang.t("Sem arquivo", "No file");
    apology(&frame.head, status, title, sentence)
}

/// The form that asks for it, of the month of the last record unless other days are written in.
pub(super) fn form(frame: &Frame, sequencer: &Sequencer, whose: &Whose) -> Section {
    let viewer = &frame.viewer;
    let today = sequencer.ledger().state.now.day_in_brasilia().to_string();
    let text = |name, label, value: &str| Choice {
        name,
        label,
        value: value.to_owned(),
        options: Vec::new(),
    };
    let formats = vec![
        ("html".to_owned(), viewer.t("página, para imprimir", "page, to print")),
        ("csv".to_owned(), "CSV".to_owned()),
        ("ofx".to_owned(), "OFX".to_owned()),
    ];
    let customer = whose.customer.as_deref().unwrap_or_default();
    let path = viewer.statement(&whose.name, None);
    Section::Filter {
        action: format!("{path}/file"),
        fields: vec![
            text("customer", viewer.t("Cliente", "Customer"), customer),
            text("from", viewer.t("De", "From"), &format!("{}-01", &today[..7])),
            text("to", viewer.t("Até", "To"), &today),
            Choice { options: formats, ..text("as", viewer.t("Como", "As"), "html") },
        ],
        go: viewer.t("Extrato do período", "Statement of the period"),
    }
}
