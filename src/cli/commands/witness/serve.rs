//! `witness create` and `witness serve`: a witness for the logs of others.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use ledger_http::server::{Connections, Running};
use ledger_witness::{
    Answer, Evidence, EvidencePlace, FolderError, Handled, PublicKey, Witness, WitnessFolder,
    WitnessKey, tiles_router, witness_router,
};

use crate::checkpoints::random;
use crate::commands::serve::bind;
use crate::run::ending::Stop;
use crate::whole_file::creation_failure;
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
        let key = WitnessKey::new(name, random()?)?;
        WitnessFolder::create(&options.folder, &key).map_err(|error| match error {
            FolderError::Io { path, source } => creation_failure(&path, "--name", &source),
            error => error.into(),
        })?;
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
    if logs.is_empty() {
        let policy = options.policy.display();
        let none = "it names no log, so nothing can be cosigned: add a line `log KEY`";
        return Err(Failure::new(format!("{policy}: {none}")));
    }
    let count = logs.len();
    let (key, state) = WitnessFolder::open(&options.folder)?;
    let witness = Arc::new(Witness::new(key, logs, Box::new(state)));
    let public = witness.public();
    let standing = Standing::default();
    let mut routes = witness_router(witness, move |handled| report(&standing, handled));
    if let Some(folder) = &options.tiles {
        routes = routes.merge(tiles_router(folder));
    }
    let listener = bind("listen", &options.listen)?;
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

/// How the witness's memory stands, as it was last said: whoever repeats a request fills no log.
#[derive(Default)]
struct Standing(Mutex<BTreeMap<String, String>>);

impl Standing {
    /// Notes how a part of it stands, `None` for well; tells whether a fault of it is news.
    fn is_news(&self, of: &str, fault: Option<String>) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(fault) = fault else {
            known.remove(of);
            return false;
        };
        known.insert(of.to_owned(), fault.clone()).is_none_or(|before| before != fault)
    }
}

/// Tells the operator of forks and of a memory that fails; every other answer is the asker's.
fn report(standing: &Standing, handled: &Handled) {
    match &handled.answer {
        Answer::Unavailable(error) if standing.is_news("memory", Some(error.to_string())) => {
            super::say_failure("nothing was cosigned", error);
        }
        Answer::Cosigned(_) => _ = standing.is_news("memory", None),
        _ => {}
    }
    let (Some(head), Some(Evidence { is_fork, kept })) = (&handled.head, &handled.evidence) else {
        return;
    };
    let what = if *is_fork {
        format!("FORK: {} signed two roots of {} records", head.origin, head.size)
    } else {
        format!("{} at {} records: no proof leads there", head.origin, head.size)
    };
    let of = format!("{} {}", head.origin, if *is_fork { "forks" } else { "unproved" });
    match kept {
        Ok(EvidencePlace::Known) => {}
        Ok(EvidencePlace::Written(place)) => {
            standing.is_news(&of, None);
            say(&format!("custody-ledger: {what}; evidence in {place}"));
        }
        Ok(EvidencePlace::Full) => {
            if standing.is_news(&of, Some("full".to_owned())) {
                say(&format!("custody-ledger: {what}; the evidence of this log is full"));
            }
        }
        Err(error) => {
            if standing.is_news(&of, Some(error.to_string())) {
                super::say_failure(&format!("{what}; its evidence cannot be kept"), error);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Standing;

    #[test]
    fn a_memory_that_is_full_is_said_once_until_it_was_not() {
        let standing = Standing::default();
        let full = |of: &str| standing.is_news(of, Some("full".to_owned()));
        assert_eq!([full("a forks"), full("a forks"), full("b forks")], [true, false, true]);
        assert!(standing.is_news("a forks", Some("no such folder".to_owned())));
        assert!(!standing.is_news("a forks", None) && full("a forks"));
    }
}
