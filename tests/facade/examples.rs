//! The examples of the library run, as they say.

use std::process::Command;

#[test]
fn the_first_example_collects_and_pays() {
    let folder = tempfile::tempdir().unwrap();
    let said = run("embed", &[&folder.path().join("ledger.db").display().to_string()]);
    assert!(said.starts_with("available: 4900\npayout po_"), "{said}");
}

fn run(example: &str, arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--locked", "--example", example, "--"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}
