//! Eight cells, and accounts that move between them while clients ask and the world reports, over a
//! network that loses messages and answers, delays them and doubles them.
//!
//! ```text
//! clients ─┐                 ┌─► cell 0 ─┐
//! world   ─┼─► the network ─►┤   ...     ├─► what must hold of all cells together
//! movers  ─┘                 └─► cell 7 ─┘
//! ```
//!
//! Nobody here looks into a cell but to read what it would tell anybody: what must hold at the end
//! is stated of answers alone, and of what all cells together hold between them.

mod checks;
mod clients;
mod movers;
mod network;
mod world;

use std::fmt;

use thiserror::Error;

use self::world::World;

/// How many cells there are.
pub const CELLS: usize = 8;

/// What happened in eight cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellsReport {
    /// How many seeds were run.
    pub runs: u64,
    /// Requests that were answered for good.
    pub requests: u64,
    /// Requests that were asked again, since no answer came or the account moved.
    pub retries: u64,
    /// Accounts that moved from one cell to another.
    pub moves: u64,
    /// Messages that were lost, or whose answer was.
    pub lost: u64,
    /// Messages that came late.
    pub late: u64,
    /// Messages that came twice.
    pub doubled: u64,
    /// Balances that were carried after their account had moved.
    pub followed: u64,
}

/// What does not hold of eight cells.
#[derive(Clone, Debug, Error)]
#[error("seed {seed}: {what}")]
pub struct CellsFailure {
    /// The seed of the run that failed.
    pub seed: u64,
    /// What does not hold, and where.
    pub what: String,
}

/// A mistake that is planted, to see that it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum PlantedMistake {
    /// A request is asked of the cell that the account lives in, and not first of those it left.
    FormerCellsNotAsked,
    /// A balance comes to its new cell under a new id each time it is reported.
    IdsMadeAnew,
    /// What came after an account had moved is not carried after it.
    NothingFollows,
}

/// Runs one seed: so many steps of clients, world and movers, and then until everything is settled.
///
/// ```
/// let report = ledger_sim::simulate_cells(3, 200)?;
/// assert!(report.requests > 0);
/// # Ok::<(), ledger_sim::CellsFailure>(())
/// ```
///
/// # Errors
///
/// What does not hold at the end.
pub fn simulate_cells(seed: u64, steps: u64) -> Result<CellsReport, CellsFailure> {
    simulate_cells_with(seed, steps, None)
}

/// [`simulate_cells`], with a mistake.
///
/// # Errors
///
/// What does not hold at the end.
#[doc(hidden)]
pub fn simulate_cells_with(
    seed: u64,
    steps: u64,
    mistake: Option<PlantedMistake>,
) -> Result<CellsReport, CellsFailure> {
    let mut world = World::new(seed, mistake);
    for _ in 0..steps {
        world.step();
    }
    let settled = world.settle().and_then(|()| world.check());
    settled.map_err(|what| CellsFailure { seed, what })?;
    Ok(world.report)
}

impl CellsReport {
    /// Adds what another seed met.
    pub fn add(&mut self, other: &Self) {
        let Self { runs, requests, retries, moves, lost, late, doubled, followed } = other;
        self.runs += runs;
        self.requests += requests;
        self.retries += retries;
        self.moves += moves;
        self.lost += lost;
        self.late += late;
        self.doubled += doubled;
        self.followed += followed;
    }
}

impl fmt::Display for CellsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { runs, requests, retries, moves, lost, late, doubled, followed } = self;
        writeln!(f, "{runs} seeds of {CELLS} cells: everything holds")?;
        writeln!(f, "  requests   {requests} answered, {retries} asked again")?;
        writeln!(f, "  moves      {moves}, and {followed} balances that followed later")?;
        write!(f, "  messages   {lost} lost, {late} late, {doubled} doubled")
    }
}
