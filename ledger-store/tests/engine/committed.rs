//! What is read of the committed state, beside whoever writes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ledger_store::engine::{EngineError, EngineStatus};

use super::{charge, gate::Fate, is_not_written, started};

#[test]
fn whoever_was_answered_sees_what_was_answered() {
    let (engine, _, _) = started();
    for number in 1..=600 {
        assert_eq!(engine.call(charge(number)).wait().unwrap().status, 200);
        // The first read asks; those after it are shown what each commit came to; and after a
        // pause of more batches than are shown, one asks again.
        if !(20..=590).contains(&number) {
            let seen = engine.committed_now().unwrap();
            assert_eq!(seen.seq.0, engine.head().unwrap().seq);
        }
    }
}

#[test]
fn what_is_not_durable_is_not_shown() {
    let (engine, gate, _) = started();
    engine.call(charge(1)).wait().unwrap();
    let before = engine.committed_now().unwrap().seq;
    engine.call(charge(2)).wait().unwrap();
    let durable = engine.committed_now().unwrap().seq;
    assert!(durable > before);
    gate.close();
    let waiting = engine.call(charge(3));
    gate.wait_for_an_append();
    // Nobody waits for the append that hangs.
    assert_eq!(engine.committed_now().unwrap().seq, durable);
    gate.open();
    waiting.wait().unwrap();
    assert!(engine.committed_now().unwrap().seq > durable);
}

#[test]
fn what_an_append_lost_was_never_shown() {
    let (engine, gate, _) = started();
    engine.call(charge(1)).wait().unwrap();
    let durable = engine.committed_now().unwrap().seq;
    gate.next([Fate::Failed]);
    assert!(is_not_written(&engine.call(charge(2)).wait()));
    assert_eq!(engine.committed_now().unwrap().seq, durable);
    assert_eq!(engine.call(charge(3)).wait().unwrap().status, 200);
    assert_eq!(engine.committed_now().unwrap().seq.0, engine.head().unwrap().seq);
}

#[test]
fn readers_never_go_back_and_never_run_ahead_beside_writers() {
    let (engine, _, _) = started();
    let (engine, done) = (Arc::new(engine), Arc::new(AtomicBool::new(false)));
    let reader = std::thread::spawn({
        let (engine, done) = (Arc::clone(&engine), Arc::clone(&done));
        move || {
            let (mut last, mut reads) = (0, 0_u64);
            while !done.load(Ordering::Relaxed) {
                let seen = engine.committed_now().unwrap().seq.0;
                assert!(seen >= last, "{seen} after {last}");
                assert!(seen <= engine.head().unwrap().seq);
                (last, reads) = (seen, reads + 1);
            }
            reads
        }
    });
    let tickets: Vec<_> = (1..=2_000).map(|number| engine.call(charge(number))).collect();
    for ticket in tickets {
        assert_eq!(ticket.wait().unwrap().status, 200);
    }
    done.store(true, Ordering::Relaxed);
    assert!(reader.join().unwrap() > 0);
}

#[test]
fn an_engine_that_has_stopped_shows_nothing_and_says_how_it_stands() {
    let (engine, _, _) = started();
    assert_eq!(engine.status(), EngineStatus::Writing);
    engine.committed_now().unwrap();
    let head = engine.stop().unwrap();
    assert_eq!(engine.status(), EngineStatus::Stopped(Ok(head)));
    assert_eq!(engine.committed_now().unwrap_err(), EngineError::Ended);
}

#[test]
fn an_engine_that_writes_no_more_shows_nothing_and_says_why() {
    let (engine, gate, _) = started();
    engine.committed_now().unwrap();
    gate.next([Fate::Failed]);
    gate.make_unreadable();
    assert!(is_not_written(&engine.call(charge(1)).wait()));
    let EngineStatus::Stopped(Err(why)) = engine.status() else { panic!("{:?}", engine.status()) };
    assert!(why.to_string().contains("full"), "{why}");
    assert_eq!(engine.committed_now().unwrap_err(), why);
}

#[test]
fn whoever_knows_the_number_of_a_record_sees_what_it_did() {
    let (engine, gate, _) = started();
    gate.close();
    let written = engine.call(charge(1));
    gate.wait_for_an_append();
    let seen = std::thread::scope(|scope| {
        let reader = scope.spawn(|| engine.committed_at_now(2));
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(!reader.is_finished(), "record 2 is not durable");
        gate.open();
        reader.join().unwrap().unwrap()
    });
    assert_eq!(seen.seq.0, 2);
    written.wait().unwrap();
    // What is durable already is waited for by nobody.
    assert_eq!(engine.committed_at_now(1).unwrap().seq.0, 2);
}

#[test]
fn whoever_waits_for_a_record_that_never_comes_hears_of_the_end() {
    let (engine, gate, _) = started();
    let waiting = |seq| {
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| engine.committed_at_now(seq).map(drop));
            std::thread::sleep(std::time::Duration::from_millis(20));
            gate.next([Fate::Failed]);
            gate.make_unreadable();
            assert!(is_not_written(&engine.call(charge(1)).wait()));
            reader.join().unwrap()
        })
    };
    assert!(matches!(waiting(9), Err(EngineError::Stopped(_))));
    let (engine, _, _) = started();
    let head = engine.stop().unwrap();
    assert_eq!(engine.committed_at_now(head.seq + 1).map(drop), Err(EngineError::Ended));
}

#[test]
fn whoever_awaits_the_end_hears_how_it_came() {
    let (engine, _, _) = started();
    let ended = engine.termination();
    let watching = std::thread::spawn(move || ended.wait());
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert!(!watching.is_finished());
    let head = engine.stop().unwrap();
    assert_eq!(watching.join().unwrap(), Ok(head));
    // Whoever comes later hears it, too.
    assert_eq!(engine.termination().wait(), Ok(head));

    let (engine, gate, _) = started();
    gate.next([Fate::Failed]);
    gate.make_unreadable();
    assert!(is_not_written(&engine.call(charge(1)).wait()));
    assert!(matches!(engine.termination().wait(), Err(EngineError::Stopped(_))));
}

#[test]
fn an_engine_that_was_taken_over_from_says_since_when_it_knows() {
    let (older, gate, disk) = started();
    let before = std::time::Instant::now();
    let newer = super::started_on(&disk, &gate);
    assert_eq!(older.call(charge(1)).wait(), Err(EngineError::Fenced));
    let EngineStatus::Fenced { since } = older.status() else { panic!("{:?}", older.status()) };
    assert!(since >= before && since <= std::time::Instant::now());
    assert_eq!(older.termination().wait(), Err(EngineError::Fenced));
    assert_eq!(newer.status(), EngineStatus::Writing);
}
