//! What the world reports, passed on to the cell that it is about.

use ledger_core::contract::Call;
use ledger_core::directory::Placement;
use ledger_core::ledger::Archive as _;
use ledger_core::ledger::ExternalId;
use ledger_core::time::Instant;
use ledger_store::sequencer::Sequencer;
use serde_json::Value;

use super::pix::pix_of;
use super::{Cell, Cells, OpenCells};
use crate::answer::{Reported, reported};
use crate::fact::Fact;
use crate::ledger::{Pending, reporting};

/// Facts by which an account comes to be, and the field with its name.
const OPENINGS: [(&str, &str); 2] =
    [("account.opened", "account"), ("agent.activated", "agent_id")];

impl Cells {
    /// Reports a fact to the cell that it is about: that of the operation it names, or else of the
    /// account, or else the one for what nobody claims.
    ///
    /// A fact by which an account is opened places the account first, durably, and then opens it
    /// there: reported again after a crash between the two, it goes to the same cell. An agent that
    /// comes by a referral is placed in the cell that gave the referral, since its referrer is
    /// rewarded there.
    ///
    /// A PIX is known once over all cells. Where another cell than the one it is about knows its
    /// end-to-end id, or the id of its return, that cell answers, as a ledger answers what it knows
    /// already.
    ///
    /// A fact of a ledger as a whole, such as a policy, a price or a payer's review, names neither
    /// operation nor account: report it to each of [`Cells::ledgers`].
    pub fn report<F: Fact>(&self, fact: &F) -> Pending<Result<Reported, crate::Error>> {
        self.report_at(fact, self.0.clock.now())
    }

    /// [`Cells::report`], with the instant at which it happened.
    pub fn report_at<F: Fact>(
        &self,
        fact: &F,
        at: Instant,
    ) -> Pending<Result<Reported, crate::Error>> {
        let (cells, call) = (self.clone(), reporting(fact, at));
        Pending::blocking(move || cells.0.pass_on(F::NAME, call))
    }
}

impl OpenCells {
    /// Passes a fact on, and waits for what came of it. Blocks.
    fn pass_on(&self, name: &str, call: Call) -> Result<Reported, crate::Error> {
        let pix = pix_of(name, &call.body);
        let _turn = pix.as_ref().map(|id| self.under_way.turn(id));
        let named = self.cell_of_fact(name, &call.body, call.at)?;
        let answers = match pix {
            Some(id) => self.that_knows(&id, named)?,
            None => named,
        };
        answers.ledger.0.handle(call, |outcome| reported(outcome?)).wait()
    }

    /// The cell that a fact is about by what it names.
    fn cell_of_fact(&self, name: &str, body: &Value, at: Instant) -> Result<&Cell, crate::Error> {
        let text = |field: &str| body.get(field).and_then(Value::as_str);
        let opening = OPENINGS.iter().find(|(opening, _)| *opening == name);
        if let Some(account) = opening.and_then(|(_, field)| text(field)) {
            let referred = text("referral").and_then(|referral| self.cell_of_referral(referral));
            let placement = referred
                .map_or(Placement::FewestAccounts, |cell| Placement::Named((*cell.name).into()));
            // Wherever it is placed already it stays, by a referral too.
            let placement = match self.known().cell_of(account) {
                Some(_) => Placement::FewestAccounts,
                None => placement,
            };
            let home = self.home(account, Some(placement), at)?;
            return Ok(home.unwrap_or_else(|| self.unclaimed()));
        }
        if let Some(cell) = self.cell_of_operation(body) {
            return Ok(cell);
        }
        // An agent's account bears the agent's id.
        let Some(account) = text("account").or_else(|| text("agent_id")) else {
            return Ok(self.unclaimed());
        };
        Ok(self.home(account, None, at)?.unwrap_or_else(|| self.unclaimed()))
    }

    /// The cell that knows a PIX, `named` itself before any other; `named` where none does.
    fn that_knows<'a>(
        &'a self,
        id: &ExternalId,
        named: &'a Cell,
    ) -> Result<&'a Cell, crate::Error> {
        let (first, other) = (id.clone(), id.clone());
        let knows =
            move |sequencer: &mut Sequencer| sequencer.ledger().archive.seen(&first).is_some();
        if named.ledger.decide(knows)? {
            return Ok(named);
        }
        let found =
            self.first_that(move |sequencer| sequencer.ledger().archive.seen(&other).map(|_| ()))?;
        Ok(found.map_or(named, |(cell, ())| cell))
    }
}
