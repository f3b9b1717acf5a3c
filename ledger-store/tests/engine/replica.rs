//! A replica answers reads at a stated record, writes nothing, and can be promoted.

use std::time::{Duration, Instant};

use ledger_core::contract::Call;
use ledger_core::pix::{Document, Letters};
use ledger_store::engine::{Engine, Replica, ReplicaError, StartError};
use ledger_store::journal::OpenMode;
use ledger_store::vault::Person;

use super::gate::Gate;
use super::setup::medium::{Medium, on_every_medium};
use super::setup::rows_given::RowsGiven;
use super::setup::{LIVE, call, lived_in_commits_of, mode, story};
use super::{OPEN, charge, count_of, cpf};

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(30);

/// Longer than any test takes.
const LONG: Duration = Duration::from_mins(2);

fn engine(medium: &impl Medium) -> Engine {
    Engine::builder(LIVE).take_over().start(medium.open(LIVE, mode()).unwrap()).unwrap()
}

fn replica(medium: &impl Medium) -> Replica {
    Replica::builder(LIVE).follow(medium.open(LIVE, OpenMode::ReadOnly).unwrap())
}

fn get(path: &str) -> Call {
    keyed("svc_live_loja", path)
}

fn keyed(key: &str, path: &str) -> Call {
    let at = "2026-11-20T12:00:01Z";
    call(&format!(r#"{{"at":"{at}","key":"{key}","request":"GET {path}"}}"#))
}

fn charges(number: u64) -> Call {
    get(&format!("/cashin/charges?external_id=p-{number}"))
}

/// Returns what a story's line brings into the world, as its answers name it.
fn paths_of(answer: &serde_json::Value) -> Option<String> {
    let id = |field: &str| answer[field].as_str();
    let charge = id("cashin_id").map(|id| format!("/cashin/{id}/status"));
    charge.or_else(|| id("cashout_id").map(|id| format!("/cash-outs/{id}")))
}

fn a_replica_answers_what_the_writer_answers_and_says_at_which_record<M: Medium>() {
    let medium = M::default();
    let (engine, replica) = (engine(&medium), replica(&medium));
    let mut paths: Vec<String> =
        ["/saldo", "/saldo/extrato", "/saldo/clientes", "/keys/me", "/saldo?customer_ref=ana"]
            .map(str::to_owned)
            .into();
    let mut keys = Vec::new();
    story::each_line(150, |line| {
        let line = call(line);
        let key = line.supplied["key"].as_str().map(str::to_owned);
        keys.extend(key.filter(|key| key.starts_with("svc_")));
        let answer = engine.call(line).wait().unwrap();
        paths.extend(paths_of(&answer.body));
        answer
    });
    let seq = engine.head().unwrap().seq;
    let (mut shown, mut now) = (0, engine.view().wait().unwrap().now);
    // Whatever has come due is recorded now, so that reads of the writer record nothing.
    let passed = engine.call(Call::time_passed(now)).wait().unwrap();
    assert_eq!(passed.status, 200);
    let head = engine.head().unwrap();
    assert!(seq <= head.seq);
    for key in &keys {
        for path in &paths {
            let asked = keyed(key, path);
            let there = replica.call(asked.clone(), head.seq, PATIENCE).wait().unwrap();
            assert_eq!(there.seq, head.seq);
            now = engine.view().wait().unwrap().now;
            let here = engine.call(Call { at: now, ..asked }).wait().unwrap();
            assert_eq!(there.answer, here, "{path}");
            shown += usize::from(here.status == 200);
        }
    }
    assert!(shown > 20, "{shown} reads of {} paths by {} keys", paths.len(), keys.len());
    assert_eq!((engine.head().unwrap(), replica.head()), (head, head));
}

fn a_replica_takes_nothing_from_the_writer_and_refuses_every_write<M: Medium>() {
    let medium = M::default();
    let engine = engine(&medium);
    engine.call(call(OPEN)).wait().unwrap();
    let journal = medium.open(LIVE, OpenMode::ReadOnly).unwrap();
    let replica = Replica::builder(LIVE).writer("https://ledger.example").follow(journal);
    let links = call(
        r#"{"at":"2026-11-20T12:00:01Z","request":"POST /keys/painel-link","body":{"email":"a@example.com"}}"#,
    );
    let time = Call::time_passed(engine.view().wait().unwrap().now);
    for write in [charge(1), call(OPEN), time, links] {
        let refused = replica.call(write, 0, PATIENCE).wait().unwrap_err();
        let writer = Some("https://ledger.example".to_owned());
        assert_eq!(refused, ReplicaError::OnlyRead { writer });
        assert!(refused.to_string().contains("replica"), "{refused}");
        assert!(refused.to_string().contains("at https://ledger.example"), "{refused}");
    }
    assert_eq!(replica.call(get("/saldo"), 1, PATIENCE).wait().unwrap().answer.status, 200);
    // The writer has no lease, and asks the journal before each answer: nobody took over.
    assert_eq!(engine.call(charge(1)).wait().unwrap().status, 200);
    assert_eq!(engine.stop().unwrap().seq, 2);
}

fn a_read_waits_for_its_record_and_no_longer_than_it_may<M: Medium>() {
    let medium = M::default();
    let (engine, replica) = (engine(&medium), replica(&medium));
    engine.call(call(OPEN)).wait().unwrap();
    replica.committed_at(1, PATIENCE).wait().unwrap();
    let (start, short) = (Instant::now(), Duration::from_millis(200));
    let late = replica.call(charges(1), 2, short).wait();
    assert_eq!(late, Err(ReplicaError::Behind { asked: 2, at: 1 }));
    assert!(short <= start.elapsed());
    // One that waits longer sees what is written meanwhile, and so does whoever asked beside it.
    let (waits, beside) =
        (replica.call(charges(1), 2, PATIENCE), replica.committed_at(2, PATIENCE));
    assert_eq!(engine.call(charge(1)).wait().unwrap().status, 200);
    let answer = waits.wait().unwrap();
    assert_eq!(answer.answer.body["charges"].as_array().unwrap().len(), 1);
    assert!(2 <= answer.seq && 2 <= beside.wait().unwrap().answer.seq.0);
}

fn who_is_erased_at_the_store_is_shown_by_no_replica<M: Medium>() {
    let medium = M::default();
    let (engine, replica) = (engine(&medium), replica(&medium));
    let gift = r#"{"at":"2026-11-20T12:00:00Z","fact":"fee.adjusted","body":{"id":"gift","account":"loja","effect_cents":900000,"actor":"bia","reason":"a gift","evidence":"case-1"}}"#;
    let payout = format!(
        r#"{{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"POST /payouts","body":{{"amount_cents":5000,"tax_number":"{0}","pix_key":"{0}","external_id":"o-1"}}}}"#,
        cpf(1)
    );
    for line in [OPEN, gift, &payout] {
        assert_eq!(engine.call(call(line)).wait().unwrap().status, 200);
    }
    let seq = engine.head().unwrap().seq;
    let asked = || replica.call(get("/payouts?external_id=o-1"), seq, PATIENCE).wait().unwrap();
    let before = asked().answer.body.to_string();
    assert!(!before.contains("[apagado]") && before.contains("pix_key"), "{before}");
    let document = Document::parse(&cpf(1), Letters::Accepted).unwrap();
    engine.erase(Person::default().document(&document)).wait().unwrap();
    let after = asked();
    assert!(after.answer.body.to_string().contains("[apagado]"), "{}", after.answer.body);
    assert_eq!(after.seq, seq);
}

fn a_promoted_replica_knows_all_that_was_acknowledged<M: Medium>() {
    let (medium, gate) = (M::default(), Gate::default());
    let lease = Duration::from_millis(1_500);
    let inner = medium.open(LIVE, mode()).unwrap();
    let first = Engine::builder(LIVE).lease(lease).start(gate.before(inner)).unwrap();
    first.call(call(OPEN)).wait().unwrap();
    let follower = replica(&medium);
    follower.committed_at(1, PATIENCE).wait().unwrap();
    let answers: Vec<_> = (1..=20).map(|number| first.call(charge(number)).wait()).collect();

    // Whoever holds the ledger and renews its lease is left alone, and the replica goes on.
    let open = || medium.open(LIVE, mode()).unwrap();
    let refused = follower.promote(Engine::builder(LIVE).lease(LONG), open());
    assert!(
        matches!(refused, Err(StartError::Leased { .. } | StartError::InUse { .. })),
        "{refused:?}"
    );

    follower.committed_at(21, PATIENCE).wait().unwrap();
    gate.stop_renewals();
    let second = follower.promote(Engine::builder(LIVE).lease(LONG), open()).unwrap();
    let stopped = follower.call(charges(1), 0, PATIENCE).wait();
    assert!(matches!(stopped, Err(ReplicaError::Ended(_))), "{stopped:?}");
    assert!(first.view().wait().is_err());
    for (number, answer) in (1..).zip(answers) {
        assert_eq!(second.call(charge(number)).wait(), answer);
        assert_eq!(count_of(&second, number), 1);
    }
    // It decides, learns of persons and brings deadlines, as any engine does.
    assert_eq!(second.call(charge(21)).wait().unwrap().status, 200);
    assert_eq!(second.stop().unwrap().seq, 22);
}

#[test]
fn a_replica_ends_at_the_first_record_that_is_not_what_it_was_and_names_it() {
    let (_, commits) = lived_in_commits_of(8, 60);
    let mut rows: Vec<_> = commits.into_iter().flat_map(|commit| commit.rows).collect();
    let bad = rows.len() / 2;
    let (first, last) = (rows[bad].first, rows[bad].last());
    let byte = rows[bad].payload.len() / 2;
    rows[bad].payload[byte] ^= 1;
    let replica = Replica::builder(LIVE).follow(Box::new(RowsGiven::new(rows)));
    // What comes before is no answer either once the journal is known to be damaged.
    let ended = replica.committed_at(last, PATIENCE).wait().unwrap_err();
    let ReplicaError::Ended(said) = &ended else { panic!("{ended}") };
    let named = (first..=last).any(|seq| said.contains(&format!("record {seq}")));
    assert!(named, "{said} is of {first} to {last}");
    assert_eq!(replica.fault(), Some(ended.clone()));
    assert_eq!(replica.call(get("/saldo"), 0, PATIENCE).wait().unwrap_err(), ended);
    assert!(replica.promote(Engine::builder(LIVE), Box::new(RowsGiven::new(Vec::new()))).is_err());
}

#[test]
fn a_read_that_panics_is_answered_and_the_replica_goes_on() {
    let medium = super::setup::medium::Memory::default();
    let (engine, replica) = (engine(&medium), replica(&medium));
    engine.call(call(OPEN)).wait().unwrap();
    let broken = replica.read(1, PATIENCE, |_| -> u64 { panic!("a mistake") }).wait();
    assert_eq!(broken, Err(ReplicaError::Panicked("a mistake".to_owned())));
    assert_eq!(replica.call(get("/saldo"), 1, PATIENCE).wait().unwrap().seq, 1);
}

on_every_medium! {
    a_replica_answers_what_the_writer_answers_and_says_at_which_record,
    a_replica_takes_nothing_from_the_writer_and_refuses_every_write,
    a_read_waits_for_its_record_and_no_longer_than_it_may,
    who_is_erased_at_the_store_is_shown_by_no_replica,
    a_promoted_replica_knows_all_that_was_acknowledged,
}
