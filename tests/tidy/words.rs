//! How documentation begins, with a verb or the thing's noun, which a ratchet holds; and that it
//! says more than two words.

use crate::sources::{CRATES, Source, sources};

/// A block of documentation of so few words tells a reader nothing that the name does not.
const FEW: usize = 2;

/// The words that leave a reader waiting for the verb.
const FIRST: [&str; 4] = ["What", "Whatever", "Whoever", "Whether"];

/// How many blocks of documentation of each word may begin with it: as many as do. Fewer are
/// welcome, and lower the bound.
pub const MOST: usize = 1_654;

/// How many blocks of documentation begin with one of these words.
pub fn count() -> usize {
    all().map(|source| blocks(&source.text).iter().filter(|block| begins(block)).count()).sum()
}

/// The blocks of documentation of one or two words, each behind the path of its file.
pub fn short() -> Vec<String> {
    let short = all().flat_map(|Source { path, text, .. }| {
        let short = blocks(&text).into_iter().filter(|block| is_short(block));
        short.map(move |block| format!("{path}: {block}")).collect::<Vec<_>>()
    });
    short.collect()
}

fn all() -> impl Iterator<Item = Source> {
    CRATES.iter().flat_map(|(_, folder)| sources(folder))
}

/// The blocks of documentation, the lines of each as one.
fn blocks(text: &str) -> Vec<String> {
    let lines: Vec<_> = text.lines().map(documentation).collect();
    let runs = lines.chunk_by(|line, next| line.is_some() == next.is_some());
    let blocks = runs.filter_map(|run| run.iter().copied().collect::<Option<Vec<_>>>());
    blocks.map(|lines| lines.join(" ")).collect()
}

fn documentation(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(str::trim)
}

fn is_short(block: &str) -> bool {
    block.split_whitespace().count() <= FEW
}

fn begins(block: &str) -> bool {
    let word = block.split(|letter: char| !letter.is_alphabetic()).next();
    word.is_some_and(|word| FIRST.contains(&word))
}

#[test]
fn a_block_is_known_by_all_its_lines() {
    let text = "/// What stands.\n/// Whether it does.\nfn a() {}\n/// Returns it.\n//!\n";
    assert_eq!(blocks(text), ["What stands. Whether it does.", "Returns it. "]);
    assert!(begins("Whoever asks") && !begins("Whatsoever") && !begins("Returns what is asked"));
    assert!(is_short("Its name.") && is_short("Why.") && !is_short("Its name in files."));
}
