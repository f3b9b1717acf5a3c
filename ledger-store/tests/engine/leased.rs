//! An engine with a lease answers reads and refusals within it, and not outside of it.

use std::time::{Duration, Instant};

use ledger_core::contract::Call;
use ledger_store::MemoryDisk;
use ledger_store::engine::{Engine, EngineError, EngineStatus, StartError};
use ledger_store::journal::{Journal, OpenMode};

use super::gate::{Fate, Gate};
use super::setup::medium::{Medium, on_every_medium};
use super::setup::{LIVE, call, memory, mode};
use super::{OPEN, charge};

/// The lease of most tests: long enough for a machine that is busy with other tests.
const LEASE: Duration = Duration::from_millis(1_500);

/// Longer than any test takes.
const LONG: Duration = Duration::from_mins(2);

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(30);

fn start(journal: Box<dyn Journal>, lease: Duration) -> Result<Engine, StartError> {
    Engine::builder(LIVE).lease(lease).start(journal)
}

/// An engine with a lease behind a gate, with its account and a charge.
fn leased(lease: Duration) -> (Engine, Gate, MemoryDisk) {
    let (disk, gate) = (MemoryDisk::new(), Gate::default());
    let engine = start(gate.journal(memory(&disk)), lease).unwrap();
    engine.call(call(OPEN)).wait().unwrap();
    engine.call(charge(1)).wait().unwrap();
    (engine, gate, disk)
}

/// A transfer of money that nobody has.
fn refused() -> Call {
    call(
        r#"{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"POST /saldo/transferir","body":{"from_customer_ref":"ana","to_customer_ref":"casa","amount_cents":10}}"#,
    )
}

/// What is asked of an engine, as far as it tells whether it is answered.
type EngineRead = fn(&Engine) -> Result<(), EngineError>;

/// Everything that is answered from what the engine knows.
const READS: [EngineRead; 9] = [
    |engine| engine.committed_now().map(drop),
    |engine| engine.committed_at_now(1).map(drop),
    |engine| runtime().block_on(engine.committed_state()).map(drop),
    |engine| runtime().block_on(engine.committed_at(1)).map(drop),
    |engine| engine.head().map(drop),
    |engine| engine.view().wait().map(drop),
    |engine| engine.call(refused()).wait().map(drop),
    |engine| engine.handle(refused()).wait().map(drop),
    |engine| engine.call(charge(1)).wait().map(drop), // Repeated: it leaves no record.
];

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().build().unwrap()
}

fn wait_until(what: &str, mut there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !there() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn is_leased(started: &Result<Engine, StartError>) -> bool {
    matches!(started, Err(StartError::Leased { .. } | StartError::InUse { .. }))
}

#[test]
fn within_its_lease_an_engine_asks_nobody_whether_another_took_over() {
    let (engine, gate, disk) = leased(LONG);
    for ask in READS {
        assert_eq!(ask(&engine), Ok(()));
    }
    assert_eq!(gate.epochs_read(), 0);
    engine.stop().unwrap();
    // One without a lease asks each time.
    let engine = super::started_on(&disk, &gate);
    engine.view().wait().unwrap();
    engine.call(refused()).wait().unwrap();
    assert_eq!(gate.epochs_read(), 2);
}

#[test]
fn a_lease_is_renewed_although_there_is_nothing_to_do() {
    let (engine, gate, disk) = leased(LEASE);
    let began = gate.renewals();
    wait_until("it is renewed", || gate.renewals() >= began + 6);
    for ask in READS {
        assert_eq!(ask(&engine), Ok(()));
    }
    // Whoever would take over, with a lease or without, sees that it is renewed.
    let before = Instant::now();
    assert!(is_leased(&start(Box::new(memory(&disk)), LEASE)));
    assert!(is_leased(&Engine::start(Box::new(memory(&disk)), LIVE, |_, _| ())));
    assert!(before.elapsed() < 3 * LEASE, "{:?}", before.elapsed());
    assert_eq!(engine.call(charge(2)).wait().unwrap().status, 200);
}

#[test]
fn outside_of_its_lease_an_engine_answers_no_read_and_goes_on_once_it_is_renewed() {
    let (engine, gate, disk) = leased(LEASE);
    engine.committed_now().unwrap();
    gate.stop_renewals();
    wait_until("it lapses", || engine.status() == EngineStatus::LeaseLapsed);
    for ask in READS {
        assert_eq!(ask(&engine), Err(EngineError::LeaseLapsed));
    }
    // What is written proves by itself that nobody has taken over.
    assert_eq!(engine.call(charge(2)).wait().unwrap().status, 200);
    assert_eq!(engine.view().wait().map(drop), Err(EngineError::LeaseLapsed));
    gate.let_renewals_pass();
    wait_until("it is renewed", || engine.status() == EngineStatus::Writing);
    for ask in READS {
        assert_eq!(ask(&engine), Ok(()));
    }
    assert_eq!(memory(&disk).head().unwrap(), engine.head().unwrap());
}

/// It still runs, and does not reach the database by its renewals.
fn a_frozen_engine_is_taken_over_from_and_answers_nothing<M: Medium>() {
    let (medium, gate) = (M::default(), Gate::default());
    let older = start(gate.before(medium.open(LIVE, mode()).unwrap()), LEASE).unwrap();
    older.call(call(OPEN)).wait().unwrap();
    older.call(charge(1)).wait().unwrap();
    older.committed_now().unwrap();
    gate.stop_renewals();
    let newer = Engine::builder(LIVE).lease(LEASE);
    let newer = newer.stand_by(medium.open(LIVE, mode()).unwrap()).wait().unwrap();
    // Nobody has told it yet.
    for ask in READS {
        assert_eq!(ask(&older), Err(EngineError::LeaseLapsed));
    }
    assert_eq!(older.status(), EngineStatus::LeaseLapsed);
    newer.call(charge(2)).wait().unwrap();
    for ask in READS {
        assert_eq!(ask(&newer), Ok(()));
    }
    // It hears of it although nobody asks it anything.
    gate.let_renewals_pass();
    assert_eq!(older.termination().wait(), Err(EngineError::Fenced));
    for ask in READS {
        assert_eq!(ask(&older), Err(EngineError::Fenced));
    }
    assert!(matches!(older.status(), EngineStatus::Fenced { .. }));
    drop(older);
    // Its end ended no other's lease.
    assert!(medium.open(LIVE, OpenMode::ReadOnly).unwrap().lease_left().unwrap().is_some());
    assert_eq!(newer.stop().unwrap().seq, 3);
}

/// The moment at which the newer one may answer comes after the last at which the older one did.
fn of_two_engines_never_both_answer<M: Medium>() {
    let (medium, gate) = (M::default(), Gate::default());
    let lease = Duration::from_millis(400);
    let older = start(gate.before(medium.open(LIVE, mode()).unwrap()), lease).unwrap();
    older.call(call(OPEN)).wait().unwrap();
    older.committed_now().unwrap();
    let (last, first) = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut last = Instant::now();
            loop {
                let asked = Instant::now();
                match older.committed_now() {
                    Ok(_) => last = asked,
                    Err(EngineError::LeaseLapsed) => return last,
                    Err(error) => panic!("{error}"),
                }
            }
        });
        gate.stop_renewals();
        let newer = Engine::builder(LIVE).lease(lease);
        let newer = newer.stand_by(medium.open(LIVE, mode()).unwrap()).wait().unwrap();
        newer.view().wait().unwrap();
        let first = Instant::now();
        (reader.join().unwrap(), first)
    });
    assert!(last < first);
}

fn a_stop_keeps_whoever_comes_next_from_waiting<M: Medium>() {
    let medium = M::default();
    for number in 1..=3 {
        let before = Instant::now();
        let engine = start(medium.open(LIVE, mode()).unwrap(), LONG).unwrap();
        assert!(before.elapsed() < PATIENCE);
        engine.call(call(OPEN)).wait().unwrap();
        engine.call(charge(number)).wait().unwrap();
        assert_eq!(engine.stop().unwrap().seq, 1 + number);
        assert_eq!(engine.head(), Err(EngineError::Ended));
    }
}

fn a_start_waits_out_the_lease_of_a_holder_that_is_gone<M: Medium>() {
    let medium = M::default();
    let lease = Duration::from_millis(600);
    for starts in
        [|journal| start(journal, LONG), |journal| Engine::start(journal, LIVE, |_, _| ())]
    {
        let mut gone = medium.open(LIVE, mode()).unwrap();
        let before = Instant::now();
        gone.claim(Some(lease)).unwrap();
        drop(gone);
        let engine = starts(medium.open(LIVE, mode()).unwrap()).unwrap();
        assert!(before.elapsed() + Duration::from_millis(2) >= lease, "{:?}", before.elapsed());
        engine.stop().unwrap();
    }
}

/// How late a store answers: it has counted the lease from when it was asked.
const LATE: Duration = Duration::from_millis(1_200);

/// Nothing is believed any more at a tenth before a lease has lapsed that was asked for then.
fn believes_nothing_after(engine: &Engine, asked: Instant) {
    let lapses = asked + LEASE / 10 * 9 + Duration::from_millis(200);
    std::thread::sleep(lapses.saturating_duration_since(Instant::now()));
    assert_eq!(engine.status(), EngineStatus::LeaseLapsed);
    assert_eq!(engine.head(), Err(EngineError::LeaseLapsed));
}

#[test]
fn a_lease_that_is_answered_late_is_believed_from_when_it_was_asked() {
    let (disk, gate) = (MemoryDisk::new(), Gate::default());
    gate.answer_late(LATE);
    let asked = Instant::now();
    let engine = start(gate.journal(memory(&disk)), LEASE).unwrap();
    believes_nothing_after(&engine, asked);
}

#[test]
fn a_renewal_that_is_answered_late_is_believed_from_when_it_was_asked() {
    let (engine, gate, _disk) = leased(LEASE);
    gate.answer_late(LATE);
    wait_until("it is renewed", || gate.was_asked());
    believes_nothing_after(&engine, Instant::now());
}

#[test]
fn a_lease_taken_to_settle_an_append_is_believed_from_when_it_was_asked() {
    let (engine, gate, _disk) = leased(LEASE);
    gate.next([Fate::UnknownLanded]);
    gate.answer_late(LATE);
    let asked = Instant::now();
    let _ = engine.call(charge(2)).wait();
    believes_nothing_after(&engine, asked);
}

#[test]
fn an_append_of_unknown_outcome_is_settled_within_the_lease() {
    let (engine, gate, disk) = leased(LONG);
    gate.next([Fate::UnknownLanded, Fate::UnknownLost]);
    assert_eq!(engine.call(charge(2)).wait().unwrap().status, 200);
    assert!(super::is_not_written(&engine.call(charge(3)).wait()));
    assert!(memory(&disk).lease_left().unwrap().unwrap() > LONG / 2);
    for ask in READS {
        assert_eq!(ask(&engine), Ok(()));
    }
    assert!(!gate.records().is_empty() && gate.epochs_read() == 0);
}

#[test]
fn an_engine_that_settles_an_append_takes_over_from_no_holder_of_a_lease() {
    let (older, gate, disk) = leased(LEASE);
    gate.stop_renewals();
    wait_until("it lapses", || older.status() == EngineStatus::LeaseLapsed);
    let newer = Engine::builder(LIVE).lease(LONG).take_over();
    let newer = newer.start(Box::new(memory(&disk))).unwrap();
    newer.call(charge(2)).wait().unwrap();
    gate.next([Fate::UnknownLost]);
    assert_eq!(older.call(charge(3)).wait(), Err(EngineError::Fenced));
    for ask in READS {
        assert_eq!(ask(&newer), Ok(()));
    }
    assert_eq!(newer.call(charge(4)).wait().unwrap().status, 200);
}

#[test]
fn an_engine_whose_follower_fails_lets_another_take_over_at_once() {
    struct Fails;
    impl ledger_store::engine::Follower for Fails {
        fn follow(&mut self, _: &ledger_store::Commit) -> Result<(), String> {
            Err("the table is full".to_owned())
        }
    }
    let disk = MemoryDisk::new();
    let engine = Engine::builder(LIVE).lease(LONG).follower(Fails);
    let engine = engine.start(Box::new(memory(&disk))).unwrap();
    assert!(engine.call(call(OPEN)).wait().is_err());
    let next = start(Box::new(memory(&disk)), LONG).unwrap();
    assert_eq!(next.head().unwrap().seq, 1);
    assert!(engine.termination().wait().is_err());
}

#[test]
#[should_panic(expected = "a lease lasts at least 100 ms")]
fn a_lease_too_short_for_clocks_is_none() {
    let _ = Engine::builder(LIVE).lease(Duration::from_millis(99));
}

on_every_medium! {
    a_frozen_engine_is_taken_over_from_and_answers_nothing,
    of_two_engines_never_both_answer,
    a_stop_keeps_whoever_comes_next_from_waiting,
    a_start_waits_out_the_lease_of_a_holder_that_is_gone,
}
