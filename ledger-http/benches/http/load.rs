//! Clients that ask one thing after the other, each on a connection of its own.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::ledgers::KEY;

/// What is asked.
#[derive(Clone, Copy)]
pub(crate) enum RequestKind {
    /// The bare route, with the body of a transfer.
    Bare,
    Transfer,
    Balance,
    Payout,
}

/// What came of asking for a while: answers a second, and how long the middle one, the one in a
/// hundred and the one in a thousand took, in microseconds.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) rate: f64,
    took: [u128; 3],
}

impl Load {
    /// Of several, the middle of each figure.
    pub(crate) fn median(loads: &[Self]) -> Self {
        let middle = |took: usize| {
            let mut values: Vec<u128> = loads.iter().map(|load| load.took[took]).collect();
            values.sort_unstable();
            values[values.len() / 2]
        };
        let rate = crate::median(loads.iter().map(|load| load.rate).collect());
        Self { rate, took: [0, 1, 2].map(middle) }
    }

    /// How long the one in a hundred took, in microseconds.
    pub(crate) const fn p99(&self) -> u128 {
        self.took[1]
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rate, took: [p50, p99, p999] } = self;
        write!(f, "{rate:>8.0}/s  p50 {p50:>6} us  p99 {p99:>6} us  p99.9 {p999:>6} us")
    }
}

pub(crate) async fn measure(
    address: SocketAddr,
    asked: RequestKind,
    first: u64,
    (seconds, connections): (u64, u64),
) -> Load {
    let (numbers, ending) = (Arc::new(AtomicU64::new(first)), Arc::new(AtomicBool::new(false)));
    let mut streams = Vec::new();
    for _ in 0..connections {
        let stream = TcpStream::connect(address).await.expect("it listens");
        stream.set_nodelay(true).expect("a socket has the option");
        streams.push(stream);
    }
    let began = Instant::now();
    let clients: Vec<_> = streams
        .into_iter()
        .map(|stream| {
            let (numbers, ending) = (Arc::clone(&numbers), Arc::clone(&ending));
            tokio::spawn(client(stream, asked, numbers, ending))
        })
        .collect();
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    ending.store(true, Ordering::Relaxed);
    let mut times = Vec::new();
    for client in clients {
        times.extend(client.await.expect("a client that fails says so"));
    }
    let rate = times.len() as f64 / began.elapsed().as_secs_f64();
    times.sort_unstable();
    let at = |thousandths: usize| times[times.len() * thousandths / 1_000].as_micros();
    Load { rate, took: [500, 990, 999].map(at) }
}

async fn client(
    mut stream: TcpStream,
    asked: RequestKind,
    numbers: Arc<AtomicU64>,
    ending: Arc<AtomicBool>,
) -> Vec<Duration> {
    let mut times = Vec::new();
    while !ending.load(Ordering::Relaxed) {
        let request = request(asked, numbers.fetch_add(1, Ordering::Relaxed));
        let began = Instant::now();
        let answer = ask(&mut stream, &request).await;
        times.push(began.elapsed());
        assert!(answer.starts_with("HTTP/1.1 20"), "{answer}");
    }
    times
}

/// Sends a request, and gives the whole answer.
pub(crate) async fn ask(stream: &mut TcpStream, request: &str) -> String {
    stream.write_all(request.as_bytes()).await.expect("it is connected");
    let mut answer = Vec::with_capacity(16 * 1024);
    while !is_whole(&answer) {
        let more = stream.read_buf(&mut answer).await.expect("it is connected");
        assert!(more > 0, "it closed: {}", String::from_utf8_lossy(&answer));
    }
    String::from_utf8(answer).expect("an answer is text")
}

fn request(asked: RequestKind, number: u64) -> String {
    let sent = |path: &str, body: String| {
        format!(
            "POST {path} HTTP/1.1\r\nhost: bench\r\nx-api-key: {KEY}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let transfer = || {
        let body = json!({ "amount_cents": 1, "from_customer_ref": "casa",
            "to_customer_ref": format!("c{}", number % 1_000),
            "external_id": format!("t-{number}") });
        body.to_string()
    };
    match asked {
        RequestKind::Bare => sent("/bare", transfer()),
        RequestKind::Transfer => sent("/saldo/transferir", transfer()),
        RequestKind::Payout => {
            let body = json!({ "amount_cents": 1_000,
                "tax_number": "52998224725", "pix_key": "52998224725",
                "external_id": format!("p-{number}") });
            sent("/payouts", body.to_string())
        }
        RequestKind::Balance => {
            format!("GET /saldo HTTP/1.1\r\nhost: bench\r\nx-api-key: {KEY}\r\n\r\n")
        }
    }
}

/// Tells whether an answer is there with its body.
fn is_whole(answer: &[u8]) -> bool {
    let Some(head) = answer.windows(4).position(|part| part == b"\r\n\r\n") else { return false };
    let text = String::from_utf8_lossy(&answer[..head]).to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.and_then(|length| length.parse().ok()).unwrap_or(0);
    answer.len() >= head + 4 + length
}
