//! A file that ends within one of its pages, where no log is left to mend it.
//!
//! SQLite reads no page that nothing uses. Where the last ones are free, every record is still
//! there, and nobody would notice that the file was cut, nor ask what else was lost with its end.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// What begins every file of SQLite (<https://sqlite.org/fileformat.html#the_database_header>).
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Says that the file at `path` is cut, if it ends within a page and there are no logs of commits
/// that SQLite would bring into it.
///
/// What cannot be read, or is no database, is `None`: opening it says what is wrong.
pub(super) fn cut(path: &Path) -> Option<String> {
    if ["-wal", "-journal"].into_iter().any(|log| holds_something(&beside(path, log))) {
        return None;
    }
    let mut header = [0; 18];
    let mut file = File::open(path).ok()?;
    file.read_exact(&mut header).ok()?;
    let (magic, size) = header.split_at(16);
    let page = match u16::from_be_bytes([size[0], size[1]]) {
        1 => 65_536,
        size => u64::from(size),
    };
    let length = file.metadata().ok()?.len();
    let rest = length.checked_rem(page)?;
    (magic == MAGIC && rest > 0).then(|| {
        format!("the file is cut: it holds {length} bytes, and its pages of {page} end elsewhere")
    })
}

/// The file that SQLite keeps beside the one at `path`, with this end to its name.
pub(super) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Tells whether there is a file at `path` with something in it.
pub(super) fn holds_something(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0)
}
