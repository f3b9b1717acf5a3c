//! What a driver needs of an outbox: what is pending, and that it is done.

use ledger_core::contract::{Personal, Vault};
use ledger_core::id::Token;
use ledger_core::time::Instant;

use crate::tables::projection::{Entry, EntryKind, Tables};

/// Why an outbox cannot be read or acknowledged now.
#[derive(Debug, thiserror::Error)]
#[error("the outbox: {0}")]
pub struct InstructionsFailed(pub Box<dyn std::error::Error + Send + Sync>);

/// The instructions of one ledger, until each is acknowledged.
///
/// [`Tables`] is one; an outbox of another make needs no more than these two.
pub trait Instructions: Send {
    /// Returns what is to be carried out, in the order of records, of each operation the first
    /// alone: at most `limit`. Persons stand in a body by tokens ([`Entry::persons`]), masked or
    /// not at all.
    ///
    /// # Errors
    ///
    /// [`InstructionsFailed`] when it cannot be read: it is read again later.
    fn pending(&mut self, limit: usize) -> Result<Vec<Entry>, InstructionsFailed>;

    /// It was carried out, and what came of it is durable: it is never given again.
    ///
    /// # Errors
    ///
    /// [`InstructionsFailed`] when it cannot be written: the instruction is given again.
    fn acknowledge(&mut self, entry: &Entry, at: Instant) -> Result<(), InstructionsFailed>;

    /// The same of several: all of them, or an error, after which all are acknowledged again.
    ///
    /// # Errors
    ///
    /// [`InstructionsFailed`] when one cannot be written.
    fn acknowledge_all(
        &mut self,
        entries: &[Entry],
        at: Instant,
    ) -> Result<(), InstructionsFailed> {
        entries.iter().try_for_each(|entry| self.acknowledge(entry, at))
    }
}

impl Instructions for Tables {
    fn pending(&mut self, limit: usize) -> Result<Vec<Entry>, InstructionsFailed> {
        let pending = Self::pending(self, Some(EntryKind::Instruction), limit, &Nobody);
        pending.map_err(|error| InstructionsFailed(error.into()))
    }

    fn acknowledge(&mut self, entry: &Entry, at: Instant) -> Result<(), InstructionsFailed> {
        let done = Self::acknowledge(self, &entry.id, at);
        done.map(|_| ()).map_err(|error| InstructionsFailed(error.into()))
    }

    fn acknowledge_all(
        &mut self,
        entries: &[Entry],
        at: Instant,
    ) -> Result<(), InstructionsFailed> {
        let ids: Vec<String> = entries.iter().map(|entry| entry.id.clone()).collect();
        Self::acknowledge_all(self, &ids, at).map_err(|error| InstructionsFailed(error.into()))
    }
}

/// A vault that knows nobody: the driver asks the engine's own.
struct Nobody;

impl Vault for Nobody {
    fn value(&self, _: Token) -> Option<&str> {
        None
    }

    fn mask(&self, _: Token) -> Option<&str> {
        None
    }

    fn learn(&mut self, _: Personal) {}
}
