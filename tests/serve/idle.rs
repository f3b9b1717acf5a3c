//! Clients that hold a connection and ask nothing, or ask half and read nothing.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use super::serving::{Serving, folder, serve};

/// How many connections wait while others are served.
const IDLE: usize = 10_000;

/// The most memory that the process may have while they do: 20 KiB each, and what it takes alone.
const MOST_KIB: u64 = 320 * 1_024;

/// The address to connect to.
fn address(serving: &Serving) -> String {
    serving.address("serves").trim_start_matches("http://").to_owned()
}

/// Returns what is answered to a request for the service's health on a connection of its own.
fn health_response(address: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream
        .write_all(b"GET /health/ready HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// The memory of a process that is resident, in KiB.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn ten_thousand_idle_connections_keep_nobody_from_being_answered() {
    let limit = std::fs::read_to_string("/proc/self/limits").unwrap();
    let files = limit.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let soft: usize = files.split_whitespace().nth(3).unwrap().parse().unwrap();
    assert!(IDLE + 200 < soft, "{soft} open files are too few: run it after `ulimit -n 12000`");
    let (_folder, store) = folder();
    let mut command = serve(&store);
    command.args(["--header-seconds", "120"]);
    let serving = Serving::from_command(command);
    let address = address(&serving);
    let idle: Vec<TcpStream> = (0..IDLE - 100)
        .map(|number| {
            let stream = TcpStream::connect(&address);
            stream.unwrap_or_else(|error| panic!("connection {number}: {error}"))
        })
        .collect();
    let began = Instant::now();
    assert!(health_response(&address).starts_with("HTTP/1.1 200"));
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    let kib = resident(serving.process());
    assert!(kib < MOST_KIB, "{kib} KiB for {IDLE} connections");
    // None of them was closed to make room.
    for stream in idle.iter().step_by(100) {
        stream.set_nonblocking(true).unwrap();
        let read = (&mut &*stream).read(&mut [0]);
        assert_eq!(read.unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    }
    println!("{IDLE} idle connections: {kib} KiB resident");
}

#[test]
fn a_client_that_sent_all_it_will_is_still_answered() {
    let (_folder, store) = folder();
    let serving = Serving::start(&store);
    let mut stream = TcpStream::connect(address(&serving)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.write_all(b"GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[test]
fn clients_that_read_nothing_and_clients_that_hang_up_keep_nobody_from_being_answered() {
    let (_folder, store) = folder();
    let serving = Serving::start(&store);
    let address = address(&serving);
    let unread: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = TcpStream::connect(&address).unwrap();
            stream.set_nonblocking(true).unwrap();
            // Far more answers than either side keeps for whoever does not read.
            let request = b"GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(200);
            let _ = stream.write(&request);
            stream
        })
        .collect();
    for _ in 0..200 {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream
            .write_all(b"POST /payouts HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
            .unwrap();
    }
    assert!(health_response(&address).starts_with("HTTP/1.1 200"));
    drop(unread);
    assert!(health_response(&address).starts_with("HTTP/1.1 200"));
    serving.signal("TERM");
    assert!(serving.rest().1, "it ends although they are there");
}
