//! A ledger as whoever watches it sees it: its health, its figures, the depth of its outbox.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant as Moment};

use custody_ledger::value::Instant;
use custody_ledger::{Clock, Ledger, ManualClock, OutboxUnavailable};
use ledger_store::clock::ClockDoubt;

use super::shop::{Shop, amount, ana};
use custody_ledger::prelude::*;
use custody_ledger::request::payout::CreatePayout;

/// A clock that nobody believes while that is said.
#[derive(Clone)]
struct Doubted(Arc<ManualClock>, Arc<AtomicBool>);

impl Clock for Doubted {
    fn now(&self) -> Instant {
        self.0.now()
    }

    fn doubt(&self) -> Option<ClockDoubt> {
        let now = self.0.now();
        let doubt = ClockDoubt { reads: now, expected: now, starts: false };
        self.1.load(Ordering::SeqCst).then_some(doubt)
    }
}

#[test]
fn one_whose_clock_is_doubted_or_that_writes_no_more_is_not_healthy() {
    let clock = Arc::new(ManualClock::at("2026-11-20T12:00:00Z").unwrap());
    let clock = Doubted(clock, Arc::default());
    let ledger = Ledger::builder("memory:").clock(clock.clone()).open().wait().unwrap();
    let believed = |text: &str| text.contains("custody_ledger_clock_believed{} 1\n");
    assert!(ledger.healthy() && believed(&ledger.metrics().wait()));
    clock.1.store(true, Ordering::SeqCst);
    assert!(!ledger.healthy() && !believed(&ledger.metrics().wait()));
    clock.1.store(false, Ordering::SeqCst);
    assert!(ledger.healthy());
    ledger.shutdown().unwrap();
    assert!(!ledger.healthy());
    // A ledger that has ended shows how it stands, and no books.
    let text = ledger.metrics().wait();
    assert!(text.contains(r#"custody_ledger_ledger_status{ledger="live",status="stopped"} 1"#));
    assert!(!text.contains("custody_ledger_owed{"), "{text}");
}

#[test]
fn figures_are_the_services_and_the_same_by_thread_or_task() {
    let shop = Shop::over("memory:");
    shop.collect(&ana(), 10_000, 1);
    let text = shop.ledger.metrics().wait();
    for line in [
        r#"custody_ledger_owed{ledger="live",commodity="BRL"} 99"#,
        r#"custody_ledger_ledger_status{ledger="live",status="writing"} 1"#,
        "# TYPE custody_ledger_records_total counter",
    ] {
        assert!(text.lines().any(|it| it.starts_with(line)), "{line} is not in\n{text}");
    }
    assert!(!text.contains("# EOF"), "it is Prometheus' own format");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let awaited = runtime.block_on(async { shop.ledger.metrics().await });
    let names = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with("# TYPE")).map(str::to_owned).collect()
    };
    assert_eq!(names(&awaited), names(&text));
}

#[test]
fn the_depth_of_an_outbox_is_what_nobody_acknowledged() {
    let shop = Shop::built(Ledger::builder("memory:").outbox());
    let depth = || {
        let depth = shop.ledger.outbox_depth().wait().unwrap();
        (depth.notifications, depth.instructions, depth.unwritten)
    };
    assert_eq!(depth(), (0, 0, 0));
    shop.collect(&ana(), 10_000, 1);
    let (document, key) = (Document::new("52998224725"), PixKey::new("a@example.com"));
    let id = ExternalId::new("p-1").unwrap();
    let payout = CreatePayout::new(amount(1_000), ana(), document.unwrap(), key.unwrap(), id);
    shop.loja.ask(&payout).wait().unwrap();
    let begun = Moment::now();
    while depth().1 < 1 || depth().2 > 0 {
        assert!(begun.elapsed() < Duration::from_secs(30), "it never stood there: {:?}", depth());
        std::thread::sleep(Duration::from_millis(5));
    }
    let (notifications, instructions, _) = depth();
    assert!(notifications > 0 && instructions == 1);
    let mut outbox = shop.ledger.outbox().unwrap();
    let instruction = outbox.instructions(1).unwrap();
    outbox.acknowledge_all(&instruction).unwrap();
    assert_eq!(depth(), (notifications, 0, 0));
    let bare = Ledger::open("memory:").wait().unwrap().outbox_depth().wait();
    assert!(matches!(bare, Err(OutboxUnavailable::None)), "{bare:?}");
}
