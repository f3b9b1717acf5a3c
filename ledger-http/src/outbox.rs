//! The outbox of a ledger as the service gives it to the world: what is to be done, until it is
//! acknowledged.

use std::collections::HashSet;
use std::sync::{Arc, Weak};
use std::time::Duration;

use ledger_core::contract::Vault as _;
use ledger_core::time::Instant;
use ledger_store::engine::{Engine, EngineError, OutboxProgress};
use ledger_store::projection::{
    Acknowledged, Entry, EntryKind, Notice, NoticePage, OutboxError, Tables, TablesFailed, Target,
};
use ledger_store::sequencer::HandOut;
use ledger_store::{Journal, JournalError, Vault};
use serde_json::{Map, Value, json};
use thiserror::Error;

/// The outbox of one ledger. Its methods block.
pub struct Outbox {
    tables: Tables,
    journal: Box<dyn Journal>,
    progress: Option<OutboxProgress>,
    /// The engine of its ledger, which alone hands out.
    engine: Weak<Engine>,
}

/// What was handed out of an outbox.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct HandedOut {
    /// What is to be carried out, as whoever does is told of it. Persons stand in it.
    pub given: Vec<Value>,
    /// What was called off before it was handed out, and is acknowledged now.
    pub called_off: Vec<Value>,
    /// Tells whether something was acknowledged now, behind which more may be due.
    is_short: bool,
}

/// How long a reader waits for what was answered to stand in the outbox: far longer than it takes
/// while the database answers.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often it is looked for what is due, where something else was called off before it.
const MOST_LOOKS: usize = 8;

/// Why an outbox is not read, or nothing acknowledged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OutboxFailed {
    /// What was answered does not stand in it yet: its database is slow or away.
    #[error("the outbox is behind the ledger: {waiting} entries are not written yet")]
    Behind {
        /// The number of entries that are not written yet.
        waiting: usize,
    },
    /// The tables cannot be opened.
    #[error(transparent)]
    Tables(#[from] TablesFailed),
    /// The persons in it cannot be read.
    #[error(transparent)]
    Vault(#[from] JournalError),
    /// The ledger cannot be asked, or is another process's now.
    #[error(transparent)]
    Engine(#[from] EngineError),
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
        Ok(tables.map(|tables| Self { tables, journal, progress: None, engine: Weak::new() }))
    }

    /// The same, in which everything is read that its engine has answered, however far that is, and
    /// of which that engine hands out.
    pub(crate) fn kept_by(self, engine: &Arc<Engine>) -> Self {
        Self { progress: engine.outbox(), engine: Arc::downgrade(engine), ..self }
    }

    /// Hands out what the world is asked to do, at most `limit`, in the order of records: of each
    /// operation the first alone, since the others come after it. That it is handed out is durable
    /// before this returns. What stands no more is acknowledged instead (rulings 70).
    ///
    /// # Errors
    ///
    /// [`OutboxFailed`] when tables or vault cannot be read, or the ledger cannot be asked: then
    /// nothing is handed out.
    pub fn instructions(&mut self, limit: usize, at: Instant) -> Result<HandedOut, OutboxFailed> {
        let mut handed = HandedOut { is_short: true, ..HandedOut::default() };
        let mut called_off = Vec::new();
        for _ in 0..MOST_LOOKS {
            // What was called off may have stood before something that is due.
            if !handed.is_short {
                break;
            }
            let ids = self.pending(limit)?.into_iter().map(|entry| entry.id).collect();
            handed = self.hand_out(&ids, limit, at)?;
            called_off.append(&mut handed.called_off);
        }
        Ok(HandedOut { called_off, ..handed })
    }

    /// Returns what waits to be handed out, as [`Outbox::instructions`] has it, without persons.
    /// Nobody may carry it out.
    ///
    /// # Errors
    ///
    /// [`OutboxFailed`] when the tables cannot be read.
    pub(crate) fn pending(&mut self, limit: usize) -> Result<Vec<Entry>, OutboxFailed> {
        if let Some(progress) = &self.progress
            && !progress.settle(PATIENCE)
        {
            return Err(OutboxFailed::Behind { waiting: progress.waiting() });
        }
        let kind = Some(EntryKind::Instruction);
        Ok(self.tables.pending(kind, limit, &Vault::default())?)
    }

    /// Hands out those of these that are among the first `limit`.
    ///
    /// # Errors
    ///
    /// As [`Outbox::instructions`].
    pub(crate) fn hand_out(
        &mut self,
        ids: &HashSet<String>,
        limit: usize,
        at: Instant,
    ) -> Result<HandedOut, OutboxFailed> {
        if ids.is_empty() {
            return Ok(HandedOut::default());
        }
        let kind = Some(EntryKind::Instruction);
        let mut entries = self.tables.pending(kind, limit, &Vault::default())?;
        entries.retain(|entry| ids.contains(&entry.id));
        let keys = entries.iter().map(|entry| entry.idempotency_key.clone()).collect();
        let mut tokens = Vec::new();
        let engine = Weak::upgrade(&self.engine).ok_or(EngineError::Ended)?;
        let came = engine.hand_out(keys, at).wait()?;
        let (mut given, mut handed) = (HashSet::new(), HandedOut::default());
        for (entry, came) in entries.into_iter().zip(came) {
            if came == HandOut::Given {
                tokens.extend(entry.persons.iter().map(|(_, token)| *token));
                given.insert(entry.id);
            } else if came.is_over() {
                self.tables.acknowledge(&entry.id, at)?;
                handed.is_short = true;
                handed.called_off.extend((came == HandOut::CalledOff).then(|| over(&entry)));
            }
        }
        if !given.is_empty() {
            // Whoever stands in them was written before they were handed out.
            let vault = Vault::read(&mut *self.journal, &tokens)?;
            let mut entries = self.tables.pending(kind, limit, &vault)?;
            entries.retain(|entry| given.contains(&entry.id));
            handed.given = entries.iter().map(|entry| entry_json(entry, &vault)).collect();
        }
        Ok(handed)
    }

    /// Which events are to be sent, among the `limit` entries behind a place. Their bodies are the
    /// ledger's to tell.
    ///
    /// # Errors
    ///
    /// [`OutboxFailed`] when the tables cannot be read.
    pub(crate) fn notices_after(
        &mut self,
        place: (u64, u64),
        limit: usize,
    ) -> Result<NoticePage, OutboxFailed> {
        Ok(self.tables.notices_after(place, limit)?)
    }

    /// Acknowledges events by their ids, all at once, and gives those that come next in their
    /// operations.
    ///
    /// # Errors
    ///
    /// [`OutboxFailed`] when the tables cannot be read or written.
    pub(crate) fn acknowledge_all(
        &mut self,
        ids: &[String],
        at: Instant,
    ) -> Result<Vec<Notice>, OutboxFailed> {
        self.acknowledge_taken(ids, at)?;
        Ok(self.tables.next_notices(ids)?)
    }

    /// Acknowledges entries by their ids, all at once; those that nothing has are passed over.
    ///
    /// # Errors
    ///
    /// [`OutboxFailed`] when the tables cannot be written.
    pub(crate) fn acknowledge_taken(
        &mut self,
        ids: &[String],
        at: Instant,
    ) -> Result<(), OutboxFailed> {
        Ok(self.tables.acknowledge_all(ids, at)?)
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
fn entry_json(entry: &Entry, vault: &Vault) -> Value {
    let whole = |token| vault.value(token).map_or(Value::Null, Value::from);
    let persons: Map<String, Value> =
        entry.persons.iter().map(|(name, token)| ((*name).to_owned(), whole(*token))).collect();
    json!({
        "id": entry.id,
        "topic": entry.topic,
        "operation": entry.operation,
        "account": entry.account,
        "idempotency_key": entry.idempotency_key,
        "seq": entry.seq,
        "recorded_at": entry.recorded_at,
        "waiting_behind": entry.behind,
        "body": entry.body,
        "persons": persons,
    })
}

/// An entry that nobody carries out any more.
fn over(entry: &Entry) -> Value {
    json!({
        "id": entry.id,
        "topic": entry.topic,
        "operation": entry.operation,
        "account": entry.account,
        "idempotency_key": entry.idempotency_key,
        "seq": entry.seq,
        "recorded_at": entry.recorded_at,
    })
}

/// Persons stand in it.
impl std::fmt::Debug for Outbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outbox").finish_non_exhaustive()
    }
}
