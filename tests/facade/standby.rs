//! One ledger stands by for another, and what a ledger that ends says.

use std::time::Duration;

use custody_ledger::{EngineError, EngineStatus, Ledger};

use super::shop::Shop;

/// Longer than any test takes.
const LONG: Duration = Duration::from_mins(2);

fn store() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("ledger.db").display());
    (folder, store)
}

#[test]
fn a_standby_that_is_stopped_or_dropped_leaves_the_ledger_alone() {
    let (_folder, store) = store();
    let shop = Shop::built(Ledger::builder(&store).lease(LONG));
    Ledger::builder(&store).lease(LONG).standby().wait().unwrap().stop();
    drop(Ledger::builder(&store).lease(LONG).standby().wait().unwrap().promotion());
    shop.ledger.shutdown().unwrap();
    std::thread::sleep(Duration::from_millis(100));
    let next = Ledger::builder(&store).lease(LONG).open().wait().unwrap();
    assert_eq!(next.status(), EngineStatus::Writing);
}

#[test]
fn whoever_awaits_the_end_of_a_ledger_hears_why_and_keeps_it_from_nothing() {
    let (_folder, store) = store();
    let older = Ledger::open(&store).wait().unwrap();
    let ended = older.termination();
    let newer = Ledger::builder(&store).take_over().open().wait().unwrap();
    let watching = std::thread::spawn(move || ended.wait());
    // Without a lease it learns of it when it is asked; its own clock asks every second.
    assert_eq!(watching.join().unwrap(), Err(EngineError::Fenced));
    assert!(matches!(older.status(), EngineStatus::Fenced { .. }));

    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let ended = newer.termination();
    let watching = runtime.spawn(async move { ended.await });
    drop(newer);
    assert_eq!(runtime.block_on(watching).unwrap().unwrap().seq, 0);
}
