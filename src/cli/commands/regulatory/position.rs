//! `position`: the custody position at a moment, in total and by client.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ledger_regulatory::CustodyPosition;

use crate::Failure;
use crate::reading::Opening;
use crate::whole_file;

/// The examples of the command's help.
const EXAMPLES: &str = "Examples:\n  \
    custody-ledger position ledger.db --at 2026-11-26\n  \
    custody-ledger position ledger.db --at 2026-11-26 --clients --format csv --output day.csv";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(flatten)]
    opening: Opening,
    /// Lists each client's part as well; in CSV instead of the totals.
    #[arg(long)]
    clients: bool,
    /// JSON, or CSV.
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,
    /// The file to write; absent: standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Json,
    Csv,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let (sequencer, _) = options.opening.open()?;
    let position = CustodyPosition::read(&sequencer)?;
    let text = match (options.format, options.clients) {
        (Format::Json, clients) => format!("{:#}\n", position.json(clients)),
        (Format::Csv, true) => position.clients_csv(),
        (Format::Csv, false) => position.totals_csv(),
    };
    whole_file::text(options.output.as_deref(), &text)
}
