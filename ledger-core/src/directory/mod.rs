//! The directory of cells: which ledger each API account lives in.
//!
//! ```text
//! cell:     Absent --AddCell--> Added
//! account:  Absent --Place--> Placed --BeginMove--> Moving --FinishMove, AbandonMove--> Placed
//! key:      Absent --BindKey--> Bound
//! ```
//!
//! A cell is one ledger beside others of the same environment. An account lives in exactly one cell
//! at any time; while it moves, it still lives in the cell it leaves. [`decide`] judges a command,
//! [`follows`] says which event may come next, [`evolve`] remembers. The directory holds no money,
//! so no event has an entry.
//!
//! # Placement
//!
//! A new account goes to the cell with the fewest accounts, ties by name
//! ([`Placement::FewestAccounts`]), or to the cell that its caller names ([`Placement::Named`]). An
//! account that is placed stays where it is, whichever of the two is asked for again; only the name
//! of another cell contradicts that, and is refused.
//!
//! # An example
//!
//! ```
//! use ledger_core::directory::{CellIdentity, Command, Directory, Placement, decide, evolve};
//! use ledger_core::id::Environment;
//!
//! let mut directory = Directory::new(Environment::Live);
//! let add = |name: &str| {
//!     let (environment, key_check) = (Environment::Live, [name.len() as u8; 32]);
//!     Command::AddCell(CellIdentity { name: name.into(), environment, key_check })
//! };
//! let place = |account: &str| Command::Place {
//!     account: account.into(),
//!     placement: Placement::FewestAccounts,
//! };
//! for command in [add("cell-a"), add("cell-b"), place("loja"), place("bazar"), place("loja")] {
//!     if let Some(event) = decide(&directory, &command)? {
//!         directory = evolve(&directory, &event);
//!     }
//! }
//! assert_eq!(directory.cell_of("loja"), Some("cell-a"));
//! assert_eq!(directory.cell_of("bazar"), Some("cell-b"));
//! # Ok::<(), ledger_core::directory::Refusal>(())
//! ```

mod decide;
mod state;

use std::sync::Arc;

use im::Vector;
use minicbor::{Decode, Encode};

use crate::id::{Environment, KeyHash};

pub use decide::{Refusal, decide};
pub use state::{Cell, Directory, Inconsistent, Move, MoveStage, Residence};

/// The most bytes of a name: of a cell, of an account, or of a move.
pub const LONGEST_NAME: usize = 200;

/// What tells a ledger from every other one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellIdentity {
    /// The name of the ledger, which its ids are derived from.
    pub name: Box<str>,
    /// The environment it was made for.
    pub environment: Environment,
    /// The check of its vault key, by which a ledger of the same name in another store is told
    /// apart.
    pub key_check: [u8; 32],
}

/// Which cell a new account goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placement {
    /// The cell with the fewest accounts; of several, the one whose name comes first.
    FewestAccounts,
    /// The cell of this name.
    Named(Box<str>),
}

/// What the directory is asked to do. Each command names what it is about, so that asking again
/// changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Take in a ledger as a cell.
    AddCell(CellIdentity),
    /// Decide which cell an account lives in.
    Place {
        /// The name of the account.
        account: Box<str>,
        /// Which cell it goes to, unless it is placed already.
        placement: Placement,
    },
    /// Remember whose a key is.
    BindKey {
        /// The hash of the key under the key of the directory's own.
        key: KeyHash,
        /// The name of the account that it opens.
        account: Box<str>,
    },
    /// Begin to move an account to another cell.
    BeginMove {
        /// The id of the move, which is used once.
        id: Box<str>,
        /// The name of the account.
        account: Box<str>,
        /// The cell it goes to.
        to: Box<str>,
    },
    /// The account has arrived: from now on it lives in the other cell.
    FinishMove {
        /// The id of the move.
        id: Box<str>,
    },
    /// The account has not left: it goes on to live where it lived.
    AbandonMove {
        /// The id of the move.
        id: Box<str>,
    },
}

/// An event of the directory; complete without its neighbours. The numbers are frozen.
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

/// Tells whether `event` may follow what the directory holds: written apart from the deciding, so
/// that each checks the other.
#[must_use]
pub fn follows(directory: &Directory, event: &Event) -> bool {
    match event {
        Event::CellAdded { cell, .. } => is_name(cell) && !directory.cells.contains_key(&**cell),
        Event::AccountPlaced { account, cell } => {
            is_name(account)
                && !directory.accounts.contains_key(&**account)
                && directory.cells.contains_key(&**cell)
        }
        Event::KeyBound { key, account } => {
            !directory.keys.contains_key(key) && directory.accounts.contains_key(&**account)
        }
        Event::MoveBegun { id, account, from, to } => {
            let lives_there = directory.accounts.get(&**account).is_some_and(|residence| {
                *residence.cell == **from
                    && residence.moving.is_none()
                    && !residence.before.iter().any(|left| **left == **to)
            });
            is_name(id)
                && !directory.moves.contains_key(&**id)
                && directory.cells.contains_key(&**to)
                && from != to
                && lives_there
        }
        Event::MoveFinished { id, account, to } => {
            directory.moves.get(&**id).is_some_and(|begun| {
                begun.stage == MoveStage::UnderWay
                    && *begun.account == **account
                    && *begun.to == **to
            })
        }
        Event::MoveAbandoned { id, account, from } => {
            directory.moves.get(&**id).is_some_and(|begun| {
                begun.stage == MoveStage::UnderWay
                    && *begun.account == **account
                    && *begun.from == **from
            })
        }
    }
}

/// Remembers `event`: returns what `directory` becomes by it.
///
/// # Panics
///
/// When `event` cannot follow; replay checks [`follows`] first.
#[must_use]
pub fn evolve(directory: &Directory, event: &Event) -> Directory {
    assert!(follows(directory, event), "{event:?} cannot follow what the directory holds");
    let mut next = directory.clone();
    match event {
        Event::CellAdded { cell, key_check } => {
            let name: Arc<str> = Arc::from(&**cell);
            let added = Cell { name: Arc::clone(&name), key_check: *key_check, accounts: 0 };
            next.cells.insert(name, added);
        }
        Event::AccountPlaced { account, cell } => {
            let account: Arc<str> = Arc::from(&**account);
            let cell = next.enter(cell);
            let (before, moving) = (Vector::new(), None);
            let placed = Residence { account: Arc::clone(&account), cell, before, moving };
            next.accounts.insert(account, placed);
        }
        Event::KeyBound { key, account } => {
            let account = Arc::clone(&next.residence(account).account);
            next.keys.insert(*key, account);
        }
        Event::MoveBegun { id, to, account, .. } => {
            let (id, to) = (Arc::<str>::from(&**id), next.cell_named(to));
            let residence = next.residence(account);
            residence.moving = Some(Arc::clone(&id));
            let (account, from) = (Arc::clone(&residence.account), Arc::clone(&residence.cell));
            let stage = MoveStage::UnderWay;
            next.moves
                .insert(Arc::clone(&id), Move { id: Arc::clone(&id), account, from, to, stage });
            next.under_way.insert(id);
        }
        Event::MoveFinished { id, account, to } => {
            next.end_move(id, MoveStage::Finished);
            let arrived = next.enter(to);
            let residence = next.residence(account);
            residence.moving = None;
            let left = std::mem::replace(&mut residence.cell, arrived);
            residence.before.push_back(Arc::clone(&left));
            next.expect_cell(&left).accounts -= 1;
        }
        Event::MoveAbandoned { id, account, .. } => {
            next.end_move(id, MoveStage::Abandoned);
            next.residence(account).moving = None;
        }
    }
    next
}

impl Directory {
    /// Counts one account more in a cell, and gives the cell's name.
    fn enter(&mut self, cell: &str) -> Arc<str> {
        let cell = self.expect_cell(cell);
        cell.accounts += 1;
        Arc::clone(&cell.name)
    }

    fn cell_named(&mut self, cell: &str) -> Arc<str> {
        Arc::clone(&self.expect_cell(cell).name)
    }

    fn expect_cell(&mut self, cell: &str) -> &mut Cell {
        self.cells.get_mut(cell).expect("follows admits only cells that were added")
    }

    fn residence(&mut self, account: &str) -> &mut Residence {
        self.accounts.get_mut(account).expect("follows admits only accounts that were placed")
    }

    fn end_move(&mut self, id: &str, stage: MoveStage) {
        self.moves.get_mut(id).expect("follows admits only moves that were begun").stage = stage;
        self.under_way.remove(id);
    }
}

/// Tells whether a text can name a cell, an account or a move: it has a byte, and not too many.
fn is_name(text: &str) -> bool {
    (1..=LONGEST_NAME).contains(&text.len())
}
