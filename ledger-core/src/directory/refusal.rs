//! Why a directory refuses a command.

use thiserror::Error;

use super::{LONGEST_NAME, MoveStage};
use crate::id::Environment;

/// Why a command is refused, in the order in which the rules are tested. Asked again as it stands,
/// each is refused again, unless the directory changed meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// A text is empty, or too long to be a name.
    #[error("a name of 1 to {LONGEST_NAME} bytes was expected, and this has {bytes}")]
    NameMalformed {
        /// How many bytes it has.
        bytes: usize,
    },
    /// A ledger of another environment than the directory's.
    #[error("cell {cell} is of the environment {given}, and the directory is of {directory}")]
    EnvironmentDiffers {
        /// The name of the ledger.
        cell: Box<str>,
        /// Its environment.
        given: Environment,
        /// The environment of the directory.
        directory: Environment,
    },
    /// Another ledger is a cell under this name.
    #[error("another ledger is cell {cell}: this one has the same name and another vault key")]
    CellNameTaken {
        /// The name.
        cell: Box<str>,
    },
    /// No cell has this name.
    #[error("no cell of the directory is named {cell}")]
    CellUnknown {
        /// The name.
        cell: Box<str>,
    },
    /// There is no cell at all to place an account in.
    #[error("the directory has no cells")]
    NoCells,
    /// The account lives in another cell than the one it is to be placed in.
    #[error("account {account} lives in cell {cell}, and cannot be placed in {asked}")]
    PlacedElsewhere {
        /// The name of the account.
        account: Box<str>,
        /// The cell it lives in.
        cell: Box<str>,
        /// The cell it was to be placed in.
        asked: Box<str>,
    },
    /// No account of this name is placed.
    #[error("no account of the directory is named {account}")]
    AccountUnknown {
        /// The name.
        account: Box<str>,
    },
    /// The key is of another account.
    #[error("the key is of account {bound}, and cannot be of {account}")]
    KeyTaken {
        /// The account whose key it is.
        bound: Box<str>,
        /// The account that it was to be of.
        account: Box<str>,
    },
    /// The id of the move is that of a move of something else, or to somewhere else.
    #[error("move {id} is of account {account} to cell {to}: an id is of one move")]
    MoveDiffers {
        /// The id.
        id: Box<str>,
        /// The account that is or was moved under it.
        account: Box<str>,
        /// Where to.
        to: Box<str>,
    },
    /// The account is moving already.
    #[error("account {account} is moving already, by move {id}")]
    AlreadyMoving {
        /// The name of the account.
        account: Box<str>,
        /// The id of the move under way.
        id: Box<str>,
    },
    /// The account lives in the cell it is to be moved to.
    #[error("account {account} lives in cell {cell}: it cannot move to where it is")]
    AlreadyThere {
        /// The name of the account.
        account: Box<str>,
        /// The cell.
        cell: Box<str>,
    },
    /// The account lived in that cell: a request that was answered elsewhere since might be begun
    /// there anew, by a router whose directory is old.
    #[error("account {account} lived in cell {cell}, and never comes back to a cell that it left")]
    LivedThere {
        /// The name of the account.
        account: Box<str>,
        /// The cell.
        cell: Box<str>,
    },
    /// No move has this id.
    #[error("no move of the directory has the id {id}")]
    MoveUnknown {
        /// The id.
        id: Box<str>,
    },
    /// The move has ended otherwise than is asked.
    #[error("move {id} is {stage}, and stays so")]
    MoveEnded {
        /// The id.
        id: Box<str>,
        /// How it has ended.
        stage: MoveStage,
    },
}
