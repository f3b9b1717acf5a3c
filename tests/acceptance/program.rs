//! The program as one calls it at a terminal: what it prints, and whether it succeeds.

use std::process::{Command, Output};

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_custody-ledger");

/// The lines of the first example day.
pub const DAY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/custody-day.jsonl");

/// Returns what comes of calling the program with these arguments.
pub fn called(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().unwrap()
}

/// Tells whether a command succeeds, what it prints, and what it prints to standard error.
pub fn outcome(command: &mut Command) -> (bool, String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let [out, err] = [stdout, stderr].map(|text| String::from_utf8(text).unwrap());
    (status.success(), out, err)
}

/// Returns what the program prints, and prints to standard error, when it is called with these
/// arguments and succeeds.
pub fn done(arguments: &[&str]) -> (String, String) {
    let (succeeded, out, err) = outcome(Command::new(PROGRAM).args(arguments));
    assert!(succeeded, "{arguments:?}: {err}");
    (out, err)
}

/// Returns what the program prints when it is called with these arguments and succeeds.
pub fn printed(arguments: &[&str]) -> String {
    done(arguments).0
}

/// Returns what the program prints to standard error when it is called with these arguments and
/// fails.
pub fn refused(arguments: &[&str]) -> String {
    let (succeeded, out, err) = outcome(Command::new(PROGRAM).args(arguments));
    assert!(!succeeded, "{arguments:?}: {out}");
    err
}
