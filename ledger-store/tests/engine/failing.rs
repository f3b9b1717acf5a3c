//! Appends that fail, or whose outcome is not known.

use ledger_store::engine::EngineError;

use ledger_store::journal::MemoryDisk;

use super::gate::{Fate, Gate};
use super::setup::{self, call, memory};
use super::{OPEN, charge, count_of, is_not_written, reopened, started, started_on, undisturbed};

#[test]
fn a_failed_append_is_answered_as_not_written_and_a_retry_succeeds_once() {
    let (engine, gate, disk) = started();
    engine.call(charge(1)).wait().unwrap();
    gate.next([Fate::Failed]);
    let Err(EngineError::NotWritten(reason)) = engine.call(charge(2)).wait() else {
        panic!("a failed append is not written")
    };
    assert!(reason.contains("the disk is full"), "{reason}");
    assert_eq!(count_of(&engine, 2), 0);
    assert_eq!(reopened(&disk).head(), undisturbed([1]));

    let answer = engine.call(charge(2)).wait().unwrap();
    assert_eq!(engine.call(charge(2)).wait().unwrap(), answer);
    assert_eq!((count_of(&engine, 1), count_of(&engine, 2)), (1, 1));
    drop(engine);
    assert_eq!(reopened(&disk).head(), undisturbed([1, 2]));
}

#[test]
fn what_was_decided_on_a_failed_commit_fails_with_it() {
    let (engine, gate, disk) = started();
    gate.close();
    let first = engine.call(charge(1));
    gate.wait_for_an_append();
    // Decided while the first is being written, on a state that is about to be dropped.
    let later: Vec<_> = (2..=20).map(|number| engine.call(charge(number))).collect();
    let repeated = engine.call(charge(1));
    std::thread::sleep(std::time::Duration::from_millis(50));
    gate.next([Fate::Failed]);
    gate.open();
    assert!(is_not_written(&first.wait()));
    // Only what was queued and not yet decided may still have been decided anew.
    let later: Vec<_> = later.into_iter().map(super::Ticket::wait).collect();
    let _ = repeated.wait();
    let written = later.iter().filter(|answer| answer.is_ok()).count() as u64;
    assert!(later.iter().all(|answer| answer.is_ok() || is_not_written(answer)));

    for number in 1..=20 {
        assert_eq!(engine.call(charge(number)).wait().unwrap().status, 200);
        assert_eq!(count_of(&engine, number), 1);
    }
    drop(engine);
    let sequencer = reopened(&disk);
    assert_eq!(sequencer.head().seq, 21);
    if written == 0 {
        assert_eq!(sequencer.head(), undisturbed(1..=20));
    }
}

#[test]
fn failure_after_failure_loses_and_doubles_nothing() {
    let (engine, gate, disk) = started();
    for number in 1..=30 {
        gate.next([Fate::Failed, Fate::UnknownLost, Fate::Failed]);
        let mut tries = 0;
        let answer = loop {
            tries += 1;
            match engine.call(charge(number)).wait() {
                Ok(answer) => break answer,
                Err(EngineError::NotWritten(_)) => {}
                Err(error) => panic!("{error}"),
            }
        };
        assert_eq!((answer.status, tries), (200, 4));
    }
    drop(engine);
    assert_eq!(reopened(&disk).head(), undisturbed(1..=30));
}

#[test]
fn an_unknown_append_that_landed_is_answered_as_written() {
    let (engine, gate, disk) = started();
    gate.next([Fate::UnknownLanded]);
    let answer = engine.call(charge(1)).wait().unwrap();
    assert_eq!(answer.status, 200);
    assert_eq!(engine.call(charge(1)).wait().unwrap(), answer);
    engine.call(charge(2)).wait().unwrap();
    drop(engine);
    assert_eq!(reopened(&disk).head(), undisturbed([1, 2]));
}

#[test]
fn an_unknown_append_that_was_lost_is_answered_as_not_written() {
    let (engine, gate, disk) = started();
    gate.next([Fate::UnknownLost]);
    assert!(is_not_written(&engine.call(charge(1)).wait()));
    assert_eq!(count_of(&engine, 1), 0);
    engine.call(charge(1)).wait().unwrap();
    drop(engine);
    assert_eq!(reopened(&disk).head(), undisturbed([1]));
}

#[test]
fn an_unknown_append_after_another_writer_wrote_is_answered_as_fenced() {
    let (engine, gate, disk) = started();
    gate.close();
    let ticket = engine.call(charge(1));
    gate.wait_for_an_append();
    let other = started_on(&disk, &super::Gate::default());
    other.call(charge(2)).wait().unwrap();
    drop(other);
    gate.next([Fate::UnknownLost]);
    gate.open();
    assert_eq!(ticket.wait(), Err(EngineError::Fenced));
    assert_eq!(engine.call(charge(1)).wait(), Err(EngineError::Fenced));
    drop(engine);
    assert_eq!(reopened(&disk).head(), undisturbed([2]));
}

#[test]
fn an_engine_that_cannot_find_out_stops_and_says_so() {
    let (engine, gate, disk) = started();
    gate.next([Fate::UnknownLanded]);
    gate.make_untakable();
    let stopped = engine.call(charge(1)).wait();
    assert!(
        matches!(&stopped, Err(EngineError::Stopped(reason)) if reason.contains("gone")),
        "{stopped:?}"
    );
    assert_eq!(engine.call(charge(2)).wait(), stopped);
    drop(engine);
    // It did land, and "not known" was the truth.
    assert_eq!(reopened(&disk).head(), undisturbed([1]));
}

#[test]
fn an_engine_that_cannot_read_its_journal_back_stops_and_says_so() {
    let (engine, gate, disk) = started();
    gate.next([Fate::Failed]);
    gate.make_unreadable();
    assert!(is_not_written(&engine.call(charge(1)).wait()));
    let stopped = engine.call(charge(2)).wait();
    assert!(
        matches!(&stopped, Err(EngineError::Stopped(reason)) if reason.contains("full")),
        "{stopped:?}"
    );
    drop(engine);
    assert_eq!(reopened(&disk).head(), undisturbed([]));
}

#[test]
fn what_cannot_be_read_back_voids_the_decision_and_the_engine_goes_on() {
    let disk = MemoryDisk::new();
    let mut journal = memory(&disk);
    let mut sequencer = setup::sequencer();
    sequencer.call(&call(OPEN));
    let first = sequencer.call(&charge(1));
    for _ in 0..70_000 {
        // More than stays in memory.
        sequencer.execute(setup::tick(&sequencer)).unwrap();
    }
    setup::write(&mut journal, &sequencer.cut().into_iter().collect::<Vec<_>>());
    let gate = Gate::default();
    let engine = started_on(&disk, &gate);

    gate.fail_a_read();
    let Err(EngineError::NotWritten(reason)) = engine.call(charge(1)).wait() else {
        panic!("a repeat whose original cannot be read is not answered")
    };
    assert!(reason.contains("the disk is gone"), "{reason}");
    assert_eq!(engine.call(charge(1)).wait().unwrap().body, first.body);
    assert_eq!(count_of(&engine, 1), 1);
    drop(engine);
    assert_eq!(reopened(&disk).head(), sequencer.head());
}
