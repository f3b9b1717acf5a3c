//! A ledger grown large on SQLite: what it costs in memory and on disk, and how long opening takes.
//!
//! One run, printed line by line; `--subaccounts N --transfers N` set its size.

#[path = "workload/process.rs"]
mod process;
mod workload;

use std::collections::VecDeque;
use std::time::Instant;

use ledger_store::engine::Engine;
use ledger_store::sequencer::Sequencer;
use ledger_store::snapshot::{Began, Snapshots};
use ledger_store::{Journal, OpenMode, SqliteJournal};
use process::{memory, number_after, size};

const BATCH: u64 = 8_000;

/// How many batches are under way at once.
const AHEAD: usize = 4;

fn main() {
    let (subaccounts, transfers) =
        (number_after("--subaccounts", 1_000_000), number_after("--transfers", 10_000_000));
    let town = u32::try_from(subaccounts).expect("subaccounts are numbered in 32 bits");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("ledger.db");
    let open = || {
        let mode =
            OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
        SqliteJournal::open(&path, "live", mode).expect("the file opens")
    };
    let empty = memory("VmRSS:");
    let engine = Engine::start(Box::new(open()), "live", |_, _| ()).expect("a new ledger starts");
    let clock = Instant::now();
    engine.execute_all(workload::founding()).wait().expect("the opening is durable");
    for first in (0..town).step_by(4_000) {
        let numbers = first..town.min(first + 4_000);
        engine.execute_all(workload::funding(numbers)).wait().expect("the funding is durable");
    }
    print_rate("open and fund subaccounts", subaccounts, clock);
    let opened = memory("VmRSS:");
    println!("memory: {} bytes a subaccount, one deposit each", (opened - empty) / subaccounts);
    let (disk, clock) = (size(&path), Instant::now());
    let mut waiting = VecDeque::new();
    let mut most = 0;
    for first in (0..transfers).step_by(8_000) {
        waiting.push_back(engine.execute_all(workload::transfers(town, first, BATCH)));
        if waiting.len() == AHEAD {
            waiting.pop_front().map(|ticket| ticket.wait().expect("durable"));
        }
        if first % (BATCH * 64) == 0 {
            most = most.max(memory("VmRSS:"));
        }
    }
    for ticket in waiting {
        ticket.wait().expect("durable");
    }
    print_rate("transfers, durable", transfers, clock);
    most = most.max(memory("VmRSS:"));
    println!(
        "memory: {} bytes a transfer that ended",
        memory("VmRSS:").saturating_sub(opened) / transfers
    );
    println!("memory: {} MiB resident at most", most >> 20);
    drop(engine);
    println!("disk: {} bytes a transfer", (size(&path) - disk) / transfers);

    let snapshots = Snapshots::in_folder(folder.path().join("snapshots"));
    let mut journal = open();
    let clock = Instant::now();
    let sequencer = Sequencer::open(&mut journal, "live", |_, _| ()).expect("it replays");
    print_rate("replay from the first record", sequencer.head().seq, clock);
    let clock = Instant::now();
    let saved = snapshots.save(&sequencer, journal.identity()).expect("it is saved");
    println!("snapshot: {} MiB saved in {:.1?}", size(&saved) >> 20, clock.elapsed());
    let head = sequencer.head();
    drop(sequencer);
    let clock = Instant::now();
    let (sequencer, began) =
        Sequencer::open_with(&mut journal, "live", &snapshots, |_, _| ()).expect("it opens");
    println!("open from the snapshot: {:.1?}", clock.elapsed());
    assert!(matches!(began, Began::After(at) if at == head), "{began:?}");
    assert_eq!(sequencer.head(), head);
}

fn print_rate(what: &str, count: u64, clock: Instant) {
    let spent = clock.elapsed();
    let rate = u128::from(count) * 1_000_000 / spent.as_micros().max(1);
    println!("{what}: {count} in {spent:.1?}, {rate}/s");
}
