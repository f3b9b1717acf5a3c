//! One ledger stands by for another, and what a ledger that ends says.

use std::sync::Arc;
use std::time::{Duration, Instant};

use custody_ledger::value::{ApiKey, Party};
use custody_ledger::{EngineError, EngineStatus, Ledger, OpenError, StartError};

use super::shop::{Shop, ana};

/// Longer than any test takes.
const LONG: Duration = Duration::from_mins(2);

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(30);

fn wait_until(what: &str, mut there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !there() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn store() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("ledger.db").display());
    (folder, store)
}

#[test]
fn a_standby_opens_the_ledger_when_the_other_shuts_down_and_knows_all_of_it() {
    let (_folder, store) = store();
    let shop = Shop::built(Ledger::builder(&store).lease(LONG).outbox());
    shop.collect(&ana(), 10_000, 1);
    let next = Ledger::builder(&store).lease(LONG).outbox().clock(Arc::clone(&shop.clock));
    let standby = next.standby().wait().unwrap();
    let position = standby.position();
    let promoted = std::thread::spawn(move || standby.promotion().wait().unwrap());
    let payout = shop.payout(&ana(), 1_000, "p-1").unwrap();
    let head = shop.ledger.head().unwrap();
    wait_until("it follows", || position.seq() == head.seq);
    assert!(!promoted.is_finished());
    assert_eq!(shop.ledger.shutdown().unwrap(), head);

    let ledger = promoted.join().unwrap();
    assert_eq!(ledger.head().unwrap(), head);
    let pending = ledger.outbox().unwrap().pending(100).unwrap();
    assert_eq!(pending.iter().filter(|entry| entry.topic == "pix.send").count(), 1);
    let again = Shop {
        loja: ledger.client(ApiKey::new("svc_live_loja").unwrap()),
        ledger,
        clock: shop.clock,
    };
    let repeated = again.payout(&ana(), 1_000, "p-1").unwrap();
    assert!(repeated.is_repeated());
    assert_eq!(repeated.answer.id, payout.answer.id);
    again.payout(&ana(), 1_000, "p-2").unwrap();
}

#[test]
fn a_ledger_that_another_holds_is_opened_by_nobody_else() {
    let (_folder, store) = store();
    let shop = Shop::built(Ledger::builder(&store).lease(Duration::from_secs(2)).outbox());
    for builder in [Ledger::builder(&store), Ledger::builder(&store).lease(LONG).outbox()] {
        let refused = builder.open().wait().unwrap_err();
        let said = refused.to_string();
        assert!(matches!(refused, OpenError::Start(StartError::InUse { .. })), "{said}");
        let named = format!("held by process {} on host ", std::process::id());
        assert!(said.contains(&named), "{said}");
    }
    // Whoever holds it was not disturbed, nor were its tables.
    shop.collect(&ana(), 10_000, 1);
    assert_eq!(shop.ledger.status(), EngineStatus::Writing);
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

#[test]
fn whoever_wrote_reads_what_was_written() {
    let shop = Shop::over("memory:");
    let first = shop.collected(&ana(), 10_000, 1);
    let reader = shop.loja.reader(&ana()).wait().unwrap().unwrap();
    let house = shop.loja.reader(&Party::House).wait().unwrap().unwrap();
    assert_eq!(
        reader.read_at(first.seq.unwrap()).wait().unwrap().available.cents(),
        shop.available(&ana()),
    );
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for number in 2..=20 {
        let reported = shop.collected(&ana(), 10_000, number);
        let seq = reported.seq.unwrap();
        let read = runtime.block_on(async { reader.read_at(seq).await }).unwrap();
        assert!(read.seq >= seq);
        assert_eq!(read.available.cents(), shop.available(&ana()));
        assert!(house.read_at(seq).wait().unwrap().seq >= seq);
    }
}
