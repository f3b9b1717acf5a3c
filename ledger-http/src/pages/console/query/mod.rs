//! Query: the tables in SQL, as an operator writes it. The query stands in the address, so that a
//! view is a link; its result is a table, a chart where it has one, and a file of CSV.

mod drawing;
mod examples;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::ledger::State as Ledger;
use ledger_store::projection::{QueryBounds, QueryError, QueryRows, QueryValue, readable_tables};

use super::frame::{Content, Frame};
use crate::operation::with_causes;
use crate::pages::csv;
use crate::pages::format::count;
use crate::pages::html::{apology, away, file};
use crate::pages::layout::{Cell, Section, Table};
use crate::pages::ledger::viewer::{Viewer, form_encode};
use crate::queries::{Busy, PAGE, Queries, WHOLE};
use crate::service::Service;

/// What came of a query.
type Answer = Result<Result<QueryRows, QueryError>, Busy>;

/// Answers `GET /{ledger}/query?sql=…`: the form, and the rows of its query.
pub(super) async fn view(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    match Frame::for_ledger(service, head, &ledger, "query") {
        Ok(frame) => frame.render_committed(content).await,
        Err(response) => *response,
    }
}

/// `GET /{ledger}/query.csv?sql=…`: the whole result, or a page that says why there is none.
pub(super) async fn download(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    let frame = match Frame::for_ledger(service, head, &ledger, "query") {
        Ok(frame) => frame,
        Err(response) => return *response,
    };
    let (queries, sql) = (frame.service.parts().queries.clone(), frame.query_value("sql"));
    let (Some(queries), Some(sql)) = (queries, sql) else {
        return crate::pages::html::nothing_here(&frame.head);
    };
    let asked = tokio::task::spawn_blocking(move || queries.ask(&sql, WHOLE));
    let Ok(answer) = asked.await else { return away(&frame.head) };
    let viewer = &frame.viewer;
    let why = match answer {
        Ok(Ok(found)) if !found.more => {
            return file(csv::render(&found), "text/csv; charset=utf-8", "query.csv");
        }
        Ok(Ok(_)) => too_much(viewer, WHOLE),
        Ok(Err(error)) => sentence(viewer, &error),
        Err(Busy) => busy(viewer),
    };
    let title = viewer.t("Sem arquivo", "No file");
    apology(&frame.head, StatusCode::UNPROCESSABLE_ENTITY, &title, &why)
}

fn content(frame: &Frame, state: &Ledger) -> Content {
    let viewer = &frame.viewer;
    let sql = frame.query_value("sql").unwrap_or_default();
    let mut sections = vec![Section::Writing {
        label: viewer.t("Consulta em SQL, só de leitura", "Query in SQL, read-only"),
        action: format!("{}/query", viewer.base),
        name: "sql".to_owned(),
        value: sql.clone(),
        go: viewer.t("Consultar", "Ask"),
    }];
    let queries = frame.service.parts().queries.as_ref();
    if let Some(queries) = queries.filter(|_| !sql.trim().is_empty()) {
        sections.extend(result_sections(viewer, &sql, queries.ask(&sql, PAGE)));
    }
    sections.push(stand(frame, state, queries));
    sections.push(examples::links(frame));
    sections.push(tables(viewer));
    let subtitle = viewer.t(
        "As tabelas da projeção, na linguagem do banco; cada consulta fica no endereço.",
        "The tables of the projection, in the database's language; a query stands in the address.",
    );
    Content { title: viewer.t("Consulta", "Query"), subtitle, sections }
}

/// How far the tables are, or how they are made.
fn stand(frame: &Frame, state: &Ledger, queries: Option<&Queries>) -> Section {
    let viewer = &frame.viewer;
    let how = || Section::Verbatim {
        title: viewer.t("Ainda não há tabelas", "There are no tables yet"),
        text: "custody-ledger project STORE --follow\ncustody-ledger serve --store STORE \
                   --console-listen ADDRESS --console-query-store STORE"
            .to_owned(),
    };
    let Some(queries) = queries else { return how() };
    match queries.tables_at(&state.name) {
        Ok(Some(at)) => {
            let lang = viewer.lang;
            let behind = state.seq.0.saturating_sub(at);
            let text = match behind {
                0 => viewer.t("em dia", "up to date"),
                records => format!(
                    "{} {}",
                    count(records, lang),
                    lang.t("registros atrás do livro", "records behind the ledger")
                ),
            };
            let rows = vec![
                (viewer.t("Tabelas até o registro", "Tables up to record"), viewer.record_cell(at)),
                (viewer.t("Frescor", "Freshness"), Cell::text(text)),
            ];
            Section::Facts { title: String::new(), rows }
        }
        Ok(None) => how(),
        Err(error) => Section::Verbatim {
            title: viewer.t("As tabelas não podem ser lidas", "The tables cannot be read"),
            text: with_causes(&error),
        },
    }
}

/// The result, or why there is none.
fn result_sections(viewer: &Viewer, sql: &str, answer: Answer) -> Vec<Section> {
    let found = match answer {
        Ok(Ok(found)) => found,
        Ok(Err(error)) => {
            let title = viewer.t("Sem resultado", "No result");
            return vec![Section::Verbatim { title, text: sentence(viewer, &error) }];
        }
        Err(Busy) => return vec![Section::Note(busy(viewer))],
    };
    let mut sections = drawing::charts(viewer, &found);
    let rows = count(found.rows.len() as u64, viewer.lang);
    let title = if found.more {
        format!("{} {rows}", viewer.t("As primeiras linhas:", "The first rows:"))
    } else {
        format!("{} {rows}", viewer.t("Linhas:", "Rows:"))
    };
    let mut table = Table::new(title, viewer.t("Nenhuma linha.", "No rows."));
    for (place, column) in found.columns.iter().enumerate() {
        table = if is_numeric(&found, place) {
            table.numbers(&column.name)
        } else {
            table.column(&column.name)
        };
    }
    let cell = |(place, value): (usize, &QueryValue)| value_cell(viewer, &found, place, value);
    let rows = found.rows.iter().map(|row| row.iter().enumerate().map(cell).collect());
    let mut table = table.rows(rows);
    if !found.rows.is_empty() {
        let href = format!("{}/query.csv?sql={}", viewer.base, form_encode(sql));
        table.next = Some((viewer.t("Baixar tudo em CSV", "Download all of it as CSV"), href));
    }
    if found.more {
        sections.push(Section::Note(too_much(viewer, PAGE)));
    }
    sections.push(Section::Table(table));
    sections
}

/// Tells whether a column has numbers, and nothing else.
fn is_numeric(found: &QueryRows, column: usize) -> bool {
    let mut values = found.rows.iter().map(|row| &row[column]);
    values.clone().any(|value| matches!(value, QueryValue::Number(_)))
        && values.all(|value| !matches!(value, QueryValue::Text(_)))
}

/// A value; what it leads to, where its column is one of the tables' own.
fn value_cell(viewer: &Viewer, found: &QueryRows, column: usize, value: &QueryValue) -> Cell {
    let name = &*found.columns[column].name;
    match value {
        QueryValue::Null => Cell::default(),
        QueryValue::Number(text) => match (name, text.parse()) {
            ("seq" | "created_seq" | "last_seq", Ok(seq)) if seq > 0 => viewer.record_cell(seq),
            _ => Cell::number(text.replace('-', "\u{2212}")),
        },
        QueryValue::Text(text) if name == "operation" => {
            Cell::code(text).to(viewer.operation(&crate::pages::ledger::viewer::segment(text)))
        }
        QueryValue::Text(text) => Cell::text(text),
    }
}

/// The tables that may be asked, with their columns.
fn tables(viewer: &Viewer) -> Section {
    let rows = readable_tables().map(|table| {
        let columns = table.columns.iter().map(|column| column.name);
        let columns: Vec<_> = std::iter::once("ledger").chain(columns).collect();
        (table.name.to_owned(), Cell::code(columns.join(", ")))
    });
    Section::Facts {
        title: viewer.t("Tabelas e colunas", "Tables and columns"),
        rows: rows.collect(),
    }
}

fn too_much(viewer: &Viewer, bounds: QueryBounds) -> String {
    let rows = count(bounds.rows as u64, viewer.lang);
    let mebibytes = bounds.bytes / (1024 * 1024);
    viewer
        .t(
            "O resultado passa de {rows} linhas ou {bytes} MiB: restrinja a consulta.",
            "The result has more than {rows} rows or {bytes} MiB: narrow the query.",
        )
        .replace("{rows}", &rows)
        .replace("{bytes}", &mebibytes.to_string())
}

fn busy(viewer: &Viewer) -> String {
    viewer.t(
        "Outras consultas estão em curso. Tente de novo em alguns segundos.",
        "Other queries are under way. Try again in some seconds.",
    )
}

/// Why a query has no result, as the database says it.
fn sentence(viewer: &Viewer, error: &QueryError) -> String {
    match error {
        QueryError::NoTables => viewer.t("Ainda não há tabelas.", "There are no tables yet."),
        QueryError::Tables(error) => with_causes(error),
        other => other.to_string(),
    }
}
