//! The service beside a bare route of the same server, in one run: 64 connections, transfers and
//! balances.
//!
//! ```console
//! $ cargo bench -p ledger-http --bench http -- [sqlite|memory] [SECONDS]
//! ```

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::post;
use ledger_core::contract::{Call, CallKind, Environment};
use ledger_core::ledger::Origin;
use ledger_http::server::{Connections, Running};
use ledger_http::{Ledgers, Limits, OpenLedger, Service, router, system_clock};
use ledger_store::engine::Engine;
use ledger_store::{Journal, MemoryDisk, MemoryJournal, OpenMode, SqliteJournal};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// How many clients ask at once, each on a connection of its own.
const CLIENTS: usize = 64;

/// How often all are measured, in turn.
const ROUNDS: usize = 3;

const KEY: &str = "svc_live_loja";

/// What is asked of whom.
#[derive(Clone, Copy)]
enum Asked {
    /// The bare route, with the body of a transfer.
    Bare,
    Transfer,
    Balance,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let store = arguments.first().map_or("sqlite", String::as_str).to_owned();
    let seconds = arguments.get(1).map_or(5, |text| text.parse().expect("a number of seconds"));
    let folder = tempfile::tempdir().expect("a folder for the store");
    let open = |environment: Environment| {
        let (name, mode) = (environment.name(), OpenMode::create());
        let journal: Box<dyn Journal> = match &*store {
            "memory" => {
                Box::new(MemoryJournal::open(&MemoryDisk::new(), name, mode).expect("it is new"))
            }
            _ => {
                let file = folder.path().join("ledger.db");
                Box::new(SqliteJournal::open(&file, name, mode).expect("it is new"))
            }
        };
        let engine = Engine::builder(name).start(journal).expect("a new ledger opens");
        OpenLedger::new(Arc::new(engine)).expect("it has just begun")
    };
    let ledgers = Ledgers::new(open(Environment::Live), open(Environment::Sandbox));
    fund(&ledgers);
    let limits = Limits { per_key: None, per_address: None, ..Limits::default() };
    let service = Service::builder(ledgers).limits(limits).build().expect("there is randomness");
    let bare = Router::new().route(
        "/bare",
        post(|body: Bytes| async move {
            let body: Value = serde_json::from_slice(&body).expect("it is JSON");
            ([(CONTENT_TYPE, "application/json")], body.to_string())
        }),
    );
    let listen = || TcpListener::bind("127.0.0.1:0").expect("a port");
    let (clients, bares) = (listen(), listen());
    let (served, plain) = (clients.local_addr().unwrap(), bares.local_addr().unwrap());
    let ten = Duration::from_secs(10);
    let connections = Connections { most: 1_000, header_read: ten, drain: ten };
    let sites = vec![(clients, router(&service)), (bares, bare)];
    let running = Running::start(sites, connections, None).expect("it serves");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let first = AtomicU64::new(0);
    println!("store {store}, {CLIENTS} connections, {seconds} s each");
    for round in 1..=ROUNDS {
        for (name, asked) in
            [("bare", Asked::Bare), ("transfer", Asked::Transfer), ("balance", Asked::Balance)]
        {
            let address = if matches!(asked, Asked::Bare) { plain } else { served };
            let numbers = first.fetch_add(1_000_000_000, Ordering::Relaxed);
            let took = runtime.block_on(measure(address, asked, numbers, seconds));
            println!("round {round}  {name:<8} {took}");
        }
    }
    assert!(running.end(), "everything was answered");
}

/// A new account with money to move.
fn fund(ledgers: &Ledgers) {
    let tell = |name: &str, body: Value, supplied: Value| {
        let (ask, origin) = (CallKind::Fact(name.to_owned()), Origin::Call);
        let call = Call { at: system_clock()(), origin, ask, body, supplied, ip: None };
        let answer = ledgers.of(Environment::Live).engine().call(call).wait().expect("it answers");
        assert_eq!(answer.status, 200, "{:?}", answer.body);
    };
    let opened = json!({ "id": "a-1", "account": "loja", "terms": { "carencia_horas": 0 } });
    tell("account.opened", opened, json!({ "key": KEY }));
    let gift = json!({ "id": "g-1", "account": "loja", "effect_cents": 90_000_000_000_i64,
        "actor": "bia", "reason": "a gift", "evidence": "case-1" });
    tell("fee.adjusted", gift, Value::Null);
}

/// What came of asking for a while: how many a second, and how long the middle one and the one in
/// a hundred took.
async fn measure(address: SocketAddr, asked: Asked, first: u64, seconds: u64) -> String {
    let (numbers, ending) = (Arc::new(AtomicU64::new(first)), Arc::new(AtomicBool::new(false)));
    let began = Instant::now();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let (numbers, ending) = (Arc::clone(&numbers), Arc::clone(&ending));
            tokio::spawn(client(address, asked, numbers, ending))
        })
        .collect();
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    ending.store(true, Ordering::Relaxed);
    let mut times = Vec::new();
    for client in clients {
        times.extend(client.await.expect("a client that fails says so"));
    }
    let rate = times.len() as u128 * 1_000_000 / began.elapsed().as_micros().max(1);
    times.sort_unstable();
    let at = |part: usize| times[times.len() * part / 100].as_micros();
    format!("{rate:>8}/s  p50 {:>6} us  p99 {:>6} us", at(50), at(99))
}

async fn client(
    address: SocketAddr,
    asked: Asked,
    numbers: Arc<AtomicU64>,
    ending: Arc<AtomicBool>,
) -> Vec<Duration> {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream.set_nodelay(true).expect("a socket has the option");
    let (mut times, mut answer) = (Vec::new(), vec![0; 16 * 1024]);
    while !ending.load(Ordering::Relaxed) {
        let request = request(asked, numbers.fetch_add(1, Ordering::Relaxed));
        let began = Instant::now();
        stream.write_all(request.as_bytes()).await.expect("it is connected");
        let mut read = 0;
        while !is_whole(&answer[..read]) {
            let more = stream.read(&mut answer[read..]).await.expect("it is connected");
            assert!(more > 0, "it closed: {}", String::from_utf8_lossy(&answer[..read]));
            read += more;
        }
        times.push(began.elapsed());
        let text = String::from_utf8_lossy(&answer[..read]);
        assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    }
    times
}

fn request(asked: Asked, number: u64) -> String {
    let body = json!({ "amount_cents": 1, "from_customer_ref": "casa",
        "to_customer_ref": format!("c{}", number % 1_000), "external_id": format!("t-{number}") });
    let body = body.to_string();
    let sent = |path: &str| {
        format!(
            "POST {path} HTTP/1.1\r\nhost: bench\r\nx-api-key: {KEY}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    match asked {
        Asked::Bare => sent("/bare"),
        Asked::Transfer => sent("/saldo/transferir"),
        Asked::Balance => {
            format!("GET /saldo HTTP/1.1\r\nhost: bench\r\nx-api-key: {KEY}\r\n\r\n")
        }
    }
}

/// Whether an answer is there with its body.
fn is_whole(answer: &[u8]) -> bool {
    let Some(head) = answer.windows(4).position(|part| part == b"\r\n\r\n") else { return false };
    let text = String::from_utf8_lossy(&answer[..head]).to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.and_then(|length| length.parse().ok()).unwrap_or(0);
    answer.len() >= head + 4 + length
}
