//! The list of invariants, `docs/INVARIANTS.md`, held against the code and the requirements: every
//! id of either stands there, and every guard that is named exists.

use std::collections::BTreeSet;
use std::fs;

use ledger_core::ledger::invariants::INVARIANTS;

use super::{CRATES, declares, read, root, rows, sources, tests};

/// An invariant of `docs/INVARIANTS.md`: its ids, whether it is runnable, and its guards.
#[derive(Default)]
struct Invariant {
    ids: Vec<String>,
    runnable: bool,
    guards: Vec<String>,
}

fn invariants() -> Vec<Invariant> {
    let mut found: Vec<Invariant> = Vec::new();
    for line in read("docs/INVARIANTS.md").lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            let ids = heading.trim_end_matches(" (runnable)");
            found.push(Invariant {
                ids: ids.split(", ").map(str::to_owned).collect(),
                runnable: ids != heading,
                guards: Vec::new(),
            });
        } else if let Some(guard) = line.strip_prefix("- ") {
            found.last_mut().expect("guards are an invariant's").guards.push(guard.to_owned());
        }
    }
    found
}

#[test]
fn every_invariant_that_is_proven_has_an_invariant_and_those_that_run_are_marked() {
    let invariants = invariants();
    let ids: Vec<&String> = invariants.iter().flat_map(|it| &it.ids).collect();
    let named: BTreeSet<&String> = ids.iter().copied().collect();
    assert_eq!(ids.len(), named.len(), "an invariant stands twice");
    for row in rows().iter().filter(|row| row.heading == "Invariants") {
        assert!(named.contains(&row.id), "{} has no guard in docs/INVARIANTS.md", row.id);
    }
    let marked = invariants.iter().filter(|it| it.runnable).flat_map(|it| it.ids.clone());
    let runnable: BTreeSet<String> = INVARIANTS.iter().map(|it| it.id.to_owned()).collect();
    assert_eq!(marked.collect::<BTreeSet<_>>(), runnable);
}

/// Tells whether a source has a function, a constant or a trigger of this name.
fn defines(source: &str, name: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let after = |kind: &str| source.split(&format!("{kind} {name}")).skip(1).any(ends);
    ["fn", "const", "TRIGGER"].into_iter().any(after) || declares(source, name)
}

/// Returns what is wrong with one name between the backticks of a guard: it is a path with what to
/// look for in it, a test by name, or else code that names nothing.
fn unguarded(named: &str, known: &BTreeSet<&str>) -> Option<String> {
    let (path, name) = named.split_once("::").unwrap_or((named, ""));
    if !path.contains('/') {
        // A test is a sentence; what has fewer words is a function, a field or a feature.
        let sentence = named.matches('_').count() >= 3;
        let sentence = sentence && named.chars().all(|c| c.is_alphanumeric() || c == '_');
        return (sentence && !known.contains(named)).then(|| "is no test".to_owned());
    }
    let path = root().join(path);
    if name.is_empty() {
        return (!path.exists()).then(|| "is not there".to_owned());
    }
    let source = fs::read_to_string(path).unwrap_or_default();
    let there = tests(&source).contains(name) || defines(&source, name);
    (!there).then(|| "names nothing".to_owned())
}

#[test]
fn every_guard_of_an_invariant_exists() {
    let mut paths = Vec::new();
    for crates in CRATES {
        for folder in ["src", "tests"] {
            let folder = root().join(crates).join(folder);
            if folder.is_dir() {
                sources(&folder, &mut paths);
            }
        }
    }
    let texts: Vec<String> = paths.iter().map(read).collect();
    let known: BTreeSet<&str> = texts.iter().flat_map(|text| tests(text)).collect();
    assert!(known.len() > 700, "{} tests were found", known.len());
    let mut wrong = Vec::new();
    for Invariant { ids, guards, .. } in invariants() {
        assert!(!guards.is_empty(), "{ids:?} has no guard");
        for named in guards.iter().flat_map(|guard| guard.split('`').skip(1).step_by(2)) {
            wrong.extend(unguarded(named, &known).map(|what| format!("{ids:?}: {named} {what}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_guard_that_does_not_exist_is_found() {
    let known = BTreeSet::from(["every_command_in_every_state"]);
    for named in [
        "ledger-core/src/nowhere.rs",
        "ledger-core/src/money.rs::Amoun",
        "ledger-store/src/tables/projection/prove.rs::prov",
        "ledger-store/migrations/0001_journal.sql::journal_is_never",
        "tests/acceptance/wire.rs::no_such_test",
        "every_command_in_no_state",
    ] {
        assert!(unguarded(named, &known).is_some(), "{named}");
    }
    for named in [
        "ledger-sim/src/oracle/",
        "ledger-core/src/money.rs::Amount",
        "ledger-store/src/tables/projection/prove.rs::prove",
        "ledger-store/migrations/0001_journal.sql::journal_has_no_gap",
        "every_command_in_every_state",
        "#![forbid(unsafe_code)]",
    ] {
        assert_eq!(unguarded(named, &known), None, "{named}");
    }
}
