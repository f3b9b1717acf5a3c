//! An engine that another has taken over from answers nothing of its old state, once it is asked.

use ledger_core::contract::Call;
use ledger_store::engine::{Engine, EngineError, SubscriptionError, TryReserveError};

use super::gate::Gate;
use super::setup::medium::{Medium, on_every_medium};
use super::setup::{LIVE, call, mode};
use super::{OPEN, charge, started};

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().build().unwrap()
}

fn engine(medium: &impl Medium) -> Engine {
    Engine::builder(LIVE).take_over().start(medium.open(LIVE, mode()).unwrap()).unwrap()
}

/// A transfer of money that nobody has.
fn refused() -> Call {
    call(
        r#"{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"POST /saldo/transferir","body":{"from_customer_ref":"ana","to_customer_ref":"casa","amount_cents":10}}"#,
    )
}

/// What is asked of an engine, as far as it tells whether it is answered.
type EngineRead = fn(&Engine) -> Result<(), EngineError>;

const READS: [EngineRead; 5] = [
    |engine| engine.call(refused()).wait().map(drop),
    |engine| engine.handle(refused()).wait().map(drop),
    |engine| engine.view().wait().map(drop),
    |engine| engine.decide(|sequencer| sequencer.head()).wait().map(drop),
    |engine| engine.call(charge(1)).wait().map(drop), // Repeated: it leaves no record.
];

fn a_superseded_engine_answers_no_read_and_no_refusal<M: Medium>() {
    let medium = M::default();
    let first = engine(&medium);
    first.call(call(OPEN)).wait().unwrap();
    first.call(charge(1)).wait().unwrap();
    drop(first);
    for ask in READS {
        let older = engine(&medium);
        assert_eq!(ask(&older), Ok(()));
        let newer = engine(&medium);
        assert_eq!(ask(&older), Err(EngineError::Fenced));
        assert_eq!(ask(&newer), Ok(()));
    }
}

fn a_fenced_engine_says_so_at_every_door<M: Medium>() {
    let medium = M::default();
    let older = engine(&medium);
    older.call(call(OPEN)).wait().unwrap();
    let records = older.subscribe(1);
    let permit = older.try_reserve().unwrap();
    let newer = engine(&medium);
    newer.call(charge(1)).wait().unwrap();
    assert_eq!(older.call(charge(2)).wait(), Err(EngineError::Fenced));

    assert_eq!(permit.view().wait().map(drop), Err(EngineError::Fenced));
    assert_eq!(older.try_reserve().map(drop), Err(TryReserveError::Fenced));
    assert_eq!(runtime().block_on(older.reserve()).map(drop), Err(EngineError::Fenced));
    assert_eq!(older.head(), Err(EngineError::Fenced));
    for ask in READS {
        assert_eq!(ask(&older), Err(EngineError::Fenced));
    }
    // Whoever follows it gets what it made durable, and hears that there is no more of it.
    let given: Vec<_> = records.into_iter().collect();
    assert_eq!(given[0].as_ref().unwrap().seq.0, 1);
    assert!(matches!(&given[1..], [Err(SubscriptionError::Engine(EngineError::Fenced))]));
    assert_eq!(older.stop(), Err(EngineError::Fenced));
    assert_eq!(newer.stop().unwrap().seq, 2);
}

fn a_subscription_gives_what_its_own_engine_made_durable_and_no_other<M: Medium>() {
    let medium = M::default();
    let older = engine(&medium);
    older.call(call(OPEN)).wait().unwrap();
    let newer = engine(&medium);
    newer.call(charge(1)).wait().unwrap();
    let records = older.subscribe(1);
    std::thread::sleep(std::time::Duration::from_millis(50));
    assert_eq!(older.call(charge(2)).wait(), Err(EngineError::Fenced));
    let given: Vec<_> = records.into_iter().collect();
    assert_eq!(given[0].as_ref().unwrap().seq.0, 1);
    assert!(matches!(&given[1..], [Err(SubscriptionError::Engine(EngineError::Fenced))]));
}

#[test]
fn while_nobody_can_tell_whether_another_took_over_no_read_is_answered() {
    let (engine, gate, _) = started();
    gate.make_epoch_unreadable();
    assert!(matches!(engine.view().wait(), Err(EngineError::Unverified(_))));
    // What is written proves it by itself.
    assert_eq!(engine.call(charge(1)).wait().unwrap().status, 200);
    gate.make_epoch_readable();
    assert_eq!(engine.view().wait().unwrap().seq.0, 2);
}

#[test]
fn a_journal_says_who_wrote_last() {
    let disk = ledger_store::MemoryDisk::new();
    let mut journals = [0, 1].map(|_| Gate::default().journal(super::memory(&disk)));
    let [older, newer] = &mut journals;
    assert!(!older.is_last_writer().unwrap());
    older.open_writer().unwrap();
    assert!(older.is_last_writer().unwrap() && !newer.is_last_writer().unwrap());
    newer.open_writer().unwrap();
    assert!(!older.is_last_writer().unwrap() && newer.is_last_writer().unwrap());
}

on_every_medium! {
    a_superseded_engine_answers_no_read_and_no_refusal,
    a_fenced_engine_says_so_at_every_door,
    a_subscription_gives_what_its_own_engine_made_durable_and_no_other,
}
