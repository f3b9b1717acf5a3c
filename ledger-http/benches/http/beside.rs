//! Transfers alone, and beside clients who read as much as they can.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ledger_core::contract::{Call, CallKind};
use ledger_core::ledger::Origin;
use ledger_http::system_clock;
use ledger_store::engine::Engine;
use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::ledgers::KEY;
use crate::load::{self, Load, RequestKind, ask};
use crate::median;

/// The figures of one measurement.
pub(crate) const NAME: &str = "transfers beside readers";

/// How many clients read.
pub(crate) const READERS: u64 = 20;

/// How many transfers stand in the statement that is read: more than are kept in memory.
const HISTORY: u64 = 100_000;

/// The pages of the console that are read in turn.
const PAGES: [&str; 3] = ["/live/", "/live/accounts/loja", "/live/records"];

/// One round: transfers alone, transfers beside readers, and how much these read a second.
pub(crate) struct Round {
    alone: Load,
    beside: Load,
    reads: f64,
}

impl Round {
    /// Of several, the middle of each figure.
    pub(crate) fn median(rounds: &[Self]) -> Self {
        let loads = |of: fn(&Self) -> Load| rounds.iter().map(of).collect::<Vec<_>>();
        Self {
            alone: Load::median(&loads(|round| round.alone)),
            beside: Load::median(&loads(|round| round.beside)),
            reads: median(rounds.iter().map(|round| round.reads).collect()),
        }
    }
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { alone, beside, reads } = self;
        let times = beside.p99() as f64 / alone.p99() as f64;
        writeln!(f, "{:<22} {alone}", "transfers alone")?;
        write!(f, "{NAME:<22} {beside}  {times:.2} times p99, {reads:.0} reads/s")
    }
}

/// Makes transfers, so that statements are long.
pub(crate) fn fill(engine: &Engine) {
    let many = 1_000;
    for first in (0..HISTORY).step_by(many) {
        let done = engine.decide(move |sequencer| {
            (first..first + many as u64)
                .all(|number| sequencer.call(&transfer(number)).status == 200)
        });
        assert!(done.wait().expect("it answers"), "every transfer is made");
    }
}

fn transfer(number: u64) -> Call {
    let key = Some(KEY.to_owned());
    let (method, target) = ("POST".to_owned(), "/saldo/transferir".to_owned());
    let body = json!({ "amount_cents": 1, "from_customer_ref": "casa",
        "to_customer_ref": format!("c{}", number % 1_000), "external_id": format!("h-{number}") });
    let ask = CallKind::Request { method, target, key };
    let (origin, supplied) = (Origin::Call, Value::Null);
    Call { at: system_clock()(), origin, ask, body, supplied, ip: None }
}

/// Measures transfers to the first address alone, and then while clients read there and of the
/// console.
pub(crate) async fn measure(
    (address, console): (SocketAddr, SocketAddr),
    numbers: u64,
    (seconds, connections): (u64, u64),
) -> Round {
    let transfers =
        |numbers| load::measure(address, RequestKind::Transfer, numbers, (seconds, connections));
    let alone = transfers(numbers).await;
    let ending = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..READERS)
        .map(|nth| {
            let ending = Arc::clone(&ending);
            tokio::spawn(async move {
                match nth % 3 {
                    0 => statements(address, &ending).await,
                    1 => turns(address, &["/saldo/consolidado"], &ending).await,
                    _ => turns(console, &PAGES, &ending).await,
                }
            })
        })
        .collect();
    let beside = transfers(numbers + 500_000_000).await;
    ending.store(true, Ordering::Relaxed);
    let mut reads = 0_u64;
    for reader in readers {
        reads += reader.await.expect("a client that fails says so");
    }
    Round { alone, beside, reads: reads as f64 / seconds as f64 }
}

/// Reads one page of a statement after the other, and begins again at the end.
async fn statements(address: SocketAddr, ending: &AtomicBool) -> u64 {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    let (mut reads, mut target) = (0, STATEMENT.to_owned());
    while !ending.load(Ordering::Relaxed) {
        let answer = get(&mut stream, &target).await;
        let (_, body) = answer.split_once("\r\n\r\n").expect("it has a body");
        let body: Value = serde_json::from_str(body).expect("it is JSON");
        target = match body["proxima_pagina"].as_str() {
            Some(cursor) => format!("{STATEMENT}&before={cursor}"),
            None => STATEMENT.to_owned(),
        };
        reads += 1;
    }
    reads
}

const STATEMENT: &str = "/saldo/extrato?limit=200";

/// Reads these targets in turn.
async fn turns(address: SocketAddr, targets: &[&str], ending: &AtomicBool) -> u64 {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    let mut reads = 0;
    for target in targets.iter().cycle() {
        if ending.load(Ordering::Relaxed) {
            break;
        }
        get(&mut stream, target).await;
        reads += 1;
    }
    reads
}

async fn get(stream: &mut TcpStream, target: &str) -> String {
    let request = format!("GET {target} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: {KEY}\r\n\r\n");
    let answer = ask(stream, &request).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{target}: {answer}");
    answer
}
