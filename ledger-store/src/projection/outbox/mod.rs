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

pub(super) mod rows;
mod writer;

use ledger_core::contract::Vault;
use ledger_core::id::Token;
use ledger_core::time::Instant;
use serde_json::Value;
use thiserror::Error;

pub(crate) use self::rows::{Pending, of_effects};
pub(crate) use self::writer::{Batch, OutboxWriter};
use super::backend::{Step, TablesFailed, Written};
use super::outbox::rows::{INSTRUCTION, NOTICE, fill};
use super::read::Tables;
use super::schema::labels::instant;
use super::schema::table::Cell;

/// What is not acknowledged, and how many entries of its line wait behind it.
const PENDING: &str = "\
    SELECT seq, place, kind, topic, operation, account, id, idempotency_key, recorded_at, body, \
        (SELECT count(*) FROM outbox AS later WHERE later.ledger = outbox.ledger \
            AND later.operation = outbox.operation AND later.kind = outbox.kind \
            AND later.acknowledged_at IS NULL \
            AND (later.seq, later.place) > (outbox.seq, outbox.place)) \
    FROM outbox WHERE ledger = $1 AND acknowledged_at IS NULL AND ($2 = '' OR kind = $2)";

const FIRST: &str = " \
        AND NOT EXISTS (SELECT 1 FROM outbox AS earlier WHERE earlier.ledger = outbox.ledger \
            AND earlier.operation = outbox.operation AND earlier.kind = outbox.kind \
            AND earlier.acknowledged_at IS NULL \
            AND (earlier.seq, earlier.place) < (outbox.seq, outbox.place))";

const IN_ORDER: &str = " ORDER BY seq, place LIMIT $3";

const ACKNOWLEDGE: &str = "UPDATE outbox SET acknowledged_at = $3 \
    WHERE ledger = $1 AND id = $2 AND acknowledged_at IS NULL AND body IS NOT NULL";

const KNOWN: &str =
    "SELECT count(*) FROM outbox WHERE ledger = $1 AND id = $2 AND acknowledged_at IS NOT NULL";

/// The last acknowledged row before which nothing is pending, up to a record.
const PRUNABLE: &str = "\
    SELECT seq, record_check FROM outbox WHERE ledger = $1 AND acknowledged_at IS NOT NULL \
        AND body IS NOT NULL AND seq <= $2 AND seq < coalesce((SELECT min(seq) FROM outbox \
            WHERE ledger = $1 AND acknowledged_at IS NULL), 9223372036854775807) \
    ORDER BY seq DESC, place DESC LIMIT 1";

const PRUNE: &str =
    "DELETE FROM outbox WHERE ledger = $1 AND acknowledged_at IS NOT NULL AND seq <= $2";

const COUNT: &str = "SELECT count(*) FROM outbox WHERE ledger = $1 AND seq <= $2";

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

/// What an acknowledgement did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acknowledged {
    /// It is acknowledged now.
    Now,
    /// It was acknowledged before.
    Before,
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
        self.unacknowledged(&[PENDING, FIRST, IN_ORDER].concat(), kind, limit, vault)
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
        self.unacknowledged(&[PENDING, IN_ORDER].concat(), kind, limit, vault)
    }

    fn unacknowledged(
        &mut self,
        sql: &str,
        kind: Option<EntryKind>,
        limit: usize,
        vault: &impl Vault,
    ) -> Result<Vec<Entry>, OutboxError> {
        let kind = match kind {
            None => "",
            Some(EntryKind::Notification) => NOTICE,
            Some(EntryKind::Instruction) => INSTRUCTION,
        };
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let values: [Cell; 3] = [self.ledger.as_str().into(), kind.into(), limit.into()];
        let rows = self.backend.read(sql, &values)?;
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
        let values = vec![self.ledger.as_str().into(), id.into(), instant(at).into()];
        let step = Step::Run(ACKNOWLEDGE.to_owned(), values, Some(1));
        if self.backend.write(&[step])? != Written::No {
            return Ok(Acknowledged::Now);
        }
        let known = self.backend.read(KNOWN, &[self.ledger.as_str().into(), id.into()])?;
        if known.first().and_then(|row| row.first()?.number()).unwrap_or_default() > 0 {
            return Ok(Acknowledged::Before);
        }
        Err(OutboxError::Unknown { ledger: self.ledger.clone(), id: id.to_owned() })
    }

    /// Removes what was acknowledged of records up to `seq`, as far as nothing pending comes before
    /// it; it stays acknowledged, whatever is rebuilt. Says how many entries went.
    ///
    /// # Errors
    ///
    /// When the tables cannot be written, or a rebuild has just begun.
    pub fn prune(&mut self, seq: u64) -> Result<u64, OutboxError> {
        let ledger = Cell::from(self.ledger.as_str());
        let found = self.backend.read(PRUNABLE, &[ledger.clone(), seq.into()])?;
        let Some([Cell::Integer(to), check]) = found.first().map(|row| &row[..]) else {
            return Ok(0);
        };
        let to = Cell::Integer(*to);
        let going = self.backend.read(COUNT, &[ledger.clone(), to.clone()])?;
        let mark = vec![ledger.clone(), to.clone(), check.clone()];
        // Nothing is pruned that a rebuild has not come to again.
        let marked = format!(
            "UPDATE {} SET outbox_pruned_seq = $2, outbox_pruned_check = $3 \
             WHERE ledger = $1 AND seq >= $2",
            self.outbox_extent()?.checkpoint().name
        );
        let steps =
            [Step::Run(marked, mark, Some(1)), Step::Run(PRUNE.to_owned(), vec![ledger, to], None)];
        if self.backend.write(&steps)? == Written::No {
            return Err(OutboxError::Rebuilding);
        }
        let going = going.first().and_then(|row| row.first()?.number()).unwrap_or_default();
        Ok(u64::try_from(going).unwrap_or_default())
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
