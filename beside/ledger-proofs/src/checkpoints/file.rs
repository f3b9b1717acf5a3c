//! A file of checkpoints, to which signed notes are added.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::{CheckpointError, last_of};
use crate::checkpoint::Checkpoint;
use ledger_store::heads::open_to_add;
use ledger_store::signing::note::Note;

/// A file of checkpoints, of one ledger or several; the first note begins it, and an empty line
/// stands before each other.
#[derive(Clone, Debug)]
pub struct CheckpointsFile {
    file: Arc<Mutex<File>>,
    path: PathBuf,
}

impl CheckpointsFile {
    /// Opens the file to add to it, and makes it where it is missing. A note that was cut off is
    /// ended, and says nothing.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::File`].
    pub fn open(path: &Path) -> Result<Self, CheckpointError> {
        let opened = open_to_add(path).map_err(|source| Self::file_error(path, source));
        Ok(Self { file: Arc::new(Mutex::new(opened?)), path: path.to_owned() })
    }

    fn file_error(path: &Path, source: io::Error) -> CheckpointError {
        CheckpointError::File { path: path.to_owned(), source }
    }

    /// The last checkpoint of this origin.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::File`] and [`CheckpointError::Last`].
    pub fn last(&self, origin: &str) -> Result<Option<Checkpoint>, CheckpointError> {
        let text = std::fs::read_to_string(&self.path);
        let text = text.map_err(|source| Self::file_error(&self.path, source))?;
        last_of(&text, origin, &self.path)
    }

    /// Adds a note, in one piece and durably.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::File`].
    pub fn add(&self, note: &Note) -> Result<(), CheckpointError> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut add = || {
            let between = if file.seek(SeekFrom::End(0))? > 0 { "\n" } else { "" };
            file.write_all(format!("{between}{note}").as_bytes())?;
            file.sync_data()
        };
        add().map_err(|source| Self::file_error(&self.path, source))
    }
}
