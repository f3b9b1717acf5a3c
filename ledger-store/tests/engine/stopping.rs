//! Engines that are overtaken, dropped, or broken from within.

use ledger_store::Row;
use ledger_store::engine::{Engine, EngineError, StartError};
use ledger_store::journal::{Commit, Head, Journal, MemoryDisk};
use ledger_store::sequencer::ReplayError;

use super::gate::{Fate, Gate};
use super::setup::{LIVE, memory};
use super::{charge, reopened, started, started_on, undisturbed};

fn is_stopped<T>(answer: &Result<T, EngineError>) -> bool {
    matches!(answer, Err(EngineError::Stopped(_)))
}

#[test]
fn an_overtaken_engine_stops_says_so_and_lands_nothing() {
    let (older, _, disk) = started();
    older.call(charge(1)).wait().unwrap();
    let newer = started_on(&disk, &Gate::default());
    for _ in 0..3 {
        assert_eq!(older.call(charge(2)).wait(), Err(EngineError::Fenced));
    }
    assert!(older.view().wait().is_err());
    newer.call(charge(3)).wait().unwrap();
    assert_eq!(older.call(charge(4)).wait(), Err(EngineError::Fenced));
    drop(older);
    newer.call(charge(5)).wait().unwrap();
    drop(newer);
    assert_eq!(reopened(&disk).head(), undisturbed([1, 3, 5]));
}

#[test]
fn an_append_under_way_while_another_takes_over_does_not_land() {
    let (older, gate, disk) = started();
    gate.close();
    let first = older.call(charge(1));
    gate.wait_for_an_append();
    let queued = older.call(charge(2));
    let newer = started_on(&disk, &Gate::default());
    gate.open();
    assert_eq!(first.wait(), Err(EngineError::Fenced));
    assert_eq!(queued.wait(), Err(EngineError::Fenced));
    newer.call(charge(3)).wait().unwrap();
    assert_eq!(reopened(&disk).head(), undisturbed([3]));
}

#[test]
fn a_dropped_engine_finishes_what_was_queued() {
    let (engine, gate, disk) = started();
    gate.close();
    let tickets: Vec<_> = (1..=500).map(|number| engine.call(charge(number))).collect();
    let opener = std::thread::spawn(move || {
        gate.wait_for_an_append();
        gate.open();
    });
    drop(engine);
    // Whoever has dropped it finds everything written.
    assert_eq!(reopened(&disk).head(), undisturbed(1..=500));
    opener.join().unwrap();
    for ticket in tickets {
        assert_eq!(ticket.wait().unwrap().status, 200);
    }
}

#[test]
fn a_caller_that_no_longer_waits_disturbs_nobody() {
    let (engine, _, disk) = started();
    for number in 1..=100 {
        drop(engine.call(charge(number)));
    }
    drop(engine);
    assert_eq!(reopened(&disk).head(), undisturbed(1..=100));
}

#[test]
fn a_panicking_journal_stops_the_engine_and_hangs_nobody() {
    let (engine, gate, disk) = started();
    gate.next([Fate::Panic]);
    assert!(is_stopped(&engine.call(charge(1)).wait()));
    assert_eq!(engine.call(charge(2)).wait(), Err(EngineError::Ended));
    assert!(is_stopped(&engine.stop()));
    drop(engine);
    assert_eq!(reopened(&disk).head(), undisturbed([]));
}

#[test]
fn an_engine_does_not_start_on_a_broken_journal_and_names_the_record() {
    let disk = MemoryDisk::new();
    let mut sequencer = super::setup::sequencer();
    sequencer.call(&super::call(super::OPEN));
    let Commit { previous, mut rows, vault } = sequencer.cut().unwrap();
    let Row { payload, .. } = &mut rows[0];
    *payload.last_mut().unwrap() ^= 1;
    super::setup::write(&mut memory(&disk), &[Commit { previous, rows, vault }]);
    let error = Engine::start(Box::new(memory(&disk)), LIVE, |_, _| ()).unwrap_err();
    assert!(
        matches!(&error, StartError::Replay(broken @ ReplayError::Row(_)) if broken.seq() == Some(1)),
        "{error:?}"
    );
}

#[test]
fn a_reader_fences_nobody() {
    let (engine, _, disk) = started();
    engine.call(charge(1)).wait().unwrap();
    let seen: Head = reopened(&disk).head();
    assert_eq!(memory(&disk).head().unwrap(), seen);
    engine.call(charge(2)).wait().unwrap();
    drop(engine);
    assert_eq!(reopened(&disk).head(), undisturbed([1, 2]));
}
