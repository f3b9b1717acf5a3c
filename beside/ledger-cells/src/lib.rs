//! Several ledgers side by side, and the directory that says which one an account lives in: what is
//! asked of all of them finds its way to one.
//!
//! ```text
//! key        ─► directory ─► cell            an account that never moved: one lookup
//! key        ─► directory ─► cells that it left, then the one it lives in
//! operation  ─► the cell that gave its id
//! fact       ─► the cell of what it names; of a PIX or a key, the cell that knows it
//! ```
//!
//! [`Cells`] decides which ledgers are asked, and in what order ([`Candidates`], [`FactRoute`],
//! [`WholeStatement`]); whoever holds them asks, plainly or async. What a ledger knows by heart,
//! such as keys and accounts, is looked up in its committed state, beside the thread that decides:
//! whoever asks with a key that opens nothing keeps no ledger busy.
//!
//! [`directory`] is the journal that says which ledger an account lives in.
#![forbid(unsafe_code)]

mod account_move;
mod builder;
mod candidates;
pub mod directory;
mod error;
mod fact;
mod key;
mod lookup;
mod pix;
mod statement;
mod turn;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use ledger_core::contract::{Call, CallKind, CallOutcome, Tokens};
use ledger_core::directory::{Command, Directory, Event};
use ledger_core::id::LedgerName;
use ledger_core::ledger::Origin;
use ledger_core::time::Instant;
use serde_json::Value;

pub use account_move::{AccountMove, MoveError, assert_movable, move_account};
pub use builder::CellsBuilder;
pub use candidates::Candidates;
pub use error::{CellsRefused, RoutingError};
pub use fact::FactRoute;
pub use statement::WholeStatement;
use turn::IdsUnderWay;
pub use turn::Turn;

use crate::directory::{DirectoryError, DirectoryJournal};
use ledger_store::engine::{Engine, Ticket};
use ledger_store::sequencer::Sequencer;

/// A ledger that is open for writing, as it is held by whoever has cells of it.
pub trait CellLedger {
    /// The engine that writes it.
    fn engine(&self) -> &Arc<Engine>;
}

impl CellLedger for Arc<Engine> {
    fn engine(&self) -> &Arc<Engine> {
        self
    }
}

impl<T: CellLedger> CellLedger for Arc<T> {
    fn engine(&self) -> &Arc<Engine> {
        T::engine(self)
    }
}

/// Open ledgers of one environment, the cells, and the directory that says which of them each API
/// account lives in. Most of its methods block.
///
/// ```
/// use std::sync::Arc;
///
/// use ledger_core::directory::Placement;
/// use ledger_core::time::Instant;
/// use ledger_cells::CellsBuilder;
/// use ledger_cells::directory::DIRECTORY;
/// use ledger_store::engine::Engine;
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let open = |name: &str| {
///     let journal = MemoryJournal::open(&MemoryDisk::new(), name, OpenMode::create())?;
///     Engine::builder(name).start(Box::new(journal)).map(Arc::new).map_err(Box::from)
/// };
/// let engines: Result<Vec<_>, Box<dyn std::error::Error>> =
///     ["cell-a", "cell-b"].into_iter().map(open).collect();
/// let builder = CellsBuilder::new(engines?)?;
/// let mode = OpenMode::Directory { environment: Some(builder.environment()) };
/// let journal = MemoryJournal::open(&MemoryDisk::new(), DIRECTORY, mode)?;
/// let at = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
/// let cells = builder.open(Box::new(journal), at)?;
///
/// cells.place("loja", Placement::Named("cell-b".into()), at)?;
/// assert_eq!(cells.directory().cell_of("loja"), Some("cell-b"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Cells<L> {
    /// Held while a command is written.
    writer: Mutex<DirectoryJournal>,
    /// What the directory holds that is durable, for whoever only asks.
    known: RwLock<Directory>,
    /// Derives the hashes by which the directory knows keys.
    tokens: Tokens,
    /// The cells, ordered by name.
    each: Vec<Cell<L>>,
    /// The place among the cells of the one for what nobody claims.
    unclaimed: usize,
    under_way: Arc<IdsUnderWay>,
    /// Held while an account begins to leave its cell, and while a move is given up.
    leaving: Mutex<()>,
}

/// An open ledger, what its ids are derived from, and what its tokens are.
struct Cell<L> {
    name: LedgerName,
    tokens: Tokens,
    ledger: L,
}

impl<L: CellLedger + Clone> Cells<L> {
    /// The cells, by name.
    pub fn ledgers(&self) -> impl Iterator<Item = (&str, &L)> {
        self.each.iter().map(|cell| (&*cell.name, &cell.ledger))
    }

    /// The cell of this name.
    #[must_use]
    pub fn ledger(&self, name: &str) -> Option<&L> {
        self.cell_by_name(name).map(|cell| &cell.ledger)
    }

    /// The cell for what nobody claims.
    #[must_use]
    pub fn for_unclaimed(&self) -> &L {
        &self.unclaimed_cell().ledger
    }

    /// Returns what the directory holds, as far as it is durable.
    #[must_use]
    pub fn directory(&self) -> Directory {
        self.read_directory().clone()
    }

    /// Has the directory carry out a command, and lets everybody know what it holds then; what came
    /// of it is durable, or `None` where it was done already.
    ///
    /// # Errors
    ///
    /// [`DirectoryError`]; each says whether anything was written.
    pub fn execute(&self, command: &Command, at: Instant) -> Result<Option<Event>, DirectoryError> {
        let mut writer = self.writer();
        let event = writer.execute(command, at);
        // Beside an error too: what came of an earlier command may have become known.
        let directory = writer.directory().clone();
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = directory;
        event
    }

    fn read_directory(&self) -> RwLockReadGuard<'_, Directory> {
        // A directory is replaced whole, so it is whole whoever panicked.
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn writer(&self) -> MutexGuard<'_, DirectoryJournal> {
        // A command that panicked left a commit that the next one settles.
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn cell_by_name(&self, name: &str) -> Option<&Cell<L>> {
        let place = self.each.binary_search_by(|cell| (*cell.name).cmp(name));
        place.ok().map(|place| &self.each[place])
    }

    fn unclaimed_cell(&self) -> &Cell<L> {
        &self.each[self.unclaimed]
    }
}

impl<L> std::fmt::Debug for Cells<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = self.each.iter().map(|cell| &*cell.name);
        f.debug_struct("Cells").field("cells", &names.collect::<Vec<_>>()).finish_non_exhaustive()
    }
}

/// A fact that the cells report themselves.
fn reporting(fact: &str, body: Value, supplied: Value, at: Instant) -> Call {
    let ask = CallKind::Fact(fact.to_owned());
    Call { at, origin: Origin::Call, ask, body, supplied, ip: None }
}

/// Puts a call before an engine; after a silence of days the passing of time is reported first:
/// only that may jump so far.
fn begin(engine: &Engine, call: Call) -> Ticket<CallOutcome> {
    engine.decide(move |sequencer: &mut Sequencer| {
        if sequencer.ledger().state.admits(call.at).is_err() {
            sequencer.handle(&Call::time_passed(call.at));
        }
        sequencer.handle(&call)
    })
}
