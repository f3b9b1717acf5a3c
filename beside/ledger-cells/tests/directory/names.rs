//! A directory is no ledger, and a ledger no directory: each is refused by what it is.

use ledger_cells::directory::DirectoryReplayError;
use ledger_store::audit::{Expect, audit};
use ledger_store::engine::Engine;
use ledger_store::projection::Target;
use ledger_store::survey::survey;
use ledger_store::{FrameWriter, OpenError, SqliteJournal};

use super::setup::medium::{Medium, on_every_medium};
use super::setup::rows_given::{RowsGiven, records_of};
use super::setup::{call, lived_in_commits_of};
use super::*;

const OPENED: &str = r#"{"at": "2026-11-20T12:00:00Z", "fact": "account.opened",
    "body": {"id": "acc-1", "account": "loja"}, "supplied": {"key": "svc_live_loja"}}"#;

fn no_ledger_gets_the_name_and_nothing_is_made<M: Medium>() {
    let medium = M::default();
    for mode in [OpenMode::create(), OpenMode::made_for(Environment::Live)] {
        let refused = medium.open(DIRECTORY, mode).map(drop).unwrap_err();
        assert!(matches!(refused, OpenError::NameReserved), "{refused}");
        assert!(refused.to_string().contains("the name of the directory of cells"), "{refused}");
    }
    let absent = medium.open(DIRECTORY, OpenMode::ReadOnly).map(drop).unwrap_err();
    assert!(matches!(absent, OpenError::LedgerUnknown { .. }), "{absent}");
    // Nor does a directory get the name of a ledger.
    let refused = medium.open("live", WRITING).map(drop).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "\"live\" names a ledger: the directory of cells is named \"directory\""
    );
    assert!(medium.open("live", OpenMode::ReadOnly).is_err());
}

fn a_ledger_is_refused_as_a_directory_and_its_writer_goes_on<M: Medium>() {
    let medium = M::default();
    let engine = Engine::start(medium.writer(), "live", |_, _| ()).unwrap();
    for written in [0, 1] {
        assert_eq!(engine.head().unwrap().seq, written);
        let found = DirectoryJournal::open(medium.writer()).map(drop).unwrap_err();
        assert!(matches!(found, DirectoryReplayError::OfALedger), "{found}");
        let opened = call(OPENED);
        assert_eq!(engine.call(opened).wait().unwrap().status, 200);
    }
}

fn a_directory_is_refused_as_a_ledger<M: Medium>() {
    let medium = M::default();
    let mut directory = on(&medium);
    carried_out(&mut directory, &[cell("cell-a")]);
    let mut journal = medium.open(DIRECTORY, OpenMode::ReadOnly).unwrap();
    let finding = audit(&mut *journal, DIRECTORY, Expect::default(), |_| ()).unwrap_err();
    let found = in_words(&finding);
    assert!(found.contains("the record is of a directory of cells, which is no ledger"), "{found}");
    directory.execute(&place("loja"), at(2)).unwrap();
}

fn a_directory_keeps_the_environment_it_was_made_for<M: Medium>() {
    let medium = M::default();
    carried_out(&mut on(&medium), &[cell("cell-a")]);
    let sandbox = OpenMode::Directory { environment: Some(Environment::Sandbox) };
    let refused = medium.open(DIRECTORY, sandbox).map(drop).unwrap_err();
    assert!(matches!(refused, OpenError::EnvironmentDiffers { .. }), "{refused}");
    let unsaid = OpenMode::Directory { environment: None };
    let directory = opened(medium.open(DIRECTORY, unsaid).unwrap());
    assert_eq!(directory.directory().environment(), Environment::Live);
}

fn in_words(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

on_every_medium! {
    no_ledger_gets_the_name_and_nothing_is_made,
    a_ledger_is_refused_as_a_directory_and_its_writer_goes_on,
    a_directory_is_refused_as_a_ledger,
    a_directory_keeps_the_environment_it_was_made_for,
}

#[test]
fn a_file_that_is_refused_a_ledger_of_the_name_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("new.db");
    for (name, mode) in [(DIRECTORY, OpenMode::create()), ("live", WRITING)] {
        assert!(SqliteJournal::open(&file, name, mode).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

/// One that was made before the name was reserved.
#[test]
fn a_ledger_of_the_name_is_told_from_a_directory_by_its_records() {
    let (_, commits) = lived_in_commits_of(5, 10);
    let rows: Vec<_> = commits.into_iter().flat_map(|commit| commit.rows).collect();
    let mut frames = FrameWriter::new(super::tampered::genesis());
    for record in records_of(&rows) {
        frames.push(&record);
    }
    let given = RowsGiven::new(Vec::from_iter(frames.cut()));
    let found = DirectoryJournal::open(Box::new(given)).map(drop).unwrap_err();
    assert!(matches!(found, DirectoryReplayError::OfALedger), "{found}");
}

#[test]
fn a_directory_beside_ledgers_is_surveyed_as_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ledger.db");
    SqliteJournal::open(&file, "live", OpenMode::create()).unwrap();
    let journal = SqliteJournal::open(&file, DIRECTORY, WRITING).unwrap();
    carried_out(&mut opened(Box::new(journal)), &[cell("cell-a")]);
    let target = Target::Sqlite(file);
    let found = survey(&target, std::slice::from_ref(&target)).unwrap();
    assert_eq!(found.unowned, []);
    let ledgers = found.ledgers.iter().map(|known| (&*known.name, known.is_directory()));
    assert_eq!(ledgers.collect::<Vec<_>>(), [("live", false), (DIRECTORY, true)]);
}
