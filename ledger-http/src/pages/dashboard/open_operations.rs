//! The operations of an account that have not ended, the latest first.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::contract::Words;
use ledger_core::id::AccountId;
use ledger_core::ledger::State as Ledger;

use super::visit::Visit;
use crate::pages::format::{age, count, local};
use crate::pages::layout::{Cell, Section, Table};
use crate::pages::ledger::viewer::Viewer;
use crate::pages::ledger::words;
use crate::pages::monitor::Content;
use crate::service::Service;

/// How many operations stand on the page.
const MOST: usize = 100;

/// Answers `GET …/operations`: the operations that are open.
pub(super) async fn view(
    State(service): State<Service>,
    Path(account): Path<(String, String)>,
    head: Parts,
) -> Response {
    match Visit::for_account(service, head, account, "operations").await {
        Ok(visit) => visit.render_committed(content).await,
        Err(response) => *response,
    }
}

fn content(state: &Ledger, account: AccountId, viewer: &Viewer) -> Content {
    let lang = viewer.lang;
    let own = |operation: &_| state.owner_of(operation) == Some(account);
    let mut found: Vec<_> =
        state.open_operations().filter(|(_, operation)| own(*operation)).collect();
    found.sort_by_key(|(op, operation)| std::cmp::Reverse((operation.created_at, *op)));
    let nothing = viewer.t("Nenhuma operação está aberta.", "No operation is open.");
    let mut table = Table::new("", nothing)
        .column(lang.t("Operação", "Operation"))
        .column(lang.t("Tipo", "Kind"))
        .column(lang.t("Situação", "Status"))
        .column(lang.t("Criada, Brasília", "Created, Brasília"))
        .numbers(lang.t("Idade", "Age"));
    for (op, operation) in found.iter().take(MOST) {
        table.rows.push(vec![
            viewer.operation_cell(&op.text(&state.name)),
            Cell::text(words::kind(op.kind(), lang)),
            Cell::code(Words::for_operation(operation).status.unwrap_or_default()),
            Cell::text(local(operation.created_at, lang)),
            Cell::number(age(operation.created_at, state.now)),
        ]);
    }
    let open = count(found.len() as u64, lang);
    let note = viewer.t(
        "O que terminou está no extrato; aqui estão as 100 mais novas de",
        "What has ended is in the statement; here are the latest 100 of",
    );
    let title = viewer.t("Operações abertas", "Open operations");
    let name = state.account(account).map(|known| known.name.to_string()).unwrap_or_default();
    (title, name, vec![Section::Note(format!("{note} {open}.")), Section::Table(table)])
}
