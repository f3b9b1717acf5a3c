//! The program's tables and outbox: filled, followed, killed, rebuilt, proved, acknowledged.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use ledger_core::contract::Environment;
use ledger_store::Vault;
use ledger_store::journal::{Journal, MemoryDisk, MemoryJournal, OpenMode};
use ledger_store::projection::{Projector, Tables, Target, prove};
use proptest::prelude::*;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, Executor, SqliteConnection};

use crate::killed::{Dice, Folder, day, finished, run};
use crate::pages;
use crate::program::{PROGRAM, printed, refused};
use crate::properties::{Life, act};
use crate::server;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Acknowledges everything, as a service that sends one of each line at a time would; gives the
/// bodies in the order of records.
fn drained(arguments: &[&str]) -> Vec<Value> {
    let mut bodies = BTreeMap::new();
    pages::rounds(|| {
        let given = lines(&printed(&[arguments, &["--limit", "100000"]].concat()));
        if given.is_empty() {
            return false;
        }
        let mut acknowledge = arguments.to_vec();
        for entry in &given {
            acknowledge.extend(["--ack", entry["id"].as_str().unwrap()]);
            // Notifications of a record come before its instructions.
            let place = (entry["seq"].as_u64(), entry["kind"] == "instruction");
            let key = (place, entry["id"].to_string());
            assert_eq!(bodies.insert(key, entry["body"].clone()), None, "{entry} given again");
        }
        let acknowledged = lines(&printed(&acknowledge));
        assert!(acknowledged.iter().all(|line| line["acknowledged"] == "now"), "{acknowledged:?}");
        true
    });
    bodies.into_values().collect()
}

/// Returns what a run wrote beside its answers, of one ledger: the bodies of events and
/// instructions.
fn effects(events: &Path, environment: Environment) -> Vec<Value> {
    let text = std::fs::read_to_string(events).unwrap();
    let mut effects = Vec::new();
    for mut line in lines(&text) {
        let instruction = line.get("instruction").is_some();
        let body = line[if instruction { "instruction" } else { "event" }].take();
        let ids = ["cashin_id", "payout_id", "withdrawal_id"];
        let about = if instruction { &body } else { &body["data"] };
        let id = ids.into_iter().find_map(|id| about[id].as_str()).unwrap();
        if ledger_core::id::OpId::parse(id, &environment.into()).is_some() {
            effects.push(body);
        }
    }
    effects
}

/// Bodies as a bag: lines of one record are compared apart from their order.
fn bag(bodies: &[Value]) -> Vec<String> {
    let mut bag: Vec<String> = bodies.iter().map(Value::to_string).collect();
    bag.sort();
    bag
}

#[test]
fn tables_are_filled_paged_proved_and_rebuilt_by_command() {
    let folder = Folder::new("projected");
    for store in [
        folder.path().join("ledger.db").display().to_string(),
        format!("{}&application_name=projected", server::database()),
    ] {
        let extrato = ["extrato", &store, "loja", "--customer", "ana", "--json"];
        printed(&["run", "examples/custody-day.jsonl", "--store", &store]);
        assert!(refused(&["outbox", &store]).contains("`project` makes them"));
        let replayed = printed(&extrato);
        let projected = printed(&["project", &store]);
        assert!(projected.starts_with("live: "), "{projected}");
        assert!(printed(&["project", &store]).starts_with("live: 0 records projected, 0 rows"));
        assert_eq!(printed(&extrato), replayed);
        let audit = printed(&["audit", &store]);
        assert!(audit.contains("Tables of live: ") && audit.contains("equal to the journal"));
        // The tables' page is the one that was given: what is changed there shows in it.
        forge(&store, "UPDATE statement_rows SET value_cents = 1 WHERE number = 1");
        assert_ne!(printed(&[&extrato[..], &["--limit", "200"]].concat()), replayed);
        let audit = refused(&["audit", &store]);
        assert!(audit.contains("table statement_rows, subaccount"), "{audit}");
        assert!(audit.contains("column value_cents says 1, the journal says"), "{audit}");
        printed(&["project", &store, "--rebuild"]);
        assert_eq!(printed(&extrato), replayed);
        printed(&["audit", &store]);
        forge(&store, &format!("UPDATE projection_checkpoint SET link = '{}'", "0".repeat(64)));
        let error = refused(&["project", &store]);
        assert!(error.contains("foreign") && error.contains("--rebuild"), "{error}");
    }
    assert!(refused(&["project", "memory:"]).contains("memory: keeps no tables"));
    let objects = refused(&["project", "file:///tmp/no-such-books"]);
    assert!(objects.contains("file:///tmp/no-such-books keeps no tables"), "{objects}");
    assert!(objects.contains("by --into"), "{objects}");
}

#[test]
fn tables_may_be_elsewhere_and_a_ledger_that_went_on_is_replayed_instead() {
    let folder = Folder::new("elsewhere");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (store, reports) = (path("ledger.db"), path("reports.db"));
    printed(&["run", "examples/custody-day.jsonl", "--store", &store]);
    printed(&["project", &store, "--into", &reports]);
    let extrato = ["extrato", &store, "loja", "--customer", "ana", "--json", "--tables", &reports];
    let before = printed(&extrato);
    assert!(printed(&["audit", &store, "--tables", &reports]).contains("Tables of live: "));
    assert!(!printed(&["audit", &store]).contains("Tables of live: "));
    let transfer = r#"{"at":"2026-12-30T12:00:00Z","fact":"time.passed"}
{"at":"2026-12-30T12:00:00Z","key":"svc_live_loja","request":"POST /saldo/transferir","body":{"from_customer_ref":"ana","to_customer_ref":"carla","amount_cents":1}}
"#;
    let more = folder.file("", "more.jsonl", transfer);
    printed(&["run", more.to_str().unwrap(), "--store", &store]);
    let after = printed(&extrato);
    assert_ne!(after, before, "tables that are behind are passed over");
    assert!(printed(&["audit", &store, "--tables", &reports]).contains("equal to the journal at"));
    printed(&["project", &store, "--into", &reports]);
    assert_eq!(printed(&extrato), after);
}

/// Changes tables behind the program's back.
fn forge(store: &str, sql: &str) {
    if store.starts_with("postgres") {
        server::execute(store, sql).unwrap();
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let mut file = SqliteConnection::connect(&format!("sqlite://{store}")).await.unwrap();
        file.execute(AssertSqlSafe(sql)).await.unwrap();
        file.close().await.unwrap();
    });
}

/// INV-44: killed with SIGKILL while it follows a run, and that run killed as well.
#[test]
fn an_outbox_whose_projector_is_killed_again_and_again_loses_and_invents_nothing() {
    let folder = Folder::new("outbox");
    let (text, _) = day();
    let file = folder.file("", "day.jsonl", &text);
    let events = folder.path().join("events.jsonl");
    let mut whole = run(&file, &folder.path().join("whole.db"));
    whole.arg("--events").arg(&events);
    finished(whole);

    let (store, tables) = (folder.path().join("ledger.db"), folder.path().join("tables.db"));
    let (store_name, tables_name) = (store.to_str().unwrap(), tables.to_str().unwrap());
    let mut dice = Dice(44);
    let mut kills = 0;
    // The ledger itself grows under the projector, and is killed as well.
    for _ in 0..10 {
        let (_, _) = crate::killed::killed(&file, &store, &mut dice);
        for _ in 0..3 {
            let mut follow = Command::new(PROGRAM);
            follow.args(["project", store_name, "--into", tables_name, "--follow"]);
            let follow = follow.stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = follow.spawn().unwrap();
            std::thread::sleep(Duration::from_millis(dice.below(60) as u64));
            child.kill().unwrap();
            kills += usize::from(child.wait().unwrap().code().is_none());
        }
    }
    finished(run(&file, &store));
    assert!(kills > 10, "{kills} projectors were killed while they ran");
    printed(&["project", store_name, "--into", tables_name]);
    let audit = printed(&["audit", store_name, "--tables", tables_name]);
    assert!(audit.contains("Tables of live: ") && audit.contains("Tables of sandbox: "));
    for environment in Environment::ALL {
        let expected = effects(&events, environment);
        assert!(expected.len() > 20);
        let name = environment.name();
        let outbox = ["outbox", store_name, "--tables", tables_name, "--environment", name];
        assert_eq!(bag(&drained(&outbox)), bag(&expected), "{name}");
        // A rebuild sends nothing again, whether or not the acknowledged entries were pruned.
        for prune in [false, true] {
            if prune {
                printed(&[&outbox[..], &["--prune", "1000000"]].concat());
            }
            printed(&["project", store_name, "--into", tables_name, "--rebuild"]);
            assert_eq!(printed(&outbox), "");
        }
    }
}

#[test]
fn the_outbox_is_shown_and_acknowledged_line_by_line() {
    let folder = Folder::new("lines");
    let store = folder.path().join("ledger.db").display().to_string();
    printed(&["run", "examples/settlement-day.jsonl", "--store", &store]);
    printed(&["project", &store]);
    let tasks = lines(&printed(&["outbox", &store, "--only", "instructions"]));
    assert!(tasks.iter().all(|task| task["kind"] == "instruction"));
    let first = tasks[0].clone();
    let id = first["id"].as_str().unwrap();
    let ack = ["outbox", &store, "--ack", id];
    assert_eq!(lines(&printed(&ack)), [json!({ "id": id, "acknowledged": "now" })]);
    assert_eq!(lines(&printed(&ack)), [json!({ "id": id, "acknowledged": "before" })]);
    let after = lines(&printed(&["outbox", &store, "--only", "instructions"]));
    assert!(after.iter().all(|task| task["id"] != first["id"]));
    assert!(refused(&["outbox", &store, "--ack", "ev_0"]).contains("has the id ev_0"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..Default::default() })]

    /// INV-44, over whatever is asked and reported: the outbox holds each event and instruction
    /// once.
    #[test]
    fn inv_44_the_outbox_is_every_notification_and_instruction(acts in proptest::collection::vec(act(), 1..60)) {
        let mut life = Life::new();
        let disk = MemoryDisk::new();
        let mode = OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
        let mut journal = MemoryJournal::open(&disk, "live", mode).unwrap();
        journal.open_writer().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("tables.db"));
        let mut projector = Projector::open(&mut journal, "live", &target).unwrap();
        for (number, act) in acts.iter().enumerate() {
            life.live(act);
            if let Some(commit) = life.day.cut(Environment::Live) {
                journal.append(&commit).unwrap();
                // Now and then nobody hears of it inline.
                match number % 5 {
                    3 => projector = Projector::open(&mut journal, "live", &target).unwrap(),
                    _ => projector.follow(&commit).unwrap(),
                }
            }
        }
        prove(&mut journal, "live", &target).unwrap().expect("tables are there");
        let vault = Vault::open(&mut journal).unwrap();
        let mut tables = Tables::open_writing(&target, "live").unwrap().unwrap();
        let (mut notifications, mut tasks) = (BTreeMap::new(), BTreeMap::new());
        pages::rounds(|| {
            let given = tables.pending(None, 1_000, &vault).unwrap();
            let more = !given.is_empty();
            for entry in given {
                tables.acknowledge(&entry.id, ledger_core::time::Instant::default()).unwrap();
                let notification = entry.kind == ledger_store::projection::EntryKind::Notification;
                let kind = if notification { &mut notifications } else { &mut tasks };
                assert_eq!(kind.insert((entry.seq, entry.place), entry.body), None);
            }
            more
        });
        let notifications: Vec<Value> = notifications.into_values().collect();
        prop_assert_eq!(&notifications[..], life.day.events());
        let tasks: Vec<Value> = tasks.into_values().collect();
        prop_assert_eq!(&tasks[..], life.day.instructions());
    }
}
