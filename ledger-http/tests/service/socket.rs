//! The world's routes on a socket of the file system, whose permission stands for the token.
#![cfg(unix)]

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use ledger_http::server::{Connections, Listening, Running, UnixSocket};
use ledger_http::{Token, world_router};

use crate::served::Served;

/// The whole answer to a request, as it came.
fn send(path: &Path, line: &str, headers: &str, body: &str) -> String {
    let mut stream = UnixStream::connect(path).unwrap();
    let request = format!(
        "{line} HTTP/1.1\r\nhost: world\r\nconnection: close\r\ncontent-length: {}\r\n\
         {headers}\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn running(served: &Served, path: &Path, token: Option<Token>) -> Running {
    let ten = Duration::from_secs(10);
    let connections = Connections { most: 4, header_read: ten, drain: ten };
    let socket = UnixSocket::bind(path).unwrap();
    let sites = vec![(Listening::from(socket), world_router(&served.service, token))];
    Running::start(sites, connections, Some(1)).unwrap()
}

#[test]
fn facts_are_reported_and_metrics_read_through_a_socket_without_a_token() {
    let (served, folder) = (Served::start(), tempfile::tempdir().unwrap());
    let path = folder.path().join("world.sock");
    let running = running(&served, &path, None);
    let body = r#"{"id":"acc-9","account":"outra"}"#;
    let json = "content-type: application/json\r\n";
    let answer = send(&path, "POST /facts/account.opened", json, body);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"applied\""), "{answer}");
    let metrics = send(&path, "GET /metrics", "", "");
    assert!(metrics.contains("custody_ledger_head_seq"), "{metrics}");
    assert!(running.end(), "everything was answered");
    assert!(!path.exists(), "the socket goes with its listener");
}

#[test]
fn a_token_that_is_set_is_asked_for_on_a_socket_too() {
    let (served, folder) = (Served::start(), tempfile::tempdir().unwrap());
    let path = folder.path().join("world.sock");
    let token = Token::random().unwrap();
    let running = running(&served, &path, Some(token.clone()));
    let without = send(&path, "GET /metrics", "", "");
    assert!(without.starts_with("HTTP/1.1 401"), "{without}");
    let bearer = format!("authorization: Bearer {}\r\n", token.expose());
    let with = send(&path, "GET /metrics", &bearer, "");
    assert!(with.starts_with("HTTP/1.1 200"), "{with}");
    assert!(running.end());
}
