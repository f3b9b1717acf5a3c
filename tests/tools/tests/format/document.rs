//! The parts of `docs/FORMAT.md` that are made, each between two marks.

use std::fs;

use super::chart::{accounts, kinds};
use super::source::root;
use super::tables::Recorded;

const COMMAND: &str = "GOLDEN=write cargo test -p ledger-tools --test format";

/// Tells whether what is made is to be written.
pub fn writing() -> bool {
    std::env::var("GOLDEN").is_ok_and(|mode| mode == "write")
}

/// `text` with what stands between the marks of `part` replaced.
fn with(text: &str, part: &str, made: &str) -> String {
    let (begin, end) = (format!("<!-- {part}: made -->\n"), format!("<!-- {part}: end -->"));
    let (before, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("no {begin}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("no {end}"));
    format!("{before}{begin}{made}\n{end}{after}")
}

#[test]
fn the_document_has_the_tables_that_the_code_gives() {
    let path = root().join("docs/FORMAT.md");
    let kept = fs::read_to_string(&path).expect("docs/FORMAT.md is read");
    let mut made = with(&kept, "kinds", &kinds());
    made = with(&made, "chart", &accounts());
    made = with(&made, "types", &Recorded::read().text());
    if writing() {
        fs::write(&path, &made).expect("docs/FORMAT.md is written");
        return;
    }
    let differs = made.lines().zip(kept.lines()).find(|(made, kept)| made != kept);
    assert!(made == kept, "docs/FORMAT.md is not what the code says: {differs:?}; run {COMMAND}");
}
