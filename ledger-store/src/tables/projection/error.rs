//! How projecting fails.

use thiserror::Error;

use super::backend::TablesFailed;
use super::schema::VERSION;
use crate::engines::sequencer::ReplayError;

/// Why tables were not filled. What is in them is as of their checkpoint, whole.
#[derive(Debug, Error)]
#[allow(missing_docs)] // Where a field has no line, the message says what it is.
pub enum ProjectError {
    /// The journal could not be replayed.
    #[error("the journal cannot be projected")]
    Replay(#[from] ReplayError),
    /// The tables could not be read or written.
    #[error(transparent)]
    Tables(#[from] TablesFailed),
    /// The tables are of another past than the journal.
    #[error(
        "the tables of ledger {ledger} stand at record {seq} of another chain: they are foreign to \
         this journal; rebuild them (--rebuild), or project into a store of their own"
    )]
    Foreign {
        ledger: String,
        /// The record of their checkpoint.
        seq: u64,
    },
    /// The journal ends before the tables do.
    #[error(
        "the tables of ledger {ledger} stand at record {seq}, and the journal ends at {head}: it \
         was truncated, or is another; rebuild them (--rebuild)"
    )]
    Truncated {
        ledger: String,
        /// The record of their checkpoint.
        seq: u64,
        /// Where the journal ends.
        head: u64,
    },
    /// The tables are of another version.
    #[error(
        "the tables of ledger {ledger} are of version {found}, this program writes {VERSION}: \
         project into a store of their own, or drop them and rebuild"
    )]
    Version {
        ledger: String,
        /// The version that the tables are of.
        found: i64,
    },
    /// Somebody else has moved the tables on.
    #[error(
        "the tables of ledger {ledger} are no longer where this projector left them, at record \
         {seq}: another one fills them too"
    )]
    Moved {
        ledger: String,
        /// Where this projector left them.
        seq: u64,
    },
    /// A commit that does not follow what was projected.
    #[error("a commit follows record {expected}, and record {found} was projected last")]
    Skipped {
        /// The record before the commit.
        expected: u64,
        /// The last record projected.
        found: u64,
    },
}
