//! What a transfer costs each thread: microseconds of processor time, by the system's own count.
//!
//! Wall clocks measure whatever else runs on the machine, and how its disk feels; these figures do
//! not, or much less. The thread that costs most is what bounds the rate when nothing else does.
//!
//! ```console
//! $ cargo bench --bench threads
//! ```

#[path = "append/callers.rs"]
mod callers;
#[path = "../ledger-store/tests/setup/server.rs"]
mod server;
mod workload;

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::sync::Arc;

use ledger_core::ledger::Command;
use ledger_store::engine::Engine;
use ledger_store::{Journal, OpenMode, PostgresJournal, SqliteJournal};

type Group<'a> = criterion::BenchmarkGroup<'a, criterion::measurement::WallTime>;

const TOWN: u32 = 10_000;

/// Transfers of every measurement but the single ones.
const MANY: u64 = 320_000;

/// Transfers one at a time.
const SINGLE: u64 = 2_000;

/// How many batches are under way at once: the next is decided while the last is written.
const AHEAD: usize = 4;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mode = OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
    println!("microseconds of processor time a transfer\n");
    alone();
    let path = folder.path().join("ledger.db");
    let sqlite = SqliteJournal::open(path, "live", mode).expect("the file opens");
    keeper("SQLite", Box::new(sqlite));
    let place = server::database().parse().expect("the server's URL is one");
    let postgres = PostgresJournal::open(&place, "live", mode).expect("the server answers");
    keeper("PostgreSQL", Box::new(postgres));
}

/// Deciding, encoding, linking and framing on one thread, without any journal.
fn alone() {
    let mut sequencer = workload::sequencer(TOWN);
    let batches = batches(&mut 0, 8_000, MANY / 8_000);
    measured("a book alone, 8000", MANY, || {
        for batch in batches {
            workload::run(&mut sequencer, batch);
            drop(sequencer.cut());
        }
    });
}

fn keeper(keeper: &str, journal: Box<dyn Journal>) {
    let engine = Arc::new(Engine::builder("live").start(journal).expect("a new ledger starts"));
    for chunk in workload::opening(TOWN).chunks(8_000) {
        engine.execute_all(chunk.to_vec()).wait().expect("the opening is durable");
    }
    let mut first = 0;
    for (size, count) in [(8_000, MANY / 8_000), (1_000, MANY / 1_000), (100, 1_000), (1, SINGLE)] {
        let batches = batches(&mut first, size, count);
        let ahead = if size == 1 { 1 } else { AHEAD };
        measured(&format!("{keeper}, commits of {size}"), size * count, || {
            let mut waiting = VecDeque::new();
            for batch in batches {
                waiting.push_back(engine.execute_all(batch));
                if waiting.len() >= ahead {
                    waiting.pop_front().map(|ticket| ticket.wait().expect("durable"));
                }
            }
            for ticket in waiting {
                ticket.wait().expect("durable");
            }
        });
    }
    for (callers, each) in [(1_000, 100), (64, 500)] {
        let count = callers * each;
        let commands = workload::transfers(TOWN, first, count);
        first += count;
        let commits = engine.counters().commits;
        let each = usize::try_from(each).expect("small");
        measured(&format!("{keeper}, {callers} callers"), count, || {
            callers::crowd(&engine, commands, each);
        });
        println!("{:32}{} a commit", "", count / (engine.counters().commits - commits));
    }
}

fn batches(first: &mut u64, size: u64, count: u64) -> Vec<Vec<Command>> {
    let start = *first;
    *first += size * count;
    (0..count).map(|batch| workload::transfers(TOWN, start + batch * size, size)).collect()
}

/// Says what `work` cost every thread of this process, a transfer.
fn measured(name: &str, transfers: u64, work: impl FnOnce()) {
    let before = processor_time();
    work();
    print!("{name:30}");
    let mut whole = 0;
    for (thread, after) in processor_time() {
        let spent = after.saturating_sub(before.get(&thread).copied().unwrap_or_default());
        // A tenth of a microsecond and less says nothing.
        if spent / transfers >= 100 {
            print!("  {thread} {}", micros(spent / transfers));
        }
        whole += spent;
    }
    println!("  together {}", micros(whole / transfers));
}

/// Nanoseconds each thread has run, by its name.
fn processor_time() -> BTreeMap<String, u64> {
    let mut threads = BTreeMap::new();
    for thread in fs::read_dir("/proc/self/task").expect("a system with /proc").flatten() {
        // A thread that has just ended has no files any more.
        let read = |file| fs::read_to_string(thread.path().join(file));
        let (Ok(name), Ok(times)) = (read("comm"), read("schedstat")) else { continue };
        let ran: u64 = times.split(' ').next().and_then(|ran| ran.parse().ok()).unwrap_or_default();
        let is_main = thread.file_name() == *std::process::id().to_string();
        let name = if is_main { "main" } else { name.trim() };
        *threads.entry(name.to_owned()).or_default() += ran;
    }
    threads
}

fn micros(nanos: u64) -> String {
    format!("{}.{:02}", nanos / 1_000, nanos % 1_000 / 10)
}
