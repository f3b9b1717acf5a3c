//! The disk is full: a file may grow so far and no further.

use std::fs;

use super::program::{ProgramOutput, answers, said_in_step, typed_after};
use super::undisturbed::{LEDGERS, Undisturbed};
use ledger_store::{OpenMode, SqliteJournal};

/// Writes beyond this many blocks of 512 bytes fail with "File too large", and kill nobody.
fn limit(blocks: usize) -> String {
    format!("trap '' XFSZ; ulimit -f {blocks}")
}

/// What a run says whose lines come in step with its answers, and whose files may not grow beyond
/// so many blocks.
fn limited(blocks: usize, whole: &Undisturbed, store: &str) -> ProgramOutput {
    said_in_step(typed_after(&limit(blocks), &whole.file, store), &whole.file)
}

#[test]
fn a_file_that_may_not_grow_stops_the_run_and_with_room_again_it_goes_on() {
    let whole = Undisturbed::town(11, 900);
    let mut answered = Vec::new();
    for blocks in [1, 16, 64, 100, 160, 240, 320, 480, 720, 1_000] {
        let store = whole.store(&format!("full-{blocks}.db"));
        let stopped = limited(blocks, &whole, &store);
        stopped.assert_clear_stop();
        assert!(stopped.err.contains(&store), "{}", stopped.err);
        let cause = ["it may be full", "may be full or at a limit"];
        assert!(cause.iter().any(|cause| stopped.err.contains(cause)), "{}", stopped.err);
        let heard = answers(&stopped.out);
        whole.assert_agrees(&heard);
        let last = heard.keys().last().copied().unwrap_or_default();
        answered.push(last);
        // Tried again without room, it loses nothing either.
        limited(blocks, &whole, &store).assert_clear_stop();
        if last > 0 {
            for (ledger, name) in LEDGERS.into_iter().enumerate() {
                let mut journal = SqliteJournal::open(&store, name, OpenMode::ReadOnly).unwrap();
                whole.assert_holds(ledger, &mut journal, last);
            }
        }
        whole.assert_ends(&store);
    }
    assert!(answered.iter().filter(|last| **last > 0).count() >= 5, "{answered:?}");
}

#[test]
fn answers_that_cannot_be_written_stop_the_run_by_name() {
    let whole = Undisturbed::town(12, 60);
    let store = whole.store("deaf.db");
    let mut deaf = super::program::run(&whole.file, &store);
    deaf.stdout(fs::File::options().write(true).open("/dev/full").unwrap());
    let output = deaf.stderr(std::process::Stdio::piped()).spawn().unwrap().wait_with_output();
    let stopped = ProgramOutput::from_output(output.unwrap());
    stopped.assert_clear_stop();
    assert!(stopped.err.contains("standard output: No space left on device"), "{}", stopped.err);
    whole.assert_ends(&store);
}
