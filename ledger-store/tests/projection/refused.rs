//! Tables of another past are refused, in words that name what to do.

use ledger_store::journal::Journal;
use ledger_store::projection::{ProjectError, Projector, Tables, prove};

use crate::setup::LIVE;
use crate::{Home, journal, lived};

fn refused(journal: &mut dyn Journal, home: &Home) -> String {
    Projector::open(journal, LIVE, &home.target).unwrap_err().to_string()
}

#[test]
fn a_checkpoint_whose_link_is_not_on_the_chain_is_refused_and_rebuilding_is_named() {
    let story = lived(10, 200);
    for home in Home::both() {
        let mut journal = journal(&story.commits);
        Projector::open(&mut journal, LIVE, &home.target).unwrap();
        let link = "0".repeat(64);
        home.execute(&format!("UPDATE projection_checkpoint SET link = '{link}'"));
        let error = refused(&mut journal, &home);
        assert!(error.contains("foreign") && error.contains("--rebuild"), "{error}");
        let error = prove(&mut journal, LIVE, &home.target).unwrap_err().to_string();
        assert!(error.contains("foreign"), "{error}");
        Projector::rebuild(&mut journal, LIVE, &home.target).unwrap();
        prove(&mut journal, LIVE, &home.target).unwrap().unwrap();
    }
}

#[test]
fn tables_that_came_to_be_of_another_past_at_the_same_record_are_not_moved_on() {
    let story = lived(10, 200);
    let (before, after) = story.commits.split_at(story.commits.len() / 2);
    for home in Home::both() {
        let mut projector = Projector::open(&mut journal(before), LIVE, &home.target).unwrap();
        let link = "0".repeat(64);
        home.execute(&format!("UPDATE projection_checkpoint SET link = '{link}'"));
        let rows = home.query("SELECT count(*) FROM statement_rows");
        let error = projector.follow(&after[0]).unwrap_err();
        assert!(matches!(error, ProjectError::Moved { .. }), "{error}");
        assert_eq!(home.query("SELECT link FROM projection_checkpoint"), [[link.as_str()]]);
        assert_eq!(home.query("SELECT count(*) FROM statement_rows"), rows);
    }
}

#[test]
fn tables_that_are_ahead_of_a_journal_are_refused_and_rebuilding_is_named() {
    let story = lived(10, 200);
    let home = Home::sqlite();
    Projector::open(&mut journal(&story.commits), LIVE, &home.target).unwrap();
    let mut cut = journal(&story.commits[..story.commits.len() - 1]);
    let error = refused(&mut cut, &home);
    assert!(error.contains("truncated") && error.contains("--rebuild"), "{error}");
    let projector = Projector::rebuild(&mut cut, LIVE, &home.target).unwrap();
    assert_eq!(projector.at(), cut.head().unwrap());
    prove(&mut cut, LIVE, &home.target).unwrap().unwrap();
}

#[test]
fn tables_of_another_version_are_refused_even_for_rebuilding() {
    let story = lived(10, 50);
    let home = Home::sqlite();
    let mut journal = journal(&story.commits);
    Projector::open(&mut journal, LIVE, &home.target).unwrap();
    home.execute("UPDATE projection_checkpoint SET version = 3");
    let error = refused(&mut journal, &home);
    assert!(error.contains("version 3"), "{error}");
    let rebuilt = Projector::rebuild(&mut journal, LIVE, &home.target).unwrap_err();
    assert!(matches!(rebuilt, ProjectError::Version { found: 3, .. }), "{rebuilt}");
}

#[test]
fn where_no_tables_are_there_is_nothing_to_read_or_to_prove() {
    let story = lived(10, 20);
    for home in Home::both() {
        let mut journal = journal(&story.commits);
        assert!(Tables::open(&home.target, LIVE).unwrap().is_none());
        assert!(Tables::open_writing(&home.target, LIVE).unwrap().is_none());
        assert_eq!(prove(&mut journal, LIVE, &home.target).unwrap(), None);
        Projector::open(&mut journal, LIVE, &home.target).unwrap();
        assert!(Tables::open(&home.target, "sandbox").unwrap().is_none());
    }
}
