//! The audit finds what was changed, wherever it was changed, and names the record.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod file;
mod flips;
mod followed;
mod forged;
mod growing;
mod invariants;
mod pieces;
mod report;
mod rows;
mod rules;
#[path = "../setup/mod.rs"]
mod setup;
mod stores;
mod survey;
mod vault;
mod written;

use ledger_store::audit::{Expect, Finding, audit};
use ledger_store::journal::{Head, Journal, Row};
use ledger_store::report::Report;
use ledger_store::sequencer::Sequencer;
use setup::rows_given::RowsGiven;
use setup::{LIVE, lived_in_commits_of};

/// How many records the audited journals have in a row.
const IN_A_ROW: usize = 50;

/// How many steps of the story they tell: about as many records.
const STEPS: usize = 300;

/// What an audit of a whole and untouched journal comes to: its head and its state.
type Verified = (Option<Head>, Option<ledger_store::Link>);

fn verified(report: &Report) -> Verified {
    (report.head(), report.state())
}

fn audited(journal: &mut dyn Journal, head: Option<Head>) -> Result<Report, Finding> {
    audit(journal, LIVE, Expect { heads: Vec::from_iter(head) }, |_| ())
}

fn audited_rows(rows: &[Row]) -> Result<Report, Finding> {
    audited(&mut RowsGiven::new(rows.to_vec()), None)
}

/// Returns what the audit finds; that it verifies is no answer.
fn finding_of(rows: &[Row], what: &str) -> Finding {
    match audited_rows(rows) {
        Ok(report) => panic!("{what}: verified, {:?}", report.head()),
        Err(finding) => finding,
    }
}

/// The story's sequencer and its rows.
fn journal() -> (Sequencer, Vec<Row>) {
    let (sequencer, commits) = lived_in_commits_of(IN_A_ROW, STEPS);
    let rows: Vec<Row> = commits.into_iter().flat_map(|commit| commit.rows).collect();
    assert!(rows.len() > 5, "the story fills several rows");
    (sequencer, rows)
}

#[test]
fn an_untouched_journal_verifies_to_the_writers_own_head_and_state() {
    let (sequencer, rows) = journal();
    let report = audited_rows(&rows).unwrap();
    let state = ledger_store::digest::digest(sequencer.ledger());
    assert_eq!(verified(&report), (Some(sequencer.head()), Some(state)));
    assert!(report.to_string().starts_with("Ledger live: verified\n"));
}
