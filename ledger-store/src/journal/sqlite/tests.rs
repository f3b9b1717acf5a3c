//! How a writer of a file fails, and goes on.

use super::*;
use crate::bytes::frame::FrameWriter;
use crate::journal::in_one_line;

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

/// Appends a commit, which is refused by words with this in them.
fn assert_refused(journal: &mut SqliteJournal, head: Head, said: &str) {
    let Err(AppendError::Failed(why)) = journal.append(&commit(head)) else { panic!("{said}") };
    let why = in_one_line(&*why);
    assert!(why.contains(said), "{why}");
    assert!(journal.is_last_writer().is_err() && journal.probe().is_err(), "{said}");
}

#[test]
fn a_writer_whose_file_was_moved_commits_nothing_until_it_is_put_back() {
    let (mut journal, head, dir) = writer();
    journal.append(&commit(head)).unwrap();
    let head = commit(head).head();
    for end in ["", "-wal", "-shm"] {
        let name = format!("ledger.db{end}");
        let (path, aside) = (dir.path().join(&name), dir.path().join("aside"));
        std::fs::rename(&path, &aside).unwrap();
        assert_refused(&mut journal, head, &format!("{name} was moved or deleted"));
        assert!(!path.exists(), "{name}");
        std::fs::copy(&aside, &path).unwrap();
        assert_refused(&mut journal, head, &format!("{name} was replaced"));
        std::fs::rename(&aside, &path).unwrap();
    }
    journal.append(&commit(head)).unwrap();
    assert_eq!(journal.head().unwrap(), commit(head).head());
}

#[test]
fn nothing_is_made_in_the_place_of_a_file_whose_writer_lives() {
    let (journal, _, dir) = writer();
    let path = dir.path().join("ledger.db");
    let refusal = || {
        let second = SqliteJournal::open(&path, "live", OpenMode::create());
        let Err(OpenError::Database { source, .. }) = second else { panic!("a second one began") };
        assert!(!path.exists());
        source.to_string()
    };
    std::fs::remove_file(&path).unwrap();
    assert!(refusal().contains("ledger.db-lock-1-1 is locked"), "{}", refusal());
    let target = crate::tables::projection::Target::Sqlite(path.clone());
    crate::ServiceTables::open(&target, "seen", &["CREATE TABLE seen (id TEXT)"]).unwrap_err();
    journal.reopen().open_beside().unwrap().err().expect("a file was made");
    assert!(!path.exists());
    drop(journal);
    // Another process has it open, and its lock was deleted, too.
    drop(SqliteJournal::open(&path, "live", OpenMode::create()).unwrap());
    let file = std::fs::File::open(&path).unwrap();
    let mut other = std::process::Command::new("sleep").arg("60").stdin(file).spawn().unwrap();
    std::fs::remove_file(&path).unwrap();
    let said = refusal();
    other.kill().unwrap();
    other.wait().unwrap();
    assert!(said.contains(&format!("process {} has it open", other.id())), "{said}");
    SqliteJournal::open(&path, "live", OpenMode::create()).unwrap();
}

#[test]
fn a_file_that_somebody_else_cut_or_wrote_over_takes_no_commit() {
    for cut in [false, true] {
        let (mut journal, mut head, dir) = writer();
        let path = dir.path().join("ledger.db");
        let mut older = Vec::new();
        for _ in 0..3 {
            older = std::fs::read(&path).unwrap();
            journal.append(&commit(head)).unwrap();
            head = commit(head).head();
            journal.settle().unwrap();
            journal.look_who_wrote().unwrap();
        }
        if cut {
            std::fs::File::options().write(true).open(&path).unwrap().set_len(8_192).unwrap();
        } else {
            std::fs::write(&path, &older).unwrap();
        }
        // The second look at the latest finds it, and a look after that is refused.
        let _ = (0..2).try_for_each(|_| journal.look_who_wrote());
        assert_refused(&mut journal, head, "ledger.db was written over or cut");
    }
}

#[test]
fn a_file_that_sqlite_itself_writes_and_cuts_is_trusted() {
    let (mut journal, mut head, dir) = writer();
    let path = dir.path().join("ledger.db");
    let mut other = SqliteJournal::open(path, "sandbox", OpenMode::create()).unwrap();
    for round in 0..24 {
        journal.append(&commit(head)).unwrap();
        head = commit(head).head();
        match round % 5 {
            0 | 4 => journal.settle().unwrap(),
            1 => execute(&mut other, "CREATE TABLE IF NOT EXISTS filling (value)"),
            2 => execute(&mut other, "INSERT INTO filling SELECT randomblob(500000)"),
            _ => {
                execute(&mut other, "DELETE FROM filling");
                other.scrub(Scrub::Whole).unwrap();
            }
        }
        journal.look_who_wrote().unwrap();
    }
    journal.append(&commit(head)).unwrap();
}

#[test]
fn an_engine_whose_file_was_deleted_is_failing_before_anything_is_written() {
    use crate::engine::{Engine, EngineStatus};
    let (journal, _, dir) = writer();
    let engine = Engine::builder("live").start(Box::new(journal)).unwrap();
    engine.view().wait().unwrap();
    std::fs::remove_file(dir.path().join("ledger.db")).unwrap();
    engine.view().wait().unwrap_err();
    let EngineStatus::Failing(failing) = engine.status() else { panic!("{:?}", engine.status()) };
    assert!(failing.why.contains("ledger.db was moved or deleted"), "{}", failing.why);
}
