//! A client that sends bytes as they are, for what no client library would send.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::served::Served;

/// Sends bytes, and gives all that comes back until the connection ends or falls silent.
pub fn exchange(served: &Served, bytes: &[u8]) -> String {
    let mut stream = connect(served);
    stream.write_all(bytes).unwrap();
    rest(&mut stream)
}

pub fn connect(served: &Served) -> TcpStream {
    let stream = TcpStream::connect(served.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream
}

/// Everything until the other side closes, or is silent for too long.
pub fn rest(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let mut part = [0; 4096];
    while let Ok(read @ 1..) = stream.read(&mut part) {
        text.extend(&part[..read]);
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Everything up to and with a text.
pub fn until(stream: &mut TcpStream, end: &str) -> String {
    let mut text = String::new();
    let mut part = [0; 1];
    while !text.ends_with(end) {
        assert_eq!(stream.read(&mut part).unwrap(), 1, "it ended with {text}");
        text.push(char::from(part[0]));
    }
    text
}
