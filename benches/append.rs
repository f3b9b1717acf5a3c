//! Transfers through the engine onto SQLite, durable before they are answered, in commits of several
//! sizes, beside a raw append of the same bytes with fdatasync, and beside raw one-row commits.

#![allow(missing_docs)] // The macros of criterion write the items.

mod town;

use std::fs::File;
use std::io::Write;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ledger_store::engine::Engine;
use ledger_store::{OpenMode, SqliteJournal};
use sqlx::{Connection, Executor, SqliteConnection};

const TOWN: u32 = 10_000;

/// How many batches are under way at once: the next is decided while the last is written.
const AHEAD: u64 = 4;

fn append(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("ledger.db");
    let mode = OpenMode::Create { vault_key: Some([7; 32]), algorithm: None };
    let journal = SqliteJournal::open(&path, "live", mode).expect("the file opens");
    let engine = Engine::start(Box::new(journal), "live", |_, _| ()).expect("a new ledger starts");
    for chunk in town::opening(TOWN).chunks(8_000) {
        engine.execute_all(chunk.to_vec()).wait().expect("the opening is durable");
    }
    let bytes = town::bytes_of_a_transfer(TOWN);

    let mut group = c.benchmark_group("append");
    group.sample_size(20).measurement_time(Duration::from_secs(4));
    let mut first = 0;
    for size in [1_u64, 100, 1_000, 8_000] {
        group.throughput(Throughput::Elements(size));
        // One command at a time is one caller that waits; larger commits are kept coming.
        let ahead = if size == 1 { 1 } else { AHEAD };
        group.bench_function(BenchmarkId::new("durable on SQLite", size), |b| {
            b.iter_custom(|rounds| {
                let batches: Vec<_> = (0..rounds)
                    .map(|round| town::transfers(TOWN, first + round * size, size))
                    .collect();
                first += rounds * size;
                let clock = Instant::now();
                let mut waiting = std::collections::VecDeque::new();
                for batch in batches {
                    waiting.push_back(engine.execute_all(batch));
                    if waiting.len() as u64 >= ahead {
                        waiting.pop_front().map(|ticket| ticket.wait().expect("durable"));
                    }
                }
                for ticket in waiting {
                    ticket.wait().expect("durable");
                }
                clock.elapsed()
            });
        });
        let payload = vec![7_u8; bytes * usize::try_from(size).expect("small")];
        let mut file = File::create(folder.path().join("raw")).expect("a file");
        group.bench_function(BenchmarkId::new("floor: raw append, fdatasync", size), |b| {
            b.iter(|| {
                file.write_all(&payload).expect("the disk takes it");
                file.sync_data().expect("the disk keeps it");
            });
        });
    }
    group.throughput(Throughput::Elements(1));
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let mut raw = runtime.block_on(async {
        let url = format!("sqlite://{}?mode=rwc", folder.path().join("raw.db").display());
        let mut raw = SqliteConnection::connect(&url).await.expect("a database");
        for sql in ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL"] {
            raw.execute(sql).await.expect("a setting");
        }
        raw.execute("CREATE TABLE raw (id INTEGER PRIMARY KEY, payload BLOB)")
            .await
            .expect("a table");
        raw
    });
    let payload = vec![7_u8; bytes];
    group.bench_function("floor: raw one-row commit on SQLite", |b| {
        b.iter(|| {
            runtime.block_on(async {
                let insert =
                    sqlx::query("INSERT INTO raw (payload) VALUES (?1)").bind(&payload[..]);
                insert.execute(&mut raw).await.expect("a row")
            })
        });
    });
    group.finish();
}

criterion_group!(benches, append);
criterion_main!(benches);
