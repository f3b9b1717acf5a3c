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

/// How many ids stand in one statement.
const AT_ONCE: usize = 256;

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

/// A notice that is not acknowledged: where it stands, and not what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What it is acknowledged by.
    pub id: String,
    /// The event's name.
    pub topic: String,
}

/// What stands behind a place in the outbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoticePage {
    /// The notices that are the first of their lines.
    pub first: Vec<Notice>,
    /// The place that was read up to; none where nothing stands behind the place asked for.
    pub to: Option<(u64, u64)>,
    /// Tells whether as many entries were read as were asked for.
    pub is_full: bool,
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
    /// Returns what is pending, in the order of records: of each line the first, at most `limit`.
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
        self.unacknowledged_entries(OfEachLine::First, kind, limit, vault)
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
        self.unacknowledged_entries(OfEachLine::All, kind, limit, vault)
    }

    /// Counts the entries of a kind that are not acknowledged.
    ///
    /// # Errors
    ///
    /// When the tables cannot be read.
    pub fn unacknowledged_count(&mut self, kind: EntryKind) -> Result<u64, TablesFailed> {
        let kind = match kind {
            EntryKind::Notification => NOTICE,
            EntryKind::Instruction => INSTRUCTION,
        };
        self.backend.unacknowledged_count(&self.ledger, kind)
    }

    fn unacknowledged_entries(
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
        let rows = self.backend.unacknowledged_rows(&asked)?;
        let entries = rows.iter().map(|row| entry(row, vault).ok_or_else(malformed_row));
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

    /// Acknowledges what was sent, all in one transaction; ids that nothing has are passed over.
    ///
    /// # Errors
    ///
    /// When the tables cannot be written: then none is acknowledged.
    pub fn acknowledge_all(&mut self, ids: &[String], at: Instant) -> Result<(), OutboxError> {
        for ids in ids.chunks(AT_ONCE) {
            self.backend.acknowledge_all(&self.ledger, ids, at)?;
        }
        Ok(())
    }

    /// Notices behind a place, among the next `limit` entries: (0, 0) is before the first. One that
    /// comes after another of its line is passed over: [`Tables::next_notices`] gives it once that
    /// one is acknowledged.
    ///
    /// # Errors
    ///
    /// When the tables cannot be read.
    pub fn notices_after(
        &mut self,
        place: (u64, u64),
        limit: usize,
    ) -> Result<NoticePage, OutboxError> {
        let rows = self.backend.after(&self.ledger, place, limit)?;
        let mut page = NoticePage { is_full: rows.len() >= limit, ..NoticePage::default() };
        for row in &rows {
            let (notice, to) = notice(row).ok_or_else(malformed_row)?;
            page.first.extend(notice);
            page.to = Some(to);
        }
        Ok(page)
    }

    /// The notices that come next in the lines of these, which are acknowledged.
    ///
    /// # Errors
    ///
    /// When the tables cannot be read.
    pub fn next_notices(&mut self, ids: &[String]) -> Result<Vec<Notice>, OutboxError> {
        let mut next = Vec::new();
        for ids in ids.chunks(AT_ONCE) {
            for row in self.backend.next_of_lines(&self.ledger, ids)? {
                next.extend(notice(&row).ok_or_else(malformed_row)?.0);
            }
        }
        Ok(next)
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

fn malformed_row() -> TablesFailed {
    TablesFailed("a row of the outbox is malformed; rebuild".into())
}

/// The notice of a row, if it is one and the first of its line, and the row's place.
fn notice(row: &[Cell]) -> Option<(Option<Notice>, (u64, u64))> {
    let [seq, place, kind, id, topic, before] = row else { return None };
    let number = |cell: &Cell| u64::try_from(cell.number()?).ok();
    let place = (number(seq)?, number(place)?);
    if kind.text()? != NOTICE || number(before)? > 0 {
        return Some((None, place));
    }
    let notice = Notice { id: id.text()?.to_owned(), topic: topic.text()?.to_owned() };
    Some((Some(notice), place))
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
