//! What SQLite's result codes say of a failure (<https://sqlite.org/rescode.html>): whether
//! anything may have been written, whether the file is damaged, and what to tell a person.

use std::fmt;

use crate::journal::{Displaced, Source};

pub(super) const ERROR: i32 = 1;
pub(super) const BUSY: i32 = 5;
pub(super) const LOCKED: i32 = 6;
pub(super) const READONLY: i32 = 8;
pub(super) const IOERR: i32 = 10;
pub(super) const CORRUPT: i32 = 11;
pub(super) const FULL: i32 = 13;
pub(super) const TOOBIG: i32 = 18;
pub(super) const CANTOPEN: i32 = 14;
pub(super) const CONSTRAINT: i32 = 19;
pub(super) const NOTADB: i32 = 26;

/// What the extended codes of `IOERR` say, where a person can do something about it.
const DISK: [(i32, &str); 8] = [
    (266, "reading from the disk failed"),
    (522, "the file ends before it should"),
    (778, "writing to the disk failed: it may be full, at a limit, or broken"),
    (1034, "bringing what was written to the disk failed (sync)"),
    (1290, "bringing the folder's entry to the disk failed (sync)"),
    (1546, "cutting the file to its length failed"),
    (4874, "the file's shared memory cannot grow: the disk may be full or at a limit"),
    (5386, "the file's shared memory cannot be used"),
];

/// The extended result code of `error`, if SQLite itself gave it.
fn extended_code(error: &sqlx::Error) -> Option<i32> {
    error.as_database_error()?.code()?.parse().ok()
}

/// The primary result code of `error`, if SQLite itself gave it.
pub(super) fn primary(error: &sqlx::Error) -> Option<i32> {
    extended_code(error).map(|code| code & 0xff)
}

/// Tells whether `error` says that SQLite undid the statement or never began it, as where its file
/// was taken away.
///
/// Anything else, a failed sync above all, may have left a whole commit in the log.
pub(super) fn surely_not_written(error: &sqlx::Error) -> bool {
    const UNDONE: [i32; 8] = [ERROR, BUSY, LOCKED, READONLY, CORRUPT, TOOBIG, CONSTRAINT, NOTADB];
    matches!(error, sqlx::Error::Io(error) if Displaced::is_cause_of(error))
        || primary(error).is_some_and(|code| UNDONE.contains(&code))
}

/// Tells whether `error` may say that the index of a log could not be made beside a file.
pub(super) fn lacks_a_log(error: &sqlx::Error) -> bool {
    primary(error).is_some_and(|code| [CANTOPEN, READONLY].contains(&code))
}

/// Tells whether `error` says that the file is not as it was written.
pub(super) fn is_damage(error: &sqlx::Error) -> bool {
    const DAMAGE: [i32; 3] = [IOERR, CORRUPT, NOTADB];
    matches!(error, sqlx::Error::ColumnDecode { .. })
        || primary(error).is_some_and(|code| DAMAGE.contains(&code))
}

/// A failure of the disk, in words.
#[derive(Debug)]
struct DiskFailed {
    what: &'static str,
    error: sqlx::Error,
}

/// `error` as a cause, in words where the disk is at fault.
pub(super) fn cause(error: sqlx::Error) -> Source {
    let error = match error {
        sqlx::Error::Io(error) if Displaced::is_cause_of(&error) => return error.into(),
        error => error,
    };
    let what = match (primary(&error), extended_code(&error)) {
        (Some(FULL), _) => Some("the disk is full"),
        (Some(IOERR), Some(code)) => {
            let known = DISK.iter().find(|(known, _)| *known == code);
            Some(known.map_or("the disk failed", |(_, what)| what))
        }
        _ => None,
    };
    match what {
        Some(what) => Box::new(DiskFailed { what, error }),
        None => error.into(),
    }
}

impl fmt::Display for DiskFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.error)
    }
}

/// The error is part of the words already.
impl std::error::Error for DiskFailed {}
