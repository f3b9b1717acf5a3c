//! A file or folder that a writer goes by, compared with what stands at its path: whoever deletes,
//! moves or replaces it leaves the writer with one that nobody else finds.

use std::io;
use std::path::{Path, PathBuf};

use crate::journal::Displaced;

/// A path, and the file or folder that stood there when it was noted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::journal) struct NotedFile {
    path: PathBuf,
    /// Its device and number there; nothing where the system has no such numbers.
    inode: Option<(u64, u64)>,
}

impl NotedFile {
    /// Notes what stands at `path`; nothing where nothing does.
    pub(in crate::journal) fn note(path: PathBuf) -> io::Result<Self> {
        let inode = inode(&path)?;
        Ok(Self { path, inode })
    }

    pub(in crate::journal) fn path(&self) -> &Path {
        &self.path
    }

    /// Tells whether the same stands there yet.
    ///
    /// # Errors
    ///
    /// In words for a person, where it does not; and where the system does not say.
    pub(in crate::journal) fn assert_kept(&self) -> io::Result<()> {
        let path = self.path.display();
        match inode(&self.path) {
            Ok(found) if found == self.inode => Ok(()),
            Ok(_) => Err(io::Error::other(Displaced(format!(
                "{path} was replaced under its writer: put the one that it opened back, or end it"
            )))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(io::Error::other(Displaced(format!(
                    "{path} was moved or deleted under its writer: put it back, or end the writer"
                ))))
            }
            Err(error) => Err(error),
        }
    }
}

#[cfg(unix)]
fn inode(path: &Path) -> io::Result<Option<(u64, u64)>> {
    use std::os::unix::fs::MetadataExt as _;
    path.metadata().map(|file| Some((file.dev(), file.ino())))
}

/// Elsewhere the system keeps a file that is open from being moved or deleted.
#[cfg(not(unix))]
fn inode(path: &Path) -> io::Result<Option<(u64, u64)>> {
    path.metadata().map(|_| None)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_moved_deleted_or_replaced_is_named_until_it_is_put_back() {
        let folder = tempfile::tempdir().unwrap();
        let (path, aside) = (folder.path().join("ledger.db"), folder.path().join("aside.db"));
        std::fs::write(&path, "its own").unwrap();
        let place = NotedFile::note(path.clone()).unwrap();
        place.assert_kept().unwrap();
        std::fs::rename(&path, &aside).unwrap();
        let said = place.assert_kept().unwrap_err().to_string();
        assert!(said.contains("ledger.db was moved or deleted"), "{said}");
        std::fs::write(&path, "another's").unwrap();
        let said = place.assert_kept().unwrap_err().to_string();
        assert!(said.contains("ledger.db was replaced"), "{said}");
        std::fs::rename(&aside, &path).unwrap();
        place.assert_kept().unwrap();
    }
}
