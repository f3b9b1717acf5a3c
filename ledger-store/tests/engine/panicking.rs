//! Jobs that panic: their callers are told, and the ledger goes on.

use ledger_core::contract::{Tokens, Unproved};
use ledger_store::engine::EngineError;

use super::setup::tick;
use super::{charge, count_of, is_not_written, reopened, started, undisturbed};

fn is_panicked<T: std::fmt::Debug>(answer: &Result<T, EngineError>) -> bool {
    matches!(answer, Err(EngineError::Panicked(why)) if why.contains("as the test asked"))
}

#[test]
fn a_panic_in_a_reading_closure_costs_its_caller_an_answer_and_nobody_else() {
    let (engine, gate, disk) = started();
    gate.close();
    let before = engine.call(charge(1));
    gate.wait_for_an_append();
    let beside = engine.call(charge(2));
    let panicking = engine.decide(|sequencer| -> u64 {
        panic!("record {}, as the test asked", sequencer.ledger().state.seq.0)
    });
    let after: Vec<_> = (3..=10).map(|number| engine.call(charge(number))).collect();
    gate.open();
    assert!(is_panicked(&panicking.wait()));
    for ticket in [before, beside].into_iter().chain(after) {
        assert_eq!(ticket.wait().unwrap().status, 200);
    }
    assert_eq!(engine.counters().failures, 0);
    let head = engine.stop().unwrap();
    assert_eq!(head, undisturbed(1..=10));
    assert_eq!(reopened(&disk).head(), head);
}

#[test]
fn nothing_holds_of_what_a_closure_changed_before_it_panicked() {
    let (engine, _, disk) = started();
    engine.call(charge(1)).wait().unwrap();
    let panicking = engine.decide(|sequencer| -> () {
        sequencer.execute(tick(sequencer)).unwrap();
        sequencer.call(&charge(2));
        panic!("as the test asked");
    });
    assert!(is_panicked(&panicking.wait()));
    // What came before the rebuilt sequencer was there is to be repeated, and is not lost.
    let third = (0..1_000).map(|_| engine.call(charge(3)).wait()).find(|it| !is_not_written(it));
    assert_eq!(third.unwrap().unwrap().status, 200);
    assert_eq!((count_of(&engine, 2), count_of(&engine, 3)), (0, 1));
    assert_eq!(engine.stop().unwrap(), undisturbed([1, 3]));
    assert_eq!(reopened(&disk).head(), undisturbed([1, 3]));
}

#[test]
fn what_was_decided_beside_a_change_that_panicked_is_told_that_it_was_not_written() {
    let (engine, gate, disk) = started();
    gate.close();
    let before = engine.call(charge(1));
    gate.wait_for_an_append();
    let beside = engine.call(charge(2));
    let panicking = engine.decide(|sequencer| -> () {
        sequencer.execute(tick(sequencer)).unwrap();
        panic!("as the test asked");
    });
    // All of these are one batch, decided while the first append waits.
    std::thread::sleep(std::time::Duration::from_millis(50));
    gate.open();
    assert_eq!(before.wait().unwrap().status, 200);
    assert!(is_panicked(&panicking.wait()));
    assert!(is_not_written(&beside.wait()));
    let again = (0..1_000).map(|_| engine.call(charge(2)).wait()).find(|it| !is_not_written(it));
    assert_eq!(again.unwrap().unwrap().status, 200);
    drop(engine);
    assert_eq!(reopened(&disk).head(), undisturbed([1, 2]));
}

#[test]
fn a_panic_without_a_text_is_caught_too() {
    let (engine, _, _) = started();
    let panicking = engine.decide(|_| -> () { std::panic::panic_any(7) });
    assert!(matches!(panicking.wait(), Err(EngineError::Panicked(_))));
    assert_eq!(engine.call(charge(1)).wait().unwrap().status, 200);
}

#[test]
fn a_value_that_is_not_its_tokens_is_not_learned_and_ends_no_ledger() {
    let (engine, _, disk) = started();
    let foreign = Tokens::new([9; 32]).name("Ana");
    let learned = engine.decide(move |sequencer| {
        let learned = sequencer.learn(foreign);
        sequencer.execute(tick(sequencer)).unwrap();
        learned
    });
    assert_eq!(learned.wait().unwrap(), Err(Unproved::Value));
    assert_eq!(engine.call(charge(1)).wait().unwrap().status, 200);
    drop(engine);
    assert_eq!(reopened(&disk).head().seq, 3);
}
