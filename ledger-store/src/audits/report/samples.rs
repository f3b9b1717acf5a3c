//! Moments of a ledger that stand for all of it: what was held and owed, and what was open, at even
//! distances, however long the ledger's time is.

use std::collections::BTreeMap;

use ledger_core::accounting::{Class, Control};
use ledger_core::id::AssetId;
use ledger_core::ledger::State;
use ledger_core::time::Instant;

/// How many moments are kept; with more, every second one is let go.
const MOST: usize = 120;

/// The shortest distance of two moments: a minute, in microseconds.
const SHORTEST: i64 = 60_000_000;

/// The moments of one ledger, in their order.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    /// The distance of two moments, in microseconds.
    pub(super) width: i64,
    pub(super) kept: Vec<Sample>,
}

/// What a ledger was at a moment.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) at: Instant,
    /// What stood in accounts and networks, and what was owed, in smallest units by asset; reais
    /// under none.
    pub(super) sums: BTreeMap<Option<AssetId>, Held>,
    /// What customers had, in centavos, those below zero taken off.
    pub(super) customers: i128,
    /// How many operations had not ended.
    pub(super) open: u64,
    /// How many of them waited for a person.
    pub(super) waiting: u64,
    /// How many of these had an outcome that nobody knows.
    pub(super) unknown: u64,
}

/// What is held and owed of one commodity, in smallest units.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    pub(super) held: i128,
    pub(super) owed: i128,
}

impl Samples {
    pub(super) const fn new() -> Self {
        Self { width: SHORTEST, kept: Vec::new() }
    }

    /// Looks at the ledger after a record, where enough time has passed since it last did.
    pub(super) fn pass(&mut self, state: &State) {
        let width = self.width;
        let place = |at: Instant| at.micros().div_euclid(width);
        if self.kept.last().is_some_and(|last| place(last.at) == place(state.now)) {
            return;
        }
        self.kept.push(Sample::from_state(state));
        if MOST < self.kept.len() {
            self.width *= 2;
            let width = self.width;
            self.kept.dedup_by_key(|sample| sample.at.micros().div_euclid(width));
        }
    }

    /// The moments, the last record's as the last.
    pub(super) fn closing_samples(&self, state: &State) -> Vec<Sample> {
        let mut kept = self.kept.clone();
        kept.retain(|sample| sample.at < state.now);
        if state.seq.0 > 0 {
            kept.push(Sample::from_state(state));
        }
        kept
    }
}

impl Sample {
    fn from_state(state: &State) -> Self {
        let mut sums: BTreeMap<Option<AssetId>, Held> = BTreeMap::new();
        let mut add = |asset, class, net_credit: i128| match class {
            Class::Asset => sums.entry(asset).or_default().held -= net_credit,
            Class::Liability => sums.entry(asset).or_default().owed += net_credit,
            Class::Equity | Class::Income | Class::Expense | Class::Trading => {}
        };
        for control in Control::ALL {
            add(None, control.class(), state.books.net_credit(control));
        }
        for (asset, account, net_credit) in state.books.coins() {
            add(Some(asset), account.class(), net_credit);
        }
        let customers = [Control::Available, Control::Held, Control::Frozen];
        let customers = customers.into_iter().map(|control| state.books.net_credit(control)).sum();
        let mut sample = Self { at: state.now, sums, customers, open: 0, waiting: 0, unknown: 0 };
        for (_, operation) in state.open_operations() {
            sample.open += 1;
            if let Some(waits) = operation.machine.waits(state.now) {
                sample.waiting += 1;
                sample.unknown += u64::from(waits.is_unknown());
            }
        }
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_long_a_time_is_it_has_as_many_moments_and_they_are_even() {
        let mut samples = Samples::new();
        let mut state = State::new("live");
        for minute in 0..10_000_i64 {
            state.now = Instant::from_micros(minute * SHORTEST).unwrap();
            samples.pass(&state);
            samples.pass(&state);
            assert!(samples.kept.len() <= MOST, "{minute}");
        }
        let ats: Vec<i64> = samples.kept.iter().map(|sample| sample.at.micros()).collect();
        assert!(MOST / 2 <= ats.len(), "{}", ats.len());
        assert!(ats.windows(2).all(|pair| pair[1] - pair[0] == samples.width), "{ats:?}");
        assert_eq!(samples.closing_samples(&State::new("live")).len(), 0, "nothing was recorded");
    }
}
