//! Why cells do not open, and why what is asked of them finds no way.

use ledger_core::id::Environment;
use thiserror::Error;

use crate::directory::{DirectoryError, DirectoryReplayError};
use ledger_store::engine::EngineError;

/// Why ledgers are no cells of a directory.
#[derive(Debug, Error)]
pub enum CellsRefused {
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
        /// The environment of the first ledger.
        environment: Environment,
        /// The ledger that is of another.
        other: String,
    },
    /// Two of the ledgers bear one name. Nothing was opened.
    #[error("two of the ledgers are named {name}: ids are derived from names, so each has its own")]
    NameTwice {
        /// The name that two ledgers have.
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

/// Why what is asked of cells finds no way to one of them.
#[derive(Debug, Error)]
pub enum RoutingError {
    /// A ledger ended, or does not know whether it was taken over from.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The directory refused, or was not written: which, it says.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
}
