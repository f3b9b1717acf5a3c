//! Several ledgers side by side, and the directory that says which one an account lives in.

mod asking;
mod builder;
mod error;
mod moving;

use std::sync::Arc;

pub use builder::CellsBuilder;
pub use error::CellsError;
use ledger_cells as cells;
pub use ledger_cells::CellsRefused;
use ledger_cells::{AccountMove, MoveError};
use ledger_core::directory::{Command, Directory, Event, Placement};
use ledger_store::clock::Clock;
use ledger_store::engine::Engine;

use self::error::routing;
use super::{Ledger, Pending, Store};
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
///     cells.report(&opened).wait()?.ensure_applied()?;
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
    cells: cells::Cells<Ledger>,
    clock: Arc<dyn Clock>,
}

impl cells::CellLedger for Ledger {
    fn engine(&self) -> &Arc<Engine> {
        &self.0.engine
    }
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
        self.0.cells.ledgers()
    }

    /// Returns what the directory holds, as far as it is durable.
    #[must_use]
    pub fn directory(&self) -> Directory {
        self.0.cells.directory()
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
            let placed = cells.0.cells.place(&account, placement, at).map_err(routing)?;
            Ok(placed.to_owned())
        })
    }

    /// Has the directory carry out a command, above all those of moves; what came of it is durable,
    /// or `None` where it was done already.
    ///
    /// The directory only records where an account lives: what takes it from ledger to ledger is
    /// reported to these.
    pub fn record(&self, command: Command) -> Pending<Result<Option<Event>, crate::Error>> {
        let cells = self.clone();
        Pending::blocking(move || Ok(cells.0.cells.execute(&command, cells.0.clock.now())?))
    }

    /// Moves an account to another cell, under an id of the move's own, and says how it stands
    /// ([`crate::Ledger::move_account`]): the directory knows that it moves, the two ledgers carry
    /// it, and once it is there the directory says so. Asked again with the same id it goes on from
    /// wherever it was cut off, and once it is done, carries what came later.
    ///
    /// Cells between which accounts move have one vault key ([`crate::Builder::vault_key`]).
    ///
    /// ```
    /// use custody_ledger::fact::account::AccountOpened;
    /// use custody_ledger::prelude::*;
    /// use custody_ledger::{AccountMove, Cells, Ledger};
    ///
    /// let open = |name| Ledger::builder("memory:").name(name).vault_key([7; 32]).open().wait();
    /// let cells = Cells::open("memory:", [open("cell-a")?, open("cell-b")?]).wait()?;
    /// let loja = AccountName::new("loja")?;
    /// let opened = AccountOpened::new(FactId::new("acc-1")?, loja.clone());
    /// cells.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
    ///
    /// assert_eq!(cells.move_account(&loja, "cell-b", "mv-1").wait()?, AccountMove::Done);
    /// assert_eq!(cells.directory().cell_of("loja"), Some("cell-b"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_account(
        &self,
        account: &AccountName,
        to: &str,
        id: &str,
    ) -> Pending<Result<AccountMove, MoveError>> {
        let (cells, account) = (self.clone(), account.clone());
        let (to, id) = (to.to_owned(), id.to_owned());
        Pending::blocking(move || {
            let at = cells.0.clock.now();
            if let Some(doubt) = cells.0.clock.doubt() {
                return Err(doubt.into());
            }
            cells.0.cells.move_account(account.as_str(), &to, &id, at)
        })
    }

    /// Gives a move up before any balance was carried: the account works again in the cell that it
    /// was to leave. The other cell is not asked, since it may be gone; should it come back,
    /// nothing lives there. Once a balance was carried, go on with the move instead.
    pub fn abandon_move(&self, id: &str) -> Pending<Result<(), MoveError>> {
        let (cells, id) = (self.clone(), id.to_owned());
        Pending::blocking(move || {
            if let Some(doubt) = cells.0.clock.doubt() {
                return Err(doubt.into());
            }
            cells.0.cells.abandon_move(&id, cells.0.clock.now())
        })
    }

    /// A client of the account that a key opens, in whichever cell that lives at the time of each
    /// request.
    #[must_use]
    pub fn client(&self, key: ApiKey) -> CellsClient {
        CellsClient { cells: self.clone(), key }
    }
}

impl std::fmt::Debug for Cells {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = self.ledgers().map(|(name, _)| name);
        f.debug_struct("Cells").field("cells", &names.collect::<Vec<_>>()).finish_non_exhaustive()
    }
}
