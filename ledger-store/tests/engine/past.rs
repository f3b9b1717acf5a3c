//! What has left memory, in an engine whose records are linked by another thread than the one that
//! decides.

use ledger_core::ledger::Command;
use ledger_store::digest::digest;
use ledger_store::engine::Engine;
use ledger_store::journal::MemoryDisk;
use ledger_store::sequencer::Sequencer;
use ledger_store::snapshot::{Began, Snapshots};

use super::gate::Gate;
use super::setup::{self, IDENTITY, LIVE, call, memory};
use super::{OPEN, charge, count_of, reopened, started};

/// Commands that each make one record.
pub fn ticks(count: usize) -> Vec<Command> {
    let mut sequencer = setup::sequencer();
    sequencer.call(&call(OPEN));
    sequencer.call(&charge(1));
    vec![setup::tick(&sequencer); count]
}

/// An engine that was opened from a snapshot after its first charge, which only the journal holds.
pub fn started_after_a_snapshot() -> (Engine, Gate, MemoryDisk) {
    let folder = tempfile::tempdir().unwrap();
    let snapshots = Snapshots::in_folder(folder.path());
    let (engine, gate, disk) = started();
    engine.call(charge(1)).wait().unwrap();
    let saving = snapshots.clone();
    assert!(engine.decide(move |it| saving.save(it, IDENTITY).is_ok()).wait().unwrap());
    engine.stop().unwrap();
    let engine = Engine::builder(LIVE).take_over().snapshots(snapshots);
    (engine.start(gate.journal(memory(&disk))).unwrap(), gate, disk)
}

#[test]
fn an_answer_that_has_left_memory_is_read_back_under_the_links_of_the_writing_thread() {
    let (engine, _, disk) = started();
    let first = engine.call(charge(1)).wait().unwrap();
    // More than stays in memory, in commits that are decided while others are linked.
    let batches: Vec<_> = (0..24).map(|_| engine.execute_all(ticks(3_500))).collect();
    for batch in batches {
        assert!(batch.wait().unwrap().iter().all(Result::is_ok));
    }
    assert_eq!(engine.call(charge(1)).wait().unwrap(), first);
    assert_eq!(count_of(&engine, 1), 1);
    assert_eq!(engine.stop().unwrap(), reopened(&disk).head());
}

#[test]
fn a_snapshot_saved_before_its_records_are_linked_is_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let snapshots = Snapshots::in_folder(folder.path());
    let (disk, gate) = (MemoryDisk::new(), Gate::default());
    // Each job is a batch of its own.
    let engine = Engine::builder(LIVE).largest_commit(1).start(gate.journal(memory(&disk)));
    let engine = engine.unwrap();
    engine.call(call(OPEN)).wait().unwrap();
    gate.close();
    let first = engine.call(charge(1));
    gate.wait_for_an_append();
    let long = engine.execute_all(ticks(3_000));
    let saving = snapshots.clone();
    let saved = engine
        .decide(move |sequencer| (saving.save(sequencer, IDENTITY).is_ok(), sequencer.head()));
    std::thread::sleep(std::time::Duration::from_millis(100));
    gate.open();
    first.wait().unwrap();
    long.wait().unwrap();
    let (saved, head) = saved.wait().unwrap();
    assert!(saved);
    engine.call(charge(2)).wait().unwrap();
    engine.stop().unwrap();
    let (sequencer, began) =
        Sequencer::open_with(&mut memory(&disk), LIVE, &snapshots, |_, _| ()).unwrap();
    assert!(matches!(&began, Began::After(after) if *after == head), "{began:?}");
    let whole = reopened(&disk);
    assert_eq!(
        (sequencer.head(), digest(sequencer.ledger())),
        (whole.head(), digest(whole.ledger()))
    );
}
