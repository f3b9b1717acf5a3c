//! A file that begins with the hash of the rest of itself.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::Unused;

const MAGIC: &[u8; 24] = b"custody-ledger snapshot\n";

const HASH_BYTES: usize = 32;

const BUFFER: usize = 1 << 18;

/// Writes a file whose hash is put before it at the end.
pub(super) struct Writing(BufWriter<Hashed>);

struct Hashed {
    file: File,
    hasher: blake3::Hasher,
}

/// Reads a file behind its hash.
pub(super) struct Reading {
    file: BufReader<File>,
}

impl Writing {
    pub(super) fn new(file: File) -> io::Result<Self> {
        let mut file = file;
        file.write_all(MAGIC)?;
        file.write_all(&[0; HASH_BYTES])?;
        let hashed = Hashed { file, hasher: blake3::Hasher::new() };
        Ok(Self(BufWriter::with_capacity(BUFFER, hashed)))
    }

    /// Puts the hash in its place and makes the file durable.
    pub(super) fn finish(self) -> io::Result<()> {
        let Hashed { mut file, hasher } = self.0.into_inner()?;
        file.seek(SeekFrom::Start(MAGIC.len() as u64))?;
        file.write_all(hasher.finalize().as_bytes())?;
        file.sync_all()
    }
}

impl Write for Writing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Reading {
    /// A file whose hash is right.
    pub(super) fn open(path: &Path) -> Result<Self, Unused> {
        let (Self { mut file }, written) = Self::open_after_hash(path)?;
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(&mut file)?;
        if hasher.finalize() != written {
            return Err(Unused::Damaged("its hash"));
        }
        file.seek(SeekFrom::Start((MAGIC.len() + HASH_BYTES) as u64))?;
        Ok(Self { file })
    }

    /// A file whose hash may be wrong: what is read proves nothing.
    pub(super) fn open_unproved(path: &Path) -> Result<Self, Unused> {
        Ok(Self::open_after_hash(path)?.0)
    }

    /// A file read up to the end of its hash, and the hash.
    fn open_after_hash(path: &Path) -> Result<(Self, [u8; HASH_BYTES]), Unused> {
        // Whoever opens a pipe waits until somebody writes to it.
        if !path.metadata()?.is_file() {
            return Err(Unused::Foreign("it is no regular file"));
        }
        let mut file = BufReader::with_capacity(BUFFER, File::open(path)?);
        let mut magic = [0; MAGIC.len()];
        let mut written = [0; HASH_BYTES];
        file.read_exact(&mut magic)?;
        file.read_exact(&mut written)?;
        if &magic != MAGIC {
            return Err(Unused::Foreign("it is no snapshot"));
        }
        Ok((Self { file }, written))
    }

    pub(super) fn is_at_its_end(&mut self) -> io::Result<bool> {
        Ok(self.file.read(&mut [0])? == 0)
    }
}

impl Read for Reading {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.file.read(into)
    }
}
