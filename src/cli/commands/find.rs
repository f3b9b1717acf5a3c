//! `find`: what a text names, asked of the service that holds the ledgers, or of their store.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use ledger_core::contract::{Environment, Tokens};
use ledger_http::find_in;
use ledger_http::operators::{DecisionFailed, search};
use ledger_store::OpenMode;
use ledger_store::sequencer::Sequencer;
use serde_json::Value;

use crate::Failure;
use crate::store::Store;

pub const HELP: &str = "Asks the console's listener of the service that holds the ledgers; the \
    service logs who searched, and not for what. With --store it looks in a store itself, beside \
    whoever holds it.\n\nExamples:\n  \
    custody-ledger find saque-17 --credential-file bia.credential\n  \
    custody-ledger find 'R$ 50,00' --ledger sandbox --credential-file bia.credential\n  \
    custody-ledger find saque-17 --store ledger.db";

#[derive(Args)]
pub struct Options {
    /// An operation's id or the beginning of one, an external id, a customer, an account, a CPF or
    /// CNPJ, a name, a PIX key, an amount (`R$ 50,00`), the id of a PIX or of its return, a
    /// transaction or an address in any spelling.
    text: String,
    /// live or sandbox, or one of several ledgers.
    #[arg(long, default_value_t = Environment::Live.name().to_owned())]
    ledger: String,
    /// The file of the operator's credential; absent where the console is open to this machine.
    #[arg(long, value_name = "FILE", env = "CUSTODY_LEDGER_CREDENTIAL_FILE")]
    credential_file: Option<PathBuf>,
    /// The console's listener of the service that holds the ledgers.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8082")]
    #[arg(env = "CUSTODY_LEDGER_CONSOLE_URL")]
    url: String,
    /// Looks in this store instead, beside whoever holds it: PATH, sqlite:PATH, postgres://... or
    /// s3://...
    #[arg(long, value_name = "STORE")]
    store: Option<String>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let body = match &options.store {
        Some(store) => in_store(store, options)?,
        None => of_service(options)?,
    };
    let mut out = std::io::stdout().lock();
    let hits = body["items"].as_array().into_iter().flatten();
    for hit in hits.clone() {
        writeln!(out, "{}", line(hit))?;
    }
    if body["more"] == true {
        writeln!(out, "there is more")?;
    }
    out.flush()?;
    if hits.count() == 0 {
        return Err(Failure::new("nothing found"));
    }
    Ok(())
}

/// Returns what a text names, as the service says it.
fn of_service(options: &Options) -> Result<Value, Failure> {
    let credential = options.credential_file.as_deref().map(credential).transpose()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let asked = search(&options.url, credential.as_deref(), &options.ledger, &options.text);
    let (status, body) = runtime
        .block_on(asked)
        .map_err(|error| console_failure(&options.url, &error, Some("look")))?;
    if status == 200 {
        return Ok(body);
    }
    let why = body["detail"].as_str().unwrap_or("the console's answer is none to a search");
    Err(Failure::new(format!("{}: {status}: {why}", options.url)))
}

/// Why the console's listener gives no answer; `work` is what --store does without it.
pub(super) fn console_failure(url: &str, error: &DecisionFailed, work: Option<&str>) -> Failure {
    let nobody = matches!(error, DecisionFailed::Away(error) if error.is_connect());
    let address = url.trim_end_matches('/').strip_prefix("http://").filter(|_| nobody);
    let Some(address) = address else { return Failure::because(url, error) };
    let store = work.map(|work| format!(", or {work} in a store with --store")).unwrap_or_default();
    Failure::new(format!(
        "{url}: no console is served there: start `serve --console-listen {address}`{store}"
    ))
}

/// An operator's credential, as its file has it.
pub(super) fn credential(path: &Path) -> Result<String, Failure> {
    let text = std::fs::read_to_string(path).map_err(|why| Failure::of_file(path, &why))?;
    Ok(text.trim().to_owned())
}

/// The same of a store, whose writer's place is not taken.
fn in_store(name: &str, options: &Options) -> Result<Value, Failure> {
    let store = Store::parse(name)?;
    let mut journal = store.open_named(&options.ledger, OpenMode::ReadOnly)?;
    let tokens = Tokens::new(journal.identity().vault_key);
    let snapshots = store.snapshots();
    let sequencer = match &snapshots {
        Some(of) => Sequencer::open_with(&mut *journal, &options.ledger, of, |_, _| ())?.0,
        None => Sequencer::open(&mut *journal, &options.ledger, |_, _| ())?,
    };
    Ok(find_in(&sequencer, &tokens, &options.text))
}

/// `po_…  payout  loja  50.00  completed  external id`.
fn line(hit: &Value) -> String {
    let text = |name: &str| hit[name].as_str().map_or_else(|| hit[name].to_string(), str::to_owned);
    let amount = hit["amount_cents"].as_i64().map_or_else(
        || "-".to_owned(),
        |cents| format!("{}.{:02}", cents / 100, cents.unsigned_abs() % 100),
    );
    let or_dash = |text: String| if text.is_empty() { "-".to_owned() } else { text };
    let [id, kind, account] = ["id", "kind", "account"].map(|name| or_dash(text(name)));
    let [status, matched] = ["status", "matched"].map(|name| or_dash(text(name)));
    format!("{id}  {kind}  {account}  {amount}  {status}  {matched}")
}
