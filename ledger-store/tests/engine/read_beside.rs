//! Reads beside the thread that decides: the same answers, of the same records.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::mpsc;

use ledger_core::id::{AccountId, OpId, Seq, SubaccountId};
use ledger_core::ledger::{Archive as _, Event, ExternalId};
use ledger_store::engine::{CommittedRead, Engine, EngineError, Read};
use ledger_store::journal::MemoryDisk;
use ledger_store::sequencer::{Sequencer, leaves_nothing};

use super::gate::Fate;
use super::past::started_after_a_snapshot;
use super::setup::{LIVE, call, memory, story};
use super::{charge, count_of, poll, reopened, started, started_on};

/// A read that is still to be carried out.
pub fn prepare<T: Send + 'static>(
    engine: &Engine,
    work: impl FnOnce(&mut Sequencer) -> T + Send + 'static,
) -> CommittedRead<T> {
    let read = engine.with_permit(|permit| permit.read(|_| true, work)).wait().unwrap();
    let Read::Prepared(read) = read else { panic!("it was not to be answered there") };
    read
}

/// How many charges there are under the `external_id` of this number, as a reader finds.
fn count_beside(engine: &Engine, number: u64) -> Result<usize, EngineError> {
    let ask = listing(number);
    let answer = prepare(engine, move |sequencer| sequencer.call(&ask)).carry_out()?;
    Ok(answer.body["charges"].as_array().unwrap().len())
}

fn listing(number: u64) -> ledger_core::contract::Call {
    call(&format!(
        r#"{{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"GET /cashin/charges?external_id=p-{number}"}}"#
    ))
}

/// All that an archive and a vault say of the records of a state, and of some that are not there.
fn everything(sequencer: &Sequencer) -> String {
    let (ledger, mut said) = (sequencer.ledger(), String::new());
    let (state, archive, last) = (&ledger.state, &ledger.archive, ledger.state.seq.0);
    let mut write = |it: &dyn std::fmt::Debug| writeln!(said, "{it:?}").unwrap();
    let (mut ops, mut instants) = (BTreeSet::new(), BTreeSet::new());
    for seq in 0..last + 3 {
        let record = archive.record(Seq(seq));
        write(&record);
        let Some(record) = record else { continue };
        instants.insert(record.at);
        write(&record.outside.as_ref().map(|outside| archive.fact_seq(outside)));
        for (op, account, id) in record.events.iter().filter_map(Event::creation) {
            write(&id.map(|id| archive.identity(account, op.kind(), id)));
            write(&archive.identity(account, op.kind(), "nobody's"));
        }
        ops.extend(record.events.iter().filter_map(Event::op));
    }
    for op in ops {
        let shown = (state.open(op), archive.ended_operation(op), sequencer.persons_of(op));
        write(&(op, shown, archive.records_of(op, Seq(last)).len()));
    }
    for subaccount in (0..60).map(SubaccountId) {
        let rows = state.books.subaccount(subaccount).rows;
        let name = archive.customer(subaccount);
        write(&(subaccount, name, archive.balance_after(subaccount)));
        (1..=rows).for_each(|number| write(&archive.row(subaccount, number)));
        for at in &instants {
            write(&archive.balance_at(subaccount, rows, *at));
        }
        let account = state.subaccount(subaccount).map(|known| known.account);
        write(&account.zip(name).map(|(account, name)| archive.subaccount(account, name)));
    }
    for account in (0..3).map(AccountId) {
        (1..=40).for_each(|number| write(&archive.commission_row(account, number)));
        write(&archive.subaccount(account, "nobody"));
    }
    write(&sequencer.head());
    said
}

/// The finds by a name, an external id or the identity of a fact at the end of a story.
#[derive(Clone)]
struct KnownKeys {
    names: Vec<(AccountId, String, SubaccountId)>,
    ids: Vec<(AccountId, OpId, String)>,
    facts: Vec<(ExternalId, Seq)>,
}

impl KnownKeys {
    fn in_all_of(sequencer: &Sequencer) -> Self {
        let ledger = sequencer.ledger();
        let (state, archive) = (&ledger.state, &ledger.archive);
        let (mut names, mut ids, mut facts) = (Vec::new(), Vec::new(), Vec::new());
        let subaccounts = (0..).map(SubaccountId).map_while(|id| Some((id, state.subaccount(id)?)));
        for (id, subaccount) in subaccounts {
            names.extend(archive.customer(id).map(|name| (subaccount.account, name.into(), id)));
        }
        for record in (1..=state.seq.0).filter_map(|seq| archive.record(Seq(seq))) {
            facts.extend(record.outside.clone().map(|outside| (outside, record.seq)));
            for (op, account, id) in record.events.iter().filter_map(Event::creation) {
                ids.extend(id.map(|id| (account, op, id.to_owned())));
            }
        }
        Self { names, ids, facts }
    }

    /// Asserts that a reader finds those of its own records, and none of those that followed.
    fn assert_until(&self, sequencer: &Sequencer) {
        let (state, archive) = (&sequencer.ledger().state, &sequencer.ledger().archive);
        for (account, name, id) in &self.names {
            let known = state.subaccount(*id).map(|_| *id);
            assert_eq!(archive.subaccount(*account, name), known, "{name}");
            archive.subaccounts(&[(*account, name)], &mut |found| assert_eq!(found, known));
        }
        for (account, op, id) in &self.ids {
            let known = Some(*op).filter(|op| op.seq() <= state.seq);
            assert_eq!(archive.identity(*account, op.kind(), id), known, "{id}");
        }
        for (outside, seq) in &self.facts {
            let known = Some(*seq).filter(|seq| *seq <= state.seq);
            assert_eq!(archive.fact_seq(outside), known, "{outside:?}");
        }
    }
}

#[test]
fn a_reader_shows_what_was_committed_when_it_was_asked_whatever_follows() {
    let (engine, gate, disk) = started();
    let mut lines = 0;
    let mut reads = Vec::new();
    story::each_line(900, |text| {
        lines += 1;
        let answer = engine.call(call(text)).wait().unwrap();
        if lines % 250 == 0 {
            let expected = engine.decide(|sequencer| everything(sequencer)).wait().unwrap();
            let (sender, later) = mpsc::channel::<KnownKeys>();
            let read = prepare(&engine, move |sequencer| {
                later.recv().unwrap().assert_until(sequencer);
                everything(sequencer)
            });
            reads.push((expected, sender, read));
        }
        answer
    });
    assert!(reads.len() >= 3 && reads[0].0.len() > 10_000);
    let later = engine.decide(|sequencer| KnownKeys::in_all_of(sequencer)).wait().unwrap();
    assert!(later.names.len() > 5 && later.ids.len() > 50 && later.facts.len() > 50);
    for (expected, sender, read) in reads {
        sender.send(later.clone()).unwrap();
        let found = read.carry_out().unwrap();
        let differs = expected.lines().zip(found.lines()).find(|(one, other)| one != other);
        assert!(found == expected, "{differs:?}");
    }

    // So does one of an engine that was opened from the journal.
    drop(engine);
    let engine = started_on(&disk, &gate);
    let expected = everything(&reopened(&disk));
    assert!(prepare(&engine, |sequencer| everything(sequencer)).carry_out().unwrap() == expected);
}

#[test]
fn whoever_was_answered_reads_beside_what_was_answered() {
    let (engine, ..) = started();
    std::thread::scope(|scope| {
        for caller in 0..8_u64 {
            let engine = &engine;
            scope.spawn(move || {
                for number in (0..30).map(|turn| caller * 1_000 + turn) {
                    assert_eq!(engine.call(charge(number)).wait().unwrap().status, 200);
                    assert_eq!(count_beside(engine, number), Ok(1), "{number} was answered");
                }
            });
        }
    });
    assert_eq!(engine.counters().reads, 240);
}

#[test]
fn a_read_shows_nothing_of_a_commit_that_is_under_way_or_failed() {
    let (engine, gate, disk) = started();
    let ask = listing(1);
    let before = prepare(&engine, move |sequencer| sequencer.call(&ask));
    let again = listing(1);
    let later = prepare(&engine, move |sequencer| sequencer.call(&again));
    gate.close();
    let decided = engine.call(charge(1));
    gate.wait_for_an_append();
    // What comes behind it is not answered before it is known what becomes of it.
    let mut behind = engine.with_permit(|permit| permit.read(|_| true, |_| ()));
    std::thread::sleep(std::time::Duration::from_millis(50));
    assert!(poll(&mut behind).is_pending());
    let none = |read: Result<ledger_core::contract::Response, EngineError>| {
        assert!(read.unwrap().body["charges"].as_array().unwrap().is_empty());
    };
    none(before.carry_out());
    gate.next([Fate::Failed]);
    gate.open();
    assert!(matches!(decided.wait(), Err(EngineError::NotWritten(_))));
    // It was decided on what is lost, or after the sequencer was rebuilt.
    if let Ok(read) = behind.wait() {
        read.answer().unwrap();
    }
    none(later.carry_out());
    assert_eq!(count_beside(&engine, 1), Ok(0));
    assert_eq!(engine.call(charge(1)).wait().unwrap().status, 200);
    assert_eq!(count_beside(&engine, 1), Ok(1));
    assert_eq!(engine.stop().unwrap(), reopened(&disk).head());
}

#[test]
fn a_read_that_takes_long_holds_up_nobody() {
    let (engine, ..) = started();
    let (begun, begins) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let ask = listing(1);
    let read = prepare(&engine, move |sequencer| {
        begun.send(()).unwrap();
        released.recv().unwrap();
        sequencer.call(&ask)
    });
    std::thread::scope(|scope| {
        let read = scope.spawn(|| read.carry_out());
        begins.recv().unwrap();
        for number in 1..=20 {
            assert_eq!(engine.call(charge(number)).wait().unwrap().status, 200);
        }
        assert_eq!(count_beside(&engine, 1), Ok(1), "nor does it hold up another reader");
        release.send(()).unwrap();
        let answer = read.join().unwrap().unwrap();
        assert!(answer.body["charges"].as_array().unwrap().is_empty(), "it came after the read");
    });
}

#[test]
fn a_record_that_left_memory_is_read_back_and_one_that_cannot_be_stops_nobody_else() {
    let (engine, gate, _) = started();
    engine.call(charge(1)).wait().unwrap();
    let batches: Vec<_> = (0..24).map(|_| engine.execute_all(super::past::ticks(3_500))).collect();
    for batch in batches {
        assert!(batch.wait().unwrap().iter().all(Result::is_ok));
    }
    gate.fail_a_read();
    let failed = count_beside(&engine, 1).unwrap_err();
    assert!(matches!(failed, EngineError::NotWritten(why) if why.contains("the disk is gone")));
    assert_eq!(count_beside(&engine, 1), Ok(1));
    assert_eq!((count_of(&engine, 1), engine.counters().failures), (1, 0));
}

#[test]
fn a_commit_beyond_a_stretch_that_is_read_back_meanwhile_is_not_told_as_another_journals() {
    let (engine, gate, _) = started_after_a_snapshot();
    let execute = |count| engine.execute_all(super::past::ticks(count)).wait().unwrap();
    assert!(execute(1_000).iter().all(Result::is_ok));
    gate.hold_at_the_end();
    std::thread::scope(|scope| {
        let read = scope.spawn(|| count_beside(&engine, 1));
        gate.wait_for_a_reader_at_the_end();
        // The stretch of 1,024 records that is read ends among these.
        assert!(execute(100).iter().all(Result::is_ok));
        gate.let_readers_go();
        assert_eq!(read.join().unwrap(), Ok(1));
    });
}

#[test]
fn what_memory_holds_is_read_while_the_journal_cannot_be_opened_once_more() {
    let (engine, gate, _) = started_after_a_snapshot();
    gate.make_unopenable();
    let line =
        r#"{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"GET /saldo/consolidado"}"#;
    let ask = call(line);
    let shown = prepare(&engine, move |sequencer| sequencer.call(&ask)).carry_out().unwrap();
    assert_eq!(shown.status, 200);
    let failed = count_beside(&engine, 1).unwrap_err();
    assert!(
        matches!(failed, EngineError::NotWritten(why) if why.contains("no connection is left"))
    );
    gate.make_openable();
    assert_eq!(count_beside(&engine, 1), Ok(1));
}

/// As many engines as keep their threads for long: whichever waits beside them rests soon.
fn crowd() -> Vec<Engine> {
    let open = |_| Engine::builder(LIVE).start(Box::new(memory(&MemoryDisk::new()))).unwrap();
    let crowd: Vec<_> = (0..16).map(open).collect();
    for engine in &crowd {
        engine.view().wait().unwrap();
    }
    crowd
}

#[test]
fn an_engine_that_rests_keeps_no_connection_of_a_read_that_ends_later() {
    let _crowd = crowd();
    let (engine, gate, _) = started_after_a_snapshot();
    let (begun, begins) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let (before, ask) = (gate.open_readers(), listing(1));
    let read = prepare(&engine, move |sequencer| {
        let answer = sequencer.call(&ask);
        begun.send(()).unwrap();
        released.recv().unwrap();
        answer
    });
    let counting = gate.clone();
    let rests = engine.decide(move |_| counting.rests()).wait().unwrap();
    std::thread::scope(|scope| {
        let read = scope.spawn(|| read.carry_out());
        begins.recv().unwrap();
        assert_eq!(gate.open_readers(), before + 1, "it reads the journal");
        gate.wait_for_a_rest_after(rests);
        release.send(()).unwrap();
        assert_eq!(read.join().unwrap().unwrap().status, 200);
    });
    assert_eq!(gate.open_readers(), before);
    assert_eq!(count_beside(&engine, 1), Ok(1));
}

#[test]
fn an_engine_that_ended_is_dropped_while_a_prepared_read_waits() {
    let (engine, gate, _) = started();
    let read = prepare(&engine, |sequencer| sequencer.head().seq);
    assert!(gate.open_readers() > 0, "what decides reads the journal back");
    drop(engine);
    assert_eq!(gate.open_readers(), 0);
    assert_eq!(read.carry_out(), Err(EngineError::Ended));
}

#[test]
fn a_reader_that_panics_is_told_so_and_the_engine_goes_on() {
    let (engine, gate, _) = started_after_a_snapshot();
    let (readers, ask) = (gate.open_readers(), listing(1));
    let panics = prepare(&engine, move |sequencer| -> usize {
        assert_eq!(sequencer.call(&ask).status, 200, "it reads the journal");
        panic!("it cannot be shown")
    });
    assert_eq!(panics.carry_out(), Err(EngineError::Panicked("it cannot be shown".to_owned())));
    assert_eq!(gate.open_readers(), readers, "its connection is not used again");
    assert_eq!(engine.call(charge(2)).wait().unwrap().status, 200);
    assert_eq!(count_beside(&engine, 1), Ok(1));
    assert_eq!(count_beside(&engine, 2), Ok(1));
}

#[test]
fn a_superseded_engine_prepares_no_read() {
    let (engine, _, disk) = started();
    let newer = Engine::builder(LIVE).take_over().start(Box::new(memory(&disk))).unwrap();
    let read = engine.with_permit(|permit| permit.read(|_| true, |_| ()));
    assert!(matches!(read.wait(), Err(EngineError::Fenced)));
    drop(newer);
}

#[test]
fn what_is_counted_or_decides_is_no_read_that_leaves_nothing() {
    let leaves = |request: &str| {
        let line = format!(
            r#"{{"at":"2026-11-20T12:00:00Z","key":"svc_live_loja","request":"{request}"}}"#
        );
        leaves_nothing(&call(&line))
    };
    for request in ["GET /saldo/extrato", "GET /saldo/consolidado", "GET /webhooks/deliveries"] {
        assert!(leaves(request), "{request}");
    }
    for request in
        ["GET /pix/keys/lookup?key=x", "POST /keys/painel-link", "POST /payouts", "GET /x"]
    {
        assert!(!leaves(request), "{request}");
    }
    assert!(!leaves_nothing(&call(super::OPEN)));
}
