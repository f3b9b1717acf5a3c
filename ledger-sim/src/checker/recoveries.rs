//! Comparison of recoveries, and of why a fact about one is set aside.

use ledger_core::ledger::{Event, Execution, State};
use ledger_core::money::{Amount, Cents};

use super::{equal, equal_named};
use crate::failure::wrong::Mismatch;
use crate::oracle::Oracle;

/// Compares why the fact is set aside, where the oracle says it (rulings 54).
pub(crate) fn compare_reason(oracle: &Oracle, execution: &Execution) -> Result<(), Mismatch> {
    let Some(expected) = oracle.trace.reason else { return Ok(()) };
    let found = execution.records.last().and_then(|record| {
        record.events.iter().find_map(|event| match event {
            Event::SetAside { reason, .. } => *reason,
            _ => None,
        })
    });
    equal("why it is set aside", Some(expected), found)
}

/// Compares every recovery.
pub(super) fn compare(oracle: &Oracle, state: &State) -> Result<(), Mismatch> {
    equal("recoveries", oracle.recoveries.len(), state.recoveries().count())?;
    oracle.recoveries.iter().try_for_each(|(name, it)| {
        let [blocked, taken] = oracle.covered_by(name);
        let until = [it.blocks_until, it.decides_until];
        let sums = [it.amount, blocked, taken, it.refunded];
        let found = state.recovery(name).map(|it| {
            let until = [it.blocks_until, it.decides_until];
            let sums = [it.blocked, it.taken, it.refunded].map(Cents::cents);
            let sums = [Amount::cents(it.amount), sums[0], sums[1], sums[2]];
            (it.cause, until, sums, it.accepted.map(Cents::cents))
        });
        let expected = Some((it.cause, until, sums, it.accepted));
        equal_named(|| format!("recovery {name}"), expected, found)
    })
}
