//! Persons are erased by the running engine, and come back with what is asked for them later.

use ledger_core::contract::{Call, Sort, Tokens};
use ledger_core::ledger::Task;
use ledger_core::pix::{Document, Letters};
use ledger_core::time::Instant;
use ledger_store::Vault;
use ledger_store::engine::{Engine, EngineError};
use ledger_store::journal::{Journal, OpenMode};
use ledger_store::projection::{EntryKind, Projector, Tables, Target};
use ledger_store::sequencer::Sequencer;
use ledger_store::snapshot::Snapshots;
use ledger_store::vault::{LegalHold, OperatorNote, Person};

use super::read_beside::prepare;
use super::setup::medium::{Medium, Sqlite, on_every_medium};
use super::setup::{LIVE, call, memory, mode};
use super::{OPEN, charge, cpf, reopened, started};

const ANA: &str = "52998224725";

const GIFT: &str = r#"{"at":"2026-11-20T12:00:00Z","fact":"fee.adjusted","body":{"id":"gift","account":"loja","effect_cents":900000,"actor":"bia","reason":"a gift","evidence":"case-1"}}"#;

fn payout(number: u64) -> Call {
    call(&format!(
        r#"{{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"POST /payouts","body":{{"amount_cents":{},"tax_number":"{ANA}","pix_key":"{ANA}","external_id":"o-{number}"}}}}"#,
        5_000 + number
    ))
}

fn person(document: &str) -> Person {
    Person::default().document(&Document::parse(document, Letters::Accepted).unwrap())
}

fn engine(medium: &impl Medium) -> Engine {
    let engine =
        Engine::builder(LIVE).take_over().start(medium.open(LIVE, mode()).unwrap()).unwrap();
    for line in [OPEN, GIFT] {
        assert_eq!(engine.call(call(line)).wait().unwrap().status, 200);
    }
    engine
}

fn stored(journal: &mut dyn Journal) -> Vec<([u8; 16], String)> {
    let rows = journal.vault().unwrap().into_iter();
    rows.map(|row| (row.token, row.value)).collect()
}

/// Returns what the engine believes of the person's key.
fn knows_the_key(engine: &Engine) -> bool {
    let known = engine.decide(|sequencer| {
        let token = sequencer.tokens().token(Sort::PixKey, ANA);
        sequencer.vault().get(token.0).is_some()
    });
    known.wait().unwrap()
}

fn a_payout_accepted_after_an_erasure_can_be_sent<M: Medium>() {
    let medium = M::default();
    let engine = engine(&medium);
    let stored = || stored(&mut *medium.open(LIVE, OpenMode::ReadOnly).unwrap());
    let holds_ana = || stored().iter().any(|(_, value)| value == ANA);
    assert_eq!(engine.call(payout(1)).wait().unwrap().status, 200);
    assert!(holds_ana());

    let erased = engine.erase(person(ANA)).wait().unwrap();
    let sorts: Vec<_> = erased.iter().map(|erased| erased.sort).collect();
    assert_eq!(sorts, [Sort::Document, Sort::PixKey]);
    assert!(!holds_ana() && !knows_the_key(&engine));
    assert_eq!(engine.erase(person(ANA)).wait(), Ok(Vec::new()));

    let handled = engine.handle(payout(2)).wait().unwrap();
    assert_eq!(handled.response.status, 200);
    let Task::SendPix(send) = &handled.instructions[0].task else { panic!("a PIX is sent") };
    let mut journal = medium.open(LIVE, OpenMode::ReadOnly).unwrap();
    let vault = Vault::open(&mut *journal).unwrap();
    assert_eq!(vault.get(send.pix_key.0).unwrap().value, ANA);
    assert!(knows_the_key(&engine));
}

#[test]
fn a_read_that_waits_while_a_person_is_erased_shows_nothing_of_them() {
    let (engine, ..) = started();
    for asked in [call(GIFT), payout(1)] {
        assert_eq!(engine.call(asked).wait().unwrap().status, 200);
    }
    let key = |sequencer: &mut Sequencer| {
        let token = sequencer.tokens().token(Sort::PixKey, ANA);
        sequencer.views().value(token).clone()
    };
    let (before, after) = (prepare(&engine, key), prepare(&engine, key));
    assert_eq!(before.carry_out().unwrap(), ANA);
    engine.erase(person(ANA)).wait().unwrap();
    assert_eq!(after.carry_out().unwrap(), "[apagado]");
}

#[test]
fn the_outbox_shows_whom_a_payout_after_an_erasure_goes_to() {
    let folder = tempfile::tempdir().unwrap();
    let medium = Sqlite::default();
    let target = Target::Sqlite(folder.path().join("tables.db"));
    let mut journal = medium.open(LIVE, mode()).unwrap();
    let projector = Projector::open(&mut *journal, LIVE, &target).unwrap();
    let engine = Engine::builder(LIVE).follower(projector).start(journal).unwrap();
    for asked in [call(OPEN), call(GIFT), payout(1)] {
        assert_eq!(engine.call(asked).wait().unwrap().status, 200);
    }
    let shown = || {
        let mut journal = medium.open(LIVE, OpenMode::ReadOnly).unwrap();
        let vault = Vault::open(&mut *journal).unwrap();
        let mut tables = Tables::open(&target, LIVE).unwrap().unwrap();
        let sent = tables.pending(Some(EntryKind::Instruction), 10, &vault).unwrap();
        sent.into_iter().map(|entry| entry.body["pix_key"].clone()).collect::<Vec<_>>()
    };
    let before = shown();
    assert_ne!(before, ["[apagado]"]);
    engine.erase(person(ANA)).wait().unwrap();
    assert_eq!(shown(), ["[apagado]"]);
    engine.call(payout(2)).wait().unwrap();
    assert_eq!(shown(), [&before[..], &before[..]].concat());
}

#[test]
fn neither_tables_nor_snapshots_hold_whom_an_engine_erased() {
    let folder = tempfile::tempdir().unwrap();
    let medium = Sqlite::default();
    let target = Target::Sqlite(folder.path().join("tables.db"));
    let snapshots = Snapshots::in_folder(folder.path());
    let engine = engine(&medium);
    engine.call(payout(1)).wait().unwrap();
    let mut reader = medium.open(LIVE, OpenMode::ReadOnly).unwrap();
    snapshots.refresh(&mut *reader, LIVE).unwrap();
    assert!(!snapshots.earlier(LIVE, reader.identity()).is_empty());
    drop(Projector::open(&mut *reader, LIVE, &target).unwrap());
    drop(reader);
    engine.erase(person(ANA)).wait().unwrap();
    engine.stop().unwrap();
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(ANA.len()).any(|bytes| bytes == ANA.as_bytes()));
    }
}

#[test]
fn however_erasures_and_commits_meet_the_journal_holds_whom_the_engine_knows() {
    let (engine, gate, disk) = started();
    // The writing thread is held up, so that batches are decided and wait behind it.
    gate.close();
    let mut tickets = vec![engine.call(charge(1))];
    gate.wait_for_an_append();
    tickets.extend([61, 62].map(|number| engine.call(charge(number))));
    gate.admit_one();
    gate.wait_until_begun(3);
    let mut erasures = Vec::new();
    for number in 2..=60 {
        tickets.push(engine.call(charge(number)));
        if number % 3 == 0 {
            erasures.push(engine.erase(person(&cpf(number))));
        }
        if number % 4 == 0 {
            // What was decided stands in a batch of its own by now, and waits to be written.
            std::thread::sleep(std::time::Duration::from_millis(5));
            erasures.push(engine.erase(person(&cpf(number - 1)).name("Nobody")));
        }
        if number % 5 == 0 {
            // A charge of a payer who may have been erased just now.
            tickets.push(engine.call(charge_again(number - 2, number)));
        }
    }
    gate.open();
    for ticket in tickets {
        assert_eq!(ticket.wait().unwrap().status, 200);
    }
    for erasure in erasures {
        erasure.wait().unwrap();
    }
    let known = engine.decide(|sequencer| sequencer.vault().clone()).wait().unwrap();
    let stored = stored(&mut memory(&disk));
    assert_eq!(stored.len(), known.len());
    for (token, value) in &stored {
        assert_eq!(&known.get(*token).unwrap().value, value);
    }
    assert!(stored.iter().any(|(_, value)| *value == cpf(3)), "charged again, she is known anew");
    assert!(!stored.iter().any(|(_, value)| *value == cpf(12)));
    let head = engine.stop().unwrap();
    assert_eq!(reopened(&disk).head(), head);
}

/// One more charge of the payer of charge `number`.
fn charge_again(number: u64, again: u64) -> Call {
    call(&format!(
        r#"{{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"POST /cashin/charge","body":{{"amount_cents":1000,"destino":"saldo","payer_tax_number":"{}","external_id":"again-{again}"}},"supplied":{{"qr_copypaste":"code"}}}}"#,
        cpf(number)
    ))
}

#[test]
fn an_erasure_that_failed_is_answered_so_and_may_be_repeated() {
    let (engine, gate, disk) = started();
    engine.call(charge(1)).wait().unwrap();
    gate.fail_an_erasure();
    let failed = engine.erase(person(&cpf(1))).wait();
    assert!(matches!(failed, Err(EngineError::NotWritten(_))), "{failed:?}");
    assert_eq!(stored(&mut memory(&disk)).len(), 1);
    // She is known still, and erased by the next attempt.
    let again = (0..1_000).map(|_| engine.erase(person(&cpf(1))).wait()).find(Result::is_ok);
    assert_eq!(again.unwrap().unwrap().len(), 1);
    assert_eq!(stored(&mut memory(&disk)), []);
}

#[test]
fn who_is_held_is_not_erased_and_others_go_on() {
    let (engine, _, disk) = started();
    engine.call(charge(1)).wait().unwrap();
    let mut beside = memory(&disk);
    let tokens = Tokens::new(beside.identity().vault_key);
    let note = OperatorNote { at: Instant::default(), by: "caio".into(), reason: "0012".into() };
    let hold = LegalHold::new("0012", person(&cpf(1)).tokens(&tokens), note.clone());
    assert!(beside.place_hold(&hold).unwrap());
    assert_eq!(engine.erase(person(&cpf(1))).wait(), Err(EngineError::Held("0012".into())));
    assert_eq!(engine.call(charge(2)).wait().unwrap().status, 200);
    assert_eq!(engine.erase(person(&cpf(2))).wait().unwrap().len(), 1);
    assert_eq!(stored(&mut memory(&disk)).len(), 1);
    assert!(beside.release_hold("0012", &note).unwrap());
    assert_eq!(engine.erase(person(&cpf(1))).wait().unwrap().len(), 1);
    assert_eq!(engine.scrub_warnings(), [""; 0]);
    assert_eq!(stored(&mut memory(&disk)), []);
}

#[test]
fn a_hold_covers_texts_that_mention_whom_it_holds() {
    let (engine, _, disk) = started();
    let text = "a gift for 529.982.247-25";
    for asked in [call(GIFT), payout(1)] {
        assert_eq!(engine.call(asked).wait().unwrap().status, 200);
    }
    let gift = GIFT.replace("\"gift\"", "\"gift-2\"").replace("a gift", text);
    assert_eq!(engine.call(call(&gift)).wait().unwrap().status, 200);
    let text = || Person::default().text(text);
    let mut beside = memory(&disk);
    let tokens = Tokens::new(beside.identity().vault_key);
    let note = OperatorNote { at: Instant::default(), by: "caio".into(), reason: "0012".into() };
    let mut place = |id: &str, person: Person| {
        let hold = LegalHold::new(id, person.tokens(&tokens), note.clone());
        assert!(beside.place_hold(&hold).unwrap());
    };
    let refused_by = |engine: &Engine, person| match engine.erase(person).wait() {
        Err(EngineError::Held(holds)) => holds,
        other => panic!("{other:?}"),
    };
    // Who is held by a text is not erased, nor a text by whom it mentions.
    place("of the text", text());
    assert_eq!(refused_by(&engine, person(ANA)), "of the text");
    assert!(memory(&disk).release_hold("of the text", &note).unwrap());
    place("of the person", person(ANA));
    assert_eq!(refused_by(&engine, text()), "of the person");
    assert_eq!(engine.erase(Person::default().text("a gift")).wait().unwrap().len(), 1);
    assert!(memory(&disk).release_hold("of the person", &note).unwrap());
    assert_eq!(engine.erase(person(ANA)).wait().unwrap().len(), 3);
}

#[test]
fn whoever_takes_over_to_erase_fences_the_engine() {
    let (engine, _, disk) = started();
    engine.call(charge(1)).wait().unwrap();
    let mut beside = memory(&disk);
    beside.open_writer().unwrap();
    let [(token, _)] = &stored(&mut beside)[..] else { panic!("one payer is known") };
    assert!(beside.erase(*token).unwrap());
    assert_eq!(engine.call(charge(2)).wait(), Err(EngineError::Fenced));
    assert_eq!(engine.erase(person(ANA)).wait(), Err(EngineError::Fenced));
}

on_every_medium! {
    a_payout_accepted_after_an_erasure_can_be_sent,
}
