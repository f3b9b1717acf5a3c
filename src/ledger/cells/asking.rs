//! What is asked of cells and reported to them, by whoever knows only that.

use ledger_core::contract::{Call, CallOutcome, opened_account};
use ledger_core::time::Instant;
use ledger_store::engine::EngineError;

use super::error::routing;
use super::{Cells, CellsClient};
use crate::answer::{Done, Reported, fact_answer, request_answer};
use crate::fact::Fact;
use crate::ledger::{Ledger, Pending, asking, doubt_for_call, reporting};
use crate::request::{Account, Anybody, Request};

impl CellsClient {
    /// Asks for something of this account.
    ///
    /// Of an account that moved, the cells that it left are asked first, since a request that one
    /// of them answered is answered there for ever, and then the one it lives in; what names an
    /// operation is asked of the cell that gave its id. Its statement is one over all these cells
    /// ([`ledger_cells::WholeStatement`]). While it moves, what is new is refused with
    /// `temporariamente_indisponivel`: ask again.
    ///
    /// A key that the directory does not know is looked for in every cell, and bound to its account
    /// for ever; one that opens nothing is refused by the cell for what nobody claims.
    pub fn ask<R: Request<By = Account>>(
        &self,
        request: &R,
    ) -> Pending<Result<Done<R::Answer>, crate::Error>> {
        let cells = &self.cells.0;
        if let Some(ledger) = cells.cells.only_ledger_of_key(self.key.expose()) {
            return ledger.submit(request, Some(&self.key));
        }
        let call = asking(request, Some(&self.key), cells.clock.now());
        if let Some(doubt) = doubt_for_call(&*cells.clock, &call) {
            return Pending::refusal(&doubt, call.at);
        }
        let (cells, key) = (self.cells.clone(), self.key.clone());
        Pending::blocking(move || {
            let cells = &cells.0.cells;
            if let Some(whole) = cells.of_statement(key.expose(), &call).map_err(routing)? {
                let outcome = whole.home.handle_call(whole.call.clone())?;
                return request_answer(whole.complete(outcome)?);
            }
            let candidates = cells.of_key(key.expose(), &call).map_err(routing)?;
            request_answer(candidates.ask(&call, Ledger::handle_call)?)
        })
    }
}

impl Cells {
    /// Asks what anybody may ask. A key is made in the cell with the fewest accounts, or where an
    /// agent comes by a referral in the cell that gave it, and its account is placed there. What is
    /// only read is looked for in every cell, and what is sent to an e-mail in all of them. Asked
    /// again with the same entropy, it is answered by the cell that has the key.
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
        if let Some(doubt) = doubt_for_call(&*self.0.clock, &call) {
            return Pending::refusal(&doubt, call.at);
        }
        Pending::blocking(move || {
            let cells = &cells.0.cells;
            // Held until the key is known: what brings the same key takes turns.
            let candidates = cells.of_anybody(&call).map_err(routing)?;
            let outcome = candidates.ask(&call, Ledger::handle_call)?;
            cells.make_known(&outcome, call.at).map_err(routing)?;
            request_answer(outcome)
        })
    }

    /// Reports a fact to the cell that it is about: that of the operation it names, or else of the
    /// account, or else the one for what nobody claims.
    ///
    /// A fact by which an account is opened places the account first, durably, and then opens it
    /// there: reported again after a crash between the two, it goes to the same cell. An agent that
    /// comes by a referral is placed in the cell that gave the referral, since its referrer is
    /// rewarded there. One that is refused opens no account, and places none.
    ///
    /// A PIX is known once over all cells. Where another cell than the one it is about knows its
    /// end-to-end id, or the id of its return, that cell answers, as a ledger answers what it knows
    /// already.
    ///
    /// A key is one account's over all cells. A fact that brings one which an account of another
    /// cell has, or had, is answered by that cell: it sets it aside, as one ledger does, and no
    /// account is placed for it.
    ///
    /// A fact of a ledger as a whole, such as a policy, a price or a payer's review, names neither
    /// operation nor account: report it to each of [`Cells::ledgers`].
    pub fn report<F: Fact>(&self, fact: &F) -> Pending<Result<Reported, crate::Error>> {
        let at = self.0.clock.now();
        match self.0.clock.doubt() {
            Some(doubt) => Pending::refusal(&doubt, at),
            None => self.report_at(fact, at),
        }
    }

    /// [`Cells::report`], with the instant at which it happened.
    pub fn report_at<F: Fact>(
        &self,
        fact: &F,
        at: Instant,
    ) -> Pending<Result<Reported, crate::Error>> {
        let (cells, call) = (self.clone(), reporting(fact, at));
        Pending::blocking(move || {
            let first = cells.0.cells.for_unclaimed();
            // What opens no account must place none: any ledger says what is wrong.
            if opened_account(F::NAME).is_some() && !first.would_take(call.clone())? {
                return fact_answer(first.handle_call(call)?);
            }
            let route = cells.0.cells.of_fact(&call).map_err(routing)?;
            // Its turn is kept until what came of it is durable.
            fact_answer(route.ledger.handle_call(call)?)
        })
    }
}

impl Ledger {
    /// Handles a call, with what helps it on its way. Blocks.
    fn handle_call(&self, call: Call) -> Result<CallOutcome, EngineError> {
        self.0.handle(call, |outcome| outcome).wait()
    }

    /// Tells whether a call would be taken, with what helps it on its way; nothing is done but that
    /// time passes. Blocks.
    fn would_take(&self, mut call: Call) -> Result<bool, EngineError> {
        self.0.helpers.supply(&self.0.engine, &mut call)?;
        let time = self.0.time_before(call.at);
        let taken = self.0.engine.decide(move |sequencer| {
            if let Some(time) = time {
                sequencer.handle(&time);
            }
            sequencer.preview(&call).is_ok()
        });
        taken.wait()
    }
}
