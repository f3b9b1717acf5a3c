//! `assign`: with whom an operation of the inbox is, and a note beside it, by the service that
//! holds the ledgers.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use ledger_core::contract::Environment;
use ledger_http::operators::assign;

use crate::Failure;
use crate::commands::find::console_failure;

#[derive(Args)]
pub struct Options {
    /// The operation's id.
    operation: String,
    /// An operator's name, me, or nobody; absent: as it is.
    #[arg(long, value_name = "NAME", required_unless_present = "note")]
    to: Option<String>,
    /// A line beside it, of at most 280 letters; absent: as it is.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// live or sandbox, or one of several ledgers.
    #[arg(long, default_value_t = Environment::Live.name().to_owned())]
    ledger: String,
    /// The file of the operator's credential.
    #[arg(long, value_name = "FILE", env = "CUSTODY_LEDGER_CREDENTIAL_FILE")]
    credential_file: PathBuf,
    /// The console's listener of the service that holds the ledgers.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8082")]
    #[arg(env = "CUSTODY_LEDGER_CONSOLE_URL")]
    url: String,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let Options { operation, to, note, ledger, credential_file: path, url } = options;
    let credential = std::fs::read_to_string(path).map_err(|why| Failure::of_file(path, &why))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let said = (to.as_deref(), note.as_deref());
    let asked = assign(url, credential.trim(), (ledger, operation), said);
    let (status, body) =
        runtime.block_on(asked).map_err(|error| console_failure(url, &error, None))?;
    if status != 200 {
        return Err(Failure::new(format!("{status}: {body}")));
    }
    Ok(writeln!(std::io::stdout(), "{body}")?)
}
