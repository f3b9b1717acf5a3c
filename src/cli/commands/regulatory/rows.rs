//! `rows`: what moved in a period, dated and classified, each unit in one row.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ledger_regulatory::{RowClass, RowFormat, ledger_rows, rows_csv, rows_json};
use ledger_store::OpenMode;

use super::days_between;
use crate::Failure;
use crate::store::{self, Store, StoreFirst};
use crate::whole_file;

/// The examples of the command's help.
const EXAMPLES: &str = "Examples:\n  \
    custody-ledger rows ledger.db --from 2026-11-01 --to 2026-11-30\n  \
    custody-ledger rows ledger.db --from 2026-11 --to 2026-11 --class purchase --class sale\n  \
    custody-ledger rows ledger.db --from 2026-11 --to 2026-11 --format decripto";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(flatten)]
    store: StoreFirst,
    /// The first day or month of Brasília: 2026-11-20, or 2026-11.
    #[arg(long, value_name = "DAY|MONTH")]
    from: String,
    /// The last day or month.
    #[arg(long, value_name = "DAY|MONTH")]
    to: String,
    /// Only rows of this class; several times for several. Absent: all.
    #[arg(long, value_name = "CLASS", value_parser = parse_class)]
    class: Vec<RowClass>,
    /// Every row as CSV or JSON, or those of crypto with the columns of a declaration.
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// live or sandbox.
    #[arg(long, default_value = "live")]
    environment: String,
    /// The file to write; absent: standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Csv,
    Json,
    Decripto,
}

fn parse_class(text: &str) -> Result<RowClass, String> {
    let known = RowClass::ALL.iter().copied().find(|class| class.name() == text);
    known.ok_or_else(|| {
        let names: Vec<_> = RowClass::ALL.iter().map(|class| class.name()).collect();
        format!("it is none of {}", names.join(", "))
    })
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let span = days_between(&options.from, &options.to)?;
    let environment = store::environment(&options.environment)?;
    let store = Store::parse(options.store.name())?;
    let mut journal = store.open(environment, OpenMode::ReadOnly)?;
    let (mut rows, _) = ledger_rows(&mut *journal, environment.name(), span)?;
    rows.retain(|row| options.class.is_empty() || options.class.contains(&row.class));
    let text = match options.format {
        Format::Csv => rows_csv(&rows, RowFormat::Neutral),
        Format::Decripto => rows_csv(&rows, RowFormat::CryptoDeclaration),
        Format::Json => format!("{:#}\n", rows_json(&rows)),
    };
    whole_file::text(options.output.as_deref(), &text)
}
