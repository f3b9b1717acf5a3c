//! The file of a writer, held against what stands at its path: SQLite writes on into a file that
//! was deleted or moved, and over one that somebody else has written.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::cut::beside;
use crate::journal::Displaced;
use crate::journal::writer::noted_file::NotedFile;

/// How long is rested before it is asked again whether anybody else has written the file.
const LOOKS: Duration = Duration::from_secs(1);

/// The files that this process has open for writing.
static OPEN: Mutex<Vec<NotedFile>> = Mutex::new(Vec::new());

/// A writer's file, its log and the log's index.
#[derive(Debug)]
pub(super) struct Standing {
    /// None of whoever only reads.
    file: Option<NotedFile>,
    /// The log and its index, as the connection in use has them open.
    beside: Vec<NotedFile>,
    /// How the file was when it was last looked at.
    seen: Option<Seen>,
    looked: Instant,
    /// Tells whether the last look has seen what SQLite may not have written.
    suspected: bool,
    /// Why nothing may be written any more.
    spoiled: Option<String>,
}

/// A file as somebody wrote it last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    bytes: u64,
    written: SystemTime,
    /// How many pages of the log are in the file.
    copied: i64,
    /// The log's first bytes, which are others once all of it was in the file and it began anew
    /// (<https://sqlite.org/fileformat2.html#walformat>).
    log: [u8; 32],
}

impl Standing {
    /// The standing of a file that is only read: nothing is held against its path.
    pub(super) fn of_reader() -> Self {
        Self::with_file(None)
    }

    /// The standing of a file that was just opened for writing.
    pub(super) fn of_writer(path: &Path) -> io::Result<Self> {
        // The program may change its folder, and a link be turned elsewhere.
        let file = NotedFile::note(std::path::absolute(path)?)?;
        open_files().push(file.clone());
        Ok(Self::with_file(Some(file)))
    }

    fn with_file(file: Option<NotedFile>) -> Self {
        let (beside, seen, spoiled) = (Vec::new(), None, None);
        Self { file, beside, seen, looked: Instant::now(), suspected: false, spoiled }
    }

    /// Where the file was opened for writing.
    pub(super) fn place(&self) -> Option<NotedFile> {
        self.file.clone()
    }

    /// Tells whether the file, its log and the log's index stand where they were opened.
    pub(super) fn assert_kept(&self) -> io::Result<()> {
        match &self.spoiled {
            Some(why) => Err(io::Error::other(Displaced(why.clone()))),
            None => self.file.iter().chain(&self.beside).try_for_each(NotedFile::assert_kept),
        }
    }

    /// Notes the log and its index of a connection that was just used.
    pub(super) fn note_beside(&mut self) {
        let Some(file) = self.file.as_ref().filter(|_| self.beside.is_empty()) else { return };
        let path = file.path().canonicalize().unwrap_or_else(|_| file.path().to_owned());
        let files = ["-wal", "-shm"].map(|end| NotedFile::note(beside(&path, end)));
        self.beside.extend(files.into_iter().flatten());
    }

    /// The connection was closed, and may have taken the log with it.
    pub(super) fn forget_connection(&mut self) {
        self.beside.clear();
        (self.seen, self.suspected) = (None, false);
    }

    /// Tells whether it is time to look who has written the file.
    pub(super) fn is_due(&mut self) -> bool {
        let due = self.seen.is_none() || self.looked.elapsed() >= LOOKS;
        let due = due && self.file.is_some();
        if due {
            self.looked = Instant::now();
        }
        due
    }

    /// The file as it is now, with so many pages of its log in it.
    pub(super) fn see(&self, copied: i64) -> io::Result<Option<Seen>> {
        let Some(place) = &self.file else { return Ok(None) };
        // SQLite keeps the log beside the file itself, by whatever links it is named.
        let path = place.path().canonicalize()?;
        let file = path.metadata()?;
        let mut log = [0; 32];
        // No lock is held by the log itself, so that closing it ends none. An empty one has none.
        let _ = File::open(beside(&path, "-wal")).and_then(|mut it| it.read_exact(&mut log));
        Ok(Some(Seen { bytes: file.len(), written: file.modified()?, copied, log }))
    }

    /// Compares the file with how it was at the last look, and tells whether it is to be read anew:
    /// SQLite writes it only from its log, and cuts it only after a scrub. That a connection is
    /// about to say that it has brought the log into the file is waited for until the next look.
    pub(super) fn suspects(&mut self, now: Seen) -> bool {
        let Some(seen) = self.seen else {
            self.trust(now);
            return false;
        };
        let same = (seen.bytes, seen.written) == (now.bytes, now.written);
        let explained = (seen.copied, seen.log) != (now.copied, now.log);
        if now.bytes < seen.bytes || (self.suspected && !same && !explained) {
            return true;
        }
        self.suspected = !same && !explained;
        if !self.suspected {
            self.trust(now);
        }
        false
    }

    /// The file is as its writer knows it.
    pub(super) fn trust(&mut self, now: Seen) {
        (self.seen, self.suspected) = (Some(now), false);
    }

    /// Somebody else has written the file.
    pub(super) fn spoil(&mut self, fault: &str) {
        let path = self.file.as_ref().map(|file| file.path().display().to_string());
        self.spoiled = Some(format!(
            "{} was written over or cut under its writer ({fault}): end the writer, and restore",
            path.unwrap_or_default()
        ));
    }
}

impl Drop for Standing {
    fn drop(&mut self) {
        let mut open = open_files();
        let own = open.iter().position(|open| Some(open) == self.file.as_ref());
        own.map(|own| open.swap_remove(own));
    }
}

fn open_files() -> MutexGuard<'static, Vec<NotedFile>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells whether this process has a journal open for writing in the file at `path`: whoever opens
/// it for tables then makes no file.
///
/// # Errors
///
/// When that file is no longer the one that stands there.
pub(crate) fn is_open_journal(path: &Path) -> io::Result<bool> {
    let names: Vec<PathBuf> =
        [std::path::absolute(path), path.canonicalize()].into_iter().flatten().collect();
    let canonical = |place: &NotedFile| place.path().canonicalize().ok();
    let is_it = |place: &&NotedFile| {
        names.iter().any(|name| name == place.path() || canonical(place).as_ref() == Some(name))
    };
    match open_files().iter().find(is_it) {
        Some(place) => place.assert_kept().map(|()| true),
        None => Ok(false),
    }
}
