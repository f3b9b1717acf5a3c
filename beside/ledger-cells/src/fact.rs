//! What the world reports, on its way to the cell that it is about.

use std::sync::Arc;

use ledger_core::contract::{Call, CallKind, opened_account};
use ledger_core::directory::Placement;
use ledger_core::ledger::Archive as _;
use ledger_core::ledger::ExternalId;
use ledger_core::time::Instant;
use serde_json::Value;

use super::pix::pix_of;
use super::turn::Identity;
use super::{Cell, CellLedger, Cells, RoutingError, Turn};
use ledger_store::engine::EngineError;

/// The ledger that a fact is for.
#[derive(Debug)]
pub struct FactRoute<L> {
    /// The ledger that answers the fact.
    pub ledger: L,
    /// Where the fact is of a PIX, or brings a key, the turn of that: to be kept until the ledger
    /// has answered.
    pub turn: Option<Turn>,
}

impl<L: CellLedger + Clone> Cells<L> {
    /// The ledger that a fact is for: that of the operation it names, or else of the account, or
    /// else the one for what nobody claims. Blocks.
    ///
    /// A fact by which an account is opened places the account, durably. An agent that comes by a
    /// referral is placed in the cell that gave the referral.
    ///
    /// Of a PIX, where another cell than the one it is about knows its end-to-end id, or the id of
    /// its return, it is that cell: it answers what a ledger answers to what it knows.
    ///
    /// Of a key that an account has, or had, it is the cell of that account: it sets the fact aside
    /// as the ledger of both accounts would, and no account is placed for it.
    ///
    /// # Errors
    ///
    /// [`RoutingError`] where a cell has ended or the directory is not written.
    pub fn of_fact(&self, call: &Call) -> Result<FactRoute<L>, RoutingError> {
        let CallKind::Fact(name) = &call.ask else {
            return Ok(FactRoute { ledger: self.for_unclaimed().clone(), turn: None });
        };
        if let Some(key) = self.key_of_fact(name, call) {
            let turn = self.turn_of_key(&key);
            let answers = match self.cell_of_known_key(name, call, &key)? {
                Some(knows) => knows,
                None => self.cell_of_fact(name, &call.body, call.at)?,
            };
            return Ok(FactRoute { ledger: answers.ledger.clone(), turn: Some(turn) });
        }
        let pix = pix_of(name, &call.body);
        let turn = pix.as_ref().map(|id| self.under_way.turn(Identity::Pix(id.clone())));
        let named = self.cell_of_fact(name, &call.body, call.at)?;
        let answers = match pix {
            Some(id) => self.that_knows(id, named)?,
            None => named,
        };
        Ok(FactRoute { ledger: answers.ledger.clone(), turn })
    }

    /// The cell that a fact is about by what it names.
    fn cell_of_fact(
        &self,
        name: &str,
        body: &Value,
        at: Instant,
    ) -> Result<&Cell<L>, RoutingError> {
        let text = |field: &str| body.get(field).and_then(Value::as_str);
        if let Some(account) = opened_account(name).and_then(text) {
            let referred = text("referral").and_then(|referral| self.cell_of_referral(referral));
            let placement = referred
                .map_or(Placement::FewestAccounts, |cell| Placement::Named((*cell.name).into()));
            // Wherever it is placed already it stays, by a referral too.
            let placement = match self.read_directory().cell_of(account) {
                Some(_) => Placement::FewestAccounts,
                None => placement,
            };
            let home = self.home(account, Some(placement), at)?;
            return Ok(home.unwrap_or_else(|| self.unclaimed_cell()));
        }
        if let Some(cell) = self.cell_of_operation(body) {
            return Ok(cell);
        }
        let Some(account) = account_named(body) else { return Ok(self.unclaimed_cell()) };
        Ok(self.home(account, None, at)?.unwrap_or_else(|| self.unclaimed_cell()))
    }

    /// The cell that knows a PIX, `named` itself before any other; `named` where none does. All are
    /// asked at once, each of its archive.
    fn that_knows<'a>(
        &'a self,
        id: ExternalId,
        named: &'a Cell<L>,
    ) -> Result<&'a Cell<L>, EngineError> {
        let id = Arc::new(id);
        let ask = |cell: &'a Cell<L>| {
            let id = Arc::clone(&id);
            let known = cell
                .ledger
                .engine()
                .decide(move |sequencer| sequencer.ledger().archive.fact_seq(&id).is_some());
            (cell, known)
        };
        let asked: Vec<_> = self.each.iter().map(ask).collect();
        let mut first = None;
        for (cell, known) in asked {
            let knows = known.wait()?;
            if knows && *cell.name == *named.name {
                return Ok(named);
            }
            first = first.or(knows.then_some(cell));
        }
        Ok(first.unwrap_or(named))
    }
}

/// The account that a fact names: by itself, by the id of its agent, which the agent's account
/// bears, as the holder of an opening balance, or first among the legs and holders of an entry.
fn account_named(body: &Value) -> Option<&str> {
    let plain = ["account", "agent_id"].into_iter().find_map(|field| body.get(field)?.as_str());
    let listed = |list: &str| body.get(list).and_then(Value::as_array).into_iter().flatten();
    let legs = listed("legs").filter_map(|leg| leg.get("of"));
    let mut holders = body.get("of").into_iter().chain(legs).chain(listed("holders"));
    plain.or_else(|| holders.find_map(|holder| holder.get("account")?.as_str()))
}
