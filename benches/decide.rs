//! Transfers decided, applied, encoded and chained, beside a plain vector of balances.

#![allow(missing_docs)] // The macros of criterion write the items.

mod workload;

use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use ledger_core::ledger::Command;
use ledger_store::sequencer::Sequencer;

const BATCH: u64 = 8_000;

fn decide(c: &mut Criterion) {
    for town in [10_000_u32, 1_000_000] {
        let mut group = c.benchmark_group("decide");
        group.throughput(Throughput::Elements(BATCH)).sample_size(20);
        let mut sequencer = workload::sequencer(town);
        let mut first = 0;
        transfers(&mut group, ("transfers", town), &mut sequencer, &mut first);
        if town == 10_000 {
            measure(&mut group, ("groups of three legs", town), &mut sequencer, |_| {
                first += BATCH;
                workload::groups(town, first - BATCH, BATCH)
            });
            lives(&mut group, &mut sequencer, town);
            // From here on each record is held against the invariants.
            sequencer.watch();
            transfers(&mut group, ("transfers, watched", town), &mut sequencer, &mut first);
        }
        drop(sequencer);
        let mut balances = vec![599_900_i64; town as usize];
        let moves = workload::moves(town, 0, BATCH);
        group.bench_function(BenchmarkId::new("floor: vector of balances", town), |b| {
            b.iter(|| {
                for (from, to, amount) in &moves {
                    balances[*from as usize] -= amount;
                    balances[*to as usize] += amount;
                }
            });
        });
        group.finish();
    }
}

fn transfers(
    group: &mut BenchmarkGroup<'_, WallTime>,
    (name, town): (&str, u32),
    sequencer: &mut Sequencer,
    first: &mut u64,
) {
    group.throughput(Throughput::Elements(BATCH));
    measure(group, (name, town), sequencer, |_| {
        *first += BATCH;
        workload::transfers(town, *first - BATCH, BATCH)
    });
}

/// Purchases and payouts, an event a command, and sales of crypto, a record a command, beside the
/// transfers: the rates are per command.
fn lives(group: &mut BenchmarkGroup<'_, WallTime>, sequencer: &mut Sequencer, town: u32) {
    const EVENTS: u64 = 7_200;
    group.throughput(Throughput::Elements(EVENTS));
    for name in ["purchases", "payouts", "sales"] {
        measure(group, (name, town), sequencer, |seq| match name {
            "purchases" => workload::purchases(seq, EVENTS / 4),
            "sales" => workload::sales(seq, EVENTS / 5),
            _ => workload::payouts(town, seq, EVENTS / 3),
        });
    }
    group.throughput(Throughput::Elements(BATCH));
}

/// Decides what `commands` makes after record `seq`, and cuts it to a commit.
fn measure(
    group: &mut BenchmarkGroup<'_, WallTime>,
    (name, town): (&str, u32),
    sequencer: &mut Sequencer,
    mut commands: impl FnMut(u64) -> Vec<Command>,
) {
    group.bench_function(BenchmarkId::new(name, town), |b| {
        b.iter_custom(|rounds| {
            let mut spent = Duration::ZERO;
            for _ in 0..rounds {
                let commands = commands(sequencer.head().seq);
                let clock = Instant::now();
                workload::run(sequencer, commands);
                let commit = sequencer.cut();
                spent += clock.elapsed();
                drop(commit);
            }
            spent
        });
    });
}

criterion_group!(benches, decide);
criterion_main!(benches);
