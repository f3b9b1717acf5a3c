//! Which cell: of a key, of an account, of an operation, of a referral.

use ledger_core::directory::{Command, Directory, Placement, Residence};
use ledger_core::id::{AgentId, Kind, OpId};
use ledger_core::ledger::State;
use ledger_core::time::Instant;
use serde_json::{Value, json};

use super::{Cell, CellLedger, Cells, RoutingError, begin, reporting};
use ledger_store::engine::EngineError;

impl<L: CellLedger + Clone> Cells<L> {
    /// The ledger of a key that the directory knows, where its account never moved: all of whatever
    /// is asked with it. A lookup, which blocks nobody.
    #[must_use]
    pub fn only_ledger_of_key(&self, key: &str) -> Option<&L> {
        let hash = self.tokens.api_key(key);
        let known = self.read_directory();
        let residence = known.account_of_key(&hash)?;
        let stays = residence.before.is_empty() && residence.moving.is_none();
        let cell = self.cell_by_name(&residence.cell).filter(|_| stays)?;
        Some(&cell.ledger)
    }

    /// The ledgers beside its home that have something of an account: those that it left, the first
    /// first, and the one that it is on its way to. None where it never moved.
    #[must_use]
    pub fn ledgers_beside_home(&self, account: &str) -> Vec<&L> {
        let known = self.read_directory();
        self.beside(&known, known.account(account))
    }

    /// The same of the account that a key opens.
    #[must_use]
    pub fn ledgers_beside_home_of_key(&self, key: &str) -> Vec<&L> {
        let (hash, known) = (self.tokens.api_key(key), self.read_directory());
        self.beside(&known, known.account_of_key(&hash))
    }

    fn beside(&self, known: &Directory, residence: Option<&Residence>) -> Vec<&L> {
        let Some(residence) = residence else { return Vec::new() };
        let beside = known.cells_with(residence).filter(|cell| **cell != residence.cell);
        beside.filter_map(|cell| self.ledger(cell)).collect()
    }

    /// Decides which cell an account lives in, before it is opened; gives the cell's name. An
    /// account that is placed already stays where it is. Blocks.
    ///
    /// # Errors
    ///
    /// [`RoutingError`] where it is placed in another cell than the one that is named, or the
    /// directory is not written.
    pub fn place(
        &self,
        account: &str,
        placement: Placement,
        at: Instant,
    ) -> Result<&str, RoutingError> {
        let cell =
            self.home(account, Some(placement), at)?.unwrap_or_else(|| self.unclaimed_cell());
        Ok(&cell.name)
    }

    /// Looks for a key that the directory does not know in every cell, and binds it to its account
    /// for ever; gives the ledger that the account lives in, or where it opens nothing, the one for
    /// what nobody claims, which refuses it. Blocks.
    ///
    /// # Errors
    ///
    /// [`RoutingError`] where a cell has ended or the directory is not written.
    pub fn find_key(&self, key: &str, at: Instant) -> Result<&L, RoutingError> {
        let hash = self.tokens.api_key(key);
        let known = self.read_directory().account_of_key(&hash).map(|known| known.cell.to_string());
        if let Some(cell) = known.and_then(|cell| self.cell_by_name(&cell)) {
            return Ok(&cell.ledger);
        }
        let found = self.first_that(|cell, state| {
            let account = state.account(state.account_of_key(&cell.tokens.api_key(key))?)?;
            Some(account.name.clone())
        })?;
        let Some((cell, account)) = found else { return Ok(self.for_unclaimed()) };
        let home = self.adopt(cell, &account, at)?;
        self.make_known_where_it_lived(&account, key, at)?;
        self.execute(&Command::BindKey { key: hash, account }, at)?;
        Ok(&home.ledger)
    }

    /// The cell that an account lives in. One that the directory does not know is looked for in
    /// every cell, and where it is in none, placed as it is said; `None` where that is not said.
    pub(super) fn home(
        &self,
        account: &str,
        placement: Option<Placement>,
        at: Instant,
    ) -> Result<Option<&Cell<L>>, RoutingError> {
        let known = self.read_directory().cell_of(account).map(str::to_owned);
        let is_to_be = |cell: &str| match &placement {
            Some(Placement::Named(name)) => **name == *cell,
            Some(Placement::FewestAccounts) | None => true,
        };
        if let Some(cell) = known.filter(|cell| is_to_be(cell)) {
            return Ok(self.cell_by_name(&cell));
        }
        let found = self.first_that(|_, state| state.account_named(account).map(|_| ()))?;
        if let Some((cell, ())) = found {
            let home = self.adopt(cell, account, at)?;
            if is_to_be(&home.name) {
                return Ok(Some(home));
            }
        }
        let Some(placement) = placement else { return Ok(None) };
        self.execute(&Command::Place { account: account.into(), placement }, at)?;
        let cell = self.read_directory().cell_of(account).map(str::to_owned);
        Ok(cell.and_then(|cell| self.cell_by_name(&cell)))
    }

    /// Where an account lives that was found in a cell: there, unless it moved away from there.
    fn adopt(&self, cell: &Cell<L>, account: &str, at: Instant) -> Result<&Cell<L>, RoutingError> {
        let known = self.read_directory().account(account).cloned();
        let moved = known.as_ref().filter(|known| {
            known.before.iter().any(|before| **before == *cell.name) || known.moving.is_some()
        });
        let home = match moved {
            Some(known) => known.cell.to_string(),
            None => {
                let placement = Placement::Named((*cell.name).into());
                self.execute(&Command::Place { account: account.into(), placement }, at)?;
                cell.name.to_string()
            }
        };
        Ok(self.cell_by_name(&home).expect("an account lives in a cell, and each of these is open"))
    }

    /// Lets the cells that an account left know its next key, before anything is asked by it: they
    /// answer whoever asks again for what they were asked before.
    fn make_known_where_it_lived(
        &self,
        account: &str,
        key: &str,
        at: Instant,
    ) -> Result<(), EngineError> {
        let hash = self.tokens.api_key(key);
        let id = u128::from_be_bytes(std::array::from_fn(|place| hash.0[place]));
        let left = self.read_directory().account(account).map(|known| known.before.clone());
        for cell in left.iter().flatten().filter_map(|left| self.cell_by_name(left)) {
            if cell.knows(key)? {
                continue;
            }
            let body = json!({
                "id": format!("cells-key-{id:032x}"), "account": account, "actor": "cells",
                "reason": "its key was replaced where it lives",
            });
            let replaced = reporting("key.replaced", body, json!({ "key": key }), at);
            begin(cell.ledger.engine(), replaced).wait()?;
        }
        Ok(())
    }

    /// The cell that gave an operation its id: of several that a body names, the first.
    pub(super) fn cell_of_operation(&self, body: &Value) -> Option<&Cell<L>> {
        let text = |field: &str| body.get(field).and_then(Value::as_str);
        Kind::fields().find_map(|field| self.cell_of_id(text(field)?))
    }

    pub(super) fn cell_of_id(&self, id: &str) -> Option<&Cell<L>> {
        self.each.iter().find(|cell| OpId::parse(id, &cell.name).is_some())
    }

    /// The cell that gave a referral.
    pub(super) fn cell_of_referral(&self, referral: &str) -> Option<&Cell<L>> {
        self.each.iter().find(|cell| AgentId::is_referral(referral, &cell.name))
    }

    /// The first cell, by name, in whose committed state something is found, and what.
    fn first_that<T>(
        &self,
        find: impl Fn(&Cell<L>, &State) -> Option<T>,
    ) -> Result<Option<(&Cell<L>, T)>, EngineError> {
        for cell in &self.each {
            let state = cell.ledger.engine().committed_now()?;
            if let Some(found) = find(cell, &state) {
                return Ok(Some((cell, found)));
            }
        }
        Ok(None)
    }
}

impl<L: CellLedger + Clone> Cell<L> {
    /// Tells whether a key opens an account here.
    pub(super) fn knows(&self, key: &str) -> Result<bool, EngineError> {
        let state = self.ledger.engine().committed_now()?;
        Ok(state.account_of_key(&self.tokens.api_key(key)).is_some())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, mpsc};

    use crate::directory::DIRECTORY;
    use crate::{Cells, CellsBuilder};
    use ledger_core::id::Environment;
    use ledger_core::time::Instant;
    use ledger_store::engine::Engine;
    use ledger_store::sequencer::Sequencer;
    use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};

    fn cells() -> Cells<Arc<Engine>> {
        let disk = MemoryDisk::new();
        let open = |name: &str, mode| Box::new(MemoryJournal::open(&disk, name, mode).unwrap());
        let engine = |name: &str| {
            let started = Engine::builder(name).start(open(name, OpenMode::create()));
            Arc::new(started.unwrap())
        };
        let builder = CellsBuilder::new(["cell-a", "cell-b"].map(engine)).unwrap();
        let mode = OpenMode::Directory { environment: Some(Environment::Live) };
        builder.open(open(DIRECTORY, mode), Instant::default()).unwrap()
    }

    #[test]
    fn a_key_that_opens_nothing_is_looked_for_while_every_deciding_thread_is_busy() {
        let cells = cells();
        cells.find_key("svc_live_nobody", Instant::default()).unwrap();
        let (ended, busy): (Vec<_>, Vec<_>) = cells
            .ledgers()
            .map(|(_, engine)| {
                let (end, ends) = mpsc::channel::<()>();
                let waits = move |_: &mut Sequencer| ends.recv().unwrap_or_default();
                (end, engine.decide(waits))
            })
            .unzip();
        cells.find_key("svc_live_somebody", Instant::default()).unwrap();
        drop(ended);
        for ticket in busy {
            ticket.wait().unwrap();
        }
    }
}
