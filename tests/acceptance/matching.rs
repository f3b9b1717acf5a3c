//! `match` over its example day: the page's commands, what is kept, and refusals by file and line.

use std::fs;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

struct Printed {
    out: String,
    err: String,
    code: Option<i32>,
}

fn run(folder: &TempDir, command: &str) -> Printed {
    let command = command.replace("examples/", &format!("{ROOT}/examples/"));
    let mut program = Command::new(env!("CARGO_BIN_EXE_custody-ledger"));
    let done = program.args(command.split(' ')).current_dir(folder.path()).output().unwrap();
    let [out, err] = [done.stdout, done.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(!err.contains("panicked"), "{err}");
    Printed { out, err, code: done.status.code() }
}

/// The commands of `docs/matching.md`.
fn commands() -> Vec<String> {
    let page = fs::read_to_string(format!("{ROOT}/docs/matching.md")).unwrap();
    let commands = page.lines().filter_map(|line| line.strip_prefix("$ custody-ledger "));
    commands.map(str::to_owned).collect()
}

#[test]
fn the_commands_of_the_page_find_the_one_pix_that_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let commands = commands();
    let ran = run(&folder, &commands[0]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let tables = run(&folder, &commands[1]);
    assert_eq!(tables.code, Some(1), "{}{}", tables.out, tables.err);
    assert!(tables.err.contains("1 thing is open"), "{}{}", tables.out, tables.err);
    let line = tables.out.lines().find(|line| line.contains("theirs only")).unwrap();
    assert!(line.contains("unreported") && line.contains("bank.csv:8"), "{line}");
    let json = run(&folder, &commands[2]);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["matched"], json["pairs"].as_array().unwrap().len());
    assert_eq!(json["findings"].as_array().unwrap().len(), 1);
}

#[test]
fn a_second_run_matches_nothing_again() {
    let folder = tempfile::tempdir().unwrap();
    let commands = commands();
    run(&folder, &commands[0]);
    let with_json = format!("{} --json", commands[1]);
    let counts = |printed: &Printed| {
        let json: Value = serde_json::from_str(&printed.out).unwrap();
        (json["matched"].as_u64().unwrap(), json["matched_before"].as_u64().unwrap())
    };
    let (matched, before) = counts(&run(&folder, &with_json));
    assert!(matched > 8 && before == 0, "{matched} {before}");
    let (again, before) = counts(&run(&folder, &with_json));
    assert!(again == 0 && before >= matched, "{again} {before}");
}

#[test]
fn what_is_wrong_is_refused_with_file_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    run(&folder, &commands()[0]);
    fs::write(folder.path().join("rules.toml"), "[provider]\ntarif = \"0.35\"\n").unwrap();
    let store = "--store ledger.db";
    let refused = run(&folder, &format!("match --rules rules.toml --provider none.csv {store}"));
    assert!(refused.err.contains("rules.toml:2:1: unknown field `tarif`"), "{}", refused.err);
    let nothing = run(&folder, &format!("match {store}"));
    assert!(nothing.err.contains("no statement is named"), "{}", nothing.err);
    let columns = "--columns examples/matching/columns.toml";
    let bank = "examples/matching/bank.csv";
    let day = run(&folder, &format!("match --day soon --provider {bank} {columns} {store}"));
    assert!(day.err.contains("--day soon is no day"), "{}", day.err);
}
