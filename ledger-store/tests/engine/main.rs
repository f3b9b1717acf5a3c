//! The engine answers when it is durable and never before, whatever becomes of the journal.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod committed;
mod crowd;
mod cut;
mod erasing;
mod failing;
mod flipped;
mod following;
mod gate;
mod leased;
mod looked_up;
mod panicking;
mod past;
mod past_balances;
mod permits;
mod proxy;
mod read_beside;
mod replica;
mod rivals;
#[path = "../setup/mod.rs"]
mod setup;
mod spans;
mod stalled;
mod standing_by;
mod stopping;
mod subscribed;
mod superseded;

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use gate::{Fate, Gate};
use ledger_core::contract::{Call, Response};
use ledger_store::engine::{Engine, EngineError, Ticket};
use ledger_store::journal::{Head, Journal, MemoryDisk};
use ledger_store::sequencer::Sequencer;
use setup::{LIVE, call, memory};

const OPEN: &str = r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"acc","account":"loja","terms":{"liberacao":"imediata","carencia_horas":0}},"supplied":{"key":"svc_live_loja"}}"#;

/// A charge under an `external_id` of this number.
fn charge(number: u64) -> Call {
    call(&format!(
        r#"{{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"POST /cashin/charge","body":{{"amount_cents":{},"destino":"saldo","customer_ref":"c-{}","payer_tax_number":"{}","external_id":"p-{number}"}},"supplied":{{"qr_copypaste":"code"}}}}"#,
        1_000 + number,
        number % 5,
        cpf(number)
    ))
}

/// A payer of its own for every number: no ladder stands in the way.
fn cpf(number: u64) -> String {
    let mut digits: Vec<u64> =
        format!("{:09}", 100_000_000 + number).bytes().map(|b| u64::from(b - b'0')).collect();
    for weight in [10, 11] {
        let sum: u64 = digits.iter().zip((2..=weight).rev()).map(|(digit, w)| digit * w).sum();
        digits.push(if sum % 11 < 2 { 0 } else { 11 - sum % 11 });
    }
    digits.iter().map(u64::to_string).collect()
}

/// How many charges there are under the `external_id` of this number.
fn count_of(engine: &Engine, number: u64) -> usize {
    let answer = engine.call(call(&format!(
        r#"{{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"GET /cashin/charges?external_id=p-{number}"}}"#
    )));
    answer.wait().unwrap().body["charges"].as_array().unwrap().len()
}

/// An engine behind a gate, on a disk, with its account open.
fn started() -> (Engine, Gate, MemoryDisk) {
    let disk = MemoryDisk::new();
    let gate = Gate::default();
    let engine = started_on(&disk, &gate);
    assert_eq!(engine.call(call(OPEN)).wait().unwrap().status, 200);
    (engine, gate, disk)
}

fn started_on(disk: &MemoryDisk, gate: &Gate) -> Engine {
    // Whoever had it before is overtaken, wherever it is.
    Engine::builder(LIVE).take_over().start(gate.journal(memory(disk))).unwrap()
}

/// Returns what the disk holds, replayed.
fn reopened(disk: &MemoryDisk) -> Sequencer {
    Sequencer::open(&mut memory(disk), LIVE, |_, _| ()).unwrap()
}

/// The head of a ledger that was asked the same and never met an engine.
fn undisturbed(charges: impl IntoIterator<Item = u64>) -> Head {
    let mut sequencer = setup::sequencer();
    sequencer.call(&call(OPEN));
    for number in charges {
        sequencer.call(&charge(number));
    }
    sequencer.head()
}

fn poll<T>(ticket: &mut Ticket<T>) -> Poll<Result<T, EngineError>> {
    Pin::new(ticket).poll(&mut Context::from_waker(Waker::noop()))
}

fn is_not_written(answer: &Result<Response, EngineError>) -> bool {
    matches!(answer, Err(EngineError::NotWritten(_)))
}

#[test]
fn nothing_is_answered_before_it_is_written() {
    let (engine, gate, disk) = started();
    gate.close();
    let mut decided = engine.call(charge(1));
    gate.wait_for_an_append();
    // What sees the decision waits with it: a repeat, and a view.
    let mut repeated = engine.call(charge(1));
    let mut viewed = engine.view();
    std::thread::sleep(std::time::Duration::from_millis(50));
    assert!(poll(&mut decided).is_pending());
    assert!(poll(&mut repeated).is_pending());
    assert!(poll(&mut viewed).is_pending());
    assert_eq!(reopened(&disk).head().seq, 1);

    gate.open();
    let answer = decided.wait().unwrap();
    assert_eq!(answer.status, 200);
    assert_eq!(repeated.wait().unwrap(), answer);
    assert_eq!(viewed.wait().unwrap().seq.0, 2);
    assert_eq!(reopened(&disk).head(), undisturbed([1]));
}

#[test]
fn a_batch_of_the_writing_thread_is_not_answered_before_its_append_landed() {
    let (engine, gate, disk) = started();
    gate.close();
    let alone = engine.call(charge(1));
    gate.wait_for_an_append();
    // All of these are queued when the lone caller's append lands, so they are one batch, which the
    // deciding thread hands to the writing one.
    let mut crowd: Vec<_> = (2..=9).map(|number| engine.call(charge(number))).collect();
    gate.admit_one();
    assert_eq!(alone.wait().unwrap().status, 200);
    gate.wait_until_begun(3);
    assert_eq!(gate.records(), [1, 1, 8]);
    for ticket in &mut crowd {
        assert!(poll(ticket).is_pending(), "answered, and the disk has nothing of it");
    }
    assert_eq!(reopened(&disk).head(), undisturbed([1]));

    // One of whose append nothing lands is answered so, and only then.
    gate.next([Fate::Failed]);
    gate.admit_one();
    for ticket in crowd {
        assert!(is_not_written(&ticket.wait()));
    }
    assert_eq!(reopened(&disk).head(), undisturbed([1]));
    gate.open();
    let crowd: Vec<_> = (2..=9).map(|number| engine.call(charge(number))).collect();
    for (number, ticket) in (2..).zip(crowd) {
        assert_eq!(ticket.wait().unwrap().status, 200);
        // Whoever has an answer finds it on the disk, whatever the engine does next.
        assert!(reopened(&disk).head().seq > number);
    }
    drop(engine);
    assert_eq!(reopened(&disk).head(), undisturbed(1..=9));
}

#[test]
fn a_refusal_is_answered_and_leaves_nothing() {
    let (engine, _, disk) = started();
    let refused = engine.call(call(
        r#"{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"POST /saldo/transferir","body":{"from_customer_ref":"ana","to_customer_ref":"casa","amount_cents":10}}"#,
    ));
    assert!(refused.wait().unwrap().status >= 400);
    assert_eq!(reopened(&disk).head(), undisturbed([]));
}

#[test]
fn an_engine_started_again_shows_every_record_to_its_observer_and_goes_on() {
    let (engine, gate, disk) = started();
    for number in 1..=3 {
        engine.call(charge(number)).wait().unwrap();
    }
    drop(engine);
    let mut seen = Vec::new();
    let observe = |sequencer: &Sequencer, record: &ledger_core::ledger::Record| {
        assert_eq!(sequencer.ledger().state.seq, record.seq);
        seen.push(record.seq.0);
    };
    let engine = Engine::start(gate.journal(memory(&disk)), LIVE, observe).unwrap();
    assert_eq!(seen, [1, 2, 3, 4]);
    engine.call(charge(4)).wait().unwrap();
    drop(engine);
    assert_eq!(reopened(&disk).head(), undisturbed(1..=4));
    assert_eq!(memory(&disk).head().unwrap(), undisturbed(1..=4));
}

#[test]
fn a_head_asked_for_before_its_records_are_linked_is_the_head_they_get() {
    let (engine, gate, disk) = started();
    gate.close();
    let mut tickets = Vec::new();
    let mut heads = Vec::new();
    for number in 1..=30 {
        tickets.push(engine.call(charge(number)));
        heads.push(engine.decide(|sequencer| sequencer.head()));
        if number == 1 {
            gate.wait_for_an_append();
        }
    }
    // Decided while the first is being written: in a batch that waits, or in the open one.
    std::thread::sleep(std::time::Duration::from_millis(50));
    gate.open();
    for ticket in tickets {
        ticket.wait().unwrap();
    }
    for (number, head) in (1..).zip(heads) {
        assert_eq!(head.wait().unwrap(), undisturbed(1..=number));
    }
    drop(engine);
    assert_eq!(reopened(&disk).head(), undisturbed(1..=30));
}
