//! The invariants that run, as values: tests, simulator and audit check them by id.
//!
//! [`INVARIANTS`] lists them. Each finds its first violation by itself, over everything that
//! stands ([`Invariant::check`]) or in what one record touched ([`Invariant::check_record`]);
//! [`check_all`] and [`check_touched`] do so for all of them. A check says what it saw, and its
//! invariant under which id.

mod check;
mod controls;
mod flights;
mod list;
mod mesh;
#[cfg(test)]
mod nowhere;
mod operations;
mod recoveries;
mod subaccounts;
#[cfg(test)]
mod tests;
mod totals;
mod wallets;

use std::sync::LazyLock;

pub use list::INVARIANTS;
pub use subaccounts::check_statements;
use thiserror::Error;

use super::archive::Archive;
use super::record::Record;
use super::state::State;
use check::{Check, Touched};

/// What must hold of every ledger, and the checks that find where it does not.
#[derive(Clone, Copy, Debug)]
pub struct Invariant {
    /// Its id in docs/INVARIANTS.md, such as `INV-08`.
    pub id: &'static str,
    /// What must hold, as a sentence.
    pub text: &'static str,
    checks: &'static [Check],
}

/// An invariant that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{invariant}: {what}")]
pub struct Violation {
    /// The invariant's id in docs/INVARIANTS.md.
    pub invariant: &'static str,
    /// What was seen.
    pub what: String,
}

/// The checks that look at records, each with its invariant: found once, since they are made after
/// every record.
static AFTER_RECORDS: LazyLock<Vec<(&Invariant, Check)>> = LazyLock::new(|| {
    let checks = INVARIANTS.iter().flat_map(|it| it.checks.iter().map(move |check| (it, *check)));
    checks.filter(|(_, check)| check.looks_at_records()).collect()
});

/// What a check says: nothing, or what it saw where the invariant does not hold.
type Holds = Result<(), String>;

impl Invariant {
    /// The invariant of this id, if one that runs has it.
    #[must_use]
    pub fn by_id(id: &str) -> Option<&'static Self> {
        INVARIANTS.iter().find(|invariant| invariant.id == id)
    }

    /// Tells whether it speaks of the outcome, which no state shows: then
    /// [`Outcomes`](super::outcome::Outcomes) checks it, and the checks here have nothing to say.
    #[must_use]
    pub const fn is_of_the_outcome(&self) -> bool {
        matches!(self.checks, [Check::Outcome])
    }

    /// Checks it over everything that stands.
    ///
    /// # Errors
    ///
    /// The first [`Violation`].
    pub fn check(&self, state: &State, archive: &dyn Archive) -> Result<(), Violation> {
        let mut checks = self.checks.iter();
        checks
            .try_for_each(|check| check.everything(state, archive))
            .map_err(|what| self.violation(what))
    }

    /// Checks it on `record`, just applied, and on what that touched.
    ///
    /// # Errors
    ///
    /// The first [`Violation`].
    pub fn check_record(
        &self,
        state: &State,
        archive: &dyn Archive,
        record: &Record,
    ) -> Result<(), Violation> {
        let touched = Touched::by(state, record);
        let mut checks = self.checks.iter();
        let checked = checks.try_for_each(|check| check.check_touched(state, archive, &touched));
        checked.map_err(|what| self.violation(what))
    }

    fn violation(&self, what: String) -> Violation {
        Violation { invariant: self.id, what }
    }
}

/// The invariants that states and records show: all but those of the outcome.
pub fn of_the_state() -> impl Iterator<Item = &'static Invariant> {
    INVARIANTS.iter().filter(|invariant| !invariant.is_of_the_outcome())
}

/// Checks every invariant on `record`, just applied, and on what that touched.
///
/// # Errors
///
/// The first [`Violation`].
pub fn check_touched(
    state: &State,
    archive: &dyn Archive,
    record: &Record,
) -> Result<(), Violation> {
    let touched = Touched::by(state, record);
    AFTER_RECORDS.iter().try_for_each(|(invariant, check)| {
        check.check_touched(state, archive, &touched).map_err(|what| invariant.violation(what))
    })
}

/// Checks every invariant over everything that stands.
///
/// # Errors
///
/// The first [`Violation`].
pub fn check_all(state: &State, archive: &dyn Archive) -> Result<(), Violation> {
    INVARIANTS.iter().try_for_each(|invariant| invariant.check(state, archive))
}

/// Two sides of one thing: what `name` stands at, and what its parts sum to.
fn equal(name: &str, whole: i128, parts: i128) -> Holds {
    if whole == parts {
        return Ok(());
    }
    Err(format!("{name} stands at {whole}, its parts at {parts}"))
}
