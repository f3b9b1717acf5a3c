//! Several ledgers side by side, and the directory that says which one an account lives in.

mod builder;
mod error;
mod lookup;
mod moving;
mod pix;
mod public;
mod report;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

pub use builder::CellsBuilder;
pub use error::CellsError;
use ledger_core::contract::Tokens;
use ledger_core::directory::{Command, Directory, Event, Placement};
use ledger_core::id::LedgerName;
use ledger_core::time::Instant;
use ledger_store::clock::Clock;
use ledger_store::directory::{DirectoryError, DirectoryJournal};
use pix::IdsUnderWay;

use super::{Ledger, Pending, Store, asking};
use crate::answer::{Done, done};
use crate::request::{Account, Request};
use crate::value::{AccountName, ApiKey};

/// Several open ledgers of one environment, the cells, and a directory that says which of them each
/// API account lives in. Clones are the same cells.
///
/// An account lives in one cell. A new one goes to the cell with the fewest accounts, or to the one
/// that is named ([`Cells::place`]); what its key asks and what the world reports of it goes there.
///
/// ```
/// use custody_ledger::fact::account::AccountOpened;
/// use custody_ledger::prelude::*;
/// use custody_ledger::request::balance::GetBalance;
/// use custody_ledger::{Cells, Ledger};
///
/// let open = |name: &str| Ledger::builder("memory:").name(name).open().wait();
/// let cells = Cells::open("memory:", [open("cell-a")?, open("cell-b")?]).wait()?;
/// for account in ["loja", "bazar"] {
///     let opened = AccountOpened::new(FactId::new(account)?, AccountName::new(account)?);
///     let opened = opened.key(format!("svc_live_{account}").as_str().try_into()?);
///     cells.report(&opened).wait()?;
/// }
/// assert_eq!(cells.directory().cell_of("loja"), Some("cell-a"));
/// assert_eq!(cells.directory().cell_of("bazar"), Some("cell-b"));
///
/// let bazar = cells.client(ApiKey::new("svc_live_bazar")?);
/// let balance = bazar.ask(&GetBalance::new(Party::House)).wait()?.answer;
/// assert_eq!(balance.available.cents(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Cells(Arc<OpenCells>);

struct OpenCells {
    /// Held while a command is written.
    writer: Mutex<DirectoryJournal>,
    /// What the directory holds that is durable, for whoever only asks.
    known: RwLock<Directory>,
    /// Derives the hashes by which the directory knows keys.
    tokens: Tokens,
    /// By name.
    cells: Vec<Cell>,
    /// The place among the cells of the one for what nobody claims.
    unclaimed: usize,
    under_way: IdsUnderWay,
    clock: Arc<dyn Clock>,
}

/// An open ledger, and what its ids are derived from.
struct Cell {
    name: LedgerName,
    ledger: Ledger,
}

/// A client of several cells: an account, by its key, wherever it lives.
#[derive(Clone, Debug)]
pub struct CellsClient {
    cells: Cells,
    key: ApiKey,
}

impl Cells {
    /// Opens the directory of a store, which is made where it is missing, over these ledgers.
    ///
    /// Each ledger becomes a cell, and the accounts it has already live in it. Every cell that the
    /// directory knows must be among them, and all must be of one environment.
    pub fn open(
        store: impl Into<Store>,
        ledgers: impl IntoIterator<Item = Ledger>,
    ) -> Pending<Result<Self, CellsError>> {
        ledgers.into_iter().fold(Self::builder(store), CellsBuilder::cell).open()
    }

    /// Cells to be opened otherwise: with another cell for what nobody claims.
    pub fn builder(store: impl Into<Store>) -> CellsBuilder {
        CellsBuilder::new(store.into())
    }

    /// The cells, by name: for what is said to one ledger, such as a policy or a price.
    pub fn ledgers(&self) -> impl Iterator<Item = (&str, &Ledger)> {
        self.0.cells.iter().map(|cell| (&*cell.name, &cell.ledger))
    }

    /// What the directory holds, as far as it is durable.
    #[must_use]
    pub fn directory(&self) -> Directory {
        self.0.known().clone()
    }

    /// Decides which cell an account lives in, before it is opened; gives the cell's name. An
    /// account that is placed already stays where it is; to be placed in another cell by name is
    /// refused ([`crate::Error::Directory`]).
    ///
    /// ```
    /// use custody_ledger::prelude::*;
    /// use custody_ledger::{Cells, Ledger, Placement};
    ///
    /// let open = |name: &str| Ledger::builder("memory:").name(name).open().wait();
    /// let cells = Cells::open("memory:", [open("cell-a")?, open("cell-b")?]).wait()?;
    /// let loja = AccountName::new("loja")?;
    /// let named = Placement::Named("cell-b".into());
    /// assert_eq!(cells.place(&loja, named).wait()?, "cell-b");
    /// assert_eq!(cells.place(&loja, Placement::FewestAccounts).wait()?, "cell-b");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn place(
        &self,
        account: &AccountName,
        placement: Placement,
    ) -> Pending<Result<String, crate::Error>> {
        let (cells, account) = (self.clone(), account.as_str().to_owned());
        Pending::blocking(move || {
            let at = cells.0.clock.now();
            let cell = cells.0.home(&account, Some(placement), at)?;
            Ok(cell.map_or_else(String::new, |cell| cell.name.to_string()))
        })
    }

    /// Has the directory carry out a command, above all those of moves; what came of it is durable,
    /// or `None` where it was done already.
    ///
    /// The directory only records where an account lives: what takes it from ledger to ledger is
    /// reported to these.
    pub fn record(&self, command: Command) -> Pending<Result<Option<Event>, crate::Error>> {
        let cells = self.clone();
        Pending::blocking(move || Ok(cells.0.execute(&command, cells.0.clock.now())?))
    }

    /// A client of the account that a key opens, in whichever cell that lives at the time of each
    /// request.
    #[must_use]
    pub fn client(&self, key: ApiKey) -> CellsClient {
        CellsClient { cells: self.clone(), key }
    }
}

impl CellsClient {
    /// Asks for something of this account.
    ///
    /// Of an account that moved, the cells that it left are asked first, since a request that one
    /// of them answered is answered there for ever, and then the one it lives in; what names an
    /// operation is asked of the cell that gave its id. While it moves, what is new is refused with
    /// `temporariamente_indisponivel`: ask again.
    ///
    /// A key that the directory does not know is looked for in every cell, and bound to its account
    /// for ever; one that opens nothing is refused by the cell for what nobody claims.
    pub fn ask<R: Request<By = Account>>(
        &self,
        request: &R,
    ) -> Pending<Result<Done<R::Answer>, crate::Error>> {
        let cells = &self.cells.0;
        if let Some(cell) = cells.only_cell_of_key(&self.key) {
            return cell.ledger.asked(request, Some(&self.key));
        }
        let call = asking(request, Some(&self.key), cells.clock.now());
        let (cells, key) = (self.cells.clone(), self.key.clone());
        Pending::blocking(move || {
            cells.0.find_key(&key, call.at)?;
            done(cells.0.asked_of_each(&key, call)?)
        })
    }
}

impl OpenCells {
    fn known(&self) -> std::sync::RwLockReadGuard<'_, Directory> {
        // A directory is replaced whole, so it is whole whoever panicked.
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn writer(&self) -> MutexGuard<'_, DirectoryJournal> {
        // A command that panicked left a commit that the next one settles.
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the directory carry out a command, and lets everybody know what it holds then.
    fn execute(&self, command: &Command, at: Instant) -> Result<Option<Event>, DirectoryError> {
        let mut writer = self.writer();
        let event = writer.execute(command, at);
        // Beside an error too: what came of an earlier command may have become known.
        let directory = writer.directory().clone();
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = directory;
        event
    }

    fn named(&self, name: &str) -> Option<&Cell> {
        let place = self.cells.binary_search_by(|cell| (*cell.name).cmp(name));
        place.ok().map(|place| &self.cells[place])
    }

    fn unclaimed(&self) -> &Cell {
        &self.cells[self.unclaimed]
    }
}

impl std::fmt::Debug for Cells {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = self.0.cells.iter().map(|cell| &*cell.name);
        f.debug_struct("Cells").field("cells", &names.collect::<Vec<_>>()).finish_non_exhaustive()
    }
}
