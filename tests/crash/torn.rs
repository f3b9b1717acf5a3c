//! Files that were cut, torn or overwritten: each is recognised, or what it lost is what a kept
//! head shows to be lost. None is taken for whole, and none makes the program panic.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::dice::Dice;
use super::program::{ProgramOutput, answers, audit, finished, killed, run, said, typed};
use super::running::Running;
use super::undisturbed::{LEDGERS, Undisturbed};

const PAGE: usize = 4_096;

/// A store as a killed run left it: its file and its log.
struct Left {
    whole: Undisturbed,
    file: Vec<u8>,
    log: Vec<u8>,
    answered: usize,
}

impl Left {
    /// Killed in the midst of a file of lines, so that much is in the log alone.
    fn by_a_kill() -> Self {
        let whole = Undisturbed::town(13, 900);
        let store = whole.store("left.db");
        let running = Running::start(typed(&whole.file, &store), Some(&whole.file));
        let (heard, ran) = killed(running, 150, Duration::ZERO);
        assert!(ran);
        let answered = heard.keys().last().copied().unwrap();
        let [file, log] = ["", "-wal"].map(|end| fs::read(format!("{store}{end}")).unwrap());
        assert!(log.len() > 20 * PAGE && file.len() > 4 * PAGE, "{} {}", file.len(), log.len());
        Self { whole, file, log, answered }
    }

    /// The same when it was run to its end and closed: everything is in the file.
    fn by_an_end() -> Self {
        let whole = Undisturbed::town(14, 900);
        let store = whole.store("left.db");
        finished(run(&whole.file, &store));
        let answered = whole.answers.len();
        Self { file: fs::read(store).unwrap(), log: Vec::new(), answered, whole }
    }

    /// The store with other bytes in its file or its log.
    fn store(&self, name: &str, file: &[u8], log: &[u8]) -> String {
        let store = self.whole.store(name);
        fs::write(&store, file).unwrap();
        if !log.is_empty() {
            fs::write(format!("{store}-wal"), log).unwrap();
        }
        store
    }

    /// Returns what the audits say with the heads that were kept at the last answer, first and
    /// without.
    fn judge(&self, store: &str) -> Verdict {
        let mut verdict = Verdict::Whole;
        for (ledger, name) in LEDGERS.into_iter().enumerate() {
            let kept = self.whole.head_at(ledger, self.answered);
            let with = audit(store, name, Some(kept));
            if with.code == Some(0) {
                continue;
            }
            assert_clear(&with);
            verdict = if with.err.contains("truncated: it ends at record") {
                verdict.max(Verdict::Truncated)
            } else {
                Verdict::Recognised
            };
        }
        for path in [store.to_owned(), format!("{store}-wal"), format!("{store}-shm")] {
            if Path::new(&path).exists() {
                fs::remove_file(path).unwrap();
            }
        }
        verdict
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// Everything acknowledged is there.
    Whole,
    /// The kept head shows that a tail is gone, and nothing else is wrong.
    Truncated,
    /// The damage is named.
    Recognised,
}

/// No success, no panic, and a word for what is wrong.
fn assert_clear(said: &ProgramOutput) {
    said.assert_clear_stop();
    let words = [
        "not a database",
        "cannot be opened",
        "cannot be read from record",
        "it holds no ledger",
        "no ledger is named",
        "cannot be followed",
        "was changed: it is not the one of its key_check",
        "broken at record",
        "not a journal of this version",
        "the journal's medium failed",
        "truncated",
        "no such file",
    ];
    assert!(words.iter().any(|word| said.err.contains(word)), "{}", said.err);
}

#[test]
fn a_file_cut_at_any_length_is_never_taken_for_whole() {
    let left = Left::by_an_end();
    let mut dice = Dice(15);
    let mut lengths: Vec<usize> = (0..left.file.len()).step_by(left.file.len() / 40).collect();
    lengths.extend((0..40).map(|_| dice.below(left.file.len())));
    lengths.extend([1, 16, 99, 100, 512, PAGE - 1, PAGE, PAGE + 1, left.file.len() - 1]);
    for length in lengths {
        let store = left.store("cut.db", &left.file[..length], &[]);
        let verdict = left.judge(&store);
        assert_ne!(verdict, Verdict::Whole, "cut at {length}");
    }
}

#[test]
fn a_log_cut_at_any_length_loses_a_tail_that_a_kept_head_shows() {
    let left = Left::by_a_kill();
    let mut dice = Dice(16);
    let mut seen = [0; 3];
    for number in 0..80 {
        let length = left.log.len() * number / 80 + dice.below(left.log.len() / 80);
        let store = left.store("cut.db", &left.file, &left.log[..length]);
        seen[left.judge(&store) as usize] += 1;
    }
    // Nothing else is wrong with a store that has lost its tail, so it can be run again.
    assert!(seen[1] > 40 && seen[2] == 0, "{seen:?}");
    let store = left.store("again.db", &left.file, &left.log[..left.log.len() / 2]);
    left.whole.assert_ends(&store);
}

#[test]
fn a_flipped_bit_of_the_log_ends_it_there() {
    let left = Left::by_a_kill();
    let mut dice = Dice(17);
    let mut seen = [0; 3];
    for _ in 0..80 {
        let mut log = left.log.clone();
        log[dice.below(left.log.len())] ^= 1 << dice.below(8);
        let store = left.store("flipped.db", &left.file, &log);
        seen[left.judge(&store) as usize] += 1;
    }
    assert!(seen[1] > 40 && seen[2] == 0, "{seen:?}");
}

#[test]
fn an_overwritten_page_is_recognised_or_was_not_in_use() {
    let left = Left::by_an_end();
    let mut dice = Dice(18);
    let mut seen = [0; 3];
    for page in 0..left.file.len() / PAGE {
        for filling in 0..3 {
            let mut file = left.file.clone();
            let place = page * PAGE..(page + 1) * PAGE;
            match filling {
                0 => file[place].fill(0),
                1 => file[place].fill_with(|| u8::try_from(dice.below(256)).unwrap()),
                // A write that went astray: the page of another place.
                _ => {
                    let other = (page + 1 + dice.below(left.file.len() / PAGE - 1)) * PAGE
                        % (left.file.len() / PAGE * PAGE);
                    let astray = left.file[other..other + PAGE].to_vec();
                    file[place].copy_from_slice(&astray);
                }
            }
            let store = left.store("page.db", &file, &[]);
            seen[left.judge(&store) as usize] += 1;
        }
    }
    assert!(seen[2] > 3 * seen[0], "{seen:?}");
}

#[test]
fn a_run_on_a_torn_file_stops_and_says_so_or_misses_nothing() {
    let left = Left::by_an_end();
    let (mut dice, mut stopped) = (Dice(19), 0);
    for number in 0..30 {
        let mut file = left.file.clone();
        let place = dice.below(file.len() / 512) * 512;
        file[place..place + 512].fill(0xa5);
        let store = left.store(&format!("torn-{number}.db"), &file, &[]);
        let ran = said(run(&left.whole.file, &store));
        if ran.code != Some(0) {
            assert_clear(&ran);
            stopped += 1;
            continue;
        }
        // What was hit is not in use, or not what a run reads; nothing it reads is missing.
        left.whole.assert_agrees(&answers(&ran.out));
        assert_ne!(left.judge(&store), Verdict::Truncated);
    }
    assert!(stopped > 10, "{stopped}");
}
