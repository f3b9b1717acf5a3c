//! Strikes the leader of a cluster that heals itself, again and again, and holds a ledger on it to
//! what was answered.
//!
//! ```text
//! cargo run -p ledger-tools --bin patroni -- --rounds 100 --clusters 5
//! ```
//!
//! Three PostgreSQL servers are managed by Patroni, which asks etcd who leads; every commit waits
//! for one of two standbys. Each server has network and processes of its own, in namespaces that
//! this program makes, so it runs as root. Callers transfer money through an engine that knows all
//! three hosts. Each round the leader is killed, frozen, cut off, switched over or left without
//! room on its disk, until another leads and answers; then it is healed, and waited for.
//!
//! After each round the journal is audited, with its heads of all rounds before; the ledger is
//! opened anew, and every transfer that was acknowledged must be there, answered as it was, and
//! once. Meanwhile rows are written to each server by itself: no former leader may acknowledge one.
//! `--rounds N` (10) are divided among `--clusters N` (3), which run beside one another.

mod callers;
mod cluster;
mod database;
mod node;
mod probe;
mod round;
mod setup;
mod summary;
#[path = "../../transfers.rs"]
mod transfers;
mod world;

use std::env;
use std::error::Error;
use std::path::Path;
use std::process::{Command, ExitCode};

use setup::Share;
use summary::Summary;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let of = |name: &str| arguments.iter().skip_while(move |it| *it != name).nth(1).cloned();
    let number = |name: &str, or: usize| {
        of(name).map_or(Some(or), |text| text.parse().ok()).filter(|number| *number > 0)
    };
    let (Some(rounds), Some(clusters)) = (number("--rounds", 10), number("--clusters", 3)) else {
        eprintln!("patroni [--rounds N] [--clusters N]");
        return ExitCode::FAILURE;
    };
    let done = match (of("--first"), of("--folder"), of("--python")) {
        (Some(first), Some(folder), Some(python)) => {
            first.parse().map_err(Into::into).and_then(|first| {
                let share = Share { first, step: clusters, rounds };
                world::play(&share, Path::new(&folder), Path::new(&python))
            })
        }
        _ => run(rounds, clusters),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("patroni: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Plays the rounds on so many clusters, and prints what came of them.
fn run(rounds: usize, clusters: usize) -> Result<(), Box<dyn Error>> {
    setup::check()?;
    let python = setup::patroni()?;
    let mut folder = tempfile::tempdir()?;
    let played: Vec<_> = std::thread::scope(|scope| {
        let (path, python) = (folder.path(), &python);
        let cluster = |first: usize| {
            scope.spawn(move || {
                let path = path.join(first.to_string());
                setup::world(&Share { first, step: clusters, rounds }, &path, python)
            })
        };
        let playing: Vec<_> = (0..clusters).map(cluster).collect();
        playing.into_iter().map(|it| it.join().expect("no panic")).collect()
    });
    let mut summary = Summary::default();
    let mut failures = Vec::new();
    for lines in played {
        match lines {
            Ok(lines) => summary.take(&lines)?,
            Err(error) => failures.push(error),
        }
    }
    if !failures.is_empty() {
        folder.disable_cleanup(true);
        let path = folder.path().display();
        return Err(format!("{}; the servers' logs are in {path}", failures.join("; ")).into());
    }
    print!("{summary}");
    summary.check()
}

/// Runs a script whose every command must do what it is to.
fn shell(script: &str) -> Result<(), Box<dyn Error>> {
    let output = Command::new("sh").args(["-ec", script]).output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{script}: {}", String::from_utf8_lossy(&output.stderr).trim_end()).into())
}
