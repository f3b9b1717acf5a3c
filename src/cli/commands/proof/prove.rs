//! `prove`: files by which a stranger checks a record, an operation, a balance, or what came since.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use ledger_core::contract::Environment;
use ledger_core::id::{LedgerName, OpId};
use ledger_proofs::checkpoint::Checkpoint;
use ledger_proofs::checkpoints::Prover;
use ledger_proofs::document::Proof;
use ledger_store::OpenMode;
use ledger_store::sequencer::Sequencer;
use ledger_store::signing::note::Note;

use crate::checkpoints::{notes, tree};
use crate::store::{self, Store, StoreOption};
use crate::{Failure, reading, whole_file};

/// The end of the command's help.
pub const HELP: &str = "Examples:\n  \
    custody-ledger prove record ledger.db 12 --checkpoint checkpoints --output 12.proof\n  \
    custody-ledger prove balance ledger.db loja --customer ana --checkpoint checkpoints\n  \
    custody-ledger prove since ledger.db kept.checkpoint --checkpoint checkpoints";

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
        /// The record's number; the store may stand before it.
        #[arg(value_name = "RECORD", num_args = 1..=2, required = true)]
        words: Vec<String>,
    },
    /// Every record of an operation.
    Operation {
        #[command(flatten)]
        of: Of,
        /// The operation's id or external id; the store may stand before it.
        #[arg(value_name = "OPERATION", num_args = 1..=2, required = true)]
        words: Vec<String>,
    },
    /// A balance as a part of all that is owed.
    Balance {
        #[command(flatten)]
        of: Of,
        /// The API account's name; the store may stand before it.
        #[arg(value_name = "ACCOUNT", num_args = 1..=2, required = true)]
        words: Vec<String>,
        /// The subaccount; absent: the house.
        #[arg(long)]
        customer: Option<String>,
    },
    /// That nothing was changed since an earlier checkpoint.
    Since {
        #[command(flatten)]
        of: Of,
        /// The file of the earlier checkpoint, of which the last one of the ledger counts; the
        /// store may stand before it.
        #[arg(value_name = "EARLIER", num_args = 1..=2, required = true)]
        words: Vec<String>,
    },
}

#[derive(Args)]
struct Of {
    #[command(flatten)]
    store: StoreOption,
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
        Subject::Record { of, words } => {
            let (store, record) = of.store.before(words)?;
            let record = record.parse().map_err(|_| {
                Failure::new(format!("{record} is no record: a record has a number"))
            })?;
            of.write(&of.prover(store)?.record(record)?)
        }
        Subject::Operation { of, words } => {
            let (store, operation) = of.store.before(words)?;
            let (mut prover, sequencer) = (of.prover(store)?, of.sequencer(store)?);
            let id = of.operation_id(&sequencer, operation)?;
            of.write(&prover.operation(&sequencer, &id)?)
        }
        Subject::Balance { of, words, customer } => {
            let (store, account) = of.store.before_account(words)?;
            of.write(&of.prover(store)?.balance(account, customer.as_deref())?)
        }
        Subject::Since { of, words } => {
            let (store, earlier) = of.store.before(words)?;
            let ledger = (of.environment()?, None);
            let note = note(Some(Path::new(earlier)), &Store::parse(store)?, ledger)?;
            of.write(&of.prover(store)?.since(&note)?)
        }
    }
}

impl Of {
    fn environment(&self) -> Result<Environment, Failure> {
        store::environment(&self.environment)
    }

    fn prover(&self, name: &str) -> Result<Prover, Failure> {
        let environment = self.environment()?;
        let store = Store::parse(name)?;
        let note = note(self.checkpoint.as_deref(), &store, (environment, self.at))?;
        let checkpoint = Checkpoint::parse(&note.text).map_err(|error| {
            let of = self.checkpoint.as_deref().unwrap_or(Path::new(name));
            Failure::of_file(of, &error)
        })?;
        let journal = store.open(environment, OpenMode::ReadOnly)?;
        let tree = tree(&store, self.trees.as_deref(), environment)?;
        Ok(Prover::new(journal, environment.name(), tree, checkpoint)?)
    }

    /// The ledger as it is now; a snapshot beside the store's file shortens it.
    fn sequencer(&self, name: &str) -> Result<Sequencer, Failure> {
        let store = Store::parse(name)?;
        reading::sequencer(&store, self.environment()?, None, store.snapshots())
    }

    /// The id of an operation that is named by that, or by an external id.
    fn operation_id(&self, sequencer: &Sequencer, named: &str) -> Result<String, Failure> {
        let ledger = LedgerName::from(self.environment()?);
        if OpId::parse(named, &ledger).is_some() {
            return Ok(named.to_owned());
        }
        let created = reading::operations_created_as(sequencer, named);
        let ids: Vec<String> = created.iter().map(|op| op.text(&ledger)).collect();
        match &ids[..] {
            [] => Ok(named.to_owned()),
            [id] => Ok(id.clone()),
            several => Err(Failure::new(format!(
                "{named} is the external id of several operations: name one of {}",
                several.join(", ")
            ))),
        }
    }

    fn write(&self, proof: &Proof) -> Result<(), Failure> {
        whole_file::text(self.output.as_deref(), &proof.text())
    }
}

/// The last note of a ledger in a file, or without one in its store; or that of so many records.
fn note(
    path: Option<&Path>,
    store: &Store,
    (environment, at): (Environment, Option<u64>),
) -> Result<Note, Failure> {
    let mut notes = notes(path, store, environment.name(), at)?;
    Ok(notes.pop().expect("there is at least one"))
}
