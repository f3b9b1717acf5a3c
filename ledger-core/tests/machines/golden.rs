//! Lists that a test holds what it found against.

use std::collections::BTreeSet;

/// Holds the lines against those of the file, which `GOLDEN=write` writes.
pub fn golden(path: &str, lines: &BTreeSet<String>) {
    let found: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
    if std::env::var("GOLDEN").is_ok_and(|what| what == "write") {
        std::fs::write(path, &found).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    let kept: BTreeSet<&str> = expected.lines().collect();
    let now: BTreeSet<&str> = found.lines().collect();
    let (more, less): (Vec<_>, Vec<_>) =
        (now.difference(&kept).collect(), kept.difference(&now).collect());
    assert!(
        more.is_empty() && less.is_empty(),
        "{path}: admitted besides {more:#?}, and no more {less:#?}"
    );
}
