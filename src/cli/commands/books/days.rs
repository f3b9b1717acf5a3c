//! `days`: what each account had at the beginning and the end of each day or month, and what was
//! booked on it.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use comfy_table::Table;
use ledger_store::OpenMode;
use ledger_store::days::{DayLine, Days, Period, Span, days};
use ledger_store::export::decimal;
use serde_json::json;

use crate::Failure;
use crate::store::{self, Store, StoreFirst};
use crate::table;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    store: StoreFirst,
    /// The first day or month of Brasília: 2026-11-20, or 2026-11.
    #[arg(long, value_name = "DAY|MONTH")]
    from: String,
    /// The last day or month; absent: that of the last record.
    #[arg(long, value_name = "DAY|MONTH", default_value = "9999-12-31", hide_default_value = true)]
    to: String,
    /// By month instead of by day; months are shown whole.
    #[arg(long)]
    month: bool,
    /// live or sandbox.
    #[arg(long, default_value = "live")]
    environment: String,
    /// The folder of the snapshots that shorten it; absent: beside the store's file.
    #[arg(long, value_name = "DIR")]
    snapshots: Option<PathBuf>,
    /// Tables for people, or for programs JSON or CSV.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Table,
    Json,
    Csv,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let environment = store::environment(&options.environment)?;
    let by = if options.month { Period::Month } else { Period::Day };
    let span = Span::parse(&options.from, &options.to, by).ok_or_else(|| {
        Failure::new("--from and --to are days, 2026-11-20, or months, 2026-11, in their order")
    })?;
    let store = Store::parse(options.store.name())?;
    let mut journal = store.open(environment, OpenMode::ReadOnly)?;
    let (name, snapshots) = (environment.name(), store.snapshots_in(options.snapshots.as_deref()));
    let days = days(&mut *journal, name, snapshots.as_ref(), span)?;
    let mut out = std::io::stdout().lock();
    match options.format {
        Format::Csv => write!(out, "{}", days.csv())?,
        Format::Json => writeln!(out, "{:#}", json!({ "ledger": name, "periods": days.json() }))?,
        Format::Table if days.periods.is_empty() => {
            writeln!(out, "Ledger {name} had not come so far.")?;
        }
        Format::Table => {
            writeln!(out, "Ledger {name}, debits positive\n{}", accounts(&days))?;
            writeln!(out, "Earned, expenses below zero\n{}", income(&days))?;
            for book in days.periods.iter().filter(|book| !book.over) {
                writeln!(out, "{} is not over.", book.name)?;
            }
        }
    }
    Ok(())
}

fn accounts(days: &Days) -> Table {
    let mut table =
        table::with_header(["period", "account", "in", "opening", "debits", "credits", "closing"]);
    rows(&mut table, days, |line| {
        let text = |amount: i128| decimal(amount, line.scale);
        let [opening, debits, credits] = [line.opening, line.debits, line.credits].map(text);
        Some(vec![
            line.name(),
            line.commodity.clone(),
            opening,
            debits,
            credits,
            text(line.closing()),
        ])
    });
    table::align(&mut table, |place| place >= 3);
    table
}

fn income(days: &Days) -> Table {
    let mut table = table::with_header(["period", "account", "in", "earned"]);
    rows(&mut table, days, |line| {
        let earned = line.earnings().filter(|earned| *earned != 0)?;
        Some(vec![line.name(), line.commodity.clone(), decimal(earned, line.scale)])
    });
    table::align(&mut table, |place| place >= 3);
    table
}

/// Adds the rows that lines have, the first of each period with its name.
fn rows(table: &mut Table, days: &Days, row: impl Fn(&DayLine) -> Option<Vec<String>>) {
    for book in &days.periods {
        let mut name = book.name.clone();
        for cells in book.lines.iter().filter_map(&row) {
            table.add_row([vec![std::mem::take(&mut name)], cells].concat());
        }
    }
}
