//! The checks of the outcome as the only judges: nobody hears the oracle, the invariants or an
//! assertion.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

use ledger_sim::{Settings, check_outcome_of_lines, simulate};

const SETTINGS: Settings = Settings::commands(7, 300);

#[test]
fn a_run_that_the_outcome_alone_judges_goes_on_when_the_oracle_is_wrong() {
    let wrong = SETTINGS.with_a_wrong_oracle();
    assert!(simulate(&wrong).is_err());
    let report = simulate(&wrong.judged_by_the_outcome_alone()).unwrap();
    assert!(report.commands >= 300, "{} commands", report.commands);
    assert_eq!(report.invariants_checked, 0);
}

#[test]
fn a_run_that_the_outcome_alone_judges_ends_without_a_verdict_where_the_oracle_panics() {
    let panics = SETTINGS.with_an_oracle_that_panics();
    assert!(simulate(&panics).is_err());
    let report = simulate(&panics.judged_by_the_outcome_alone()).unwrap();
    assert!(report.commands < 300, "{} commands", report.commands);
}

/// Rulings 60: what the reader lets in is a correction, and of one share.
#[test]
fn lines_at_the_bounds_of_numbers_violate_no_outcome() {
    let read = check_outcome_of_lines(include_str!("../bounds.jsonl")).unwrap();
    assert_eq!(read, 5, "the account, one centavo and the largest amount, given and charged");
}
