//! The examples run, as they say.

use std::path::Path;
use std::process::Command;

/// The result of the three frameworks, whoever keeps the events.
const PAID: &str = "paid by 3 events: available 39900, income 100";

#[test]
fn a_payout_is_a_reducer_over_bytes() {
    let said = run("reducer");
    let lines: Vec<&str> = said.lines().collect();
    let events = [1, 1, 1, 0].map(|events| format!("{events} events"));
    assert!(lines.iter().zip(&events).all(|(line, events)| line.ends_with(events)), "{said}");
    assert_eq!(lines.last(), Some(&PAID), "{said}");
}

#[test]
fn a_payout_is_an_aggregate_of_cqrs_es() {
    let said = run("cqrs_es");
    assert!(said.contains(r#"kept: {"at":"2026-11-20T12:00:01Z","event":"820180"}"#), "{said}");
    assert_eq!(said.lines().last(), Some(PAID), "{said}");
}

#[test]
fn a_payout_is_a_decision_of_disintegrate() {
    assert_eq!(run("disintegrate").lines().last(), Some(PAID));
}

#[test]
fn a_ledger_needs_no_engine() {
    let rows = "Entry: 50000, 50000 after\nTransferOut: -20000, 30000 after\n";
    assert_eq!(run("whole_ledger"), rows);
}

#[test]
fn the_readme_has_the_ledger_without_an_engine() {
    let read =
        |path| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let example = read("examples/whole_ledger.rs");
    let (_, code) = example.split_once("\n\n").unwrap();
    assert!(read("README.md").contains(code), "README.md has another ledger than the example");
}

/// The output of an example, as `cargo test` has built it; built now, where this test alone was.
fn run(name: &str) -> String {
    let own = std::env::current_exe().unwrap();
    let path = own.ancestors().nth(2).unwrap().join("examples").join(name);
    if !path.exists() {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--locked", "-p", "ledger-core", "--example", name]);
        assert!(build.status().unwrap().success(), "{name} is not built");
    }
    let done = Command::new(path).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}
