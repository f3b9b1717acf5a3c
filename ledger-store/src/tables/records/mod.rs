//! Records in a file: ledgers on their way from one store to another, or to whoever audits them.
//!
//! ```text
//! file = "custody-ledger records 1\n" ‖ item*
//! item = length (4 bytes, little endian) ‖ CBOR
//! items: the contents (every ledger with its head), then for each ledger its rows and the values
//! of its vault, then the end, with the BLAKE3 hash of all bytes before it
//! ```
//!
//! Rows are those of the journal, links included, so a file is proved like a journal.
//! The vault and the key its tokens are derived with go along only when asked for: without them the
//! records can be proved and read, and name persons by tokens that nobody can resolve.

mod read;
mod write;

use ledger_core::contract::Unproved;
use ledger_core::id::{Designation, Environment};
use minicbor::{Decode, Encode};
use thiserror::Error;

use crate::bytes::chain::{AlgorithmUnknown, Link};
use crate::engines::sequencer::ReplayError;
use crate::journal::environment::designation;
use crate::journal::{AppendError, Head, JournalError, OpenError, Row, VaultRow, key_check};

pub use read::{import, prove};
pub use write::export;

/// How every file begins, its version included.
const MAGIC: &[u8] = b"custody-ledger records 1\n";

/// What every version begins with.
const ANY_VERSION: &[u8] = b"custody-ledger records ";

/// The longest item: far more than a row of a thousand records takes.
const LONGEST_ITEM: u32 = 1 << 28;

/// Tells whether personal data go along.
///
/// ```
/// # use ledger_store::records::{Persons, export, prove};
/// # use ledger_store::{Journal, MemoryDisk, MemoryJournal, OpenMode};
///
/// let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
/// let journal: Box<dyn Journal> = Box::new(journal);
/// let mut file = Vec::new();
/// export(&mut [("live", journal)], Persons::Left, &mut file)?;
/// assert_eq!(prove(&*file)?[0].persons(), Persons::Left);
/// assert!(prove(&file[..file.len() - 1]).is_err()); // A file that was cut off proves nothing.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persons {
    /// The vault and its key stay where they are.
    Left,
    /// The vault and its key go along: the file is as secret as they are.
    Included,
}

/// A ledger of a file.
#[derive(Clone, PartialEq, Eq, Encode, Decode)]
pub struct Contents {
    /// Its name, which its chain begins with.
    #[n(0)]
    pub name: String,
    /// The tag of its hash function.
    #[n(1)]
    algorithm: u8,
    /// Its last record.
    #[n(2)]
    seq: u64,
    /// The link after it.
    #[cbor(n(3), with = "minicbor::bytes")]
    link: [u8; 32],
    /// A hash of its vault key.
    #[cbor(n(4), with = "minicbor::bytes")]
    key_check: [u8; 32],
    /// Its vault key, if persons go along.
    #[cbor(n(5), with = "minicbor::bytes")]
    vault_key: Option<[u8; 32]>,
    /// How many values follow its rows.
    #[n(6)]
    values: u64,
    /// The tag of the environment that was chosen for it; none where it is older than the choice,
    /// as in files of earlier versions.
    #[n(7)]
    environment: Option<u8>,
}

#[derive(Encode, Decode)]
enum Item {
    #[n(0)]
    Contents(#[n(0)] Vec<Contents>),
    #[n(1)]
    Row {
        #[n(0)]
        first: u64,
        #[n(1)]
        count: u32,
        #[cbor(n(2), with = "minicbor::bytes")]
        link: [u8; 32],
        #[cbor(n(3), with = "minicbor::bytes")]
        payload: Vec<u8>,
    },
    #[n(2)]
    Value {
        #[cbor(n(0), with = "minicbor::bytes")]
        token: [u8; 16],
        #[n(1)]
        kind: u8,
        #[n(2)]
        value: String,
        #[n(3)]
        mask: String,
    },
    #[n(3)]
    End {
        #[cbor(n(0), with = "minicbor::bytes")]
        check: [u8; 32],
    },
}

/// Why a ledger could not be written to a file.
#[derive(Debug, Error)]
#[allow(missing_docs)] // The message names the ledger, and the source says why.
pub enum ExportError {
    /// The journal could not be read, or is broken.
    #[error("ledger \"{name}\" cannot be exported")]
    Ledger {
        name: String,
        #[source]
        source: ReplayError,
    },
    /// The file could not be written.
    #[error("the records could not be written")]
    Write(#[from] std::io::Error),
}

/// Why a file cannot be imported. Unless it says otherwise, nothing was written.
#[derive(Debug, Error)]
#[allow(missing_docs)] // Where a field has no line, the message and its source say what it is.
pub enum ImportError {
    /// The file could not be read.
    #[error("the file cannot be read")]
    Read(#[source] std::io::Error),
    /// The file is something else.
    #[error("this is no file of a custody ledger's records")]
    Foreign,
    /// The file is of another version.
    #[error("this file of records is of a version that this program does not know")]
    Version,
    /// The file ends too early.
    #[error("the file is truncated: it ends within {within}")]
    Truncated {
        /// What is cut off.
        within: String,
    },
    /// The file goes on after its end.
    #[error("the file goes on after its end")]
    Trailing,
    /// Something in the file cannot be there.
    #[error("the file is damaged: {within} cannot be read")]
    Damaged {
        /// What should be there.
        within: String,
    },
    /// Some bytes are not those that were exported.
    #[error("the file is damaged: its bytes are not those that were exported")]
    CheckDiffers,
    /// The records of a ledger prove to be broken.
    #[error("the file is damaged: ledger \"{name}\" is broken")]
    Broken {
        name: String,
        /// Which record, and why.
        #[source]
        source: ReplayError,
    },
    /// A value of the vault is not the one its token was derived from.
    #[error("the vault of ledger \"{name}\" is not what it was: the row of token {token}")]
    Value {
        name: String,
        /// The token, as 32 hexadecimal digits.
        token: String,
        /// What of it.
        #[source]
        source: Unproved,
    },
    /// The records of a ledger end elsewhere than the file says.
    #[error("the file is damaged: ledger \"{name}\" does not end with the head the file names")]
    HeadDiffers { name: String },
    /// The hash of a ledger is not one this version knows.
    #[error("ledger \"{name}\" cannot be followed")]
    Algorithm {
        name: String,
        #[source]
        source: AlgorithmUnknown,
    },
    /// Another vault key was given than the one the ledger's tokens are derived with.
    #[error("ledger \"{name}\" was written under another vault key than the one given")]
    KeyDiffers { name: String },
    /// The store could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The store could not be taken over or read back; what was appended so far is there.
    #[error("ledger \"{name}\" is not wholly imported")]
    Journal {
        name: String,
        #[source]
        source: JournalError,
    },
    /// The store already holds records of this ledger.
    #[error("the store already holds records of ledger \"{name}\"")]
    NotEmpty { name: String },
    /// The store refused a commit; what was appended before is there.
    #[error("ledger \"{name}\" is not wholly imported")]
    Append {
        name: String,
        #[source]
        source: Box<AppendError>,
    },
}

impl Contents {
    /// Where the ledger ends.
    #[must_use]
    pub fn head(&self) -> Head {
        Head { seq: self.seq, link: Link(self.link) }
    }

    /// The environment it was made for.
    ///
    /// # Errors
    ///
    /// When the file says one that this version does not know.
    pub fn environment(&self) -> Result<Environment, ImportError> {
        Ok(self.designation()?.environment(&self.name))
    }

    fn designation(&self) -> Result<Designation, ImportError> {
        designation(self.environment.map(i64::from)).ok_or_else(|| ImportError::Damaged {
            within: format!("the environment of ledger \"{}\"", self.name),
        })
    }

    /// Tells whether the vault and its key are in the file.
    #[must_use]
    pub fn persons(&self) -> Persons {
        if self.vault_key.is_some() { Persons::Included } else { Persons::Left }
    }
}

impl From<Row> for Item {
    fn from(Row { first, count, link, payload }: Row) -> Self {
        Self::Row { first, count, link: link.0, payload }
    }
}

impl From<VaultRow> for Item {
    fn from(VaultRow { token, kind, value, mask }: VaultRow) -> Self {
        Self::Value { token, kind, value, mask }
    }
}

/// Shows no key: it must not reach a log.
impl std::fmt::Debug for Contents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Contents")
            .field("name", &self.name)
            .field("environment", &self.environment)
            .field("head", &self.head())
            .field("persons", &self.persons())
            .finish_non_exhaustive()
    }
}
