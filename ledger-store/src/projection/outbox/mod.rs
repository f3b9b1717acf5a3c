//! The outbox: what clients are to be notified of and the world is to do, until it is acknowledged.
//!
//! ```text
//! record -> rows of the outbox, with the checkpoint -> pending -> sent by you -> acknowledge
//! ```
//!
//! Each stands there exactly once, in the order of records. It is given again and again until it is
//! acknowledged: at least once, so whoever acts on it keeps its idempotency key.
//! The notifications of one operation are a line, and so are its instructions: only the first of a
//! line that is not acknowledged is given, so nothing overtakes another of its operation, and a
//! client that does not listen keeps no payment waiting.

mod pending;
pub(super) mod rows;
mod writer;

use ledger_core::contract::Vault;
use ledger_core::id::Token;
use ledger_core::time::Instant;
use serde_json::Value;
use thiserror::Error;

pub(crate) use self::pending::{OutboxDraft, Pending};
pub(crate) use self::writer::{Batch, OutboxWriter};
pub use super::backend::Acknowledged;
use super::backend::TablesFailed;
use super::backend::outbox::{OfEachLine, Pruned, Unacknowledged};
use super::outbox::rows::{INSTRUCTION, NOTICE, fill};
use super::read::Tables;
use super::schema::table::Cell;

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A client is notified of.
    Notification,
    /// The world is asked to do something.
    Instruction,
}

/// Something to be sent, as the contract renders it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The record it follows from.
    pub seq: u64,
    /// Its place among what that record tells and asks.
    pub place: u64,
    /// What it is.
    pub kind: EntryKind,
    /// The event's name, or the instruction's.
    pub topic: String,
    /// The operation it is about.
    pub operation: String,
    /// The API account of that operation, where it belongs to one.
    pub account: Option<String>,
    /// What it is acknowledged by.
    pub id: String,
    /// The same for ever for the same notice or task.
    pub idempotency_key: String,
    /// The record's instant.
    pub recorded_at: String,
    /// What is sent: persons as the vault knows them now.
    pub body: Value,
    /// The tokens of the persons in the body, by field: who carries out `pix.send` asks the vault
    /// for the whole key.
    pub persons: Vec<(&'static str, Token)>,
    /// How many entries of the same line wait until it is acknowledged.
    pub behind: u64,
}

/// Why something was not acknowledged, or not read.
#[derive(Debug, Error)]
#[allow(missing_docs)] // Each field is what the message says that it is.
pub enum OutboxError {
    /// No such entry; pruned ones are none.
    #[error("nothing in the outbox of ledger {ledger} has the id {id}")]
    Unknown { ledger: String, id: String },
    /// The tables could not be read or written.
    #[error(transparent)]
    Tables(#[from] TablesFailed),
    /// A rebuild began in the midst of it.
    #[error("the outbox is being rebuilt; prune it again when it is done")]
    Rebuilding,
}

impl Tables {
    /// What is pending, in the order of records: of each line the first, at most `limit`.
    ///
    /// # Errors
    ///
    /// When the tables cannot be read.
    pub fn pending(
        &mut self,
        kind: Option<EntryKind>,
        limit: usize,
        vault: &impl Vault,
    ) -> Result<Vec<Entry>, OutboxError> {
        self.unacknowledged(OfEachLine::First, kind, limit, vault)
    }

    /// Everything that is not acknowledged, in the order of records: what waits behind the first of
    /// its line included, which must not be sent before it.
    ///
    /// # Errors
    ///
    /// When the tables cannot be read.
    pub fn waiting(
        &mut self,
        kind: Option<EntryKind>,
        limit: usize,
        vault: &impl Vault,
    ) -> Result<Vec<Entry>, OutboxError> {
        self.unacknowledged(OfEachLine::All, kind, limit, vault)
    }

    fn unacknowledged(
        &mut self,
        of_each_line: OfEachLine,
        kind: Option<EntryKind>,
        limit: usize,
        vault: &impl Vault,
    ) -> Result<Vec<Entry>, OutboxError> {
        let kind = match kind {
            None => "",
            Some(EntryKind::Notification) => NOTICE,
            Some(EntryKind::Instruction) => INSTRUCTION,
        };
        let asked = Unacknowledged { ledger: &self.ledger, kind, of_each_line, limit };
        let rows = self.backend.unacknowledged(&asked)?;
        let malformed = || TablesFailed("a row of the outbox is malformed; rebuild".into());
        let entries = rows.iter().map(|row| entry(row, vault).ok_or_else(malformed));
        Ok(entries.collect::<Result<_, _>>()?)
    }

    /// Acknowledges what was sent: it is never given again. Saying it twice is saying it once.
    ///
    /// # Errors
    ///
    /// [`OutboxError::Unknown`] for an id that nothing has.
    pub fn acknowledge(&mut self, id: &str, at: Instant) -> Result<Acknowledged, OutboxError> {
        let done = self.backend.acknowledge(&self.ledger, id, at)?;
        done.ok_or_else(|| OutboxError::Unknown { ledger: self.ledger.clone(), id: id.to_owned() })
    }

    /// Removes what was acknowledged of records up to `seq`, as far as nothing pending comes before
    /// it; it stays acknowledged, whatever is rebuilt. Says how many entries went.
    ///
    /// # Errors
    ///
    /// When the tables cannot be written, or a rebuild has just begun.
    pub fn prune(&mut self, seq: u64) -> Result<u64, OutboxError> {
        let extent = self.outbox_extent()?;
        match self.backend.prune(extent, &self.ledger, seq)? {
            Pruned::Gone(entries) => Ok(entries),
            Pruned::Rebuilding => Err(OutboxError::Rebuilding),
        }
    }
}

fn entry(row: &[Cell], vault: &impl Vault) -> Option<Entry> {
    let [seq, place, kind, topic, operation, account, id, key, at, body, behind] = row else {
        return None;
    };
    let mut body: Value = serde_json::from_str(body.text()?).ok()?;
    let persons = fill(&mut body, vault);
    let text = |cell: &Cell| cell.text().map(str::to_owned);
    Some(Entry {
        seq: u64::try_from(seq.number()?).ok()?,
        place: u64::try_from(place.number()?).ok()?,
        kind: match kind.text()? {
            NOTICE => EntryKind::Notification,
            INSTRUCTION => EntryKind::Instruction,
            _ => return None,
        },
        topic: text(topic)?,
        operation: text(operation)?,
        account: text(account),
        id: text(id)?,
        idempotency_key: text(key)?,
        recorded_at: text(at)?,
        body,
        persons,
        behind: u64::try_from(behind.number()?).ok()?,
    })
}
