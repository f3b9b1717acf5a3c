//! A sequencer comes to the same head however its records were cut and wherever they are kept.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod setup;

use ledger_core::contract::Response;
use ledger_store::audit::{Expect, audit};
use ledger_store::digest::digest;
use ledger_store::journal::{
    Journal, MemoryDisk, MemoryJournal, OpenMode, PostgresJournal, SqliteJournal,
};
use ledger_store::sequencer::{Recorded, Sequencer};
use ledger_store::{Commit, Head, Link};
use setup::rows_given::RowsGiven;
use setup::{LIVE, call, lived_in_commits_of, memory, mode, write};

/// Steps of the story that make more than one commit of 8,000 records.
const MANY: usize = 9_000;

/// Steps for a file that is synced with every commit.
const FEW: usize = 600;

fn reopened(journal: &mut dyn Journal) -> Sequencer {
    Sequencer::open(journal, LIVE, |_, _| ()).unwrap()
}

/// Writes, reads back, and gives the head and the state of the reopened sequencer.
fn kept_in(journal: &mut dyn Journal, commits: &[Commit]) -> (Head, Link) {
    write(journal, commits);
    let sequencer = reopened(journal);
    assert_eq!(journal.head().unwrap(), sequencer.head());
    (sequencer.head(), digest(sequencer.ledger()))
}

fn in_memory(commits: &[Commit]) -> (Head, Link) {
    kept_in(&mut memory(&MemoryDisk::new()), commits)
}

fn in_sqlite(commits: &[Commit]) -> (Head, Link) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    kept_in(&mut SqliteJournal::open(path, LIVE, mode()).unwrap(), commits)
}

fn in_postgres(commits: &[Commit]) -> (Head, Link) {
    let server = setup::server::database().parse().unwrap();
    kept_in(&mut PostgresJournal::open(&server, LIVE, mode()).unwrap(), commits)
}

#[test]
fn commits_of_any_size_give_one_head_and_one_state_in_memory_and_in_sqlite() {
    let mut outcomes = Vec::new();
    for size in [7, 1_000, 8_000] {
        let (sequencer, commits) = lived_in_commits_of(size, MANY);
        assert!(commits.len() > 1, "more than one commit of {size}");
        outcomes.push((sequencer.head(), digest(sequencer.ledger())));
        outcomes.push(in_memory(&commits));
        outcomes.push(in_sqlite(&commits));
    }
    let (_, one_by_one) = lived_in_commits_of(1, MANY);
    outcomes.push(in_memory(&one_by_one));
    assert!(outcomes[0].0.seq > 8_000);
    outcomes.dedup();
    assert_eq!(outcomes.len(), 1, "{outcomes:?}");
}

#[test]
fn a_commit_a_record_gives_the_same_head_in_sqlite() {
    let (sequencer, commits) = lived_in_commits_of(1, FEW);
    // One line may make several records: deadlines and its own.
    assert!(commits.len() * 3 > usize::try_from(sequencer.head().seq).unwrap() * 2);
    assert_eq!(in_sqlite(&commits), (sequencer.head(), digest(sequencer.ledger())));
    assert_eq!(in_sqlite(&lived_in_commits_of(8_000, FEW).1).0, sequencer.head());
}

#[test]
fn postgres_comes_to_the_head_and_the_state_of_memory_and_sqlite() {
    for size in [7, 1_000, 8_000] {
        let (sequencer, commits) = lived_in_commits_of(size, MANY);
        assert_eq!(in_postgres(&commits), (sequencer.head(), digest(sequencer.ledger())));
    }
    let (sequencer, one_by_one) = lived_in_commits_of(1, FEW);
    assert_eq!(in_postgres(&one_by_one), (sequencer.head(), digest(sequencer.ledger())));
}

#[test]
fn a_commit_begins_where_the_one_before_ended() {
    let (sequencer, commits) = lived_in_commits_of(7, FEW);
    for pair in commits.windows(2) {
        assert_eq!(pair[1].previous, pair[0].head());
    }
    assert_eq!(commits.last().unwrap().head(), sequencer.head());
}

#[test]
fn what_waits_is_counted_and_cut_once() {
    let (mut sequencer, _) = lived_in_commits_of(50, 10);
    assert_eq!(sequencer.pending(), 0);
    assert_eq!(sequencer.cut(), None);
    let before = sequencer.head().seq;
    sequencer.call(&call(r#"{"at":"2026-12-01T12:00:00Z","fact":"time.passed"}"#));
    assert_eq!(sequencer.pending() as u64, sequencer.head().seq - before);
    assert!(sequencer.cut().is_some());
    assert_eq!((sequencer.pending(), sequencer.cut()), (0, None));
}

#[test]
fn a_reopened_book_goes_on_as_if_never_closed() {
    let (mut open, commits) = lived_in_commits_of(1_000, FEW);
    let disk = MemoryDisk::new();
    let mut journal = memory(&disk);
    write(&mut journal, &commits);
    let mut again = reopened(&mut journal);
    for number in 0..100 {
        let line = format!(
            r#"{{"at":"2026-12-01T12:00:{:02}Z","key":"svc_live_loja","request":"POST /cashin/charge","body":{{"amount_cents":{},"destino":"saldo","customer_ref":"new-{}","payer_tax_number":"52998224725","external_id":"later-{number}"}},"supplied":{{"qr_copypaste":"code"}}}}"#,
            number % 60,
            1_000 + number,
            number % 7,
        );
        assert_eq!(open.call(&call(&line)), again.call(&call(&line)));
    }
    assert_eq!(open.head(), again.head());
    assert_eq!(open.cut(), again.cut());
    assert_eq!(digest(open.ledger()), digest(again.ledger()));
}

#[test]
fn another_vault_key_gives_another_head() {
    let (_, commits) = lived_in_commits_of(50, 10);
    let other = OpenMode::Create { vault_key: Some([43; 32]), algorithm: None, designation: None };
    let disk = MemoryDisk::new();
    let mut journal = MemoryJournal::open(&disk, LIVE, other).unwrap();
    let mut sequencer = Sequencer::new(LIVE, journal.identity());
    setup::story::each_line(10, |text| sequencer.call(&call(text)));
    write(&mut journal, &[sequencer.cut().unwrap()]);
    assert_eq!(sequencer.head().seq, commits.last().unwrap().head().seq);
    assert_ne!(sequencer.head(), commits.last().unwrap().head());
}

const ANA: &str = "52998224725";

/// Opens an account and makes one charge, one transfer and one payout, all naming people.
fn personal(sequencer: &mut Sequencer) -> [Response; 3] {
    let lines = [
        r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"acc","account":"loja","terms":{"liberacao":"imediata","carencia_horas":0}},"supplied":{"key":"svc_live_loja"}}"#,
        r#"{"at":"2026-11-20T12:00:00Z","key":"svc_live_loja","request":"POST /cashin/charge","body":{"amount_cents":5000,"destino":"saldo","customer_ref":"ana","payer_tax_number":"52998224725","payer_name":"Ana Souza","external_id":"c"},"supplied":{"qr_copypaste":"code"}}"#,
    ];
    let answers = lines.map(|line| sequencer.call(&call(line)));
    let charge = answers[1].body["cashin_id"].as_str().unwrap();
    let paid = format!(
        r#"{{"at":"2026-11-20T12:01:00Z","fact":"pix.received","body":{{"cashin_id":"{charge}","e2e":"E9040088820261120120300123873170","amount_cents":5000}}}}"#
    );
    assert_eq!(sequencer.call(&call(&paid)).body["outcome"], "applied");
    views(sequencer)
}

/// Three views that show personal data: a charge's status, a transfer repeated, a payout repeated.
fn views(sequencer: &mut Sequencer) -> [Response; 3] {
    let ask = |request: &str, body: &str| {
        format!(
            r#"{{"at":"2026-11-20T12:02:00Z","key":"svc_live_loja","request":"{request}","body":{{{body}}}}}"#
        )
    };
    [
        ask("GET /cashin/charges?external_id=c", ""),
        ask(
            "POST /saldo/transferir",
            r#""from_customer_ref":"ana","to_customer_ref":"casa","amount_cents":10,"descricao":"rent of Ana","external_id":"t""#,
        ),
        ask(
            "POST /payouts",
            r#""amount_cents":100,"customer_ref":"ana","tax_number":"52998224725","pix_key":"52998224725","external_id":"p""#,
        ),
    ]
    .map(|line| sequencer.call(&call(&line)))
}

fn every_person_is_erasable(journal: &mut dyn Journal) {
    let mut sequencer = setup::sequencer();
    let shown = personal(&mut sequencer);
    let head = sequencer.head();
    write(journal, &[sequencer.cut().unwrap()]);
    assert_eq!(shown[0].body["charges"][0]["payer_name"], "Ana Souza");
    assert_eq!(shown[1].body["descricao"], "rent of Ana");
    // A reopened sequencer shows what the vault keeps.
    let [again, ..] = views(&mut reopened(journal));
    assert_eq!(again, shown[0]);
    let kept = || Expect { heads: vec![head] };
    let before = audit(journal, LIVE, kept(), |_| ()).unwrap();

    let tokens: Vec<_> = journal.vault().unwrap().into_iter().map(|row| row.token).collect();
    // A document, a name, a description and a PIX key.
    assert_eq!(tokens.len(), 4);
    for token in tokens {
        assert!(journal.erase(token).unwrap());
        assert!(!journal.erase(token).unwrap());
        let after = audit(journal, LIVE, kept(), |_| ()).unwrap();
        assert_eq!(after.to_string(), before.to_string());
    }

    let mut again = reopened(journal);
    assert_eq!((again.head(), digest(again.ledger())), (head, digest(sequencer.ledger())));
    assert!(again.vault().is_empty());
    let charge = again.call(&call(
        r#"{"at":"2026-11-20T12:02:00Z","key":"svc_live_loja","request":"GET /cashin/charges?external_id=c"}"#,
    ));
    let charge = &charge.body["charges"][0];
    assert_eq!(charge["payer_name"], "[apagado]");
    assert_eq!(charge["payer_tax_number"], "[apagado]");
    assert_eq!(charge["status"], shown[0].body["charges"][0]["status"]);
    // A repeat names the same people, so that limits and idempotency go on working on tokens.
    let [_, transfer, payout] = views(&mut again);
    assert_eq!((transfer.status, payout.status), (200, 200));
    assert_eq!(transfer.body["transfer_id"], shown[1].body["transfer_id"]);
    assert_eq!(payout.body["payout_id"], shown[2].body["payout_id"]);
    assert_eq!(transfer.body["descricao"], "[apagado]");
    assert_eq!(payout.body["pix_key"], "[apagado]");
    assert_eq!(again.head(), head);
    assert_eq!(again.cut(), None);
}

#[test]
fn erasing_every_person_leaves_chain_state_and_audit_as_they_were() {
    every_person_is_erasable(&mut memory(&MemoryDisk::new()));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    every_person_is_erasable(&mut SqliteJournal::open(path, LIVE, mode()).unwrap());
}

#[test]
fn the_story_tells_of_every_kind_of_operation() {
    let (_, commits) = lived_in_commits_of(500, 3_000);
    let rows: Vec<_> = commits.into_iter().flat_map(|commit| commit.rows).collect();
    let records = setup::rows_given::decoded(&setup::rows_given::records_of(&rows));
    let recorded: Vec<String> = records
        .iter()
        .flat_map(|record| &record.events)
        .map(|event| format!("{event:?}"))
        .collect();
    for kind in [
        "Charge { ",
        "Transfer { ",
        "Payout { ",
        "Hold { ",
        "Suspense { ",
        "Conversion { ",
        "ErroneousDelivery { ",
        "CatalogueUpdated",
        "RateQuoted",
        "CoinsMoved",
    ] {
        assert!(recorded.iter().any(|event| event.starts_with(kind)), "{kind}");
    }
    for step in [
        "UnderReview",
        "Withheld",
        "Paid {",
        "Cleared",
        "Begun(",
        "BegunAgain",
        "Accepted",
        "Failed",
        "Sent {",
        "ReturnedUndelivered",
        "ReturnedDelivered",
        "GivenUp",
        "Refunded",
    ] {
        assert!(recorded.iter().any(|event| event.contains(step)), "{step}");
    }
}

/// Whoever resumes a run asks for each line whether a record of it follows.
#[test]
fn a_journal_that_is_at_its_end_is_not_asked_again_what_follows() {
    let (sequencer, commits) = lived_in_commits_of(10, 300);
    let rows = commits.iter().flat_map(|commit| commit.rows.clone()).collect();
    let mut journal = RowsGiven::new(rows);
    journal.vault = commits.into_iter().flat_map(|commit| commit.vault).collect();
    let (mut again, mut recorded) = Recorded::after(&mut journal, LIVE, 0).unwrap();
    while recorded.apply(&mut again).unwrap() {}
    assert_eq!(again.head(), sequencer.head());
    // These rows panic where somebody asks again and again.
    for _ in 0..2_000 {
        assert_eq!(recorded.next().unwrap(), None);
        assert!(!recorded.apply(&mut again).unwrap());
    }
}

#[test]
fn no_personal_value_enters_the_journal() {
    let mut sequencer = setup::sequencer();
    personal(&mut sequencer);
    let commit = sequencer.cut().unwrap();
    let payloads: Vec<u8> = commit.rows.iter().flat_map(|row| row.payload.clone()).collect();
    for value in [ANA, "Ana Souza", "rent of Ana", "svc_live_loja"] {
        let found = payloads.windows(value.len()).any(|bytes| bytes == value.as_bytes());
        assert!(!found, "{value} is in the journal");
    }
    assert!(commit.vault.iter().any(|row| row.value == ANA));
}

#[test]
fn of_a_long_journal_what_is_wrong_is_named_once_everything_before_it_was_replayed() {
    let (sequencer, commits) = lived_in_commits_of(1_000, 2 * MANY);
    let head = sequencer.head().seq;
    assert!(head > 20_000, "it is long enough to be read ahead: {head}");
    let rows: Vec<_> = commits.iter().flat_map(|commit| commit.rows.clone()).collect();
    let vault: Vec<_> = commits.iter().flat_map(|commit| commit.vault.clone()).collect();
    for wrong in [1, 700, 9_999, 10_001, 15_432, head] {
        let mut rows = rows.clone();
        let row = rows.iter_mut().find(|row| wrong <= row.last()).unwrap();
        let mut frames = row.frames().map(Result::unwrap);
        let record = frames.find(|frame| frame.seq == wrong).unwrap().record;
        let changed = record.as_ptr().addr() - row.payload.as_ptr().addr() + record.len() / 2;
        row.payload[changed] ^= 1;
        let mut journal = RowsGiven::new(rows);
        journal.vault.clone_from(&vault);
        let mut seen = 0;
        let opened = Sequencer::open(&mut journal, LIVE, |_, record| {
            assert_eq!(record.seq.0, seen + 1);
            seen += 1;
        });
        assert_eq!((opened.unwrap_err().seq(), seen), (Some(wrong), wrong - 1));
    }
}
