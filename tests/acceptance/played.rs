//! A file of lines as the program answers it, beside the answers that are kept with it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::killed::{Folder, PROGRAM};

/// Runs a file on the folder's store; gives its answers, and what it ended with on standard error.
///
/// The vault key is given, so that what is derived of it is always the same.
pub fn run(folder: &Folder, file: &Path, more: &[&str]) -> (Vec<String>, String) {
    let key = "07".repeat(32);
    let output = Command::new(PROGRAM)
        .arg("run")
        .arg(file)
        .args(["--vault-key", &key, "--store"])
        .arg(folder.path().join("ledger.db"))
        .args(more)
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    (text.lines().map(str::to_owned).collect(), errors)
}

/// The first lines of a file, in a file of the same name elsewhere, and run.
pub fn cut(folder: &Folder, file: &Path, lines: usize) -> Vec<String> {
    let name = file.file_name().unwrap().to_str().unwrap();
    let text = fs::read_to_string(file).unwrap();
    let first: String = text.split_inclusive('\n').take(lines).collect();
    run(folder, &folder.file("first", name, &first), &[]).0
}

/// Compares answers with those kept in a file, which `GOLDEN=1` writes anew.
pub fn compare(now: &[String], kept: &str) {
    if std::env::var_os("GOLDEN").is_some() {
        fs::write(kept, now.join("\n") + "\n").unwrap();
    }
    let expected = fs::read_to_string(kept).unwrap();
    let expected: Vec<_> = expected.lines().collect();
    for (now, then) in now.iter().zip(&expected) {
        assert_eq!(now, then);
    }
    assert_eq!(now.len(), expected.len());
}
