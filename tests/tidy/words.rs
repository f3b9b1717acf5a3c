//! How documentation lines begin: with a verb or the thing's noun, which a ratchet holds.

use crate::sources::{CRATES, sources};

/// The words that leave a reader waiting for the verb.
const FIRST: [&str; 4] = ["What", "Whatever", "Whoever", "Whether"];

/// How many blocks of documentation of each word may begin with it: as many as do. Fewer are
/// welcome, and lower the bound.
pub const MOST: usize = 1_700;

/// How many blocks of documentation begin with one of these words.
pub fn count() -> usize {
    let sources = CRATES.iter().flat_map(|(_, folder)| sources(folder));
    sources.map(|source| blocks(&source.text).filter(|first| begins(first)).count()).sum()
}

/// The first line of each block of documentation.
fn blocks(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim_start);
    let mut within = false;
    lines.filter_map(move |line| {
        let said = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        let first = said.filter(|_| !within);
        within = said.is_some();
        first.map(str::trim_start)
    })
}

fn begins(line: &str) -> bool {
    let word = line.split(|letter: char| !letter.is_alphabetic()).next();
    word.is_some_and(|word| FIRST.contains(&word))
}

#[test]
fn a_block_is_known_by_its_first_line() {
    let text = "/// What stands.\n/// Whether it does.\nfn a() {}\n/// Returns it.\n//!\n";
    assert_eq!(blocks(text).collect::<Vec<_>>(), ["What stands.", "Returns it."]);
    assert!(begins("Whoever asks") && !begins("Whatsoever") && !begins("Returns what is asked"));
}
