//! `statement` (`extrato`): a statement, by entries or by operations.

use std::io::Write;

use clap::{Args, ValueEnum};
use comfy_table::Table;
use ledger_core::contract::{StatementQuery, View};
use ledger_core::money::Balance;
use ledger_store::Vault;
use ledger_store::projection::{Statement, Tables};
use serde_json::Value;

use super::period::PeriodOptions;
use crate::Failure;
use crate::reading::{Reading, views};
use crate::table;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    reading: Reading,
    /// By entries or by operations; the contract's words for these, `lancamentos` and `operacoes`,
    /// say the same.
    #[arg(
        long,
        visible_alias = "visao",
        value_name = "VIEW",
        value_enum,
        default_value = "entries"
    )]
    view: ViewName,
    /// How many rows, 1 to 200.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=200))]
    limit: u16,
    /// The `proxima_pagina` of the page before.
    #[arg(long)]
    before: Option<String>,
    /// Where the tables are that `project` filled; absent: with the ledgers. Tables that are not as
    /// far as the journal are passed over, and the journal is replayed.
    #[arg(long, value_name = "STORE", conflicts_with = "at")]
    tables: Option<String>,
    #[command(flatten)]
    file: PeriodOptions,
}

/// What a row of the statement is.
#[derive(Clone, Copy, ValueEnum)]
enum ViewName {
    /// One entry on the balance.
    #[value(alias = "lancamentos")]
    Entries,
    /// One operation, with its fees.
    #[value(alias = "operacoes")]
    Operations,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    if options.file.is_asked()? {
        return options.file.write(&options.reading);
    }
    let view = match options.view {
        ViewName::Entries => View::Entries,
        ViewName::Operations => View::Operations,
    };
    let page = match from_tables(options, view)? {
        Some(page) => page,
        None => from_journal(options, view)?,
    };
    if options.reading.json {
        writeln!(std::io::stdout(), "{page:#}")?;
        return Ok(());
    }
    let columns: &[&str] = match view {
        View::Entries => {
            &["created_at", "tipo", "descricao", "valor_cents", "saldo_apos_cents", "origem_id"]
        }
        View::Operations => &[
            "origem_id",
            "tipo",
            "status_label",
            "settlement_status",
            "valor_operacao_cents",
            "taxas_cents",
            "valor_cents",
        ],
    };
    writeln!(std::io::stdout(), "{}", table(&page, columns))?;
    if let Some(next) = page.get("proxima_pagina").and_then(Value::as_str) {
        writeln!(std::io::stdout(), "There is more: --before {next}")?;
    }
    Ok(())
}

/// The page as the tables have it, if they are where the journal is.
fn from_tables(options: &Options, view: View) -> Result<Option<Value>, Failure> {
    if options.reading.is_of_a_moment() {
        // Tables are as they stand alone.
        return Ok(None);
    }
    let (mut journal, name) = options.reading.journal()?;
    let target = options.reading.target(options.tables.as_deref())?;
    let Some(mut tables) = Tables::open(&target, name)? else { return Ok(None) };
    if tables.checkpoint()?.head != journal.head()? {
        return Ok(None);
    }
    let vault = Vault::open(&mut *journal)?;
    let asked = Statement {
        account: options.reading.account()?,
        customer: options.reading.customer.as_deref(),
        view,
        limit: options.limit.into(),
        before: options.before.as_deref(),
    };
    Ok(Some(tables.statement(&asked, &vault)?.body))
}

/// The page as a replay of the whole journal has it.
fn from_journal(options: &Options, view: View) -> Result<Value, Failure> {
    let (sequencer, account) = options.reading.open()?;
    let views = views(&sequencer);
    let customer = options.reading.customer.as_deref();
    let page = views.statement(&StatementQuery {
        account,
        subaccount: views.party(account, customer),
        customer,
        view,
        limit: options.limit.into(),
        before: options.before.as_deref(),
    });
    page.map_err(|problem| Failure::new(problem.detail))
}

fn table(page: &Value, columns: &[&str]) -> Table {
    let mut table = table::with_header(columns.iter().map(|name| name.trim_end_matches("_cents")));
    for item in page.get("items").and_then(Value::as_array).into_iter().flatten() {
        table.add_row(columns.iter().map(|name| cell(name, item.get(*name))));
    }
    table::align(&mut table, |place| columns[place].ends_with("_cents"));
    table
}

fn cell(name: &str, value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "-".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => match other.as_i64() {
            Some(cents) if name.ends_with("_cents") => table::reais(Balance::new(cents)),
            _ => other.to_string(),
        },
    }
}
