//! What anybody may ask, without a key: which cell answers it.

use ledger_core::contract::{Call, CallKind, CallOutcome};
use ledger_store::engine::EngineError;

use super::{Cell, Cells, OpenCells};
use crate::answer::{Done, done};
use crate::ledger::{Pending, asking};
use crate::request::{Anybody, Request};
use crate::value::ApiKey;

impl Cells {
    /// Asks what anybody may ask. A key is made in the cell with the fewest accounts, or where an
    /// agent comes by a referral in the cell that gave it, and its account is placed there. What is
    /// only read is looked for in every cell, and what is sent to an e-mail in all of them.
    ///
    /// ```
    /// use custody_ledger::request::agent::RegisterAgent;
    /// use custody_ledger::{Cells, Environment, Ledger};
    ///
    /// let sandbox = |name: &str| {
    ///     let ledger = Ledger::builder("memory:").name(name);
    ///     ledger.environment(Environment::Sandbox).open().wait()
    /// };
    /// let cells = Cells::open("memory:", [sandbox("cell-a")?, sandbox("cell-b")?]).wait()?;
    /// # let entropy = "5e".repeat(32); // A service draws 32 fresh bytes.
    /// let can = vec!["brl_to_pix".try_into()?];
    /// let asked = RegisterAgent::new("Ada".try_into()?, "ada@example.com".try_into()?, can);
    /// cells.ask(&asked.entropy(entropy.as_str().try_into()?)).wait()?;
    /// assert_eq!(cells.directory().accounts().count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ask<R: Request<By = Anybody>>(
        &self,
        request: &R,
    ) -> Pending<Result<Done<R::Answer>, crate::Error>> {
        let (cells, call) = (self.clone(), asking(request, None, self.0.clock.now()));
        Pending::blocking(move || done(cells.0.asked_by_anybody(call)?))
    }
}

/// Who answers what is asked without a key.
enum Answers {
    /// The first cell, by name, that does not refuse it.
    FirstThatKnows,
    /// Every cell; what the first says is the answer.
    All,
    /// The cell in which an account is to come to be.
    One,
}

impl Answers {
    fn to(ask: &CallKind) -> Self {
        match ask {
            CallKind::Request { method, .. } if method == "GET" => Self::FirstThatKnows,
            CallKind::Request { target, .. } if target == "/keys/painel-link" => Self::All,
            CallKind::Request { .. } | CallKind::Command { .. } | CallKind::Fact(_) => Self::One,
        }
    }
}

impl OpenCells {
    /// Asks the cells that are to answer. Blocks.
    fn asked_by_anybody(&self, call: Call) -> Result<CallOutcome, crate::Error> {
        match Answers::to(&call.ask) {
            Answers::FirstThatKnows => {
                let mut refused = None;
                for cell in &self.cells {
                    let outcome = cell.handle(call.clone())?;
                    if outcome.response.status < 300 {
                        return Ok(outcome);
                    }
                    refused = refused.or(Some(outcome));
                }
                Ok(refused.expect("cells are one or more"))
            }
            Answers::All => {
                let mut first = None;
                for cell in &self.cells {
                    let outcome = cell.handle(call.clone())?;
                    first = first.or(Some(outcome));
                }
                Ok(first.expect("cells are one or more"))
            }
            Answers::One => {
                let at = call.at;
                let outcome = self.cell_for_newcomer(&call).handle(call)?;
                let key = outcome.response.body["api_key"].as_str();
                if let Some(key) = key.and_then(|key| ApiKey::new(key).ok()) {
                    self.find_key(&key, at)?;
                }
                Ok(outcome)
            }
        }
    }

    fn cell_for_newcomer(&self, call: &Call) -> &Cell {
        let referral = call.body["referral"].as_str();
        if let Some(cell) = referral.and_then(|referral| self.cell_of_referral(referral)) {
            return cell;
        }
        let fewest = self.known().with_fewest_accounts().map(|cell| cell.name.to_string());
        fewest.and_then(|name| self.named(&name)).unwrap_or_else(|| self.unclaimed())
    }
}

impl Cell {
    /// Handles a call. Blocks.
    pub(super) fn handle(&self, call: Call) -> Result<CallOutcome, EngineError> {
        self.ledger.0.handle(call, |outcome| outcome).wait()
    }
}
