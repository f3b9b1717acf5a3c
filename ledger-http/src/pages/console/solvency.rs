//! Solvency: what is owed per asset, against what is held.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::accounting::Class;
use ledger_core::ledger::State as Ledger;

use super::books::entries_of;
use super::frame::{Content, Frame};
use super::sums::{Sum, commodities, of_class, sums};
use crate::pages::chart::{Bar, bars};
use crate::pages::layout::{Cell, Section, Table};
use crate::pages::ledger::chart_names::chart_account;
use crate::pages::ledger::words;
use crate::service::Service;

/// Answers `GET /{ledger}/solvency`: owed and held, by asset.
pub(super) async fn view(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    match Frame::for_ledger(service, head, &ledger, "solvency") {
        Ok(frame) => frame.render_committed(content).await,
        Err(response) => *response,
    }
}

fn content(frame: &Frame, state: &Ledger) -> Content {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let lines = sums(state);
    let mut sections = Vec::new();
    let mut table = Table::new(
        viewer.t("Por moeda", "By commodity"),
        viewer.t("Nada é devido e nada é mantido.", "Nothing is owed and nothing is held."),
    )
    .column(lang.t("Moeda", "Commodity"))
    .numbers(lang.t("Mantido", "Held"))
    .numbers(lang.t("Devido", "Owed"))
    .numbers(lang.t("Sobra", "Surplus"));
    for commodity in commodities(&lines) {
        let of = |class| of_class(&lines, commodity, class);
        let (Some(held), Some(owed)) = (of(Class::Asset), of(Class::Liability)) else { continue };
        let owed = owed.negate();
        let surplus = Sum { amount: held.amount - owed.amount, ..held };
        let class = if surplus.amount < 0 { "number mark" } else { "number" };
        table.rows.push(vec![
            Cell::text(commodity),
            Cell::number(held.signed_text(lang)),
            Cell::number(owed.signed_text(lang)),
            Cell { class, ..Cell::text(surplus.signed_text(lang)) },
        ]);
        let bar =
            |name: String, sum: Sum| Bar { name, value: sum.amount, shown: sum.signed_text(lang) };
        let drawn = [bar(viewer.t("Mantido", "Held"), held), bar(viewer.t("Devido", "Owed"), owed)];
        let title = format!("{commodity}: {}", viewer.t("mantido e devido", "held and owed"));
        let svg = bars(&title, &drawn);
        sections.push(Section::Chart { title, svg });
    }
    sections.insert(0, Section::Table(table));
    let mut parts = Table::new(viewer.t("De que se compõe", "What it is made of"), "")
        .column(lang.t("Moeda", "Commodity"))
        .column(lang.t("Grupo", "Class"))
        .column(lang.t("Conta do razão", "Ledger account"))
        .column(lang.t("Rede", "Network"))
        .numbers(lang.t("Valor", "Amount"));
    let ours =
        lines.iter().filter(|(line, _)| matches!(line.class, Class::Asset | Class::Liability));
    for (line, sum) in ours {
        let sum = if line.class == Class::Liability { sum.negate() } else { *sum };
        parts.rows.push(vec![
            Cell::text(&*line.commodity),
            Cell::text(words::class(line.class, lang)),
            chart_account(line.chart, lang),
            Cell::text(&*line.chain),
            Cell::number(sum.signed_text(lang)).to(entries_of(viewer, line.chart, &line.chain)),
        ]);
    }
    if !parts.rows.is_empty() {
        sections.push(Section::Table(parts));
    }
    Content {
        title: viewer.t("Solvência", "Solvency"),
        subtitle: viewer.t(
            "O que se deve a clientes, parceiros e provedores, contra o que está em contas, redes \
             e trânsito.",
            "What is owed to customers, partners and providers, against what stands in accounts, \
             networks and transit.",
        ),
        sections,
    }
}
