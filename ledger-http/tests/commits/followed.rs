//! A replica over HTTP answers what the writer answers, through cuts and restarts, and shows nobody
//! who was erased.

use std::time::{Duration, Instant};

use ledger_core::contract::{Call, Environment};
use ledger_core::pix::{Document, Letters};
use ledger_store::engine::{Engine, ReplicaError};
use ledger_store::journal::Journal;
use ledger_store::vault::Person;
use ledger_store::{AppendError, Commit, MemoryDisk, MemoryJournal, OpenMode};

use crate::faults::{Fault, Faults};
use crate::setup::story;
use crate::writer::{GIFT, LIVE, OPEN, PATIENCE, Writer, call, get, mode, until};

/// Returns what a story's line brings into the world, as its answers name it.
fn path_of(answer: &serde_json::Value) -> Option<String> {
    let id = |field: &str| answer[field].as_str();
    let charge = id("cashin_id").map(|id| format!("/cashin/{id}/status"));
    charge.or_else(|| id("cashout_id").map(|id| format!("/cash-outs/{id}")))
}

#[test]
fn a_replica_over_http_answers_what_the_writer_answers_at_each_record() {
    let writer = Writer::start(&MemoryDisk::new(), 0, &Faults::none());
    let replica = writer.replica();
    let mut paths: Vec<String> =
        ["/saldo", "/saldo/extrato", "/saldo/clientes", "/keys/me", "/saldo?customer_ref=ana"]
            .map(str::to_owned)
            .into();
    let (mut keys, mut shown, mut line_number) = (Vec::new(), 0, 0);
    story::each_line(200, |line| {
        let line = call(line);
        let key = line.supplied["key"].as_str().map(str::to_owned);
        keys.extend(key.filter(|key| key.starts_with("svc_")));
        let answer = writer.engine.call(line).wait().unwrap();
        paths.extend(path_of(&answer.body));
        line_number += 1;
        // Whatever has come due is recorded now, so that reads of the writer record nothing.
        let now = writer.engine.view().wait().unwrap().now;
        writer.engine.call(Call::time_passed(now)).wait().unwrap();
        let seq = writer.head().seq;
        let paths = paths.iter().take(5).chain(paths.iter().rev().take(3));
        for path in paths {
            let asked = get(&keys[line_number % keys.len()], path);
            let there = replica.call(asked.clone(), seq, PATIENCE).wait().unwrap();
            let now = writer.engine.view().wait().unwrap().now;
            let here = writer.engine.call(Call { at: now, ..asked }).wait().unwrap();
            assert_eq!((there.seq, writer.head().seq), (seq, seq), "{path}");
            assert_eq!(there.answer, here, "{path} at record {seq}");
            shown += usize::from(here.status == 200);
        }
        answer
    });
    assert!(shown > 800, "{shown}");
    assert_eq!((replica.head(), replica.fault()), (writer.head(), None));
    // One that begins now reads pages of many rows, and comes to the same.
    let late = writer.replica();
    let seq = writer.head().seq;
    for path in &paths {
        let asked = get(&keys[0], path);
        let one = late.call(asked.clone(), seq, PATIENCE).wait().unwrap();
        assert_eq!(one, replica.call(asked, seq, PATIENCE).wait().unwrap(), "{path}");
    }
}

#[test]
fn who_is_erased_at_the_writer_is_shown_by_no_replica_over_http() {
    let writer = Writer::start(&MemoryDisk::new(), 0, &Faults::none());
    let replica = writer.replica();
    for line in [OPEN, GIFT] {
        writer.say(line);
    }
    let cpf = "52998224725";
    writer.say(&format!(
        r#"{{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"POST /payouts","body":{{"amount_cents":5000,"tax_number":"{cpf}","pix_key":"{cpf}","external_id":"o-1"}}}}"#,
    ));
    let seq = writer.head().seq;
    let path = "/payouts?external_id=o-1";
    let asked = || replica.call(get("svc_live_loja", path), seq, PATIENCE).wait().unwrap();
    let before = asked().answer.body.to_string();
    assert!(before.contains(cpf) || before.contains("***"), "{before}");
    assert!(!before.contains("[apagado]"), "{before}");
    let document = Document::parse(cpf, Letters::Accepted).unwrap();
    writer.engine.erase(Person::default().document(&document)).wait().unwrap();
    let after = asked();
    assert!(after.answer.body.to_string().contains("[apagado]"), "{}", after.answer.body);
    assert_eq!(after.seq, seq);
}

#[test]
fn a_writer_that_is_started_again_is_followed_on() {
    let (disk, faults) = (MemoryDisk::new(), Faults::none());
    let mut writer = Writer::start(&disk, 0, &faults);
    writer.say(OPEN);
    let replica = writer.replica();
    for round in 0..4 {
        let seq = writer.charge(round);
        replica.committed_at(seq, PATIENCE).wait().unwrap();
        let (port, began) = (writer.address.port(), Instant::now());
        // A page that is waited for keeps nobody from ending.
        assert!(writer.end());
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        until(|| replica.fault().is_some(), || "the writer is away".to_owned());
        assert!(matches!(replica.fault(), Some(ReplicaError::Away(_))), "{:?}", replica.fault());
        for _ in 0..50 {
            // It says so for as long as it is.
            assert!(replica.fault().is_some());
            std::thread::sleep(Duration::from_millis(10));
        }
        // What was followed is answered meanwhile, and what is shown of persons is not.
        let saldo = replica.call(get("svc_live_loja", "/saldo"), seq, PATIENCE).wait().unwrap();
        assert_eq!((saldo.seq, saldo.answer.status), (seq, 200));
        let charges = format!("/cashin/charges?external_id=p-{round}");
        let unknown = replica.call(get("svc_live_loja", &charges), seq, PATIENCE).wait();
        assert!(matches!(unknown, Err(ReplicaError::Away(_))), "{unknown:?}");
        writer = Writer::start(&disk, port, &faults);
    }
    let seq = writer.charge(99);
    let answer =
        replica.call(get("svc_live_loja", "/cashin/charges?external_id=p-99"), seq, PATIENCE);
    assert_eq!(answer.wait().unwrap().answer.body["charges"].as_array().unwrap().len(), 1);
    assert_eq!((replica.head(), replica.fault()), (writer.head(), None));
}

#[test]
fn a_line_that_is_cut_or_slow_or_silent_costs_time_and_no_record() {
    let (disk, faults) = (MemoryDisk::new(), Faults::none());
    let writer = Writer::start(&disk, 0, &faults);
    writer.say(OPEN);
    let replica = writer.replica();
    replica.committed_at(1, PATIENCE).wait().unwrap();
    for (number, length) in [0, 1, 24, 90, 130, 140, 200].into_iter().enumerate() {
        faults.set(Fault::Cut(length));
        let seq = writer.charge(2 * number as u64);
        until(|| replica.fault().is_some(), || format!("cut at {length}"));
        assert!(matches!(replica.fault(), Some(ReplicaError::Away(_))), "{:?}", replica.fault());
        assert!(replica.head().seq < seq);
        faults.set(Fault::Slow(7));
        replica.committed_at(seq, PATIENCE).wait().unwrap();
        let seq = writer.charge(2 * number as u64 + 1);
        replica.committed_at(seq, PATIENCE).wait().unwrap();
        until(|| replica.fault().is_none(), || format!("{:?}", replica.fault()));
    }
    faults.set(Fault::Held);
    let seq = writer.head().seq;
    writer.charge(99);
    std::thread::sleep(Duration::from_millis(100));
    let began = Instant::now();
    let asked = get("svc_live_loja", "/cashin/charges?external_id=p-1");
    let answer = replica.call(asked, seq, PATIENCE).wait().unwrap();
    // It shows the payer, whose values are asked for beside the page that does not come.
    assert_eq!(answer.answer.body["charges"].as_array().unwrap().len(), 1);
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    assert_eq!(replica.head().seq, seq);
}

#[test]
fn a_writer_that_failed_is_away_until_it_gives_a_page() {
    let (disk, faults) = (MemoryDisk::new(), Faults::none());
    let writer = Writer::start(&disk, 0, &faults);
    writer.say(OPEN);
    let seq = writer.charge(1);
    let replica = writer.replica();
    replica.committed_at(seq, PATIENCE).wait().unwrap();
    faults.set(Fault::Cut(10));
    writer.charge(2);
    until(|| replica.fault().is_some(), || "the page was cut".to_owned());
    faults.set(Fault::Held);
    std::thread::sleep(Duration::from_millis(500));
    let began = Instant::now();
    for _ in 0..50 {
        assert!(matches!(replica.fault(), Some(ReplicaError::Away(_))), "{:?}", replica.fault());
        std::thread::sleep(Duration::from_millis(10));
    }
    // What is known is answered, and what must be asked for is refused at once.
    let saldo = replica.call(get("svc_live_loja", "/saldo"), seq, PATIENCE).wait().unwrap();
    assert_eq!((saldo.seq, saldo.answer.status), (seq, 200));
    let asked = get("svc_live_loja", "/cashin/charges?external_id=p-1");
    let unknown = replica.call(asked, seq, PATIENCE).wait();
    assert!(matches!(unknown, Err(ReplicaError::Away(_))), "{unknown:?}");
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}

#[test]
fn nothing_can_be_written_to_a_stream_and_its_replica_is_never_promoted() {
    let writer = Writer::start(&MemoryDisk::new(), 0, &Faults::none());
    writer.say(OPEN);
    let replica = writer.replica();
    replica.committed_at(1, PATIENCE).wait().unwrap();
    let stream = "a stream of commits, which has no store to write to";
    let promoted = replica.promote(Engine::builder(LIVE), Box::new(writer.journal()));
    let error = promoted.unwrap_err();
    let causes = std::iter::successors(Some(&error as &dyn std::error::Error), |it| it.source());
    let said: Vec<String> = causes.map(ToString::to_string).collect();
    assert!(said.iter().any(|said| said.contains(stream)), "{said:?}");
    // It goes on to read.
    let seq = writer.charge(1);
    assert_eq!(replica.committed_at(seq, PATIENCE).wait().unwrap().seq, seq);

    let mut journal = writer.journal();
    assert_eq!(journal.head().unwrap(), writer.head());
    let rows = journal.read(1, 1).unwrap();
    let commit = Commit { previous: writer.head(), rows, vault: Vec::new() };
    match journal.append(&commit).unwrap_err() {
        AppendError::Failed(source) => assert!(source.to_string().contains(stream), "{source}"),
        other => panic!("{other}"),
    }
    let minute = Duration::from_mins(1);
    for refused in [
        journal.open_writer().map(drop),
        journal.claim(None).map(drop),
        journal.renew(minute),
        journal.release(),
        journal.erase([0; 16]).map(drop),
        journal.release_hold("h", &note()).map(drop),
    ] {
        assert!(refused.unwrap_err().to_string().contains(stream));
    }
    assert!(!journal.is_last_writer().unwrap());
    // What it cannot say it does not answer by nothing.
    for unsaid in [journal.vault().map(drop), journal.holds().map(drop)] {
        assert!(unsaid.is_err());
    }
    assert_eq!(writer.head().seq, seq);
}

fn note() -> ledger_store::vault::OperatorNote {
    let at = ledger_core::time::Instant::default();
    ledger_store::vault::OperatorNote { at, by: "bia".into(), reason: "it is over".into() }
}

#[test]
fn a_stream_reads_here_and_there_as_its_journal_does() {
    let disk = MemoryDisk::new();
    let writer = Writer::start(&disk, 0, &Faults::none());
    writer.say(OPEN);
    for number in 0..40 {
        writer.charge(number);
    }
    let mut there = writer.journal();
    let mut here = MemoryJournal::open(&disk, LIVE, OpenMode::ReadOnly).unwrap();
    assert!(there.identity() == here.identity());
    let last = writer.head().seq;
    for (from, rows) in [(1, 1), (2, 3), (5, 16), (last, 4), (7, 1), (8, 2), (9, 64), (1, 100)] {
        let (found, all) = (there.read(from, rows).unwrap(), here.read(from, rows).unwrap());
        // It may have fewer at hand.
        assert!(!found.is_empty() && all.starts_with(&found), "{from}: {}", found.len());
    }
    assert_eq!(there.read(last + 1, 1).unwrap(), []);
    assert_eq!(there.head().unwrap(), here.head().unwrap());
    let mut values = here.vault().unwrap();
    assert!(!values.is_empty());
    let tokens: Vec<_> = values.iter().map(|row| row.token).chain([[9; 16]]).collect();
    values.sort_unstable_by_key(|row| row.token);
    assert!(there.values(&tokens).unwrap() == values);
    assert!(there.values(&[]).unwrap().is_empty());
    let again = MemoryJournal::open(&disk, LIVE, mode(7, Environment::Live)).unwrap();
    assert!(again.identity() == there.reader().unwrap().identity());
}
