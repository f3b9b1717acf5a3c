//! The house rules that a machine can hold: no circle of imports, small folders and files, short
//! lines, few entries at the root, links that lead somewhere, diagrams in the words of their
//! machines, kinds of machines named in few files, a kernel without domains, no name that says
//! nothing, and a book that grows no longer.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

#[path = "tidy/circles.rs"]
mod circles;
#[path = "tidy/diagrams.rs"]
mod diagrams;
#[path = "tidy/kernel.rs"]
mod kernel;
#[path = "tidy/kinds.rs"]
mod kinds;
#[path = "tidy/names.rs"]
mod names;
#[path = "tidy/pages.rs"]
mod pages;
#[path = "tidy/rendered.rs"]
mod rendered;
#[path = "tidy/sources.rs"]
mod sources;
#[path = "tidy/words.rs"]
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use circles::{Imports, circles};
use sources::{CRATES, Source, root, sources};

/// The most files in one folder of sources.
const FILES: usize = 15;

/// The most lines of a file.
const LINES: usize = 400;

/// Files that are longer, each with its own bound: it may shrink, and leaves this list at
/// [`LINES`]. This one is a flat table.
const LONGER: [(&str, usize); 1] = [("ledger-core/src/ledger/record/event.rs", 631)];

/// The most columns of a line of prose.
const COLUMNS: usize = 100;

/// The most entries that one sees at the root.
const ENTRIES: usize = 26;

#[test]
fn no_file_imports_another_in_a_circle_but_a_parent_its_children() {
    for (name, folder) in CRATES {
        let imports = Imports::from_sources(&sources(folder));
        let found = circles(&imports);
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}

#[test]
fn a_circle_is_found_where_there_is_one() {
    let file = |module: &[&str], text: &str| Source {
        path: module.join("/"),
        module: module.iter().map(|part| (*part).to_owned()).collect(),
        text: text.to_owned(),
    };
    let two = [
        file(&["a"], "use crate::b::{C, d::E};\nmod inner;"),
        file(&["b"], "//! use crate::a;\npub(crate) use super::f::G;"),
        file(&["f"], "fn f() { crate::a::g() }"),
        file(&["a", "inner"], "use super::H;"),
    ];
    let expected = vec![vec!["a".to_owned(), "b".to_owned(), "f".to_owned()]];
    assert_eq!(circles(&Imports::from_sources(&two)), expected);
    assert!(circles(&Imports::from_sources(&two[1..])).is_empty());
}

/// So each packages by itself: what stands beside its folder is not in its package.
#[test]
fn no_crate_is_built_of_files_outside_its_folder() {
    for (name, folder) in CRATES {
        let script = root().join(folder).with_file_name("build.rs");
        let script = fs::read_to_string(script).unwrap_or_default();
        assert!(!script.contains(".."), "{name}: its build script leaves its folder");
    }
}

#[test]
fn no_folder_of_sources_has_more_than_fifteen_files() {
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    for (_, folder) in CRATES {
        for source in sources(folder) {
            let (parent, _) = source.path.rsplit_once('/').expect("files stand in folders");
            *folders.entry(parent.to_owned()).or_default() += 1;
        }
    }
    folders.retain(|_, files| *files > FILES);
    assert!(folders.is_empty(), "more than {FILES} files: {folders:?}");
}

#[test]
fn files_are_short_or_bounded_by_name() {
    let longer: BTreeMap<&str, usize> = LONGER.into();
    for (_, folder) in CRATES {
        for source in sources(folder) {
            let lines = source.text.lines().count();
            let bound = longer.get(&*source.path).copied().unwrap_or(LINES);
            assert!(lines <= bound, "{} has {lines} lines, of {bound}", source.path);
        }
    }
    for (path, _) in LONGER {
        let text = fs::read_to_string(root().join(path)).unwrap_or_else(|_| panic!("no {path}"));
        let lines = text.lines().count();
        assert!(lines > LINES, "{path} has {lines} lines: take it off the list of longer files");
    }
}

/// Examples of all crates are built into one folder, where a name is one program.
#[test]
fn no_two_examples_bear_one_name() {
    let mut names = BTreeMap::new();
    for folder in
        ["examples", "ledger-core/examples", "ledger-store/examples", "ledger-sim/examples"]
    {
        let Ok(entries) = fs::read_dir(root().join(folder)) else { continue };
        for entry in entries.map(|entry| entry.expect("it is read").file_name()) {
            if let Some(name) = entry.to_string_lossy().strip_suffix(".rs") {
                let before = names.insert(name.to_owned(), folder);
                assert_eq!(before, None, "{name} stands in {folder}, too");
            }
        }
    }
}

/// Diagrams and examples, between fences, are as wide as they are.
#[test]
fn prose_in_sources_is_a_hundred_columns_wide() {
    for (_, folder) in CRATES {
        for source in sources(folder) {
            let mut fenced = false;
            for (number, line) in source.text.lines().enumerate() {
                let prose = line.trim_start();
                if !prose.starts_with("//") {
                    fenced = false;
                    continue;
                }
                fenced ^= prose.trim_start_matches(['/', '!', ' ']).starts_with("```");
                let columns = line.chars().count();
                let place = format!("{}:{}", source.path, number + 1);
                assert!(fenced || columns <= COLUMNS, "{place} has {columns} columns");
            }
        }
    }
}

/// Names of the root's entries: those that git tracks or would track, or, outside a repository, all.
/// A stranger who ran the README's first command has a `ledger.db` beside them, which git ignores.
fn root_entries() -> BTreeSet<String> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output();
    let tracked = listed.ok().filter(|listed| listed.status.success());
    let tracked = tracked.map(|listed| String::from_utf8_lossy(&listed.stdout).into_owned());
    match tracked.filter(|paths| !paths.is_empty()) {
        Some(paths) => paths
            .split_terminator('\0')
            .map(|path| path.split('/').next().unwrap_or(path).to_owned())
            .collect(),
        None => {
            let entries = fs::read_dir(root()).expect("the root is read");
            let names = entries.map(|entry| entry.expect("it is read").file_name());
            names.map(|name| name.to_string_lossy().into_owned()).collect()
        }
    }
}

#[test]
fn a_stranger_sees_few_entries_at_the_root() {
    let made = ["target", "mutants.out"];
    let seen: Vec<String> = root_entries()
        .into_iter()
        .filter(|name| !name.starts_with('.') && !made.contains(&&**name))
        .collect();
    assert!(seen.len() <= ENTRIES, "{}: {seen:?}", seen.len());
}

/// The gate follows the README in the clone it stands in, so that what the first command leaves behind
/// is there when the second one runs.
#[test]
fn the_gate_runs_the_commands_of_the_readme_in_their_order() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md is read");
    let section = readme.split("## Try it").nth(1).expect("README.md has the section");
    let commands: Vec<&str> =
        section.lines().take(10).filter_map(|line| line.strip_prefix("$ ")).collect();
    assert_eq!(commands.len(), 2, "{commands:?}");
    let gate = fs::read_to_string(root().join(".ci/run")).expect(".ci/run is read");
    let places: Vec<usize> = commands
        .iter()
        .map(|command| {
            let line = gate.lines().position(|line| line.trim_start().starts_with(command));
            line.unwrap_or_else(|| panic!(".ci/run has no line `{command}`"))
        })
        .collect();
    assert!(places.is_sorted(), "{commands:?} at lines {places:?}");
}

/// A link of a document, as it stands between parentheses: relative, and without the heading that
/// it may end with.
fn linked(text: &str) -> impl Iterator<Item = &str> {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let paths = links.map(|(link, _)| link.split('#').next().unwrap_or(link));
    paths.filter(|path| !path.is_empty() && !path.contains("://"))
}

#[test]
fn every_link_of_a_document_leads_to_a_file() {
    let mut wrong = Vec::new();
    for folder in ["", "docs", "benches"] {
        let folder = root().join(folder);
        let entries = fs::read_dir(&folder).expect("the folder is read");
        let paths = entries.map(|entry| entry.expect("it is read").path());
        for path in paths.filter(|path| path.extension().is_some_and(|it| it == "md")) {
            let text = fs::read_to_string(&path).expect("a document is read");
            let missing = linked(&text).filter(|link| !folder.join(link).exists());
            wrong.extend(missing.map(|link| format!("{}: {link}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn documentation_begins_with_a_verb_or_a_noun() {
    let counted = words::count();
    let most = words::MOST;
    assert_eq!(counted, most, "blocks that begin with What, Whatever, Whoever or Whether");
}

#[test]
fn documentation_says_more_than_two_words() {
    let short = words::short();
    assert!(short.is_empty(), "these tell nothing that the name does not: {short:#?}");
}

#[test]
fn every_file_says_first_what_it_is() {
    let sources = CRATES.iter().flat_map(|(_, folder)| sources(folder));
    let silent = sources.filter(|source| source.first_sentence().is_empty());
    let silent: Vec<String> = silent.map(|source| source.path).collect();
    assert!(silent.is_empty(), "they say nothing of themselves: {silent:#?}");
}

#[test]
fn the_words_of_a_diagram_are_the_words_of_its_machine() {
    let differing =
        diagrams::DIAGRAMS.iter().flat_map(|(file, all)| diagrams::differing(file, all));
    let found: Vec<_> = differing.collect();
    assert!(found.is_empty(), "{found:#?}");
}
