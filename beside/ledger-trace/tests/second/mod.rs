//! Random histories, traced by the crate and by a second implementation, step by step.

pub mod history;
pub mod naive;

use std::collections::BTreeMap;

use ledger_trace::{Rule, Slot, Step, Taken, Tracer};

use history::History;
use naive::{Coin, Naive};

type Heaps<K> = BTreeMap<K, BTreeMap<Coin, u128>>;

/// The counts of a comparison.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    pub histories: u64,
    pub steps: u64,
    pub advances: u64,
    pub exchanges: u64,
}

impl Compared {
    pub fn add(&mut self, other: Self) {
        self.histories += other.histories;
        self.steps += other.steps;
        self.advances += other.advances;
        self.exchanges += other.exchanges;
    }
}

/// Traces one history under one rule by both; panics where they differ.
pub fn compare(seed: u64, length: usize, rule: Rule) -> Compared {
    let mut history = History::new(seed);
    let (mut tracer, mut naive) = (Tracer::new(rule), Naive::default());
    let mut compared = Compared { histories: 1, ..Compared::default() };
    let mut begun = 0;
    for _ in 0..length {
        let Some(step) = history.step() else { continue };
        let mut moved = BTreeMap::new();
        tracer.step(&step, &mut |hop| {
            *moved.entry((hop.from, hop.to)).or_insert(0) += hop.amount;
            begun += if hop.begins || hop.traced && hop.taken == Taken::Exchanged {
                hop.amount
            } else {
                0
            };
            compared.advances += u64::from(hop.taken == Taken::Advanced);
            compared.exchanges += u64::from(hop.taken == Taken::Exchanged);
        });
        naive.step(rule, &step);
        compared.steps += 1;
        let what = || format!("seed {seed}, {rule:?}, {step:#?}");
        assert_eq!(moved, due(&step), "the hops of a flow sum to it: {}", what());
        assert_eq!(lots(&tracer), heaps(&naive.heaps), "lots differ: {}", what());
        assert_eq!(covered(&tracer), heaps(&naive.covered), "covered: {}", what());
        for (place, balance) in history.balances().filter(|(place, _)| place.is_owed()) {
            assert_eq!(tracer.balance(place), balance, "{place:?}: {}", what());
            let owing = naive.owing.get(&place).map_or(0, Vec::len);
            let held: usize = naive.heaps.iter().filter(|(s, _)| s.place == place).map(size).sum();
            assert_eq!(held as i128 - owing as i128, balance, "{place:?}: {}", what());
        }
        assert_eq!(begun, naive.begun, "what began: {}", what());
        assert_eq!(begun, traced(&tracer), "traced plus rest: {}", what());
    }
    compared
}

fn size((_, heap): (&Slot, &Vec<Coin>)) -> usize {
    heap.len()
}

fn due(step: &Step) -> BTreeMap<(Slot, Slot), u128> {
    let mut due = BTreeMap::new();
    for flow in &step.flows {
        *due.entry((flow.from, flow.to)).or_insert(0) += flow.amount;
    }
    due
}

fn coin(lot: &ledger_trace::Lot) -> Coin {
    let (arrival, source) = (usize::try_from(lot.arrival).unwrap(), lot.source.0 as usize);
    Coin { arrival, source, traced: lot.traced }
}

fn lots(tracer: &Tracer) -> Heaps<Slot> {
    let lots = |(slot, lots): (Slot, _)| (slot, totals(lots));
    tracer
        .slots()
        .map(|(slot, of)| lots((slot, of.map(|lot| (coin(lot), lot.amount)).collect())))
        .collect()
}

fn covered(tracer: &Tracer) -> Heaps<usize> {
    let all = tracer.covered_advances();
    all.map(|(advance, lots)| {
        (advance.0 as usize, totals(lots.map(|lot| (coin(lot), lot.amount)).collect()))
    })
    .collect()
}

fn totals(coins: Vec<(Coin, u128)>) -> BTreeMap<Coin, u128> {
    let mut totals = BTreeMap::new();
    for (coin, amount) in coins {
        *totals.entry(coin).or_insert(0) += amount;
    }
    totals
}

fn heaps<K: Copy + Ord>(heaps: &BTreeMap<K, Vec<Coin>>) -> Heaps<K> {
    let full = heaps.iter().filter(|(_, heap)| !heap.is_empty());
    full.map(|(key, heap)| (*key, totals(heap.iter().map(|coin| (*coin, 1)).collect()))).collect()
}

/// All that the trace follows, wherever it is.
fn traced(tracer: &Tracer) -> u128 {
    let here = tracer.slots().flat_map(|(_, lots)| lots);
    let gone = tracer.covered_advances().flat_map(|(_, lots)| lots);
    here.chain(gone).filter(|lot| lot.traced).map(|lot| lot.amount).sum()
}
