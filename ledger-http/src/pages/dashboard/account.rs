//! An account as its private monitor shows it, behind the sign-in.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::id::{OpId, SubaccountId};
use ledger_store::sequencer::Sequencer;

use super::visit::Visit;
use crate::pages::layout::Section;
use crate::pages::ledger::statement::{self as statements, ROWS, Whose, rows};
use crate::pages::ledger::viewer::Viewer;
use crate::pages::ledger::{operation, record, words};
use crate::pages::monitor::Filter;
use crate::service::Service;

/// Answers `GET /painel/{ledger}/{account}`: balances and latest rows.
pub(super) async fn overview(
    State(service): State<Service>,
    Path(account): Path<(String, String)>,
    head: Parts,
) -> Response {
    let filter = Filter::from_request(&head);
    let visit = match Visit::for_account(service, head, account, "").await {
        Ok(visit) => visit,
        Err(response) => return *response,
    };
    let shown = move |sequencer: &Sequencer, account, viewer: &Viewer| {
        let whose = Whose::find(sequencer, account, filter.customer)?;
        let after = filter.after.map(SubaccountId);
        let sections = statements::overview(sequencer, account, &whose, viewer, after);
        Some((whose.name.clone(), whose.display_name(viewer), sections))
    };
    visit.read(shown).await
}

/// Answers `GET …/statement`: a page of statement rows.
pub(super) async fn statement(
    State(service): State<Service>,
    Path(account): Path<(String, String)>,
    head: Parts,
) -> Response {
    let filter = Filter::from_request(&head);
    let visit = match Visit::for_account(service, head, account, "statement").await {
        Ok(visit) => visit,
        Err(response) => return *response,
    };
    let shown = move |sequencer: &Sequencer, account, viewer: &Viewer| {
        let whose = Whose::find(sequencer, account, filter.customer)?;
        let table = rows(sequencer, &whose, viewer, (filter.before, ROWS));
        let of = format!("{} · {}", whose.name, whose.display_name(viewer));
        Some((viewer.t("Extrato", "Statement"), of, vec![Section::Table(table)]))
    };
    visit.read(shown).await
}

/// Answers `GET …/operations/{id}`: one operation of the account.
pub(super) async fn one_operation(
    State(service): State<Service>,
    Path((ledger, account, id)): Path<(String, String, String)>,
    head: Parts,
) -> Response {
    let visit = match Visit::for_account(service, head, (ledger, account), "operations").await {
        Ok(visit) => visit,
        Err(response) => return *response,
    };
    let shown = move |sequencer: &Sequencer, _, viewer: &Viewer| {
        let op = OpId::parse(&id, &sequencer.ledger().state.name)?;
        let sections = operation::sections(sequencer, op, viewer, &operation::Arrivals::new())?;
        Some((words::kind(op.kind(), viewer.lang).to_owned(), id, sections))
    };
    visit.read(shown).await
}

/// Answers `GET …/records/{seq}`: one record that concerns the account.
pub(super) async fn one_record(
    State(service): State<Service>,
    Path((ledger, account, seq)): Path<(String, String, String)>,
    head: Parts,
) -> Response {
    let visit = match Visit::for_account(service, head, (ledger, account), "records").await {
        Ok(visit) => visit,
        Err(response) => return *response,
    };
    let shown = move |sequencer: &Sequencer, _, viewer: &Viewer| {
        let seq = seq.parse().ok()?;
        let sections = record::sections(sequencer, seq, viewer)?;
        let title = format!("{} {seq}", viewer.t("Registro", "Record"));
        Some((title, String::new(), sections))
    };
    visit.read(shown).await
}
