//! What only a server can do: be unreachable, foreign, tampered with, or keep its own roles apart.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod setup;

use std::time::{Duration, Instant};

use ledger_core::id::Environment;
use ledger_store::ServiceTables;
use ledger_store::chain::Algorithm;
use ledger_store::frame::FrameWriter;
use ledger_store::journal::{
    AppendError, Commit, Head, Journal, JournalError, OpenError, OpenMode, PostgresJournal, Row,
    VaultRow,
};
use ledger_store::projection::Target;
use ledger_store::projection::schema::table::Cell;
use setup::server::{self, Server, execute};

/// The grants a production database is given, as they are published.
const GRANTS: &str = include_str!("../grants/postgres.sql");

fn open(url: &str, ledger: &str, mode: OpenMode) -> Result<PostgresJournal, OpenError> {
    PostgresJournal::open(&url.parse().unwrap(), ledger, mode)
}

fn writer(url: &str, ledger: &str) -> (PostgresJournal, Head) {
    let mut journal = open(url, ledger, OpenMode::create()).unwrap();
    let head = journal.open_writer().unwrap().head;
    (journal, head)
}

/// Appends `rows` commits of one row each.
fn grow(journal: &mut PostgresJournal, mut head: Head, rows: usize) -> Head {
    for _ in 0..rows {
        let commit = Commit { previous: head, rows: one_row(head), vault: Vec::new() };
        journal.append(&commit).unwrap();
        head = commit.head();
    }
    head
}

fn one_row(head: Head) -> Vec<Row> {
    let mut writer = FrameWriter::new(head.chain(Algorithm::Blake3));
    writer.push(&[b'r'; 60]);
    vec![writer.cut().unwrap()]
}

/// `url` as another user of the same database.
fn as_user(url: &str, user: &str) -> String {
    url.replace("postgres://ledger@", &format!("postgres://{user}@"))
}

#[test]
fn a_server_that_is_not_there_is_named_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("postgres://loja:secret@/books?host={}", folder.path().display());
    for mode in [OpenMode::create(), OpenMode::ReadOnly] {
        let error = open(&url, "live", mode).unwrap_err();
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(matches!(error, OpenError::Unreachable { .. }), "{error:?}");
        let said = format!("{error}: {cause}");
        assert!(said.contains("postgres://loja@/books?host=/"), "{said}");
        assert!(said.contains("No such file"), "{said}");
        assert!(!said.contains("secret"), "{said}");
    }
}

#[test]
fn a_database_or_user_that_is_not_there_is_named() {
    let url = server::database();
    for (wrong, name) in [
        (as_user(&url, "nobody_known"), "nobody_known"),
        (url.replace("/books_", "/no_books_"), "no_books_"),
    ] {
        let error = open(&wrong, "live", OpenMode::create()).unwrap_err();
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(matches!(error, OpenError::Unreachable { .. }), "{error:?}");
        assert!(cause.contains(name), "{cause}");
    }
}

#[test]
fn a_table_that_a_crash_would_empty_is_named_and_nothing_is_opened_for_writing() {
    for (made, table) in [
        ("ALTER TABLE vault SET UNLOGGED", "vault"),
        ("ALTER TABLE journal SET UNLOGGED", "journal"),
        ("ALTER TABLE ledger_lease SET UNLOGGED", "ledger_lease"),
        ("CREATE UNLOGGED TABLE outbox (id text)", "outbox"),
        ("CREATE UNLOGGED TABLE webhook_deliveries (id text)", "webhook_deliveries"),
    ] {
        let url = server::database();
        drop(writer(&url, "live"));
        execute(&url, made).unwrap();
        let refused = open(&url, "live", OpenMode::create()).unwrap_err();
        let said = format!("table {table} is UNLOGGED, and a crash of the server would empty it");
        assert!(refused.to_string().ends_with(&said), "{refused}");
        // What is there is read all the same.
        open(&url, "live", OpenMode::ReadOnly).unwrap();
    }
}

#[test]
fn a_session_that_stops_within_a_transaction_keeps_nobody_waiting_for_long() {
    let target = Target::Postgres(server::database().parse().unwrap());
    let making = "CREATE TABLE seen (id TEXT PRIMARY KEY, times BIGINT NOT NULL)";
    let statement = |sql: &str| (sql.to_owned(), Vec::new());
    let mut stopped = ServiceTables::open(&target, "seen", &[making]).unwrap();
    stopped.write(&[statement("INSERT INTO seen VALUES ('a', 1)")]).unwrap();
    // What a process leaves that is frozen between two statements.
    stopped.read("BEGIN", &[]).unwrap();
    stopped.read("UPDATE seen SET times = 2 RETURNING times", &[]).unwrap();
    let mut other = ServiceTables::open(&target, "seen", &[]).unwrap();
    let began = Instant::now();
    assert_eq!(other.write(&[statement("UPDATE seen SET times = 3")]).unwrap(), 1);
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    // Whoever wakes finds its session gone, and goes on by another.
    stopped.read("SELECT times FROM seen", &[]).unwrap_err();
    let times = stopped.read("SELECT times FROM seen", &[]).unwrap();
    assert_eq!(times, [vec![Cell::Integer(3)]]);
}

#[test]
fn a_ledger_is_held_by_its_session_and_by_no_longer_than_that() {
    let url = server::database();
    let (journal, _) = writer(&url, "live");
    assert_eq!(journal.lock_fault(), None);
    let locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' \
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    assert_eq!(server::number(&url, locks), 1);
    drop(journal);
    let gone = Instant::now();
    while server::number(&url, locks) > 0 {
        assert!(gone.elapsed() < Duration::from_secs(20), "the end of a session releases it");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

#[test]
fn a_database_of_another_shape_is_said_to_be_one() {
    let url = server::database();
    let reason = |mode| match open(&url, "live", mode).unwrap_err() {
        OpenError::Schema { reason, .. } => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(reason(OpenMode::ReadOnly), "it holds no ledger");
    drop(writer(&url, "live"));
    let newer = "INSERT INTO _sqlx_migrations SELECT 9999, description, installed_on, success,
                 checksum, 0 FROM _sqlx_migrations LIMIT 1";
    execute(&url, newer).unwrap();
    assert_eq!(reason(OpenMode::ReadOnly), "a newer version has written it");
    assert!(reason(OpenMode::create()).contains("9999"));
    execute(&url, "DELETE FROM _sqlx_migrations").unwrap();
    assert_eq!(reason(OpenMode::ReadOnly), "it holds no ledger");
}

#[test]
fn a_server_that_would_lose_what_it_acknowledges_is_not_written_to() {
    let hasty = Server::start(&["fsync=off"]);
    let url = hasty.database();
    let error = open(&url, "live", OpenMode::create()).unwrap_err();
    assert!(matches!(error, OpenError::NotDurable { setting: "fsync", .. }), "{error:?}");
}

/// What of Citus's catalogue is looked at, as it says it of a database of its own.
const SPREAD: &str = "
    CREATE TABLE pg_dist_partition (logicalrelid regclass, colocationid integer);
    CREATE TABLE pg_dist_object (objid oid, distribution_argument_index integer, colocationid integer);
    CREATE FUNCTION run_command_on_workers(command text)
        RETURNS TABLE (nodename text, nodeport integer, success boolean, result text) LANGUAGE plpgsql
        AS $$ BEGIN
            nodename := 'worker'; nodeport := 5432; success := true;
            EXECUTE command INTO result;
            RETURN NEXT;
        END $$;";

#[test]
fn a_database_that_spreads_an_append_over_nodes_is_not_written_to() {
    let url = server::database();
    let (mut journal, head) = writer(&url, "live");
    let head = grow(&mut journal, head, 1);
    execute(&url, SPREAD).unwrap();
    // The tables are all on this server.
    let (mut journal, _) = writer(&url, "live");
    let head = grow(&mut journal, head, 1);

    let refused = || match open(&url, "live", OpenMode::create()) {
        Err(OpenError::Spread { fault, .. }) => fault,
        other => panic!("{other:?}"),
    };
    execute(&url, "INSERT INTO pg_dist_partition VALUES ('journal', 7), ('ledger', 7)").unwrap();
    assert!(refused().starts_with("table ledger_lease does not lie with the others"));
    execute(&url, "INSERT INTO pg_dist_partition VALUES ('ledger_lease', 7), ('vault', 8)")
        .unwrap();
    assert!(refused().starts_with("table vault does not lie with the others"));
    execute(&url, "UPDATE pg_dist_partition SET colocationid = 7").unwrap();
    assert!(refused().starts_with("journal_append is not done where its ledger is"));
    let object = "INSERT INTO pg_dist_object VALUES ('journal_append'::regproc, NULL, NULL)";
    execute(&url, object).unwrap();
    assert!(refused().starts_with("journal_append is not done where its ledger is"));
    execute(&url, "UPDATE pg_dist_object SET distribution_argument_index = 0, colocationid = 6")
        .unwrap();
    assert!(refused().starts_with("journal_append is not done where its ledger is"));
    execute(&url, "UPDATE pg_dist_object SET colocationid = 7").unwrap();
    execute(&url, "ALTER FUNCTION run_command_on_workers SET synchronous_commit = local").unwrap();
    assert_eq!(refused(), "node worker:5432 runs with synchronous_commit local");
    execute(&url, "ALTER FUNCTION run_command_on_workers RESET synchronous_commit").unwrap();
    let (mut journal, found) = writer(&url, "live");
    assert_eq!(found, head);
    grow(&mut journal, head, 1);
    // Whoever only reads loses nothing.
    execute(&url, "DELETE FROM pg_dist_object").unwrap();
    assert!(open(&url, "live", OpenMode::ReadOnly).unwrap().head().unwrap().seq > head.seq);
}

#[test]
fn a_role_that_does_not_wait_for_the_disk_is_made_to() {
    let url = server::database();
    let hasty = "CREATE ROLE hasty LOGIN SUPERUSER; ALTER ROLE hasty SET synchronous_commit = off;";
    execute(&url, hasty).unwrap();
    let (mut journal, head) = writer(&as_user(&url, "hasty"), "live");
    // A rule of the table's owner reads the setting in the writer's own session.
    let rule = "ALTER TABLE journal ADD CHECK (current_setting('synchronous_commit') = 'on')";
    execute(&url, rule).unwrap();
    grow(&mut journal, head, 1);
}

#[test]
fn the_writers_role_appends_and_can_change_or_remove_no_record() {
    let url = server::database();
    let roles = "CREATE ROLE ledger_writer LOGIN; CREATE ROLE ledger_reader LOGIN;";
    execute(&url, roles).unwrap();
    drop(writer(&url, "live"));
    execute(&url, GRANTS).unwrap();

    let as_writer = as_user(&url, "ledger_writer");
    let (mut journal, head) = writer(&as_writer, "live");
    let head = grow(&mut journal, head, 2);
    drop(writer(&as_writer, "sandbox"));
    // It holds the ledger by a lease, and lets go of it.
    journal.renew(std::time::Duration::from_mins(1)).unwrap();
    let mut another = open(&as_writer, "live", OpenMode::create()).unwrap();
    assert!(matches!(another.claim(None), Err(JournalError::Leased { .. })));
    journal.release().unwrap();
    let rows = journal.read(1, 10).unwrap();
    let person =
        VaultRow { token: [1; 16], kind: 1, value: "52998224725".into(), mask: "***".into() };
    let mut with_person = Commit { previous: head, rows: Vec::new(), vault: vec![person] };
    let mut frames = FrameWriter::new(head.chain(Algorithm::Blake3));
    frames.push(b"record");
    with_person.rows.extend(frames.cut());
    journal.append(&with_person).unwrap();
    assert!(journal.erase([1; 16]).unwrap());

    for sql in [
        "UPDATE journal SET payload = ''",
        "UPDATE journal SET first = first + 1",
        "DELETE FROM journal",
        "TRUNCATE journal",
        "INSERT INTO journal SELECT ledger, first, count, link, '' FROM journal
         ON CONFLICT (ledger, first) DO UPDATE SET payload = excluded.payload",
        "UPDATE ledger SET vault_key = vault_key",
        "UPDATE ledger SET ledger = 'dead'",
        "DROP TABLE ledger_lease",
        "DELETE FROM legal_hold",
        "UPDATE legal_hold SET placed_by = ''",
        "DELETE FROM legal_hold_token",
        "DELETE FROM vault_erasure",
        "UPDATE ledger SET erasures_since = 9",
        "DELETE FROM ledger",
        "UPDATE vault SET value = ''",
        "ALTER TABLE journal ADD COLUMN note text",
        "DROP TABLE journal",
        "DROP FUNCTION journal_append",
        "CREATE RULE lost AS ON INSERT TO journal DO INSTEAD NOTHING",
    ] {
        for user in ["ledger_writer", "ledger_reader"] {
            let error = execute(&as_user(&url, user), sql).unwrap_err().to_string();
            let refused = error.contains("permission denied") || error.contains("must be owner");
            assert!(refused, "{user}: {sql}: {error}");
        }
    }
    let mut reader = open(&as_user(&url, "ledger_reader"), "live", OpenMode::ReadOnly).unwrap();
    assert_eq!(reader.read(1, 2).unwrap(), rows);
    assert_eq!(reader.head().unwrap(), with_person.head());
    assert_eq!(reader.lease_left().unwrap(), None);
    let insert = "INSERT INTO journal SELECT ledger, 9, count, link, payload FROM journal LIMIT 1";
    let error = execute(&as_user(&url, "ledger_reader"), insert).unwrap_err().to_string();
    assert!(error.contains("permission denied"), "{error}");
}

#[test]
fn a_removed_row_is_reported_as_a_gap_where_it_was() {
    let url = server::database();
    let (mut journal, head) = writer(&url, "live");
    grow(&mut journal, head, 5);
    execute(&url, "DELETE FROM journal WHERE first = 3").unwrap();
    let before: Vec<u64> = journal.read(1, 10).unwrap().iter().map(|row| row.first).collect();
    assert_eq!(before, [1, 2]);
    assert!(matches!(journal.read(3, 10), Err(JournalError::Gap { expected: 3, found: 4 })));
    assert_eq!(journal.read(4, 10).unwrap().len(), 2);
    assert!(matches!(journal.check(), Err(JournalError::Gap { expected: 3, found: 4 })));
}

#[test]
fn writers_creating_one_database_at_once_take_turns() {
    let url = server::database();
    let ledgers = ["live", "live", "sandbox", "third"];
    std::thread::scope(|scope| {
        for ledger in ledgers {
            let url = &url;
            scope.spawn(move || writer(url, ledger));
        }
    });
    for ledger in ledgers {
        assert_eq!(open(&url, ledger, OpenMode::ReadOnly).unwrap().head().unwrap().seq, 0);
    }
}

#[test]
fn a_session_that_was_ended_between_two_appends_is_found_out_and_made_anew() {
    let url = server::database();
    let (mut journal, head) = writer(&url, "live");
    let head = grow(&mut journal, head, 1);
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    execute(&url, end).unwrap();
    assert!(matches!(journal.head(), Err(JournalError::Medium(_))));
    assert_eq!(journal.head().unwrap(), head);
    // The epoch is still this writer's: nobody has taken over meanwhile.
    grow(&mut journal, head, 1);
}

#[test]
fn a_database_without_the_function_that_appends_is_read_as_it_is_and_given_it_to_be_written() {
    let url = server::database();
    let made_for = OpenMode::made_for(Environment::Sandbox);
    let mut journal = open(&url, "loja", made_for).unwrap();
    let head = journal.open_writer().unwrap().head;
    let head = grow(&mut journal, head, 2);
    let older = "DROP FUNCTION journal_append; DROP TABLE legal_hold_token, legal_hold;
                 DROP TABLE vault_erasure; ALTER TABLE ledger DROP COLUMN erasures_since;
                 ALTER TABLE ledger_lease DROP COLUMN holder;
                 DELETE FROM _sqlx_migrations
                 WHERE description IN ('append', 'legal hold', 'holder', 'vault erasure');";
    execute(&url, older).unwrap();
    let mut reader = open(&url, "loja", OpenMode::ReadOnly).unwrap();
    assert_eq!(reader.head().unwrap(), head);
    assert_eq!(reader.identity().environment("loja"), Environment::Sandbox);
    assert_eq!(
        server::number(&url, "SELECT count(*) FROM pg_proc WHERE proname LIKE 'journal%'"),
        0
    );
    let mut another = open(&url, "loja", OpenMode::create()).unwrap();
    assert_eq!(another.open_writer().unwrap().head, head);
    grow(&mut another, head, 1);
}

#[test]
fn an_append_is_guarded_whatever_isolation_its_role_has() {
    let url = server::database();
    let roles = "CREATE ROLE strict LOGIN SUPERUSER;
                 ALTER ROLE strict SET default_transaction_isolation = serializable;";
    execute(&url, roles).unwrap();
    let (mut journal, head) = writer(&as_user(&url, "strict"), "live");
    let head = grow(&mut journal, head, 3);
    let (mut another, taken) = writer(&as_user(&url, "strict"), "live");
    assert_eq!(taken, head);
    let rows = one_row(head);
    let late = Commit { previous: head, rows, vault: Vec::new() };
    assert!(matches!(journal.append(&late), Err(AppendError::Fenced { .. })));
    grow(&mut another, head, 1);
}

#[test]
fn payloads_are_stored_as_they_are_and_every_key_begins_with_the_ledger() {
    let url = server::database();
    drop(writer(&url, "live"));
    let count = |query: &str| server::number(&url, &format!("SELECT count(*) FROM {query}"));
    let stored = "pg_attribute WHERE attrelid = 'journal'::regclass AND attname = 'payload'";
    assert_eq!(count(&format!("{stored} AND attstorage = 'e'")), 1);
    assert_eq!(count("pg_class WHERE relkind = 'S'"), 0, "sequences");
    let keys = "pg_index JOIN pg_class ON pg_class.oid = indrelid
                JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
                WHERE relname IN ('ledger', 'ledger_lease', 'journal', 'vault')";
    assert_eq!(count(&format!("{keys} AND attname = 'ledger'")), 4);
    assert_eq!(count(keys), 4);
}
