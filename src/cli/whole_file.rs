//! Files that are there whole, or as they were before.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::Failure;
use crate::store::beside;

/// Writes a file that only its owner can read; what is there already stays until it is whole.
pub fn whole<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let path = &replaceable(path)?;
    let unfinished = beside(path, ".exporting");
    // What a program that was killed has left is of nobody's use; what else it may be is not ours.
    if unfinished.symlink_metadata().is_ok_and(|there| there.is_file()) {
        std::fs::remove_file(&unfinished)?;
    }
    let named = |error: std::io::Error| Failure::of_file(path, &error);
    let file = open_new(&unfinished).map_err(named)?;
    let finish = || -> Result<_, Failure> {
        let mut file = BufWriter::new(file);
        let written = write(&mut file)?;
        file.flush().map_err(named)?;
        file.get_ref().sync_all().map_err(named)?;
        std::fs::rename(&unfinished, path).map_err(named)?;
        Ok(written)
    };
    finish().inspect_err(|_| {
        // What could not be written is not left half; if it cannot be removed either, it is named
        // for what it is.
        let _ = std::fs::remove_file(&unfinished);
    })
}

/// Writes a text to a file, whole or not at all, or to standard output.
pub fn text(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    match path {
        None => Ok(std::io::stdout().write_all(text.as_bytes())?),
        Some(path) => whole(path, |file| Ok(file.write_all(text.as_bytes())?)),
    }
}

/// Why a file that an option names could not be made where none is to be yet.
pub fn creation_failure(path: &Path, option: &str, error: &std::io::Error) -> Failure {
    match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            Failure::new(format!("{option} writes a new file, and {} is there", path.display()))
        }
        _ => Failure::of_file(path, error),
    }
}

/// Writes a file that an option names, where none is yet, and that only its owner can read; what
/// could not be written is not left half.
pub fn fresh(
    path: &Path,
    option: &str,
    write: impl FnOnce(&mut File) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let named = |error: std::io::Error| Failure::of_file(path, &error);
    let mut file = open_new(path).map_err(|error| creation_failure(path, option, &error))?;
    write(&mut file).and_then(|()| file.sync_all().map_err(named)).inspect_err(|_| {
        let _ = std::fs::remove_file(path);
    })
}

/// Opens a new file that only its owner can read.
fn open_new(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Where a file is written: nothing is there yet, or a regular file that may be replaced. A link
/// stays a link, and what it leads to is replaced.
fn replaceable(path: &Path) -> Result<PathBuf, Failure> {
    let named = |error: std::io::Error| Failure::of_file(path, &error);
    let refused = |reason: &str| {
        let path = path.display();
        Failure::new(format!("{path} {reason}: name a file that may be written"))
    };
    match path.metadata() {
        Ok(there) if !there.is_file() => Err(refused("is no regular file")),
        Ok(there) if there.permissions().readonly() => Err(refused("may not be written")),
        Ok(_) => path.canonicalize().map_err(named),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            // A link that leads nowhere is not followed: it would be replaced by the file.
            if path.symlink_metadata().is_ok() {
                return Err(refused("is a link that leads nowhere"));
            }
            Ok(path.to_owned())
        }
        Err(error) => Err(named(error)),
    }
}
