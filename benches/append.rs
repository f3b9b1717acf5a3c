//! Transfers through the engine onto SQLite and PostgreSQL, durable before they are answered, in
//! commits of several sizes and from crowds of callers, beside deciding alone, a raw append of the
//! same bytes with fdatasync, and raw one-row commits. The PostgreSQL server is the bench's own, on
//! a socket.

#![allow(missing_docs)] // The macros of criterion write the items.

#[path = "append/callers.rs"]
mod callers;
#[path = "../ledger-store/tests/setup/server.rs"]
mod server;
mod workload;

use std::collections::VecDeque;
use std::fs::File;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use ledger_store::engine::Engine;
use ledger_store::{Journal, OpenMode, PostgresJournal, SqliteJournal};
use sqlx::{Connection, Executor, PgConnection, SqliteConnection};

type Group<'a> = BenchmarkGroup<'a, WallTime>;

const TOWN: u32 = 10_000;

const SIZES: [u64; 4] = [1, 100, 1_000, 8_000];

/// How many batches are under way at once: the next is decided while the last is written.
const AHEAD: u64 = 4;

fn append(c: &mut Criterion) {
    let mut group = c.benchmark_group("append");
    group.sample_size(20).measurement_time(Duration::from_secs(4));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("ledger.db");
    let mode = OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
    let bytes = workload::bytes_of_a_transfer(TOWN);

    deciding_alone(&mut group);
    let sqlite = SqliteJournal::open(&path, "live", mode).expect("the file opens");
    durable(&mut group, "SQLite", Box::new(sqlite));
    let url = server::database();
    let place = url.parse().expect("the server's URL is one");
    let postgres = PostgresJournal::open(&place, "live", mode).expect("the server answers");
    durable(&mut group, "PostgreSQL", Box::new(postgres));

    for size in SIZES {
        group.throughput(Throughput::Elements(size));
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
    let raw = folder.path().join("raw.db").display().to_string();
    raw_commits_on_sqlite(&mut group, &raw, &vec![7; bytes]);
    raw_commits_on_postgres(&mut group, &url, &vec![7; bytes]);
    group.finish();
}

/// Transfers through an engine onto `journal`, in commits of every size.
fn durable(group: &mut Group<'_>, keeper: &str, journal: Box<dyn Journal>) {
    let engine = Engine::builder("live").start(journal).expect("a new ledger starts");
    let engine = Arc::new(engine);
    for chunk in workload::opening(TOWN).chunks(8_000) {
        engine.execute_all(chunk.to_vec()).wait().expect("the opening is durable");
    }
    let mut first = 0;
    for size in SIZES {
        group.throughput(Throughput::Elements(size));
        // One command at a time is one caller that waits; larger commits are kept coming.
        let ahead = if size == 1 { 1 } else { AHEAD };
        group.bench_function(BenchmarkId::new(format!("durable on {keeper}"), size), |b| {
            b.iter_custom(|rounds| {
                let batches: Vec<_> = (0..rounds)
                    .map(|round| workload::transfers(TOWN, first + round * size, size))
                    .collect();
                first += rounds * size;
                let clock = Instant::now();
                let mut waiting = VecDeque::new();
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
    }
    callers::callers(group, keeper, &engine, &mut first);
}

/// What the deciding thread does for commits of 8,000, without any journal.
fn deciding_alone(group: &mut Group<'_>) {
    const SIZE: u64 = 8_000;
    let (mut sequencer, mut first) = (workload::sequencer(TOWN), 0);
    group.throughput(Throughput::Elements(SIZE));
    group.bench_function(BenchmarkId::new("deciding alone", SIZE), |b| {
        b.iter_custom(|rounds| {
            let mut spent = Duration::ZERO;
            for _ in 0..rounds {
                let commands = workload::transfers(TOWN, first, SIZE);
                first += SIZE;
                let clock = Instant::now();
                workload::run(&mut sequencer, commands);
                drop(sequencer.cut());
                spent += clock.elapsed();
            }
            spent
        });
    });
}

fn raw_commits_on_sqlite(group: &mut Group<'_>, path: &str, payload: &[u8]) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let mut raw = runtime.block_on(async {
        let url = format!("sqlite://{path}?mode=rwc");
        let mut raw = SqliteConnection::connect(&url).await.expect("a database");
        for sql in ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL"] {
            raw.execute(sql).await.expect("a setting");
        }
        raw.execute("CREATE TABLE raw (id INTEGER PRIMARY KEY, payload BLOB)")
            .await
            .expect("a table");
        raw
    });
    group.bench_function("floor: raw one-row commit on SQLite", |b| {
        b.iter(|| {
            runtime.block_on(async {
                let insert = sqlx::query("INSERT INTO raw (payload) VALUES (?1)").bind(payload);
                insert.execute(&mut raw).await.expect("a row")
            })
        });
    });
}

fn raw_commits_on_postgres(group: &mut Group<'_>, url: &str, payload: &[u8]) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let mut raw = runtime.block_on(async {
        // The driver wants a host in its place; the parameter then says where the socket is.
        let url = url.replace("@/", "@localhost/");
        let mut raw = PgConnection::connect(&url).await.expect("a database");
        raw.execute("CREATE TABLE raw (id bigint PRIMARY KEY, payload bytea)")
            .await
            .expect("a table");
        raw
    });
    let mut id = 0_i64;
    group.bench_function("floor: raw one-row commit on PostgreSQL", |b| {
        b.iter(|| {
            id += 1;
            runtime.block_on(async {
                let insert = sqlx::query("INSERT INTO raw (id, payload) VALUES ($1, $2)");
                insert.bind(id).bind(payload).execute(&mut raw).await.expect("a row")
            })
        });
    });
}

criterion_group!(benches, append);
criterion_main!(benches);
