//! Subscriptions: every committed record once, in order, from a number on, whatever happens
//! meanwhile.

use std::time::{Duration, Instant};

use ledger_core::ledger::Record;
use ledger_store::engine::{Engine, EngineError, SubscriptionError};
use ledger_store::journal::{Journal, MemoryDisk};

use super::flipped::Flipped;
use super::gate::{Fate, Gate};
use super::setup::medium::{Medium, Memory, Postgres, Sqlite};
use super::setup::{LIVE, call, memory};
use super::{OPEN, charge, is_not_written, reopened, started, started_on};

/// The records a disk holds, by replaying it.
fn replayed(disk: &MemoryDisk) -> Vec<Record> {
    let mut records = Vec::new();
    ledger_store::sequencer::Sequencer::open(&mut memory(disk), LIVE, |_, record| {
        records.push(record.clone());
    })
    .unwrap();
    records
}

fn numbers(records: impl IntoIterator<Item = Result<Record, SubscriptionError>>) -> Vec<u64> {
    records.into_iter().map(|record| record.unwrap().seq.0).collect()
}

/// Subscribes from several numbers before, while and after a hundred charges are made.
fn every_record_once_and_in_order<M: Medium>() {
    let medium = M::default();
    let engine = Engine::builder(LIVE).largest_commit(7).start(medium.writer()).unwrap();
    engine.call(call(OPEN)).wait().unwrap();
    let early = [0, 1, 2, 60, 101].map(|from| (from, engine.subscribe(from)));
    let tickets: Vec<_> = (1..=50).map(|number| engine.call(charge(number))).collect();
    let midst = [1, 20, 51, 90].map(|from| (from, engine.subscribe(from)));
    let tickets = tickets.into_iter().chain((51..=100).map(|number| engine.call(charge(number))));
    for ticket in tickets.collect::<Vec<_>>() {
        ticket.wait().unwrap();
    }
    let late = [1, 30, 100, 101, 102].map(|from| (from, engine.subscribe(from)));
    assert_eq!(engine.stop().unwrap().seq, 101);
    let after = [1, 101, 500].map(|from| (from, engine.subscribe(from)));
    for (from, records) in early.into_iter().chain(midst).chain(late).chain(after) {
        assert_eq!(numbers(records), (from.max(1)..=101).collect::<Vec<_>>(), "from {from}");
    }
}

#[test]
fn every_record_comes_once_and_in_order_from_memory() {
    every_record_once_and_in_order::<Memory>();
}

#[test]
fn every_record_comes_once_and_in_order_from_sqlite() {
    every_record_once_and_in_order::<Sqlite>();
}

#[test]
fn every_record_comes_once_and_in_order_from_postgresql() {
    every_record_once_and_in_order::<Postgres>();
}

#[test]
fn what_is_given_is_what_the_journal_holds() {
    let (engine, _, disk) = started();
    let live = engine.subscribe(1);
    for number in 1..=10 {
        engine.call(charge(number)).wait().unwrap();
    }
    engine.stop().unwrap();
    let live: Vec<Record> = live.into_iter().map(Result::unwrap).collect();
    assert_eq!(live, replayed(&disk));
}

#[test]
fn nothing_is_given_before_it_is_durable_and_everything_soon_after() {
    let (engine, gate, _) = started();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let mut records = engine.subscribe(2);
    gate.close();
    let ticket = engine.call(charge(1));
    gate.wait_for_an_append();
    let short = Duration::from_millis(50);
    let early = runtime.block_on(async { tokio::time::timeout(short, records.next()).await });
    assert!(early.is_err(), "given before it was written");
    gate.open();
    ticket.wait().unwrap();
    assert_eq!(runtime.block_on(records.next()).unwrap().unwrap().seq.0, 2);
    engine.stop().unwrap();
    assert!(runtime.block_on(records.next()).is_none());
    assert!(runtime.block_on(records.next()).is_none());
}

#[test]
fn what_was_not_written_is_not_given() {
    let (engine, gate, disk) = started();
    let records = engine.subscribe(1);
    for number in 1..=30 {
        gate.next([Fate::Failed, Fate::UnknownLost, Fate::UnknownLanded]);
        assert!(is_not_written(&engine.call(charge(number)).wait()));
        assert!(is_not_written(&engine.call(charge(number)).wait()));
        engine.call(charge(number)).wait().unwrap();
    }
    engine.stop().unwrap();
    let given: Vec<Record> = records.into_iter().map(Result::unwrap).collect();
    assert_eq!(given, replayed(&disk));
}

#[test]
fn a_subscriber_that_reads_nothing_holds_up_nobody_and_misses_nothing() {
    let (engine, _, _) = started();
    let slow = engine.subscribe(1);
    // Far more commits than are kept at hand.
    for number in 1..=200 {
        engine.call(charge(number)).wait().unwrap();
    }
    engine.stop().unwrap();
    assert_eq!(numbers(slow), (1..=201).collect::<Vec<_>>());
}

#[test]
fn a_dropped_subscription_ends_its_thread_at_once() {
    let (engine, _, _) = started();
    for number in 1..=50 {
        engine.call(charge(number)).wait().unwrap();
    }
    let clock = Instant::now();
    // One that waits for what never comes, one that waits for its reader.
    drop(engine.subscribe(1_000));
    let held = engine.subscribe(1);
    std::thread::sleep(Duration::from_millis(20));
    drop(held);
    assert!(clock.elapsed() < Duration::from_secs(5));
    engine.stop().unwrap();
}

#[test]
fn a_subscription_of_an_engine_that_was_overtaken_ends_with_the_error() {
    let (engine, _, disk) = started();
    engine.call(charge(1)).wait().unwrap();
    let records = engine.subscribe(1);
    let newer = started_on(&disk, &Gate::default());
    newer.call(charge(2)).wait().unwrap();
    assert_eq!(engine.call(charge(3)).wait(), Err(EngineError::Fenced));
    assert!(engine.stop().is_err());
    let mut given: Vec<_> = records.into_iter().collect();
    let last = given.pop().unwrap();
    assert!(matches!(last, Err(SubscriptionError::Engine(EngineError::Fenced))), "{last:?}");
    let given = numbers(given);
    assert!(given.starts_with(&[1, 2]) && given.len() <= 3, "{given:?}");
    drop(newer);
    assert_eq!(reopened(&disk).head().seq, 3);
}

#[test]
fn a_subscription_names_the_record_that_is_damaged() {
    let disk = MemoryDisk::new();
    let engine = started_on(&disk, &Gate::default());
    engine.call(call(OPEN)).wait().unwrap();
    for number in 1..=3 {
        engine.call(charge(number)).wait().unwrap();
    }
    // A journal that shows another byte to whoever opens it for reading.
    let broken = Flipped::over(memory(&disk), 3);
    let other = Engine::builder(LIVE).take_over().start(Box::new(broken)).unwrap();
    let mut given: Vec<_> = other.subscribe(2).into_iter().take(2).collect();
    let last = given.pop().unwrap();
    assert!(
        matches!(&last, Err(SubscriptionError::Broken(broken)) if broken.seq() == Some(3)),
        "{last:?}"
    );
    assert_eq!(numbers(given), [2]);
}

#[test]
fn a_journal_that_cannot_be_opened_once_more_says_so() {
    let disk = MemoryDisk::new();
    let alone = Flipped::alone(memory(&disk));
    let engine = Engine::builder(LIVE).start(Box::new(alone)).unwrap();
    let mut records = engine.subscribe(1).into_iter();
    assert!(matches!(records.next(), Some(Err(SubscriptionError::Open(_)))));
    assert!(records.next().is_none());
    assert_eq!(memory(&disk).head().unwrap().seq, 0);
}
