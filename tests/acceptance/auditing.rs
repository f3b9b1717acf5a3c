//! docs/AUDITING.md as an auditor follows it: every command of the page, in its order, in one
//! folder, and what each prints held against what the page shows.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_custody-ledger");

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A command of the page, and what the page shows of what it prints; nothing where it shows
/// nothing.
#[derive(Debug, PartialEq, Eq)]
struct Step {
    command: String,
    shown: Vec<String>,
}

/// The commands of all blocks for a console: a line that begins with a dollar, with those that a
/// backslash goes on with.
fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut lines = page.lines();
    while lines.by_ref().any(|line| line == "```console") {
        let mut goes_on = false;
        for line in lines.by_ref().take_while(|line| *line != "```") {
            if let Some(command) = line.strip_prefix("$ ") {
                steps.push(Step { command: command.to_owned(), shown: Vec::new() });
                goes_on = command.ends_with('\\');
                continue;
            }
            let last = steps.last_mut().expect("a block begins with a command");
            if goes_on {
                last.command.push('\n');
                last.command.push_str(line);
                goes_on = line.ends_with('\\');
            } else {
                last.shown.push(line.trim_end().to_owned());
            }
        }
    }
    steps
}

/// Tells whether a line is what is shown of it, in which `...` stands for anything.
fn is_shown(shown: &str, line: &str) -> bool {
    let Some((begin, rest)) = shown.split_once("...") else { return shown == line };
    let Some(line) = line.strip_prefix(begin) else { return false };
    let ends = line.char_indices().map(|(place, _)| place).chain([line.len()]);
    ends.into_iter().any(|end| is_shown(rest, &line[end..]))
}

/// Tells whether lines are what is shown of them; a line of `...` alone stands for any number.
fn are_shown(shown: &[String], lines: &[&str]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=lines.len()).any(|begin| are_shown(rest, &lines[begin..]))
        }
        Some((first, rest)) => lines
            .split_first()
            .is_some_and(|(line, lines)| is_shown(first, line) && are_shown(rest, lines)),
    }
}

/// A folder with what the page takes from the repository.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for part in ["examples", "docs", "tests"] {
        symlink(Path::new(ROOT).join(part), folder.path().join(part)).unwrap();
    }
    fs::create_dir(folder.path().join("bin")).unwrap();
    symlink(PROGRAM, folder.path().join("bin/custody-ledger")).unwrap();
    folder
}

/// The Python of the verifier with what is pinned for it, installed once for all runs, and where
/// its programs are.
fn python() -> PathBuf {
    let work = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("verifier");
    let setup = Path::new(ROOT).join("tests/verifier/setup");
    let done = Command::new(setup).arg(&work).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    work.join("venv/bin")
}

#[test]
fn every_command_of_the_auditors_day_does_what_the_page_shows() {
    let folder = folder();
    let path = format!(
        "{}:{}:{}",
        folder.path().join("bin").display(),
        python().display(),
        std::env::var("PATH").unwrap()
    );
    let page = fs::read_to_string(Path::new(ROOT).join("docs/AUDITING.md")).unwrap();
    let steps = steps(&page);
    assert!(steps.len() > 20, "{} commands", steps.len());
    for Step { command, shown } in &steps {
        // What it says on either side is one text, as on a terminal.
        let script = format!("set -euo pipefail\nexec 2>&1\n{command}");
        let mut shell = Command::new("bash");
        shell.args(["-c", &script]).current_dir(folder.path()).env("PATH", &path);
        shell.env("PIP_DISABLE_PIP_VERSION_CHECK", "1").env("PYTHONDONTWRITEBYTECODE", "1");
        let done = shell.output().unwrap();
        let said = String::from_utf8(done.stdout).unwrap();
        assert!(done.status.success(), "$ {command}\n{said}");
        let lines: Vec<&str> = said.lines().map(str::trim_end).collect();
        assert!(shown.is_empty() || are_shown(shown, &lines), "$ {command}\n{said}");
    }
}

#[test]
fn what_a_page_shows_is_found_where_it_differs() {
    let page =
        "```console\n$ one \\\n  --two\nfirst ... last\n...\n$ three\n```\n\n```json\n$ no\n```";
    let step = |command: &str, shown: &[&str]| Step {
        command: command.to_owned(),
        shown: shown.iter().map(|line| (*line).to_owned()).collect(),
    };
    let expected = [step("one \\\n  --two", &["first ... last", "..."]), step("three", &[])];
    let found = steps(page);
    assert_eq!(found, expected);
    let shown = &found[0].shown;
    assert!(are_shown(shown, &["first and last"]) && are_shown(shown, &["first  last", "more"]));
    for other in [&["first and least"][..], &[], &["more", "first and last"]] {
        assert!(!are_shown(shown, other), "{other:?}");
    }
    assert!(!are_shown(&["one".to_owned()], &["one", "two"]));
}
