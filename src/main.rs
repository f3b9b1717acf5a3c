#![forbid(unsafe_code)]
//! The program of the custody ledger: `run`, `audit`, `saldo`, `extrato`, `explain`, `export`, `import`,
//! `project`, `outbox`, `snapshot`, `facts`, `simulate`.

mod audit;
mod balances;
mod events;
mod explain;
mod export;
mod facts;
mod house;
mod import;
mod labels;
mod outbox;
mod progress;
mod project;
mod provider;
mod reading;
mod run;
mod simulate;
mod snapshot;
mod statement;
mod store;
mod turn;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A history makes and drops small things all the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
#[command(name = "custody-ledger", version, about = "A custody ledger between PIX and crypto")]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs JSON lines against a store: requests of the contract and facts of the world.
    Run(run::Options),
    /// Replays a journal from its first record and proves it, or names the first record at fault.
    Audit(audit::Options),
    /// Shows a balance: the house's, or one subaccount's.
    Saldo(balances::Options),
    /// Shows a statement, by entries or by operations.
    Extrato(statement::Options),
    /// Traces a balance or an operation to the records that made it, leg by leg.
    Explain(explain::Options),
    /// Writes a store's records to a file, proved on the way.
    Export(export::Options),
    /// Makes a new store of a file of records, proved before anything is written.
    Import(import::Options),
    /// Fills SQL tables with what the ledgers know: operations, statements, balances, holds, outbox.
    Project(project::Options),
    /// Shows what clients are to be told and the world is to do, and acknowledges it.
    Outbox(outbox::Options),
    /// Puts the ledgers away as they stand, so that opening them later takes less time.
    Snapshot(snapshot::Options),
    /// Lists the facts with their JSON shapes, one example each.
    Facts(facts::Options),
    /// Runs the ledger through simulated weather: one seed, one history.
    Simulate(simulate::Options),
}

fn main() -> ExitCode {
    let done = match Program::parse().command {
        Command::Run(options) => run::run(&options),
        Command::Audit(options) => audit::run(&options),
        Command::Saldo(options) => balances::run(&options),
        Command::Extrato(options) => statement::run(&options),
        Command::Explain(options) => explain::run(&options),
        Command::Export(options) => export::run(&options),
        Command::Import(options) => import::run(&options),
        Command::Project(options) => project::run(&options),
        Command::Outbox(options) => outbox::run(&options),
        Command::Snapshot(options) => snapshot::run(&options),
        Command::Facts(options) => facts::run(&options),
        Command::Simulate(options) => simulate::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(lines)) if lines.is_empty() => ExitCode::SUCCESS,
        Err(Failure(lines)) => {
            for line in lines {
                eprintln!("{line}");
            }
            ExitCode::FAILURE
        }
    }
}

/// Why the program could not do what it was asked, cause by cause.
#[derive(Debug)]
pub struct Failure(Vec<String>);

impl Failure {
    /// A failure in one's own words.
    pub fn new(text: impl Into<String>) -> Self {
        Self(vec![format!("custody-ledger: {}", text.into())])
    }

    /// Answers that could not be given to whoever reads them.
    #[must_use]
    pub fn unheard(error: std::io::Error) -> Self {
        if heard_enough(&error) {
            return Self::from(error);
        }
        Self::new(format!("standard output: {error}"))
    }

    /// A failure in one's own words, and why.
    pub fn because(text: &str, error: &(dyn std::error::Error + 'static)) -> Self {
        let Self(mut lines) = Self::new(text);
        lines.extend(causes(Some(error)));
        Self(lines)
    }
}

/// Whoever reads our output has heard enough when the pipe closes: no failure, and nothing to say.
fn heard_enough(error: &(dyn std::error::Error + 'static)) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

impl<E: std::error::Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        if heard_enough(&error) {
            return Self(Vec::new());
        }
        let mut lines = vec![format!("custody-ledger: {error}")];
        lines.extend(causes(error.source()));
        Self(lines)
    }
}

fn causes<'a>(
    first: Option<&'a (dyn std::error::Error + 'static)>,
) -> impl Iterator<Item = String> + 'a {
    let causes = std::iter::successors(first, |cause| cause.source());
    causes.map(|cause| format!("  because: {cause}"))
}
