//! Trial balance: the chart as it stands, and the entries behind any account of it.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::id::Seq;
use ledger_core::ledger::{Archive as _, State as Ledger};
use ledger_store::export::legs;
use ledger_store::sequencer::Sequencer;

use super::frame::{Content, Frame};
use super::sums::{Line, Sum, commodities, sums};
use crate::pages::format::local;
use crate::pages::layout::{Cell, Section, Table};
use crate::pages::ledger::chart_names::chart_account;
use crate::pages::ledger::operation::{leg_cells, leg_columns};
use crate::pages::ledger::viewer::{Viewer, form_encode};
use crate::pages::ledger::words;
use crate::service::Service;

/// How many records are looked through for one page of entries.
const LOOKED_THROUGH: u64 = 2_000;

/// How many legs stand on one page of entries.
const LEGS: usize = 100;

/// Answers `GET /{ledger}/trial-balance`: every account of the chart.
pub(super) async fn trial_balance(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    match Frame::for_ledger(service, head, &ledger, "trial-balance") {
        Ok(frame) => frame.render_committed(chart).await,
        Err(response) => *response,
    }
}

/// One table a commodity, by class, with what each side comes to.
fn chart(frame: &Frame, state: &Ledger) -> Content {
    let viewer = &frame.viewer;
    let lines = sums(state);
    let tables = commodities(&lines).into_iter().map(|commodity| {
        let of = lines.iter().filter(|(line, _)| line.commodity == commodity);
        Section::Table(table(commodity, &of.collect::<Vec<_>>(), viewer))
    });
    let mut sections: Vec<Section> = tables.collect();
    if sections.is_empty() {
        sections.push(Section::Note(viewer.t("O livro está vazio.", "The ledger is empty.")));
    }
    let uneven = uneven(&lines);
    let subtitle = if uneven.is_empty() {
        viewer.t(
            "Por moeda; débitos e créditos são iguais em cada uma.",
            "By commodity; debits and credits are equal in each.",
        )
    } else {
        let said = viewer.t("DÉBITOS E CRÉDITOS DIFEREM em", "DEBITS AND CREDITS DIFFER in");
        format!("{said} {}", uneven.join(", "))
    };
    Content { title: viewer.t("Balancete", "Trial balance"), subtitle, sections }
}

/// The commodities whose debits and credits differ: none, unless the program is mistaken.
pub(super) fn uneven(lines: &[(Line, Sum)]) -> Vec<&str> {
    let net = |commodity: &str| -> i128 {
        let of = lines.iter().filter(|(line, _)| line.commodity == commodity);
        of.map(|(_, sum)| sum.amount).sum()
    };
    commodities(lines).into_iter().filter(|commodity| net(commodity) != 0).collect()
}

fn table(commodity: &str, lines: &[&(Line, Sum)], viewer: &Viewer) -> Table {
    let lang = viewer.lang;
    let networks = lines.iter().any(|(line, _)| !line.chain.is_empty());
    let mut table = Table::new(commodity, "")
        .column(lang.t("Grupo", "Class"))
        .column(lang.t("Conta do razão", "Ledger account"));
    if networks {
        table = table.column(lang.t("Rede", "Network"));
    }
    let mut table = table.numbers(lang.t("Débito", "Debit")).numbers(lang.t("Crédito", "Credit"));
    let (mut before, mut sides, mut scale) = (None, [0_i128; 2], None);
    for (line, sum) in lines {
        let group = if before == Some(line.class) { "" } else { words::class(line.class, lang) };
        before = Some(line.class);
        scale = Some(sum.scale);
        let entries = entries_of(viewer, line.chart, &line.chain);
        let amount = Cell::number(sum.magnitude_text(lang)).to(entries);
        let (debit, credit) = if sum.amount < 0 {
            sides[1] -= sum.amount;
            (Cell::default(), amount)
        } else {
            sides[0] += sum.amount;
            (amount, Cell::default())
        };
        let network = networks.then(|| Cell::text(&*line.chain));
        let cells = [Cell::text(group), chart_account(line.chart, lang)].into_iter().chain(network);
        table.rows.push(cells.chain([debit, credit]).collect());
    }
    if let Some(scale) = scale {
        let sum = |amount| Cell {
            class: "number total",
            ..Cell::text(Sum { amount, scale }.magnitude_text(lang))
        };
        let name = Cell { class: "total", ..Cell::text(viewer.t("Soma", "Sum")) };
        let empty = std::iter::repeat_n(Cell::default(), 1 + usize::from(networks));
        let sides = [sum(sides[0]), sum(sides[1])];
        table.rows.push(std::iter::once(name).chain(empty).chain(sides).collect());
    }
    table
}

/// Where the entries of an account of the chart are.
pub(super) fn entries_of(viewer: &Viewer, chart: &str, kept_for: &str) -> String {
    let of =
        if kept_for.is_empty() { String::new() } else { format!("&for={}", form_encode(kept_for)) };
    format!("{}/entries?account={}{of}", viewer.base, form_encode(chart))
}

/// Answers `GET /{ledger}/entries?account=…&for=…&before=…`: the legs on one account.
pub(super) async fn entries(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    match Frame::for_ledger(service, head, &ledger, "trial-balance") {
        Ok(frame) => frame.read(behind).await,
        Err(response) => *response,
    }
}

/// The legs of one account of the chart, the latest first.
fn behind(frame: &Frame, sequencer: &Sequencer) -> Option<Content> {
    let (viewer, archive) = (&frame.viewer, &sequencer.ledger().archive);
    let lang = viewer.lang;
    let account = frame.query_value("account")?;
    let kept_for = frame.query_value("for").unwrap_or_default();
    let last = sequencer.ledger().state.seq.0;
    let from = frame.number("before").map_or(last, |before| before.saturating_sub(1).min(last));
    let mut table = Table::new("", viewer.t("Nenhum lançamento aqui.", "No entry here."))
        .numbers(lang.t("Registro", "Record"))
        .column(lang.t("Quando, Brasília", "When, Brasília"))
        .column(lang.t("Operação", "Operation"));
    table = leg_columns(table, viewer);
    let mut seq = from;
    while seq > from.saturating_sub(LOOKED_THROUGH) && table.rows.len() < LEGS {
        let record = archive.record(Seq(seq))?;
        for event in &record.events {
            let of = |leg: &ledger_store::export::Leg| {
                leg.place.chart == account
                    && (kept_for.is_empty()
                        || leg.place.kept_for.join(" / ").starts_with(&kept_for))
            };
            for leg in legs(sequencer, event).iter().filter(|leg| of(leg)) {
                let id = event.op().map(|op| op.text(&sequencer.ledger().state.name));
                let operation = id.map_or_else(Cell::default, |id| viewer.operation_cell(&id));
                let when = Cell::text(local(record.at, lang));
                let cells = [viewer.record_cell(seq), when, operation];
                table.rows.push(cells.into_iter().chain(leg_cells(leg, viewer)).collect());
            }
        }
        seq -= 1;
    }
    if seq > 0 {
        let href = format!("{}&before={}", entries_of(viewer, &account, &kept_for), seq + 1);
        let name = format!("{} {}", viewer.t("Antes do registro", "Before record"), seq + 1);
        table.next = Some((name, href));
    }
    let title = format!("{} · {account}", viewer.t("Lançamentos", "Entries"));
    Some(Content { title, subtitle: kept_for, sections: vec![Section::Table(table)] })
}

#[cfg(test)]
mod tests {
    use ledger_core::accounting::Class;
    use ledger_store::export::centavos;

    use super::*;

    #[test]
    fn a_commodity_whose_sides_differ_is_named() {
        let line = |commodity: &str, class, amount| {
            let (commodity, chain) = (commodity.to_owned(), String::new());
            let line = Line { commodity, class, chart: "prov.pix", chain };
            (line, Sum { amount, scale: centavos() })
        };
        let mut lines = vec![
            line("BRL", Class::Asset, 500),
            line("BRL", Class::Liability, -500),
            line("USDT", Class::Asset, 7),
            line("USDT", Class::Liability, -7),
        ];
        assert_eq!(uneven(&lines), Vec::<&str>::new());
        lines.push(line("USDT", Class::Equity, -1));
        assert_eq!(uneven(&lines), ["USDT"]);
    }
}
