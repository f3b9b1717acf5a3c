//! Why a directory cannot be replayed, and why a command is not carried out.

use ledger_core::directory::{Inconsistent, Refusal};
use thiserror::Error;

use super::DIRECTORY;
use ledger_store::codec::CodecError;
use ledger_store::frame::RowBroken;
use ledger_store::journal::{JournalError, Source};

/// Why a directory could not be replayed; each names the record at fault.
#[derive(Debug, Error)]
#[allow(missing_docs)] // Where a field has no line, the message and its source say what it is.
pub enum DirectoryReplayError {
    /// The journal could not be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal is that of a ledger.
    #[error(
        "this journal is of a ledger, and no directory of cells: that is named \"{DIRECTORY}\""
    )]
    OfALedger,
    /// A row is not what its links say.
    #[error(transparent)]
    Row(#[from] RowBroken),
    /// A record does not decode.
    #[error("record {seq}: it does not decode")]
    Codec {
        seq: u64,
        #[source]
        source: CodecError,
    },
    /// A record cannot follow what happened before.
    #[error("record {seq}: it cannot have happened")]
    Impossible { seq: u64 },
    /// A record is older than the one before it.
    #[error("record {seq}: it is older than the record before it")]
    TimeWentBack { seq: u64 },
    /// It ends before the head that was kept elsewhere.
    #[error("truncated: it ends at record {found}, and a head at record {expected} was kept")]
    Truncated {
        /// Where the kept head is.
        expected: u64,
        /// Where the journal ends.
        found: u64,
    },
    /// It has another past than the head that was kept elsewhere.
    #[error("record {seq}: its link is not the one that was kept")]
    OtherPast { seq: u64 },
    /// What it says of itself differs when it is counted anew.
    #[error(transparent)]
    Inconsistent(#[from] Inconsistent),
}

/// Why a command was not carried out.
#[derive(Debug, Error)]
pub enum DirectoryError {
    /// The command contradicts what the directory holds. Nothing was written.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Another writer has taken over: this one must stop.
    #[error("another writer has taken over the directory: this one writes no more")]
    Fenced,
    /// The medium refused, or lost the commit for certain. Nothing was written.
    #[error("the directory was not written")]
    NotWritten(#[source] Source),
    /// Tells whether a commit was written is not known, and could not be found out: the next
    /// command tries again, before anything else is decided.
    #[error("whether the directory was written is not known")]
    Unknown(#[source] JournalError),
    /// Tells whether another writer has taken over could not be found out. Nothing was written.
    #[error("the journal of the directory cannot be asked who writes it")]
    Unverified(#[source] JournalError),
}

impl DirectoryReplayError {
    /// The first record at fault, where one can be named.
    #[must_use]
    pub fn seq(&self) -> Option<u64> {
        match self {
            Self::Journal(error) => error.seq(),
            Self::OfALedger | Self::Inconsistent(_) => None,
            Self::Row(broken) => Some(broken.seq()),
            Self::Codec { seq, .. }
            | Self::Impossible { seq }
            | Self::TimeWentBack { seq }
            | Self::OtherPast { seq } => Some(*seq),
            Self::Truncated { found, .. } => Some(*found),
        }
    }
}
