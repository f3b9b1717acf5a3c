//! A journal on object storage: what it promises over a store that fails, whoever writes to it.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod erased;
#[path = "../setup/faulty.rs"]
mod faulty;
mod gate;
mod held_up;
mod overwriting;
mod races;
mod vanished;
mod workload;

use std::time::Duration;

use ledger_store::chain::Algorithm;
use ledger_store::frame::FrameWriter;
use ledger_store::journal::{Commit, Head, Journal, Merging, ObjectJournal, ObjectStorage};
use ledger_store::{OpenMode, Row};

/// The ledger of every test.
const LIVE: &str = "live";

/// Small enough to merge all the time.
const OFTEN: Merging = Merging { entries: 3, bytes: 1 << 20, keep: 1, inline: true };

/// The ledger, opened for writing under a key of no worth.
fn opened(storage: &ObjectStorage) -> ObjectJournal {
    let mode = OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
    ObjectJournal::open(storage, LIVE, mode).unwrap()
}

/// A store that gives no request up before some attempts, and gives up soon.
fn impatient(storage: ObjectStorage) -> ObjectStorage {
    let millis = Duration::from_millis;
    storage.patience(millis(1_000), millis(3), millis(1))
}

/// A commit after `previous` of one row for each of these records.
fn commit(previous: Head, records: &[&str]) -> Commit {
    let mut chain = previous.chain(Algorithm::Blake3);
    let rows = records.iter().map(|record| {
        let mut writer = FrameWriter::new(chain);
        writer.push(record.as_bytes());
        chain = writer.chain();
        writer.cut().unwrap()
    });
    Commit { previous, rows: rows.collect(), vault: Vec::new() }
}

/// Every row of a journal.
fn all_rows(journal: &mut dyn Journal) -> Vec<Row> {
    let (mut rows, mut next) = (Vec::<Row>::new(), 1);
    loop {
        let more = journal.read(next, 7).unwrap();
        let Some(last) = more.last() else { return rows };
        next = last.last() + 1;
        rows.extend(more);
    }
}
