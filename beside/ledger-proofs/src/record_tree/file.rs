//! The stored hashes of a tree in a file: a head of 32 bytes, then a hash each.
//!
//! ```text
//! "custody-ledger tree v1" ‖ 0x00 0x00 ‖ leaves (8 bytes, little endian) ‖ hash*
//! ```
//!
//! The head is written after the hashes that it counts are on the medium, so what a crash tore is
//! beyond it and is written again. The head itself is not waited for: an older one counts less, and
//! the journal has the rest.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::Hash;
use crate::tree::{Subtrees, stored_count, stored_index};

const MAGIC: [u8; 24] = *b"custody-ledger tree v1\0\0";

/// Bytes of a hash, and of the head.
const WIDTH: u64 = 32;

/// A file of stored hashes.
#[derive(Debug)]
pub(super) struct HashFile {
    file: File,
    path: PathBuf,
}

impl HashFile {
    /// Opens the file, and makes it where it is missing; says how many leaves it has. One that is
    /// not of this kind, or shorter than its head says, has none.
    pub(super) fn open(path: &Path) -> io::Result<(Self, u64)> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        let mut this = Self { file, path: path.to_owned() };
        let size = this.stored_size()?;
        Ok((this, size))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn stored_size(&mut self) -> io::Result<u64> {
        let length = self.file.seek(SeekFrom::End(0))?;
        if length < WIDTH {
            return Ok(0);
        }
        let mut head = [0; 32];
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_exact(&mut head)?;
        let (magic, size) = head.split_at(MAGIC.len());
        let size = u64::from_le_bytes(size.try_into().expect("eight bytes are left"));
        let whole = size < 1 << 56 && WIDTH * (1 + stored_count(size)) <= length;
        Ok(if magic == MAGIC && whole { size } else { 0 })
    }

    /// Writes hashes after those of a tree of `before` leaves.
    pub(super) fn write(&mut self, before: u64, hashes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(WIDTH * (1 + stored_count(before))))?;
        self.file.write_all(hashes)
    }

    /// Counts the leaves whose hashes were written.
    pub(super) fn count(&mut self, size: u64) -> io::Result<()> {
        self.file.sync_data()?;
        let mut head = MAGIC.to_vec();
        head.extend(size.to_le_bytes());
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&head)
    }

    /// Stored hashes from a place on, as many as `into` holds.
    pub(super) fn read(&mut self, place: u64, into: &mut [u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(WIDTH * (1 + place)))?;
        self.file.read_exact(into)
    }
}

impl Subtrees for HashFile {
    type Error = io::Error;

    fn subtree(&mut self, level: u32, index: u64) -> io::Result<Hash> {
        let mut hash = [0; 32];
        self.read(stored_index(level, index), &mut hash)?;
        Ok(Hash(hash))
    }
}
