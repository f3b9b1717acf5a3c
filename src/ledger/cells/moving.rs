//! An account moved from cell to cell, and what is asked of one that moved.

use ledger_core::contract::{Call, CallKind, CallOutcome};
use ledger_core::directory::{Command, MoveStage, Refusal, Residence};
use ledger_core::id::OpId;
use ledger_core::time::Instant;
use ledger_store::directory::DirectoryError;
use ledger_store::engine::EngineError;
use serde_json::{Value, json};

use super::{Cell, Cells, OpenCells};
use crate::ledger::{AccountMove, MoveError, Pending, call};
use crate::value::{AccountName, ApiKey};

impl Cells {
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
    /// cells.report(&opened.key("svc_live_loja".try_into()?)).wait()?;
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
        Pending::blocking(move || cells.0.moved(&account, &to, &id))
    }
}

impl OpenCells {
    fn moved(&self, account: &AccountName, to: &str, id: &str) -> Result<AccountMove, MoveError> {
        let at = self.clock.now();
        self.assert_movable(account, to, id)?;
        let command =
            Command::BeginMove { id: id.into(), account: account.as_str().into(), to: to.into() };
        self.execute(&command, at)?;
        let begun = self.known().move_of(id).cloned().expect("it was begun");
        if begun.stage == MoveStage::Abandoned {
            let ended = Refusal::MoveEnded { id: id.into(), stage: begun.stage };
            return Err(DirectoryError::from(ended).into());
        }
        let open = |name: &str| self.named(name).expect("each cell of the directory is open");
        let (from, to) = (open(&begun.from), open(&begun.to));
        let stands = from.ledger.move_account(account, &to.ledger, id).wait()?;
        if stands == AccountMove::Done {
            self.execute(&Command::FinishMove { id: id.into() }, self.clock.now())?;
        }
        Ok(stands)
    }

    /// What would be found out only once the directory knows that the account moves.
    fn assert_movable(&self, account: &AccountName, to: &str, id: &str) -> Result<(), MoveError> {
        let begun = self.known().move_of(id).is_some();
        let home = self.known().cell_of(account.as_str()).map(str::to_owned);
        let pair = home.and_then(|home| self.named(&home)).zip(self.named(to));
        match pair.filter(|_| !begun) {
            Some((from, to)) => from.ledger.assert_can_move(account, &to.ledger, id),
            None => Ok(()),
        }
    }

    /// Asks each cell that may have what is asked, in order, until one knows something. Blocks.
    pub(super) fn asked_of_each(
        &self,
        key: &ApiKey,
        call: Call,
    ) -> Result<CallOutcome, EngineError> {
        let hash = self.tokens.api_key(key.expose());
        let residence = self.known().account_of_key(&hash).cloned();
        let Some(residence) = residence else { return self.unclaimed().handle(call) };
        // A key that is dead where the account lives opens nothing where it lived.
        let home = self.named(&residence.cell).unwrap_or_else(|| self.unclaimed());
        if !home.knows(key)? {
            return home.handle(call);
        }
        let mut first = None;
        for cell in self.that_may_have(&residence, &call) {
            let outcome = cell.handle(call.clone())?;
            if says_something(&outcome) {
                return Ok(outcome);
            }
            first = first.or(Some(outcome));
        }
        // Of an account on its way, that one says so; the one it goes to may not know it yet.
        first.map_or_else(|| self.unclaimed().handle(call), Ok)
    }

    /// Lets the cells that an account left know its next key, before anything is asked by it: they
    /// answer whoever asks again for what they were asked before.
    pub(super) fn make_known_where_it_lived(
        &self,
        account: &str,
        key: &ApiKey,
        at: Instant,
    ) -> Result<(), EngineError> {
        let hash = self.tokens.api_key(key.expose());
        let id = u128::from_be_bytes(std::array::from_fn(|place| hash.0[place]));
        let left = self.known().account(account).map(|known| known.before.clone());
        for cell in left.iter().flatten().filter_map(|left| self.named(left)) {
            if cell.knows(key)? {
                continue;
            }
            let body = json!({
                "id": format!("cells-key-{id:032x}"), "account": account, "actor": "cells",
                "reason": "its key was replaced where it lives",
            });
            let replaced = call(
                at,
                CallKind::Fact("key.replaced".to_owned()),
                body,
                json!({ "key": key.expose() }),
            );
            cell.handle(replaced)?;
        }
        Ok(())
    }

    /// The cells that may have what is asked: the one that gave the operation it names; of what is
    /// new, or named by the client's own id, those that the account left, and then the one it lives
    /// in, and the one it moves to; of any other read, the one it lives in.
    fn that_may_have(&self, residence: &Residence, call: &Call) -> Vec<&Cell> {
        if let Some(cell) = self.cell_of_target(call).or_else(|| self.cell_of_operation(&call.body))
        {
            return vec![cell];
        }
        let home = self.named(&residence.cell);
        let reads = match &call.ask {
            CallKind::Request { method, target, .. } => {
                method == "GET" && !target.contains("external_id=")
            }
            CallKind::Command { .. } | CallKind::Fact(_) => false,
        };
        if reads {
            return home.into_iter().collect();
        }
        let known = self.known();
        let moving = residence.moving.as_ref().and_then(|id| known.move_of(id));
        let before = residence.before.iter().filter_map(|left| self.named(left));
        before.chain(home).chain(moving.and_then(|moving| self.named(&moving.to))).collect()
    }

    /// The cell that gave the operation whose id stands in the path.
    fn cell_of_target(&self, call: &Call) -> Option<&Cell> {
        let CallKind::Request { target, .. } = &call.ask else { return None };
        let path = target.split('?').next().unwrap_or(target);
        path.split('/').find_map(|part| {
            let gave = |cell: &&Cell| OpId::parse(part, &cell.name).is_some();
            self.cells.iter().find(gave)
        })
    }
}

impl Cell {
    /// Whether a key opens an account here. Blocks.
    fn knows(&self, key: &ApiKey) -> Result<bool, EngineError> {
        let text = key.expose().to_owned();
        self.ledger.decide(move |sequencer| {
            let hash = sequencer.tokens().api_key(&text);
            sequencer.ledger().state.account_of_key(&hash).is_some()
        })
    }
}

/// Whether a cell has what it was asked for, or refuses it for good: not that the account is on its
/// way, or not here yet, or that nothing of that name is here.
fn says_something(outcome: &CallOutcome) -> bool {
    let body = &outcome.response.body;
    let elsewhere = matches!(
        body["erro"].as_str(),
        Some("temporariamente_indisponivel" | "chave_desconhecida")
    );
    let is_empty = |list: &Value| list.as_array().is_some_and(Vec::is_empty);
    let nothing = body.as_object().is_some_and(|lists| lists.values().all(is_empty));
    !elsewhere && !nothing
}
