//! Commands executed in blocks come to what they come to one by one, whatever the ones before them
//! in the block did: looking ahead finds, and never decides. So do commands of a crowd, which an
//! engine's queue holds together.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

use ledger_core::id::{AccountId, KeyHash, Token};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::adjustment::Fact as AdjustmentFact;
use ledger_core::ledger::{
    BLOCK, Cause, Command, Fact, Income, Intent, OperatorDecision, Outcome, Reported, Request,
    TransferRequest,
};
use ledger_core::money::{Amount, Cents};
use ledger_core::terms::{Release, Terms};
use ledger_core::time::Instant;
use ledger_store::engine::{Engine, Ticket};
use ledger_store::journal::Identity;
use ledger_store::sequencer::Sequencer;
use ledger_store::{Algorithm, MemoryDisk, MemoryJournal, OpenMode};
use proptest::prelude::*;

fn at(second: i64) -> Instant {
    Instant::from_micros(1_795_000_000_000_000 + second * 1_000_000).unwrap()
}

fn reported(id: &str, fact: Fact) -> Command {
    let what = Intent::Fact(Reported { id: Some(id.into()), fact });
    Command { at: at(0), cause: Cause::default(), what }
}

/// Two accounts whose customers bear the same names.
fn opening() -> Vec<Command> {
    let terms = Terms { release: Release::Immediate, retention_above: None, ..Terms::latest() };
    let open = |name: &str, key| {
        let (name, key) = (name.into(), KeyHash([key; 32]));
        reported(
            &format!("open-{key:?}"),
            Fact::Account(AccountFact::Opened { name, key, terms: Some(terms) }),
        )
    };
    vec![open("loja", 1), open("feira", 2)]
}

/// The shortest way to a balance: a fee given to the house.
fn given(account: &str, cents: i64) -> Command {
    let fact = Fact::Adjustment(AdjustmentFact::FeeAdjusted {
        account: account.into(),
        customer: None,
        given: Cents::new(cents).unwrap(),
        charged: Cents::ZERO,
        income: Income::Deposit,
        decided_by: OperatorDecision {
            actor: Token([1; 16]),
            reason: Token([2; 16]),
            evidence: None,
        },
    });
    reported(&format!("given-{account}"), fact)
}

prop_compose! {
    /// A transfer between few names, so that most are new to the block and soon known, with few
    /// ids, so that repeats and conflicts fall into one block.
    fn transfer()(
        account in 0..2_u32,
        from in proptest::option::weighted(0.6, 0..6_u8),
        to in proptest::option::weighted(0.9, 0..6_u8),
        cents in 1..200_i64,
        id in proptest::option::of(0..40_u8),
        second in 0..3_i64,
    ) -> Command {
        let name = |number: Option<u8>| number.map(|number| format!("customer-{number}").into());
        let request = TransferRequest {
            from: name(from),
            to: name(to),
            external_id: id.map(|id| format!("transfer-{id}").into()),
            ..TransferRequest::new(Amount::new(cents).unwrap())
        };
        let what = Intent::Request(AccountId(account), Request::Transfer(request));
        Command { at: at(second), cause: Cause::default(), what }
    }
}

fn money() -> [Command; 2] {
    [given("loja", 10_000), given("feira", 5_000)]
}

fn sequencer() -> Sequencer {
    let mut sequencer = Sequencer::new("live", Identity::by_name(Algorithm::Blake3, [7; 32]));
    for command in opening().into_iter().chain(money()) {
        sequencer.execute(command).unwrap();
    }
    sequencer
}

/// An engine of the same ledger, over a journal in memory.
fn engine() -> Engine {
    let mode = OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
    let journal = MemoryJournal::open(&MemoryDisk::new(), "live", mode).unwrap();
    let engine = Engine::builder("live").start(Box::new(journal)).unwrap();
    for command in opening().into_iter().chain(money()) {
        engine.execute(command).wait().unwrap().unwrap();
    }
    engine
}

/// Returns what `ask` asks, which waits in the queue as a whole before any of it is decided.
fn queued<T>(engine: &Engine, ask: impl FnOnce() -> T) -> T {
    let (go, waits) = std::sync::mpsc::channel::<()>();
    let held = engine.decide(move |_| waits.recv().unwrap());
    let asked = ask();
    go.send(()).unwrap();
    held.wait().unwrap();
    asked
}

fn named(from: Option<&str>, to: &str, id: &str) -> Command {
    let request = TransferRequest {
        from: from.map(Into::into),
        to: Some(to.into()),
        external_id: Some(id.into()),
        ..TransferRequest::new(Amount::new(100).unwrap())
    };
    let what = Intent::Request(AccountId(0), Request::Transfer(request));
    Command { at: at(0), cause: Cause::default(), what }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_block_comes_to_what_its_commands_come_to_one_by_one(
        commands in proptest::collection::vec(transfer(), 0..3 * BLOCK),
    ) {
        let (mut alone, mut together) = (sequencer(), sequencer());
        let expected: Vec<_> =
            commands.clone().into_iter().map(|command| alone.execute(command)).collect();
        prop_assert_eq!(together.execute_all(commands), expected);
        prop_assert_eq!(together.head(), alone.head());
    }

    #[test]
    fn commands_of_a_crowd_come_to_what_they_come_to_one_by_one(
        commands in proptest::collection::vec(transfer(), 0..3 * BLOCK),
        other in proptest::option::of(any::<proptest::sample::Index>()),
    ) {
        let (mut alone, engine) = (sequencer(), engine());
        let expected: Vec<_> =
            commands.clone().into_iter().map(|command| alone.execute(command)).collect();
        // Something else may stand among them.
        let other = other.map(|other| other.index(commands.len() + 1));
        let answers: Vec<Ticket<_>> = queued(&engine, || {
            let ask = |(place, command)| {
                let _ = (other == Some(place)).then(|| engine.view());
                engine.execute(command)
            };
            commands.into_iter().enumerate().map(ask).collect()
        });
        let answers: Vec<_> = answers.into_iter().map(|answer| answer.wait().unwrap()).collect();
        prop_assert_eq!(answers, expected);
        prop_assert_eq!(engine.stop().unwrap(), alone.head());
    }
}

#[test]
fn a_command_finds_what_the_one_before_it_in_the_block_made() {
    let answers = sequencer().execute_all(vec![
        named(None, "ana", "t-1"),
        named(Some("ana"), "bia", "t-2"),
        named(Some("ana"), "bia", "t-2"),
    ]);
    let [Ok(Outcome::Created(_)), Ok(Outcome::Created(second)), Ok(Outcome::Repeated(again))] =
        answers[..]
    else {
        panic!("{answers:?}")
    };
    assert_eq!(second, again);
}
