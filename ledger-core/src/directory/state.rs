//! What a directory holds: the fold of its events, with an index for each question.

use std::fmt;
use std::sync::Arc;

use im::{OrdMap, OrdSet, Vector};
use thiserror::Error;

use crate::id::{Environment, KeyHash};

/// Cells, accounts, keys and moves; clones share what they hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directory {
    environment: Environment,
    pub(super) cells: OrdMap<Arc<str>, Cell>,
    pub(super) accounts: OrdMap<Arc<str>, Residence>,
    pub(super) keys: OrdMap<KeyHash, Arc<str>>,
    pub(super) moves: OrdMap<Arc<str>, Move>,
    /// The ids of the moves that have not ended.
    pub(super) under_way: OrdSet<Arc<str>>,
}

/// A ledger that accounts live in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The name of the ledger.
    pub name: Arc<str>,
    /// The check of its vault key.
    pub key_check: [u8; 32],
    /// How many accounts live in it, those that are about to leave included.
    pub accounts: usize,
}

/// Where an account lives, and has lived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Residence {
    /// The name of the account.
    pub account: Arc<str>,
    /// The cell it lives in.
    pub cell: Arc<str>,
    /// The cells it lived in before, the first first: it never comes back to one.
    pub before: Vector<Arc<str>>,
    /// The id of the move that is under way.
    pub moving: Option<Arc<str>>,
}

/// A move of an account from cell to cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The move's id, unique in the directory.
    pub id: Arc<str>,
    /// The name of the account.
    pub account: Arc<str>,
    /// The cell the account leaves.
    pub from: Arc<str>,
    /// The cell it goes to.
    pub to: Arc<str>,
    /// How far it is.
    pub stage: MoveStage,
}

/// How far a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveStage {
    /// The account still lives in the cell it leaves.
    UnderWay,
    /// The account lives in the cell it went to.
    Finished,
    /// The account stayed where it was.
    Abandoned,
}

/// An index that says something else than what it is of: a mistake of this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the directory contradicts itself: {0}")]
pub struct Inconsistent(pub &'static str);

impl Directory {
    /// A directory without cells, for ledgers of this environment.
    #[must_use]
    pub fn new(environment: Environment) -> Self {
        Self {
            environment,
            cells: OrdMap::new(),
            accounts: OrdMap::new(),
            keys: OrdMap::new(),
            moves: OrdMap::new(),
            under_way: OrdSet::new(),
        }
    }

    /// The environment of its cells.
    #[must_use]
    pub const fn environment(&self) -> Environment {
        self.environment
    }

    /// The cell of this name.
    #[must_use]
    pub fn cell(&self, name: &str) -> Option<&Cell> {
        self.cells.get(name)
    }

    /// Every cell, by name.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.cells.values()
    }

    /// The cell that the policy places the next account in; none while there are no cells.
    #[must_use]
    pub fn with_fewest_accounts(&self) -> Option<&Cell> {
        self.cells().min_by_key(|cell| cell.accounts)
    }

    /// Where the account of this name lives.
    #[must_use]
    pub fn account(&self, name: &str) -> Option<&Residence> {
        self.accounts.get(name)
    }

    /// Every account, by name.
    pub fn accounts(&self) -> impl Iterator<Item = &Residence> {
        self.accounts.values()
    }

    /// The name of the cell that an account lives in.
    #[must_use]
    pub fn cell_of(&self, account: &str) -> Option<&str> {
        self.account(account).map(|residence| &*residence.cell)
    }

    /// The names of the cells that have something of an account: those that it left, the first
    /// first, the one it lives in, and the one that it is on its way to.
    pub fn cells_with<'a>(
        &'a self,
        residence: &'a Residence,
    ) -> impl Iterator<Item = &'a Arc<str>> {
        let moving = residence.moving.as_ref().and_then(|id| self.move_of(id));
        let next = moving.map(|moving| &moving.to);
        residence.before.iter().chain([&residence.cell]).chain(next)
    }

    /// The account that a key opens, as far as it is known here.
    #[must_use]
    pub fn account_of_key(&self, key: &KeyHash) -> Option<&Residence> {
        self.account(self.keys.get(key)?)
    }

    /// How many keys are known.
    #[must_use]
    pub fn keys(&self) -> usize {
        self.keys.len()
    }

    /// The move of this id.
    #[must_use]
    pub fn move_of(&self, id: &str) -> Option<&Move> {
        self.moves.get(id)
    }

    /// Every move that was ever begun, by id.
    pub fn moves(&self) -> impl Iterator<Item = &Move> {
        self.moves.values()
    }

    /// The moves that have not ended, by id.
    pub fn moves_under_way(&self) -> impl Iterator<Item = &Move> {
        self.under_way.iter().filter_map(|id| self.move_of(id))
    }

    /// Counts what the indexes say anew, from what they are of.
    ///
    /// # Errors
    ///
    /// [`Inconsistent`] where they differ.
    pub fn check(&self) -> Result<(), Inconsistent> {
        let fault = |holds: bool, fault| if holds { Ok(()) } else { Err(Inconsistent(fault)) };
        for cell in self.cells() {
            let living = self.accounts().filter(|residence| residence.cell == cell.name);
            fault(living.count() == cell.accounts, "a cell counts other accounts than live in it")?;
        }
        let living: usize = self.cells().map(|cell| cell.accounts).sum();
        fault(living == self.accounts.len(), "an account lives in one cell")?;
        let known = |account| self.accounts.contains_key(account);
        fault(self.keys.values().all(known), "a key is of an account")?;
        for Move { id, account, from, stage, .. } in self.moves() {
            let is_under_way = *stage == MoveStage::UnderWay;
            let residence = self.account(account).ok_or(Inconsistent("a move is of an account"))?;
            let moves = residence.moving.as_ref() == Some(id);
            fault(moves == is_under_way, "an account moves by the move that is under way")?;
            fault(!moves || residence.cell == *from, "an account lives where it moves from")?;
            fault(self.under_way.contains(id) == is_under_way, "a move under way is listed")?;
        }
        let moving = self.accounts().filter(|residence| residence.moving.is_some()).count();
        fault(moving == self.under_way.len(), "an account moves by a move that is listed")
    }
}

impl fmt::Display for MoveStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnderWay => "under way",
            Self::Finished => "finished",
            Self::Abandoned => "abandoned",
        })
    }
}
