//! Remembering what happened to a directory.

use std::sync::Arc;

use im::Vector;

use super::{Cell, Directory, Event, Move, MoveStage, Residence, follows};

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
