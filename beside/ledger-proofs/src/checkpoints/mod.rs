//! Checkpoints of a ledger: signed as it grows, kept in a file that is only added to or in a table
//! of the store, and what proofs are made for.

mod file;
mod kept_checkpoints;
mod position;
mod prover;
mod rules;
mod table;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use file::CheckpointsFile;
pub use kept_checkpoints::KeptCheckpoints;
use position::{LedgerBalances, Position};
pub use prover::{Prover, ProverError};
pub use table::CheckpointsTable;
use thiserror::Error;

use crate::Hash;
use crate::balances::{SumOverflow, Total};
use crate::checkpoint::{Balances, Checkpoint, CheckpointRefused};
use crate::record_tree::{RecordTree, TreeError};
use ledger_store::engine::{Engine, EngineError};
use ledger_store::journal::Journal;
use ledger_store::projection::TablesFailed;
use ledger_store::signing::key::Signer;
use ledger_store::signing::note::Note;

/// When a checkpoint is written: whichever comes first.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// After so many records, at least 1.
    pub records: u64,
    /// After so long, if anything was recorded.
    pub time: Duration,
}

/// Signs the checkpoints of one ledger, beside its engine and on no thread of the engine's.
pub struct Checkpointer {
    name: String,
    journal: Box<dyn Journal>,
    tree: RecordTree,
    kept: KeptCheckpoints,
    signer: Signer,
    policy: Policy,
    customers: Vec<Option<Box<str>>>,
    /// The last checkpoint of each place: its records and root; the latest is the last.
    last: Vec<(u64, Hash)>,
    written: Instant,
}

/// Why a checkpoint cannot be written.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// A ledger whose name cannot stand in an origin.
    #[error("ledger {0:?} cannot have checkpoints: its name has a blank, a plus sign or a slash")]
    Name(String),
    /// The file cannot be read or written.
    #[error("checkpoints cannot be kept in {}", path.display())]
    File {
        /// The path of the checkpoints' file.
        path: PathBuf,
        /// What the system says of it.
        #[source]
        source: io::Error,
    },
    /// The last checkpoint of the file cannot be read.
    #[error("the last checkpoint in {} is none", path.display())]
    Last {
        /// The path of the checkpoints' file.
        path: PathBuf,
        /// The error of reading it.
        #[source]
        source: CheckpointRefused,
    },
    /// The table cannot be read or written.
    #[error("checkpoints cannot be kept in the store")]
    Table(#[source] TablesFailed),
    /// A row of the table is none.
    #[error("the checkpoint of ledger {ledger} at {records} records in the store is none")]
    Row {
        /// The ledger that the row is of.
        ledger: String,
        /// What the row says of how many records it is.
        records: u64,
    },
    /// The database does not keep checkpoints by the rules it was given.
    #[error("the database does not keep checkpoints as they were signed: {faults}")]
    Rules {
        /// Which triggers and rules are missing, changed or foreign.
        faults: String,
    },
    /// The journal is not the one that was signed before.
    #[error(
        "the ledger is not what was signed at {size} records: the checkpoint says root {signed}, \
         and the journal {found}"
    )]
    Forked {
        /// The records of the last checkpoint.
        size: u64,
        /// The root that the checkpoint signed.
        signed: Hash,
        /// The root of the same records now; empty where there are fewer.
        found: String,
    },
    /// The tree cannot be kept.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The engine has ended.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The balances leave 128 bits.
    #[error(transparent)]
    Overflow(#[from] SumOverflow),
}

impl Checkpointer {
    /// Whoever signs for the ledger named `name`: `journal` reads it, `key` has the name of the
    /// service, and the last checkpoint where they are `kept` is gone on from.
    ///
    /// # Errors
    ///
    /// [`CheckpointError`].
    pub fn new(
        name: &str,
        journal: Box<dyn Journal>,
        tree: RecordTree,
        (kept, key): (impl Into<KeptCheckpoints>, &Signer),
        policy: Policy,
    ) -> Result<Self, CheckpointError> {
        if name.contains(|c: char| c.is_whitespace() || c.is_control() || "+/".contains(c)) {
            return Err(CheckpointError::Name(name.to_owned()));
        }
        let environment = journal.identity().environment(name);
        let signer = key.of_ledger(name, environment.name());
        let kept = kept.into();
        let last = kept.last(signer.name(), name)?;
        let last = last.iter().map(|last| (last.size, last.root)).collect();
        Ok(Self {
            name: name.to_owned(),
            journal,
            tree,
            kept,
            signer,
            policy,
            customers: Vec::new(),
            last,
            written: Instant::now(),
        })
    }

    /// Writes a checkpoint if it is time for one, and says at which record.
    ///
    /// # Errors
    ///
    /// [`CheckpointError`].
    pub fn look(&mut self, engine: &Engine) -> Result<Option<u64>, CheckpointError> {
        if self.is_due(engine)? { self.write(engine) } else { Ok(None) }
    }

    /// Tells whether it is time for a checkpoint.
    ///
    /// # Errors
    ///
    /// [`EngineError`] when the engine has ended.
    pub fn is_due(&self, engine: &Engine) -> Result<bool, EngineError> {
        let new = engine.head()?.seq.saturating_sub(self.last_size());
        let is_time = self.written.elapsed() >= self.policy.time;
        Ok(new >= self.policy.records || (new > 0 && is_time))
    }

    /// Writes a checkpoint unless the last one is of the same record, and says at which.
    ///
    /// # Errors
    ///
    /// [`CheckpointError`].
    pub fn write(&mut self, engine: &Engine) -> Result<Option<u64>, CheckpointError> {
        Ok(self.sign(engine)?.map(|_| self.last_size()))
    }

    /// Writes a checkpoint as [`Checkpointer::write`] does, and gives what was signed.
    ///
    /// # Errors
    ///
    /// [`CheckpointError`].
    pub fn sign(&mut self, engine: &Engine) -> Result<Option<Note>, CheckpointError> {
        self.written = Instant::now();
        let known = self.customers.len();
        let position =
            engine.decide(move |sequencer| Position::from_sequencer(sequencer, known)).wait()?;
        let size = position.head.seq;
        if size == self.last_size() {
            return Ok(None);
        }
        self.customers.extend(position.customers.iter().cloned());
        self.tree.follow(&mut *self.journal, &self.name)?;
        self.goes_on()?;
        let checkpoint = checkpoint(
            &position,
            &self.customers,
            (&mut self.tree, self.signer.name()),
            &*self.journal,
        )?;
        let note = checkpoint.sign(&self.signer);
        self.kept.add(&self.name, size, &note)?;
        self.last = vec![(size, checkpoint.root)];
        Ok(Some(note))
    }

    /// Nothing is signed that does not go on from what was signed before.
    fn goes_on(&mut self) -> Result<(), CheckpointError> {
        for (size, signed) in self.last.clone() {
            let found = if size <= self.tree.size() { Some(self.tree.root(size)?) } else { None };
            if found != Some(signed) {
                let ends = || "ends before it".to_owned();
                let found = found.map_or_else(ends, |found| found.to_string());
                return Err(CheckpointError::Forked { size, signed, found });
            }
        }
        Ok(())
    }

    /// How many records the latest checkpoint has.
    fn last_size(&self) -> u64 {
        self.last.last().map_or(0, |(size, _)| *size)
    }
}

/// The checkpoint of a position, whose subaccounts are called so.
pub(crate) fn checkpoint(
    position: &Position,
    customers: &[Option<Box<str>>],
    (tree, origin): (&mut RecordTree, &str),
    journal: &dyn Journal,
) -> Result<Checkpoint, CheckpointError> {
    let Position { state, head, .. } = position;
    let identity = journal.identity();
    if tree.size() < head.seq {
        return Err(TreeError::Beyond { tree: head.seq, journal: tree.size() }.into());
    }
    let balances = LedgerBalances::from_state(state, customers, &identity.vault_key);
    let root = balances.tree().root()?;
    let columns = balances.columns.into_iter().zip(root.amounts);
    Ok(Checkpoint {
        origin: origin.to_owned(),
        size: head.seq,
        root: tree.root(head.seq)?,
        algorithm: identity.algorithm,
        head: head.link,
        time: state.now.to_string(),
        balances: Balances {
            count: balances.balances.len() as u64,
            root: root.hash,
            totals: columns.map(|(column, owed)| Total { column, owed }).collect(),
        },
    })
}

/// The last checkpoint of this origin in a file's text.
fn last_of(text: &str, origin: &str, path: &Path) -> Result<Option<Checkpoint>, CheckpointError> {
    let notes = Note::all(text);
    let mut mine = notes.iter().rev().filter(|note| note.text.lines().next() == Some(origin));
    let last = mine.next().map(|note| Checkpoint::parse(&note.text)).transpose();
    last.map_err(|source| CheckpointError::Last { path: path.to_owned(), source })
}

impl std::fmt::Debug for Checkpointer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checkpointer")
            .field("origin", &self.signer.name())
            .field("last", &self.last)
            .finish_non_exhaustive()
    }
}
