//! What happened to a directory.

use minicbor::{Decode, Encode};

use crate::id::KeyHash;

/// What happened; complete without its neighbours. The numbers are frozen.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// A ledger became a cell.
    #[n(0)]
    CellAdded {
        /// The name of the ledger. Its environment is the directory's.
        #[n(0)]
        cell: Box<str>,
        /// The check of its vault key.
        #[cbor(n(1), with = "minicbor::bytes")]
        key_check: [u8; 32],
    },
    /// An account was given its cell.
    #[n(1)]
    AccountPlaced {
        /// The name of the account.
        #[n(0)]
        account: Box<str>,
        /// The cell it lives in.
        #[n(1)]
        cell: Box<str>,
    },
    /// A key is known to be of an account.
    #[n(2)]
    KeyBound {
        /// The hash of the key under the key of the directory's own.
        #[n(0)]
        key: KeyHash,
        /// The name of the account that it opens.
        #[n(1)]
        account: Box<str>,
    },
    /// An account began to move.
    #[n(3)]
    MoveBegun {
        /// The id of the move.
        #[n(0)]
        id: Box<str>,
        /// The name of the account.
        #[n(1)]
        account: Box<str>,
        /// The cell it leaves, in which it lives until the move is finished.
        #[n(2)]
        from: Box<str>,
        /// The cell it goes to.
        #[n(3)]
        to: Box<str>,
    },
    /// An account arrived in the other cell.
    #[n(4)]
    MoveFinished {
        /// The id of the move.
        #[n(0)]
        id: Box<str>,
        /// The name of the account.
        #[n(1)]
        account: Box<str>,
        /// The cell it lives in from now on.
        #[n(2)]
        to: Box<str>,
    },
    /// A move came to nothing.
    #[n(5)]
    MoveAbandoned {
        /// The id of the move.
        #[n(0)]
        id: Box<str>,
        /// The name of the account.
        #[n(1)]
        account: Box<str>,
        /// The cell it goes on to live in.
        #[n(2)]
        from: Box<str>,
    },
}
