//! The outbox that an engine keeps: beside its commits, and in no answer's way.

use std::time::Duration;

use ledger_core::contract::Response;
use ledger_core::time::Instant;
use ledger_store::engine::{Engine, EngineBuilder, OutboxProgress, StartError};
use ledger_store::journal::{Journal, MemoryDisk};
use ledger_store::projection::{Acknowledged, EntryKind, ProjectError, Projector, Target, prove};
use sqlx::ConnectOptions as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use tokio::runtime::Builder;

use crate::setup::{self, LIVE, call, memory, story};
use crate::{Home, bodies, lived, vault};

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_mins(1);

fn builder(home: &Home) -> EngineBuilder<'static> {
    Engine::builder(LIVE).outbox(home.target.clone())
}

pub fn settled(engine: &Engine) -> OutboxProgress {
    let progress = engine.outbox().expect("it keeps one");
    assert!(progress.settle(PATIENCE), "{progress:?}");
    progress
}

pub fn answers(engine: &Engine) -> impl FnMut(&str) -> Response {
    |text| engine.call(call(text)).wait().unwrap()
}

fn count(home: &Home, table: &str) -> String {
    home.query(&format!("SELECT count(*) FROM {table}"))[0][0].clone()
}

#[test]
fn an_engine_keeps_what_a_projector_would_derive_and_no_other_table() {
    let projected = lived(20, 300);
    for home in Home::both() {
        let disk = MemoryDisk::new();
        let engine = builder(&home).take_over().start(Box::new(memory(&disk))).unwrap();
        story::each_line(300, answers(&engine));
        let progress = settled(&engine);
        assert_eq!((progress.waiting(), progress.failure()), (0, None));
        let head = engine.stop().unwrap();
        let mut journal = memory(&disk);
        let proved = prove(&mut journal, LIVE, &home.target).unwrap().expect("there is an outbox");
        assert_eq!((proved.head, proved.rows), (head, projected.effects.len() as u64));
        assert!(!has_table(&home.target, "balances"));
        assert_eq!(bodies(&home, &mut journal), projected.effects);
    }
}

#[test]
fn every_entry_names_the_account_it_is_about() {
    let home = Home::sqlite();
    let disk = MemoryDisk::new();
    let engine = builder(&home).take_over().start(Box::new(memory(&disk))).unwrap();
    story::each_line(200, answers(&engine));
    settled(&engine);
    let vault = vault(&mut memory(&disk));
    let entries = home.tables().waiting(None, 10_000, &vault).unwrap();
    assert!(!entries.is_empty());
    let accounts = engine.view().wait().unwrap();
    for entry in entries {
        let account = entry.account.unwrap_or_else(|| panic!("{} is about nobody", entry.id));
        assert!(accounts.accounts().any(|(_, known)| *known.name == *account), "{account}");
    }
}

#[test]
fn what_was_lost_with_the_process_is_there_when_it_opens_again_and_nothing_twice() {
    for home in Home::both() {
        let disk = MemoryDisk::new();
        let first = builder(&home).take_over().start(Box::new(memory(&disk))).unwrap();
        let mut number = 0;
        let mut without = None;
        story::each_line(200, |text| {
            number += 1;
            if number == 100 {
                first.stop().unwrap();
                let vault = vault(&mut memory(&disk));
                let mut tables = home.tables();
                for entry in tables.pending(None, 20, &vault).unwrap() {
                    assert_eq!(acknowledge(&mut tables, &entry.id), Acknowledged::Now);
                }
                // From here on nobody keeps it, as when a process ends between commit and outbox.
                without =
                    Some(Engine::builder(LIVE).take_over().start(Box::new(memory(&disk))).unwrap());
            }
            without.as_ref().unwrap_or(&first).call(call(text)).wait().unwrap()
        });
        let head = without.expect("the story is longer").stop().unwrap();
        let again = builder(&home).take_over().start(Box::new(memory(&disk))).unwrap();
        assert_eq!(again.stop().unwrap(), head);
        prove(&mut memory(&disk), LIVE, &home.target).unwrap().expect("there is an outbox");
        assert_eq!(count(&home, "outbox"), lived(20, 200).effects.len().to_string());
        let acknowledged = home.query("SELECT count(*) FROM outbox WHERE acknowledged_at IS NULL");
        let pending = lived(20, 200).effects.len() - 20;
        assert_eq!(acknowledged[0][0], pending.to_string());
    }
}

fn acknowledge(tables: &mut ledger_store::projection::Tables, id: &str) -> Acknowledged {
    tables.acknowledge(id, Instant::default()).unwrap()
}

#[test]
fn an_engine_goes_on_with_the_outbox_that_a_projector_has_kept() {
    for home in Home::both() {
        let disk = MemoryDisk::new();
        let first = Engine::builder(LIVE).take_over().start(Box::new(memory(&disk))).unwrap();
        let (mut number, mut second) = (0, None);
        story::each_line(120, |text| {
            number += 1;
            if number == 60 {
                first.stop().unwrap();
                Projector::open(&mut memory(&disk), LIVE, &home.target).unwrap();
                let vault = vault(&mut memory(&disk));
                let mut tables = home.tables();
                for entry in tables.pending(None, 10, &vault).unwrap() {
                    acknowledge(&mut tables, &entry.id);
                }
                second = Some(builder(&home).take_over().start(Box::new(memory(&disk))).unwrap());
            }
            second.as_ref().unwrap_or(&first).call(call(text)).wait().unwrap()
        });
        let head = second.expect("the story is longer").stop().unwrap();
        // The projector leaves the outbox to the engine from now on.
        let mut journal = memory(&disk);
        let projector = Projector::open(&mut journal, LIVE, &home.target).unwrap();
        assert_eq!(projector.at(), head);
        prove(&mut journal, LIVE, &home.target).unwrap().expect("there are tables");
        let acknowledged = home.query("SELECT count(*) FROM outbox WHERE acknowledged_at IS NULL");
        assert_eq!(acknowledged[0][0], (lived(20, 120).effects.len() - 10).to_string());
        Projector::rebuild(&mut journal, LIVE, &home.target).unwrap();
        prove(&mut journal, LIVE, &home.target).unwrap().expect("there are tables");
    }
}

#[test]
fn tables_of_version_1_are_brought_to_this_one_where_they_stand() {
    let story = lived(20, 200);
    for home in Home::both() {
        let mut journal = crate::journal(&story.commits);
        Projector::open(&mut journal, LIVE, &home.target).unwrap();
        home.execute("ALTER TABLE outbox DROP COLUMN account");
        home.execute("DROP TABLE outbox_checkpoint");
        home.execute("UPDATE projection_checkpoint SET version = 1");
        Projector::open(&mut journal, LIVE, &home.target).unwrap();
        prove(&mut journal, LIVE, &home.target).unwrap().expect("there are tables");
        assert_eq!(home.query("SELECT count(*) FROM outbox WHERE account IS NULL"), [["0"]]);
    }
}

#[test]
fn the_index_of_ids_goes_and_ids_are_found_without_it() {
    let story = lived(20, 100);
    for home in Home::both() {
        let mut journal = crate::journal(&story.commits);
        Projector::open(&mut journal, LIVE, &home.target).unwrap();
        home.execute("CREATE INDEX outbox_by_id ON outbox (ledger, id)");
        // A role that may not drop it leaves it, and whoever may does so once.
        for _ in 0..2 {
            Projector::open(&mut journal, LIVE, &home.target).unwrap();
            assert!(!has_table(&home.target, "outbox_by_id"));
        }
        let vault = vault(&mut journal);
        let mut tables = home.tables();
        let entry = tables.pending(None, 1, &vault).unwrap().remove(0);
        assert_eq!(acknowledge(&mut tables, &entry.id), Acknowledged::Now);
        assert_eq!(acknowledge(&mut tables, &entry.id), Acknowledged::Before);
    }
}

#[test]
fn an_index_of_each_kind_takes_the_place_of_the_one_over_both() {
    let story = lived(20, 100);
    for home in Home::both() {
        let mut journal = crate::journal(&story.commits);
        Projector::open(&mut journal, LIVE, &home.target).unwrap();
        let vault = vault(&mut journal);
        let found = |kind| {
            let entries = home.tables().pending(kind, 30, &vault).unwrap();
            entries.into_iter().map(|entry| (entry.seq, entry.place)).collect::<Vec<_>>()
        };
        let both = found(None);
        assert!(both.len() == 30 && both.is_sorted());
        let all = [EntryKind::Notification, EntryKind::Instruction].map(|kind| found(Some(kind)));
        assert!(both.iter().all(|place| all.iter().any(|of_kind| of_kind.contains(place))));
        home.execute("DROP INDEX outbox_of_kind");
        home.execute("CREATE INDEX outbox_in_order ON outbox (ledger, seq, place)");
        for _ in 0..2 {
            Projector::open(&mut journal, LIVE, &home.target).unwrap();
            assert!(has_table(&home.target, "outbox_of_kind"));
            assert!(!has_table(&home.target, "outbox_in_order"));
        }
        assert_eq!(found(None), both);
    }
}

#[test]
fn no_answer_waits_for_the_outbox_and_it_says_that_it_is_behind() {
    let home = Home::sqlite();
    let disk = MemoryDisk::new();
    let engine = builder(&home).take_over().start(Box::new(memory(&disk))).unwrap();
    let holding = hold(&home.target);
    story::each_line(60, answers(&engine));
    let progress = engine.outbox().unwrap();
    assert!(!progress.settle(Duration::from_millis(20)));
    let head = engine.head().unwrap();
    assert!(head.seq > 40);
    drop(holding);
    settled(&engine);
    assert_eq!(engine.stop().unwrap(), head);
    prove(&mut memory(&disk), LIVE, &home.target).unwrap().expect("there is an outbox");
}

#[test]
fn an_engine_that_stands_by_writes_nothing_to_the_outbox_before_it_takes_over() {
    for home in Home::both() {
        let (disk, lease) = (MemoryDisk::new(), Duration::from_secs(30));
        let first = Engine::builder(LIVE).lease(lease).start(Box::new(memory(&disk))).unwrap();
        let standby = builder(&home).lease(lease).stand_by(Box::new(memory(&disk)));
        story::each_line(60, answers(&first));
        let head = first.head().unwrap();
        while standby.seq() < head.seq {
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(!has_table(&home.target, "outbox"));
        first.stop().unwrap();
        let second = standby.wait().unwrap();
        assert_eq!(count(&home, "outbox"), lived(20, 60).effects.len().to_string());
        assert_eq!(second.stop().unwrap(), head);
    }
}

#[test]
fn a_superseded_engine_adds_nothing_and_its_successor_lacks_nothing() {
    for home in Home::both() {
        let disk = MemoryDisk::new();
        let mut engine = builder(&home).take_over().start(Box::new(memory(&disk))).unwrap();
        let mut superseded = Vec::new();
        let mut number = 0;
        story::each_line(150, |text| {
            number += 1;
            if number % 10 == 0 {
                // The older one may be about to write what it has just answered.
                let newer = builder(&home).take_over().start(Box::new(memory(&disk))).unwrap();
                superseded.push(std::mem::replace(&mut engine, newer));
            }
            engine.call(call(text)).wait().unwrap()
        });
        settled(&engine);
        drop(superseded);
        engine.stop().unwrap();
        prove(&mut memory(&disk), LIVE, &home.target).unwrap().expect("there is an outbox");
        assert_eq!(count(&home, "outbox"), lived(20, 150).effects.len().to_string());
    }
}

#[test]
fn an_outbox_of_another_past_is_refused_before_anything_is_answered() {
    let home = Home::sqlite();
    let disk = MemoryDisk::new();
    let engine = builder(&home).take_over().start(Box::new(memory(&disk))).unwrap();
    story::each_line(20, answers(&engine));
    engine.stop().unwrap();
    let other = MemoryDisk::new();
    let refused = builder(&home).take_over().start(Box::new(memory(&other))).unwrap_err();
    let StartError::Outbox(why) = refused else { panic!("{refused:?}") };
    assert!(matches!(why, ProjectError::Truncated { .. } | ProjectError::Foreign { .. }), "{why}");
    // The journal was left as it was, and another engine may open it.
    assert_eq!(memory(&other).head().unwrap().seq, 0);
    Engine::builder(LIVE).take_over().start(Box::new(memory(&other))).unwrap().stop().unwrap();
}

/// Tells whether there is a table or an index of this name.
fn has_table(target: &Target, table: &str) -> bool {
    let catalogue = match target {
        Target::Sqlite(path) if !path.exists() => return false,
        Target::Sqlite(_) => format!("SELECT 1 FROM sqlite_master WHERE name = '{table}'"),
        Target::Postgres(_) => {
            format!("SELECT 1::bigint FROM pg_class WHERE relname = '{table}'")
        }
        Target::Memory(_) => panic!("memory has no catalogue"),
    };
    !setup::shell::query(target, &catalogue).is_empty()
}

/// Somebody who keeps everybody else from writing to a file, until it is dropped.
struct Holding(#[expect(dead_code, reason = "it is held")] SqliteConnection);

fn hold(target: &Target) -> Holding {
    let Target::Sqlite(path) = target else { panic!("a file is held") };
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let options = SqliteConnectOptions::new().filename(path);
        let mut connection = options.connect().await.unwrap();
        sqlx::query("BEGIN IMMEDIATE").execute(&mut connection).await.unwrap();
        Holding(connection)
    })
}
