//! A journal that tells whatever rows it was given: what a medium may hold that no writer wrote.

use std::time::Duration;

use ledger_core::id::Seq;
use ledger_core::ledger::Record;
use ledger_store::journal::{
    AppendError, Commit, Head, Identity, Journal, JournalError, Opening, Reopen, Row, VaultRow,
};
use ledger_store::vault::{LegalHold, OperatorNote};
use ledger_store::{Chain, FrameWriter, codec};

use super::{IDENTITY, LIVE};

/// Reads after which a reader that gets no further is taken to loop for ever.
const PATIENCE: usize = 1_000;

/// Rows in any order, read as a database would: those that reach the record asked for.
#[derive(Clone)]
pub struct RowsGiven {
    pub rows: Vec<Row>,
    pub vault: Vec<VaultRow>,
    reads: usize,
}

impl RowsGiven {
    pub fn new(rows: Vec<Row>) -> Self {
        Self { rows, vault: Vec::new(), reads: 0 }
    }
}

impl Journal for RowsGiven {
    fn open_writer(&mut self) -> Result<Opening, JournalError> {
        Err(JournalError::ReadOnly)
    }

    fn claim(&mut self, _: Option<Duration>) -> Result<Opening, JournalError> {
        Err(JournalError::ReadOnly)
    }

    fn renew(&mut self, _: Duration) -> Result<(), JournalError> {
        Err(JournalError::ReadOnly)
    }

    fn release(&mut self) -> Result<(), JournalError> {
        Err(JournalError::ReadOnly)
    }

    fn lease_left(&mut self) -> Result<Option<Duration>, JournalError> {
        Ok(None)
    }

    fn append(&mut self, _: &Commit) -> Result<(), AppendError> {
        Err(AppendError::NotWriting)
    }

    fn is_last_writer(&mut self) -> Result<bool, JournalError> {
        Ok(false)
    }

    fn identity(&self) -> Identity {
        IDENTITY
    }

    fn reopen(&self) -> Reopen {
        let given = self.clone();
        Reopen::by(move || Ok(given.clone()))
    }

    fn head(&mut self) -> Result<Head, JournalError> {
        let genesis = Head::from_chain(&genesis());
        Ok(self.rows.last().map_or(genesis, |row| Head { seq: row.last(), link: row.link }))
    }

    fn read(&mut self, from_seq: u64, max_rows: usize) -> Result<Vec<Row>, JournalError> {
        self.reads += 1;
        assert!(self.reads < PATIENCE, "the reader asks again and again from record {from_seq}");
        let reaching = self.rows.iter().filter(|row| row.last() >= from_seq);
        Ok(reaching.take(max_rows).cloned().collect())
    }

    fn vault(&mut self) -> Result<Vec<VaultRow>, JournalError> {
        Ok(self.vault.clone())
    }

    fn erase(&mut self, _: [u8; 16]) -> Result<bool, JournalError> {
        Err(JournalError::ReadOnly)
    }

    fn holds(&mut self) -> Result<Vec<LegalHold>, JournalError> {
        Ok(Vec::new())
    }

    fn place_hold(&mut self, _: &LegalHold) -> Result<bool, JournalError> {
        Err(JournalError::ReadOnly)
    }

    fn release_hold(&mut self, _: &str, _: &OperatorNote) -> Result<bool, JournalError> {
        Err(JournalError::ReadOnly)
    }
}

pub fn genesis() -> Chain {
    Chain::genesis(IDENTITY.algorithm, LIVE)
}

/// Chains and frames records, `size` to a row.
pub fn rows_of<'a>(records: impl IntoIterator<Item = &'a [u8]>, size: u32) -> Vec<Row> {
    let mut frames = FrameWriter::new(genesis());
    let mut rows = Vec::new();
    for record in records {
        frames.push(record);
        if frames.count() == size {
            rows.extend(frames.cut());
        }
    }
    rows.extend(frames.cut());
    rows
}

/// The bytes of every record, in order.
pub fn records_of(rows: &[Row]) -> Vec<Vec<u8>> {
    let frames = rows.iter().flat_map(Row::frames);
    frames.map(|frame| frame.unwrap().record.to_vec()).collect()
}

/// Every record, read.
pub fn decoded(records: &[Vec<u8>]) -> Vec<Record> {
    (1..).zip(records).map(|(seq, bytes)| codec::decode(Seq(seq), bytes).unwrap()).collect()
}

/// Rows of a forger who knows the format: `change` made to the records, and all of them chained as
/// if they had been written so.
pub fn forged(rows: &[Row], change: impl FnOnce(&mut Vec<Record>)) -> Vec<Row> {
    let mut records = decoded(&records_of(rows));
    let before = records.clone();
    change(&mut records);
    assert_ne!(records, before, "the forger changes something");
    let encode = |record: &Record| {
        let mut bytes = Vec::new();
        codec::encode(record, &mut bytes);
        bytes
    };
    let encoded: Vec<Vec<u8>> = records.iter().map(encode).collect();
    rows_of(encoded.iter().map(Vec::as_slice), 50)
}
