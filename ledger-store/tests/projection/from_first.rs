//! Tables of a whole journal: indexes that are dropped meanwhile are there afterwards, and no other
//! ledger loses a row.

use std::error::Error;
use std::iter::successors;
use std::sync::OnceLock;

use ledger_core::contract::Line;
use ledger_core::ledger::Origin;
use ledger_store::journal::{Journal, MemoryDisk, MemoryJournal, OpenMode};
use ledger_store::projection::{Projector, Target, prove};
use ledger_store::sequencer::Sequencer;
use serde_json::json;

use crate::Home;
use crate::setup::{LIVE, server};

const OPENING: [&str; 3] = [
    r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"a-1","account":"loja","terms":{"liberacao":"imediata","carencia_horas":0,"sem_retencao":true}},"supplied":{"key":"svc_live_loja"}}"#,
    r#"{"at":"2026-11-20T12:00:00Z","fact":"fee.adjusted","body":{"id":"a-2","account":"loja","effect_cents":9000000,"actor":"bia","reason":"a gift","evidence":"case-1"}}"#,
    r#"{"at":"2026-11-20T12:00:00Z","key":"svc_live_loja","request":"POST /saldo/transferir","body":{"to_customer_ref":"c0","amount_cents":8000000,"external_id":"first"}}"#,
];

/// What SQL, `COPY` and JSON mean something by, in names that a client chose.
const ODD: [&str; 4] = ["two  spaces", "\\N", "it's \"ção\", {a,b}", "\u{1F4B8}\\t\\"];

fn say(sequencer: &mut Sequencer, line: &str) {
    let line = Line::parse(line, |_| Ok(String::new())).unwrap();
    let answer = sequencer.call(&line.call(Origin::Call));
    assert_eq!(answer.status, 200, "{:?}", answer.body);
}

/// A journal of a ledger of this name, of so many transfers.
fn written(name: &str, transfers: usize) -> MemoryJournal {
    MemoryJournal::open(&disk(name, transfers), name, OpenMode::ReadOnly).unwrap()
}

/// A journal of so many transfers that more than one transaction is filled.
fn long() -> MemoryJournal {
    static LONG: OnceLock<MemoryDisk> = OnceLock::new();
    let disk = LONG.get_or_init(|| disk(LIVE, 33_000));
    MemoryJournal::open(disk, LIVE, OpenMode::ReadOnly).unwrap()
}

fn disk(name: &str, transfers: usize) -> MemoryDisk {
    let disk = MemoryDisk::new();
    let vault_key = Some([7; 32]);
    let mode = OpenMode::Create { vault_key, algorithm: None, designation: None };
    let mut journal = MemoryJournal::open(&disk, name, mode).unwrap();
    journal.open_writer().unwrap();
    let mut sequencer = Sequencer::new(name, journal.identity());
    for line in OPENING {
        say(&mut sequencer, &line.replace("svc_live", &format!("svc_{name}")));
    }
    for number in 0..transfers {
        let to = format!("c{}", 1 + number % 7);
        let id = format!("{number} {}", ODD[number % ODD.len()]);
        let line = json!({
            "at": "2026-11-20T13:00:00Z",
            "key": format!("svc_{name}_loja"),
            "request": "POST /saldo/transferir",
            "body": {
                "from_customer_ref": "c0", "to_customer_ref": to, "amount_cents": 1,
                "external_id": id,
            },
        });
        say(&mut sequencer, &line.to_string());
        if sequencer.pending() >= 1_000 {
            journal.append(&sequencer.cut().unwrap()).unwrap();
        }
    }
    journal.append(&sequencer.cut().unwrap()).unwrap();
    drop(journal);
    disk
}

/// The names of the indexes that statements made.
fn indexes(home: &Home) -> Vec<Vec<String>> {
    home.query(match home.target {
        Target::Sqlite(_) => {
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name"
        }
        _ => {
            "SELECT indexname::text FROM pg_indexes \
             WHERE schemaname = 'public' AND indexname NOT LIKE '%_pkey' ORDER BY 1"
        }
    })
}

fn proved(journal: &mut MemoryJournal, name: &str, home: &Home) {
    let proved = prove(journal, name, &home.target).unwrap().expect("tables are there");
    assert_eq!(proved.head, journal.head().unwrap());
}

#[test]
fn a_whole_journal_is_filled_and_filled_anew_with_its_indexes() {
    let mut journal = long();
    for home in Home::both() {
        drop(Projector::open(&mut written(LIVE, 0), LIVE, &home.target).unwrap());
        let made = indexes(&home);
        assert_eq!(made.len(), 8, "{made:?}");
        for _ in 0..2 {
            drop(Projector::rebuild(&mut journal, LIVE, &home.target).unwrap());
            proved(&mut journal, LIVE, &home);
            assert_eq!(indexes(&home), made);
        }
    }
}

#[test]
fn whoever_fills_or_empties_tables_leaves_those_of_another_ledger_as_they_are() {
    let mut live = long();
    let mut sandbox = written("sandbox", 100);
    for home in Home::both() {
        drop(Projector::open(&mut sandbox, "sandbox", &home.target).unwrap());
        drop(Projector::open(&mut live, LIVE, &home.target).unwrap());
        proved(&mut sandbox, "sandbox", &home);
        for (journal, name) in [(&mut live, LIVE), (&mut sandbox, "sandbox")] {
            drop(Projector::rebuild(journal, name, &home.target).unwrap());
        }
        proved(&mut live, LIVE, &home);
        proved(&mut sandbox, "sandbox", &home);
    }
}

#[test]
fn an_index_that_a_crash_left_dropped_is_made_by_whoever_opens_the_tables() {
    let mut journal = written(LIVE, 10);
    for home in Home::both() {
        drop(Projector::open(&mut journal, LIVE, &home.target).unwrap());
        let made = indexes(&home);
        for index in ["statement_rows_key", "operations_by_external_id"] {
            home.execute(&format!("DROP INDEX {index}"));
        }
        assert_eq!(indexes(&home).len(), made.len() - 2);
        drop(Projector::open(&mut journal, LIVE, &home.target).unwrap());
        assert_eq!(indexes(&home), made);
        proved(&mut journal, LIVE, &home);
    }
}

/// Where the key of what is only added was a primary key.
#[test]
fn tables_that_were_made_with_a_primary_key_are_filled_as_well() {
    let mut journal = written(LIVE, 200);
    for home in Home::both() {
        drop(Projector::open(&mut journal, LIVE, &home.target).unwrap());
        let text = "posted_at TEXT NOT NULL, kind TEXT NOT NULL";
        let number = "seq BIGINT NOT NULL, event BIGINT NOT NULL";
        let sums = "value_cents BIGINT NOT NULL, balance_after_cents BIGINT NOT NULL";
        for statement in [
            "DROP TABLE statement_rows".to_owned(),
            "DROP TABLE commission_rows".to_owned(),
            format!(
                "CREATE TABLE statement_rows (ledger TEXT NOT NULL, subaccount BIGINT NOT NULL, \
                 number BIGINT NOT NULL, {number}, {text}, nature TEXT NOT NULL, \
                 operation TEXT NOT NULL, {sums}, note_token TEXT, \
                 PRIMARY KEY (ledger, subaccount, number))"
            ),
            format!(
                "CREATE TABLE commission_rows (ledger TEXT NOT NULL, \
                 account_number BIGINT NOT NULL, number BIGINT NOT NULL, {number}, {text}, \
                 operation TEXT NOT NULL, {sums}, PRIMARY KEY (ledger, account_number, number))"
            ),
        ] {
            home.execute(&statement);
        }
        drop(Projector::rebuild(&mut journal, LIVE, &home.target).unwrap());
        proved(&mut journal, LIVE, &home);
        let made: Vec<_> = indexes(&home).into_iter().flatten().collect();
        assert!(made.contains(&"statement_rows_by_operation".to_owned()), "{made:?}");
        assert!(!made.contains(&"statement_rows_key".to_owned()), "{made:?}");
    }
}

#[test]
fn rows_that_no_checkpoint_is_about_are_made_anew() {
    let mut journal = written(LIVE, 200);
    for home in Home::both() {
        drop(Projector::open(&mut journal, LIVE, &home.target).unwrap());
        for fill in [Projector::open, Projector::rebuild] {
            home.execute("DELETE FROM projection_checkpoint WHERE ledger = 'live'");
            home.execute("UPDATE balances SET available_cents = 1 WHERE subaccount = 2");
            home.execute("UPDATE statement_rows SET number = number + 1000 WHERE number = 1");
            drop(fill(&mut journal, LIVE, &home.target).unwrap());
            proved(&mut journal, LIVE, &home);
        }
    }
}

#[test]
fn a_row_that_is_there_before_its_record_is_named_and_made_anew_by_a_rebuild() {
    let mut journal = written(LIVE, 200);
    for home in Home::both() {
        let mut nothing = written(LIVE, 0);
        drop(Projector::open(&mut nothing, LIVE, &home.target).unwrap());
        home.execute(
            "INSERT INTO statement_rows SELECT ledger, subaccount, 2, seq, event, posted_at, \
             kind, nature, operation, value_cents, balance_after_cents, note_token \
             FROM statement_rows WHERE number = 1 \
             AND subaccount = (SELECT subaccount FROM balances WHERE customer = 'c0')",
        );
        let failed = Projector::open(&mut journal, LIVE, &home.target).unwrap_err();
        let causes = successors(Some(&failed as &dyn Error), |error| (*error).source());
        let said = causes.map(ToString::to_string).collect::<Vec<_>>().join(": ");
        assert!(said.contains("statement_rows") && said.contains("--rebuild"), "{said}");
        drop(Projector::rebuild(&mut journal, LIVE, &home.target).unwrap());
        proved(&mut journal, LIVE, &home);
    }
}

/// Dropping an index waits for whoever reads its table, and lets nobody in meanwhile.
#[test]
fn a_reader_who_stays_long_is_not_waited_for() {
    let mut journal = long();
    let url = server::database();
    let home = Home { target: Target::Postgres(url.parse().unwrap()), _folder: None };
    drop(Projector::open(&mut written(LIVE, 0), LIVE, &home.target).unwrap());
    let made = indexes(&home);
    let mut reader = server::Session::open(&url).unwrap();
    reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ").unwrap();
    let rows = reader.number("SELECT count(*) FROM statement_rows");
    drop(Projector::rebuild(&mut journal, LIVE, &home.target).unwrap());
    // What it reads stays as it was.
    assert_eq!(reader.number("SELECT count(*) FROM statement_rows"), rows);
    drop(reader);
    assert_eq!(indexes(&home), made);
    proved(&mut journal, LIVE, &home);
}
