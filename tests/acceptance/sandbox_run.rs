//! The sandbox in a run: a file of lines with its answers beside it, cut anywhere and gone on with.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::killed::{Folder, PROGRAM};
use crate::played::{self, run};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sandbox.jsonl");
const ANSWERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sandbox.answers.jsonl");

/// Where the sandbox's chain ends.
fn head(errors: &str) -> String {
    let line = errors.lines().find(|line| line.starts_with("sandbox: ") && line.contains("head"));
    line.unwrap_or_else(|| panic!("{errors}")).to_owned()
}

#[test]
fn the_example_is_answered_as_the_file_beside_it_says() {
    let folder = Folder::new("sandbox");
    let (now, errors) = run(&folder, Path::new(FILE), &[]);
    played::compare(&now, ANSWERS);
    let audit =
        Command::new(PROGRAM).arg("audit").arg(folder.path().join("ledger.db")).output().unwrap();
    assert!(audit.status.success(), "{}", String::from_utf8_lossy(&audit.stdout));

    let another = Folder::new("sandbox-seed");
    let (_, other) = run(&another, Path::new(FILE), &["--sandbox-seed", "2"]);
    assert_ne!(head(&errors), head(&other), "prices come from the seed");
}

#[test]
fn a_run_cut_between_any_two_lines_goes_on_to_the_same_journal() {
    let whole = Folder::new("sandbox-whole");
    let undisturbed = head(&run(&whole, Path::new(FILE), &[]).1);
    let lines = fs::read_to_string(FILE).unwrap();
    for cut in 1..lines.lines().count() {
        let folder = Folder::new(&format!("sandbox-{cut}"));
        played::cut(&folder, Path::new(FILE), cut);
        let (_, errors) = run(&folder, Path::new(FILE), &[]);
        assert_eq!(head(&errors), undisturbed, "cut after line {cut}");
    }
    // Each journal is that of the whole run now, to which another run adds nothing.
    assert_eq!(head(&run(&whole, Path::new(FILE), &[]).1), undisturbed);
}

#[test]
fn strict_plays_nothing() {
    let folder = Folder::new("sandbox-strict");
    let lines = fs::read_to_string(FILE).unwrap();
    let (answers, _) = run(&folder, Path::new(FILE), &["--strict"]);
    for (line, answer) in lines.lines().zip(&answers) {
        let (line, answer): (Value, Value) =
            (serde_json::from_str(line).unwrap(), serde_json::from_str(answer).unwrap());
        if line["request"] == "POST /cash-outs" {
            assert_eq!(answer["body"]["erro"], "catalogo_indisponivel", "{answer}");
        }
    }
}

#[test]
fn what_the_sandbox_reported_is_explained_and_stands_among_the_events() {
    let folder = Folder::new("sandbox-explained");
    let events = folder.path().join("events.jsonl");
    let (answers, _) = run(&folder, Path::new(FILE), &["--events", events.to_str().unwrap()]);
    let text = fs::read_to_string(&events).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> =
        lines.iter().filter_map(|line| line["event"]["event"].as_str()).collect();
    for name in
        ["cashout.deposit_detected", "cashout.completed", "cashout.failed", "cashin.settled"]
    {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    let order = answers.iter().find_map(|answer| {
        let answer: Value = serde_json::from_str(answer).unwrap();
        answer["body"]["cashout_id"].as_str().map(str::to_owned)
    });
    let explained = Command::new(PROGRAM)
        .arg("explain")
        .arg(folder.path().join("ledger.db"))
        .arg(order.unwrap())
        .args(["--environment", "sandbox"])
        .output()
        .unwrap();
    let text = String::from_utf8(explained.stdout).unwrap();
    assert!(text.contains("the sandbox, before sandbox.jsonl:"), "{text}");
}
