//! What commands of a crowd name is looked up together, and anew where the sequencer is another.

use ledger_core::id::AccountId;
use ledger_core::ledger::{
    Archive as _, BLOCK, Cause, Command, Intent, Outcome, Request, TransferRequest,
};
use ledger_core::money::Amount;
use ledger_core::time::Instant;
use ledger_store::engine::{Engine, EngineError};
use ledger_store::journal::MemoryDisk;

use super::gate::{Fate, Gate};
use super::setup::{call, memory};
use super::{OPEN, reopened};

/// How many records a commit takes: more than a block, so that what was looked up outlasts one.
const COMMIT: usize = BLOCK + 6;

const GIFT: &str = r#"{"at":"2026-11-20T12:00:00Z","fact":"fee.adjusted","body":{"id":"gift","account":"loja","effect_cents":500000,"actor":"bia","reason":"start","evidence":"case"}}"#;

/// Whom the transfer of this number is to.
fn whose(number: usize) -> String {
    format!("c-{}", number / 7 % 5)
}

fn transfer(number: usize) -> Command {
    let request = TransferRequest {
        to: Some(whose(number).into()),
        external_id: Some(format!("t-{number}").into()),
        ..TransferRequest::new(Amount::new(100).unwrap())
    };
    let what = Intent::Request(AccountId(0), Request::Transfer(request));
    let at = Instant::parse("2026-11-20T12:00:01Z").unwrap();
    Command { at, cause: Cause::default(), what }
}

/// The first name that the rebuilt sequencer opens gets the number that another name had on the
/// lost one.
#[test]
fn a_crowd_that_outlives_a_failed_append_pays_whom_it_names() {
    let (disk, gate) = (MemoryDisk::new(), Gate::default());
    let engine = Engine::builder("live").largest_commit(COMMIT);
    let engine = engine.start(gate.journal(memory(&disk))).unwrap();
    for line in [OPEN, GIFT] {
        assert_eq!(engine.call(call(line)).wait().unwrap().status, 200);
    }
    gate.close();
    gate.next([Fate::Failed]);
    let (go, waits) = std::sync::mpsc::channel::<()>();
    let held = engine.decide(move |_| waits.recv().unwrap());
    let asked: Vec<_> = (0..250).map(|number| engine.execute(transfer(number))).collect();
    go.send(()).unwrap();
    gate.wait_for_an_append();
    gate.open();
    assert!(matches!(held.wait(), Err(EngineError::NotWritten(_))));

    let mut paid = std::collections::BTreeMap::<String, i64>::new();
    for (number, answer) in asked.into_iter().enumerate() {
        match answer.wait() {
            Ok(Ok(Outcome::Created(_))) => *paid.entry(whose(number)).or_default() += 100,
            Err(EngineError::NotWritten(_)) => {}
            other => panic!("{number}: {other:?}"),
        }
    }
    engine.stop().unwrap();
    let sequencer = reopened(&disk);
    let ledger = sequencer.ledger();
    let has = |name: &str| {
        let known = ledger.archive.subaccount(AccountId(0), name).unwrap();
        ledger.state.books.subaccount(known).total().cents()
    };
    let found = paid.keys().map(|name| (name.clone(), has(name))).collect();
    assert_eq!(paid, found);
    // Some of the crowd outlived it.
    assert!(!paid.is_empty());
}
