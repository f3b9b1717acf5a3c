//! A ledger that grows on SQLite: at each so many transfers the rate they were written at, memory,
//! disk, and how long opening takes.
//!
//! ```console
//! $ cargo bench --bench growth -- --transfers 100000000 --every 10000000 --plot growth.svg
//! ```
//!
//! Each step is a process of its own, so that what is resident is one engine's and nothing else's:
//! it opens the ledger from its snapshot, writes, ends, and saves the next snapshot.
//! Last, the whole ledger is opened from its first record.

#[path = "growth/plot.rs"]
mod plot;
#[path = "workload/process.rs"]
mod process;
mod workload;

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use ledger_store::engine::Engine;
use ledger_store::sequencer::Sequencer;
use ledger_store::snapshot::Snapshots;
use ledger_store::{OpenMode, SqliteJournal};
use process::{memory, number_after, size, text};

const BATCH: u64 = 8_000;

/// How many batches are under way at once.
const AHEAD: usize = 4;

/// What was seen at one size.
#[derive(Clone, Copy)]
struct Step {
    transfers: u64,
    /// Transfers a second, durable.
    rate: f64,
    /// MiB of the process, at most.
    resident: f64,
    /// MiB of the file.
    disk: f64,
    /// MiB of the snapshot.
    snapshot: f64,
    /// Seconds until an engine that begins with the snapshot answers.
    opening: f64,
}

fn main() {
    let subaccounts = number_after("--subaccounts", 1_000_000);
    let town = u32::try_from(subaccounts).expect("subaccounts are numbered in 32 bits");
    if let Some(folder) = text("--step-in") {
        return step(
            Path::new(&folder),
            town,
            number_after("--from", 0),
            number_after("--every", 1),
        );
    }
    let (transfers, every) =
        (number_after("--transfers", 4_000_000), number_after("--every", 1_000_000));
    let folder = tempfile::tempdir().expect("a temporary folder");
    found(folder.path(), town);
    println!("| Transfers | Written | Resident | File | Snapshot | Opened from it |");
    println!("|---|---|---|---|---|---|");
    let mut steps = Vec::new();
    for from in (0..transfers).step_by(usize::try_from(every).expect("it fits a word")) {
        let step = in_a_process(folder.path(), (subaccounts, from, every));
        let Step { transfers, rate, resident, disk, snapshot, opening } = step;
        println!(
            "| {transfers} | {rate:.0}/s | {resident:.0} MiB | {disk:.0} MiB | {snapshot:.0} MiB \
             | {opening:.2} s |"
        );
        steps.push(step);
    }
    if let Some(file) = text("--plot") {
        fs::write(&file, plot::render(&steps)).expect("the plot is written");
    }
    let clock = Instant::now();
    let opened = Sequencer::open(&mut open(folder.path()), "live", |_, _| ()).expect("it opens");
    let (records, took) = (opened.head().seq, clock.elapsed());
    println!("from the first record: {records} records in {took:.1?}");
}

fn open(folder: &Path) -> SqliteJournal {
    let mode = OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
    SqliteJournal::open(folder.join("ledger.db"), "live", mode).expect("the file opens")
}

fn snapshots(folder: &Path) -> Snapshots {
    Snapshots::in_folder(folder.join("snapshots"))
}

/// The ledger with funded subaccounts, and its snapshot.
fn found(folder: &Path, town: u32) {
    let engine = Engine::builder("live").start(Box::new(open(folder))).expect("it starts");
    engine.execute_all(workload::founding()).wait().expect("the opening is durable");
    for first in (0..town).step_by(4_000) {
        let numbers = first..town.min(first + 4_000);
        engine.execute_all(workload::funding(numbers)).wait().expect("the funding is durable");
    }
    engine.stop().expect("the engine ends");
    snapshots(folder).refresh(&mut open(folder), "live").expect("it is saved");
}

fn in_a_process(folder: &Path, (subaccounts, from, every): (u64, u64, u64)) -> Step {
    let mut program = Command::new(std::env::current_exe().expect("the program has a path"));
    program.arg("--step-in").arg(folder);
    for (option, number) in [("--subaccounts", subaccounts), ("--from", from), ("--every", every)] {
        program.args([option, &number.to_string()]);
    }
    let output = program.output().expect("a step runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the step from {from} failed: {errors}");
    let printed = String::from_utf8(output.stdout).expect("figures are text");
    let mut figures = printed.split_whitespace().map(|it| it.parse().expect("a figure"));
    let mut next = || figures.next().expect("five figures");
    let [rate, resident, disk, snapshot, opening] = std::array::from_fn(|_| next());
    Step { transfers: from + every, rate, resident, disk, snapshot, opening }
}

/// One step, in a process of its own: prints its figures.
fn step(folder: &Path, town: u32, from: u64, every: u64) {
    let clock = Instant::now();
    let engine = Engine::builder("live").snapshots(snapshots(folder));
    let engine = engine.start(Box::new(open(folder))).expect("it starts");
    engine.view().wait().expect("it answers");
    let opening = clock.elapsed();
    let head = engine.head().expect("it writes");
    assert!(head.seq > from, "the ledger was opened as far as it goes");

    let (clock, mut waiting) = (Instant::now(), VecDeque::new());
    for first in (from..from + every).step_by(8_000) {
        let count = BATCH.min(from + every - first);
        waiting.push_back(engine.execute_all(workload::transfers(town, first, count)));
        if waiting.len() == AHEAD {
            waiting.pop_front().map(|ticket| ticket.wait().expect("durable"));
        }
    }
    for ticket in waiting {
        ticket.wait().expect("durable");
    }
    let took = clock.elapsed();
    let resident = memory("VmHWM:");
    engine.stop().expect("the engine ends");
    drop(engine);
    let disk = size(&folder.join("ledger.db"));
    let saved = snapshots(folder).refresh(&mut open(folder), "live").expect("it is saved");
    let rate = float(every) / took.as_secs_f64();
    let mebibytes = [resident, disk, size(&saved.0)].map(|bytes| float(bytes) / 1_048_576.0);
    let [resident, disk, snapshot] = mebibytes;
    println!("{rate} {resident} {disk} {snapshot} {}", opening.as_secs_f64());
}

#[allow(clippy::cast_precision_loss)] // Counts of bytes and transfers are far below 2^53.
const fn float(count: u64) -> f64 {
    count as f64
}
