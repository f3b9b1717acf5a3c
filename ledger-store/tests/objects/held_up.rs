//! Whoever is held up before it adds an entry comes to a name that was used, merged and deleted
//! meanwhile: what it makes there counts for nothing, and it finds out.

use std::sync::Arc;
use std::time::Duration;

use ledger_store::journal::{AppendError, Head, Journal, JournalError, ObjectStorage};
use ledger_store::{ObjectJournal, OpenMode};

use super::gate::{Fate, Gate};
use super::{LIVE, OFTEN, all_rows, commit, opened};

/// The name of the third entry, which follows on the first epoch.
const THIRD: &str = "00000000000000000003-00000000000000000001";

fn storage(gate: &Gate) -> ObjectStorage {
    let storage = ObjectStorage::from_store(Arc::new(gate.clone()), "books", "a gate").unwrap();
    let long = Duration::from_mins(1);
    storage.patience(long, long, Duration::from_millis(1)).merging(OFTEN)
}

fn grow(journal: &mut ObjectJournal, mut head: Head, commits: usize) -> Head {
    for _ in 0..commits {
        let commit = commit(head, &["record"]);
        journal.append(&commit).unwrap();
        head = commit.head();
    }
    head
}

#[test]
fn who_takes_over_where_an_entry_was_merged_takes_over_at_the_end_after_all() {
    let gate = Gate::default();
    let storage = storage(&gate);
    let mut first = opened(&storage);
    let head = first.open_writer().unwrap().head;
    let head = grow(&mut first, head, 1);
    // It has read two entries, and is about to make the third.
    let mut second = opened(&storage);
    let (arrived, open) = gate.hold(THIRD);
    let taking_over = std::thread::spawn(move || {
        let opening = second.open_writer().unwrap();
        (second, opening)
    });
    arrived.blocking_recv().unwrap();
    let head = grow(&mut first, head, 20);
    open.send(()).unwrap();
    let (mut second, opening) = taking_over.join().unwrap();
    assert_eq!((opening.head, opening.epoch), (head, 2));
    // Of the two only the second writes.
    let late = first.append(&commit(head, &["late"]));
    assert!(matches!(late, Err(AppendError::Fenced { mine: 1, current: 2 })), "{late:?}");
    let head = grow(&mut second, head, 3);
    let mut reader = ObjectJournal::open(&storage, LIVE, OpenMode::ReadOnly).unwrap();
    assert_eq!(reader.head().unwrap(), head);
    assert_eq!(all_rows(&mut reader).len(), 24);
    reader.check().unwrap();
}

#[test]
fn a_writer_that_is_held_up_while_it_is_overtaken_and_merged_writes_nothing() {
    let gate = Gate::default();
    let storage = storage(&gate);
    let mut first = opened(&storage);
    let head = first.open_writer().unwrap().head;
    let head = grow(&mut first, head, 1);
    let (arrived, open) = gate.hold(THIRD);
    let appending = std::thread::spawn(move || first.append(&commit(head, &["held up"])));
    arrived.blocking_recv().unwrap();
    let mut second = opened(&storage);
    assert_eq!(second.open_writer().unwrap().head, head);
    let head = grow(&mut second, head, 20);
    open.send(()).unwrap();
    let appended = appending.join().unwrap();
    assert!(matches!(appended, Err(AppendError::Fenced { mine: 1, current: 2 })), "{appended:?}");
    assert_eq!(second.head().unwrap(), head);
}

#[test]
fn a_reader_that_rested_while_entries_were_merged_reads_on() {
    let gate = Gate::default();
    let storage = storage(&gate);
    let mut writer = opened(&storage);
    let head = writer.open_writer().unwrap().head;
    let head = grow(&mut writer, head, 2);
    let mut reader = ObjectJournal::open(&storage, LIVE, OpenMode::ReadOnly).unwrap();
    assert_eq!(reader.head().unwrap(), head);
    let head = grow(&mut writer, head, 30);
    // What it knew as objects of their own is deleted by now.
    assert_eq!(all_rows(&mut reader), all_rows(&mut writer));
    assert_eq!(reader.head().unwrap(), head);
}

#[test]
fn a_commit_that_may_stand_is_unknown_although_a_later_attempt_at_it_was_refused() {
    let gate = Gate::default();
    let storage = storage(&gate);
    let mut writer = opened(&storage);
    let head = writer.open_writer().unwrap().head;
    let commit = commit(head, &["record"]);
    gate.next([Fate::AnswerLost, Fate::Refused]);
    let appended = writer.append(&commit);
    assert!(matches!(appended, Err(AppendError::Unknown(_))), "{appended:?}");
    // It does stand, as taking over anew finds out.
    assert_eq!(writer.open_writer().unwrap().head, commit.head());
    // What was refused and nothing else was not written.
    let next = super::commit(commit.head(), &["another"]);
    gate.next([Fate::Refused]);
    let refused = writer.append(&next);
    assert!(matches!(refused, Err(AppendError::Failed(_))), "{refused:?}");
    assert_eq!(writer.head().unwrap(), commit.head());
}

#[test]
fn a_lease_is_in_force_to_its_end_by_a_clock_that_shows_whole_seconds() {
    let gate = Gate::of_whole_seconds();
    let storage = storage(&gate);
    let lease = Some(Duration::from_millis(700));
    let mut first = opened(&storage);
    first.claim(lease).unwrap();
    // The store's clock turned just now: whether a moment has passed or a second, nobody knows.
    let claimed = opened(&storage).claim(lease);
    assert!(matches!(claimed, Err(JournalError::Leased { .. })), "{claimed:?}");
}
