//! API accounts: all of them, one with its subaccounts, a statement with its running balance.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::id::SubaccountId;
use ledger_core::ledger::State as Ledger;
use ledger_store::sequencer::Sequencer;

use super::frame::{Content, Frame};
use super::statement_file;
use crate::pages::chart::{Bar, bars};
use crate::pages::format::{brl, reais};
use crate::pages::layout::{Cell, Section, Table};
use crate::pages::ledger::statement::{self, ROWS, Whose, rows};
use crate::service::Service;

/// How many accounts stand on a page.
const ACCOUNTS: usize = 100;

/// Answers `GET /{ledger}/accounts`: the API accounts, a page of them.
pub(super) async fn list(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    match Frame::for_ledger(service, head, &ledger, "accounts") {
        Ok(frame) => frame.render_committed(all).await,
        Err(response) => *response,
    }
}

fn all(frame: &Frame, state: &Ledger) -> Content {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let after = frame.number("after").and_then(|after| usize::try_from(after).ok()).unwrap_or(0);
    let mut table = Table::new("", viewer.t("Nenhuma conta foi aberta.", "No account was opened."))
        .column(lang.t("Conta", "Account"))
        .numbers(lang.t("Casa, disponível, R$", "House, available, R$"))
        .numbers(lang.t("Casa, bloqueado, R$", "House, blocked, R$"))
        .numbers(lang.t("Comissão devida, R$", "Commission owed, R$"));
    for (account, known) in state.accounts().skip(after).take(ACCOUNTS) {
        let buckets = state.books.subaccount(known.house);
        let entries = viewer.statement(&known.name, None);
        let number = |cents: i64| Cell::number(reais(cents.into(), lang));
        table.rows.push(vec![
            Cell::text(&*known.name).to(viewer.account(&known.name, None)),
            number(buckets.available.cents()).to(&*entries),
            number(buckets.blocked_balance().cents()).to(&*entries),
            number(state.books.commission(account).balance.cents()).to(super::books::entries_of(
                viewer,
                "comm",
                &known.name,
            )),
        ]);
    }
    if state.accounts().nth(after + ACCOUNTS).is_some() {
        let href = format!("{}/accounts?after={}", viewer.base, after + ACCOUNTS);
        table.next = Some((viewer.t("Mais contas", "More accounts"), href));
    }
    let title = viewer.t("Contas", "Accounts");
    Content { title, subtitle: String::new(), sections: vec![Section::Table(table)] }
}

/// Answers `GET /{ledger}/accounts/{name}`: one account with its subaccounts.
pub(super) async fn one(
    State(service): State<Service>,
    Path((ledger, name)): Path<(String, String)>,
    head: Parts,
) -> Response {
    match Frame::for_ledger(service, head, &ledger, "accounts") {
        Ok(frame) => frame.read(move |frame, sequencer| account(frame, sequencer, &name)).await,
        Err(response) => *response,
    }
}

fn account(frame: &Frame, sequencer: &Sequencer, name: &str) -> Option<Content> {
    let viewer = &frame.viewer;
    let whose = whose(frame, sequencer, name)?;
    let account = sequencer.ledger().state.account_named(name)?;
    let after = frame.number("after").and_then(|after| u32::try_from(after).ok());
    let mut sections =
        statement::overview(sequencer, account, &whose, viewer, after.map(SubaccountId));
    sections.splice(1..1, parts(frame, sequencer, &whose));
    sections.push(statement_file::form(frame, sequencer, &whose));
    let subtitle = whose.display_name(viewer);
    Some(Content { title: whose.name, subtitle, sections })
}

/// Returns what is available now beside what is blocked, as bars; nothing where there is nothing.
fn parts(frame: &Frame, sequencer: &Sequencer, whose: &Whose) -> Option<Section> {
    let viewer = &frame.viewer;
    let buckets = sequencer.ledger().state.books.subaccount(whose.subaccount);
    if [buckets.available, buckets.held, buckets.frozen].iter().all(|part| part.cents() == 0) {
        return None;
    }
    let bar = |name: String, cents: i64| Bar {
        name,
        value: cents.into(),
        shown: brl(cents.into(), viewer.lang),
    };
    let title = viewer.t("De que se compõe o saldo", "What the balance is made of");
    let svg = bars(
        &title,
        &[
            bar(viewer.t("Disponível", "Available"), buckets.available.cents()),
            bar(viewer.t("A liberar", "To be released"), buckets.held.cents()),
            bar(viewer.t("Em bloqueios", "In holds"), buckets.frozen.cents()),
        ],
    );
    Some(Section::Chart { title, svg })
}

/// Answers `GET /{ledger}/accounts/{name}/statement`: its rows, newest first.
pub(super) async fn statement(
    State(service): State<Service>,
    Path((ledger, name)): Path<(String, String)>,
    head: Parts,
) -> Response {
    let shown = move |frame: &Frame, sequencer: &Sequencer| {
        let viewer = &frame.viewer;
        let whose = whose(frame, sequencer, &name)?;
        let before = frame.number("before").and_then(|before| u32::try_from(before).ok());
        let table = rows(sequencer, &whose, viewer, (before, ROWS));
        let subtitle = format!("{} · {}", whose.name, whose.display_name(viewer));
        let form = statement_file::form(frame, sequencer, &whose);
        let sections = vec![form, Section::Table(table)];
        Some(Content { title: viewer.t("Extrato", "Statement"), subtitle, sections })
    };
    match Frame::for_ledger(service, head, &ledger, "accounts") {
        Ok(frame) => frame.read(shown).await,
        Err(response) => *response,
    }
}

fn whose(frame: &Frame, sequencer: &Sequencer, name: &str) -> Option<Whose> {
    let account = sequencer.ledger().state.account_named(name)?;
    Whose::find(sequencer, account, frame.query_value("customer"))
}
