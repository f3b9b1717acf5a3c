//! One statement over the cells that an account lives in and lived in.

use std::sync::Arc;

use ledger_core::contract::{
    Call, CallOutcome, PartAsked, RowPlace, StatementAsked, statement_asked, whole_statement,
};
use ledger_core::directory::Residence;

use super::{CellLedger, Cells, RoutingError};
use ledger_store::engine::{Engine, EngineError};

/// A statement of an account that moved, to be asked of the cell that it lives in and completed by
/// the others.
#[derive(Debug)]
pub struct WholeStatement<L> {
    /// The ledger that judges the key and what is asked, as it does for an account that stayed.
    pub home: L,
    /// What it is asked: the call, without a cursor that another cell gave.
    pub call: Call,
    asked: StatementAsked,
    part: PartAsked,
    lived: Vec<Lived>,
}

/// A cell that an account lived in, lives in, or is on its way to.
struct Lived {
    engine: Arc<Engine>,
    /// The moves by which the account left it.
    leaves_by: Vec<Box<str>>,
}

impl<L: CellLedger + Clone> Cells<L> {
    /// Who is asked for `GET /saldo/extrato` of an account that moved or moves: its home, whose
    /// outcome [`WholeStatement::complete`] makes one statement over all the cells that it lived
    /// in. Blocks.
    ///
    /// None for any other call, and of an account that lived in one cell alone: those are asked of
    /// whom [`Cells::of_key`] says.
    ///
    /// # Errors
    ///
    /// [`RoutingError`] where a cell has ended or the directory is not written.
    pub fn of_statement(
        &self,
        key: &str,
        call: &Call,
    ) -> Result<Option<WholeStatement<L>>, RoutingError> {
        let Some(asked) = statement_asked(call) else { return Ok(None) };
        self.find_key(key, call.at)?;
        let hash = self.tokens.api_key(key);
        let residence = self.read_directory().account_of_key(&hash).cloned();
        let moved = |known: &Residence| !known.before.is_empty() || known.moving.is_some();
        let Some(residence) = residence.filter(moved) else { return Ok(None) };
        let Some(home) = self.cell_by_name(&residence.cell) else { return Ok(None) };
        if !home.knows(key)? {
            return Ok(None);
        }
        let lived = self.lived_in(&residence);
        let mut part = PartAsked {
            account: (*residence.account).into(),
            ledger: 0,
            asked: asked.clone(),
            before: None,
            entered: Vec::new(),
            leaves_by: Vec::new(),
        };
        part.before = place(&lived, &part)?;
        let call = match part.before {
            Some(_) => asked.without_cursor(call),
            // Nobody gave the cursor, if there is one: it is refused.
            None => call.clone(),
        };
        Ok(Some(WholeStatement { home: home.ledger.clone(), call, asked, part, lived }))
    }

    /// The cells that an account lived in, the first first, the one it lives in, and the one it
    /// moves to.
    fn lived_in(&self, residence: &Residence) -> Vec<Lived> {
        let known = self.read_directory();
        let moves: Vec<_> = known.moves().filter(|one| one.account == residence.account).collect();
        let lived = known.cells_with(residence).filter_map(|name| {
            let leaves = moves.iter().filter(|one| one.from == *name);
            let leaves_by = leaves.map(|one| (*one.id).into()).collect();
            Some(Lived { engine: self.ledger(name)?.engine().clone(), leaves_by })
        });
        lived.collect()
    }
}

impl<L> WholeStatement<L> {
    /// Returns what the home answered, with the rows of every cell in the place of its own; a
    /// refusal stays as it is. Blocks.
    ///
    /// # Errors
    ///
    /// [`EngineError`] where a cell has ended.
    pub fn complete(self, mut outcome: CallOutcome) -> Result<CallOutcome, EngineError> {
        let Self { asked, mut part, lived, .. } = self;
        if outcome.response.status >= 300 {
            return Ok(outcome);
        }
        let mut parts = Vec::new();
        for (ledger, Lived { engine, leaves_by }) in lived.into_iter().enumerate() {
            let asked = PartAsked { ledger, leaves_by, ..part.clone() };
            let given = engine.decide(move |sequencer| sequencer.views().statement_part(&asked));
            let given = given.wait()?;
            let given = given.expect("nothing is refused but a cursor, and none is asked for");
            part.entered = given.departure_ids().to_vec();
            parts.push(given);
        }
        outcome.response.body = whole_statement(&asked, parts).into();
        Ok(outcome)
    }
}

/// The place of the row that the page before ended with, by whichever cell gave the cursor.
fn place(lived: &[Lived], part: &PartAsked) -> Result<Option<RowPlace>, EngineError> {
    if part.asked.before.is_none() {
        return Ok(None);
    }
    for (ledger, Lived { engine, .. }) in lived.iter().enumerate() {
        let asked = PartAsked { ledger, ..part.clone() };
        let place = engine.decide(move |sequencer| sequencer.views().statement_place(&asked));
        if let Some(place) = place.wait()? {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

impl std::fmt::Debug for Lived {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lived").field("leaves_by", &self.leaves_by).finish_non_exhaustive()
    }
}
