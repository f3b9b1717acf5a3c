//! Eight cells: what must hold holds, whatever the network does, and what is planted is found.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

use ledger_sim::{CellsReport, PlantedMistake, simulate_cells, simulate_cells_with};

const STEPS: u64 = 4_000;

#[test]
fn nothing_is_lost_or_done_twice_while_accounts_move_between_cells() {
    let mut all = CellsReport::default();
    for seed in 1..=24 {
        let report = simulate_cells(seed, STEPS).unwrap_or_else(|failure| panic!("{failure}"));
        all.add(&report);
    }
    println!("{all}");
    let CellsReport { requests, retries, moves, lost, late, doubled, followed, .. } = all;
    let met = [requests, retries, moves, lost, late, doubled, followed];
    assert!(met.iter().all(|count| *count >= 20), "{all}");
}

#[test]
fn one_seed_is_one_history() {
    assert_eq!(simulate_cells(7, 300).unwrap(), simulate_cells(7, 300).unwrap());
}

/// Tells whether one of a few seeds finds it, in these words.
fn finds(mistake: PlantedMistake, words: &str) -> bool {
    let found = |seed| simulate_cells_with(seed, STEPS, Some(mistake)).err();
    (1..=24).filter_map(found).any(|failure| failure.what.contains(words))
}

#[test]
fn a_router_that_does_not_ask_the_cells_an_account_left_is_found() {
    assert!(finds(PlantedMistake::FormerCellsNotAsked, "was carried out by cells ["));
}

#[test]
fn a_mover_that_makes_its_ids_anew_is_found() {
    // Each round carries it again, and what is carried on never ends.
    assert!(finds(PlantedMistake::IdsMadeAnew, "moves never end"));
}

#[test]
fn what_does_not_follow_its_account_is_found() {
    assert!(finds(PlantedMistake::NothingFollows, "left something in cell"));
}
