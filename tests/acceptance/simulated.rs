//! The simulator from the command line, and the lines that its failures are shrunk to: `run` takes
//! them.

use std::path::Path;

use crate::program::{called, done};
use crate::server;

#[test]
fn run_takes_every_line_of_every_fixture() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ledger-sim/fixtures");
    let mut played = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        let (out, beside) =
            done(&["run", path.to_str().unwrap(), "--strict", "--store", "memory:"]);
        assert_eq!(out.lines().count(), lines, "{}: {out}", path.display());
        assert!(beside.contains(" 0 malformed"), "{}: {beside}", path.display());
        assert!(!out.contains("requisicao_invalida"), "{}: {out}", path.display());
        played += 1;
    }
    assert!(played >= 2, "{played} fixtures");
}

#[test]
fn the_same_seed_prints_the_same_report_from_memory_sqlite_and_postgres() {
    let report = |store: &str| {
        let (out, _) = done(&["simulate", "--seed", "8", "--commands", "150", "--store", store]);
        // How fast it was is another on each.
        let lines = out.lines().filter(|line| !line.contains("commands a second"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let memory = report("memory");
    assert_eq!(report("sqlite"), memory);
    assert_eq!(report(&server::database()), memory);
}

#[test]
fn a_run_for_ever_ends_when_its_seconds_are_over() {
    let (out, _) =
        done(&["simulate", "--forever", "--for", "1", "--seed", "70", "--commands", "60"]);
    assert!(out.contains("faults injected"), "{out}");
}

#[test]
fn a_store_that_is_none_is_named() {
    let output = called(&["simulate", "--commands", "5", "--store", "paper"]);
    assert!(!output.status.success());
    let beside = String::from_utf8(output.stderr).unwrap();
    assert!(beside.contains("paper is no store"), "{beside}");
}
