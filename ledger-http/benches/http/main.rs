//! The service beside a bare route of the same server, in one run: transfers, balances and payouts,
//! durable, with webhooks on, with an outbox alone, and with neither. Then transfers alone, and
//! beside clients who read statements, consolidated balances and the console all the time.
//!
//! ```console
//! $ cargo bench -p ledger-http --bench http -- [sqlite|memory|postgres://…] [SECONDS] [CONNECTIONS] [NAME]
//! ```
//!
//! A name restricts what is measured beside the bare route to what begins with it, such as `payout`.
//!
//! The clients run in the same process, and take their part of the machine for the bare route as
//! for the others. Rates are given as parts of the bare route's, the median of the rounds.

#![allow(clippy::cast_precision_loss)] // Counts of a few minutes.

mod beside;
mod ledgers;
mod lines;
mod load;

use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::post;
use ledger_core::contract::Environment;
use ledger_http::courier::CourierTask;
use ledger_http::server::{Connections, Running};
use ledger_http::{Token, console_router, router, world_router};
use serde_json::Value;

use ledgers::{OutboxMode, Served, Storage};
use load::{Load, RequestKind};

/// The program's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How often all are measured, in turn.
const ROUNDS: usize = 5;

/// The name of the floor: a route that answers at once.
const BARE: &str = "bare route";

/// Facts in bulk, webhooks on.
const LINES: &str = "lines of facts";

/// How many of them at once.
const MANY_LINES: u64 = 100_000;

/// What is measured: its name, what is asked, and of which service.
const MEASURED: [(&str, RequestKind, Option<OutboxMode>); 6] = [
    (BARE, RequestKind::Bare, None),
    ("transfer, webhooks on", RequestKind::Transfer, Some(OutboxMode::Webhooks)),
    ("balance, webhooks on", RequestKind::Balance, Some(OutboxMode::Webhooks)),
    ("transfer, no outbox", RequestKind::Transfer, Some(OutboxMode::Nothing)),
    ("payout, outbox", RequestKind::Payout, Some(OutboxMode::Outbox)),
    ("payout, no outbox", RequestKind::Payout, Some(OutboxMode::Nothing)),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let store = arguments.first().map_or("sqlite", String::as_str);
    let number = |at: usize, otherwise: u64| {
        arguments.get(at).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let (seconds, connections) = (number(1, 4), number(2, 64));
    let asked = |name: &str| match arguments.get(3) {
        Some(beginning) => name == BARE || name.starts_with(&**beginning),
        None => true,
    };
    let folder = tempfile::tempdir().expect("a folder for the store");
    let served = OutboxMode::ALL.map(|kept| {
        let place = Storage::for_store(store, folder.path(), kept);
        (kept, Served::open(&place, kept))
    });
    let listen = || TcpListener::bind("127.0.0.1:0").expect("a port");
    let mut sites = Vec::new();
    let mut listening = |router: Router| {
        let listener = listen();
        let address = listener.local_addr().expect("it listens");
        sites.push((listener, router));
        address
    };
    let plain = listening(bare());
    let addresses = served.each_ref().map(|(kept, it)| (*kept, listening(router(&it.service))));
    let token = Token::new(lines::TOKEN).expect("it is long enough");
    let kept = |mode| &served.iter().find(|(kept, _)| *kept == mode).expect("it is one of all").1;
    let world = listening(world_router(&kept(OutboxMode::Webhooks).service, token));
    let console = listening(console_router(&kept(OutboxMode::Nothing).service, None));
    let ten = Duration::from_secs(10);
    let most = usize::try_from(connections * 4 + beside::READERS).expect("a number of connections");
    let limits = Connections { most, header_read: ten, drain: ten };
    let running = Running::start(sites, limits, None).expect("it serves");
    let couriers = served.each_ref().map(|(_, it)| CourierTask::start(&it.service));

    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let address = |kept: Option<OutboxMode>| {
        kept.map_or(plain, |kept| {
            addresses.iter().find(|(its, _)| *its == kept).expect("each is served").1
        })
    };
    println!("{}, {connections} connections, {seconds} s each, {ROUNDS} rounds", printable(store));
    let first = AtomicU64::new(0);
    let measured: Vec<_> = MEASURED.into_iter().filter(|(name, ..)| asked(name)).collect();
    let mut loads: Vec<_> = measured.iter().map(|_| Vec::new()).collect();
    for _ in 0..ROUNDS {
        for (at, (_, asked, kept)) in measured.iter().copied().enumerate() {
            let numbers = first.fetch_add(1_000_000_000, Ordering::Relaxed);
            let to: SocketAddr = address(kept);
            loads[at].push(runtime.block_on(load::measure(
                to,
                asked,
                numbers,
                (seconds, connections),
            )));
        }
    }
    let bare: Vec<f64> = loads[0].iter().map(|load: &Load| load.rate).collect();
    for ((name, ..), loads) in measured.iter().zip(&loads) {
        let parts = loads.iter().zip(&bare).map(|(load, bare)| load.rate / bare).collect();
        println!("{name:<22} {}  {:.2} of the bare route", Load::median(loads), median(parts));
    }
    if asked(LINES) {
        let mut rates = Vec::new();
        for _ in 0..ROUNDS {
            let numbers = first.fetch_add(1_000_000_000, Ordering::Relaxed);
            rates.push(runtime.block_on(lines::measure(world, numbers, MANY_LINES)));
        }
        println!("{LINES:<22} {:>8.0}/s, {MANY_LINES} at a time", median(rates));
    }
    if asked(beside::NAME) {
        let ledgers = kept(OutboxMode::Nothing).service.ledgers();
        beside::fill(ledgers.for_environment(Environment::Live).engine());
        let to = (address(Some(OutboxMode::Nothing)), console);
        let rounds = (0..ROUNDS).map(|_| {
            let numbers = first.fetch_add(1_000_000_000, Ordering::Relaxed);
            runtime.block_on(beside::measure(to, numbers, (seconds, connections)))
        });
        println!("{}", beside::Round::median(&rounds.collect::<Vec<_>>()));
    }
    for courier in couriers {
        if let Some(courier) = courier.expect("the courier begins") {
            courier.stop();
        }
    }
    assert!(running.end(), "everything was answered");
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A store as it may be printed.
fn printable(store: &str) -> &str {
    if store.starts_with("postgres") { "postgres" } else { store }
}

/// The floor: a body is read as JSON and written again.
fn bare() -> Router {
    let answer = async |body: Bytes| {
        let body: Value = serde_json::from_slice(&body).expect("it is JSON");
        ([(CONTENT_TYPE, "application/json")], body.to_string())
    };
    Router::new().route("/bare", post(answer))
}
