//! `find`: what a text names, asked of the service that holds the ledgers.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use ledger_core::contract::Environment;
use ledger_http::operators::search;
use serde_json::Value;

use crate::Failure;

#[derive(Args)]
pub struct Options {
    /// An operation's id or the beginning of one, an external id, a customer, an account, a CPF or
    /// CNPJ, a name, a PIX key, an amount (`R$ 50,00`), the id of a PIX or of its return, a
    /// transaction or an address in any spelling.
    text: String,
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
    let path = &options.credential_file;
    let credential = std::fs::read_to_string(path).map_err(|why| Failure::of_file(path, &why))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let asked = search(&options.url, credential.trim(), &options.ledger, &options.text);
    let (status, body) =
        runtime.block_on(asked).map_err(|error| Failure::because(&options.url, &error))?;
    if status != 200 {
        return Err(Failure::new(format!("{status}: {body}")));
    }
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
