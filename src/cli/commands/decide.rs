//! `decide`: a person's decision, by the service that holds the ledgers, or in their store where
//! nobody does (rulings 72 and 80).

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use ledger_core::contract::Environment;
use ledger_http::operators::{DecisionRequest, Operators};
use ledger_http::{Ledgers, OpenLedger, Service};
use ledger_sim::Sandbox;
use ledger_store::OpenMode;
use ledger_store::engine::Engine;
use serde_json::Value;

use super::find::console_failure;
use super::serve::settings::inbox::second_operator;
use crate::Failure;
use crate::store::Store;

#[derive(Args)]
pub struct Options {
    /// The decision, such as payout.stopped: a fact of `facts` that names an actor.
    decision: String,
    /// Its fields but actor, as FIELD=VALUE: `facts DECISION` lists them.
    #[arg(value_name = "FIELD=VALUE")]
    fields: Vec<String>,
    /// The decision's own id: said again, it is taken once.
    #[arg(long)]
    id: String,
    /// The operator's reason, which the record keeps.
    #[arg(long, required_unless_present = "decline")]
    reason: Option<String>,
    /// A reference to what was seen.
    #[arg(long)]
    evidence: Option<String>,
    /// Tries it, and shows what it would book.
    #[arg(long)]
    dry_run: bool,
    /// Declines the decision of this id, which waits for a second operator in --ledger, or in live.
    #[arg(long, conflicts_with_all = ["fields", "reason", "evidence", "dry_run"])]
    decline: bool,
    /// live or sandbox, or one of several ledgers; absent: by what is named.
    #[arg(long)]
    ledger: Option<String>,
    /// The file of the operator's credential.
    #[arg(long, value_name = "FILE", env = "CUSTODY_LEDGER_CREDENTIAL_FILE")]
    credential_file: PathBuf,
    /// The console's listener of the service that holds the ledgers.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8082")]
    #[arg(env = "CUSTODY_LEDGER_CONSOLE_URL")]
    url: String,
    /// Decides in this store instead, which nobody holds: PATH, sqlite:PATH or postgres://...
    #[arg(long, value_name = "STORE")]
    store: Option<String>,
    /// With --store, the decisions that a second operator confirms, as `serve` has them.
    #[arg(long, value_name = "DECISION[=CENTAVOS]", value_delimiter = ',')]
    #[arg(env = "CUSTODY_LEDGER_SECOND_OPERATOR")]
    second_operator: Vec<String>,
}

impl Options {
    fn request(&self) -> Result<DecisionRequest, Failure> {
        let mut request = DecisionRequest::new(&self.decision)?;
        for field in &self.fields {
            let (name, value) = field.split_once('=').ok_or_else(|| {
                Failure::new("a field is said as FIELD=VALUE, with nothing before the =")
            })?;
            request = request.field(name, value)?;
        }
        request = request.field("id", &self.id)?;
        if let Some(reason) = &self.reason {
            request = request.field("reason", reason)?;
        }
        if let Some(evidence) = &self.evidence {
            request = request.field("evidence", evidence)?;
        }
        if let Some(ledger) = &self.ledger {
            request = request.of_ledger(ledger);
        }
        Ok(match (self.dry_run, self.decline) {
            (true, _) => request.dry_run(),
            (false, true) => request.decline(),
            (false, false) => request,
        })
    }
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let request = options.request()?;
    let path = &options.credential_file;
    let credential = std::fs::read_to_string(path).map_err(|why| Failure::of_file(path, &why))?;
    let credential = credential.trim();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (status, body) = match &options.store {
        Some(store) => {
            runtime.block_on(in_store(&request, (store, &options.second_operator), credential))?
        }
        None => {
            let sent = runtime.block_on(request.send(&options.url, credential));
            sent.map_err(|error| console_failure(&options.url, &error, Some("decide")))?
        }
    };
    if status == 200 {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{body}")?;
        return Ok(out.flush()?);
    }
    Err(Failure::new(format!("{status}: {body}")))
}

/// Decides in a store by a service that nobody else asks. A process that holds it is named, and
/// nothing is decided.
async fn in_store(
    request: &DecisionRequest,
    (name, second): (&str, &[String]),
    credential: &str,
) -> Result<(u16, Value), Failure> {
    let (store, target) = (Store::parse(name)?, Store::target_of(name)?);
    let open = |environment: Environment| -> Result<OpenLedger, Failure> {
        let started = || -> Result<OpenLedger, Box<dyn std::error::Error>> {
            // Opening for writing would make what is missing.
            drop(store.open(environment, OpenMode::ReadOnly)?);
            let journal = store.open(environment, OpenMode::create())?;
            let engine = Engine::builder(environment.name()).start(journal)?;
            Ok(OpenLedger::new(Arc::new(engine))?)
        };
        started().map_err(|error| {
            let name = environment.name();
            Failure::because(&format!("{store}: ledger {name} cannot be opened"), &*error)
        })
    };
    let live = open(Environment::Live)?;
    let sandbox = open(Environment::Sandbox)?.played_by(Sandbox::new(1));
    let service = Service::builder(Ledgers::new(live, sandbox));
    let service = service.second_operator(second_operator(second)?);
    let service = service.operators(Operators::kept_in(target)).build();
    let service = service.map_err(|error| Failure::because("no randomness", &error))?;
    let answered = request.carry_out(&service, credential).await?;
    for ledger in service.ledgers().all() {
        ledger.engine().stop()?;
    }
    Ok(answered)
}
