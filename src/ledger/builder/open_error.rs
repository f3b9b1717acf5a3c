//! Why a ledger does not open.

use ledger_store::engine::{EngineError, StartError};
use ledger_store::projection::{ProjectError, TablesFailed};

/// Why a ledger does not open.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The store's name is none: what a name looks like. It is not repeated, as it may hold a
    /// password.
    #[error("no store has this name: {0}")]
    Name(String),
    /// The store is of a database for which this program was not built.
    #[error("this program was built without the feature \"{0}\" of custody-ledger")]
    FeatureOff(&'static str),
    /// The store keeps a journal and no tables, so no outbox either, and what is to be sent stands
    /// in one: a provider, too, is driven from it.
    #[error("{0}: it keeps no tables, so no outbox: open it without, or on a database")]
    NoTables(String),
    /// It is a service that offers its commits, for replicas alone.
    #[error("{0}: it is a stream of commits, which has no store to write to: read it by a replica")]
    StreamOnly(String),
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] ledger_store::OpenError),
    /// The ledger cannot be taken over, or its journal not be replayed; above all since another
    /// holds it ([`StartError::InUse`], [`StartError::Leased`]).
    #[error(transparent)]
    Start(StartError),
    /// The outbox cannot be filled up to the journal.
    #[error(transparent)]
    Outbox(#[from] ProjectError),
    /// The outbox cannot be read.
    #[error(transparent)]
    Tables(#[from] TablesFailed),
    /// The ledger ended as soon as it was opened.
    #[error(transparent)]
    Ended(#[from] EngineError),
}

/// The error by which an engine did not start, as whoever opens a ledger is told it.
impl From<StartError> for OpenError {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Outbox(error) => Self::Outbox(error),
            error => Self::Start(error),
        }
    }
}
