//! How long the book is: the words of all pages, apart from those that are made.

use std::fs;
use std::path::Path;

use crate::sources::root;

/// How many words the pages may have; fewer are welcome, and lower the bound.
const MOST: usize = 60_000;

/// Marks of what a program prints, or of which a test holds every line against the code.
const MARKS: [&str; 2] = [": made", "printed by"];

/// Tells whether a line is a proof of an invariant: a path and a test, which `cargo tidy` looks up in
/// the tree.
fn is_proof(line: &str) -> bool {
    line.starts_with("- `") && line.contains(".rs")
}

/// Pages that are tables of the contract, or another edition of the same, or no pages.
const APART: [&str; 3] = ["docs/REQUIREMENTS.md", "docs/pt/", "tests/acceptance/fixtures/"];

/// Folders that hold nothing of the tree's own.
const MADE: [&str; 4] = ["target", "mutants.out", "node_modules", "build"];

#[test]
fn the_book_grows_no_longer() {
    let mut pages = Vec::new();
    collect(root(), &mut pages);
    assert!(pages.iter().any(|(path, _)| path == "docs/concepts.md"), "no page is looked at");
    let counted: usize = pages.iter().map(|(_, text)| words(text)).sum();
    println!("{} pages of {counted} words", pages.len());
    assert!(counted <= MOST, "the pages have {counted} words, {MOST} at most");
}

#[test]
fn made_parts_are_not_counted() {
    let text = "One two.\n<!-- chart: made -->\nthree four\n<!-- chart: end -->\nfive\n";
    assert_eq!(words(text), 3);
    let text = "One.\n<!-- printed by `x` -->\ntwo\n<!-- end of what is printed -->\nthree\n";
    assert_eq!(words(text), 2);
    assert_eq!(words("It holds.\n- `ledger-core/tests/a.rs::it_holds`\n"), 2);
}

#[test]
fn marks_are_no_words() {
    assert_eq!(words("# One\n| `two` | 3 |\n|---|---|\n- four – five\n```text\n->\n```\n"), 6);
}

/// The words that a person wrote; bars of tables, bullets and fences are none.
fn words(text: &str) -> usize {
    let mut is_made = false;
    let mut counted = 0;
    for line in text.lines() {
        let is_mark = line.starts_with("<!--");
        if is_mark {
            is_made = MARKS.iter().any(|mark| line.contains(mark));
        } else if !is_made && !is_proof(line) {
            let is_word = |it: &&str| it.contains(char::is_alphanumeric);
            counted += line.split_whitespace().filter(is_word).count();
        }
    }
    counted
}

/// Reads the pages of a folder and of those in it, with their paths from the root.
fn collect(folder: &Path, pages: &mut Vec<(String, String)>) {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries.map(|entry| entry.expect("it is read")) {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let from_root = path.strip_prefix(root()).expect("it stands under the root");
        let from_root = from_root.to_string_lossy().replace('\\', "/");
        if APART.iter().any(|apart| format!("{from_root}/").starts_with(apart)) {
            continue;
        }
        if entry.file_type().expect("it has a type").is_dir() {
            if !name.starts_with('.') && !MADE.contains(&&*name) {
                collect(&path, pages);
            }
        } else if path.extension().is_some_and(|it| it == "md") {
            let text = fs::read_to_string(&path);
            pages.push((from_root, text.unwrap_or_else(|error| panic!("{name}: {error}"))));
        }
    }
}
