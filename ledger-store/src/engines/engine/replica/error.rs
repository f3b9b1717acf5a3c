//! Why a replica has no answer.

use thiserror::Error;

/// Why a replica has no answer. Nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReplicaError {
    /// It was asked for more than to read.
    #[error("this is a replica, which only reads; the ledger is written {}", place(writer.as_deref()))]
    OnlyRead {
        /// Where it is written, as far as that is known.
        writer: Option<String>,
    },
    /// The record that was asked for was not there in time: ask again, or ask whoever writes.
    #[error("record {asked} was not here in time: this replica is at record {at}")]
    Behind {
        /// The record that was asked for.
        asked: u64,
        /// The record that the replica has come to.
        at: u64,
    },
    /// Too many reads wait.
    #[error("too many reads wait at this replica")]
    Busy,
    /// The store does not answer; it is tried again.
    #[error("the store is away: {0}")]
    Away(String),
    /// The read panicked, by this message.
    #[error("the read panicked: {0}")]
    Panicked(String),
    /// The replica has ended: the journal cannot be followed, above all since a record of it is not
    /// what it was, or the replica was stopped.
    #[error("the replica has ended: {0}")]
    Ended(String),
}

fn place(writer: Option<&str>) -> String {
    writer.map_or_else(|| "elsewhere".to_owned(), |writer| format!("at {writer}"))
}
