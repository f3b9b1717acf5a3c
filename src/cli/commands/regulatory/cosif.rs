//! `cosif`: a month's trial balance by COSIF accounts, as document 4010.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ledger_regulatory::{CosifBalance, CosifMapping};
use ledger_store::OpenMode;

use crate::store::{self, Store, StoreFirst};
use crate::{Failure, say, whole_file};

/// The examples of the command's help.
const EXAMPLES: &str = "Examples:\n  \
    custody-ledger cosif ledger.db --month 2026-11 --mapping cosif.toml --output 4010.xml\n  \
    custody-ledger cosif ledger.db --month 2026-11 --mapping cosif.toml --format json";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(flatten)]
    store: StoreFirst,
    /// The month of Brasília: 2026-11.
    #[arg(long, value_name = "MONTH")]
    month: String,
    /// Which COSIF account each account of the chart is, as TOML.
    #[arg(long, value_name = "FILE")]
    mapping: PathBuf,
    /// Document 4010 as XML, or JSON with the record and the prices that it stands on.
    #[arg(long, value_enum, default_value_t = Format::Xml)]
    format: Format,
    /// The document replaces one that was accepted: tipoRemessa S instead of I.
    #[arg(long)]
    replace: bool,
    /// live or sandbox.
    #[arg(long, default_value = "live")]
    environment: String,
    /// The file to write; absent: standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Xml,
    Json,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let path = &options.mapping;
    let text = std::fs::read_to_string(path).map_err(|error| Failure::of_file(path, &error))?;
    let mapping = CosifMapping::parse(&text).map_err(|error| Failure::of_file(path, &error))?;
    let environment = store::environment(&options.environment)?;
    let store = Store::parse(options.store.name())?;
    let mut journal = store.open(environment, OpenMode::ReadOnly)?;
    let name = environment.name();
    let balance = CosifBalance::read(&mut *journal, name, &options.month, &mapping)?;
    if !balance.over {
        say(&format!("custody-ledger: no record was decided after {}", balance.month));
    }
    let text = match options.format {
        Format::Xml => balance.xml(options.replace),
        Format::Json => format!("{:#}\n", balance.json()),
    };
    whole_file::text(options.output.as_deref(), &text)
}
