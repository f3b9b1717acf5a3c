//! What the runbook tells people to type is what the program takes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

const RUNBOOK: &str = include_str!("../../docs/runbook.md");

/// Runs the program, which must succeed, and returns its output.
fn printed(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_custody-ledger")).args(args).output();
    let output = output.expect("the program runs");
    assert!(output.status.success(), "{args:?}");
    String::from_utf8(output.stdout).expect("it is text")
}

#[test]
fn every_command_of_the_runbook_is_one_of_the_program_with_flags_that_it_takes() {
    let shell = RUNBOOK.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut commands = 0;
    for line in shell.flat_map(str::lines).filter(|line| line.starts_with("custody-ledger ")) {
        let mut words = line.split(" && ").next().unwrap_or(line).split_whitespace().skip(1);
        let help = printed(&[words.next().expect("a command"), "--help"]);
        for flag in words.filter(|word| word.starts_with("--")) {
            assert!(help.contains(flag), "{line}: no {flag}");
        }
        commands += 1;
    }
    assert!(commands >= 7, "{commands}");
}

#[test]
fn every_fact_that_the_runbook_names_can_be_reported() {
    let facts = printed(&["facts"]);
    let known: BTreeSet<&str> = facts.lines().filter(|line| line.contains('.')).collect();
    let quoted = RUNBOOK.split('`').skip(1).step_by(2);
    let is_fact = |word: &&str| {
        let plain = word.chars().all(|c| c.is_ascii_lowercase() || c == '.' || c == '_');
        plain && word.contains('.') && word.rsplit('.').next() != Some("md")
    };
    let named: BTreeSet<&str> = quoted.filter(is_fact).collect();
    assert!(named.len() > 15, "{named:?}");
    for fact in named {
        assert!(known.contains(fact), "there is no {fact}");
    }
}

#[test]
fn every_error_in_the_runbook_is_one_that_the_program_says() {
    let store = Path::new(env!("CARGO_MANIFEST_DIR")).join("ledger-store/src");
    let said: String = ["engines/engine/error.rs", "journal/error.rs", "journal/sqlite/schema.rs"]
        .map(|file| fs::read_to_string(store.join(file)).expect("it is read"))
        .concat();
    let table = RUNBOOK.split("| It says |").nth(1).and_then(|rest| rest.split("\n\n").next());
    let rows = table.expect("the table").lines().skip(2);
    let errors: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    assert!(errors.len() >= 7, "{errors:?}");
    for error in errors {
        assert!(said.contains(error), "nothing says \"{error}\"");
    }
}

#[test]
fn every_part_that_the_service_names_is_in_the_runbook() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = [
        "ledger-http/src/operation/health.rs",
        "ledger-http/src/operation/lines.rs",
        "src/cli/commands/serve/mod.rs",
    ];
    let mut named = BTreeSet::new();
    for file in files {
        let source = fs::read_to_string(root.join(file)).expect("it is read");
        for after in source.split("custody-ledger runbook ").skip(1) {
            let name: String = after.chars().take_while(char::is_ascii_alphabetic).collect();
            assert!(RUNBOOK.contains(&format!("\n### {name}\n")), "{file}: {name}");
            named.insert(name);
        }
    }
    assert_eq!(named.len(), 4, "{named:?}");
}
