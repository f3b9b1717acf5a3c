//! The outbox: what is to be sent and carried out, until it is acknowledged.

use std::time::Duration;

use ledger_core::contract::Vault as _;
use ledger_core::time::Instant;
use ledger_store::engine::OutboxProgress;
use ledger_store::projection::{Acknowledged, Entry, OutboxError, Tables, TablesFailed};
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
        /// How many.
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
    /// An entry cannot be read or acknowledged.
    #[error(transparent)]
    Entry(#[from] OutboxError),
}

/// What is to be sent to clients and carried out in the world. Its methods block.
///
/// An entry is there until it is acknowledged, and of each operation the first is shown alone: the
/// others come after it. So everything is done at least once and in order, whatever stops between;
/// [`Entry::idempotency_key`] is the same each time.
pub struct Outbox {
    tables: Tables,
    journal: Box<dyn Journal>,
    vault: Option<Vault>,
    progress: OutboxProgress,
}

/// How long [`Outbox::pending`] waits for what was answered to stand in the outbox: far longer than
/// it takes while the database answers.
const PATIENCE: Duration = Duration::from_secs(5);

impl Outbox {
    pub(super) fn open(
        store: &Medium,
        name: &str,
        progress: Option<OutboxProgress>,
    ) -> Result<Self, OutboxUnavailable> {
        let progress = progress.ok_or(OutboxUnavailable::None)?;
        let target = store.target().ok_or(OutboxUnavailable::None)?;
        let tables = Tables::open_writing(&target, name)?.ok_or(OutboxUnavailable::None)?;
        let journal = store.journal(name, OpenMode::ReadOnly).map_err(|error| match error {
            super::OpenError::Store(error) => OutboxUnavailable::Store(error),
            _ => OutboxUnavailable::None,
        })?;
        Ok(Self { tables, journal, vault: None, progress })
    }

    /// What is pending, at most `limit`, in the order of records: whatever this ledger has answered
    /// so far is among it.
    ///
    /// # Errors
    ///
    /// [`OutboxUnavailable`] when tables or vault cannot be read.
    pub fn pending(&mut self, limit: usize) -> Result<Vec<Entry>, OutboxUnavailable> {
        if !self.progress.settle(PATIENCE) {
            return Err(OutboxUnavailable::Behind { waiting: self.progress.waiting() });
        }
        let vault = Vault::open(&mut *self.journal)?;
        let pending = self.tables.pending(None, limit, &vault)?;
        self.vault = Some(vault);
        Ok(pending)
    }

    /// The whole value of a field of an entry that [`Outbox::pending`] gave last, where the entry
    /// shows it masked: the PIX key of `pix.send`. None once it was erased.
    #[must_use]
    pub fn whole(&self, entry: &Entry, field: &str) -> Option<&str> {
        let (_, token) = entry.persons.iter().find(|(name, _)| *name == field)?;
        self.vault.as_ref()?.value(*token)
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
