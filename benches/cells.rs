//! What cells cost: eight of them in one process beside one ledger alone, the same accounts,
//! callers and transfers in all; placing accounts; and a thousand cells that nobody asks.
//!
//! ```console
//! $ cargo bench --bench cells
//! ```

#![allow(clippy::cast_precision_loss)] // Counts of a few minutes.

use std::fs;
use std::path::Path;
use std::time::Instant;

use custody_ledger::fact::account::AccountOpened;
use custody_ledger::fact::adjustment::FeeAdjusted;
use custody_ledger::prelude::*;
use custody_ledger::request::balance::GetBalance;
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::value::DecidedBy;
use custody_ledger::{Cells, Placement};
use tokio::runtime::Runtime;

/// How many accounts there are, one to a cell where there are eight.
const ACCOUNTS: u64 = 8;

/// Transfers of one measurement, over all accounts.
const MANY: u64 = 40_000;

const TURNS: usize = 7;

/// How many cells that nobody asks.
const IDLE: usize = 1_000;

fn main() {
    let runtime = Runtime::new().expect("a runtime starts");
    println!("transfers a second of {ACCOUNTS} accounts in all, median of {TURNS} turns");
    for kind in ["memory", "sqlite"] {
        for callers in [64, 1_024] {
            beside(&runtime, kind, callers);
        }
    }
    placing();
    idle();
}

/// One ledger and eight cells, in turns, by so many callers that wait for one answer at a time.
fn beside(runtime: &Runtime, kind: &str, callers: u64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = |name: &str| match kind {
        "memory" => "memory:".to_owned(),
        _ => sqlite(folder.path(), name),
    };
    let alone = Cells::open(store("of-one"), [open(&store("one"), "one")]);
    let eight = (0..8).map(|number| format!("cell-{number}"));
    let eight: Vec<Ledger> = eight.map(|name| open(&store(&name), &name)).collect();
    let eight = Cells::open(store("of-eight"), eight);
    let both = [alone, eight].map(|cells| funded(&cells.wait().expect("they open")));
    let (mut rates, mut first) = ([Vec::new(), Vec::new()], 0);
    for _ in 0..TURNS {
        for (clients, rates) in both.iter().zip(&mut rates) {
            rates.push(rate(runtime, clients, callers, first));
            first += MANY;
        }
    }
    let [alone, eight] = rates.map(median);
    println!(
        "{kind}, {callers} callers: one ledger {alone:.0}, eight cells {eight:.0}; eight / one {:.2}",
        eight / alone
    );
}

/// A client of each account, whose house has money.
fn funded(cells: &Cells) -> Vec<custody_ledger::CellsClient> {
    (0..ACCOUNTS)
        .map(|number| {
            let (name, key) = (format!("shop-{number}"), format!("svc_live_shop{number}"));
            let account = AccountName::new(&name).expect("a name");
            let opened =
                AccountOpened::new(name.as_str().try_into().expect("an id"), account.clone());
            let opened = opened.key(key.as_str().try_into().expect("a key"));
            cells
                .report(&opened)
                .wait()
                .expect("it is applied")
                .ensure_applied()
                .expect("the books allow it");
            let by = DecidedBy::new("bench", "money").expect("texts");
            let by = by.evidence("case").expect("text");
            let id = format!("gift-{number}").as_str().try_into().expect("an id");
            let gift = FeeAdjusted::new(id, account, Party::House, 1_000_000_000, by);
            cells
                .report(&gift)
                .wait()
                .expect("it is applied")
                .ensure_applied()
                .expect("the books allow it");
            let client = cells.client(ApiKey::new(&key).expect("a key"));
            // So that its key is known before anything is measured.
            client.ask(&GetBalance::new(Party::House)).wait().expect("it is answered");
            client
        })
        .collect()
}

/// How many transfers a second `callers` make, each for one of the clients in turn.
fn rate(
    runtime: &Runtime,
    clients: &[custody_ledger::CellsClient],
    callers: u64,
    first: u64,
) -> f64 {
    let clock = Instant::now();
    runtime.block_on(async {
        let mut tasks = Vec::new();
        for caller in 0..callers {
            let client = clients[usize::try_from(caller % ACCOUNTS).expect("eight")].clone();
            tasks.push(tokio::spawn(async move {
                for number in (caller..MANY).step_by(usize::try_from(callers).expect("a few")) {
                    let to = Party::customer("ana").expect("a name");
                    let id = ExternalId::new(&format!("t-{}", first + number)).expect("an id");
                    let amount = Amount::new(1).expect("above zero");
                    let asked = client.ask(&CreateTransfer::new(Party::House, to, amount, id));
                    asked.await.expect("it is done");
                }
            }));
        }
        for task in tasks {
            task.await.expect("no transfer panics");
        }
    });
    MANY as f64 / clock.elapsed().as_secs_f64()
}

/// How many accounts a second are placed, one after the other, each by a commit.
fn placing() {
    const PLACED: u32 = 2_000;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let ledgers = ["cell-a", "cell-b"].map(|name| open("memory:", name));
    let cells = Cells::open(sqlite(folder.path(), "directory"), ledgers).wait().expect("they open");
    let clock = Instant::now();
    for number in 0..PLACED {
        let account = AccountName::new(&format!("shop-{number}")).expect("a name");
        cells.place(&account, Placement::FewestAccounts).wait().expect("it is placed");
    }
    println!("placed on sqlite: {:.0} a second", f64::from(PLACED) / clock.elapsed().as_secs_f64());
}

/// A thousand cells of one file, asked for nothing.
fn idle() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = sqlite(folder.path(), "cells");
    let before = status("VmRSS");
    let clock = Instant::now();
    let ledgers: Vec<Ledger> =
        (0..IDLE).map(|number| open(&store, &format!("cell-{number:04}"))).collect();
    let opened = clock.elapsed();
    let clock = Instant::now();
    let cells = Cells::open(sqlite(folder.path(), "directory"), ledgers).wait();
    let cells = cells.expect("they open");
    let joined = clock.elapsed();
    // What rests gives back its thread and its connection.
    std::thread::sleep(std::time::Duration::from_secs(2));
    println!(
        "{IDLE} idle cells: opened in {} ms, joined by a new directory in {} ms; {} threads, {} KiB \
         each",
        opened.as_millis(),
        joined.as_millis(),
        status("Threads"),
        (status("VmRSS") - before) / IDLE
    );
    drop(cells);
}

fn open(store: &str, name: &str) -> Ledger {
    Ledger::builder(store).name(name).tick(None).open().wait().expect("it opens")
}

fn sqlite(folder: &Path, name: &str) -> String {
    format!("sqlite:{}", folder.join(format!("{name}.db")).display())
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[TURNS / 2]
}

/// A number that the system knows of this process.
fn status(of: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("the system is Linux");
    let line = status.lines().find_map(|line| line.strip_prefix(of)).expect("it has the line");
    line.split_whitespace().nth(1).and_then(|text| text.parse().ok()).expect("a number")
}
