//! A standby follows an engine, and takes over when its lease lapses or is released.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ledger_store::engine::{Engine, EngineBuilder, Follower, Standby, StartError};
use ledger_store::journal::Journal;
use ledger_store::{Commit, MemoryDisk};

use super::gate::Gate;
use super::setup::medium::{Medium, on_every_medium};
use super::setup::{LIVE, call, memory, mode};
use super::{OPEN, charge, count_of};

const LEASE: Duration = Duration::from_millis(1_500);

/// Longer than any test takes.
const LONG: Duration = Duration::from_mins(2);

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(30);

fn builder(lease: Duration) -> EngineBuilder<'static> {
    Engine::builder(LIVE).lease(lease)
}

fn wait_for(standby: &Standby, seq: u64) {
    let start = Instant::now();
    while standby.seq() < seq {
        assert!(start.elapsed() < PATIENCE, "it does not follow: record {}", standby.seq());
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn a_standby_follows_and_takes_over_when_the_engine_stops<M: Medium>() {
    let medium = M::default();
    let first = builder(LONG).start(medium.open(LIVE, mode()).unwrap()).unwrap();
    first.call(call(OPEN)).wait().unwrap();
    let standby = builder(LONG).stand_by(medium.open(LIVE, mode()).unwrap());
    wait_for(&standby, 1);
    let answers: Vec<_> = (1..=20).map(|number| first.call(charge(number)).wait()).collect();
    wait_for(&standby, 21);
    let head = first.stop().unwrap();
    let second = standby.wait().unwrap();
    assert_eq!(second.head().unwrap(), head);
    for (number, answer) in (1..).zip(answers) {
        assert_eq!(second.call(charge(number)).wait(), answer);
        assert_eq!(count_of(&second, number), 1);
    }
    assert_eq!(second.call(charge(21)).wait().unwrap().status, 200);
    assert_eq!(second.stop().unwrap().seq, head.seq + 1);
}

fn a_standby_takes_over_when_the_lease_lapses<M: Medium>() {
    let (medium, gate) = (M::default(), Gate::default());
    let first = builder(LEASE).start(gate.before(medium.open(LIVE, mode()).unwrap())).unwrap();
    first.call(call(OPEN)).wait().unwrap();
    let standby = builder(LONG).stand_by(medium.open(LIVE, mode()).unwrap());
    first.call(charge(1)).wait().unwrap();
    wait_for(&standby, 2);
    gate.stop_renewals();
    let second = standby.wait().unwrap();
    assert!(first.view().wait().is_err() && first.committed_now().is_err());
    assert_eq!(second.view().wait().unwrap().seq.0, 2);
    assert!(first.call(charge(2)).wait().is_err());
    assert_eq!(second.call(charge(2)).wait().unwrap().status, 200);
}

fn of_two_standbys_one_takes_over_and_the_other_goes_on_to_follow<M: Medium>() {
    let medium = M::default();
    let mut engine = builder(LONG).start(medium.open(LIVE, mode()).unwrap()).unwrap();
    engine.call(call(OPEN)).wait().unwrap();
    let taken = std::sync::mpsc::channel();
    let mut waiting = Vec::new();
    for _ in 0..2 {
        let standby = builder(LONG).stand_by(medium.open(LIVE, mode()).unwrap());
        wait_for(&standby, 1);
        let give = taken.0.clone();
        waiting.push(std::thread::spawn(move || give.send(standby.wait().unwrap()).unwrap()));
    }
    for number in 1..=2 {
        engine.call(charge(number)).wait().unwrap();
        engine.stop().unwrap();
        engine = taken.1.recv_timeout(PATIENCE).unwrap();
        std::thread::sleep(Duration::from_millis(100));
        assert!(taken.1.try_recv().is_err(), "both took over");
        assert_eq!(engine.call(charge(number)).wait().unwrap().status, 200);
        assert_eq!(engine.head().unwrap().seq, 1 + number);
    }
    for one in waiting {
        one.join().unwrap();
    }
}

#[test]
fn a_standby_that_is_stopped_takes_nothing_over() {
    let disk = MemoryDisk::new();
    let first = builder(LONG).start(Box::new(memory(&disk))).unwrap();
    first.call(call(OPEN)).wait().unwrap();
    let standby = builder(LONG).stand_by(Box::new(memory(&disk)));
    wait_for(&standby, 1);
    standby.stop();
    first.stop().unwrap();
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(memory(&disk).lease_left().unwrap(), None);
    // One that has taken over, and whose engine nobody took, lets go of the ledger too.
    let standby = builder(LONG).stand_by(Box::new(memory(&disk)));
    let start = Instant::now();
    while memory(&disk).lease_left().unwrap().is_none() {
        assert!(start.elapsed() < PATIENCE, "it does not take over");
        std::thread::sleep(Duration::from_millis(2));
    }
    drop(standby);
    assert_eq!(memory(&disk).lease_left().unwrap(), None);
}

#[test]
fn a_standby_awaits_a_journal_that_is_away() {
    let (disk, gate) = (MemoryDisk::new(), Gate::default());
    let first = builder(LONG).start(Box::new(memory(&disk))).unwrap();
    first.call(call(OPEN)).wait().unwrap();
    gate.fail_a_read();
    let standby = builder(LONG).stand_by(gate.journal(memory(&disk)));
    wait_for(&standby, 1);
    gate.fail_a_read();
    first.call(charge(1)).wait().unwrap();
    wait_for(&standby, 2);
    first.stop().unwrap();
    assert_eq!(standby.wait().unwrap().head().unwrap().seq, 2);
}

#[test]
fn a_standby_is_awaited_in_async_code_and_promoted_once() {
    let disk = MemoryDisk::new();
    let first = builder(LONG).start(Box::new(memory(&disk))).unwrap();
    let mut standby = builder(LONG).stand_by(Box::new(memory(&disk)));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let engine = runtime.block_on(async {
        let short = tokio::time::timeout(Duration::from_millis(50), standby.promotion()).await;
        assert!(short.is_err(), "the first holds the ledger");
        let stopped = tokio::task::spawn_blocking(move || first.stop());
        stopped.await.unwrap().unwrap();
        standby.promotion().await.unwrap()
    });
    assert_eq!(engine.head().unwrap().seq, 0);
    assert!(matches!(runtime.block_on(standby.promotion()), Err(StartError::Stopped)));
}

/// Notes the commits that it is shown.
struct Notes(Arc<Mutex<Vec<u64>>>);

impl Follower for Notes {
    fn follow(&mut self, commit: &Commit) -> Result<(), String> {
        self.0.lock().unwrap().push(commit.head().seq);
        Ok(())
    }
}

#[test]
fn a_follower_is_made_once_the_ledger_is_taken_over_and_the_lease_is_renewed_meanwhile() {
    let (disk, notes) = (MemoryDisk::new(), Arc::new(Mutex::new(Vec::new())));
    let made = Arc::new(AtomicUsize::new(0));
    let first = builder(LONG).start(Box::new(memory(&disk))).unwrap();
    first.call(call(OPEN)).wait().unwrap();
    let (writing, counted) = (Arc::clone(&notes), Arc::clone(&made));
    let standby = builder(LEASE)
        .follower_made(move |journal: &mut dyn Journal| {
            counted.fetch_add(1, Ordering::SeqCst);
            writing.lock().unwrap().push(journal.head()?.seq);
            std::thread::sleep(2 * LEASE);
            Ok(Notes(writing))
        })
        .stand_by(Box::new(memory(&disk)));
    first.call(charge(1)).wait().unwrap();
    wait_for(&standby, 2);
    assert_eq!(made.load(Ordering::SeqCst), 0);
    first.stop().unwrap();
    let start = Instant::now();
    while made.load(Ordering::SeqCst) == 0 {
        assert!(start.elapsed() < PATIENCE, "it does not take over");
        std::thread::sleep(Duration::from_millis(2));
    }
    let another = builder(LEASE).stand_by(Box::new(memory(&disk)));
    let second = standby.wait().unwrap();
    second.call(charge(2)).wait().unwrap();
    assert_eq!(*notes.lock().unwrap(), [2, 3]);
    another.stop();

    // What cannot be made keeps the engine from starting.
    second.stop().unwrap();
    let fails = |_: &mut dyn Journal| -> Result<Notes, _> { Err("no table".into()) };
    let failed = builder(LONG).follower_made(fails).start(Box::new(memory(&disk)));
    let Err(StartError::Follower(why)) = failed else { panic!("{failed:?}") };
    assert_eq!(why.to_string(), "no table");
    assert_eq!(memory(&disk).lease_left().unwrap(), None);
}

on_every_medium! {
    a_standby_follows_and_takes_over_when_the_engine_stops,
    a_standby_takes_over_when_the_lease_lapses,
    of_two_standbys_one_takes_over_and_the_other_goes_on_to_follow,
}
