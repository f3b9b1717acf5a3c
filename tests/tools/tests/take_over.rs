//! A writer that is killed under load is taken over from, on both databases; the long form is the
//! program's own (docs/CONTRIBUTING.md).

#[path = "../../../ledger-store/tests/setup/server.rs"]
mod server;

use std::process::Command;

/// Runs ten rounds on a new store.
fn ten_take_overs(store: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_take_over"));
    command.args(["--store", store, "--times", "10", "--lease", "400"]);
    let output = command.output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "{err}{out}");
    assert!(out.starts_with("10 take-overs, "), "{out}");
    println!("{out}");
}

#[test]
fn a_killed_writer_of_a_file_is_taken_over_from_within_two_seconds_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    ten_take_overs(&format!("sqlite:{}", folder.path().join("ledger.db").display()));
}

#[test]
fn a_killed_writer_of_a_server_is_taken_over_from_within_two_seconds_and_nothing_is_lost() {
    ten_take_overs(&server::database());
}
