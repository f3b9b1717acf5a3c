//! What every journal does, whatever keeps it: one set of facts, run over each backend.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod setup;

use std::sync::atomic::{AtomicBool, Ordering};

use ledger_core::id::Token;
use ledger_core::time::Instant;
use ledger_store::chain::{Algorithm, Chain};
use ledger_store::frame::FrameWriter;
use ledger_store::journal::{
    AppendError, Commit, Head, Journal, JournalError, OpenError, OpenMode, Row, Scrub, VaultRow,
};
use ledger_store::vault::{LegalHold, OperatorNote};
use setup::medium::{Medium, on_every_medium};

/// The next row after `head`: `count` records.
fn row(head: Head, count: u32) -> Row {
    let mut writer = FrameWriter::new(head.chain(Algorithm::Blake3));
    for _ in 0..count {
        writer.push(format!("record {}", writer.chain().seq() + 1).as_bytes());
    }
    writer.cut().unwrap()
}

/// A commit after `previous`, a row for each of `counts`.
fn commit(previous: Head, counts: &[u32]) -> Commit {
    let mut head = previous;
    let mut rows = Vec::new();
    for count in counts {
        let row = row(head, *count);
        head = Head { seq: row.last(), link: row.link };
        rows.push(row);
    }
    Commit { previous, rows, vault: Vec::new() }
}

fn person(token: u8) -> VaultRow {
    let (value, mask) = (format!("value {token}"), format!("mask {token}"));
    VaultRow { token: [token; 16], kind: token, value, mask }
}

/// Appends a commit and returns the head after it.
fn grow(journal: &mut dyn Journal, previous: Head, counts: &[u32]) -> Head {
    let commit = commit(previous, counts);
    journal.append(&commit).unwrap();
    commit.head()
}

fn firsts(journal: &mut dyn Journal, from_seq: u64, max_rows: usize) -> Vec<u64> {
    journal.read(from_seq, max_rows).unwrap().iter().map(|row| row.first).collect()
}

fn an_empty_journal_ends_at_its_genesis<M: Medium>() {
    let medium = M::default();
    let mut journal = medium.writer();
    let opening = journal.open_writer().unwrap();
    let genesis = Head::from_chain(&Chain::genesis(opening.algorithm, "live"));
    assert_eq!((opening.head, opening.epoch), (genesis, 1));
    assert_eq!(journal.head().unwrap(), genesis);
    assert_eq!(journal.read(0, 10).unwrap(), []);
    assert_eq!(journal.vault().unwrap(), []);
}

fn appended_rows_are_read_back_and_move_the_head<M: Medium>() {
    let medium = M::default();
    let mut journal = medium.writer();
    let genesis = journal.open_writer().unwrap().head;
    let one = commit(genesis, &[3]);
    journal.append(&one).unwrap();
    let many = commit(one.head(), &[1000, 1, 2]);
    journal.append(&many).unwrap();
    assert_eq!(journal.head().unwrap(), many.head());
    assert_eq!(many.head().seq, 1006);
    assert_eq!(journal.read(1, 10).unwrap(), [one.rows, many.rows].concat());
}

fn a_read_starts_with_the_row_that_holds_the_record<M: Medium>() {
    let medium = M::default();
    let mut journal = medium.writer();
    let genesis = journal.open_writer().unwrap().head;
    grow(&mut *journal, genesis, &[3, 4, 5]);
    assert_eq!(firsts(&mut *journal, 0, 10), [1, 4, 8]);
    assert_eq!(firsts(&mut *journal, 3, 10), [1, 4, 8]);
    assert_eq!(firsts(&mut *journal, 4, 10), [4, 8]);
    assert_eq!(firsts(&mut *journal, 7, 1), [4]);
    assert_eq!(firsts(&mut *journal, 12, 10), [8]);
    assert!(firsts(&mut *journal, 13, 10).is_empty());
    assert!(firsts(&mut *journal, u64::MAX, 10).is_empty());
    assert!(firsts(&mut *journal, 1, 0).is_empty());
}

fn append_on_a_stale_head_is_refused<M: Medium>() {
    let medium = M::default();
    let mut journal = medium.writer();
    let genesis = journal.open_writer().unwrap().head;
    let head = grow(&mut *journal, genesis, &[1]);
    let mut other_link = head;
    other_link.link.0[0] ^= 1;
    for (stale, counts) in [(genesis, &[1][..]), (genesis, &[1, 1]), (other_link, &[1])] {
        match journal.append(&commit(stale, counts)) {
            Err(AppendError::HeadMoved { expected, found }) => {
                assert_eq!((expected, found), (stale, head));
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(journal.head().unwrap(), head);
    grow(&mut *journal, head, &[1]);
}

fn a_fenced_writer_gets_an_error_and_its_append_never_lands<M: Medium>() {
    let medium = M::default();
    let mut old = medium.writer();
    let genesis = old.open_writer().unwrap().head;
    let head = grow(&mut *old, genesis, &[1]);
    let mut new = medium.writer();
    let opening = new.open_writer().unwrap();
    assert_eq!((opening.head, opening.epoch), (head, 2));
    let mut with_person = commit(head, &[1]);
    with_person.vault.push(person(1));
    for late in [commit(head, &[1]), commit(head, &[1, 1]), commit(genesis, &[1]), with_person] {
        match old.append(&late) {
            Err(AppendError::Fenced { mine: 1, current: 2 }) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(new.head().unwrap(), head);
    assert_eq!(new.vault().unwrap(), []);
    grow(&mut *new, head, &[1]);
}

fn append_before_taking_over_is_refused<M: Medium>() {
    let medium = M::default();
    let mut journal = medium.writer();
    let genesis = journal.head().unwrap();
    assert!(matches!(journal.append(&commit(genesis, &[1])), Err(AppendError::NotWriting)));
    assert_eq!(journal.head().unwrap(), genesis);
}

fn a_reopened_journal_goes_on_where_it_was<M: Medium>() {
    let medium = M::default();
    let mut journal = medium.writer();
    let opening = journal.open_writer().unwrap();
    let head = grow(&mut *journal, opening.head, &[2]);
    drop(journal);
    let mut journal = medium.writer();
    let again = journal.open_writer().unwrap();
    assert_eq!((again.head, again.epoch), (head, 2));
    assert_eq!(again.vault_key, opening.vault_key);
    grow(&mut *journal, head, &[1]);
    assert_eq!(firsts(&mut *journal, 1, 10), [1, 3]);
}

fn reading_never_takes_the_epoch<M: Medium>() {
    let medium = M::default();
    let mut writer = medium.writer();
    let opening = writer.open_writer().unwrap();
    let head = grow(&mut *writer, opening.head, &[1]);
    let mut reader = medium.reader();
    assert_eq!(reader.head().unwrap(), head);
    assert_eq!(firsts(&mut *reader, 1, 10), [1]);
    assert_eq!(reader.vault().unwrap(), []);
    assert_eq!(reader.identity(), writer.identity());
    assert_eq!(reader.identity().vault_key, opening.vault_key);
    assert!(matches!(reader.open_writer(), Err(JournalError::ReadOnly)));
    assert!(matches!(reader.erase([1; 16]), Err(JournalError::ReadOnly)));
    assert!(matches!(reader.append(&commit(head, &[1])), Err(AppendError::NotWriting)));
    let head = grow(&mut *writer, head, &[1]);
    assert_eq!(reader.head().unwrap(), head);
}

fn ledgers_of_one_medium_do_not_disturb_each_other<M: Medium>() {
    let medium = M::default();
    let mut live = medium.open("live", OpenMode::create()).unwrap();
    let mut sandbox = medium.open("sandbox", OpenMode::create()).unwrap();
    let mut live_head = live.open_writer().unwrap().head;
    let mut sandbox_head = sandbox.open_writer().unwrap().head;
    assert_ne!(live_head.link, sandbox_head.link);
    for _ in 0..3 {
        live_head = grow(&mut *live, live_head, &[1]);
        sandbox_head = grow(&mut *sandbox, sandbox_head, &[2, 3]);
    }
    let mut last = commit(live_head, &[1]);
    last.vault.push(person(1));
    live.append(&last).unwrap();
    assert_eq!((live.head().unwrap().seq, sandbox.head().unwrap().seq), (4, 15));
    assert_eq!(sandbox.vault().unwrap(), []);
    assert!(!sandbox.erase([1; 16]).unwrap());
    assert_eq!(live.vault().unwrap(), [person(1)]);
}

fn values_become_durable_with_their_commit_and_not_otherwise<M: Medium>() {
    let medium = M::default();
    let mut journal = medium.writer();
    let genesis = journal.open_writer().unwrap().head;
    let mut first = commit(genesis, &[1]);
    first.vault = vec![person(2), person(1)];
    journal.append(&first).unwrap();
    let mut stale = commit(genesis, &[1]);
    stale.vault = vec![person(3)];
    assert!(matches!(journal.append(&stale), Err(AppendError::HeadMoved { .. })));
    assert_eq!(journal.vault().unwrap(), [person(1), person(2)]);
    let mut again = commit(first.head(), &[1, 1]);
    again.vault = vec![VaultRow { value: "another".into(), ..person(1) }, person(4)];
    journal.append(&again).unwrap();
    assert_eq!(medium.reader().vault().unwrap(), [person(1), person(2), person(4)]);
}

fn nobody_erases_beside_the_writer<M: Medium>() {
    let medium = M::default();
    let mut journal = medium.writer();
    let genesis = journal.open_writer().unwrap().head;
    let mut first = commit(genesis, &[1]);
    first.vault = vec![person(1)];
    journal.append(&first).unwrap();

    let mut beside = medium.writer();
    assert!(matches!(beside.erase([1; 16]), Err(JournalError::NotWriting)));
    beside.open_writer().unwrap();
    let fenced = journal.erase([1; 16]).unwrap_err();
    assert!(matches!(fenced, JournalError::Fenced { mine: 1, current: 2 }), "{fenced:?}");
    assert_eq!(medium.reader().vault().unwrap(), [person(1)]);
    assert!(beside.erase([1; 16]).unwrap());
}

fn who_is_held_is_erased_by_nobody_until_the_hold_is_released<M: Medium>() {
    let medium = M::default();
    let mut journal = medium.writer();
    let genesis = journal.open_writer().unwrap().head;
    let mut first = commit(genesis, &[1]);
    first.vault = vec![person(1), person(2), person(3)];
    journal.append(&first).unwrap();
    let note = |second: i64, by: &str, reason: &str| OperatorNote {
        at: Instant::from_micros(second * 1_000_000).unwrap(),
        by: by.into(),
        reason: reason.into(),
    };
    let hold = |id: &str, tokens: &[u8]| {
        let tokens = tokens.iter().map(|token| Token([*token; 16]));
        LegalHold::new(id, tokens, note(1, "caio", "an order"))
    };
    // Whoever holds nothing places one: the writer hears of it from the medium.
    let mut beside = medium.writer();
    assert!(beside.place_hold(&hold("b", &[2, 1, 9])).unwrap());
    assert!(beside.place_hold(&hold("a", &[1])).unwrap());
    assert!(!beside.place_hold(&hold("a", &[3])).unwrap(), "the name is taken");
    for (token, names) in [(1, "a, b"), (2, "b")] {
        let refused = journal.erase([token; 16]).unwrap_err();
        assert!(matches!(&refused, JournalError::Held { holds } if holds == names), "{refused:?}");
    }
    assert!(journal.erase([3; 16]).unwrap());
    assert_eq!(medium.reader().vault().unwrap(), [person(1), person(2)]);

    // What is held before it is known is held when it comes.
    let mut later = commit(first.head(), &[1]);
    later.vault = vec![person(9)];
    journal.append(&later).unwrap();
    assert!(matches!(journal.erase([9; 16]), Err(JournalError::Held { .. })));

    let released = note(2, "bia", "it is closed");
    assert!(beside.release_hold("b", &released).unwrap());
    assert!(!beside.release_hold("b", &released).unwrap());
    assert!(!beside.release_hold("c", &released).unwrap());
    assert!(!beside.place_hold(&hold("b", &[1])).unwrap(), "a name is used once");
    assert!(matches!(journal.erase([1; 16]), Err(JournalError::Held { holds }) if holds == "a"));
    assert!(journal.erase([2; 16]).unwrap() && journal.erase([9; 16]).unwrap());

    let mut reader = medium.reader();
    let holds = reader.holds().unwrap();
    let expected = LegalHold { released: Some(released.clone()), ..hold("b", &[1, 2, 9]) };
    assert_eq!(holds, [hold("a", &[1]), expected]);
    assert!(matches!(reader.place_hold(&hold("d", &[1])), Err(JournalError::ReadOnly)));
    assert!(matches!(reader.release_hold("a", &released), Err(JournalError::ReadOnly)));
    journal.scrub(Scrub::Tables).unwrap();
    assert_eq!(journal.vault().unwrap(), [person(1)]);
    assert_eq!(journal.head().unwrap(), later.head());
}

fn an_erased_value_is_gone_and_the_rows_stay<M: Medium>() {
    let medium = M::default();
    let mut journal = medium.writer();
    let genesis = journal.open_writer().unwrap().head;
    let mut first = commit(genesis, &[1]);
    first.vault = vec![person(1), person(2)];
    journal.append(&first).unwrap();
    assert!(journal.erase([1; 16]).unwrap());
    assert!(!journal.erase([1; 16]).unwrap());
    drop(journal);
    let mut journal = medium.writer();
    assert_eq!(journal.vault().unwrap(), [person(2)]);
    let opening = journal.open_writer().unwrap();
    assert_eq!(opening.head, first.head());
    let mut back = commit(opening.head, &[1]);
    back.vault = vec![person(1)];
    journal.append(&back).unwrap();
    assert_eq!(journal.vault().unwrap(), [person(1), person(2)]);
}

fn a_ledger_keeps_the_key_and_the_hash_it_was_created_with<M: Medium>() {
    let medium = M::default();
    let mode = |vault_key, algorithm| OpenMode::Create { vault_key, algorithm, designation: None };
    let sha = Some(Algorithm::Sha256);
    let identity = |mode| medium.open("live", mode).map(|journal| journal.identity());
    let created = identity(mode(Some([7; 32]), sha)).unwrap();
    assert_eq!((created.vault_key, created.algorithm), ([7; 32], Algorithm::Sha256));
    assert_eq!(identity(OpenMode::create()).unwrap(), created);
    assert_eq!(identity(mode(Some([7; 32]), sha)).unwrap(), created);
    assert_eq!(identity(OpenMode::ReadOnly).unwrap(), created);
    assert!(matches!(
        identity(mode(Some([8; 32]), None)),
        Err(OpenError::VaultKeyDiffers { name }) if name == "live"
    ));
    assert!(matches!(
        identity(mode(None, Some(Algorithm::Blake3))),
        Err(OpenError::AlgorithmDiffers { recorded: Algorithm::Sha256, .. })
    ));
}

fn each_new_ledger_gets_a_key_of_its_own<M: Medium>() {
    let medium = M::default();
    let key = |name| medium.open(name, OpenMode::create()).unwrap().identity().vault_key;
    assert_ne!(key("live"), key("sandbox"));
}

fn reading_a_missing_ledger_creates_none<M: Medium>() {
    let medium = M::default();
    for _ in 0..2 {
        assert!(matches!(
            medium.open("live", OpenMode::ReadOnly),
            Err(OpenError::LedgerUnknown { name }) if name == "live"
        ));
    }
}

fn a_value_may_hold_any_character<M: Medium>() {
    let medium = M::default();
    let mut journal = medium.writer();
    let genesis = journal.open_writer().unwrap().head;
    let value = "Zoë \0 \u{10ffff} 'quoted' \\ José".to_owned();
    let mut odd = commit(genesis, &[1]);
    odd.vault = vec![VaultRow { mask: value.clone(), value, ..person(1) }];
    journal.append(&odd).unwrap();
    assert_eq!(medium.reader().vault().unwrap(), odd.vault);
}

fn a_sound_medium_is_found_sound<M: Medium>() {
    let medium = M::default();
    let mut journal = medium.writer();
    let genesis = journal.open_writer().unwrap().head;
    journal.check().unwrap();
    grow(&mut *journal, genesis, &[3, 1000]);
    medium.reader().check().unwrap();
}

fn a_reader_beside_a_busy_writer_sees_one_moment_at_a_time<M: Medium>() {
    let medium = M::default();
    let mut writer = medium.writer();
    let mut head = writer.open_writer().unwrap().head;
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reads = scope.spawn(|| {
            let mut reader = medium.reader();
            let mut seen = 0;
            while !done.load(Ordering::Relaxed) {
                let head = reader.head().unwrap().seq;
                assert!(head >= seen, "{head} after {seen}");
                seen = head;
                reader.check().unwrap();
            }
        });
        for _ in 0..300 {
            head = grow(&mut *writer, head, &[1]);
        }
        done.store(true, Ordering::Relaxed);
        reads.join().unwrap();
    });
}

fn a_commit_with_a_gap_is_the_writers_bug<M: Medium>() {
    let medium = M::default();
    let mut journal = medium.writer();
    let genesis = journal.open_writer().unwrap().head;
    let mut gap = commit(genesis, &[2, 2]);
    gap.rows.remove(0);
    let append = std::panic::AssertUnwindSafe(|| journal.append(&gap));
    assert!(std::panic::catch_unwind(append).is_err());
    assert_eq!(journal.head().unwrap(), genesis);
}

on_every_medium! {
    an_empty_journal_ends_at_its_genesis,
    appended_rows_are_read_back_and_move_the_head,
    a_read_starts_with_the_row_that_holds_the_record,
    append_on_a_stale_head_is_refused,
    a_fenced_writer_gets_an_error_and_its_append_never_lands,
    append_before_taking_over_is_refused,
    a_reopened_journal_goes_on_where_it_was,
    reading_never_takes_the_epoch,
    ledgers_of_one_medium_do_not_disturb_each_other,
    values_become_durable_with_their_commit_and_not_otherwise,
    nobody_erases_beside_the_writer,
    an_erased_value_is_gone_and_the_rows_stay,
    who_is_held_is_erased_by_nobody_until_the_hold_is_released,
    a_ledger_keeps_the_key_and_the_hash_it_was_created_with,
    each_new_ledger_gets_a_key_of_its_own,
    reading_a_missing_ledger_creates_none,
    a_value_may_hold_any_character,
    a_sound_medium_is_found_sound,
    a_reader_beside_a_busy_writer_sees_one_moment_at_a_time,
    a_commit_with_a_gap_is_the_writers_bug,
}
