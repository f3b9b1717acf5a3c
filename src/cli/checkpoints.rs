//! Checkpoints that `run` and `serve` write: the flags, the key, and the ledgers they are of.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use ledger_core::contract::Environment;
use ledger_http::witness::{WitnessSettings, WitnessTask};
use ledger_proofs::checkpoints::{
    Checkpointer, CheckpointsFile, CheckpointsTable, KeptCheckpoints, Policy,
};
use ledger_proofs::record_tree::RecordTree;
use ledger_store::OpenMode;
use ledger_store::engine::Engine;
use ledger_store::signing::key::{KeyMalformed, Signer};
use ledger_store::signing::note::Note;

use crate::environments::Environments;
use crate::store::Store;
use crate::{Failure, say};

/// After how many records a checkpoint is written, unless it is said.
pub const EVERY: u64 = 1_000;

/// After how many seconds one is written if anything was recorded, unless it is said.
pub const SECONDS: u64 = 60;

#[derive(Args)]
pub struct CheckpointOptions {
    /// Adds signed checkpoints of both ledgers to this file, for `prove` and `verify-proof`.
    #[arg(long, value_name = "FILE", requires = "checkpoint_key")]
    checkpoints: Option<PathBuf>,
    /// The secret key that checkpoints are signed with, as `checkpoint-key` makes it; with it they
    /// are kept in the store, too.
    #[arg(long, value_name = "FILE")]
    checkpoint_key: Option<PathBuf>,
    /// Posts each signed checkpoint to this URL, in order, until it is taken; what could not be
    /// sent is sent when the store is next written to.
    #[arg(long, value_name = "URL", requires = "checkpoint_key")]
    checkpoint_url: Option<String>,
    /// After so many records of a ledger one is written, and at the end.
    #[arg(long, value_name = "RECORDS", default_value_t = EVERY, requires = "checkpoint_key")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint_every: u64,
    /// After so many seconds too, if anything was recorded.
    #[arg(long, value_name = "SECONDS", default_value_t = SECONDS, requires = "checkpoint_key")]
    checkpoint_seconds: u64,
    /// The folder of the trees over the records; for a file: beside it.
    #[arg(long, value_name = "FOLDER", requires = "checkpoint_key")]
    trees: Option<PathBuf>,
}

/// How checkpoints are written.
pub struct CheckpointSettings<'a> {
    pub file: Option<&'a Path>,
    pub url: Option<&'a str>,
    pub key: &'a Path,
    pub every: u64,
    pub seconds: u64,
    pub trees: Option<&'a Path>,
}

/// Those who write the checkpoints of a store's ledgers; none where none are wanted.
#[derive(Default)]
pub struct Checkpoints {
    each: Vec<(Environment, Checkpointer)>,
    /// Who sends them to a witness, and the last of them at its end.
    witness: Option<WitnessTask>,
}

impl CheckpointOptions {
    /// How checkpoints are written, if any are.
    pub fn settings(&self) -> Option<CheckpointSettings<'_>> {
        Some(CheckpointSettings {
            file: self.checkpoints.as_deref(),
            url: self.checkpoint_url.as_deref(),
            key: self.checkpoint_key.as_deref()?,
            every: self.checkpoint_every,
            seconds: self.checkpoint_seconds,
            trees: self.trees.as_deref(),
        })
    }
}

impl Checkpoints {
    /// Opens what is needed; both ledgers of the store must have been made.
    pub fn open(store: &Store, settings: Option<CheckpointSettings<'_>>) -> Result<Self, Failure> {
        let Some(settings) = settings else { return Ok(Self::default()) };
        let key = signer(settings.key)?;
        let kept = open_storage(store, &settings)?;
        let policy =
            Policy { records: settings.every.max(1), time: Duration::from_secs(settings.seconds) };
        let each = |environment: Environment| -> Result<_, Failure> {
            let journal = store.open(environment, OpenMode::ReadOnly)?;
            let tree = tree(store, settings.trees, environment)?;
            let name = environment.name();
            Ok((environment, Checkpointer::new(name, journal, tree, (kept.clone(), &key), policy)?))
        };
        let each = Environment::ALL.into_iter().map(each).collect::<Result<_, _>>()?;
        let witness = settings.url.map(|url| witness(url, &kept)).transpose()?;
        Ok(Self { each, witness })
    }

    fn for_environment(&mut self, environment: Environment) -> Option<&mut Checkpointer> {
        self.each.iter_mut().find(|(of, _)| *of == environment).map(|(_, keeper)| keeper)
    }

    /// Writes one if it is time for it.
    pub fn look(&mut self, environment: Environment, engine: &Engine) -> Result<(), Failure> {
        let Some(keeper) = self.for_environment(environment) else { return Ok(()) };
        keeper.look(engine).map(|_| ()).map_err(|error| write_failure(environment, &error))
    }

    /// Writes those of a run that it is time for: of ledgers that have come to their engines.
    pub fn look_at(&mut self, environments: &Environments) -> Result<(), Failure> {
        let mut engines = engines(environments);
        engines.try_for_each(|(environment, engine)| self.look(environment, engine))
    }

    /// Sends what the witness has not, as far as it takes it at once, and nothing more.
    pub fn stop(&mut self) {
        if let Some(witness) = self.witness.take() {
            witness.stop();
        }
    }

    /// Writes the last ones of a run.
    pub fn write_last(&mut self, environments: &Environments) -> Result<(), Failure> {
        let mut engines = engines(environments);
        engines.try_for_each(|(environment, engine)| self.write(environment, engine))
    }

    /// Writes the last one.
    pub fn write(&mut self, environment: Environment, engine: &Engine) -> Result<(), Failure> {
        let Some(keeper) = self.for_environment(environment) else { return Ok(()) };
        keeper.write(engine).map(|_| ()).map_err(|error| write_failure(environment, &error))
    }
}

/// Where checkpoints are kept: in the store, where it is none in memory, and in a file. A role that
/// may not make the table, or write to it, keeps them in the file alone.
fn open_storage(
    store: &Store,
    settings: &CheckpointSettings<'_>,
) -> Result<KeptCheckpoints, Failure> {
    let file = settings.file.map(CheckpointsFile::open).transpose()?;
    let table = match store.target().map(|target| CheckpointsTable::open(&target)).transpose() {
        Err(error) if file.is_some() && settings.url.is_none() => {
            let kept = "checkpoints are kept in their file alone, and not in the store";
            say(&Failure::because(kept, &error).to_string());
            None
        }
        table => table?,
    };
    if file.is_none() && table.is_none() {
        return Err(Failure::new(format!("{store} keeps no checkpoints: say --checkpoints FILE")));
    }
    Ok(KeptCheckpoints { file, table })
}

/// Sends what stands in the table to a witness; what is not taken is said once, and tried again.
fn witness(url: &str, kept: &KeptCheckpoints) -> Result<WitnessTask, Failure> {
    let table = kept.table.clone().ok_or_else(|| {
        Failure::new("--checkpoint-url sends what is kept in the store, and memory: keeps nothing")
    })?;
    let names = Environment::ALL.into_iter().map(|of| of.name().to_owned()).collect();
    let settings = WitnessSettings::new(url, names)?;
    let said = Mutex::new(Vec::new());
    let task = WitnessTask::start(table, settings, move |not_sent| {
        let text = Failure::because("a checkpoint waits for its witness", not_sent).to_string();
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.last() != Some(&text) {
            say(&text);
            said.push(text);
        }
    });
    Ok(task?)
}

fn engines(environments: &Environments) -> impl Iterator<Item = (Environment, &Engine)> {
    let ledgers = environments.ledgers();
    ledgers.filter_map(|(environment, ledger)| Some((environment, ledger.engine()?)))
}

fn write_failure(environment: Environment, error: &(dyn std::error::Error + 'static)) -> Failure {
    Failure::because(&format!("{}: no checkpoint could be written", environment.name()), error)
}

/// Random bytes of the system's, for a key or for what nobody is to know before.
pub fn random<const N: usize>() -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// The key in a file.
pub fn signer(path: &Path) -> Result<Signer, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::of_file(path, &error))?;
    text.parse().map_err(|error: KeyMalformed| Failure::of_file(path, &error))
}

/// The tree over a ledger's records: in a folder, beside the store's file, or else in memory.
pub fn tree(
    store: &Store,
    folder: Option<&Path>,
    environment: Environment,
) -> Result<RecordTree, Failure> {
    match tree_path(store, folder, environment) {
        Some(path) => Ok(RecordTree::open(&path)?),
        None => Ok(RecordTree::in_memory()),
    }
}

/// Where the file of that tree stands.
pub fn tree_path(store: &Store, folder: Option<&Path>, of: Environment) -> Option<PathBuf> {
    let folder = folder.map(Path::to_owned).or_else(|| store.trees())?;
    Some(folder.join(format!("{}.tree", of.name())))
}

/// The checkpoints of a ledger in order, at least one: those of a file, or of the store without it;
/// those of so many records, where that is said.
pub fn notes(
    path: Option<&Path>,
    store: &Store,
    name: &str,
    at: Option<u64>,
) -> Result<Vec<Note>, Failure> {
    let mut notes = match path {
        Some(path) => {
            let text = std::fs::read_to_string(path);
            Note::all(&text.map_err(|error| Failure::of_file(path, &error))?)
        }
        None => in_store(store, name)?,
    };
    notes.retain(|note| {
        let mut lines = note.text.lines();
        let mine = lines.next().is_some_and(|origin| is_of(origin, name));
        mine && at.is_none_or(|at| lines.next() == Some(&*at.to_string()))
    });
    if notes.is_empty() {
        let at = at.map(|at| format!(" at {at} records")).unwrap_or_default();
        let place = path.map_or_else(|| store.to_string(), |path| path.display().to_string());
        let made = "`run` and `serve` make them with --checkpoint-key";
        return Err(Failure::new(format!("{place}: no checkpoint of ledger {name}{at}: {made}")));
    }
    Ok(notes)
}

/// The checkpoints of a ledger that stand in its store, in order.
pub fn in_store(store: &Store, name: &str) -> Result<Vec<Note>, Failure> {
    let Some(target) = store.target() else { return Ok(Vec::new()) };
    let notes = CheckpointsTable::notes(&target, name)?;
    Ok(notes.into_iter().map(|(_, note)| note).collect())
}

/// Checks that a store lets no checkpoint be changed or removed.
pub fn check_rules(store: &Store) -> Result<(), Failure> {
    store.target().map_or(Ok(()), |target| Ok(CheckpointsTable::check_rules(&target)?))
}

/// Tells whether checkpoints of this origin are of a store's ledger of this name, which is that of
/// its environment.
pub fn is_of(origin: &str, name: &str) -> bool {
    origin.ends_with(&format!("/{name}/{name}"))
}
