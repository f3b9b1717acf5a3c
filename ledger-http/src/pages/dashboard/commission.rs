//! What a partner is owed: its balance, what of it may be withdrawn, and its own statement.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::id::AccountId;
use ledger_core::ledger::Archive as _;
use ledger_store::sequencer::Sequencer;

use super::visit::Visit;
use crate::pages::format::{brl, count, local, reais};
use crate::pages::layout::{Cell, Figure, Section, Table};
use crate::pages::ledger::statement::ROWS;
use crate::pages::ledger::viewer::Viewer;
use crate::pages::ledger::words;
use crate::pages::monitor::{Content, Filter};
use crate::service::Service;

/// Answers `GET …/commission?before=`: the commission and its rows.
pub(super) async fn view(
    State(service): State<Service>,
    Path(account): Path<(String, String)>,
    head: Parts,
) -> Response {
    let before = Filter::from_request(&head).before;
    match Visit::for_account(service, head, account, "commission").await {
        Ok(visit) => {
            visit
                .read(move |sequencer, account, viewer| content(sequencer, account, viewer, before))
                .await
        }
        Err(response) => *response,
    }
}

fn content(
    sequencer: &Sequencer,
    account: AccountId,
    viewer: &Viewer,
    before: Option<u32>,
) -> Option<Content> {
    let state = &sequencer.ledger().state;
    let known = state.account(account)?;
    let commission = state.books.commission(account);
    let lang = viewer.lang;
    let withdrawn = known.commission_withdrawn_at.map_or_else(String::new, |at| {
        format!("{} {}", viewer.t("último saque em", "last withdrawn"), local(at, lang))
    });
    let interval = state.policy.commission_interval;
    let next = known.commission_withdrawn_at.zip(interval).map(|(at, span)| at.after(span));
    let next = next.filter(|at| state.now < *at).map_or_else(String::new, |at| {
        format!("{} {}", viewer.t("a partir de", "from"), local(at, lang))
    });
    let figure = |name: String, cents: i64, note: String| Figure {
        name,
        value: Cell::number(brl(cents.into(), lang)),
        note,
    };
    let rows = count(commission.rows.into(), lang);
    let figures = Section::Figures(vec![
        figure(
            viewer.t("Devida", "Owed"),
            commission.balance.cents(),
            format!("{rows} {}", viewer.t("lançamentos", "rows")),
        ),
        figure(viewer.t("Para sacar", "To withdraw"), commission.balance.spendable().cents(), next),
    ]);
    let title = viewer.t("Comissão", "Commission");
    let mut sections = vec![figures];
    if !withdrawn.is_empty() {
        sections.push(Section::Note(format!("{title}: {withdrawn}.")));
    }
    sections.push(Section::Table(rows_of(sequencer, account, viewer, before)));
    Some((title, known.name.to_string(), sections))
}

/// Rows of the commission's statement, the latest first: below row `before`, or from the last.
fn rows_of(
    sequencer: &Sequencer,
    account: AccountId,
    viewer: &Viewer,
    before: Option<u32>,
) -> Table {
    let ledger = sequencer.ledger();
    let lang = viewer.lang;
    let last = ledger.state.books.commission(account).rows;
    let first = before.map_or(last, |before| before.saturating_sub(1).min(last));
    let nothing = viewer.t("Nenhuma comissão ainda.", "No commission yet.");
    let mut table = Table::new(viewer.t("Extrato", "Statement"), nothing)
        .column(lang.t("Quando, Brasília", "When, Brasília"))
        .column(lang.t("Lançamento", "Row"))
        .numbers(lang.t("Valor, R$", "Value, R$"))
        .numbers(lang.t("Saldo após, R$", "Balance after, R$"))
        .column(lang.t("Operação", "Operation"));
    for number in (first.saturating_sub(ROWS) + 1..=first).rev() {
        let Some(row) = ledger.archive.commission_row(account, number) else { break };
        table.rows.push(vec![
            Cell::text(local(row.at, lang)),
            Cell::text(words::row(row.kind, row.nature, lang)),
            Cell::number(reais(row.value.cents().into(), lang)),
            Cell::number(reais(row.balance_after.cents().into(), lang)),
            viewer.operation_cell(&row.op.text(&ledger.state.name)),
        ]);
    }
    let next = first.saturating_sub(ROWS) + 1;
    if next > 1 && first > 0 {
        let href = format!("{}/commission?before={next}", viewer.base);
        table.next = Some((viewer.t("Lançamentos anteriores", "Earlier rows"), href));
    }
    table
}
