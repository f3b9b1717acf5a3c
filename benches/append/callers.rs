//! Many callers, each a task that asks for one transfer, waits until it is durable, and asks for
//! the next: what a service sees.

#![allow(dead_code)] // Each bench uses its part of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Throughput};
use ledger_core::ledger::Command;
use ledger_store::engine::Engine;

use super::{Group, TOWN, workload};

/// How many callers there are, and how many transfers each makes a round.
const CROWDS: [(u64, u64); 2] = [(64, 50), (1_000, 20)];

/// Crowds of callers on an engine that is open; `first` numbers the transfers.
pub fn callers(group: &mut Group<'_>, keeper: &str, engine: &Arc<Engine>, first: &mut u64) {
    for (callers, each) in CROWDS {
        group.throughput(Throughput::Elements(callers * each));
        let name = format!("callers waiting for one each, on {keeper}");
        group.bench_function(BenchmarkId::new(name, callers), |b| {
            b.iter_custom(|rounds| {
                let round = |_| {
                    let commands = workload::transfers(TOWN, *first, callers * each);
                    *first += callers * each;
                    crowd(engine, commands, usize::try_from(each).expect("small"))
                };
                (0..rounds).map(round).sum()
            });
        });
    }
}

/// How long it takes until every caller has made its transfers.
pub fn crowd(engine: &Arc<Engine>, commands: Vec<Command>, each: usize) -> Duration {
    let mut commands = commands.into_iter();
    let mut shares = Vec::new();
    while commands.len() > 0 {
        shares.push(commands.by_ref().take(each).collect::<Vec<_>>());
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let clock = Instant::now();
    runtime.block_on(async {
        let caller = |as_cents: Vec<Command>| {
            let engine = Arc::clone(engine);
            runtime.spawn(async move {
                for command in as_cents {
                    let permit = engine.reserve().await.expect("the engine runs");
                    permit.execute(command).await.expect("durable").expect("accepted");
                }
            })
        };
        let callers: Vec<_> = shares.into_iter().map(caller).collect();
        for caller in callers {
            caller.await.expect("a caller ends well");
        }
    });
    clock.elapsed()
}
