//! Many ledgers in one process and one database: what a thousand of them cost while nobody asks
//! them for anything.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

#[path = "../ledger-store/tests/setup/server.rs"]
mod server;

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use custody_ledger::fact::account::{AccountOpened, AccountTerms};
use custody_ledger::fact::adjustment::FeeAdjusted;
use custody_ledger::prelude::*;
use custody_ledger::request::balance::GetBalance;
use custody_ledger::request::payout::CreatePayout;
use custody_ledger::value::DecidedBy;
use custody_ledger::{Builder, PostgresServer};

/// How many ledgers there are.
const LEDGERS: usize = 1_000;

/// Of how many one is asked for something.
const EACH: usize = 10;

/// How many connections to the server they share.
const CONNECTIONS: usize = 8;

/// The one that holds the locks of all of them (rulings 80).
const LOCKS: usize = 1;

/// How many outboxes are read at once.
const READ: usize = 60;

/// How many threads open them.
const OPENERS: usize = 4;

/// Who is connected beside whoever asks: clients, and no process of the server's own.
const OTHERS: &str = "SELECT count(*) FROM pg_stat_activity \
    WHERE datname = current_database() AND pid <> pg_backend_pid() \
    AND backend_type = 'client backend'";

/// One at a time: each counts the threads and the memory of the process.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn a_thousand_ledgers_of_one_file_cost_less_than_a_hundred_threads_and_a_gibibyte() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("ledger.db").display());
    // The driver has a thread for each connection.
    let connections = || {
        let threads = fs::read_dir("/proc/self/task").unwrap().flatten();
        let names =
            threads.filter_map(|thread| fs::read_to_string(thread.path().join("comm")).ok());
        names.filter(|name| name.starts_with("sqlx-sqlite")).count()
    };
    // Sixteen are kept ready, each by one connection that writes and perhaps one that reads.
    holds_a_thousand("SQLite", 32, connections, |name| some_told(Ledger::builder(&store), name));
}

#[test]
fn a_thousand_ledgers_of_one_database_share_its_connections_and_cost_as_little() {
    let _alone = alone();
    let url = server::database();
    let server: PostgresServer = url.parse().unwrap();
    let server = server.with_pool(CONNECTIONS);
    let connections = || usize::try_from(server::number(&url, OTHERS)).unwrap();
    let build = |name: &str| some_told(Ledger::builder(server.clone()), name);
    holds_a_thousand("PostgreSQL", CONNECTIONS + LOCKS, connections, build);
}

#[test]
fn outboxes_that_are_written_and_read_at_once_share_those_connections_too() {
    let _alone = alone();
    let url = server::database();
    let server: PostgresServer = url.parse().unwrap();
    let server = server.with_pool(CONNECTIONS);
    let build = |name: &str| Ledger::builder(server.clone()).name(name).outbox();
    let (writing, most) = (AtomicBool::new(true), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // One session asks: the server may still list another that has just been closed.
            let mut session = server::Session::open(&url).unwrap();
            while writing.load(Ordering::Relaxed) {
                let now = usize::try_from(session.number(OTHERS)).unwrap();
                most.fetch_max(now, Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let openers = (0..OPENERS).map(|share| {
            scope.spawn(move || {
                let names = (0..READ / OPENERS).map(|at| format!("paying-{share}-{at}"));
                let ledgers = names.map(|name| build(&name).open().wait().unwrap());
                let ledgers: Vec<_> = ledgers.inspect(asks_for_a_pix).collect();
                // Each is read, and none gives up what it reads by.
                let mut outboxes: Vec<_> =
                    ledgers.iter().map(|ledger| ledger.outbox().unwrap()).collect();
                for outbox in &mut outboxes {
                    let send = outbox.instructions(10).unwrap();
                    assert_eq!(send.len(), 1, "{send:?}");
                    outbox.acknowledge(&send[0]).unwrap();
                }
                (ledgers, outboxes)
            })
        });
        let openers: Vec<_> = openers.collect();
        let open: Vec<_> = openers.into_iter().map(|opener| opener.join().unwrap()).collect();
        writing.store(false, Ordering::Relaxed);
        assert_eq!(open.iter().map(|(_, outboxes)| outboxes.len()).sum::<usize>(), READ);
    });
    let most = most.into_inner();
    assert!((1..=CONNECTIONS + LOCKS).contains(&most), "{most} connections");
}

/// Opens the account of a ledger, gives it money, and has it pay some of it out.
fn asks_for_a_pix(ledger: &Ledger) {
    let account = AccountName::new("loja").unwrap();
    let opened = AccountOpened::new(FactId::new("acc-1").unwrap(), account.clone());
    let opened = opened.terms(AccountTerms::new().waiting_hours(0));
    ledger
        .report(&opened.key("svc_live_loja".try_into().unwrap()))
        .wait()
        .unwrap()
        .ensure_applied()
        .unwrap();
    let by = DecidedBy::new("bia", "a gift").unwrap().evidence("case-1").unwrap();
    let gift = FactId::new("gift-1").unwrap();
    ledger
        .report(&FeeAdjusted::new(gift, account, Party::House, 9_000, by))
        .wait()
        .unwrap()
        .ensure_applied()
        .unwrap();
    let (cpf, key) = (Document::new("52998224725").unwrap(), PixKey::new("a@example.com").unwrap());
    let (fifty, id) = (Amount::new(5_000).unwrap(), ExternalId::new("p-1").unwrap());
    let loja = ledger.client(ApiKey::new("svc_live_loja").unwrap());
    loja.ask(&CreatePayout::new(fifty, Party::House, cpf, key, id)).wait().unwrap();
}

fn holds_a_thousand(
    store: &str,
    most_connections: usize,
    connections: impl Fn() -> usize,
    build: impl Fn(&str) -> Builder + Sync,
) {
    let memory = status("VmRSS");
    let start = Instant::now();
    let ledgers = opened(&build);
    let opening = start.elapsed();
    for ledger in ledgers.iter().step_by(EACH) {
        assert_eq!(used(ledger), 1);
    }
    let (threads, connected) = at_rest(&connections, most_connections);
    let grown = status("VmRSS") - memory;
    assert!(grown < 1024 * 1024, "{grown} KiB");
    println!(
        "{store}: {LEDGERS} ledgers opened in {} ms, {} of them used; at rest {threads} threads, \
         {connected} connections, {} MiB",
        opening.as_millis(),
        LEDGERS / EACH,
        grown / 1024,
    );
    // Each is still there and does what it is asked, whether it was used before or not.
    std::thread::scope(|scope| {
        for share in ledgers.chunks(LEDGERS / OPENERS) {
            scope.spawn(move || {
                for ledger in share {
                    assert_eq!(used(ledger), 1);
                    assert_eq!(ledger.shutdown().unwrap().seq, 1);
                }
            });
        }
    });
}

/// One ledger in ten keeps an outbox, which takes four times as long to open.
fn some_told(builder: Builder, name: &str) -> Builder {
    let builder = builder.name(name);
    if name.ends_with('0') { builder.outbox() } else { builder }
}

fn opened(build: &(impl Fn(&str) -> Builder + Sync)) -> Vec<Ledger> {
    std::thread::scope(|scope| {
        let shares: Vec<_> = (0..OPENERS)
            .map(|share| {
                scope.spawn(move || {
                    let numbers = (0..LEDGERS).skip(share * LEDGERS / OPENERS);
                    let names = numbers.take(LEDGERS / OPENERS).map(|at| format!("tenant-{at}"));
                    names.map(|name| build(&name).open().wait().unwrap()).collect::<Vec<_>>()
                })
            })
            .collect();
        shares.into_iter().flat_map(|share| share.join().unwrap()).collect()
    })
}

/// Opens the account of a ledger, once, and reads its balance; gives the last record.
fn used(ledger: &Ledger) -> u64 {
    let opened =
        AccountOpened::new(FactId::new("acc-1").unwrap(), AccountName::new("loja").unwrap());
    ledger
        .report(&opened.key("svc_live_loja".try_into().unwrap()))
        .wait()
        .unwrap()
        .ensure_applied()
        .unwrap();
    let loja = ledger.client(ApiKey::new("svc_live_loja").unwrap());
    let balance = loja.ask(&GetBalance::new(Party::House)).wait().unwrap().answer;
    assert_eq!(balance.available.cents(), 0);
    ledger.head().unwrap().seq
}

/// How many threads and connections there are, once they are as few as is promised.
fn at_rest(connections: impl Fn() -> usize, most_connections: usize) -> (usize, usize) {
    let patience = Instant::now() + Duration::from_secs(5);
    loop {
        let (threads, connected) = (status("Threads"), connections());
        if threads < 100 && connected <= most_connections {
            return (threads, connected);
        }
        assert!(Instant::now() < patience, "{threads} threads, {connected} connections");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A number that the system knows of this process.
fn status(of: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(of)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
