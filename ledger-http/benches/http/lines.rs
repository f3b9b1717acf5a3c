//! Facts in bulk: JSON lines to the world's listener, over one connection that sends while it
//! reads.

use std::net::SocketAddr;
use std::time::Instant;

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// The token of the world's listener.
pub(crate) const TOKEN: &str = "a-token-of-the-benchmark-and-of-nobody-else";

/// How many lines a second are answered, of `many` corrections of fees that are sent at once;
/// numbers begin at `first`.
pub(crate) async fn measure(address: SocketAddr, first: u64, many: u64) -> f64 {
    let (mut lines, at) = (String::new(), ledger_http::system_clock()().to_string());
    for number in first..first + many {
        let body = json!({ "id": format!("f-{number}"), "account": "loja", "effect_cents": 1,
            "actor": "bia", "reason": "bulk", "evidence": "case-2" });
        lines += &json!({ "at": at, "fact": "fee.adjusted", "body": body }).to_string();
        lines.push('\n');
    }
    let head = format!(
        "POST /lines HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {TOKEN}\r\n\
         content-type: application/jsonl\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        lines.len()
    );
    let stream = TcpStream::connect(address).await.expect("it listens");
    let began = Instant::now();
    let (mut reading, mut writing) = stream.into_split();
    let sending = tokio::spawn(async move {
        writing.write_all(head.as_bytes()).await.expect("it is connected");
        writing.write_all(lines.as_bytes()).await.expect("it is connected");
        writing
    });
    let mut answers = Vec::new();
    reading.read_to_end(&mut answers).await.expect("it is connected");
    let took = began.elapsed().as_secs_f64();
    drop(sending.await.expect("a client that fails says so"));
    let answers = String::from_utf8_lossy(&answers);
    let answered = answers.matches("\"status\":200").count() as u64;
    assert_eq!(answered, many, "every line is answered: {}", &answers[..answers.len().min(900)]);
    many as f64 / took
}
