//! Why cells do not open.

use ledger_core::id::Environment;
use ledger_store::cells::{self, RoutingError};
use ledger_store::directory::{DirectoryError, DirectoryReplayError};
use ledger_store::engine::EngineError;

use crate::ledger::OpenError;

/// Why cells do not open.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CellsError {
    /// No ledger was given. Nothing was opened.
    #[error("cells are one ledger or more, and none was given")]
    NoLedgers,
    /// Two of the ledgers are of different environments. Nothing was opened.
    #[error(
        "ledger {name} is of the environment {environment}, and ledger {other} is not: cells of one \
         directory are of one environment"
    )]
    EnvironmentsDiffer {
        /// The first ledger.
        name: String,
        /// Its environment.
        environment: Environment,
        /// The ledger that is of another.
        other: String,
    },
    /// Two of the ledgers bear one name. Nothing was opened.
    #[error("two of the ledgers are named {name}: ids are derived from names, so each has its own")]
    NameTwice {
        /// The name.
        name: String,
    },
    /// The cell for what nobody claims is none of the ledgers. Nothing was opened.
    #[error("{name} is to take what nobody claims, and is none of the ledgers")]
    UnclaimedUnknown {
        /// The name that was given.
        name: String,
    },
    /// The directory knows a cell that was not given: its accounts could not be asked for.
    #[error("cell {cell} of the directory is none of the ledgers")]
    CellMissing {
        /// The name of the cell.
        cell: String,
    },
    /// An account is in a ledger in which the directory says that it never lived.
    #[error(
        "account {account} is in ledger {found}, and the directory says that it lives in {cell}"
    )]
    AccountElsewhere {
        /// The name of the account.
        account: String,
        /// The ledger that has it.
        found: String,
        /// The cell that the directory says it lives in.
        cell: String,
    },
    /// The store of the directory cannot be opened.
    #[error(transparent)]
    Store(#[from] OpenError),
    /// The directory cannot be replayed or taken over.
    #[error(transparent)]
    Replay(#[from] DirectoryReplayError),
    /// The directory refused a ledger or an account, or could not be written.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// A ledger ended.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Each as the facade names it.
pub(super) fn opening(error: cells::CellsError) -> CellsError {
    match error {
        cells::CellsError::NoLedgers => CellsError::NoLedgers,
        cells::CellsError::EnvironmentsDiffer { name, environment, other } => {
            CellsError::EnvironmentsDiffer { name, environment, other }
        }
        cells::CellsError::NameTwice { name } => CellsError::NameTwice { name },
        cells::CellsError::UnclaimedUnknown { name } => CellsError::UnclaimedUnknown { name },
        cells::CellsError::CellMissing { cell } => CellsError::CellMissing { cell },
        cells::CellsError::AccountElsewhere { account, found, cell } => {
            CellsError::AccountElsewhere { account, found, cell }
        }
        cells::CellsError::Replay(error) => error.into(),
        cells::CellsError::Directory(error) => error.into(),
        cells::CellsError::Engine(error) => error.into(),
    }
}

/// Why a request or a fact found no way.
pub(super) fn routing(error: RoutingError) -> crate::Error {
    match error {
        RoutingError::Engine(error) => error.into(),
        RoutingError::Directory(error) => error.into(),
    }
}
