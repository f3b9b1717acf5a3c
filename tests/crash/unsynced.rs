//! The power goes at any moment of a run: of the writes that no sync followed, each may be on the
//! disk, half on it, or not at all, in any combination.

use std::fs;

use ledger_store::{OpenMode, SqliteJournal};

use super::dice::Dice;
use super::disk::{Disk, Event, Fate, events};
use super::program::{said_in_step, typed};
use super::shim::{self, Fault};
use super::undisturbed::{LEDGERS, Undisturbed};

/// About how many moments are tried, each with every fate.
const MOMENTS: usize = 60;

/// Every how many of what was left is examined by the program too, and run to its end.
const EXAMINED: usize = 40;

/// Everything that came to pass on the disk in a whole run.
fn history(whole: &Undisturbed) -> Vec<Event> {
    let (store, log) = (whole.store("observed.db"), whole.folder().join("log"));
    let mut observed = typed(&whole.file, &store);
    shim::under(&mut observed, &store, Fault::none("none"), &whole.folder().join("report"));
    observed.env("SHIM_LOG", &log);
    let said = said_in_step(observed, &whole.file);
    assert_eq!(said.code, Some(0), "{}", said.err);
    whole.assert_said(&said);
    events(&log)
}

#[test]
fn a_power_loss_at_any_moment_takes_nothing_that_was_answered() {
    let whole = Undisturbed::town(20, 1_200);
    let history = history(&whole);
    let said = |event: &Event| matches!(event, Event::Said { .. });
    let first = history.iter().position(said).expect("something was answered");
    // What comes after the last answer is the closing of the files.
    let last = history.iter().rposition(said).unwrap();
    let (mut disk, mut dice) = (Disk::default(), Dice(21));
    let (mut answered, mut decided, mut tried) = (0, 0, 0);
    for (moment, event) in history[..last].iter().enumerate() {
        disk.learn(event);
        if let Event::Said { text } = event {
            answered += text.split(|byte| *byte == b'\n').count() - 1;
        }
        if moment < first || dice.below((last - first) / MOMENTS) > 0 {
            continue;
        }
        decided += disk.pending();
        for fate in [Fate::Dropped, Fate::Kept, Fate::Any, Fate::Any] {
            tried += 1;
            let store = whole.store(&format!("left-{tried}.db"));
            for (end, bytes) in disk.after_power_loss(fate, &mut dice) {
                fs::write(format!("{store}{end}"), bytes).unwrap();
            }
            for (ledger, name) in LEDGERS.into_iter().enumerate() {
                let mut journal = SqliteJournal::open(&store, name, OpenMode::ReadOnly).unwrap();
                whole.assert_holds(ledger, &mut journal, answered);
            }
            if tried % EXAMINED == 0 {
                whole.assert_audited(&store, answered);
                whole.assert_ends(&store);
            }
            for end in ["", "-wal", "-shm"] {
                let _ = fs::remove_file(format!("{store}{end}"));
            }
        }
    }
    assert!(tried > 2 * MOMENTS && decided > MOMENTS, "{tried} {decided}");
}
