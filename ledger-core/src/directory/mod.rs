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
mod event;
mod evolve;
mod follows;
mod refusal;
mod state;

use crate::id::{Environment, KeyHash};

pub use decide::decide;
pub use event::Event;
pub use evolve::evolve;
pub use follows::follows;
pub use refusal::Refusal;
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

/// Tells whether a text can name a cell, an account or a move: it has a byte, and not too many.
fn is_name(text: &str) -> bool {
    (1..=LONGEST_NAME).contains(&text.len())
}
