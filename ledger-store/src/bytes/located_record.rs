//! One record of a journal by its number, followed through its row, without a replay of the rest.

use thiserror::Error;

use crate::bytes::chain::{Chain, Link};
use crate::bytes::frame::{CHECK_BYTES, RowBroken};
use crate::journal::{Head, Journal, JournalError};

/// A record with the link before it, and the chain after it.
#[derive(Clone, Debug)]
pub struct LocatedRecord {
    /// The link before it.
    pub before: Link,
    /// Its bytes, as they are chained.
    pub bytes: Vec<u8>,
    /// The chain after it.
    pub chain: Chain,
}

/// Why a record cannot be read where it should be.
#[derive(Debug, Error)]
pub enum LocateError {
    /// The journal cannot be read, or has no such record.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Its row is broken.
    #[error(transparent)]
    Row(#[from] RowBroken),
}

/// A record of the journal, at least the first, with the links around it.
///
/// # Errors
///
/// [`LocateError`], also where the journal has no such record.
pub fn locate_record(
    journal: &mut dyn Journal,
    name: &str,
    record: u64,
) -> Result<LocatedRecord, LocateError> {
    let algorithm = journal.identity().algorithm;
    let gap = |found| JournalError::Gap { expected: record, found };
    let row = journal.read(record, 1)?.into_iter().next();
    let row = row.filter(|row| row.first <= record && record <= row.last());
    let row = row.ok_or_else(|| gap(0))?;
    let mut chain = Chain::genesis(algorithm, name);
    if row.first > 1 {
        let before = journal.read(row.first - 1, 1)?.into_iter().next();
        let before = before.filter(|before| before.last() == row.first - 1);
        let before = before.ok_or_else(|| gap(row.first))?;
        chain = Head { seq: before.last(), link: before.link }.chain(algorithm);
    }
    for frame in row.frames() {
        let frame = frame.map_err(RowBroken::from)?;
        let before = chain.link();
        let link = chain.push(frame.record);
        if link.0[..CHECK_BYTES] != frame.check {
            return Err(RowBroken::CheckDiffers { seq: frame.seq }.into());
        }
        if frame.seq == record {
            return Ok(LocatedRecord { before, bytes: frame.record.to_vec(), chain });
        }
    }
    Err(gap(0).into())
}
