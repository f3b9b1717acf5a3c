//! Why cells do not open.

use ledger_cells::{CellsRefused, RoutingError};

use crate::ledger::OpenError;

/// Why cells do not open.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CellsError {
    /// The store of the directory cannot be opened.
    #[error(transparent)]
    Store(#[from] OpenError),
    /// The ledgers are no cells of that directory, or it cannot be taken over.
    #[error(transparent)]
    Refused(#[from] CellsRefused),
}

/// Why a request or a fact found no way.
pub(super) fn routing(error: RoutingError) -> crate::Error {
    match error {
        RoutingError::Engine(error) => error.into(),
        RoutingError::Directory(error) => error.into(),
    }
}
