//! `client-report`: one client's assets and movements of a period, in Portuguese, signed.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ledger_regulatory::{ClientReport, check_report};
use ledger_store::OpenMode;
use ledger_store::signing::key::Verifier;

use super::days_between;
use crate::checkpoints::signer;
use crate::store::{self, Store, StoreOption};
use crate::{Failure, whole_file};

/// The examples of the command's help.
const EXAMPLES: &str = "Examples:\n  \
    custody-ledger client-report ledger.db loja --customer ana --from 2026-11 --to 2026-11\n  \
    custody-ledger client-report ledger.db loja --customer ana --from 2026-11 --to 2026-11 \
    --format json --checkpoint-key checkpoint.key --output ana.json\n  \
    custody-ledger client-report --check ana.json --key ledger.example.com/live/live+1f2e3d4c+AQ...";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The API account's name; the store may stand before it.
    #[arg(value_name = "ACCOUNT", num_args = 1..=2, required_unless_present = "check")]
    words: Vec<String>,
    #[command(flatten)]
    store: StoreOption,
    /// The customer; absent: the account itself, with its wallet and commission.
    #[arg(long)]
    customer: Option<String>,
    /// The first day or month of Brasília: 2026-11-20, or 2026-11.
    #[arg(long, value_name = "DAY|MONTH", required_unless_present = "check")]
    from: Option<String>,
    /// The last day or month; absent: the first.
    #[arg(long, value_name = "DAY|MONTH")]
    to: Option<String>,
    /// A page to print, or JSON.
    #[arg(long, value_enum, default_value_t = Format::Html)]
    format: Format,
    /// The secret key that checkpoints are signed with signs the report as well.
    #[arg(long, value_name = "FILE")]
    checkpoint_key: Option<PathBuf>,
    /// live or sandbox.
    #[arg(long, default_value = "live")]
    environment: String,
    /// The file to write; absent: standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Checks the digest and statement of a report as JSON, and needs no store.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["words", "from", "to", "customer"])]
    check: Option<PathBuf>,
    /// The public key that must have signed it, NAME+HASH+BASE64, from a place that you trust.
    #[arg(long, value_name = "PUBKEY", requires = "check")]
    key: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Html,
    Json,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    if let Some(path) = &options.check {
        return check(path, options.key.as_deref());
    }
    let from = options.from.as_deref().unwrap_or_default();
    let span = days_between(from, options.to.as_deref().unwrap_or(from))?;
    let environment = store::environment(&options.environment)?;
    let name = environment.name();
    let (store, account) = options.store.before(&options.words)?;
    let mut journal = Store::parse(store)?.open(environment, OpenMode::ReadOnly)?;
    let client = (account, options.customer.as_deref());
    let report = ClientReport::read(&mut *journal, name, client, span)?;
    let key = options.checkpoint_key.as_deref().map(signer).transpose()?;
    let key = key.map(|key| key.of_ledger(name, name));
    let text = match options.format {
        Format::Html => report.html(key.as_ref()),
        Format::Json => format!("{:#}\n", report.json(key.as_ref())),
    };
    whole_file::text(options.output.as_deref(), &text)
}

/// Prints the statement of a report that is what it says.
fn check(path: &Path, key: Option<&str>) -> Result<(), Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::of_file(path, &error))?;
    let key: Option<Verifier> = key.map(str::parse).transpose()?;
    let statement =
        check_report(&text, key.as_ref()).map_err(|error| Failure::of_file(path, &error))?;
    Ok(std::io::stdout().write_all(statement.as_bytes())?)
}
