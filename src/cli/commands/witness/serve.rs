//! `witness create` and `witness serve`: a witness for the logs of others.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use ledger_http::server::{Connections, Running};
use ledger_witness::{
    Answer, Evidence, Handled, PublicKey, Witness, WitnessFolder, WitnessKey, tiles_router,
    witness_router,
};

use crate::run::ending::Stop;
use crate::{Failure, say};

/// How many connections are served at once.
const CONNECTIONS: usize = 256;

/// How long a connection may take for its head, and the last requests at the end.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Args)]
pub struct CreateOptions {
    /// The folder of the witness.
    folder: PathBuf,
    /// Makes a new witness of this name, which nobody else has: witness.example.com/w1. Without
    /// it, the public key of an existing one is shown.
    #[arg(long)]
    name: Option<String>,
}

#[derive(Args)]
pub struct Options {
    /// The folder of the witness.
    folder: PathBuf,
    /// The logs that it cosigns for: lines `log KEY` of a policy, whose names are the origins.
    #[arg(long, value_name = "FILE")]
    policy: PathBuf,
    /// Where it is asked.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8085")]
    listen: String,
    /// Serves the tiles of this folder, too, as `witness tiles` writes them.
    #[arg(long, value_name = "FOLDER")]
    tiles: Option<PathBuf>,
}

pub fn create(options: &CreateOptions) -> Result<(), Failure> {
    if let Some(name) = &options.name {
        let mut secret = [0; 32];
        std::fs::File::open("/dev/urandom")?.read_exact(&mut secret)?;
        WitnessFolder::create(&options.folder, &WitnessKey::new(name, secret)?)?;
    }
    writeln!(std::io::stdout(), "{}", WitnessFolder::key(&options.folder)?.public())?;
    Ok(())
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let stop = Stop::listen()?;
    let policy = super::policy(&options.policy)?;
    let mut logs = BTreeMap::<String, Vec<PublicKey>>::new();
    for key in policy.logs() {
        logs.entry(key.name().to_owned()).or_default().push(key.clone());
    }
    let count = logs.len();
    let (key, state) = WitnessFolder::open(&options.folder)?;
    let witness = Arc::new(Witness::new(key, logs, Box::new(state)));
    let public = witness.public();
    let mut routes = witness_router(witness, report);
    if let Some(folder) = &options.tiles {
        routes = routes.merge(tiles_router(folder));
    }
    let listener = TcpListener::bind(&options.listen).map_err(|error| {
        Failure::because(&format!("{} cannot be listened on", options.listen), &error)
    })?;
    let address = listener.local_addr()?;
    let connections = Connections { most: CONNECTIONS, header_read: PATIENCE, drain: PATIENCE };
    let running = Running::start(vec![(listener, routes)], connections, None)?;
    let mut out = std::io::stdout();
    writeln!(out, "{public}\n{} cosigns for {count} logs on http://{address}", public.name())?;
    out.flush()?;
    while stop.signal().is_none() {
        std::thread::sleep(super::super::serve::MOMENT);
    }
    if running.end() { Ok(()) } else { Err(Failure::new("not everybody was answered")) }
}

/// Tells the operator of forks and of a memory that fails; every other answer is the asker's.
fn report(handled: &Handled) {
    if let Answer::Unavailable(error) = &handled.answer {
        super::say_failure("nothing was cosigned", error);
    }
    let (Some(head), Some(Evidence { is_fork, kept })) = (&handled.head, &handled.evidence) else {
        return;
    };
    let what = if *is_fork {
        format!("FORK: {} signed two roots of {} records", head.origin, head.size)
    } else {
        format!("{} at {} records: no proof leads there", head.origin, head.size)
    };
    match kept {
        Ok(None) => {}
        Ok(Some(place)) => say(&format!("custody-ledger: {what}; evidence in {place}")),
        Err(error) => super::say_failure(&format!("{what}; its evidence cannot be kept"), error),
    }
}
