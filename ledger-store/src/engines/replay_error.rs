//! Why a journal cannot be replayed.

use ledger_core::ledger::Corrupt;
use thiserror::Error;

use crate::bytes::codec::CodecError;
use crate::bytes::frame::RowBroken;
use crate::journal::JournalError;

/// Why a journal could not be replayed; each names the record at fault.
#[derive(Debug, Error)]
#[allow(missing_docs)] // Where a field has no line, the message and its source say what it is.
pub enum ReplayError {
    /// The journal could not be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
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
    Corrupt {
        seq: u64,
        #[source]
        source: Corrupt,
    },
}

impl ReplayError {
    /// The first record at fault, where one can be named.
    #[must_use]
    pub fn seq(&self) -> Option<u64> {
        match self {
            Self::Journal(error) => error.seq(),
            Self::Row(broken) => Some(broken.seq()),
            Self::Codec { seq, .. } | Self::Corrupt { seq, .. } => Some(*seq),
        }
    }
}
