//! `witness ask`: the checkpoints of a ledger, cosigned by the witnesses of a policy.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use ledger_core::contract::Environment;
use ledger_proofs::record_tree::{RecordTree, TreeError};
use ledger_store::{Journal, OpenMode};
use ledger_witness::{
    CosignaturesTable, Exchange, NotCosigned, Policy, PolicyWitness, SignedNote, TreeHead,
    WitnessClient,
};
use tokio::runtime::Runtime;

use super::CosignedOptions;
use crate::Failure;
use crate::checkpoints::tree;
use crate::run::ending::Stop;
use crate::store::Store;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    of: CosignedOptions,
    /// The checkpoints that `run` or `serve` wrote. Absent: those in the store.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Asks again each so many seconds, until it is stopped.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    /// The folder of the trees over the records; for a file: beside it.
    #[arg(long, value_name = "FOLDER")]
    trees: Option<PathBuf>,
}

/// A ledger whose checkpoints are to be cosigned.
struct Asking<'a> {
    options: &'a Options,
    store: Store,
    environment: Environment,
    policy: Policy,
    journal: Box<dyn Journal>,
    tree: RecordTree,
    table: Option<CosignaturesTable>,
    client: WitnessClient,
    runtime: Runtime,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let stop = Stop::listen()?;
    let mut asking = Asking::open(options)?;
    loop {
        let asked = asking.ask_all();
        let Some(seconds) = options.every else { return asked };
        if let Err(failure) = asked {
            crate::say(&failure.to_string());
        }
        let next = Instant::now() + Duration::from_secs(seconds);
        while Instant::now() < next {
            if stop.signal().is_some() {
                return Ok(());
            }
            std::thread::sleep(super::super::serve::MOMENT);
        }
    }
}

impl<'a> Asking<'a> {
    fn open(options: &'a Options) -> Result<Self, Failure> {
        let (store, environment) = options.of.ledger()?;
        let client = WitnessClient::new();
        Ok(Self {
            options,
            environment,
            policy: options.of.policy.read()?,
            journal: store.open(environment, OpenMode::ReadOnly)?,
            tree: tree(&store, options.trees.as_deref(), environment)?,
            table: store.target().map(|target| CosignaturesTable::open(&target)).transpose()?,
            client: client.map_err(|error| Failure::because("no witness can be asked", &*error))?,
            runtime: tokio::runtime::Builder::new_current_thread().enable_all().build()?,
            store,
        })
    }

    /// Asks every witness for what it has not cosigned, and shows the last checkpoint.
    fn ask_all(&mut self) -> Result<(), Failure> {
        let file = self.options.checkpoint.as_deref();
        let mut checkpoints = super::checkpoints(&self.store, file, self.environment)?;
        self.tree.follow(&mut *self.journal, self.environment.name())?;
        for witness in self.policy.witnesses().to_vec() {
            if let Err(failure) = self.ask(&witness, &mut checkpoints) {
                crate::say(&failure.to_string());
            }
        }
        let Some(last) = checkpoints.last_mut() else { return Ok(()) };
        super::add_cosignatures(self.table.as_mut(), last)?;
        self.options.of.end(&self.policy, &last.1)
    }

    /// Asks a witness for each checkpoint after the last one that it cosigned, in order; one that
    /// never cosigned is asked for the last alone. Those under another origin are of another log.
    fn ask(
        &mut self,
        witness: &PolicyWitness,
        checkpoints: &mut [(TreeHead, SignedNote)],
    ) -> Result<(), Failure> {
        let (Some(url), Some((newest, _))) = (&witness.url, checkpoints.last()) else {
            return Ok(());
        };
        let TreeHead { origin, size: newest, .. } = newest.clone();
        let table = self.table.as_mut();
        let mut last = table.map_or(Ok(0), |table| table.last(&origin, &witness.key))?;
        let mut wanted = if last == 0 { newest } else { last + 1 };
        for (head, note) in checkpoints {
            if head.origin != origin || head.size < wanted {
                continue;
            }
            if self.tree.root(head.size)? != head.root {
                return Err(Failure::new(format!(
                    "the ledger is not what was signed at {} records: nobody is asked",
                    head.size
                )));
            }
            let tree = &mut self.tree;
            let prove = |old: u64| -> Result<_, TreeError> { tree.consistency(old, head.size) };
            let exchange = Exchange::new(note, &witness.key, last)?;
            match self.runtime.block_on(self.client.ask(url, exchange, prove)) {
                Ok((line, _)) => {
                    if let Some(table) = &mut self.table {
                        table.add(&origin, head.size, &witness.key, &line)?;
                    }
                    note.add(line);
                    last = head.size;
                }
                // A store restored from a backup signs again what the witness has passed already.
                Err(NotCosigned::Ahead { known, .. }) if known <= newest => wanted = known,
                Err(error) => {
                    let wrong = format!("{} did not cosign {} records", witness.name, head.size);
                    return Err(Failure::because(&wrong, &error));
                }
            }
        }
        Ok(())
    }
}
