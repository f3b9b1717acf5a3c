//! Single calls to the disk fail: the program stops and says so, or goes on and tells the truth.

use std::collections::BTreeSet;
use std::process::Command;

use ledger_store::{OpenMode, SqliteJournal};

use super::dice::Dice;
use super::program::{ProgramOutput, answers, run, said, said_in_step, typed};
use super::shim::{self, EIO, ENOSPC, Fault};
use super::undisturbed::Undisturbed;

/// How many calls from the first on fail in turn; of the rest so many are drawn.
const FIRST: usize = 36;
const DRAWN: usize = 12;

/// What a sweep met.
#[derive(Default)]
struct Met {
    stops: usize,
    /// Runs that ended well although a call had failed.
    ended: usize,
}

/// A run with this fault under it; what it said, and whether anything failed.
fn faulty(whole: &Undisturbed, store: &str, fault: Fault) -> (ProgramOutput, shim::Report) {
    under(whole, run(&whole.file, store), (store, fault), said)
}

/// The same, of a run whose lines come in step with its answers.
fn faulty_in_step(whole: &Undisturbed, store: &str, fault: Fault) -> (ProgramOutput, shim::Report) {
    let said = |command| said_in_step(command, &whole.file);
    under(whole, typed(&whole.file, store), (store, fault), said)
}

fn under(
    whole: &Undisturbed,
    mut command: Command,
    (store, fault): (&str, Fault),
    said: impl Fn(Command) -> ProgramOutput,
) -> (ProgramOutput, shim::Report) {
    let report = whole.folder().join("report");
    let _ = std::fs::remove_file(&report);
    shim::under(&mut command, store, fault, &report);
    (said(command), shim::read_report(&report))
}

/// How many such calls a whole run makes.
fn calls(whole: &Undisturbed, call: &'static str) -> usize {
    let (said, report) = faulty_in_step(whole, &whole.store("counted.db"), Fault::none(call));
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(report.failed.is_empty() && report.counted > FIRST + DRAWN, "{}", report.counted);
    report.counted
}

/// Each of the first calls fails in a run of its own, then some of the others; what is acknowledged
/// is kept every time, and the store goes on from there.
fn sweep(whole: &Undisturbed, call: &'static str, fault: impl Fn(usize) -> Fault) -> Met {
    let (mut met, mut dice) = (Met::default(), Dice(9));
    let counted = calls(whole, call);
    let drawn = (0..DRAWN).map(|_| FIRST + 1 + dice.below(counted - FIRST));
    let numbers: BTreeSet<usize> = (1..=FIRST).chain(drawn).collect();
    for number in numbers {
        let store = whole.store(&format!("{call}-{number}.db"));
        let (said, report) = faulty_in_step(whole, &store, fault(number));
        // How lines fall into commits is a matter of timing, and so is how many calls they take.
        assert!(!report.failed.is_empty() || number > FIRST, "call {number} of {counted}");
        let heard = answers(&said.out);
        whole.assert_agrees(&heard);
        let answered = heard.keys().last().copied().unwrap_or_default();
        if said.code == Some(0) {
            assert_eq!(answered, whole.answers.len(), "call {number}");
            met.ended += 1;
        } else {
            said.assert_clear_stop();
            assert!(said.err.contains(&store), "call {number}: {}", said.err);
            met.stops += 1;
        }
        if answered > 0 {
            whole.assert_audited(&store, answered);
        }
        whole.assert_ends(&store);
    }
    met
}

#[test]
fn a_write_that_fails_once_stops_the_run_and_leaves_no_hole_in_it() {
    let whole = Undisturbed::town(5, 160);
    let met = sweep(&whole, "write", |number| Fault::once("write", number));
    assert!(met.stops > FIRST / 2, "{} {}", met.stops, met.ended);
}

#[test]
fn a_line_that_was_not_written_is_followed_by_none_that_was() {
    let whole = Undisturbed::street(1_500);
    let mut struck = 0;
    // A faster run makes fewer commits, and may end before the later of these writes.
    for number in (80..260).step_by(3) {
        let store = whole.store(&format!("street-{number}.db"));
        let (said, report) = faulty(&whole, &store, Fault::once("write", number));
        let heard = answers(&said.out);
        whole.assert_agrees(&heard);
        let answered = heard.keys().last().copied().unwrap_or_default();
        let mut journal = SqliteJournal::open(&store, "live", OpenMode::ReadOnly).unwrap();
        whole.assert_holds(0, &mut journal, answered);
        // How lines fall into commits, and so how many writes there are, is a matter of timing.
        struck += usize::from(!report.failed.is_empty() && said.code == Some(1));
    }
    assert!(struck > 12, "{struck}");
}

#[test]
fn a_write_that_is_torn_and_fails_is_wholly_there_or_wholly_absent() {
    let whole = Undisturbed::town(6, 160);
    let torn = |number| Fault { torn: true, errno: EIO, ..Fault::ever_after("write", number) };
    let met = sweep(&whole, "write", torn);
    assert!(met.stops > FIRST / 2, "{} {}", met.stops, met.ended);
}

#[test]
fn a_disk_that_is_full_from_some_write_on_stops_the_run_with_a_word_for_it() {
    let whole = Undisturbed::town(7, 160);
    let full = |number| Fault { errno: ENOSPC, ..Fault::ever_after("write", number) };
    let met = sweep(&whole, "write", full);
    assert!(met.stops > FIRST / 2, "{} {}", met.stops, met.ended);
}

#[test]
fn a_sync_that_fails_once_is_never_taken_for_one_that_did_not() {
    let whole = Undisturbed::town(8, 160);
    let met = sweep(&whole, "sync", |number| Fault::once("sync", number));
    assert!(met.stops > FIRST / 2, "{} {}", met.stops, met.ended);
}

#[test]
fn a_disk_that_syncs_no_more_stops_the_run() {
    let whole = Undisturbed::town(9, 160);
    let met = sweep(&whole, "sync", |number| Fault::ever_after("sync", number));
    assert!(met.stops > FIRST / 2, "{} {}", met.stops, met.ended);
}
