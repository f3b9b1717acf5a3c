//! Snapshots by the program: made beside the file, taken up by readers, trusted never blindly.

use std::fs;
use std::process::{Command, Output};

use crate::killed::PROGRAM;

fn program(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().unwrap()
}

fn said(arguments: &[&str]) -> String {
    let output = program(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_snapshot_shortens_what_reads_and_changes_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("ledger.db").display().to_string();
    let day = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/custody-day.jsonl");
    said(&["run", day, "--store", &store]);
    let questions: [&[&str]; 3] = [
        &["saldo", &store, "loja"],
        &["saldo", &store, "loja", "--customer", "ana", "--json"],
        &["extrato", &store, "loja", "--customer", "bruno", "--json"],
    ];
    let answers = questions.map(said);

    let first = said(&["snapshot", &store]);
    assert_eq!(first.lines().count(), 2, "{first}");
    assert!(first.lines().all(|line| line.contains("begun with the first record: ")), "{first}");
    assert_eq!(questions.map(said), answers);
    let second = said(&["snapshot", &store]);
    assert!(second.starts_with("live: record "), "{second}");
    assert!(second.lines().all(|line| line.contains("begun after record ")), "{second}");

    // Damaged, it is named and passed over.
    for entry in fs::read_dir(folder.path().join("ledger.db.snapshots")).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(path, bytes).unwrap();
    }
    assert_eq!(questions.map(said), answers);
    let third = said(&["snapshot", &store]);
    let why = "begun with the first record, since the snapshot is damaged: its hash: ";
    assert!(third.lines().all(|line| line.contains(why)), "{third}");
    assert_eq!(questions.map(said), answers);
}

#[test]
fn a_store_without_a_file_says_where_its_snapshots_are_to_stand() {
    let output = program(&["snapshot", "memory:"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    let why = "custody-ledger: memory:: say with --folder where its snapshots are to stand\n";
    assert_eq!(text, why);

    let url = crate::server::database();
    let folder = tempfile::tempdir().unwrap();
    let day = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/custody-day.jsonl");
    said(&["run", day, "--store", &url]);
    let printed = said(&["snapshot", &url, "--folder", &folder.path().display().to_string()]);
    assert_eq!(printed.lines().count(), 2, "{printed}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}
