//! Promises of the simulator over real journals: the same seed is the same history whatever keeps
//! it.

#[path = "../../ledger-store/tests/setup/faulty.rs"]
mod faulty;
#[path = "../../ledger-store/tests/setup/server.rs"]
mod server;

use std::sync::Arc;
use std::time::Duration;

use ledger_sim::{Faults, Goal, Report, Settings, Store, simulate, simulate_on};
use ledger_store::journal::{Merging, ObjectStorage};

fn over(settings: Settings, store: &Store) -> Report {
    simulate_on(&settings, store, &mut |_| ()).unwrap_or_else(|failure| panic!("{failure}"))
}

/// Objects in a store that fails, and is asked again for as long as it takes; merged all the time.
fn objects(seed: u64) -> Store {
    let store = Arc::new(faulty::FaultyStore::new(seed));
    let storage =
        ObjectStorage::from_store(store, "books", "a faulty store").expect("the prefix is one");
    let merging = Merging { entries: 5, keep: 2, inline: true, ..Merging::default() };
    let (long, pause) = (Duration::from_mins(1), Duration::from_micros(10));
    Store::Objects(storage.patience(long, long, pause).merging(merging))
}

fn postgres() -> Store {
    Store::parse(&server::database()).expect("the URL of a database")
}

/// All of a report but the time it took.
fn without_time(report: &Report) -> String {
    let mut report = report.clone();
    report.elapsed = std::time::Duration::ZERO;
    report.to_string()
}

#[test]
fn the_same_seed_gives_the_same_head_and_report_on_every_store() {
    let (mut crashes, mut fenced) = (0, 0);
    for seed in [2, 5, 11] {
        let settings = Settings::commands(seed, 1_500);
        let memory = over(settings, &Store::Memory);
        for store in [Store::Sqlite, postgres(), objects(seed)] {
            let report = over(settings, &store);
            assert_eq!(report.history(), memory.history(), "{store}");
            assert_eq!(without_time(&report), without_time(&memory), "{store}");
            crashes += report.crashes;
            fenced += report.times_reached(Goal::Fenced);
        }
    }
    assert!(crashes > 0 && fenced > 0, "a store that never lost its writer proves little");
}

#[test]
fn a_database_that_holds_a_simulated_ledger_is_not_written_to_again() {
    let store = postgres();
    let settings = Settings::commands(1, 20).with_faults(Faults::None);
    over(settings, &store);
    let failure = simulate_on(&settings, &store, &mut |_| ()).expect_err("it is not empty");
    assert!(failure.what.contains("give it an empty one"), "{failure}");
}

#[test]
fn an_sqlite_file_is_gone_when_its_run_is() {
    let mine = format!("ledger-sim-{}-", std::process::id());
    // Another test of this process may have a file of its own at this moment.
    let before = files(&mine);
    let report = over(Settings::commands(3, 60), &Store::Sqlite);
    assert_eq!(report.runs, 1);
    let left: Vec<_> = files(&mine).into_iter().filter(|name| before.contains(name)).collect();
    assert!(left.len() <= before.len(), "{left:?}");
}

#[test]
fn an_sqlite_file_that_was_named_stays_and_is_not_written_to_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("simulated.db");
    let store = Store::SqliteFile(path.clone());
    let report = over(Settings::commands(3, 60), &store);
    let (mode, name) = (ledger_store::OpenMode::ReadOnly, "simulated");
    let mut journal = ledger_store::SqliteJournal::open(&path, name, mode).expect("it stays");
    let head = ledger_store::Journal::head(&mut journal).expect("a head");
    assert!(head.seq > 0 && head.seq <= report.records, "{head:?}");
    let failure = simulate_on(&Settings::commands(3, 60), &store, &mut |_| ());
    let failure = failure.expect_err("it is not empty");
    assert!(failure.what.contains("give it an empty one"), "{failure}");
}

fn files(beginning: &str) -> Vec<String> {
    let folder = std::fs::read_dir(std::env::temp_dir()).expect("a temporary folder");
    let names = folder.flatten().map(|file| file.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(beginning)).collect()
}

#[test]
fn stores_have_the_names_that_the_program_takes() {
    for name in ["memory", "sqlite", "sqlite:books/simulated.db"] {
        assert_eq!(Store::parse(name).expect("a store").to_string(), name);
    }
    assert!(Store::parse("mysql://x").is_none());
    assert!(Store::parse("sqlite:").is_none());
    assert!(Store::parse("postgres://nobody:secret@host/db").is_some_and(|store| {
        let text = store.to_string();
        text.contains("nobody") && !text.contains("secret")
    }));
}

#[test]
fn a_report_names_what_the_medium_did() {
    let report =
        simulate(&Settings::commands(6, 25_000)).unwrap_or_else(|failure| panic!("{failure}"));
    let text = report.to_string();
    for fault in [
        "acknowledgements lost",
        "appends that failed on a full disk",
        "commits torn, whose outcome was unknown",
        "writers overtaken by a second one",
    ] {
        assert!(text.contains(fault), "{fault}: {text}");
    }
}
