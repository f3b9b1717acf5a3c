//! Records that no decision made: a ledger that is replayed refuses each, whatever its operation.
//! And whose the operations are that decisions made.

#[path = "../../../ledger-core/tests/machines/golden.rs"]
mod golden;
mod numbers;
mod order;

use std::collections::BTreeSet;

use ledger_core::id::{AccountId, AgentId, Kind, OpId, Seq};
use ledger_core::ledger::{Archive, Event, Ledger, Record};
use ledger_core::machine::agent::{self, Admission};
use ledger_core::machine::unmatched_deposit::Event::{Received, SplitOff};
use ledger_store::archive::MemoryArchive;

use crate::run::Run;
use crate::settings::Settings;
use crate::system_under_test::store::NAME;

/// Those in which an operation of every kind is asked for; in the last, a withdrawal is resumed, a
/// conversion's delivery begins again, and a token is kept.
const SEEDS: [u64; 15] = [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 64];

/// Every record of some histories, with the ledger as it stood before.
fn every_record(mut look: impl FnMut(&Ledger<MemoryArchive>, &Record)) {
    for seed in SEEDS {
        let mut run = Run::remembering(Settings::commands(seed, 1_000)).unwrap();
        run.through(&mut |_| ()).unwrap();
        let mut live = Ledger::new(NAME, MemoryArchive::new());
        let mut again = live.clone();
        for command in run.into_commands() {
            for record in live.execute(command).records {
                look(&again, &record);
                again.replay(&record).unwrap();
            }
        }
    }
}

fn operation(event: &mut Event) -> Option<&mut OpId> {
    match event {
        Event::Charge { op, .. }
        | Event::Transfer { op, .. }
        | Event::Payout { op, .. }
        | Event::Hold { op, .. }
        | Event::Suspense { op, .. }
        | Event::Conversion { op, .. }
        | Event::ErroneousDelivery { op, .. }
        | Event::CashOut { op, .. }
        | Event::UnmatchedDeposit { op, .. }
        | Event::WalletDeposit { op, .. }
        | Event::CryptoWithdrawal { op, .. }
        | Event::WalletPayment { op, .. }
        | Event::Quote { op, .. }
        | Event::Entry { op, .. }
        | Event::FeeAdjusted { op, .. }
        | Event::BalanceWrittenOff { op, .. }
        | Event::BalanceCarried { op, .. } => Some(op),
        _ => None,
    }
}

/// The record with the operation of one of its events changed, for each event that has one.
fn mutate_ops(record: &Record, change: impl Fn(OpId) -> OpId) -> impl Iterator<Item = Record> {
    (0..record.events.len()).filter_map(move |place| {
        let mut tampered = record.clone();
        let op = operation(&mut tampered.events[place])?;
        *op = change(*op);
        Some(tampered)
    })
}

/// Returns what kind of event it is, and of what.
fn name(event: &Event) -> String {
    let reported = format!("{event:?}");
    let word =
        |text: &str| -> String { text.chars().take_while(|c| c.is_alphanumeric()).collect() };
    let mut name = word(&reported);
    for inner in reported.split("event: ").skip(1) {
        let mut rest = inner;
        loop {
            let step = word(rest);
            name = format!("{name} {step}");
            // A step of a purchase or a delivery is inside the event of its operation.
            let is_within = matches!(step.as_str(), "Purchase" | "Delivery");
            match rest[step.len()..].strip_prefix('(').filter(|_| is_within) {
                Some(within) => rest = within,
                None => break,
            }
        }
    }
    name
}

fn assert_refused(before: &Ledger<MemoryArchive>, tampered: &Record) {
    let replayed = before.clone().replay(tampered);
    assert!(replayed.is_err(), "a record that no decision made is replayed: {tampered:?}");
}

#[test]
fn no_event_happens_to_an_operation_of_another_kind() {
    let mut seen = BTreeSet::new();
    every_record(|before, record| {
        for other in Kind::all() {
            // A conversion and a withdrawal of commission are one machine under two names.
            let alike = |kind| matches!(kind, Kind::Conversion | Kind::CommissionWithdrawal);
            let differs = |op: OpId| op.kind() != other && !(alike(op.kind()) && alike(other));
            let ops =
                record.events.iter().filter_map(|event| operation(&mut event.clone()).copied());
            if !ops.clone().all(differs) {
                continue;
            }
            seen.extend(ops);
            for tampered in mutate_ops(record, |op| OpId::new(other, op.seq())) {
                assert_refused(before, &tampered);
            }
        }
    });
    let kinds: BTreeSet<Kind> = seen.iter().map(|op| op.kind()).collect();
    assert_eq!(kinds.len(), Kind::all().count(), "of every kind there was one: {kinds:?}");
}

#[test]
fn no_operation_is_named_after_a_record_that_did_not_create_it() {
    every_record(|before, record| {
        let fresh = |op: OpId| {
            let known =
                before.state.open(op).is_some() || before.archive.ended_operation(op).is_some();
            !known && op.seq() == record.seq
        };
        let tampered = |event: &Event| operation(&mut event.clone()).is_some_and(|op| fresh(*op));
        if record.events.iter().any(tampered) {
            let later =
                |op: OpId| if fresh(op) { OpId::new(op.kind(), Seq(op.seq().0 + 1)) } else { op };
            for tampered in mutate_ops(record, later).filter(|tampered| tampered != record) {
                assert_refused(before, &tampered);
            }
        }
    });
}

#[test]
fn no_operation_is_created_twice() {
    let mut kinds = BTreeSet::new();
    every_record(|before, record| {
        let created = record.events.iter().filter_map(Event::creation);
        let created: Vec<Kind> = created.map(|(op, ..)| op.kind()).collect();
        kinds.extend(&created);
        if !created.is_empty() {
            let mut after = before.clone();
            after.replay(record).unwrap();
            assert_refused(&after, &Record { seq: record.seq.next(), ..record.clone() });
        }
    });
    // Those that somebody asks for; the others are found.
    let asked = Kind::all().filter(|kind| {
        !matches!(
            kind,
            Kind::Hold
                | Kind::Suspense
                | Kind::Adjustment
                | Kind::Entry
                | Kind::ErroneousDelivery
                | Kind::UnmatchedDeposit
        )
    });
    assert_eq!(kinds, asked.collect());
}

#[test]
fn every_operation_is_whose_it_was_asked_for() {
    let mut kinds = BTreeSet::new();
    every_record(|before, record| {
        let created: Vec<_> = record.events.iter().filter_map(Event::creation).collect();
        let created = created.into_iter().map(|(op, account, _)| (op, Some(account)));
        let received = record.events.iter().filter_map(|event| match event {
            Event::UnmatchedDeposit { op, event: Received(order) | SplitOff(order) } => {
                Some((*op, order.account))
            }
            _ => None,
        });
        let found: Vec<_> = created.chain(received).collect();
        if found.is_empty() {
            return;
        }
        let mut after = before.clone();
        after.replay(record).unwrap();
        for (op, account) in found {
            let known = after.state.open(op).cloned().or_else(|| after.archive.ended_operation(op));
            assert_eq!(known.unwrap().account(), account, "{op:?}");
            kinds.insert(op.kind());
        }
    });
    assert_eq!(kinds.len(), 11, "{kinds:?}");
}

#[test]
fn no_agent_comes_out_of_turn_or_with_what_is_not_its_own() {
    let mut came = 0;
    every_record(|before, record| {
        let admitted = record.events.iter().position(|event| {
            matches!(event, Event::Agent { event: agent::Event::Admitted(_), .. })
        });
        let Some(place) = admitted else { return };
        let with = |change: &dyn Fn(&mut AgentId, &mut Admission)| {
            let mut tampered = record.clone();
            if let Event::Agent { agent, event: agent::Event::Admitted(known) } =
                &mut tampered.events[place]
            {
                change(agent, known);
            }
            assert_refused(before, &tampered);
        };
        with(&|agent, _| agent.0 += 1);
        with(&|_, known| known.profile.account = AccountId(900));
        with(&|agent, known| known.referrer = Some(*agent));
        let other = before.state.members().find_map(|(_, member)| member.state.agent());
        if let Some(other) = other {
            came += 1;
            with(&|_, known| known.profile.account = other.profile.account);
            with(&|_, known| known.profile.id = other.profile.id.clone());
        }
    });
    assert!(came > 3, "agents came beside others: {came}");
}
