//! INV-44: whatever strikes between two transactions, the outbox holds each effect once: nothing is
//! lost, nothing is invented, and every table is the fold.

use ledger_store::journal::{Journal, MemoryDisk, MemoryJournal, OpenMode};
use ledger_store::projection::{ProjectError, Projector, prove};

use crate::setup::story::Dice;
use crate::setup::{self, LIVE};
use crate::{Home, bodies, journal, lived};

#[test]
fn a_projector_dropped_at_any_moment_loses_and_invents_nothing() {
    let story = lived(2, 400);
    for home in Home::both() {
        let mut dice = Dice(44);
        let disk = MemoryDisk::new();
        let mut writer = setup::memory(&disk);
        writer.open_writer().unwrap();
        let open = || MemoryJournal::open(&disk, LIVE, OpenMode::ReadOnly).unwrap();
        let mut projector: Option<Projector> = None;
        let mut crashes = 0;
        for commit in &story.commits {
            writer.append(commit).unwrap();
            match dice.below(6) {
                // The commit is durable, and the projector never hears of it.
                0 => {
                    projector = None;
                    crashes += 1;
                }
                // It hears of it inline, or comes to it by itself.
                _ => match &mut projector {
                    Some(projector) => projector.follow(commit).unwrap(),
                    None => {
                        let opened = Projector::open(&mut open(), LIVE, &home.target).unwrap();
                        assert_eq!(opened.at(), commit.head());
                        projector = Some(opened);
                    }
                },
            }
        }
        let projector = Projector::open(&mut open(), LIVE, &home.target).unwrap();
        assert_eq!(projector.at(), story.sequencer.head());
        assert!(crashes > 20, "{crashes}");
        assert_eq!(bodies(&home, &mut open()), story.effects);
        prove(&mut open(), LIVE, &home.target).unwrap().expect("tables are there");
    }
}

#[test]
fn following_inline_passes_over_what_it_has_and_stops_at_what_it_missed() {
    let story = lived(5, 200);
    let home = Home::sqlite();
    let mut empty = journal(&[]);
    let mut projector = Projector::open(&mut empty, LIVE, &home.target).unwrap();
    let [first, second, third, ..] = &story.commits[..] else { panic!("a story of commits") };
    projector.follow(first).unwrap();
    projector.follow(first).unwrap();
    assert_eq!(projector.at(), first.head());
    let missed = projector.follow(third).unwrap_err();
    assert!(matches!(missed, ProjectError::Skipped { .. }), "{missed}");
    projector.follow(second).unwrap();
    projector.follow(third).unwrap();
    assert_eq!(projector.at(), third.head());
    prove(&mut journal(&story.commits), LIVE, &home.target).unwrap().unwrap();
}

#[test]
fn two_projectors_of_one_set_of_tables_double_nothing() {
    let story = lived(5, 200);
    for home in Home::both() {
        let (first, rest) = story.commits.split_at(10);
        let mut begun = journal(first);
        let mut one = Projector::open(&mut begun, LIVE, &home.target).unwrap();
        let mut other = Projector::open(&mut begun, LIVE, &home.target).unwrap();
        one.follow(&rest[0]).unwrap();
        let stopped = other.follow(&rest[0]).unwrap_err();
        assert!(matches!(stopped, ProjectError::Moved { .. }), "{stopped}");
        let all: Vec<_> = first.iter().chain(&rest[..1]).cloned().collect();
        prove(&mut journal(&all), LIVE, &home.target).unwrap().unwrap();
    }
}

/// The rows of a journal are a matter of timing: tables know records only.
#[test]
fn tables_go_on_over_a_journal_whose_rows_are_cut_elsewhere() {
    let (fine, coarse) = (lived(3, 300), lived(1_000, 300));
    assert_eq!(fine.sequencer.head(), coarse.sequencer.head());
    let home = Home::sqlite();
    let half = fine.commits.len() / 2;
    Projector::open(&mut journal(&fine.commits[..half]), LIVE, &home.target).unwrap();
    prove(&mut journal(&coarse.commits), LIVE, &home.target).unwrap().unwrap();
    let projector = Projector::open(&mut journal(&coarse.commits), LIVE, &home.target).unwrap();
    assert_eq!(projector.at(), fine.sequencer.head());
    prove(&mut journal(&fine.commits), LIVE, &home.target).unwrap().unwrap();
    assert_eq!(bodies(&home, &mut journal(&fine.commits)), fine.effects);
}
