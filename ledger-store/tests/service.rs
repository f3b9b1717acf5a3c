//! The example of an asynchronous service, run and talked to by many clients at once.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

#[allow(dead_code)] // Its `main` is not called here.
#[path = "../examples/tcp.rs"]
mod service;

use std::net::SocketAddr;
use std::sync::Arc;

use ledger_store::engine::Engine;
use ledger_store::journal::Journal;
use ledger_store::{OpenMode, SqliteJournal};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

const CLIENTS: u64 = 40;

const CHARGES: u64 = 25;

const OPEN: &str = r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"acc","account":"loja"},"supplied":{"key":"svc_live_loja"}}"#;

struct Client(Lines<BufReader<OwnedReadHalf>>, OwnedWriteHalf);

impl Client {
    async fn connect(address: SocketAddr) -> Self {
        let (read, write) = TcpStream::connect(address).await.unwrap().into_split();
        Self(BufReader::new(read).lines(), write)
    }

    async fn send(&mut self, line: &str) -> Value {
        self.1.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        serde_json::from_str(&self.0.next_line().await.unwrap().unwrap()).unwrap()
    }
}

/// A charge under an `external_id` of its client and number.
fn charge(client: u64, number: u64) -> String {
    format!(
        r#"{{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"POST /cashin/charge","body":{{"amount_cents":{},"destino":"saldo","customer_ref":"c-{client}","payer_tax_number":"{}","external_id":"p-{client}-{number}"}},"supplied":{{"qr_copypaste":"code"}}}}"#,
        1_000 + number,
        cpf(client)
    )
}

/// A payer of its own for every client: no ladder stands in the way.
fn cpf(client: u64) -> String {
    let mut digits: Vec<u64> =
        format!("{:09}", 100_000_000 + client).bytes().map(|b| u64::from(b - b'0')).collect();
    for weight in [10, 11] {
        let sum: u64 = digits.iter().zip((2..=weight).rev()).map(|(digit, w)| digit * w).sum();
        digits.push(if sum % 11 < 2 { 0 } else { 11 - sum % 11 });
    }
    digits.iter().map(u64::to_string).collect()
}

/// Asks for each of its charges twice; gives how many operations they made.
async fn client(address: SocketAddr, name: u64) -> usize {
    let mut client = Client::connect(address).await;
    let mut ids = Vec::new();
    for number in 0..CHARGES {
        let answer = client.send(&charge(name, number)).await;
        assert_eq!(answer["status"], 200, "{answer}");
        assert_eq!(client.send(&charge(name, number)).await["body"], answer["body"]);
        ids.push(answer["body"]["cashin_id"].as_str().unwrap().to_owned());
    }
    ids.sort_unstable();
    ids.dedup();
    ids.len()
}

#[test]
fn many_clients_at_once_are_answered_each_in_order_and_all_is_durable() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    let journal = SqliteJournal::open(&path, "live", OpenMode::create()).unwrap();
    // A queue much smaller than the crowd: places are waited for, and nobody is turned away.
    let engine = Arc::new(Engine::builder("live").queue(8).start(Box::new(journal)).unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let made: usize = runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(service::serve(listener, Arc::clone(&engine)));
        assert_eq!(Client::connect(address).await.send(OPEN).await["status"], 200);
        let clients: Vec<_> =
            (0..CLIENTS).map(|name| tokio::spawn(client(address, name))).collect();
        let mut made = 0;
        for client in clients {
            made += client.await.unwrap();
        }
        made
    });
    assert_eq!(made as u64, CLIENTS * CHARGES);
    let counters = engine.counters();
    assert_eq!(counters.records, CLIENTS * CHARGES + 1);
    assert!(counters.commits < counters.records, "no two callers shared a commit");
    let head = engine.stop().unwrap();
    assert_eq!(head.seq, CLIENTS * CHARGES + 1);
    let mut kept = SqliteJournal::open(&path, "live", OpenMode::ReadOnly).unwrap();
    assert_eq!(kept.head().unwrap(), head);
}

#[test]
fn a_line_that_cannot_be_read_is_answered_and_a_stopped_engine_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    let journal = SqliteJournal::open(path, "live", OpenMode::create()).unwrap();
    let engine = Arc::new(Engine::builder("live").start(Box::new(journal)).unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(service::serve(listener, Arc::clone(&engine)));
        let mut client = Client::connect(address).await;
        for broken in [
            "{",
            "[]",
            r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"$x"}}"#,
        ] {
            let answer = client.send(broken).await;
            assert_eq!(answer["status"], 400, "{answer}");
            assert!(!answer["body"]["detail"].as_str().unwrap().is_empty());
        }
        assert_eq!(client.send(OPEN).await["status"], 200);
        let stopping = Arc::clone(&engine);
        let head = tokio::task::spawn_blocking(move || stopping.stop()).await.unwrap();
        assert_eq!(head.unwrap().seq, 1);
        let answer = client.send(&charge(1, 1)).await;
        assert_eq!(answer["status"], 503);
        assert!(answer["body"]["erro"].as_str().unwrap().contains("nothing of this was decided"));
    });
}
