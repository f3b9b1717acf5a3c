//! The outbox of a ledger as the service gives it to the world: what is to be done, until it is
//! acknowledged.

use std::time::Duration;

use ledger_core::contract::Vault as _;
use ledger_core::time::Instant;
use ledger_store::engine::{Engine, OutboxProgress};
use ledger_store::projection::{
    Acknowledged, Entry, EntryKind, OutboxError, Tables, TablesFailed, Target,
};
use ledger_store::{Journal, JournalError, Vault};
use serde_json::{Map, Value, json};
use thiserror::Error;

/// The outbox of one ledger. Its methods block.
pub struct Outbox {
    tables: Tables,
    journal: Box<dyn Journal>,
    progress: Option<OutboxProgress>,
}

/// How long a reader waits for what was answered to stand in the outbox: far longer than it takes
/// while the database answers.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why an outbox is not read, or nothing acknowledged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OutboxFailed {
    /// What was answered does not stand in it yet: its database is slow or away.
    #[error("the outbox is behind the ledger: {waiting} entries are not written yet")]
    Behind {
        /// How many.
        waiting: usize,
    },
    /// The tables cannot be opened.
    #[error(transparent)]
    Tables(#[from] TablesFailed),
    /// The persons in it cannot be read.
    #[error(transparent)]
    Vault(#[from] JournalError),
    /// There is no such entry, or it cannot be read or acknowledged.
    #[error(transparent)]
    Entry(#[from] OutboxError),
}

impl Outbox {
    /// The outbox that stands in the tables of a ledger; none where there are no tables. Persons
    /// are read from its journal, opened for reading alone.
    ///
    /// # Errors
    ///
    /// [`OutboxFailed`] when the tables cannot be opened.
    pub fn open(
        tables: &Target,
        journal: Box<dyn Journal>,
        ledger: &str,
    ) -> Result<Option<Self>, OutboxFailed> {
        let tables = Tables::open_writing(tables, ledger)?;
        Ok(tables.map(|tables| Self { tables, journal, progress: None }))
    }

    /// The same, in which everything is read that its engine has answered, however far that is.
    pub(crate) fn kept_by(self, engine: &Engine) -> Self {
        Self { progress: engine.outbox(), ..self }
    }

    /// What the world is asked to do, at most `limit`, in the order of records: of each operation
    /// the first alone, since the others come after it.
    ///
    /// # Errors
    ///
    /// [`OutboxFailed`] when tables or vault cannot be read.
    pub fn instructions(&mut self, limit: usize) -> Result<Vec<Value>, OutboxFailed> {
        if let Some(progress) = &self.progress
            && !progress.settle(PATIENCE)
        {
            return Err(OutboxFailed::Behind { waiting: progress.waiting() });
        }
        let kind = Some(EntryKind::Instruction);
        // Persons are looked up only where there is something to be told.
        if self.tables.pending(kind, 1, &Vault::default())?.is_empty() {
            return Ok(Vec::new());
        }
        let vault = Vault::open(&mut *self.journal)?;
        let entries = self.tables.pending(kind, limit, &vault)?;
        Ok(entries.iter().map(|entry| shown(entry, &vault)).collect())
    }

    /// Which events are to be sent, at most `limit`, in the order of records: of each operation the
    /// first alone. Their bodies are the ledger's to tell.
    ///
    /// # Errors
    ///
    /// [`OutboxFailed`] when the tables cannot be read.
    pub(crate) fn notifications(&mut self, limit: usize) -> Result<Vec<Entry>, OutboxFailed> {
        Ok(self.tables.pending(Some(EntryKind::Notification), limit, &Vault::default())?)
    }

    /// Acknowledges an entry by its id: it is never given again.
    ///
    /// # Errors
    ///
    /// [`OutboxFailed`] when there is no such entry, or it cannot be written.
    pub fn acknowledge(&mut self, id: &str, at: Instant) -> Result<Acknowledged, OutboxFailed> {
        Ok(self.tables.acknowledge(id, at)?)
    }
}

/// An entry for whoever carries it out: what its body shows masked stands beside it whole.
fn shown(entry: &Entry, vault: &Vault) -> Value {
    let whole = |token| vault.value(token).map_or(Value::Null, Value::from);
    let persons: Map<String, Value> =
        entry.persons.iter().map(|(name, token)| ((*name).to_owned(), whole(*token))).collect();
    json!({
        "id": entry.id,
        "topic": entry.topic,
        "operation": entry.operation,
        "idempotency_key": entry.idempotency_key,
        "seq": entry.seq,
        "recorded_at": entry.recorded_at,
        "waiting_behind": entry.behind,
        "body": entry.body,
        "persons": persons,
    })
}

/// Persons stand in it.
impl std::fmt::Debug for Outbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outbox").finish_non_exhaustive()
    }
}
