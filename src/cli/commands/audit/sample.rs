//! `audit --sample`: records drawn by chance, each proved against a checkpoint, and what a sample
//! does not say.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use ledger_core::contract::Environment;
use ledger_proofs::checkpoint::Checkpoint;
use ledger_proofs::checkpoints::Prover;
use ledger_proofs::record_tree::RecordTree;
use ledger_proofs::sample::{Sample, Sampled, sample};
use ledger_store::sequencer::Sequencer;
use ledger_store::signing::key::Verifier;
use ledger_store::signing::note::Note;
use ledger_store::{Journal, OpenError, OpenMode};
use serde_json::json;

use super::invariants::Form;
use super::pieces::key_of;
use crate::Failure;
use crate::checkpoints::{in_store, is_of, random, tree_path};
use crate::store::Store;

/// Which shares of all records are supposed at fault, one in so many.
const ONE_IN: [u64; 3] = [1_000, 100, 10];

#[derive(Args)]
pub struct SampleOptions {
    /// Proves so many records that are drawn by chance, with the operations and balances that they
    /// touch, by the tree against the last checkpoint, and replays nothing before a snapshot.
    #[arg(long, value_name = "RECORDS", value_parser = clap::value_parser!(u64).range(1..))]
    #[arg(conflicts_with_all = ["one by one", "follow", "head", "heads", "tables", "html"])]
    sample: Option<u64>,
    /// Draws the records that were drawn with this number before; absent: a new one.
    #[arg(long, value_name = "NUMBER", requires = "sample")]
    seed: Option<u64>,
    /// The folder of the snapshots by which operations and balances are known; for a file: beside
    /// it.
    #[arg(long, value_name = "FOLDER", requires = "sample")]
    snapshots: Option<PathBuf>,
}

/// What a sample is drawn from and proved against.
pub struct Drawing<'a> {
    pub store: &'a Store,
    pub checkpoints: Option<&'a Path>,
    pub trees: Option<&'a Path>,
    pub keys: &'a [Verifier],
    pub form: Form,
}

impl SampleOptions {
    pub const fn is_asked(&self) -> bool {
        self.sample.is_some()
    }

    /// Samples each of these ledgers.
    pub fn run(&self, of: &Drawing<'_>, only: Option<Environment>) -> Result<(), Failure> {
        let seed = self.seed.map_or_else(|| Ok::<_, Failure>(u64::from_le_bytes(random()?)), Ok)?;
        let records = self.sample.unwrap_or_default();
        let mut none = true;
        for environment in Environment::ALL {
            if only.is_some_and(|only| only != environment) {
                continue;
            }
            let journal = match of.store.open(environment, OpenMode::ReadOnly) {
                Err(OpenError::LedgerUnknown { .. }) if only.is_none() => continue,
                journal => journal?,
            };
            none = false;
            self.ledger(of, (environment, journal), Sample { records, seed })?;
        }
        if none { Err(Failure::new(format!("{} holds no ledger", of.store))) } else { Ok(()) }
    }

    fn ledger(
        &self,
        of: &Drawing<'_>,
        (environment, mut journal): (Environment, Box<dyn Journal>),
        asked: Sample,
    ) -> Result<(), Failure> {
        let name = environment.name();
        let key = key_of(of.keys, &*journal, name).cloned();
        let checkpoint = of.checkpoint(name, key.as_ref())?;
        let tree = of.tree(environment, checkpoint.size)?;
        let beside = self.beside(of.store, &mut *journal, (name, checkpoint.size))?;
        let at_fault = |error: &(dyn std::error::Error + 'static)| {
            let mut failure = Failure::because(&format!("sample of ledger {name}"), error);
            failure.lines.push(format!("Ledger {name}: NOT verified"));
            failure
        };
        let prover = Prover::new(journal, name, tree, checkpoint.clone());
        let mut prover = prover.map_err(|error| at_fault(&error))?;
        let sampled =
            sample(&mut prover, beside.as_ref(), asked).map_err(|error| at_fault(&error))?;
        let shown = Shown { name, checkpoint: &checkpoint, is_signed: key.is_some(), asked };
        match of.form {
            Form::Text => shown.text(&sampled),
            Form::Json => shown.json(&sampled),
        }
    }

    /// The ledger at the checkpoint, where a snapshot saves replaying it.
    fn beside(
        &self,
        store: &Store,
        journal: &mut dyn Journal,
        (name, size): (&str, u64),
    ) -> Result<Option<Sequencer>, Failure> {
        let Some(snapshots) = store.snapshots_in(self.snapshots.as_deref()) else {
            return Ok(None);
        };
        Ok(Sequencer::open_by_snapshot(journal, name, &snapshots, size)?)
    }
}

impl Drawing<'_> {
    /// The last checkpoint of a ledger, signed by the key where there is one.
    fn checkpoint(&self, name: &str, key: Option<&Verifier>) -> Result<Checkpoint, Failure> {
        let stored = || -> Result<String, Failure> {
            let notes: Vec<String> =
                in_store(self.store, name)?.iter().map(Note::to_string).collect();
            Ok(notes.join("\n"))
        };
        let place =
            self.checkpoints.map_or_else(|| PathBuf::from(self.store.to_string()), Path::to_owned);
        let named = |error: &(dyn std::error::Error + 'static)| Failure::of_file(&place, error);
        let text = match self.checkpoints {
            Some(path) => std::fs::read_to_string(path).map_err(|error| named(&error))?,
            None => stored()?,
        };
        if let Some(key) = key {
            return Checkpoint::find(&text, key, None).map_err(|error| named(&error));
        }
        let mine = |note: &Note| note.text.lines().next().is_some_and(|it| is_of(it, name));
        let last = Note::all(&text).into_iter().rev().find(mine).ok_or_else(|| {
            Failure::new(format!(
                "{}: no checkpoint of ledger {name} to prove a sample against: say --checkpoints \
                 FILE",
                place.display()
            ))
        })?;
        Checkpoint::parse(&last.text).map_err(|error| named(&error))
    }

    /// The tree over the records, which must be there: to make it is to read everything.
    fn tree(&self, environment: Environment, size: u64) -> Result<RecordTree, Failure> {
        let (store, name) = (self.store, environment.name());
        let path = tree_path(store, self.trees, environment).ok_or_else(|| {
            Failure::new(format!(
                "{store}: say with --trees where the trees over its records stand"
            ))
        })?;
        let tree = path.exists().then(|| RecordTree::open(&path)).transpose()?;
        tree.filter(|tree| size <= tree.size()).ok_or_else(|| {
            let folder = self
                .trees
                .map_or_else(String::new, |folder| format!(" --trees {}", folder.display()));
            let file = self.checkpoints.map_or_else(String::new, |path| {
                format!(" --checkpoint {}", path.display())
            });
            Failure::new(format!(
                "{}: no tree over the records of ledger {name} up to the checkpoint; make it with \
                 `custody-ledger prove record {store} 1 --environment {name}{file}{folder}`, or audit without --sample",
                path.display()
            ))
        })
    }
}

/// What was sampled, for whoever reads it.
struct Shown<'a> {
    name: &'a str,
    checkpoint: &'a Checkpoint,
    is_signed: bool,
    asked: Sample,
}

impl Shown<'_> {
    fn text(&self, sampled: &Sampled) -> Result<(), Failure> {
        let Checkpoint { origin, size, time, .. } = self.checkpoint;
        let drawn = sampled.records.len() as u64;
        let signed = if self.is_signed {
            "whose signature is of --key"
        } else {
            "whose signature was not checked: give its --key"
        };
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "Ledger {}: a sample, {drawn} of {size} records, seed {}",
            self.name, self.asked.seed
        )?;
        writeln!(
            out,
            "  against        the checkpoint of {origin} at {size} records, {time}, {signed}"
        )?;
        let numbers: Vec<String> = sampled.records.iter().map(u64::to_string).collect();
        writeln!(out, "  records        {drawn} proved by the tree: {}", numbers.join(", "))?;
        match sampled.operations {
            Some((operations, records)) => writeln!(
                out,
                "  operations     {operations} that they touch: {records} records of them proved"
            )?,
            None => writeln!(out, "  operations     not looked at: {}", self.no_snapshot())?,
        }
        match sampled.balances {
            Some(balances) => writeln!(
                out,
                "  balances       {balances} that they touch, proved by the tree of balances"
            )?,
            None => writeln!(out, "  balances       not looked at: {}", self.no_snapshot())?,
        }
        let rest = size - drawn;
        writeln!(
            out,
            "  not proved     the other {rest} records, and that any follows from those before it"
        )?;
        if rest > 0 {
            let one = sampled.miss_chance(1);
            writeln!(
                out,
                "  missed         one record at fault: in {rest} of {size} samples, {one}"
            )?;
        }
        for (one_in, chance) in chances(sampled) {
            let at_fault = chance.at_fault;
            writeln!(
                out,
                "                 one in {one_in} at fault, {at_fault} records: all missed in {chance} of samples"
            )?;
        }
        writeln!(out)?;
        Ok(())
    }

    fn json(&self, sampled: &Sampled) -> Result<(), Failure> {
        let missed = [1].into_iter().map(|at_fault| sampled.miss_chance(at_fault));
        let missed = missed.chain(chances(sampled).map(|(_, chance)| chance));
        let missed: Vec<_> = missed
            .map(|chance| json!({ "at_fault": chance.at_fault, "missed": chance.to_string() }))
            .collect();
        let json = json!({
            "ledger": self.name,
            "sample": sampled.records.len(),
            "of": sampled.size,
            "seed": self.asked.seed.to_string(),
            "origin": self.checkpoint.origin,
            "signature_checked": self.is_signed,
            "records": sampled.records,
            "operations": sampled.operations.map(|(operations, _)| operations),
            "operation_records": sampled.operations.map(|(_, records)| records),
            "balances": sampled.balances,
            "chances": missed,
        });
        writeln!(std::io::stdout(), "{json}")?;
        Ok(())
    }

    fn no_snapshot(&self) -> String {
        let size = self.checkpoint.size;
        format!("no snapshot is of record {size} or before it; `custody-ledger snapshot` makes one")
    }
}

/// The chances to miss one in so many, where that is any and not all.
fn chances(sampled: &Sampled) -> impl Iterator<Item = (u64, ledger_proofs::sample::Chance)> {
    let some = ONE_IN.into_iter().filter(|one_in| one_in * 2 <= sampled.size);
    some.map(|one_in| (one_in, sampled.miss_chance(sampled.size / one_in)))
}
