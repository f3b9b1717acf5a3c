//! Transfers through the engine onto objects, by how long the store takes for each request: from
//! callers that wait for one transfer each, and in batches; how many requests a million transfers
//! are, and what they cost at a list price.
//!
//! One run, printed line by line; `--seconds N` set how long each work is measured.

#[path = "append/callers.rs"]
mod callers;
#[path = "objects/metered.rs"]
mod metered;
mod workload;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::BenchmarkGroup;
use criterion::measurement::WallTime;
use ledger_store::engine::Engine;
use ledger_store::{ObjectJournal, ObjectStorage, OpenMode};
use metered::{Meter, Metered};

type Group<'a> = BenchmarkGroup<'a, WallTime>;

const TOWN: u32 = 10_000;

const LATENCIES: [u64; 3] = [1, 10, 50];

/// How many batches are under way at once: the next are decided while the last is written.
const AHEAD: usize = 4;

/// Millionths of a dollar for a request: S3 Standard in us-east-1, by the public list of 2025 at
/// <https://aws.amazon.com/s3/pricing/>. Deletions are free.
const PUT: f64 = 5.0;
const GET: f64 = 0.4;

fn main() {
    let seconds = Duration::from_secs(number_after("--seconds", 5));
    println!(
        "| Each request takes | Work | Transfers/s | A million transfers: PUT and LIST | GET | \
         DELETE | MB written | Dollars for requests |\n|---|---|---|---|---|---|---|---|"
    );
    for millis in LATENCIES {
        let store = Metered::new(Duration::from_millis(millis));
        let storage = ObjectStorage::from_store(Arc::new(store.clone()), "books", "metered");
        let mode =
            OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
        let journal = ObjectJournal::open(&storage.expect("a store"), "live", mode);
        let journal = Box::new(journal.expect("the store answers"));
        let engine = Engine::builder("live").start(journal).expect("a new ledger starts");
        let engine = Arc::new(engine);
        for chunk in workload::opening(TOWN).chunks(8_000) {
            engine.execute_all(chunk.to_vec()).wait().expect("the opening is durable");
        }
        let mut first = 0;
        for (callers, each) in [(1, 20), (64, 50), (1_000, 20)] {
            let work = format!("callers that wait for one each: {callers}");
            measure(&store, millis, &work, seconds, || {
                let count = callers * each;
                let commands = workload::transfers(TOWN, first, count);
                first += count;
                let spent =
                    callers::crowd(&engine, commands, usize::try_from(each).expect("small"));
                (count, spent)
            });
        }
        for size in [1_000, 8_000, 32_000] {
            let work = format!("batches of {size}");
            measure(&store, millis, &work, seconds, || {
                let batches: Vec<_> = (0..16)
                    .map(|batch| workload::transfers(TOWN, first + batch * size, size))
                    .collect();
                first += 16 * size;
                let (clock, mut waiting) = (Instant::now(), VecDeque::new());
                for batch in batches {
                    waiting.push_back(engine.execute_all(batch));
                    if waiting.len() >= AHEAD {
                        waiting.pop_front().map(|ticket| ticket.wait().expect("durable"));
                    }
                }
                for ticket in waiting {
                    ticket.wait().expect("durable");
                }
                (16 * size, clock.elapsed())
            });
        }
    }
}

/// Does `work` for so long, and prints what it came to; `work` says how many transfers it made, and
/// how long they took.
fn measure(
    store: &Metered,
    millis: u64,
    name: &str,
    seconds: Duration,
    mut work: impl FnMut() -> (u64, Duration),
) {
    let (before, mut transfers, mut spent) = (store.meter(), 0, Duration::ZERO);
    while spent < seconds {
        let (made, took) = work();
        transfers += made;
        spent += took;
    }
    let Meter { puts, gets, lists, deletes, bytes } = store.meter().since(before);
    #[allow(clippy::cast_precision_loss)] // Figures for people.
    let per_million = |count: u64| count as f64 * 1e6 / transfers as f64;
    #[allow(clippy::cast_precision_loss)]
    let rate = transfers as f64 / spent.as_secs_f64();
    let dollars = (per_million(puts + lists) * PUT + per_million(gets) * GET) / 1e6;
    println!(
        "| {millis} ms | {name} | {rate:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {dollars:.4} |",
        per_million(puts + lists),
        per_million(gets),
        per_million(deletes),
        per_million(bytes) / 1e6,
    );
}

fn number_after(name: &str, otherwise: u64) -> u64 {
    let mut arguments = std::env::args().skip_while(|argument| argument != name).skip(1);
    arguments.next().map_or(otherwise, |value| value.parse().expect("a number"))
}
