//! What only a file can do: be missing, foreign, damaged, tampered with, or shared by processes.

use std::fs;
use std::path::{Path, PathBuf};

use ledger_store::chain::Algorithm;
use ledger_store::frame::FrameWriter;
use ledger_store::journal::{
    AppendError, Commit, Head, Journal, JournalError, OpenError, OpenMode, Scrub, SqliteJournal,
    VaultRow,
};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection as _};
use tempfile::TempDir;

fn file() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("ledger.db");
    (dir, path)
}

fn writer(path: &Path, ledger: &str) -> (SqliteJournal, Head) {
    let mut journal = SqliteJournal::open(path, ledger, OpenMode::create()).unwrap();
    let head = journal.open_writer().unwrap().head;
    (journal, head)
}

/// A commit of one row: a record of `bytes` bytes.
fn commit(previous: Head, bytes: usize) -> Commit {
    let mut writer = FrameWriter::new(previous.chain(Algorithm::Blake3));
    writer.push(&vec![b'r'; bytes]);
    Commit { previous, rows: vec![writer.cut().unwrap()], vault: Vec::new() }
}

/// Appends `rows` commits of one row each.
fn grow(journal: &mut SqliteJournal, mut head: Head, rows: usize, bytes: usize) -> Head {
    for _ in 0..rows {
        let commit = commit(head, bytes);
        journal.append(&commit).unwrap();
        head = commit.head();
    }
    head
}

/// Runs `sql` as someone with the file and a database shell would.
fn tamper(path: &Path, sql: &str) -> sqlx::Result<u64> {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
        let options = SqliteConnectOptions::new().filename(path);
        let mut connection = SqliteConnection::connect_with(&options).await?;
        let done = sqlx::query(AssertSqlSafe(sql)).execute(&mut connection).await;
        connection.close().await?;
        Ok(done?.rows_affected())
    })
}

#[test]
fn a_file_and_what_stands_beside_it_are_read_by_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let (dir, path) = file();
    let (mut journal, head) = writer(&path, "live");
    grow(&mut journal, head, 1, 10);
    let mut names = Vec::new();
    for file in fs::read_dir(dir.path()).unwrap().map(Result::unwrap) {
        let mode = file.metadata().unwrap().permissions().mode();
        names.push(file.file_name().into_string().unwrap());
        assert_eq!(mode & 0o777, 0o600, "{names:?}");
    }
    names.sort();
    assert_eq!(names, ["ledger.db", "ledger.db-lock-1-1", "ledger.db-shm", "ledger.db-wal"]);
    // One that was made looser is opened as it is.
    drop(journal);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    drop(writer(&path, "live"));
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn a_file_that_is_named_by_a_link_has_one_lock() {
    let (dir, path) = file();
    let (_holder, _) = writer(&path, "live");
    let link = dir.path().join("link.db");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let refused = SqliteJournal::open(&link, "live", OpenMode::create()).unwrap().claim(None);
    assert!(matches!(refused, Err(JournalError::InUse { .. })), "{refused:?}");
    // Another ledger of the file is another's.
    SqliteJournal::open(&link, "sandbox", OpenMode::create()).unwrap().claim(None).unwrap();
}

#[test]
fn reading_a_missing_file_names_it_and_creates_none() {
    let (_dir, path) = file();
    let error = SqliteJournal::open(&path, "live", OpenMode::ReadOnly).unwrap_err();
    assert!(matches!(&error, OpenError::Missing { path: named } if *named == path));
    assert!(error.to_string().contains("ledger.db"));
    assert!(!path.exists());
}

#[test]
fn a_file_that_is_no_database_is_named_and_left_alone() {
    let (_dir, path) = file();
    let text = "not a database, but long enough to be taken for one at first sight\n".repeat(100);
    fs::write(&path, &text).unwrap();
    for mode in [OpenMode::create(), OpenMode::ReadOnly] {
        let error = SqliteJournal::open(&path, "live", mode).unwrap_err();
        assert!(matches!(error, OpenError::NotADatabase { .. }), "{error:?}");
        assert!(error.to_string().contains("ledger.db"));
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_file_cut_where_nothing_used_its_last_page_is_not_taken_for_whole() {
    let (_dir, path) = file();
    drop(writer(&path, "live"));
    // The last pages are free.
    let filling = ["CREATE TABLE long (value)", "INSERT INTO long SELECT randomblob(50000)"];
    for sql in filling.into_iter().chain(["DELETE FROM long"]) {
        tamper(&path, sql).unwrap();
    }
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    tamper(&path, "SELECT count(*) FROM ledger, long").unwrap();
    for mode in [OpenMode::create(), OpenMode::ReadOnly] {
        let error = SqliteJournal::open(&path, "live", mode).unwrap_err();
        let OpenError::Database { source, .. } = &error else { panic!("{error:?}") };
        assert!(source.to_string().contains("the file is cut"), "{source}");
        assert!(error.to_string().contains("ledger.db"));
    }
    assert_eq!(fs::read(&path).unwrap(), whole[..whole.len() - 1]);
    // A log mends what is cut in the file.
    fs::write(&path, &whole).unwrap();
    let (mut journal, head) = writer(&path, "live");
    grow(&mut journal, head, 3, 60);
    let log = fs::read(path.with_extension("db-wal")).unwrap();
    let file = fs::read(&path).unwrap();
    drop(journal);
    fs::write(&path, &file[..file.len() - 1]).unwrap();
    fs::write(path.with_extension("db-wal"), log).unwrap();
    let mut journal = SqliteJournal::open(&path, "live", OpenMode::ReadOnly).unwrap();
    assert_eq!(journal.head().unwrap().seq, 3);
}

#[test]
fn a_database_of_another_shape_is_said_to_be_one() {
    let (_dir, path) = file();
    fs::write(&path, "").unwrap();
    let reason = |mode| match SqliteJournal::open(&path, "live", mode).unwrap_err() {
        OpenError::Schema { reason, .. } => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(reason(OpenMode::ReadOnly), "it holds no ledger");
    drop(writer(&path, "live"));
    tamper(
        &path,
        "INSERT INTO _sqlx_migrations SELECT 9999, description, installed_on, success, checksum, 0
         FROM _sqlx_migrations LIMIT 1",
    )
    .unwrap();
    assert_eq!(reason(OpenMode::ReadOnly), "a newer version has written it");
    assert!(reason(OpenMode::create()).contains("9999"));
}

#[test]
fn written_rows_can_be_neither_changed_nor_removed_nor_replaced() {
    let (_dir, path) = file();
    let (mut journal, head) = writer(&path, "live");
    let head = grow(&mut journal, head, 2, 60);
    let rows = journal.read(1, 10).unwrap();
    let replace = "INSERT OR REPLACE INTO journal (ledger, first, count, link, payload)
                   SELECT ledger, first, count, link, x'00' FROM journal";
    let replace_rowid =
        "INSERT OR REPLACE INTO journal (rowid, ledger, first, count, link, payload)
                         SELECT rowid, ledger, 3, count, link, x'00' FROM journal LIMIT 1";
    for (sql, invariant) in [
        ("UPDATE journal SET payload = x'00'", "no update"),
        ("DELETE FROM journal", "no delete"),
        (replace, "begins where the last one ended"),
        (replace_rowid, "begins where the last one ended"),
        ("INSERT INTO journal SELECT ledger, 9, count, link, payload FROM journal", "begins where"),
        ("UPDATE ledger SET vault_key = zeroblob(32)", "keeps its name"),
        ("UPDATE ledger SET environment = 2", "keeps its environment"),
        ("UPDATE ledger SET epoch = 0", "only rises"),
        ("DELETE FROM ledger", "never deleted"),
        ("INSERT OR REPLACE INTO ledger SELECT * FROM ledger", "exists"),
    ] {
        let error = tamper(&path, sql).unwrap_err().to_string();
        assert!(error.contains(invariant), "{sql}: {error}");
    }
    assert_eq!(journal.read(1, 10).unwrap(), rows);
    assert_eq!(journal.head().unwrap(), head);
}

#[test]
fn a_removed_row_is_reported_as_a_gap_where_it_was() {
    let (_dir, path) = file();
    let (mut journal, head) = writer(&path, "live");
    grow(&mut journal, head, 5, 60);
    tamper(&path, "DROP TRIGGER journal_is_never_deleted").unwrap();
    tamper(&path, "DELETE FROM journal WHERE first = 3").unwrap();
    let before: Vec<u64> = journal.read(1, 10).unwrap().iter().map(|row| row.first).collect();
    assert_eq!(before, [1, 2]);
    assert!(matches!(journal.read(3, 10), Err(JournalError::Gap { expected: 3, found: 4 })));
    assert_eq!(journal.read(4, 10).unwrap().len(), 2);
}

#[test]
fn a_journal_that_ends_before_what_stands_beside_it_speaks_of_is_not_written() {
    let (_dir, path) = file();
    let (mut journal, head) = writer(&path, "live");
    grow(&mut journal, head, 5, 60);
    drop(journal);
    tamper(&path, "CREATE TABLE ledger_checkpoint (ledger TEXT, records BIGINT, note TEXT)")
        .unwrap();
    tamper(&path, "INSERT INTO ledger_checkpoint VALUES ('live', 5, ''), ('other', 9, '')")
        .unwrap();
    let mut journal = SqliteJournal::open(&path, "live", OpenMode::create()).unwrap();
    assert_eq!(journal.open_writer().unwrap().head.seq, 5);
    tamper(&path, "DROP TRIGGER journal_is_never_deleted").unwrap();
    tamper(&path, "DELETE FROM journal WHERE first > 3").unwrap();
    let refused = journal.open_writer().unwrap_err();
    assert!(matches!(refused, JournalError::Lost { head: Head { seq: 3, .. }, .. }), "{refused:?}");
    let said = refused.to_string();
    assert!(said.contains("records 4 to 5") && said.contains("ledger_checkpoint"), "{said}");
}

#[test]
fn a_damaged_page_is_reported_from_the_record_it_begins_at() {
    let (_dir, path) = file();
    let (mut journal, head) = writer(&path, "live");
    grow(&mut journal, head, 200, 3000);
    drop(journal);
    // Every page past the middle of the file: the tables' roots and the first rows stay sound.
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..].fill(0xa5);
    fs::write(&path, bytes).unwrap();

    let mut journal = SqliteJournal::open(&path, "live", OpenMode::ReadOnly).unwrap();
    let mut next = 1;
    let damaged = loop {
        match journal.read(next, 64) {
            Ok(rows) => next = rows.last().expect("damage comes before the end").last() + 1,
            Err(JournalError::Damaged { seq, .. }) => break seq,
            Err(other) => panic!("{other:?}"),
        }
    };
    assert_eq!(damaged, next);
    assert!(damaged > 10 && damaged < 200, "{damaged}");
}

#[test]
fn an_erased_value_is_nowhere_in_the_files() {
    let (dir, path) = file();
    let (mut journal, head) = writer(&path, "live");
    let value = "52998224725 of the person to forget".to_owned();
    let person = VaultRow { token: [1; 16], kind: 1, value: value.clone(), mask: "***".into() };
    let mut commit = commit(head, 60);
    commit.vault.push(person);
    journal.append(&commit).unwrap();
    let kept = || {
        let files = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path());
        let holds = |file: PathBuf| {
            let bytes = fs::read(file).unwrap();
            bytes.windows(value.len()).any(|window| window == value.as_bytes())
        };
        files.map(holds).filter(|holds| *holds).count()
    };
    assert_ne!(kept(), 0);
    assert!(journal.erase([1; 16]).unwrap());
    assert_eq!(journal.scrub(Scrub::Tables).unwrap(), [""; 0]);
    assert_eq!(kept(), 0);
}

/// A page that is split leaves what went to another where it was, until that place is needed.
#[test]
fn erased_values_that_were_moved_from_page_to_page_are_nowhere_in_the_files() {
    for scrub in [Scrub::Tables, Scrub::Whole] {
        let (dir, path) = file();
        let (mut journal, mut head) = writer(&path, "live");
        let person = |number: u32| {
            let hash = token_of(number);
            let value = format!("person of number {number:07}, who is to be forgotten");
            VaultRow { token: hash, kind: 1, value, mask: "***".into() }
        };
        for batch in 0..40 {
            let mut commit = commit(head, 60);
            commit.vault.extend((0..50).map(|number| person(batch * 50 + number)));
            journal.append(&commit).unwrap();
            head = commit.head();
        }
        let forgotten = |number: &u32| number.is_multiple_of(3);
        for number in (0..2_000).filter(forgotten) {
            assert!(journal.erase(person(number).token).unwrap());
        }
        let standing = || {
            let files = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path());
            let bytes: Vec<u8> = files.flat_map(|file| fs::read(file).unwrap()).collect();
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let number = |part: &str| part.get(..7)?.parse::<u32>().ok();
            let numbers = text.split("person of number ").skip(1).filter_map(number);
            numbers.collect::<std::collections::BTreeSet<_>>()
        };
        assert!(standing().iter().any(forgotten), "the pages and the log have some yet");
        assert_eq!(journal.scrub(scrub).unwrap(), [""; 0]);
        let kept: Vec<u32> = (0..2_000).filter(|number| !forgotten(number)).collect();
        assert_eq!(standing().into_iter().collect::<Vec<_>>(), kept);
        assert_eq!(journal.vault().unwrap().len(), kept.len());
        journal.check().unwrap();
        let next = commit(head, 60);
        journal.append(&next).unwrap();
        assert_eq!(journal.head().unwrap(), next.head());
    }
}

/// Sixteen bytes that lie anywhere among others.
fn token_of(number: u32) -> [u8; 16] {
    let mut state = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut token = [0; 16];
    for half in token.chunks_mut(8) {
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(1);
        half.copy_from_slice(&(state ^ (state >> 27)).to_be_bytes());
    }
    token
}

/// A reader that stays keeps the log, and that is said.
#[test]
fn what_a_reader_keeps_of_the_log_is_told() {
    let (_dir, path) = file();
    let (mut journal, head) = writer(&path, "live");
    grow(&mut journal, head, 5, 60);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let options = SqliteConnectOptions::new().filename(&path);
    let mut reader = runtime.block_on(SqliteConnection::connect_with(&options)).unwrap();
    let mut read = |sql| runtime.block_on(sqlx::raw_sql(sql).execute(&mut reader)).unwrap();
    read("BEGIN; SELECT count(*) FROM journal");
    let left = journal.scrub(Scrub::Tables).unwrap();
    assert!(left.len() == 1 && left[0].contains("end it, and run"), "{left:?}");
    read("COMMIT");
    assert_eq!(journal.scrub(Scrub::Tables).unwrap(), [""; 0]);
}

#[test]
fn writers_creating_one_file_at_once_take_turns() {
    let (_dir, path) = file();
    std::thread::scope(|scope| {
        for ledger in ["live", "sandbox", "third", "fourth"] {
            let path = &path;
            scope.spawn(move || {
                let (mut journal, head) = writer(path, ledger);
                let head = grow(&mut journal, head, 50, 60);
                assert_eq!(journal.head().unwrap(), head);
            });
        }
    });
    for ledger in ["live", "sandbox", "third", "fourth"] {
        let mut journal = SqliteJournal::open(&path, ledger, OpenMode::ReadOnly).unwrap();
        assert_eq!(journal.head().unwrap().seq, 50);
    }
}

#[test]
fn of_writers_racing_for_one_ledger_only_the_last_goes_on() {
    let (_dir, path) = file();
    drop(writer(&path, "live"));
    let outcomes: Vec<_> = std::thread::scope(|scope| {
        let race = |_| {
            scope.spawn(|| {
                let (mut journal, mut head) = writer(&path, "live");
                for written in 0..100 {
                    let commit = commit(head, 60);
                    match journal.append(&commit) {
                        Ok(()) => head = commit.head(),
                        Err(AppendError::Fenced { .. }) => return written,
                        Err(other) => panic!("{other:?}"),
                    }
                }
                100
            })
        };
        let threads: Vec<_> = (0..4).map(race).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut journal = SqliteJournal::open(&path, "live", OpenMode::ReadOnly).unwrap();
    assert_eq!(journal.head().unwrap().seq, outcomes.iter().sum::<u64>());
    assert!(outcomes.contains(&100));
}

#[test]
fn the_file_is_a_write_ahead_database_that_loses_nothing_acknowledged() {
    let (_dir, path) = file();
    let (mut journal, head) = writer(&path, "live");
    let head = grow(&mut journal, head, 3, 60);
    // A process killed now never closes: its files, copied as they are, hold every commit.
    let copy = path.with_file_name("copy.db");
    fs::copy(&path, &copy).unwrap();
    fs::copy(path.with_file_name("ledger.db-wal"), path.with_file_name("copy.db-wal")).unwrap();
    assert_eq!(writer(&copy, "live").1, head);
}
