//! The tree over the links of a journal: derived from the journal, kept beside it, and proved equal
//! to it by an audit.
//!
//! Whoever needs it has it follow the journal first. What is missing is added, and a tree of
//! another past is made anew, so nothing depends on the file: it saves reading the journal from its
//! first record.

mod file;

use std::io;
use std::path::{Path, PathBuf};

use file::HashFile;
use thiserror::Error;

use crate::Hash;
use crate::tree::{self, Frontier, Subtrees, leaf_hash};
use ledger_store::chain::{Chain, Link};
use ledger_store::frame::{Row, RowBroken};
use ledger_store::journal::{Journal, JournalError};
use ledger_store::located_record::{LocateError, locate_record};

/// How many rows are read at once.
const ROWS_AT_ONCE: usize = 64;

/// The tree over the links of one ledger.
///
/// ```
/// use ledger_proofs::record_tree::RecordTree;
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let mut journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
/// let mut tree = RecordTree::in_memory();
/// tree.follow(&mut journal, "live")?;
/// assert_eq!(tree.size(), 0); // Nothing was recorded yet.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RecordTree {
    kept: Hashes,
    frontier: Frontier,
}

/// Where the stored hashes are.
#[derive(Debug)]
enum Hashes {
    Memory(Vec<Hash>),
    File(HashFile),
}

/// Why a tree cannot be used.
#[derive(Debug, Error)]
pub enum TreeError {
    /// Its file cannot be read or written.
    #[error("the tree in {} cannot be used", path.display())]
    File {
        /// The path of the tree's file.
        path: PathBuf,
        /// What the system says of it.
        #[source]
        source: io::Error,
    },
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A row of the journal is broken.
    #[error(transparent)]
    Row(#[from] RowBroken),
    /// The tree has leaves that the journal has no records of.
    #[error("the tree has {tree} records, and the journal ends at {journal}")]
    Beyond {
        /// The size of the tree.
        tree: u64,
        /// The last record of the journal.
        journal: u64,
    },
    /// The tree ends before a record that is asked for.
    #[error("the tree has {tree} records, and record {record} is asked for")]
    Short {
        /// The size of the tree.
        tree: u64,
        /// The record that is asked for.
        record: u64,
    },
    /// A stored hash is not the journal's.
    #[error("record {record}: the tree has another hash for it, or above it, than the journal")]
    Differs {
        /// The first record at which a hash differs.
        record: u64,
    },
}

impl From<LocateError> for TreeError {
    fn from(error: LocateError) -> Self {
        match error {
            LocateError::Journal(error) => Self::Journal(error),
            LocateError::Row(error) => Self::Row(error),
        }
    }
}

impl RecordTree {
    /// A tree that is gone with its process.
    #[must_use]
    pub fn in_memory() -> Self {
        Self { kept: Hashes::Memory(Vec::new()), frontier: Frontier::default() }
    }

    /// A tree in a file, which is made where it is missing.
    ///
    /// # Errors
    ///
    /// [`TreeError::File`].
    pub fn open(path: &Path) -> Result<Self, TreeError> {
        let named = |source| TreeError::File { path: path.to_owned(), source };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(named)?;
        }
        let (mut file, size) = HashFile::open(path).map_err(named)?;
        let frontier = Frontier::read(&mut file, size).map_err(named)?;
        Ok(Self { kept: Hashes::File(file), frontier })
    }

    /// How many records it is over.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.frontier.size()
    }

    /// Adds what the journal of the ledger named `name` has beyond it. A tree of another past than
    /// the journal's is made anew; says whether it was.
    ///
    /// # Errors
    ///
    /// [`TreeError`].
    pub fn follow(&mut self, journal: &mut dyn Journal, name: &str) -> Result<bool, TreeError> {
        let size = self.size();
        let mut chain = Chain::genesis(journal.identity().algorithm, name);
        let mut is_made_anew = false;
        if size > 0 {
            let last = if size <= journal.head()?.seq {
                Some(locate_record(journal, name, size)?.chain)
            } else {
                None
            };
            let leaf = self.subtree(0, size - 1)?;
            match last.filter(|last| leaf_hash(&last.link().0) == leaf) {
                Some(last) => chain = last,
                None => {
                    is_made_anew = true;
                    self.frontier = Frontier::default();
                    if let Hashes::Memory(hashes) = &mut self.kept {
                        hashes.clear();
                    }
                }
            }
        }
        let begun = self.size();
        loop {
            let rows = journal.read(chain.seq() + 1, ROWS_AT_ONCE)?;
            if rows.is_empty() {
                break;
            }
            self.add(&mut chain, &rows)?;
        }
        let size = self.size();
        if size != begun || is_made_anew {
            self.on_file(|file| file.count(size))?;
        }
        Ok(is_made_anew)
    }

    fn add(&mut self, chain: &mut Chain, rows: &[Row]) -> Result<(), TreeError> {
        let before = self.size();
        let mut hashes: Vec<u8> = Vec::new();
        let Self { kept, frontier } = self;
        for row in rows {
            row.verify_rest(chain, |_, link| {
                frontier.push(leaf_hash(&link.0), |hash| match kept {
                    Hashes::Memory(known) => known.push(hash),
                    Hashes::File(_) => hashes.extend_from_slice(&hash.0),
                });
            })?;
        }
        self.on_file(|file| file.write(before, &hashes))
    }

    fn on_file(
        &mut self,
        act: impl FnOnce(&mut HashFile) -> io::Result<()>,
    ) -> Result<(), TreeError> {
        let Hashes::File(file) = &mut self.kept else { return Ok(()) };
        act(file).map_err(|source| TreeError::File { path: file.path().to_owned(), source })
    }

    /// The root over the first `size` records.
    ///
    /// # Errors
    ///
    /// [`TreeError::File`]; [`TreeError::Short`] where it has fewer records.
    pub fn root(&mut self, size: u64) -> Result<Hash, TreeError> {
        if size == self.size() { Ok(self.frontier.root()) } else { tree::root(self, size) }
    }

    /// The path that proves a record, by its number from 1, among the first `size`.
    ///
    /// # Errors
    ///
    /// [`TreeError::File`]; [`TreeError::Short`] where it has fewer records.
    pub fn inclusion(&mut self, record: u64, size: u64) -> Result<Vec<Hash>, TreeError> {
        tree::inclusion(self, record - 1, size)
    }

    /// The path that proves that the first `new` records begin with the first `old`.
    ///
    /// # Errors
    ///
    /// [`TreeError::File`]; [`TreeError::Short`] where it has fewer records.
    pub fn consistency(&mut self, old: u64, new: u64) -> Result<Vec<Hash>, TreeError> {
        tree::consistency(self, old, new)
    }

    /// Proves every stored hash equal to what the journal says, and gives the tree's size.
    ///
    /// # Errors
    ///
    /// [`TreeError`], naming the first record at which a hash differs.
    pub fn audit(&mut self, journal: &mut dyn Journal, name: &str) -> Result<u64, TreeError> {
        let (size, last) = (self.size(), journal.head()?.seq);
        if last < size {
            return Err(TreeError::Beyond { tree: size, journal: last });
        }
        let mut chain = Chain::genesis(journal.identity().algorithm, name);
        let mut again = Frontier::default();
        while again.size() < size {
            let rows = journal.read(chain.seq() + 1, ROWS_AT_ONCE)?;
            let (before, mut hashes) = (again.size(), Vec::new());
            let mut ends = Vec::new();
            for row in &rows {
                row.verify_rest(&mut chain, |_, link| {
                    if again.size() < size {
                        again.push(leaf_hash(&link.0), |hash| hashes.push(hash));
                        ends.push(hashes.len());
                    }
                })?;
            }
            if rows.is_empty() {
                return Err(TreeError::Beyond { tree: size, journal: chain.seq() });
            }
            let stored = self.read_hashes(tree::stored_count(before), hashes.len())?;
            let differs = hashes.iter().zip(&stored).position(|(one, other)| one != other);
            if let Some(place) = differs {
                let within = ends.iter().take_while(|end| **end <= place).count() as u64;
                return Err(TreeError::Differs { record: before + within + 1 });
            }
        }
        Ok(size)
    }

    fn read_hashes(&mut self, place: u64, count: usize) -> Result<Vec<Hash>, TreeError> {
        match &mut self.kept {
            Hashes::Memory(hashes) => {
                let first = usize::try_from(place).expect("it is in memory");
                Ok(hashes[first..first + count].to_vec())
            }
            Hashes::File(_) => {
                let mut bytes = vec![0; 32 * count];
                self.on_file(|file| file.read(place, &mut bytes))?;
                let hashes = bytes.as_chunks::<32>().0;
                Ok(hashes.iter().copied().map(Hash).collect())
            }
        }
    }
}

impl Subtrees for RecordTree {
    type Error = TreeError;

    fn subtree(&mut self, level: u32, index: u64) -> Result<Hash, TreeError> {
        // A file may hold hashes beyond its tree, of a past that was given up.
        let tree = self.size();
        if index >= tree >> level {
            return Err(TreeError::Short { tree, record: (index + 1) << level });
        }
        match &mut self.kept {
            Hashes::Memory(hashes) => {
                let Ok(hash) = hashes.subtree(level, index);
                Ok(hash)
            }
            Hashes::File(file) => file
                .subtree(level, index)
                .map_err(|source| TreeError::File { path: file.path().to_owned(), source }),
        }
    }
}

/// The link of a journal after a record, at least the first: followed through its row.
///
/// # Errors
///
/// [`TreeError`], also where the journal has no such record.
pub fn link_at(journal: &mut dyn Journal, name: &str, record: u64) -> Result<Link, TreeError> {
    Ok(locate_record(journal, name, record)?.chain.link())
}
