//! The tables of the page: accounts, what was earned, and each day or month.

use ledger_core::accounting::Class;
use ledger_core::time::Instant;
use ledger_store::days::{DayBook, DayLine, Days};
use ledger_store::export::decimal;

use super::DaysQuery;
use crate::pages::console::books::entries_of;
use crate::pages::console::frame::Frame;
use crate::pages::format::{self, count, reais};
use crate::pages::layout::{Cell, Table};
use crate::pages::ledger::chart_names::chart_account;
use crate::pages::ledger::viewer::Viewer;
use crate::pages::ledger::words;

/// One table a commodity: what every account had, what was booked on it, and the sums.
pub(super) fn accounts(viewer: &Viewer, whole: &DayBook) -> Vec<Table> {
    let mut commodities: Vec<&str> = Vec::new();
    for line in &whole.lines {
        if !commodities.contains(&&*line.commodity) {
            commodities.push(&line.commodity);
        }
    }
    let of = |commodity: &str| {
        let lines = whole.lines.iter().filter(|line| line.commodity == commodity);
        let mut lines: Vec<&DayLine> = lines.collect();
        lines.sort_by_key(|line| line.class);
        of_commodity(viewer, commodity, &lines)
    };
    commodities.into_iter().map(of).collect()
}

fn of_commodity(viewer: &Viewer, commodity: &str, lines: &[&DayLine]) -> Table {
    let lang = viewer.lang;
    let networks = lines.iter().any(|line| !line.network.is_empty());
    let mut table = Table::new(commodity.to_uppercase(), "")
        .column(lang.t("Grupo", "Class"))
        .column(lang.t("Conta do razão", "Ledger account"));
    if networks {
        table = table.column(lang.t("Rede", "Network"));
    }
    let mut table = table
        .numbers(lang.t("Abertura", "Opening"))
        .numbers(lang.t("Débitos", "Debits"))
        .numbers(lang.t("Créditos", "Credits"))
        .numbers(lang.t("Fechamento", "Closing"));
    let mut before = None;
    let mut sums = [0_i128; 4];
    for line in lines {
        let amounts = [line.opening, line.debits, line.credits, line.closing()];
        for (sum, amount) in sums.iter_mut().zip(amounts) {
            *sum += amount;
        }
        let group = if before == Some(line.class) { "" } else { words::class(line.class, lang) };
        before = Some(line.class);
        let entries = entries_of(viewer, line.account, &line.network);
        let network = networks.then(|| Cell::text(&*line.network));
        let account = chart_account(line.account, lang).to(entries);
        let cells = [Cell::text(group), account].into_iter().chain(network);
        let amounts = amounts.map(|amount| Cell::number(amount_text(viewer, line, amount)));
        table.rows.push(cells.chain(amounts).collect());
    }
    if let Some(line) = lines.first() {
        let total = |cell: Cell| Cell { class: "number total", ..cell };
        let name = Cell { class: "total", ..Cell::text(viewer.t("Soma", "Sum")) };
        let empty = std::iter::repeat_n(Cell::default(), 1 + usize::from(networks));
        let sums = sums.map(|sum| total(Cell::text(amount_text(viewer, line, sum))));
        table.rows.push(std::iter::once(name).chain(empty).chain(sums).collect());
    }
    table
}

fn amount_text(viewer: &Viewer, line: &DayLine, amount: i128) -> String {
    format::decimal(&decimal(amount, line.scale), viewer.lang)
}

/// Returns what was earned and spent by kind.
pub(super) fn income(viewer: &Viewer, whole: &DayBook) -> Table {
    let lang = viewer.lang;
    let nothing = viewer.t("Nada foi ganho nem gasto.", "Nothing was earned or spent.");
    let mut table = Table::new(viewer.t("Receitas por tipo", "Income by kind"), nothing)
        .column(lang.t("Grupo", "Class"))
        .column(lang.t("Conta do razão", "Ledger account"))
        .column(lang.t("Moeda", "Commodity"))
        .numbers(lang.t("Valor", "Amount"));
    for line in &whole.lines {
        if let Some(earned) = line.earnings().filter(|earned| *earned != 0) {
            table.rows.push(vec![
                Cell::text(words::class(line.class, lang)),
                chart_account(line.account, lang).to(entries_of(
                    viewer,
                    line.account,
                    &line.network,
                )),
                Cell::text(line.commodity.to_uppercase()),
                Cell::number(amount_text(viewer, line, earned)),
            ]);
        }
    }
    table
}

/// Each period, leading to itself alone: reais that were moved, owed to customers and earned.
pub(super) fn periods(frame: &Frame, asked: &DaysQuery, days: &Days) -> Table {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let mut table = Table::new(viewer.t("Por período", "By period"), "")
        .column(lang.t("Período", "Period"))
        .numbers(lang.t("Registros", "Records"))
        .numbers(lang.t("Clientes, abertura, R$", "Customers, opening, R$"))
        .numbers(lang.t("Créditos, R$", "Credits, R$"))
        .numbers(lang.t("Débitos, R$", "Debits, R$"))
        .numbers(lang.t("Clientes, fechamento, R$", "Customers, closing, R$"))
        .numbers(lang.t("Resultado, R$", "Result, R$"));
    for book in &days.periods {
        let in_reais = || book.lines.iter().filter(|line| line.commodity == "BRL");
        let customers = || {
            let owed = |line: &&DayLine| {
                line.class == Class::Liability && line.account.starts_with("cust.")
            };
            in_reais().filter(owed)
        };
        let sum = |of: fn(&DayLine) -> i128| customers().map(of).sum::<i128>();
        let earned: i128 = in_reais().filter_map(DayLine::earnings).sum();
        let number = |cents: i128| Cell::number(reais(cents, lang));
        let (from, to) = (day(book.begins), last_day(book.ends));
        let href = asked.address(frame, "days", &from, &to);
        table.rows.push(vec![
            Cell::text(&*book.name).to(href),
            Cell::number(count(book.records, lang)),
            number(-sum(|line| line.opening)),
            number(sum(|line| line.credits)),
            number(sum(|line| line.debits)),
            number(-sum(DayLine::closing)),
            number(earned),
        ]);
    }
    table
}

fn day(at: Instant) -> String {
    at.day_in_brasilia().to_string()
}

fn last_day(ends: Instant) -> String {
    day(Instant::from_micros(ends.micros() - 1).unwrap_or(ends))
}
