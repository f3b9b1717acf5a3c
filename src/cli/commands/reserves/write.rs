//! `reserves`: writes the file of one record.

use std::path::{Path, PathBuf};

use clap::Args;
use ledger_core::contract::Environment;
use ledger_proofs::checkpoint::Checkpoint;
use ledger_reserves::{Anchor, LeavesFile, MINIMUM_LEAVES, ReservesFile, Statement, Trees};
use ledger_store::OpenMode;
use ledger_store::signing::note::Note;

use super::{ledger_at, read, verify};
use crate::checkpoints::{in_store, is_of, signer, tree};
use crate::store::{self, Store, StoreOption};
use crate::{Failure, whole_file};

#[derive(Args)]
pub struct FileOptions {
    #[command(flatten)]
    store: StoreOption,
    /// live or sandbox.
    #[arg(long, default_value = "live")]
    environment: String,
    /// After so many records: a checkpoint's, or any that a checkpoint of as many or more covers.
    /// Absent: those of the last checkpoint.
    #[arg(long, value_name = "CHECKPOINT|RECORD")]
    at: Option<u64>,
    /// The checkpoints that `run` or `serve` wrote. Absent: those in the store.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// The folder of statements of what is held, *.json, and of the files whose hashes they name.
    #[arg(long, value_name = "FOLDER", required = true)]
    statements: Option<PathBuf>,
    /// The house's secret key, which signed the checkpoint and signs the file.
    #[arg(long, value_name = "FILE", required = true)]
    checkpoint_key: Option<PathBuf>,
    /// The least number of leaves of each tree, a power of two.
    #[arg(long, value_name = "NUMBER", default_value_t = MINIMUM_LEAVES)]
    leaves_at_least: u64,
    /// How many hours a statement may lie before or after the record.
    #[arg(long, value_name = "HOURS", default_value_t = 24)]
    within_hours: u32,
    /// Writes every leaf, nameless, to this file: for an auditor, since it shows how many holders
    /// have a balance.
    #[arg(long, value_name = "FILE")]
    leaves: Option<PathBuf>,
    /// The folder of the trees over the records; for a file: beside it.
    #[arg(long, value_name = "FOLDER")]
    trees: Option<PathBuf>,
    /// The file to write.
    #[arg(long, value_name = "FILE", required = true)]
    out: Option<PathBuf>,
}

pub fn run(options: &FileOptions) -> Result<(), Failure> {
    let (Some(held), Some(key), Some(out)) =
        (&options.statements, &options.checkpoint_key, &options.out)
    else {
        return Err(Failure::new("say --statements, --checkpoint-key and --out"));
    };
    let environment = store::environment(&options.environment)?;
    let store = Store::parse(options.store.name())?;
    let name = environment.name();
    let (record, note) = options.note(&store, environment)?;
    let statements = statements(held)?;
    let (then, vault_key) = ledger_at(&store, environment, record)?;
    let trees = Trees::read(&then, &vault_key, &statements, options.leaves_at_least)?;
    let mut journal = store.open(environment, OpenMode::ReadOnly)?;
    let over = tree(&store, options.trees.as_deref(), environment)?;
    let anchor = Anchor::new(&mut *journal, name, over, (record, note))?;
    let signer = signer(key)?.of_ledger(name, name);
    let file = ReservesFile::new(&trees, statements, options.within_hours, (anchor, &signer))?;
    if let Some(path) = &options.leaves {
        whole_file::text(Some(path), &LeavesFile::new(&file.origin, &trees).text())?;
    }
    whole_file::text(Some(out), &file.text())?;
    verify::print(&file)
}

impl FileOptions {
    /// The record, and the first checkpoint of it or later; the last one where none is named.
    fn note(&self, store: &Store, environment: Environment) -> Result<(u64, Note), Failure> {
        let name = environment.name();
        let notes = match &self.checkpoint {
            Some(path) => Note::all(&read(path)?),
            None => in_store(store, name)?,
        };
        let known = |note: Note| Some((Checkpoint::parse(&note.text).ok()?, note));
        let mut known: Vec<_> = notes.into_iter().filter_map(known).collect();
        known.retain(|(checkpoint, _)| is_of(&checkpoint.origin, name) && checkpoint.size > 0);
        known.sort_by_key(|(checkpoint, _)| checkpoint.size);
        let found = match self.at {
            Some(at) => known.into_iter().find(|(checkpoint, _)| checkpoint.size >= at),
            None => known.pop(),
        };
        let at = self.at.map(|at| format!(" at {at} records or more")).unwrap_or_default();
        let missing = || Failure::new(format!("{store}: no checkpoint of ledger {name}{at}"));
        let (checkpoint, note) = found.ok_or_else(missing)?;
        Ok((self.at.unwrap_or(checkpoint.size), note))
    }
}

/// The statements of a folder; each file that one names by its hash must stand there.
fn statements(folder: &Path) -> Result<Vec<Statement>, Failure> {
    let named = |error: std::io::Error| Failure::of_file(folder, &error);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(named)? {
        let path = entry.map_err(named)?.path();
        if path.is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    let (json, others): (Vec<_>, Vec<_>) =
        paths.into_iter().partition(|path| path.extension().is_some_and(|it| it == "json"));
    let bytes =
        |path: &PathBuf| std::fs::read(path).map_err(|error| Failure::of_file(path, &error));
    let evidence = others.iter().map(bytes).collect::<Result<Vec<_>, _>>()?;
    let mut all = Vec::new();
    for path in &json {
        let statement = Statement::parse(&read(path)?);
        let statement = statement.map_err(|error| Failure::of_file(path, &error))?;
        let there = evidence.iter().any(|bytes| statement.is_shown_by(bytes));
        if statement.evidence.is_some() && !there {
            let name = path.display();
            return Err(Failure::new(format!("{name}: no file beside it has its evidence's hash")));
        }
        all.push(statement);
    }
    Ok(all)
}
