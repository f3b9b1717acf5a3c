//! Appends that go wrong: what was written is known before anything else is decided.

use ledger_cells::directory::DirectoryError;
use ledger_core::directory::Refusal;
use ledger_store::journal::{AppendFault, AppendFaults};

use super::*;

/// A directory with a cell, and what goes wrong with its appends.
fn with_faults(disk: &MemoryDisk) -> (DirectoryJournal, AppendFaults) {
    let journal = MemoryJournal::open(disk, DIRECTORY, WRITING).unwrap();
    let faults = journal.faults();
    let mut directory = opened(Box::new(journal));
    carried_out(&mut directory, &[cell("cell-a"), cell("cell-b")]);
    (directory, faults)
}

#[test]
fn what_the_medium_refused_is_not_remembered_and_can_be_asked_again() {
    let (mut directory, faults) = with_faults(&MemoryDisk::new());
    faults.at_next(AppendFault::Refused);
    let refused = directory.execute(&place("loja"), at(3));
    assert!(matches!(refused, Err(DirectoryError::NotWritten(_))), "{refused:?}");
    assert_eq!(directory.directory().cell_of("loja"), None);
    assert!(directory.execute(&place("loja"), at(3)).unwrap().is_some());
    assert_eq!((directory.head().seq, faults.remaining()), (3, 0));
}

#[test]
fn a_commit_of_unknown_outcome_that_landed_is_found_by_taking_over() {
    let disk = MemoryDisk::new();
    let (mut directory, faults) = with_faults(&disk);
    faults.at_next(AppendFault::UnknownLanded);
    assert!(directory.execute(&place("loja"), at(3)).unwrap().is_some());
    assert_eq!(directory.directory().cell_of("loja"), Some("cell-a"));
    carried_out(&mut directory, &[place("bazar")]);
    let (known, head) = (directory.directory().clone(), directory.head());
    drop(directory);
    let again = in_memory(&disk);
    assert_eq!((again.directory(), again.head().seq), (&known, 4));
    assert_eq!(again.head(), head);
}

#[test]
fn a_commit_of_unknown_outcome_that_was_lost_is_not_remembered() {
    let disk = MemoryDisk::new();
    let (mut directory, faults) = with_faults(&disk);
    faults.at_next(AppendFault::UnknownLost);
    let lost = directory.execute(&place("loja"), at(3));
    assert!(matches!(lost, Err(DirectoryError::NotWritten(_))), "{lost:?}");
    // Another account takes the room that the first would have had.
    carried_out(&mut directory, &[place("bazar"), place("loja")]);
    drop(directory);
    let again = in_memory(&disk);
    assert_eq!(again.directory().cell_of("bazar"), Some("cell-a"));
    assert_eq!(again.directory().cell_of("loja"), Some("cell-b"));
    assert_eq!(again.head().seq, 4);
}

#[test]
fn a_writer_that_is_fenced_within_an_append_ends() {
    let disk = MemoryDisk::new();
    let (mut directory, faults) = with_faults(&disk);
    faults.at_next(AppendFault::Fenced);
    for _ in 0..2 {
        let fenced = directory.execute(&place("loja"), at(3));
        assert!(matches!(fenced, Err(DirectoryError::Fenced)), "{fenced:?}");
    }
    assert_eq!(in_memory(&disk).directory().cell_of("loja"), None);
}

#[test]
fn a_lease_of_another_writer_says_that_it_has_taken_over() {
    let disk = MemoryDisk::new();
    let (mut directory, faults) = with_faults(&disk);
    let mut other = MemoryJournal::open(&disk, DIRECTORY, WRITING).unwrap();
    faults.at_next(AppendFault::UnknownLost);
    other.open_writer().unwrap();
    other.renew(std::time::Duration::from_mins(1)).unwrap();
    let fenced = directory.execute(&place("loja"), at(3));
    assert!(matches!(fenced, Err(DirectoryError::Fenced)), "{fenced:?}");
}

#[test]
fn a_commit_of_unknown_outcome_after_which_another_wrote_is_fenced_and_not_forgotten() {
    let disk = MemoryDisk::new();
    let (mut directory, faults) = with_faults(&disk);
    // Another writes, and has ended before it is found out what became of the next commit.
    let mut journal = MemoryJournal::open(&disk, DIRECTORY, WRITING).unwrap();
    journal.open_writer().unwrap();
    carried_out(&mut opened(Box::new(journal)), &[place("bazar")]);
    faults.at_next(AppendFault::UnknownLost);
    let fenced = directory.execute(&place("loja"), at(9));
    assert!(matches!(fenced, Err(DirectoryError::Fenced)), "{fenced:?}");
}

#[test]
fn a_refusal_writes_nothing_and_says_what_contradicts() {
    let disk = MemoryDisk::new();
    let mut directory = in_memory(&disk);
    let none = directory.execute(&place("loja"), at(1));
    assert!(matches!(none, Err(DirectoryError::Refused(Refusal::NoCells))), "{none:?}");
    assert_eq!(directory.head().seq, 0);
}

#[test]
fn a_clock_that_goes_back_is_recorded_as_one_that_stood_still() {
    let disk = MemoryDisk::new();
    let mut directory = in_memory(&disk);
    directory.execute(&cell("cell-a"), at(5)).unwrap();
    directory.execute(&place("loja"), at(4)).unwrap();
    let mut journal = MemoryJournal::open(&disk, DIRECTORY, OpenMode::ReadOnly).unwrap();
    let replayed = ledger_cells::directory::replay(&mut journal, &[], |_, _| ()).unwrap();
    assert_eq!(replayed.at, at(5));
}
