//! The outbox: what is to be sent and carried out, until it is acknowledged.

use std::collections::HashSet;
use std::sync::{Arc, Weak};
use std::time::Duration;

use ledger_core::contract::Vault as _;
use ledger_core::id::Token;
use ledger_core::time::Instant;
use ledger_store::clock::Clock;
use ledger_store::engine::{Engine, EngineError, OutboxProgress};
use ledger_store::projection::{Acknowledged, Entry, EntryKind, OutboxError, Tables, TablesFailed};
use ledger_store::sequencer::HandOut;
use ledger_store::{Journal, JournalError, OpenMode, Vault};

use super::store::Medium;

/// Why there is no outbox to be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutboxUnavailable {
    /// The ledger was opened without one.
    #[error("this ledger keeps no outbox: open it with Builder::outbox")]
    None,
    /// What was answered does not stand in the outbox yet: its database is slow or away.
    #[error("the outbox is behind the ledger: {waiting} entries are not written yet")]
    Behind {
        /// The number of entries that are not written yet.
        waiting: usize,
    },
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] ledger_store::OpenError),
    /// The tables cannot be read.
    #[error(transparent)]
    Tables(#[from] TablesFailed),
    /// The vault cannot be read.
    #[error(transparent)]
    Vault(#[from] JournalError),
    /// The ledger cannot be asked, or is another process's now: nothing is handed out.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An entry cannot be read or acknowledged.
    #[error(transparent)]
    Entry(#[from] OutboxError),
}

/// What is to be sent to clients and carried out in the world. Its methods block.
///
/// An entry is there until it is acknowledged. Of each operation the first notification and the
/// first instruction are shown; what follows one of them comes after it, so a client that cannot be
/// reached keeps no PIX from being sent. So everything is done at least once and in order, whatever
/// stops between; [`Entry::idempotency_key`] is the same each time.
///
/// What is given and not acknowledged is given again, before anything newer: `limit` is how much is
/// under way, and how much more is wanted. Instructions are asked for by themselves, since
/// notifications that nobody takes would fill any limit.
///
/// ```
/// use std::time::Duration;
///
/// use custody_ledger::{Ledger, Outbox};
///
/// /// Sends what is pending; whoever runs a service calls this now and then.
/// fn send(ledger: &Ledger, outbox: &mut Outbox) -> Result<(), Box<dyn std::error::Error>> {
///     for entry in outbox.instructions(100)? {
///         // Carried out under `entry.idempotency_key`, reported as a fact, then acknowledged.
///         outbox.acknowledge(&entry)?;
///     }
///     for entry in outbox.notifications(1_000)? {
///         let delivered = match ledger.webhook(&entry).wait()? {
///             // POST `webhook.body` with `webhook.headers` to `webhook.url`; done by a 2xx.
///             Some(webhook) => webhook.url.starts_with("https://"),
///             // Its account listens nowhere.
///             None => true,
///         };
///         if delivered {
///             outbox.acknowledge(&entry)?;
///         }
///     }
///     Ok(())
/// }
///
/// let ledger = Ledger::builder("memory:").outbox().open().wait()?;
/// send(&ledger, &mut ledger.outbox()?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Outbox {
    tables: Tables,
    journal: Box<dyn Journal>,
    vault: Option<Vault>,
    progress: OutboxProgress,
    engine: Weak<Engine>,
    clock: Arc<dyn Clock>,
}

/// How long [`Outbox::pending`] waits for what was answered to stand in the outbox: far longer than
/// it takes while the database answers.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often it is looked for what is due, where something else was called off before it.
const MOST_LOOKS: usize = 8;

impl Outbox {
    pub(super) fn open(
        store: &Medium,
        name: &str,
        engine: &Arc<Engine>,
        clock: &Arc<dyn Clock>,
    ) -> Result<Self, OutboxUnavailable> {
        let progress = engine.outbox().ok_or(OutboxUnavailable::None)?;
        // Where there is none, the ledger was not opened with one.
        let target = store.target().map_err(|_| OutboxUnavailable::None)?;
        let tables = Tables::open_writing(&target, name)?;
        let tables = tables.ok_or(OutboxUnavailable::None)?;
        let journal = store.journal(name, OpenMode::ReadOnly).map_err(|error| match error {
            super::OpenError::Store(error) => OutboxUnavailable::Store(error),
            _ => OutboxUnavailable::None,
        })?;
        let (engine, clock) = (Arc::downgrade(engine), Arc::clone(clock));
        Ok(Self { tables, journal, vault: None, progress, engine, clock })
    }

    /// Returns what is pending, at most `limit`, in the order of records: whatever this ledger has
    /// answered so far is among it.
    ///
    /// Instructions are handed out by it: the ledger records of each, once, that it may be carried
    /// out from here on, before this returns. One that does not stand any more, as its payout was
    /// stopped or its money went back, is acknowledged and not given.
    ///
    /// # Errors
    ///
    /// [`OutboxUnavailable`] when tables or vault cannot be read, or the ledger cannot be asked.
    pub fn pending(&mut self, limit: usize) -> Result<Vec<Entry>, OutboxUnavailable> {
        self.first(None, limit)
    }

    /// Hands out what is to be carried out in the world, at most `limit`, as [`Outbox::pending`].
    ///
    /// # Errors
    ///
    /// [`OutboxUnavailable`] when tables or vault cannot be read, or the ledger cannot be asked.
    pub fn instructions(&mut self, limit: usize) -> Result<Vec<Entry>, OutboxUnavailable> {
        self.first(Some(EntryKind::Instruction), limit)
    }

    /// Returns what is to be sent to clients, at most `limit`, as [`Outbox::pending`].
    ///
    /// # Errors
    ///
    /// [`OutboxUnavailable`] when tables or vault cannot be read, or the ledger cannot be asked.
    pub fn notifications(&mut self, limit: usize) -> Result<Vec<Entry>, OutboxUnavailable> {
        self.first(Some(EntryKind::Notification), limit)
    }

    fn first(
        &mut self,
        kind: Option<EntryKind>,
        limit: usize,
    ) -> Result<Vec<Entry>, OutboxUnavailable> {
        if !self.progress.settle(PATIENCE) {
            return Err(OutboxUnavailable::Behind { waiting: self.progress.waiting() });
        }
        for _ in 0..MOST_LOOKS {
            let mut first = self.tables.pending(kind, limit, &Vault::default())?;
            let called_off = self.hand_out(&mut first)?;
            // What was called off may have stood before something that is due.
            if called_off == 0 {
                return self.whole_entries(kind, limit, &first);
            }
        }
        Ok(Vec::new())
    }

    /// Hands out the instructions among `entries` that stand, and takes the others away; what
    /// stands no more is acknowledged, and counted.
    fn hand_out(&mut self, entries: &mut Vec<Entry>) -> Result<usize, OutboxUnavailable> {
        let is_instruction = |entry: &Entry| entry.kind == EntryKind::Instruction;
        let of = |entry: &Entry| entry.idempotency_key.clone();
        let keys: Vec<String> = entries.iter().filter(|it| is_instruction(it)).map(of).collect();
        if keys.is_empty() {
            return Ok(0);
        }
        let (engine, at) =
            (Weak::upgrade(&self.engine).ok_or(EngineError::Ended)?, self.clock.now());
        let mut came = engine.hand_out(keys, at).wait()?.into_iter();
        let mut over = Vec::new();
        entries.retain(|entry| {
            let came = if is_instruction(entry) { came.next() } else { Some(HandOut::Given) };
            over.extend(came.filter(|came| came.is_over()).map(|_| entry.id.clone()));
            came == Some(HandOut::Given)
        });
        self.tables.acknowledge_all(&over, at)?;
        Ok(over.len())
    }

    /// These entries with the persons in them: whoever stands in one was written before it.
    fn whole_entries(
        &mut self,
        kind: Option<EntryKind>,
        limit: usize,
        first: &[Entry],
    ) -> Result<Vec<Entry>, OutboxUnavailable> {
        let persons = first.iter().flat_map(|entry| &entry.persons);
        let tokens: Vec<Token> = persons.map(|(_, token)| *token).collect();
        let vault = Vault::read(&mut *self.journal, &tokens)?;
        let mut pending = self.tables.pending(kind, limit, &vault)?;
        let known: HashSet<&str> = first.iter().map(|entry| &*entry.id).collect();
        pending.retain(|entry| known.contains(&*entry.id));
        self.vault = Some(vault);
        Ok(pending)
    }

    /// The whole value of a field of an entry that was given last, where the entry
    /// shows it masked: the PIX key of `pix.send`. None once it was erased.
    #[must_use]
    pub fn whole(&self, entry: &Entry, field: &str) -> Option<&str> {
        let (_, token) = entry.persons.iter().find(|(name, _)| *name == field)?;
        self.vault.as_ref()?.value(*token)
    }

    /// Acknowledges entries that were sent or carried out, all in one transaction: whoever has many
    /// is done with them sooner so.
    ///
    /// # Errors
    ///
    /// [`OutboxUnavailable`] when they cannot be written: then none is acknowledged.
    pub fn acknowledge_all(&mut self, entries: &[Entry]) -> Result<(), OutboxUnavailable> {
        let ids: Vec<String> = entries.iter().map(|entry| entry.id.clone()).collect();
        Ok(self.tables.acknowledge_all(&ids, self.clock.now())?)
    }

    /// Acknowledges an entry: it was sent, or carried out.
    ///
    /// # Errors
    ///
    /// [`OutboxUnavailable`] when there is no such entry, or it cannot be written.
    pub fn acknowledge(&mut self, entry: &Entry) -> Result<Acknowledged, OutboxUnavailable> {
        let at = Instant::parse(&entry.recorded_at).unwrap_or_default();
        Ok(self.tables.acknowledge(&entry.id, at)?)
    }
}

impl std::fmt::Debug for Outbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Outbox")
    }
}
