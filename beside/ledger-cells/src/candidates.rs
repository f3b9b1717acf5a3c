//! Which cells are asked what a client asks, in what order, and whose answer counts.

use std::sync::Arc;

use ledger_core::contract::{Call, CallKind, CallOutcome, Effect, route_of};
use ledger_core::directory::Residence;
use ledger_core::time::Instant;
use serde_json::Value;

use super::{Cell, CellLedger, Cells, RoutingError, Turn};
use ledger_store::archive::JournalArchive;
use ledger_store::vault::Vault;

/// The cells that may have the answer to a call, to be asked in this order: the first whose outcome
/// [`is_answer`](Self::is_answer) answers it, or where that is none, the first of all.
#[derive(Clone, Debug)]
pub struct Candidates<L> {
    /// The ledgers, one or more.
    pub ledgers: Vec<L>,
    until: Until,
    /// Of the key that the call brings, until nobody asks these any more.
    _turn: Option<Arc<Turn>>,
}

/// When an outcome is the answer, and no further cell is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    /// A cell says something of what it was asked for.
    SaysSomething,
    /// A cell knows what is asked for, or says what every other would say.
    Knows,
    /// All were asked: what the first said is the answer.
    AllWereAsked,
}

impl<L> Candidates<L> {
    const fn new(ledgers: Vec<L>, until: Until) -> Self {
        Self { ledgers, until, _turn: None }
    }

    /// Tells whether what a ledger said is the answer, so that no further one is asked.
    #[must_use]
    pub fn is_answer(&self, outcome: &CallOutcome) -> bool {
        match self.until {
            Until::SaysSomething => says_something(outcome),
            Until::Knows => outcome.response.status != 404,
            Until::AllWereAsked => false,
        }
    }

    /// Asks them, by whatever asks a ledger.
    ///
    /// # Errors
    ///
    /// The first that one of them gives.
    pub fn ask<E>(
        &self,
        call: &Call,
        ask: impl Fn(&L, Call) -> Result<CallOutcome, E>,
    ) -> Result<CallOutcome, E> {
        let mut first = None;
        for ledger in &self.ledgers {
            let outcome = ask(ledger, call.clone())?;
            if self.is_answer(&outcome) {
                return Ok(outcome);
            }
            first = first.or(Some(outcome));
        }
        Ok(first.expect("the candidates are one or more"))
    }
}

impl<L: CellLedger + Clone> Cells<L> {
    /// Who is asked what a key asks. Blocks; a key that the directory does not know is looked for
    /// in every cell ([`Cells::find_key`]).
    ///
    /// # Errors
    ///
    /// [`RoutingError`] where a cell has ended or the directory is not written.
    pub fn of_key(&self, key: &str, call: &Call) -> Result<Candidates<L>, RoutingError> {
        self.find_key(key, call.at)?;
        let until = Until::SaysSomething;
        let one = |cell: &Cell<L>| Candidates::new(vec![cell.ledger.clone()], until);
        let hash = self.tokens.api_key(key);
        let residence = self.read_directory().account_of_key(&hash).cloned();
        let Some(residence) = residence else { return Ok(one(self.unclaimed_cell())) };
        // A key that is dead where the account lives opens nothing where it lived.
        let home = self.cell_by_name(&residence.cell).unwrap_or_else(|| self.unclaimed_cell());
        if !home.knows(key)? {
            return Ok(one(home));
        }
        let ledgers = self.that_may_have(&residence, call);
        let ledgers = ledgers.into_iter().map(|cell| cell.ledger.clone()).collect();
        Ok(Candidates::new(ledgers, until))
    }

    /// Who is asked what anybody asks, without a key: of what is only read, the first that has it,
    /// of what is sent to an e-mail, all, and of what makes an account, the cell in which that is
    /// to be ([`Cells::make_known`]).
    ///
    /// Where the call brings entropy, and the key that this makes is known, that is the cell that
    /// knows it: whoever registers again is answered again. Such a call blocks, and takes turns
    /// with others of the same key while the candidates are held; any other does neither.
    ///
    /// # Errors
    ///
    /// [`RoutingError`] where a cell has ended.
    pub fn of_anybody(&self, call: &Call) -> Result<Candidates<L>, RoutingError> {
        let all = |until| {
            let ledgers = self.each.iter().map(|cell| cell.ledger.clone()).collect();
            Candidates::new(ledgers, until)
        };
        Ok(match &call.ask {
            // What is no path is one nowhere.
            ask if route_of::<JournalArchive, Vault>(ask).is_none() => {
                Candidates::new(vec![self.for_unclaimed().clone()], Until::Knows)
            }
            CallKind::Request { method, .. } if method == "GET" => all(Until::Knows),
            CallKind::Request { target, .. } if target == "/keys/painel-link" => {
                all(Until::AllWereAsked)
            }
            CallKind::Request { .. } | CallKind::Command { .. } | CallKind::Fact(_) => {
                self.of_newcomer(call)?
            }
        })
    }

    fn of_newcomer(&self, call: &Call) -> Result<Candidates<L>, RoutingError> {
        let fresh = || self.cell_for_newcomer(&call.body);
        let alone =
            |cell: &Cell<L>| Candidates::new(vec![cell.ledger.clone()], Until::AllWereAsked);
        let Some(key) = self.key_of_entropy(call) else { return Ok(alone(fresh())) };
        let turn = Some(Arc::new(self.turn_of_key(&key)));
        let knows = self.that_ever_knew(&key, None)?;
        Ok(Candidates { _turn: turn, ..alone(knows.unwrap_or_else(fresh)) })
    }

    /// Places the account whose key was made by what anybody asked, and binds the key. Blocks.
    ///
    /// # Errors
    ///
    /// [`RoutingError`] where the directory is not written; the key is found when it first asks.
    pub fn make_known(&self, outcome: &CallOutcome, at: Instant) -> Result<(), RoutingError> {
        match outcome.response.body["api_key"].as_str() {
            Some(key) => self.find_key(key, at).map(drop),
            None => Ok(()),
        }
    }

    /// The cells that may have what is asked: the one that gave the operation it names; of what is
    /// new, or named by the client's own id, those that the account left, and then the one it lives
    /// in, and the one it moves to; of any other read, the one it lives in.
    fn that_may_have(&self, residence: &Residence, call: &Call) -> Vec<&Cell<L>> {
        let gave = self.cell_of_target(call).or_else(|| self.cell_of_operation(&call.body));
        if let Some(gave) = gave {
            return vec![gave];
        }
        if is_read_where_it_lives(call) {
            return self.cell_by_name(&residence.cell).into_iter().collect();
        }
        self.read_directory()
            .cells_with(residence)
            .filter_map(|cell| self.cell_by_name(cell))
            .collect()
    }

    /// The cell that gave the operation whose id stands in the path.
    fn cell_of_target(&self, call: &Call) -> Option<&Cell<L>> {
        let CallKind::Request { target, .. } = &call.ask else { return None };
        let path = target.split('?').next().unwrap_or(target);
        path.split('/').find_map(|part| self.cell_of_id(part))
    }

    fn cell_for_newcomer(&self, body: &Value) -> &Cell<L> {
        let referral = body["referral"].as_str();
        if let Some(cell) = referral.and_then(|referral| self.cell_of_referral(referral)) {
            return cell;
        }
        let fewest = self.read_directory().with_fewest_accounts().map(|cell| cell.name.to_string());
        fewest.and_then(|name| self.cell_by_name(&name)).unwrap_or_else(|| self.unclaimed_cell())
    }
}

/// Tells whether a call only reads what an account has, and names nothing by the client's own id.
fn is_read_where_it_lives(call: &Call) -> bool {
    let named =
        matches!(&call.ask, CallKind::Request { target, .. } if target.contains("external_id="));
    let shape = route_of::<JournalArchive, Vault>(&call.ask);
    !named && shape.is_some_and(|shape| shape.effect == Effect::Reads)
}

/// Tells whether a cell has what it was asked for, or refuses it for good: not that the account is
/// on its way, or not here yet, or that nothing of that name is here.
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
