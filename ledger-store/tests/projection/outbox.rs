//! The outbox: in order per operation, at least once, acknowledged once and for ever.

use std::collections::{BTreeMap, BTreeSet};

use ledger_core::time::Instant;
use ledger_store::Commit;
use ledger_store::journal::Journal;
use ledger_store::projection::{Acknowledged, Entry, EntryKind, OutboxError, Projector, prove};

use crate::setup::story::Dice;
use crate::setup::{LIVE, story};
use crate::{Home, bodies, journal, lived, vault};

fn now() -> Instant {
    Instant::parse("2026-11-30T12:00:00Z").unwrap()
}

#[test]
fn only_the_first_of_each_line_is_given_and_in_the_order_of_records() {
    let story = lived(20, 400);
    for home in Home::both() {
        let mut journal = journal(&story.commits);
        Projector::open(&mut journal, LIVE, &home.target).unwrap();
        let vault = vault(&mut journal);
        let mut tables = home.tables();
        let mut dice = Dice(5);
        let mut last: BTreeMap<(String, bool), (u64, u64)> = BTreeMap::new();
        let mut seen = 0;
        loop {
            let given = tables.pending(None, 25, &vault).unwrap();
            if given.is_empty() {
                break;
            }
            let order: Vec<_> = given.iter().map(|entry| (entry.seq, entry.place)).collect();
            assert!(order.is_sorted());
            let line =
                |entry: &Entry| (entry.operation.clone(), entry.kind == EntryKind::Notification);
            let lines: BTreeSet<_> = given.iter().map(line).collect();
            assert_eq!(lines.len(), given.len(), "one of each line");
            // Acknowledged in any order, for the embedding service sends several at once.
            for entry in &given {
                if dice.below(3) == 0 {
                    assert_eq!(tables.acknowledge(&entry.id, now()).unwrap(), Acknowledged::Now);
                    let before = last.insert(line(entry), (entry.seq, entry.place));
                    assert!(before < Some((entry.seq, entry.place)));
                    seen += 1;
                }
            }
        }
        assert_eq!(seen, story.effects.len());
    }
}

#[test]
fn acknowledging_is_idempotent_and_an_unknown_id_is_named() {
    let story = lived(20, 100);
    for home in Home::both() {
        let mut journal = journal(&story.commits);
        Projector::open(&mut journal, LIVE, &home.target).unwrap();
        let mut tables = home.tables();
        let first = tables.pending(None, 1, &vault(&mut journal)).unwrap().remove(0);
        assert_eq!(tables.acknowledge(&first.id, now()).unwrap(), Acknowledged::Now);
        assert_eq!(tables.acknowledge(&first.id, now()).unwrap(), Acknowledged::Before);
        let unknown = tables.acknowledge("ev_1_0_none", now()).unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "nothing in the outbox of ledger live has the id ev_1_0_none"
        );
    }
}

#[test]
fn instructions_and_notices_are_lines_of_their_own_and_keys_are_the_tasks() {
    let story = lived(20, 200);
    let home = Home::sqlite();
    let mut journal = journal(&story.commits);
    Projector::open(&mut journal, LIVE, &home.target).unwrap();
    let vault = vault(&mut journal);
    let mut tables = home.tables();
    let tasks = tables.pending(Some(EntryKind::Instruction), 1_000, &vault).unwrap();
    assert!(tasks.iter().all(|task| task.kind == EntryKind::Instruction));
    let send = tasks.iter().find(|task| task.topic == "pix.send").unwrap();
    assert_eq!(send.idempotency_key, format!("{}:send", send.operation));
    // Who sends it asks the vault for the key; the body shows no more than its mask.
    let [(key, token), (document, proven)] = send.persons[..] else { panic!("{:?}", send.persons) };
    assert_eq!((key, document), ("pix_key", "tax_number"));
    assert_eq!(vault.get(token.0).unwrap().value, "52998224725");
    assert_eq!(vault.get(proven.0).unwrap().value, "52998224725");
    assert_ne!(send.body["pix_key"], "52998224725");
    let notifications = tables.pending(Some(EntryKind::Notification), 1_000, &vault).unwrap();
    assert!(notifications.iter().any(|notification| notification.operation == send.operation));
}

#[test]
fn a_rebuild_keeps_what_was_acknowledged_and_sends_nothing_again() {
    let story = lived(20, 300);
    for home in Home::both() {
        let mut journal = journal(&story.commits);
        Projector::open(&mut journal, LIVE, &home.target).unwrap();
        let vault = vault(&mut journal);
        let mut tables = home.tables();
        for entry in tables.pending(None, 40, &vault).unwrap() {
            tables.acknowledge(&entry.id, now()).unwrap();
        }
        let before = tables.pending(None, 1_000, &vault).unwrap();
        Projector::rebuild(&mut journal, LIVE, &home.target).unwrap();
        assert_eq!(tables.pending(None, 1_000, &vault).unwrap(), before);
        prove(&mut journal, LIVE, &home.target).unwrap().unwrap();
        let acknowledged = "SELECT count(*) FROM outbox WHERE acknowledged_at IS NOT NULL";
        assert_eq!(home.query(acknowledged), [["40"]]);
    }
}

#[test]
fn what_was_pruned_stays_acknowledged_through_a_rebuild() {
    let story = lived(20, 300);
    for home in Home::both() {
        let mut journal = journal(&story.commits);
        Projector::open(&mut journal, LIVE, &home.target).unwrap();
        let vault = vault(&mut journal);
        let mut tables = home.tables();
        assert_eq!(tables.prune(u64::MAX).unwrap(), 0, "nothing is acknowledged");
        for entry in tables.pending(None, 40, &vault).unwrap() {
            tables.acknowledge(&entry.id, now()).unwrap();
        }
        let before = tables.pending(None, 1_000, &vault).unwrap();
        let rows = home.query("SELECT seq FROM outbox WHERE acknowledged_at IS NULL ORDER BY seq");
        let first_pending: u64 = rows[0][0].parse().unwrap();
        let gone = tables.prune(u64::MAX).unwrap();
        assert!(gone > 0);
        assert!(tables.checkpoint().unwrap().pruned < first_pending);
        assert_eq!(tables.prune(u64::MAX).unwrap(), 0);
        prove(&mut journal, LIVE, &home.target).unwrap().unwrap();
        Projector::rebuild(&mut journal, LIVE, &home.target).unwrap();
        assert_eq!(tables.pending(None, 1_000, &vault).unwrap(), before);
        let left = home.query("SELECT count(*) FROM outbox");
        assert_eq!(left[0][0], (story.effects.len() as u64 - gone).to_string());
        prove(&mut journal, LIVE, &home.target).unwrap().unwrap();
    }
}

/// An acknowledgement is of a record, and a restored journal may go on with another in its place.
#[test]
fn an_acknowledgement_does_not_count_for_another_past() {
    let one = lived(1, 60);
    let commits = other_past(60);
    let home = Home::sqlite();
    let mut first = journal(&one.commits);
    Projector::open(&mut first, LIVE, &home.target).unwrap();
    let acknowledged = bodies(&home, &mut first).len();
    assert_eq!(acknowledged, one.effects.len());
    home.tables().prune(u64::MAX).unwrap();
    let mut other = journal(&commits);
    Projector::rebuild(&mut other, LIVE, &home.target).unwrap();
    prove(&mut other, LIVE, &home.target).unwrap().unwrap();
    let pending = "SELECT count(*) FROM outbox WHERE acknowledged_at IS NULL";
    let all = "SELECT count(*) FROM outbox WHERE body IS NOT NULL";
    assert_eq!(home.query(pending), home.query(all));
}

/// The same story, begun a second later.
fn other_past(lines: usize) -> Vec<Commit> {
    let mut sequencer = crate::setup::sequencer();
    let mut commits = Vec::new();
    let late = r#"{"at":"2026-11-20T11:59:59Z","fact":"time.passed"}"#;
    sequencer.call(&crate::setup::call(late));
    story::each_line(lines, |text| {
        let response = sequencer.call(&crate::setup::call(text));
        commits.extend(sequencer.cut());
        response
    });
    commits
}

#[test]
fn no_person_enters_the_tables_and_an_erased_one_is_shown_as_erased() {
    let story = lived(20, 200);
    let home = Home::sqlite();
    let mut journal = journal(&story.commits);
    Projector::open(&mut journal, LIVE, &home.target).unwrap();
    let ledger_store::projection::Target::Sqlite(path) = &home.target else { panic!("a file") };
    for ending in ["", "-wal"] {
        let mut name = path.clone().into_os_string();
        name.push(ending);
        let bytes = std::fs::read(name).unwrap_or_default();
        for person in ["52998224725", "Fulano de Tal", "982.247", "note 1"] {
            let found = bytes.windows(person.len()).any(|bytes| bytes == person.as_bytes());
            assert!(!found, "{person} stands in the tables");
        }
    }
    let mut known = vault(&mut journal);
    let mut tables = home.tables();
    let of_a_person = |entries: Vec<Entry>| {
        entries.into_iter().find(|entry| !entry.body["data"]["payer_name"].is_null()).unwrap()
    };
    let before = of_a_person(tables.pending(None, 1_000, &known).unwrap());
    assert_eq!(before.body["data"]["payer_name"], "Fulano de Tal");
    for (_, token) in &before.persons {
        known.erase(token.0);
    }
    let after = of_a_person(tables.pending(None, 1_000, &known).unwrap());
    assert_eq!(after.id, before.id);
    assert_eq!(after.body["data"]["payer_name"], "[apagado]");
}

#[test]
fn pruning_waits_for_what_a_rebuild_has_not_come_to() {
    let story = lived(20, 100);
    let home = Home::sqlite();
    let mut journal = journal(&story.commits);
    Projector::open(&mut journal, LIVE, &home.target).unwrap();
    bodies(&home, &mut journal);
    // As it is in the midst of a rebuild.
    home.execute("UPDATE projection_checkpoint SET seq = 3");
    let refused = home.tables().prune(u64::MAX).unwrap_err();
    assert!(matches!(refused, OutboxError::Rebuilding), "{refused}");
    assert!(journal.head().unwrap().seq > 3);
}
