//! What whoever runs a ledger does to it, each step of docs/operations.md on both databases.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use custody_ledger::fact::adjustment::FeeAdjusted;
use custody_ledger::prelude::*;
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::value::DecidedBy;
use custody_ledger::{Ledger, Person, PostgresServer};
use ledger_core::id::Seq;
use ledger_store::audit::{Expect, audit};
use ledger_store::codec::CodecError;
use ledger_store::{
    Commit, FrameWriter, Head, Journal, OpenMode, PostgresJournal, SqliteJournal, codec,
};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions as _};
use tempfile::TempDir;

use super::server;
use super::shop::{Shop, amount, ana};

/// Longer than any test takes.
const LONG: Duration = Duration::from_mins(2);

/// A database that holds a ledger, or is to hold one.
enum Database {
    Sqlite(TempDir),
    Postgres(String),
}

impl Database {
    fn both() -> [Self; 2] {
        [Self::Sqlite(tempfile::tempdir().unwrap()), Self::Postgres(server::database())]
    }

    fn store(&self) -> String {
        match self {
            Self::Sqlite(folder) => format!("sqlite:{}", folder.path().join("live.db").display()),
            Self::Postgres(url) => url.clone(),
        }
    }

    fn journal(&self, mode: OpenMode) -> Box<dyn Journal> {
        match self {
            Self::Sqlite(folder) => {
                Box::new(SqliteJournal::open(folder.path().join("live.db"), "live", mode).unwrap())
            }
            Self::Postgres(url) => {
                let server: PostgresServer = url.parse().unwrap();
                Box::new(PostgresJournal::open(&server, "live", mode).unwrap())
            }
        }
    }

    /// A backup as docs/operations.md takes it, restored into a database of its own.
    fn restored(&self) -> Self {
        match self {
            Self::Sqlite(folder) => {
                let copy = tempfile::tempdir().unwrap();
                let into = copy.path().join("live.db");
                let sql = format!("VACUUM INTO '{}'", into.display());
                let file = SqliteConnectOptions::new().filename(folder.path().join("live.db"));
                let runtime =
                    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                runtime.block_on(async {
                    let mut shell: SqliteConnection = file.connect().await.unwrap();
                    sqlx::query(AssertSqlSafe(sql)).execute(&mut shell).await.unwrap();
                });
                Self::Sqlite(copy)
            }
            Self::Postgres(url) => {
                let copy = server::database();
                let dumped = server::output_of("pg_dump", url, &[]);
                server::output_of("psql", &copy, &dumped);
                Self::Postgres(copy)
            }
        }
    }

    /// Where the journal ends, once every record and every invariant was checked.
    fn audited(&self, kept: Head) -> Head {
        let mut journal = self.journal(OpenMode::ReadOnly);
        let report = audit(&mut *journal, "live", Expect { heads: vec![kept] }, |_| ()).unwrap();
        report.head().unwrap()
    }
}

/// A shop over this database, whose house has R$ 90.00.
fn shop(database: &Database) -> Shop {
    funded(Shop::built(Ledger::builder(database.store()).outbox()))
}

fn funded(shop: Shop) -> Shop {
    let by = DecidedBy::new("bia", "a gift").unwrap().evidence("case-1").unwrap();
    let id = FactId::new("gift-1").unwrap();
    let gift = FeeAdjusted::new(id, AccountName::new("loja").unwrap(), Party::House, 9_000, by);
    shop.ledger.report(&gift).wait().unwrap().ensure_applied().unwrap();
    shop
}

fn transfer(number: usize) -> CreateTransfer {
    let id = ExternalId::new(&format!("t-{number}")).unwrap();
    CreateTransfer::new(Party::House, ana(), amount(1), id)
}

/// Says that a backup has ended, however it did.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_backup_of_a_running_ledger_is_whole_and_is_gone_on_with() {
    for database in Database::both() {
        let shop = shop(&database);
        let kept = shop.ledger.head().unwrap();
        let ended = AtomicBool::new(false);
        let (copy, asked) = std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let mut asked = 0;
                while !ended.load(Ordering::Relaxed) {
                    shop.loja.ask(&transfer(asked)).wait().unwrap();
                    asked += 1;
                }
                asked
            });
            while shop.ledger.head().unwrap().seq < kept.seq + 10 {
                std::thread::yield_now();
            }
            let ends = Ends(&ended);
            let copy = database.restored();
            drop(ends);
            (copy, writer.join().unwrap())
        });
        let head = copy.audited(kept);
        assert!(head.seq >= kept.seq + 10, "what was answered before the backup is in it");
        assert!(head.seq <= shop.ledger.head().unwrap().seq);
        // Whatever was written since is asked again with the same ids, and done once.
        let again = self::shop(&copy);
        for number in 0..asked {
            again.loja.ask(&transfer(number)).wait().unwrap();
        }
        assert_eq!(again.available(&ana()), shop.available(&ana()));
        let head = again.ledger.shutdown().unwrap();
        assert_eq!(copy.audited(head), head);
    }
}

#[test]
fn who_was_erased_is_in_older_backups_and_is_erased_there_again() {
    for database in Database::both() {
        let shop = shop(&database);
        shop.collect(&ana(), 10_000, 1);
        shop.payout(&ana(), 1_000, "p-1").unwrap();
        let older = database.restored();
        let erased = |ledger: &Ledger| {
            ledger.erase(Person::default().email("a@example.com")).wait().unwrap()
        };
        assert!(!erased(&shop.ledger).is_empty());
        assert!(erased(&shop.ledger).is_empty(), "nothing is left of them");
        assert!(Shop::over(&database.restored().store()).ledger.head().unwrap().seq > 0);
        let restored = Shop::over(&older.store());
        assert!(!erased(&restored.ledger).is_empty(), "the backup was older");
    }
}

/// The bytes of the last record.
fn last_record(journal: &mut dyn Journal) -> Vec<u8> {
    let seq = journal.head().unwrap().seq;
    let rows = journal.read(seq, 1).unwrap();
    let frame = rows[0].frames().map(Result::unwrap).find(|frame| frame.seq == seq).unwrap();
    frame.record.to_vec()
}

/// The same record with an event of a kind that nobody knows yet.
fn with_an_event_of_later(record: &[u8]) -> Vec<u8> {
    // A version, an array of fields, an instant of nine bytes, and an array of events, of which the
    // first is an array of two: its kind, below 24, and what it says.
    assert_eq!((record[2], record[11] & 0xe0, record[12]), (0x1b, 0x80, 0x82));
    assert!(record[13] < 24);
    [&record[..13], &[0x18, 0xff], &record[14..]].concat()
}

#[test]
fn an_older_engine_refuses_records_of_a_newer_one_by_name_and_changes_nothing() {
    for database in Database::both() {
        let shop = shop(&database);
        let next = shop.ledger.shutdown().unwrap().seq + 1;
        let known = last_record(&mut *database.journal(OpenMode::ReadOnly));
        let later = [
            (vec![codec::VERSION + 1, 0x80], format!("version {}", codec::VERSION + 1)),
            (with_an_event_of_later(&known), format!("record {next}")),
        ];
        for (record, named) in later {
            let copy = database.restored();
            let mut journal = copy.journal(OpenMode::create());
            let opening = journal.open_writer().unwrap();
            let mut rows = FrameWriter::new(opening.head.chain(opening.algorithm));
            rows.push(&record);
            let rows = rows.cut().into_iter().collect();
            let commit = Commit { previous: opening.head, rows, vault: Vec::new() };
            journal.append(&commit).unwrap();

            let opened = Ledger::builder(copy.store()).take_over().open().wait();
            let error = opened.expect_err("it cannot be read");
            let causes =
                std::iter::successors(Some(&error as &dyn std::error::Error), |it| it.source());
            let why = causes.map(ToString::to_string).collect::<Vec<_>>().join(": ");
            assert!(why.contains(&named), "{why}");
            assert_eq!(journal.head().unwrap(), commit.head());
        }
    }
}

#[test]
fn a_field_of_a_newer_version_is_not_seen_and_the_audit_says_that_it_is_there() {
    let database = Database::Sqlite(tempfile::tempdir().unwrap());
    let seq = Seq(shop(&database).ledger.shutdown().unwrap().seq);
    let known = last_record(&mut *database.journal(OpenMode::ReadOnly));
    let fields = known[1] - 0x80;
    // The next field of a record is its sixth; those it left out stand there as null.
    let mut later = known.clone();
    later[1] = 0x86;
    later.extend(std::iter::repeat_n(0xf6, usize::from(5 - fields)).chain([0x01]));
    let read = codec::decode(seq, &later).unwrap();
    assert_eq!(read, codec::decode(seq, &known).unwrap());
    codec::assert_as_written(&read, &known, &mut Vec::new()).unwrap();
    let found = codec::assert_as_written(&read, &later, &mut Vec::new());
    assert!(matches!(found, Err(CodecError::NotAsWritten)), "{found:?}");
}

#[test]
fn the_next_version_stands_by_until_the_one_before_has_shut_down() {
    for database in Database::both() {
        let leased = || Ledger::builder(database.store()).lease(LONG).outbox();
        let before = funded(Shop::built(leased()));
        let next = leased().clock(Arc::clone(&before.clock));
        let standby = next.standby().wait().unwrap();
        let promoted = std::thread::spawn(move || standby.promotion().wait().unwrap());
        before.loja.ask(&transfer(1)).wait().unwrap();
        assert!(!promoted.is_finished(), "the lease is in force");
        let head = before.ledger.shutdown().unwrap();
        let next = promoted.join().unwrap();
        assert_eq!(next.head().unwrap(), head);
        let loja = next.client(ApiKey::new("svc_live_loja").unwrap());
        assert!(loja.ask(&transfer(1)).wait().unwrap().is_repeated());
        assert!(!loja.ask(&transfer(2)).wait().unwrap().is_repeated());
        assert!(before.loja.ask(&transfer(3)).wait().is_err(), "it answers no more");
    }
}
