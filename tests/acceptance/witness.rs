//! A witness of checkpoints, on a port of this machine.
#![allow(dead_code)] // Several test programs share it, and not each asks for all of it.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

/// A witness in this process, which answers 503 so many times before it takes anything.
pub struct Witness {
    pub url: String,
    taken: Arc<Mutex<Vec<String>>>,
    refused: Arc<Mutex<u32>>,
}

impl Witness {
    pub fn start(fails: u32) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/notes", listener.local_addr().unwrap());
        let taken = Arc::<Mutex<Vec<String>>>::default();
        let refused = Arc::new(Mutex::new(0));
        let (its, counted) = (Arc::clone(&taken), Arc::clone(&refused));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut request = Vec::new();
                let body = loop {
                    let mut part = [0; 4_096];
                    let read = stream.read(&mut part).unwrap();
                    request.extend_from_slice(&part[..read]);
                    let text = String::from_utf8_lossy(&request).into_owned();
                    let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
                    let length = |line: &str| {
                        line.to_lowercase().strip_prefix("content-length: ").map(str::to_owned)
                    };
                    let length: usize = head.lines().find_map(length).unwrap().parse().unwrap();
                    if body.len() >= length {
                        assert!(head.starts_with("POST /notes "), "{head}");
                        break body.to_owned();
                    }
                };
                let fails = *counted.lock().unwrap() < fails;
                let status = if fails { "503 Service Unavailable" } else { "200 OK" };
                if fails {
                    *counted.lock().unwrap() += 1;
                } else {
                    its.lock().unwrap().push(body);
                }
                write!(
                    stream,
                    "HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                )
                .unwrap();
            }
        });
        Self { url, taken, refused }
    }

    pub fn taken(&self) -> Vec<String> {
        self.taken.lock().unwrap().clone()
    }

    /// How often it refused.
    pub fn refused(&self) -> u32 {
        *self.refused.lock().unwrap()
    }
}
