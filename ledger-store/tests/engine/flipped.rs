//! Journals that show something else to whoever opens them once more, or cannot be opened so.

use std::time::Duration;

use ledger_store::journal::{
    AppendError, Commit, Head, Identity, Journal, JournalError, MemoryJournal, OpenError, Opening,
    Reopen, Row, Scrub, VaultRow,
};
use ledger_store::vault::{LegalHold, OperatorNote};

/// A journal with another way of being opened once more, and perhaps a row read with a flipped bit.
pub struct Flipped {
    inner: Box<dyn Journal>,
    reopen: Reopen,
    flips: Option<u64>,
}

impl Flipped {
    /// Whoever opens it once more finds the row that begins with record `seq` flipped.
    pub fn over(inner: MemoryJournal, seq: u64) -> Self {
        let (again, plain) = (inner.reopen(), inner.reopen());
        let reopen = Reopen::by(move || {
            Ok(Self { inner: again.open()?, reopen: plain.clone(), flips: Some(seq) })
        });
        Self { inner: Box::new(inner), reopen, flips: None }
    }

    /// It cannot be opened once more, but by its own archive.
    pub fn alone(inner: MemoryJournal) -> Self {
        let gone = || OpenError::LedgerUnknown { name: "live".to_owned() };
        let reopen = Reopen::by(move || -> Result<MemoryJournal, _> { Err(gone()) });
        Self { inner: Box::new(inner), reopen, flips: None }
    }
}

impl Journal for Flipped {
    fn open_writer(&mut self) -> Result<Opening, JournalError> {
        self.inner.open_writer()
    }

    fn claim(&mut self, lease: Option<Duration>) -> Result<Opening, JournalError> {
        self.inner.claim(lease)
    }

    fn renew(&mut self, lease: Duration) -> Result<(), JournalError> {
        self.inner.renew(lease)
    }

    fn release(&mut self) -> Result<(), JournalError> {
        self.inner.release()
    }

    fn lease_left(&mut self) -> Result<Option<Duration>, JournalError> {
        self.inner.lease_left()
    }

    fn append(&mut self, commit: &Commit) -> Result<(), AppendError> {
        self.inner.append(commit)
    }

    fn is_last_writer(&mut self) -> Result<bool, JournalError> {
        self.inner.is_last_writer()
    }

    fn identity(&self) -> Identity {
        self.inner.identity()
    }

    fn reopen(&self) -> Reopen {
        self.reopen.clone()
    }

    fn reader(&self) -> Result<Box<dyn Journal>, JournalError> {
        self.inner.reader()
    }

    fn head(&mut self) -> Result<Head, JournalError> {
        self.inner.head()
    }

    fn read(&mut self, from_seq: u64, max_rows: usize) -> Result<Vec<Row>, JournalError> {
        let mut rows = self.inner.read(from_seq, max_rows)?;
        for row in rows.iter_mut().filter(|row| Some(row.first) == self.flips) {
            *row.payload.last_mut().unwrap() ^= 1;
        }
        Ok(rows)
    }

    fn vault(&mut self) -> Result<Vec<VaultRow>, JournalError> {
        self.inner.vault()
    }

    fn erase(&mut self, token: [u8; 16]) -> Result<bool, JournalError> {
        self.inner.erase(token)
    }

    fn scrub(&mut self, scrub: Scrub) -> Result<Vec<String>, JournalError> {
        self.inner.scrub(scrub)
    }

    fn holds(&mut self) -> Result<Vec<LegalHold>, JournalError> {
        self.inner.holds()
    }

    fn place_hold(&mut self, hold: &LegalHold) -> Result<bool, JournalError> {
        self.inner.place_hold(hold)
    }

    fn release_hold(&mut self, id: &str, note: &OperatorNote) -> Result<bool, JournalError> {
        self.inner.release_hold(id, note)
    }
}
