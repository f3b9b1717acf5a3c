//! A journal that is written on while it is audited: what the audit says is of what it read first.

use std::time::Duration;

use ledger_store::audit::{Expect, audit};
use ledger_store::journal::{
    AppendError, Commit, Head, Identity, Journal, JournalError, Opening, Reopen, Row, Scrub,
    VaultRow,
};
use ledger_store::vault::{LegalHold, OperatorNote};

use super::setup::LIVE;
use super::setup::rows_given::RowsGiven;
use super::{journal, verified};

/// A journal to which the rest of its rows come once it was read, and its medium is examined.
struct Growing {
    given: RowsGiven,
    rest: Vec<Row>,
}

impl Journal for Growing {
    fn open_writer(&mut self) -> Result<Opening, JournalError> {
        self.given.open_writer()
    }

    fn claim(&mut self, lease: Option<Duration>) -> Result<Opening, JournalError> {
        self.given.claim(lease)
    }

    fn renew(&mut self, lease: Duration) -> Result<(), JournalError> {
        self.given.renew(lease)
    }

    fn release(&mut self) -> Result<(), JournalError> {
        self.given.release()
    }

    fn lease_left(&mut self) -> Result<Option<Duration>, JournalError> {
        self.given.lease_left()
    }

    fn append(&mut self, commit: &Commit) -> Result<(), AppendError> {
        self.given.append(commit)
    }

    fn is_last_writer(&mut self) -> Result<bool, JournalError> {
        self.given.is_last_writer()
    }

    fn identity(&self) -> Identity {
        self.given.identity()
    }

    fn reopen(&self) -> Reopen {
        self.given.reopen()
    }

    fn head(&mut self) -> Result<Head, JournalError> {
        self.given.head()
    }

    fn check(&mut self) -> Result<(), JournalError> {
        if !self.rest.is_empty() {
            self.given = RowsGiven::new(std::mem::take(&mut self.rest));
        }
        Ok(())
    }

    fn read(&mut self, from_seq: u64, max_rows: usize) -> Result<Vec<Row>, JournalError> {
        self.given.read(from_seq, max_rows)
    }

    fn vault(&mut self) -> Result<Vec<VaultRow>, JournalError> {
        self.given.vault()
    }

    fn erase(&mut self, id: [u8; 16]) -> Result<bool, JournalError> {
        self.given.erase(id)
    }

    fn scrub(&mut self, scrub: Scrub) -> Result<Vec<String>, JournalError> {
        self.given.scrub(scrub)
    }

    fn holds(&mut self) -> Result<Vec<LegalHold>, JournalError> {
        self.given.holds()
    }

    fn place_hold(&mut self, hold: &LegalHold) -> Result<bool, JournalError> {
        self.given.place_hold(hold)
    }

    fn release_hold(&mut self, id: &str, note: &OperatorNote) -> Result<bool, JournalError> {
        self.given.release_hold(id, note)
    }
}

#[test]
fn an_audit_of_a_journal_that_grows_is_of_what_it_read_first() {
    let (_, rows) = journal();
    let at_first = rows[..rows.len() / 2].to_vec();
    let alone = audit(&mut RowsGiven::new(at_first.clone()), LIVE, Expect::default(), |_| ());
    let mut growing = Growing { given: RowsGiven::new(at_first), rest: rows };
    let report = audit(&mut growing, LIVE, Expect::default(), |_| ()).unwrap();
    assert!(growing.rest.is_empty(), "it grew");
    assert_eq!(verified(&report), verified(&alone.unwrap()));
}
