//! How a writer of a file fails, and goes on.

use super::*;
use crate::bytes::frame::FrameWriter;

/// A writer on a new file, its head, and the file's folder.
fn writer() -> (SqliteJournal, Head, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("ledger.db");
    let mut journal = SqliteJournal::open(path, "live", OpenMode::create()).unwrap();
    let head = journal.open_writer().unwrap().head;
    (journal, head, dir)
}

fn commit(previous: Head) -> Commit {
    let mut writer = FrameWriter::new(previous.chain(crate::Algorithm::Blake3));
    writer.push(&vec![7; 100_000]);
    Commit { previous, rows: vec![writer.cut().unwrap()], vault: Vec::new() }
}

fn execute(journal: &mut SqliteJournal, sql: &'static str) {
    journal.run(async |connection, _| sqlx::query(sql).execute(connection).await).unwrap();
}

#[test]
fn after_an_unknown_outcome_the_writer_takes_over_anew() {
    let (mut journal, head, _dir) = writer();
    execute(&mut journal, "PRAGMA max_page_count = 1");
    assert!(matches!(journal.append(&commit(head)), Err(AppendError::Unknown(_))));
    execute(&mut journal, "PRAGMA max_page_count = 100000");
    assert!(matches!(journal.append(&commit(head)), Err(AppendError::NotWriting)));
    let opening = journal.open_writer().unwrap();
    assert_eq!((opening.head, opening.epoch), (head, 2));
    journal.append(&commit(head)).unwrap();
}

#[test]
fn a_transaction_that_the_database_itself_undid_leaves_nothing_behind() {
    let (mut journal, head, _dir) = writer();
    let mut commit = commit(head);
    let (token, value) = ([1; 16], "value".to_owned());
    commit.vault.push(VaultRow { token, kind: 1, value, mask: String::new() });
    execute(&mut journal, "PRAGMA max_page_count = 1");
    assert!(matches!(journal.append(&commit), Err(AppendError::Unknown(_))));
    assert_eq!(journal.open_writer().unwrap().head, head);
    journal.append(&commit).unwrap();
    assert_eq!(journal.head().unwrap(), commit.head());
}

#[test]
fn a_busy_file_refuses_the_commit_and_keeps_the_writer() {
    let (mut journal, head, dir) = writer();
    let path = dir.path().join("ledger.db");
    let mut other = SqliteJournal::open(path, "sandbox", OpenMode::create()).unwrap();
    execute(&mut journal, "PRAGMA busy_timeout = 0");
    execute(&mut other, "BEGIN IMMEDIATE");
    assert!(matches!(journal.append(&commit(head)), Err(AppendError::Failed(_))));
    execute(&mut other, "COMMIT");
    journal.append(&commit(head)).unwrap();
}
