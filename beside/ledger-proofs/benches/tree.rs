//! What the tree over the records costs beside writing them, and how long proofs take at ten
//! million records.

#![allow(missing_docs)] // A benchmark has no readers of its documentation.

#[path = "../../../benches/workload/mod.rs"]
mod workload;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ledger_core::ledger::Command;
use ledger_proofs::record_tree::RecordTree;
use ledger_proofs::tree::{Frontier, leaf_hash};
use ledger_store::engine::{Engine, Ticket};
use ledger_store::frame::FrameWriter;
use ledger_store::{
    Chain, Commit, Head, Journal, MemoryDisk, MemoryJournal, OpenMode, SqliteJournal,
};

const TOWN: u32 = 10_000;

/// How many transfers are written in a turn, in commits of so many.
const BATCHES: usize = 200;
const COMMIT: u64 = 1_000;

/// How often writing is measured, alone and while a tree follows.
const TURNS: usize = 7;

/// How long a follower waits when it has seen everything.
const LOOK: Duration = Duration::from_millis(50);

/// How many links are hashed to measure that alone.
const LINKS: u64 = 1_000_000;

/// How many commits are under way at once: the next is decided while the last is written.
const AHEAD: usize = 4;

/// The tree that proofs are made of.
const LEAVES: u64 = 10_000_000;
const PROOFS: u64 = 1_000;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    beside_writing(&folder.path().join("ledger.db"), &folder.path().join("live.tree"));
    at_ten_million(&folder.path().join("large.tree"));
}

fn each(total: Duration, count: u64) -> f64 {
    total.as_secs_f64() * 1e9 / f64::from(u32::try_from(count).expect("fewer than four billion"))
}

/// Transfers are written through an engine onto SQLite, in turns: alone, and while a tree follows them
/// on a thread of its own, as one does beside `serve`. Then the tree's parts are measured alone.
fn beside_writing(store: &Path, tree: &Path) {
    let mode = OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
    let journal = SqliteJournal::open(store, "live", mode).expect("the file opens");
    let engine = Engine::builder("live").start(Box::new(journal)).expect("a new ledger starts");
    for chunk in workload::opening(TOWN).chunks(8_000) {
        engine.execute_all(chunk.to_vec()).wait().expect("the opening is durable");
    }
    let reading = || SqliteJournal::open(store, "live", OpenMode::ReadOnly).expect("it is read");
    let mut kept = RecordTree::open(tree).expect("the tree opens");
    let follow_to_the_end = |kept: &mut RecordTree| {
        let clock = Instant::now();
        let before = kept.size();
        kept.follow(&mut reading(), "live").expect("the ledger is followed");
        each(clock.elapsed(), (kept.size() - before).max(1))
    };
    follow_to_the_end(&mut kept);

    let mut batches = (0..).map(|batch| workload::transfers(TOWN, batch * COMMIT, COMMIT));
    let (mut alone, mut followed, mut ratios, mut work) = (vec![], vec![], vec![], vec![]);
    for turn in 0..TURNS {
        let mut of = |beside: bool, kept: &mut RecordTree| {
            let batches: Vec<_> = batches.by_ref().take(BATCHES).collect();
            if beside {
                write_followed(&engine, batches, kept, reading)
            } else {
                write(&engine, batches)
            }
        };
        // Each second turn begins with the other, so that neither has the warmer file.
        let (one, two) = if turn % 2 == 0 {
            let one = of(false, &mut kept);
            work.push(follow_to_the_end(&mut kept));
            (one, of(true, &mut kept))
        } else {
            let two = of(true, &mut kept);
            let one = of(false, &mut kept);
            work.push(follow_to_the_end(&mut kept));
            (one, two)
        };
        alone.push(one);
        followed.push(two);
        ratios.push(one / two);
    }
    let head = engine.stop().expect("the engine ends");
    follow_to_the_end(&mut kept);
    assert_eq!(kept.size(), head.seq, "every record is a leaf");

    let links: Vec<[u8; 32]> =
        (0..LINKS).map(|n| *blake3::hash(&n.to_le_bytes()).as_bytes()).collect();
    let (mut frontier, mut stored) = (Frontier::default(), 0_u64);
    let clock = Instant::now();
    for link in &links {
        frontier.push(leaf_hash(link), |_| stored += 1);
    }
    let hash = each(clock.elapsed(), LINKS);
    assert!(stored > LINKS, "nodes were made");

    let [write, beside, work] = [alone, followed, work].map(median);
    println!("writing, SQLite, commits of {COMMIT}: {write:.0} ns a record (median of {TURNS})");
    println!("writing while a tree follows: {beside:.0} ns a record");
    println!("of the rate alone, writing keeps {:.3} (median of {TURNS} pairs)", median(ratios));
    println!("tree, hashes alone: {hash:.0} ns a record, {:.3} of writing", hash / write);
    println!(
        "tree, journal read, chain followed, hashed, written and synced: {work:.0} ns a record, \
         {:.3} of writing, when nothing is written",
        work / write
    );
}

/// Nanoseconds a transfer, from the first batch to the last commit.
fn write(engine: &Engine, batches: Vec<Vec<Command>>) -> f64 {
    let clock = Instant::now();
    let mut under_way = VecDeque::new();
    for batch in batches {
        if under_way.len() == AHEAD {
            let ticket: Ticket<_> = under_way.pop_front().expect("four are");
            ticket.wait().expect("the commit is durable");
        }
        under_way.push_back(engine.execute_all(batch));
    }
    for ticket in under_way {
        ticket.wait().expect("the commit is durable");
    }
    each(clock.elapsed(), BATCHES as u64 * COMMIT)
}

/// The same, while `kept` follows what is written, as often as a checkpoint's maker looks.
fn write_followed(
    engine: &Engine,
    batches: Vec<Vec<Command>>,
    kept: &mut RecordTree,
    reading: impl Fn() -> SqliteJournal,
) -> f64 {
    let ended = AtomicBool::new(false);
    let mut journal = reading();
    thread::scope(|scope| {
        let follower = scope.spawn(|| {
            let before = kept.size();
            while !ended.load(Ordering::Acquire) {
                kept.follow(&mut journal, "live").expect("the ledger is followed");
                thread::sleep(LOOK);
            }
            kept.follow(&mut journal, "live").expect("the ledger is followed");
            kept.size() - before
        });
        let took = write(engine, batches);
        ended.store(true, Ordering::Release);
        let leaves = follower.join().expect("the follower ends");
        assert!(leaves >= BATCHES as u64 * COMMIT, "the tree followed all of it");
        took
    })
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Proofs are read from the file of a tree of ten million records.
fn at_ten_million(path: &Path) {
    let disk = MemoryDisk::new();
    let mut journal = MemoryJournal::open(&disk, "live", OpenMode::create()).expect("memory opens");
    let opening = journal.open_writer().expect("memory is written");
    let mut frames = FrameWriter::new(Chain::genesis(opening.algorithm, "live"));
    while frames.chain().seq() < LEAVES {
        let previous = Head::from_chain(&frames.chain());
        let mut rows = Vec::new();
        for _ in 0..100 {
            for _ in 0..1_000 {
                frames.push(&(frames.chain().seq() % 251).to_le_bytes()[..1]);
            }
            rows.extend(frames.cut());
        }
        let commit = Commit { previous, rows, vault: Vec::new() };
        journal.append(&commit).expect("memory is written");
    }
    let mut tree = RecordTree::open(path).expect("the tree opens");
    let clock = Instant::now();
    tree.follow(&mut journal, "live").expect("the tree follows");
    println!("tree of {LEAVES} made from memory: {:.1} s", clock.elapsed().as_secs_f64());
    drop(tree);

    let mut tree = RecordTree::open(path).expect("the tree opens");
    let mut number = 1_u64;
    let mut below = |bound: u64| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
        (number >> 20) % bound
    };
    // Not the whole tree alone, whose right edge is known already.
    let mut inclusions = Vec::new();
    let mut consistencies = Vec::new();
    for _ in 0..PROOFS {
        let size = LEAVES - below(1_000_000);
        let record = 1 + below(size);
        let clock = Instant::now();
        tree.inclusion(record, size).expect("the tree is read");
        inclusions.push(clock.elapsed());
        let clock = Instant::now();
        tree.consistency(record, size).expect("the tree is read");
        consistencies.push(clock.elapsed());
    }
    for (name, mut took) in [("inclusion", inclusions), ("consistency", consistencies)] {
        took.sort_unstable();
        let [median, worst] = [took[took.len() / 2], took[took.len() - 1]];
        println!("{name} at {LEAVES}: median {median:?}, worst of {PROOFS} {worst:?}");
    }
}
