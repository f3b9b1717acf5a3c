//! `prove`: files by which a stranger checks a record, an operation, a balance, or what came since.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use ledger_core::contract::Environment;
use ledger_store::OpenMode;
use ledger_store::checkpoints::Prover;
use ledger_store::proof::checkpoint::Checkpoint;
use ledger_store::proof::document::Proof;
use ledger_store::proof::note::Note;
use ledger_store::sequencer::Sequencer;

use crate::Failure;
use crate::checkpoints::{in_store, is_of, tree};
use crate::reading;
use crate::store::{self, Store};

#[derive(Args)]
pub struct Options {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Subcommand)]
enum Subject {
    /// A record, by its number.
    Record {
        #[command(flatten)]
        of: Of,
        /// The record's number.
        record: u64,
    },
    /// Every record of an operation.
    Operation {
        #[command(flatten)]
        of: Of,
        /// The operation's id.
        operation: String,
    },
    /// A balance as a part of all that is owed.
    Balance {
        #[command(flatten)]
        of: Of,
        /// The API account's name.
        account: String,
        /// The subaccount; absent: the house.
        #[arg(long)]
        customer: Option<String>,
    },
    /// That nothing was changed since an earlier checkpoint.
    Since {
        #[command(flatten)]
        of: Of,
        /// The file of the earlier checkpoint; the last one of the ledger in it counts.
        earlier: PathBuf,
    },
}

#[derive(Args)]
struct Of {
    /// Where the ledgers are kept: PATH, sqlite:PATH, postgres://... or s3://...
    store: String,
    /// The checkpoints that `run` or `serve` wrote: the last one of the ledger counts. Absent:
    /// those in the store.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// The checkpoint of so many records instead.
    #[arg(long, value_name = "RECORDS")]
    at: Option<u64>,
    /// live or sandbox.
    #[arg(long, default_value = "live")]
    environment: String,
    /// The file to write; absent: standard output.
    #[arg(long)]
    output: Option<PathBuf>,
    /// The folder of the trees over the records; for a file: beside it.
    #[arg(long, value_name = "FOLDER")]
    trees: Option<PathBuf>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    match &options.subject {
        Subject::Record { of, record } => of.write(&of.prover()?.record(*record)?),
        Subject::Operation { of, operation } => {
            let mut prover = of.prover()?;
            of.write(&prover.operation(&of.sequencer()?, operation)?)
        }
        Subject::Balance { of, account, customer } => {
            of.write(&of.prover()?.balance(account, customer.as_deref())?)
        }
        Subject::Since { of, earlier } => {
            let note = note(Some(earlier), &Store::parse(&of.store)?, (of.environment()?, None))?;
            of.write(&of.prover()?.since(&note)?)
        }
    }
}

impl Of {
    fn environment(&self) -> Result<Environment, Failure> {
        store::environment(&self.environment)
    }

    fn prover(&self) -> Result<Prover, Failure> {
        let environment = self.environment()?;
        let store = Store::parse(&self.store)?;
        let note = note(self.checkpoint.as_deref(), &store, (environment, self.at))?;
        let checkpoint = Checkpoint::parse(&note.text).map_err(|error| {
            let of = self.checkpoint.as_deref().unwrap_or(Path::new(&self.store));
            Failure::of_file(of, &error)
        })?;
        let journal = store.open(environment, OpenMode::ReadOnly)?;
        let tree = tree(&store, self.trees.as_deref(), environment)?;
        Ok(Prover::new(journal, environment.name(), tree, checkpoint)?)
    }

    /// The ledger as it is now; a snapshot beside the store's file shortens it.
    fn sequencer(&self) -> Result<Sequencer, Failure> {
        let store = Store::parse(&self.store)?;
        reading::sequencer(&store, self.environment()?, None, store.snapshots())
    }

    fn write(&self, proof: &Proof) -> Result<(), Failure> {
        let text = proof.text();
        match &self.output {
            None => std::io::stdout().write_all(text.as_bytes())?,
            Some(path) => {
                std::fs::write(path, text).map_err(|error| Failure::of_file(path, &error))?;
            }
        }
        Ok(())
    }
}

/// The last note of a ledger in a file, or without one in its store; or that of so many records.
fn note(
    path: Option<&Path>,
    store: &Store,
    (environment, at): (Environment, Option<u64>),
) -> Result<Note, Failure> {
    let name = environment.name();
    let notes = match path {
        Some(path) => {
            let text = std::fs::read_to_string(path);
            Note::all(&text.map_err(|error| Failure::of_file(path, &error))?)
        }
        None => in_store(store, name)?,
    };
    let last = notes.into_iter().rev().find(|note| {
        let mut lines = note.text.lines();
        let mine = lines.next().is_some_and(|origin| is_of(origin, name));
        mine && at.is_none_or(|at| lines.next() == Some(&*at.to_string()))
    });
    last.ok_or_else(|| {
        let at = at.map(|at| format!(" at {at} records")).unwrap_or_default();
        let place = path.map_or_else(|| store.to_string(), |path| path.display().to_string());
        Failure::new(format!("{place}: no checkpoint of ledger {name}{at}"))
    })
}
