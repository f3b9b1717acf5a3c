//! Which cell: of a key, of an account, of an operation, of a referral.

use ledger_core::directory::{Command, Placement};
use ledger_core::id::{AgentId, Kind, OpId};
use ledger_core::time::Instant;
use ledger_store::engine::EngineError;
use ledger_store::sequencer::Sequencer;
use serde_json::Value;

use super::{Cell, OpenCells};
use crate::value::ApiKey;

impl OpenCells {
    /// The cell of a key that the directory knows, where its account never moved.
    pub(super) fn only_cell_of_key(&self, key: &ApiKey) -> Option<&Cell> {
        let hash = self.tokens.api_key(key.expose());
        let known = self.known();
        let residence = known.account_of_key(&hash)?;
        let stays = residence.before.is_empty() && residence.moving.is_none();
        self.named(&residence.cell).filter(|_| stays)
    }

    /// The cell of a key that was looked for in all of them, and is known from now on; the cell for
    /// what nobody claims where it opens nothing, which refuses it.
    pub(super) fn find_key(&self, key: &ApiKey, at: Instant) -> Result<&Cell, crate::Error> {
        let hash = self.tokens.api_key(key.expose());
        let known = self.known().account_of_key(&hash).map(|known| known.cell.to_string());
        if let Some(cell) = known.and_then(|cell| self.named(&cell)) {
            return Ok(cell);
        }
        let text = key.expose().to_owned();
        let found = self.first_that(move |sequencer| {
            let hash = sequencer.tokens().api_key(&text);
            let state = &sequencer.ledger().state;
            let account = state.account(state.account_of_key(&hash)?)?;
            Some(account.name.clone())
        })?;
        let Some((cell, account)) = found else { return Ok(self.unclaimed()) };
        let home = self.adopted(cell, &account, at)?;
        self.make_known_where_it_lived(&account, key, at)?;
        let key = self.tokens.api_key(key.expose());
        self.execute(&Command::BindKey { key, account }, at)?;
        Ok(home)
    }

    /// The cell that an account lives in. One that the directory does not know is looked for in
    /// every cell, and where it is in none, placed as it is said; `None` where that is not said.
    pub(super) fn home(
        &self,
        account: &str,
        placement: Option<Placement>,
        at: Instant,
    ) -> Result<Option<&Cell>, crate::Error> {
        let known = self.known().cell_of(account).map(str::to_owned);
        let is_to_be = |cell: &str| match &placement {
            Some(Placement::Named(name)) => **name == *cell,
            Some(Placement::FewestAccounts) | None => true,
        };
        if let Some(cell) = known.filter(|cell| is_to_be(cell)) {
            return Ok(self.named(&cell));
        }
        let name = account.to_owned();
        let found = self.first_that(move |sequencer| {
            sequencer.ledger().state.account_named(&name).map(|_| ())
        })?;
        if let Some((cell, ())) = found {
            let home = self.adopted(cell, account, at)?;
            if is_to_be(&home.name) {
                return Ok(Some(home));
            }
        }
        let Some(placement) = placement else { return Ok(None) };
        self.execute(&Command::Place { account: account.into(), placement }, at)?;
        let cell = self.known().cell_of(account).map(str::to_owned);
        Ok(cell.and_then(|cell| self.named(&cell)))
    }

    /// Where an account lives that was found in a cell: there, unless it moved away from there.
    fn adopted(&self, cell: &Cell, account: &str, at: Instant) -> Result<&Cell, crate::Error> {
        let known = self.known().account(account).cloned();
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
        Ok(self.named(&home).expect("an account lives in a cell, and each of these is open"))
    }

    /// The cell that gave an operation its id: of several that a body names, the first.
    pub(super) fn cell_of_operation(&self, body: &Value) -> Option<&Cell> {
        let text = |field: &str| body.get(field).and_then(Value::as_str);
        Kind::fields().find_map(|field| {
            let id = text(field)?;
            self.cells.iter().find(|cell| OpId::parse(id, &cell.name).is_some())
        })
    }

    /// The cell that gave a referral.
    pub(super) fn cell_of_referral(&self, referral: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| AgentId::is_referral(referral, &cell.name))
    }

    /// The first cell, by name, in which something is found, and what; all are asked at once.
    pub(super) fn first_that<T: Send + 'static>(
        &self,
        find: impl Fn(&Sequencer) -> Option<T> + Clone + Send + 'static,
    ) -> Result<Option<(&Cell, T)>, EngineError> {
        let asked = self.cells.iter().map(|cell| {
            let find = find.clone();
            cell.ledger.0.engine.decide(move |sequencer| find(sequencer))
        });
        let asked: Vec<_> = asked.collect();
        let mut first = None;
        for (cell, ticket) in self.cells.iter().zip(asked) {
            let found = ticket.wait()?;
            first = first.or(found.map(|found| (cell, found)));
        }
        Ok(first)
    }
}
