//! Transfers projected into SQL tables, commit by commit in several sizes, from far behind, and a
//! whole journal at once, on SQLite and PostgreSQL, beside the replay of the same in a book that
//! writes nothing.

#![allow(missing_docs)] // The macros of criterion write the items.

#[path = "../ledger-store/tests/setup/server.rs"]
mod server;
mod workload;

use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group,
    criterion_main,
};
use ledger_store::projection::{Projector, Target};
use ledger_store::sequencer::Sequencer;
use ledger_store::{Commit, Journal, MemoryDisk, MemoryJournal, OpenMode};

type Group<'a> = BenchmarkGroup<'a, WallTime>;

const TOWN: u32 = 10_000;

/// Transfers of the journal that is projected as a whole.
const LONG: u64 = 200_000;

const SIZES: [u64; 4] = [1, 100, 1_000, 4_000];

/// How far tables are behind that catch up.
const BEHIND: u64 = 128_000;

/// The ledger that is projected: it goes on from round to round.
struct Source {
    sequencer: Sequencer,
    next: u64,
}

impl Source {
    fn new(journal: &mut MemoryJournal) -> Self {
        journal.open_writer().expect("memory is written");
        let mut sequencer = Sequencer::new("live", journal.identity());
        for chunk in workload::opening(TOWN).chunks(4_000) {
            workload::run(&mut sequencer, chunk.to_vec());
            journal.append(&sequencer.cut().expect("records")).expect("memory is written");
        }
        Self { sequencer, next: 0 }
    }

    fn commits(&mut self, rounds: u64, size: u64) -> Vec<Commit> {
        let commit = |_| {
            workload::run(&mut self.sequencer, workload::transfers(TOWN, self.next, size));
            self.next += size;
            self.sequencer.cut().expect("records")
        };
        (0..rounds).map(commit).collect()
    }

    /// Commits that the journal holds.
    fn commits_onto(&mut self, journal: &mut MemoryJournal, rounds: u64, size: u64) -> Vec<Commit> {
        let commits = self.commits(rounds, size);
        for commit in &commits {
            journal.append(commit).expect("memory is written");
        }
        commits
    }
}

fn project(c: &mut Criterion) {
    let mut group = c.benchmark_group("project");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    let folder = tempfile::tempdir().expect("a temporary folder");
    on(&mut group, "SQLite", &Target::Sqlite(folder.path().join("tables.db")));
    let [server, other] =
        [(); 2].map(|()| server::database().parse().expect("the server's URL is one"));
    on(&mut group, "PostgreSQL", &Target::Postgres(server));
    floor(&mut group);
    group.finish();
    rebuild(c, &Target::Sqlite(folder.path().join("rebuilt.db")), &Target::Postgres(other));
}

/// All of a journal projected at once, as `rebuild` and a first `open` do.
fn rebuild(c: &mut Criterion, sqlite: &Target, postgres: &Target) {
    let mut group = c.benchmark_group("rebuild");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    let mut journal = journal();
    let mut source = Source::new(&mut journal);
    source.commits_onto(&mut journal, LONG / 4_000, 4_000);
    let records = journal.head().expect("memory is read").seq;
    group.throughput(Throughput::Elements(records));
    for (backend, target) in [("SQLite", sqlite), ("PostgreSQL", postgres)] {
        drop(Projector::open(&mut journal, "live", target).expect("tables are made"));
        group.bench_function(format!("on {backend}"), |b| {
            b.iter_with_large_drop(|| {
                Projector::rebuild(&mut journal, "live", target).expect("the tables take it")
            });
        });
    }
    group.bench_function("floor: replay alone", |b| {
        b.iter_with_large_drop(|| {
            Sequencer::open(&mut journal, "live", |_, _| ()).expect("it replays")
        });
    });
    group.finish();
}

fn on(group: &mut Group<'_>, backend: &str, target: &Target) {
    let mut journal = journal();
    let mut source = Source::new(&mut journal);
    let mut projector = Projector::open(&mut journal, "live", target).expect("tables are made");
    for size in SIZES {
        group.throughput(Throughput::Elements(size));
        group.bench_function(BenchmarkId::new(format!("on {backend}"), size), |b| {
            b.iter_custom(|rounds| {
                let commits = source.commits_onto(&mut journal, rounds, size);
                let clock = Instant::now();
                for commit in &commits {
                    projector.follow(commit).expect("the tables take it");
                }
                clock.elapsed()
            });
        });
    }
    // What follows beside a writer takes as much as there is, and replays ahead of what it writes.
    group.throughput(Throughput::Elements(BEHIND));
    group.bench_function(format!("behind on {backend}"), |b| {
        b.iter_custom(|rounds| {
            let mut spent = Duration::ZERO;
            for _ in 0..rounds {
                source.commits_onto(&mut journal, BEHIND / 4_000, 4_000);
                let clock = Instant::now();
                let done = projector.catch_up(&mut journal).expect("the tables take it");
                spent += clock.elapsed();
                assert_eq!(done.records, BEHIND, "everything is projected");
            }
            spent
        });
    });
}

fn floor(group: &mut Group<'_>) {
    let mut journal = journal();
    let mut source = Source::new(&mut journal);
    let mut sequencer = Sequencer::open(&mut journal, "live", |_, _| ()).expect("it replays");
    let size = 4_000;
    group.throughput(Throughput::Elements(size));
    group.bench_function("floor: replay alone", |b| {
        b.iter_custom(|rounds| {
            let commits = source.commits(rounds, size);
            let clock = Instant::now();
            for row in commits.iter().flat_map(|commit| &commit.rows) {
                sequencer.replay(row).expect("it replays");
            }
            clock.elapsed()
        });
    });
}

fn journal() -> MemoryJournal {
    let mode = OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
    MemoryJournal::open(&MemoryDisk::new(), "live", mode).expect("memory opens")
}

criterion_group!(benches, project);
criterion_main!(benches);
