//! Fees: what was earned and spent, what partners are owed, what rounding left.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::accounting::Class;
use ledger_core::ledger::State as Ledger;

use super::books::entries_of;
use super::frame::{Content, Frame};
use super::sums::sums;
use crate::pages::chart::{Bar, bars};
use crate::pages::format::{count, reais};
use crate::pages::layout::{Cell, Section, Table};
use crate::pages::ledger::chart_names::chart_account;
use crate::pages::ledger::words;
use crate::service::Service;

/// Answers `GET /{ledger}/fees`: fees earned, spent and owed.
pub(super) async fn view(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    match Frame::for_ledger(service, head, &ledger, "fees") {
        Ok(frame) => frame.render_committed(content).await,
        Err(response) => *response,
    }
}

fn content(frame: &Frame, state: &Ledger) -> Content {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let of = |class| matches!(class, Class::Income | Class::Expense);
    let lines: Vec<_> = sums(state).into_iter().filter(|(line, _)| of(line.class)).collect();
    let nothing = viewer.t("Nada foi ganho nem gasto.", "Nothing was earned or spent.");
    let mut earned = Table::new(viewer.t("Receitas e despesas", "Income and expenses"), nothing)
        .column(lang.t("Grupo", "Class"))
        .column(lang.t("Conta do razão", "Ledger account"))
        .column(lang.t("Moeda", "Commodity"))
        .numbers(lang.t("Valor", "Amount"));
    for (line, sum) in &lines {
        let amount = Cell::number(sum.negate().signed_text(lang));
        earned.rows.push(vec![
            Cell::text(words::class(line.class, lang)),
            chart_account(line.chart, lang),
            Cell::text(&*line.commodity),
            amount.to(entries_of(viewer, line.chart, &line.chain)),
        ]);
    }
    let reais_only = lines.iter().filter(|(line, _)| line.commodity == "BRL");
    let drawn: Vec<Bar> = reais_only
        .map(|(line, sum)| Bar {
            name: line.chart.to_owned(),
            value: -sum.amount,
            shown: sum.negate().signed_text(lang),
        })
        .collect();
    let nobody = viewer.t("Nenhuma comissão é devida.", "No commission is owed.");
    let mut owed = Table::new(viewer.t("Comissões de parceiros", "Partners' commission"), nobody)
        .column(lang.t("Conta", "Account"))
        .numbers(lang.t("Lançamentos", "Rows"))
        .numbers(lang.t("Devido, R$", "Owed, R$"));
    for (account, commission) in state.books.commissions() {
        let Some(known) = state.account(account) else { continue };
        let amount = Cell::number(reais(commission.balance.cents().into(), lang));
        owed.rows.push(vec![
            Cell::text(&*known.name).to(viewer.account(&known.name, None)),
            Cell::number(count(commission.rows.into(), lang)),
            amount.to(entries_of(viewer, "comm", &known.name)),
        ]);
    }
    let mut sections = vec![Section::Table(earned), Section::Table(owed)];
    if !drawn.is_empty() {
        let title = viewer.t("Em reais", "In reais");
        let svg = bars(&title, &drawn);
        sections.insert(0, Section::Chart { title, svg });
    }
    Content {
        title: viewer.t("Tarifas", "Fees"),
        subtitle: viewer.t(
            "Desde o começo do livro; despesas aparecem com sinal negativo.",
            "Since the ledger began; expenses are below zero.",
        ),
        sections,
    }
}
