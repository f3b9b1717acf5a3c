//! Audits that follow a ledger while it is written: each commit is checked as it comes, and what is
//! changed beside it, or ahead of where they read, is found.

use ledger_store::audit::{Finding, FollowingAudit};
use ledger_store::journal::{Journal, OpenMode};

use super::setup::{LIVE, lived_in_commits_of};
use super::stores::Store;
use super::{IN_A_ROW, STEPS, audited_rows, journal};

/// Appends the story's commits from the one of this place on, a few, and says how many there are.
fn append(writer: &mut dyn Journal, from: usize, count: usize) -> usize {
    let (_, commits) = lived_in_commits_of(IN_A_ROW, STEPS);
    for commit in commits.iter().skip(from).take(count) {
        writer.append(commit).unwrap();
    }
    commits.len()
}

#[test]
fn commits_are_checked_as_they_come_and_the_end_says_what_an_audit_says() {
    for store in [Store::empty_sqlite(), Store::empty_postgres()] {
        let mut writer = store.open(super::setup::mode()).unwrap();
        writer.open_writer().unwrap();
        let mut audit = FollowingAudit::open(store.reader(), LIVE).unwrap();
        assert_eq!(audit.catch_up(|_| ()).unwrap(), 0);
        let all = append(&mut *writer, 0, 2);
        let came = audit.catch_up(|_| ()).unwrap();
        assert_eq!((came, audit.catch_up(|_| ()).unwrap()), (audit.head().seq, 0));
        for place in 2..all {
            append(&mut *writer, place, 1);
            assert!(audit.catch_up(|_| ()).unwrap() > 0, "commit {place}");
            audit.hold_vault().unwrap();
        }
        let (sequencer, rows) = journal();
        assert_eq!(audit.head(), sequencer.head());
        let (report, whole) = (audit.finish().unwrap(), audited_rows(&rows).unwrap());
        assert_eq!((report.head(), report.state()), (whole.head(), whole.state()));
    }
}

#[test]
fn a_row_of_the_vault_that_is_changed_meanwhile_is_found() {
    for store in Store::both() {
        let mut audit = FollowingAudit::open(store.reader(), LIVE).unwrap();
        audit.catch_up(|_| ()).unwrap();
        assert!(audit.hold_vault().unwrap() > 0);
        store.tamper("UPDATE vault SET value = 'somebody else'");
        assert!(audit.hold_vault().is_err());
    }
}

#[test]
fn a_row_of_the_journal_that_is_changed_before_it_is_read_is_found_by_its_record() {
    for store in [Store::empty_sqlite(), Store::empty_postgres()] {
        let mut writer = store.open(super::setup::mode()).unwrap();
        writer.open_writer().unwrap();
        append(&mut *writer, 0, 2);
        let mut audit = FollowingAudit::open(store.reader(), LIVE).unwrap();
        audit.catch_up(|_| ()).unwrap();
        let read = audit.head().seq;
        append(&mut *writer, 2, 2);
        // Whoever can change a row lets no trigger stand in the way.
        let of = format!("WHERE first > {read}");
        if store.is_sqlite() {
            store.tamper(&format!("UPDATE journal SET payload = zeroblob(length(payload)) {of}"));
        } else {
            store.tamper("ALTER TABLE journal DISABLE TRIGGER ALL");
            let zeros = "decode(repeat('00', length(payload)), 'hex')";
            store.tamper(&format!("UPDATE journal SET payload = {zeros} {of}"));
            store.tamper("ALTER TABLE journal ENABLE TRIGGER ALL");
        }
        let finding = audit.catch_up(|_| ()).unwrap_err();
        assert_eq!(finding.seq(), Some(read + 1), "{finding:?}");
    }
}

#[test]
fn a_journal_that_ends_earlier_or_otherwise_than_it_was_read_is_found() {
    let store = Store::sqlite();
    let mut audit = FollowingAudit::open(store.reader(), LIVE).unwrap();
    audit.catch_up(|_| ()).unwrap();
    audit.hold_vault().unwrap();
    let last = audit.head().seq;
    store.tamper(&format!("DELETE FROM journal WHERE first + count > {last}"));
    let cut = audit.hold_vault().unwrap_err();
    let named = matches!(cut, Finding::Truncated { expected, .. } if expected == last);
    assert!(named, "{cut:?}");
    assert!(store.open(OpenMode::ReadOnly).is_ok());
}
