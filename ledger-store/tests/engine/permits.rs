//! Places in the queue, and engines that are stopped by their own service.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use ledger_store::engine::{Counters, Engine, EngineError, TryReserveError};
use ledger_store::journal::MemoryDisk;

use super::gate::{Fate, Gate};
use super::setup::{LIVE, call, memory};
use super::{OPEN, charge, is_not_written, poll, reopened, started, undisturbed};

/// An engine with a queue of two slots, behind a gate.
fn narrow() -> (Engine, Gate, MemoryDisk) {
    let (disk, gate) = (MemoryDisk::new(), Gate::default());
    let engine = Engine::builder(LIVE).queue(2).start(gate.journal(memory(&disk))).unwrap();
    assert_eq!(engine.call(call(OPEN)).wait().unwrap().status, 200);
    (engine, gate, disk)
}

fn poll_once<F: Future>(future: F) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn a_full_queue_gives_no_place_and_blocks_no_async_caller() {
    let (engine, gate, disk) = narrow();
    gate.close();
    let mut tickets = vec![engine.call(charge(1))];
    gate.wait_for_an_append();
    // The deciding thread may still take a few off the queue; then it is full.
    let mut number = 1;
    let full = loop {
        match engine.try_reserve() {
            Ok(permit) => {
                number += 1;
                tickets.push(permit.call(charge(number)));
            }
            Err(none) if number > 2 => break none,
            Err(_) => std::thread::yield_now(),
        }
    };
    assert_eq!(full, TryReserveError::Full);
    assert!(poll_once(engine.reserve()).is_pending());
    assert_eq!(engine.counters().queued, 2);

    gate.open();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let answer = runtime.block_on(async {
        let permit = engine.reserve().await.unwrap();
        permit.handle(charge(number + 1)).await.unwrap()
    });
    assert_eq!((answer.response.status, answer.records.len()), (200, 1));
    for ticket in tickets {
        assert_eq!(ticket.wait().unwrap().status, 200);
    }
    let head = engine.stop().unwrap();
    assert_eq!(head, undisturbed(1..=number + 1));
    assert_eq!(reopened(&disk).head(), head);
}

#[test]
fn a_thread_within_a_runtime_is_held_back_by_a_full_queue_and_does_not_panic() {
    let (engine, gate, disk) = narrow();
    gate.close();
    let engine = Arc::new(engine);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    let shared = Arc::clone(&engine);
    let flood = runtime.spawn(async move {
        let tickets: Vec<_> = (1..=20).map(|number| shared.call(charge(number))).collect();
        for ticket in tickets {
            assert_eq!(ticket.await.unwrap().status, 200);
        }
    });
    gate.wait_for_an_append();
    std::thread::sleep(std::time::Duration::from_millis(50));
    gate.open();
    runtime.block_on(flood).unwrap();
    assert_eq!(engine.stop().unwrap(), undisturbed(1..=20));
    drop(engine);
    assert_eq!(reopened(&disk).head().seq, 21);
}

#[test]
fn a_place_given_back_is_there_for_the_next() {
    let (engine, _, _) = narrow();
    for _ in 0..10 {
        let permits = [engine.try_reserve().unwrap(), engine.try_reserve().unwrap()];
        assert_eq!(engine.try_reserve().unwrap_err(), TryReserveError::Full);
        drop(permits);
    }
    engine.view().wait().unwrap();
}

#[test]
fn a_stopped_engine_has_finished_what_was_queued_and_takes_no_more() {
    let (engine, gate, disk) = started();
    gate.close();
    let tickets: Vec<_> = (1..=500).map(|number| engine.call(charge(number))).collect();
    gate.wait_for_an_append();
    std::thread::scope(|scope| {
        let stopping = scope.spawn(|| engine.stop());
        std::thread::sleep(std::time::Duration::from_millis(20));
        gate.open();
        assert_eq!(stopping.join().unwrap(), Ok(undisturbed(1..=500)));
    });
    for ticket in tickets {
        assert_eq!(ticket.wait().unwrap().status, 200);
    }
    assert_eq!(engine.call(charge(501)).wait(), Err(EngineError::Ended));
    assert_eq!(engine.try_reserve().unwrap_err(), TryReserveError::Ended);
    assert!(matches!(poll_once(engine.reserve()), Poll::Ready(Err(EngineError::Ended))));
    // Stopped again, it says the same; and the engine is gone from the disk's point of view.
    assert_eq!(engine.stop(), Ok(undisturbed(1..=500)));
    assert_eq!(reopened(&disk).head(), undisturbed(1..=500));
}

#[test]
fn a_place_that_nobody_uses_does_not_hold_up_the_stop() {
    let (engine, _, disk) = started();
    engine.call(charge(1)).wait().unwrap();
    let unused = engine.try_reserve().unwrap();
    assert_eq!(engine.stop(), Ok(undisturbed([1])));
    // Used too late, it takes the job and tells it so.
    assert_eq!(unused.call(charge(2)).wait(), Err(EngineError::Ended));
    assert_eq!(reopened(&disk).head(), undisturbed([1]));
}

#[test]
fn the_stop_of_an_engine_that_was_overtaken_says_so() {
    let (engine, _, disk) = started();
    let newer = super::started_on(&disk, &Gate::default());
    assert_eq!(engine.call(charge(1)).wait(), Err(EngineError::Fenced));
    assert_eq!(engine.stop(), Err(EngineError::Fenced));
    assert_eq!(newer.stop(), Ok(undisturbed([])));
}

#[test]
fn whoever_races_a_stop_is_answered_or_learns_that_nothing_was_decided() {
    for round in 0..20 {
        let (engine, _, disk) = started();
        let answered: u64 = std::thread::scope(|scope| {
            let caller = |from: u64| {
                let engine = &engine;
                scope.spawn(move || {
                    let ask = |number| match engine.call(charge(number)).wait() {
                        Ok(answer) => {
                            assert_eq!(answer.status, 200);
                            1
                        }
                        Err(error) => {
                            assert_eq!(error, EngineError::Ended);
                            0
                        }
                    };
                    (from..from + 50).map(ask).sum::<u64>()
                })
            };
            let callers: Vec<_> = [1, 101, 201].into_iter().map(caller).collect();
            std::thread::sleep(std::time::Duration::from_micros(300 * round));
            engine.stop().unwrap();
            callers.into_iter().map(|caller| caller.join().unwrap()).sum()
        });
        assert_eq!(reopened(&disk).head().seq, answered + 1);
    }
}

#[test]
fn counters_tell_what_was_done() {
    let (engine, gate, _) = started();
    let opened = engine.counters();
    assert_eq!((opened.commands, opened.records, opened.commits), (1, 1, 1));
    for number in [1, 2, 2] {
        engine.call(charge(number)).wait().unwrap();
    }
    let refused = call(
        r#"{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"POST /saldo/transferir","body":{"from_customer_ref":"ana","to_customer_ref":"casa","amount_cents":10}}"#,
    );
    assert!(engine.call(refused).wait().unwrap().status >= 400);
    gate.next([Fate::Failed]);
    assert!(is_not_written(&engine.call(charge(3)).wait()));
    let Counters { commands, refusals, records, commits, bytes, failures, queued, .. } =
        engine.counters();
    assert_eq!((commands, refusals), (6, 1));
    assert_eq!((records, commits, failures, queued), (3, 3, 1, 0));
    assert!(bytes > opened.bytes && bytes < 10_000, "{bytes} bytes");
    engine.stop().unwrap();
    let spent = engine.counters();
    assert!(spent.deciding_micros > 0 && spent.writing_micros > 0, "{spent:?}");
}

#[test]
fn counters_see_what_goes_through_a_closure() {
    let (engine, _, _) = started();
    let before = engine.counters();
    let refused = r#"{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"POST /saldo/transferir","body":{"from_customer_ref":"ana","to_customer_ref":"casa","amount_cents":10}}"#;
    let asked = engine.decide(move |sequencer| {
        sequencer.execute(super::setup::tick(sequencer)).unwrap();
        sequencer.execute_all(vec![super::setup::tick(sequencer)]);
        sequencer.call(&charge(1)).status + sequencer.call(&call(refused)).status
    });
    assert!(asked.wait().unwrap() > 400);
    engine.view().wait().unwrap();
    let after = engine.counters();
    let counted = |of: fn(&Counters) -> u64| of(&after) - of(&before);
    assert_eq!(counted(|counters| counters.jobs), 2);
    assert_eq!((counted(|it| it.commands), counted(|it| it.refusals)), (4, 1));
}

#[test]
fn a_commit_takes_no_further_job_once_it_is_large_enough() {
    let (disk, gate) = (MemoryDisk::new(), Gate::default());
    let engine = Engine::builder(LIVE).largest_commit(10);
    let engine = engine.start(gate.journal(memory(&disk))).unwrap();
    engine.call(call(OPEN)).wait().unwrap();
    gate.close();
    let first = engine.call(charge(1));
    gate.wait_for_an_append();
    let rest: Vec<_> = (2..=100).map(|number| engine.call(charge(number))).collect();
    let mut last = engine.call(charge(101));
    assert!(poll(&mut last).is_pending());
    gate.open();
    for ticket in [first, last].into_iter().chain(rest) {
        ticket.wait().unwrap();
    }
    assert!(gate.records().iter().all(|records| *records <= 10), "{:?}", gate.records());
}

#[test]
fn a_job_that_stops_or_drops_its_own_engine_hangs_nobody() {
    let (engine, _, disk) = started();
    let engine = Arc::new(engine);
    let own = Arc::clone(&engine);
    let within = engine.decide(move |_| own.stop()).wait().unwrap();
    assert!(matches!(within, Err(EngineError::Stopped(_))), "{within:?}");
    assert_eq!(engine.stop(), Ok(undisturbed([])));

    let engine = Arc::new(super::started_on(&disk, &Gate::default()));
    let (own, last) = (Arc::clone(&engine), Arc::downgrade(&engine));
    let ticket = engine.decide(move |_| {
        while Arc::strong_count(&own) > 1 {
            std::thread::yield_now();
        }
        drop(own);
    });
    drop(engine);
    ticket.wait().unwrap();
    assert_eq!(last.strong_count(), 0);
}

#[test]
fn the_head_is_that_of_the_last_commit() {
    let (engine, gate, _) = started();
    assert_eq!(engine.head().unwrap(), undisturbed([]));
    gate.close();
    let ticket = engine.call(charge(1));
    gate.wait_for_an_append();
    assert_eq!(engine.head().unwrap(), undisturbed([]));
    gate.open();
    ticket.wait().unwrap();
    assert_eq!(engine.head().unwrap(), undisturbed([1]));
}
