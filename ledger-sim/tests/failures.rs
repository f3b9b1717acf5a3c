//! Promises about failures: each is shrunk to a few lines that fail the same way, that anybody can
//! read and the contract's own reader takes.

use std::time::Duration;

use ledger_sim::{
    Failure, Settings, Shrunk, check_lines, feed, feed_a_wrong_oracle, shrink, simulate,
};

fn fails(settings: Settings) -> Failure {
    simulate(&settings).expect_err("a mistake is planted in the oracle")
}

fn shrunk(failure: &Failure) -> Shrunk {
    shrink(failure, Duration::from_mins(2)).unwrap_or_else(|reason| panic!("{reason}\n{failure}"))
}

#[test]
fn a_wrong_fee_shrinks_to_the_lines_of_one_deposit() {
    let shrunk = shrunk(&fails(Settings::commands(3, 1_000).with_a_wrong_oracle()));
    let text = shrunk.text();
    assert!(shrunk.lines.len() <= 6, "{text}");
    assert!(text.contains("POST /cashin/charge") && text.contains(".cashin_id"), "{text}");
    assert!(shrunk.what.contains("rev.deposit"), "{}", shrunk.what);
}

#[test]
fn a_return_unheard_shrinks_to_a_pix_that_came_and_went() {
    let shrunk = shrunk(&fails(Settings::commands(4, 1_000).with_a_deaf_oracle()));
    let text = shrunk.text();
    assert!(shrunk.lines.len() <= 6, "{text}");
    assert!(text.contains("pix.returned"), "{text}");
}

#[test]
fn a_payment_from_a_wallet_unheard_shrinks_to_what_funded_it() {
    // Some send nothing from a wallet; some take rotated keys and agents.
    let settings = |seed| Settings::commands(seed, 1_000).with_an_oracle_deaf_to_payments();
    let all = (5..45).filter_map(|seed| simulate(&settings(seed)).err());
    // What an operator assigned is exact by the number of its record, which no answer says, so the
    // lines before it stay (rulings 68).
    let asked = |shrunk: &Shrunk| !shrunk.text().contains("wallet.deposit.assigned");
    // Nor is every story said by lines alone.
    let all = all.filter_map(|failure| shrink(&failure, Duration::from_mins(2)).ok());
    let all: Vec<Shrunk> = all.filter(asked).take(4).collect();
    assert_eq!(all.len(), 4);
    for shrunk in all {
        let text = shrunk.text();
        assert!(shrunk.lines.len() <= 40, "{} of {}:\n{text}", shrunk.lines.len(), shrunk.of);
        assert!(text.contains("wallet.payment.sent"), "{text}");
    }
}

#[test]
fn a_panic_names_its_seed_command_and_place_and_shrinks_to_what_brings_it_about() {
    let failure = fails(Settings::commands(4, 1_000).with_an_oracle_that_panics());
    let text = failure.to_string();
    let first = "simulate --seed 4 --commands 1000 --faults many\nat command ";
    assert!(text.starts_with(first) && failure.command > 0, "{text}");
    assert!(text.contains(": a panic at ledger-sim/src/checker/trial.rs:"), "{text}");
    assert!(text.contains(": planted: the oracle heard of a return\n"), "{text}");
    assert!(text.trim_end().lines().last().unwrap_or_default().contains("PixReturned"), "{text}");
    let shrunk = shrunk(&failure);
    let text = shrunk.text();
    assert!(shrunk.lines.len() <= 4 && text.contains("pix.returned"), "{text}");
    assert_eq!(shrunk.what, failure.what);
}

#[test]
fn a_panic_of_the_world_names_its_seed_and_command_too() {
    let failure = fails(Settings::commands(5, 1_000).with_a_world_that_panics(70));
    let text = failure.to_string();
    let first = "simulate --seed 5 --commands 1000 --faults many\nat command 70: a panic at ";
    assert!(text.starts_with(first) && text.contains("the world has said enough"), "{text}");
    assert_eq!(failure.last.len(), 20);
    // No list of lines has a world of its own.
    let reason = shrink(&failure, Duration::from_secs(5)).expect_err("lines bring no world about");
    assert!(reason.contains("nothing fails like this"), "{reason}");
}

#[test]
fn with_the_mistake_gone_a_shrunk_list_passes() {
    for seed in 20..26 {
        let shrunk = shrunk(&fails(Settings::commands(seed, 400).with_a_wrong_oracle()));
        let lines = check_lines(&shrunk.text()).unwrap_or_else(|wrong| panic!("{wrong}"));
        assert_eq!(lines, shrunk.lines.len());
        assert!(shrunk.of > lines, "seed {seed}: {} of {}", lines, shrunk.of);
    }
}

#[test]
fn a_failure_is_shrunk_to_the_same_lines_every_time() {
    let failure = fails(Settings::commands(9, 300).with_a_wrong_oracle());
    assert_eq!(shrunk(&failure).lines, shrunk(&failure).lines);
}

#[test]
fn a_run_that_does_not_fail_again_is_not_shrunk() {
    let failure = fails(Settings::commands(9, 300).with_a_wrong_oracle());
    let sound = Failure { settings: Settings::commands(9, 300), ..failure };
    let reason = shrink(&sound, Duration::from_secs(1)).expect_err("there is nothing to shrink");
    assert!(reason.contains("does not fail"), "{reason}");
}

#[test]
fn lines_that_nobody_can_read_are_named_by_their_number() {
    let passed = r#"{"at":"2026-11-20T12:00:00Z","fact":"time.passed"}"#;
    let unknown = r#"{"at":"2026-11-20T12:00:00Z","fact":"pix.lost","body":{}}"#;
    let view = r#"{"at":"2026-11-20T12:00:00Z","key":"svc_live_x","request":"GET /saldo"}"#;
    assert_eq!(check_lines(&format!("{passed}\n\n{passed}\n")).expect("it is sound"), 2);
    for (line, what) in [(unknown, "there is no fact"), ("{", "no JSON"), (view, "no account")] {
        let wrong = check_lines(&format!("{passed}\n{line}\n")).expect_err("it is not sound");
        assert_eq!(wrong.line, 2, "{wrong}");
        assert!(wrong.what.contains(what), "{wrong}");
    }
}

#[test]
fn fixtures_pass_for_ever() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");
    let files = std::fs::read_dir(folder).expect("the fixtures").map(|file| file.expect("a file"));
    let mut played = 0;
    for file in files {
        let text = std::fs::read_to_string(file.path()).expect("text");
        let lines = check_lines(&text);
        let lines = lines.unwrap_or_else(|wrong| panic!("{}: {wrong}", file.path().display()));
        assert!(lines > 1, "{}", file.path().display());
        played += 1;
    }
    assert!(played >= 4, "{played} fixtures");
}

fn bytes(seed: u8, count: usize) -> Vec<u8> {
    let mut last = u32::from(seed);
    let next = std::iter::repeat_with(move || {
        last = last.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        last.to_be_bytes()[0]
    });
    next.take(count).collect()
}

#[test]
fn any_bytes_are_a_history_and_the_same_bytes_the_same_one() {
    for (seed, count) in [(0, 0), (1, 1), (2, 16), (3, 999), (4, 9_000)] {
        let bytes = bytes(seed, count);
        let run = || feed(&bytes).unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(run().history(), run().history());
        assert!(run().commands > 0);
    }
    for byte in [0, 255] {
        feed(&vec![byte; 4_000]).unwrap_or_else(|failure| panic!("{failure}"));
    }
}

#[test]
fn other_bytes_are_another_history() {
    let some = bytes(7, 4_000);
    let mut other = some.clone();
    for byte in &mut other[400..440] {
        *byte = !*byte;
    }
    let history =
        |bytes: &[u8]| feed(bytes).unwrap_or_else(|failure| panic!("{failure}")).history();
    assert_ne!(history(&some), history(&other));
}

#[test]
fn bytes_that_fail_are_shown_and_shrunk_too() {
    let failure = feed_a_wrong_oracle(&bytes(3, 12_000)).expect_err("its fee is off by one");
    let text = failure.to_string();
    assert!(text.starts_with("feed ") && !text.contains("simulate --seed"), "{text}");
    let shrunk = shrunk(&failure);
    assert!(shrunk.lines.len() <= 6, "{}", shrunk.text());
}
