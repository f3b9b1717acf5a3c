//! Many callers at once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ledger_core::ledger::{Cause, Command, Fact, Intent, Origin, Outcome, Reported};
use ledger_store::engine::{EngineError, Ticket};

use super::gate::Fate;
use super::{charge, count_of, reopened, started};

/// More jobs than the queue and the batches ahead of it hold.
const FLOOD: usize = 60_000;

/// How long the flood must stand still before it counts as held back.
const STILL: Duration = Duration::from_millis(300);

/// A command that always makes exactly one record.
fn tick() -> Command {
    let at = ledger_core::time::Instant::parse("2026-11-20T12:00:02Z").unwrap();
    let what = Intent::Fact(Reported { id: None, fact: Fact::TimePassed });
    Command { at, cause: Cause::new(Origin::Call), what }
}

#[test]
fn repeats_from_many_threads_make_one_operation_each() {
    let (engine, _, disk) = started();
    let answers: Vec<Vec<(u64, String)>> = std::thread::scope(|scope| {
        let caller = |first: u64| {
            let engine = &engine;
            // Every thread asks for the same charges, in an order of its own.
            let numbers = (0..50_u64).map(move |step| (first * 7 + step * 3) % 50);
            let ask = move |number| {
                let answer = engine.call(charge(number)).wait().unwrap();
                assert_eq!(answer.status, 200);
                (number, answer.body["cashin_id"].as_str().unwrap().to_owned())
            };
            scope.spawn(move || numbers.map(ask).collect())
        };
        let threads: Vec<_> = (0..16).map(caller).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut ids: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for (number, id) in answers.into_iter().flatten() {
        ids.entry(number).or_default().push(id);
    }
    assert_eq!(ids.len(), 50);
    for (number, mut of_one) in ids {
        assert_eq!(of_one.len(), 16);
        of_one.dedup();
        assert_eq!(of_one.len(), 1, "charge {number}");
        assert_eq!(count_of(&engine, number), 1);
    }
    drop(engine);
    assert_eq!(reopened(&disk).head().seq, 51);
}

#[test]
fn repeats_from_many_threads_over_a_failing_journal_make_one_operation_each() {
    let (engine, gate, disk) = started();
    let fates = [Fate::Failed, Fate::UnknownLanded, Fate::UnknownLost, Fate::UnknownLanded];
    gate.next(fates.into_iter().cycle().take(200));
    std::thread::scope(|scope| {
        for first in 0..8 {
            let engine = &engine;
            scope.spawn(move || {
                for number in (0..50_u64).map(|step| (first * 5 + step * 3) % 50) {
                    loop {
                        match engine.call(charge(number)).wait() {
                            Ok(answer) => break assert_eq!(answer.status, 200),
                            Err(EngineError::NotWritten(_)) => {}
                            Err(error) => panic!("{error}"),
                        }
                    }
                }
            });
        }
    });
    for number in 0..50 {
        assert_eq!(count_of(&engine, number), 1);
    }
    drop(engine);
    assert_eq!(reopened(&disk).head().seq, 51);
}

#[test]
fn callers_in_a_crowd_share_commits() {
    let (engine, gate, disk) = started();
    gate.close();
    let first = engine.call(charge(0));
    gate.wait_for_an_append();
    let rest: Vec<_> = (1..200).map(|number| engine.call(charge(number))).collect();
    gate.open();
    first.wait().unwrap();
    for ticket in rest {
        ticket.wait().unwrap();
    }
    // The account, the first charge, and what gathered meanwhile in a few.
    assert!(gate.begun() < 20, "{} appends", gate.begun());
    drop(engine);
    assert_eq!(reopened(&disk).head().seq, 201);
}

#[test]
fn a_batch_is_answered_in_order_and_as_a_whole() {
    let (engine, gate, _) = started();
    let outcomes = engine.execute_all(vec![tick(); 100]).wait().unwrap();
    assert_eq!(outcomes, vec![Ok(Outcome::Applied(None)); 100]);
    gate.next([Fate::Failed]);
    let failed = engine.execute_all(vec![tick(); 100]).wait();
    assert!(matches!(failed, Err(EngineError::NotWritten(_))));
    assert_eq!(engine.view().wait().unwrap().seq.0, 101);
}

#[test]
fn a_full_queue_holds_callers_back_and_lets_every_one_through_in_the_end() {
    let (engine, gate, disk) = started();
    gate.close();
    let sent = Arc::new(AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let flood = scope.spawn(|| {
            let ask = |_| {
                let ticket = engine.execute(tick());
                sent.fetch_add(1, Ordering::Relaxed);
                ticket
            };
            (0..FLOOD).map(ask).collect::<Vec<Ticket<_>>>()
        });
        let taken = stands_still(&sent);
        gate.open();
        assert!(taken < FLOOD, "all {FLOOD} were taken while nothing could be written");
        for ticket in flood.join().unwrap() {
            assert_eq!(ticket.wait().unwrap(), Ok(Outcome::Applied(None)));
        }
    });
    drop(engine);
    assert_eq!(reopened(&disk).head().seq, FLOOD as u64 + 1);
    // Each was cut when it held enough.
    assert!(gate.records().iter().all(|records| *records <= 8_000), "{:?}", gate.records());
}

/// Waits until the count stops growing; gives it.
fn stands_still(count: &AtomicUsize) -> usize {
    let mut last = (0, Instant::now());
    loop {
        let now = count.load(Ordering::Relaxed);
        if now != last.0 || now == 0 {
            last = (now, Instant::now());
        } else if last.1.elapsed() > STILL {
            return now;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn what_comes_during_one_write_is_one_commit() {
    let (engine, gate, disk) = started();
    gate.close();
    // Jobs that are queued together are written by the thread that writes, and not by the other.
    drop(engine.decide(|_| std::thread::sleep(Duration::from_millis(50))));
    let mut tickets = vec![engine.call(charge(0)), engine.call(charge(41))];
    gate.wait_for_an_append();
    // One after the other, each decided before the next comes.
    for number in 1..=40 {
        tickets.push(engine.call(charge(number)));
        let clock = Instant::now();
        while engine.counters().queued > 0 {
            assert!(clock.elapsed() < Duration::from_secs(30), "nobody decides");
            std::thread::yield_now();
        }
    }
    gate.open();
    for ticket in tickets {
        ticket.wait().unwrap();
    }
    // The account, the two charges, and all the others: but for the last of them, which may be
    // decided and not yet put beside the rest when the writer comes back.
    let records = gate.records();
    assert!(matches!(records[..], [1, 2, 40] | [1, 2, 39, 1]), "{records:?}");
    drop(engine);
    assert_eq!(reopened(&disk).head(), super::undisturbed([0, 41].into_iter().chain(1..=40)));
}

#[test]
fn what_follows_a_followed_job_is_decided_while_that_is_written() {
    let (engine, gate, disk) = started();
    gate.close();
    let (sender, decided) = std::sync::mpsc::channel();
    let tickets = [0, 1, 2].map(|number| {
        let sender = sender.clone();
        let ticket = engine.decide_followed(move |sequencer| {
            let answer = sequencer.call(&charge(number));
            sender.send(answer.status).unwrap();
            answer
        });
        // Each knows what was decided before it asks for more, and nothing is written yet.
        assert_eq!(decided.recv_timeout(Duration::from_secs(30)), Ok(200), "charge {number}");
        // The first is being written before the second is asked for.
        gate.wait_for_an_append();
        ticket
    });
    // The account, and the first charge: all three are decided, and no more is begun.
    assert_eq!(gate.records(), [1, 1]);
    gate.open();
    for ticket in tickets {
        assert_eq!(ticket.wait().unwrap().status, 200);
    }
    drop(engine);
    assert_eq!(reopened(&disk).head(), super::undisturbed(0..3));
}

#[test]
fn nothing_that_followed_a_job_holds_where_that_was_not_written() {
    let (engine, gate, disk) = started();
    gate.close();
    gate.next([Fate::Failed]);
    let first = engine.decide_followed(|sequencer| sequencer.call(&charge(0)));
    gate.wait_for_an_append();
    let second = engine.decide_followed(|sequencer| sequencer.call(&charge(1)));
    gate.open();
    assert!(matches!(first.wait(), Err(EngineError::NotWritten(_))));
    // What was decided on what was lost is lost with it, or was decided anew without it.
    let second = second.wait();
    assert!(second.is_ok() || matches!(second, Err(EngineError::NotWritten(_))), "{second:?}");
    drop(engine);
    let only = if second.is_ok() { vec![1] } else { Vec::new() };
    assert_eq!(reopened(&disk).head(), super::undisturbed(only));
}
