//! Several ledgers of real money, and the directory that says where an account lives.

use std::sync::Arc;

use ledger_cells::directory::DirectoryError;
use ledger_cells::{AccountMove, Cells, CellsBuilder, CellsRefused, MoveError, RoutingError};
use ledger_core::contract::{CallOutcome, Environment, vault_check};
use ledger_core::time::Instant;
use ledger_store::Journal;
use thiserror::Error;

use super::{Ledgers, Live, OpenLedger, Unanswered};

/// Why ledgers are no cells of one service. Nothing was written but what the directory says that
/// it holds.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CellsUnfit {
    /// They do not belong together, or the directory contradicts them or cannot be opened.
    #[error(transparent)]
    Cells(#[from] CellsRefused),
    /// Two of them hide persons and keys under different keys: no account could move between them,
    /// and an e-mail would be another in each.
    #[error(
        "ledger {name} has another vault key than ledger {other}: make all cells of a service with \
         one"
    )]
    VaultKeyDiffers {
        /// The name of the ledger with another key.
        name: String,
        /// The one that it differs from.
        other: String,
    },
    /// A cell is named as the ledger of test keys is.
    #[error("a cell named {0} bears the name of the ledger of test keys")]
    NameTaken(String),
}

impl Ledgers {
    /// Several ledgers of real money with the directory of a journal, which is made where it is
    /// empty, and one of test keys. Blocks.
    ///
    /// The first ledger takes what nobody claims. Each is reported under its own name, where the
    /// only one of its environment is reported under that. All have one vault key.
    ///
    /// # Errors
    ///
    /// [`CellsUnfit`] where they are no cells of that directory.
    ///
    /// # Panics
    ///
    /// When they are not of the environment that they are given as.
    pub fn of_cells(
        cells: Vec<OpenLedger>,
        directory: Box<dyn Journal>,
        sandbox: OpenLedger,
        at: Instant,
    ) -> Result<Self, CellsUnfit> {
        let live = cells.iter().all(|cell| cell.environment() == Environment::Live);
        assert!(live, "cells are of real money");
        assert!(sandbox.environment() == Environment::Sandbox, "the other is of test keys");
        for pair in cells.windows(2) {
            if vault_check(pair[0].tokens()) != vault_check(pair[1].tokens()) {
                let name = |ledger: &OpenLedger| ledger.name().to_string();
                return Err(CellsUnfit::VaultKeyDiffers {
                    name: name(&pair[1]),
                    other: name(&pair[0]),
                });
            }
        }
        let taken = cells.iter().find(|cell| **cell.name() == *sandbox.label());
        if let Some(taken) = taken {
            return Err(CellsUnfit::NameTaken(taken.name().to_string()));
        }
        let first = cells.first().map(|cell| cell.name().to_string());
        let cells = cells.into_iter().map(|cell| Arc::new(cell.beside_others()));
        let mut builder = CellsBuilder::new(cells)?;
        if let Some(first) = first {
            builder = builder.with_unclaimed_cell(&first)?;
        }
        let cells = builder.open(directory, at)?;
        Ok(Self { live: Live::Cells(Arc::new(cells)), sandbox: Arc::new(sandbox) })
    }

    /// The ledgers of real money and their directory, where there are several.
    pub(crate) const fn cells(&self) -> Option<&Arc<Cells<Arc<OpenLedger>>>> {
        match &self.live {
            Live::One(_) => None,
            Live::Cells(cells) => Some(cells),
        }
    }

    /// The ledger of an environment that an account lives in, by its name.
    pub(crate) fn home(&self, environment: Environment, account: &str) -> &Arc<OpenLedger> {
        let cells = self.cells().filter(|_| environment == Environment::Live);
        let home = cells.and_then(|cells| {
            let directory = cells.directory();
            cells.ledger(directory.cell_of(account)?)
        });
        home.unwrap_or_else(|| self.for_environment(environment))
    }

    /// Tells whether an account that a ledger has lives in it: it may have moved on, or be on its
    /// way.
    pub(crate) fn lives_in(&self, ledger: &OpenLedger, account: &str) -> bool {
        let cells = self.cells().filter(|_| ledger.environment() == Environment::Live);
        cells.is_none_or(|cells| {
            let directory = cells.directory();
            directory.cell_of(account).is_none_or(|cell| *cell == **ledger.name())
        })
    }

    /// The ledgers beside its home that may have given an operation of an account; none where it
    /// never moved.
    pub(crate) fn beside(&self, environment: Environment, account: &str) -> Vec<Arc<OpenLedger>> {
        let cells = self.cells().filter(|_| environment == Environment::Live);
        let beside = cells.map(|cells| cells.ledgers_beside_home(account));
        beside.unwrap_or_default().into_iter().cloned().collect()
    }

    /// The ledger of an environment in which the account of a key lives; of a key that opens
    /// nothing, one that refuses it.
    pub(crate) async fn home_of_key(
        &self,
        environment: Environment,
        key: &str,
        at: Instant,
    ) -> Result<Arc<OpenLedger>, Unanswered> {
        let Some(cells) = self.cells().filter(|_| environment == Environment::Live) else {
            return Ok(Arc::clone(self.for_environment(environment)));
        };
        if let Some(ledger) = cells.only_ledger_of_key(key) {
            return Ok(Arc::clone(ledger));
        }
        let (cells, key) = (Arc::clone(cells), key.to_owned());
        blocking(move || Ok(Arc::clone(cells.find_key(&key, at)?))).await
    }

    /// Binds a key that was shown with an answer to its account, where there is a directory.
    pub(super) async fn make_known(
        &self,
        outcome: &CallOutcome,
        at: Instant,
    ) -> Result<(), Unanswered> {
        let Some(cells) = self.cells() else { return Ok(()) };
        let Some(key) = outcome.response.body["api_key"].as_str() else { return Ok(()) };
        let (cells, key) = (Arc::clone(cells), key.to_owned());
        blocking(move || cells.find_key(&key, at).map(drop)).await
    }

    /// Moves an account to another ledger, where there are several; asked again with the same id it
    /// goes on.
    pub(crate) async fn move_account(
        &self,
        (id, account, to): (String, String, String),
        at: Instant,
    ) -> Option<Result<AccountMove, MoveError>> {
        let cells = Arc::clone(self.cells()?);
        let moved = tokio::task::spawn_blocking(move || cells.move_account(&account, &to, &id, at));
        // A move that panicked has recorded how far it came.
        Some(moved.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())))
    }

    /// Gives a move up, where there are several ledgers.
    pub(crate) async fn abandon_move(
        &self,
        id: String,
        at: Instant,
    ) -> Option<Result<(), MoveError>> {
        let cells = Arc::clone(self.cells()?);
        let abandoned = tokio::task::spawn_blocking(move || cells.abandon_move(&id, at));
        Some(abandoned.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())))
    }
}

/// Does what blocks on a thread that may.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RoutingError> + Send + 'static,
) -> Result<T, Unanswered> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => Ok(done?),
        Err(_) => Err(Unanswered::Failed),
    }
}

impl From<RoutingError> for Unanswered {
    fn from(error: RoutingError) -> Self {
        match error {
            RoutingError::Engine(error) => error.into(),
            RoutingError::Directory(DirectoryError::Fenced | DirectoryError::Unverified(_)) => {
                Self::Away
            }
            RoutingError::Directory(DirectoryError::NotWritten(_) | DirectoryError::Unknown(_)) => {
                Self::Unknown
            }
            RoutingError::Directory(DirectoryError::Refused(_)) => Self::Failed,
        }
    }
}
