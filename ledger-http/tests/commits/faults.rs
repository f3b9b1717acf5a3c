//! What goes wrong between a writer and its replica, as a test says.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use http_body_util::BodyExt as _;
use tokio_stream::StreamExt as _;

/// What becomes of a page of commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    /// The lowest bit of this byte is another, where the page is so long.
    Flipped(usize),
    /// The connection ends after so many bytes.
    Cut(usize),
    /// It comes in pieces of so many bytes, 5 ms apart.
    Slow(usize),
    /// It never comes.
    Held,
}

/// What goes wrong now; clones share it.
#[derive(Clone)]
pub struct Faults(Arc<Mutex<(Fault, Vec<u8>)>>);

impl Faults {
    pub fn none() -> Self {
        Self(Arc::new(Mutex::new((Fault::None, Vec::new()))))
    }

    pub fn set(&self, fault: Fault) {
        self.0.lock().unwrap().0 = fault;
    }

    /// The longest page that came by, as the writer gave it.
    pub fn longest(&self) -> Vec<u8> {
        self.0.lock().unwrap().1.clone()
    }

    pub fn around(&self, routes: Router) -> Router {
        routes.layer(from_fn_with_state(self.clone(), spoilt))
    }

    fn take(&self, page: &Bytes) -> Fault {
        let mut kept = self.0.lock().unwrap();
        if kept.1.len() < page.len() {
            kept.1 = page.to_vec();
        }
        kept.0
    }
}

async fn spoilt(State(faults): State<Faults>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let binary = response.headers().get(CONTENT_TYPE);
    if binary.is_none_or(|kind| kind != "application/octet-stream") {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let page = body.collect().await.unwrap().to_bytes();
    head.headers.remove(CONTENT_LENGTH);
    let body = match faults.take(&page) {
        Fault::None => Body::from(page),
        Fault::Flipped(place) => {
            let mut page = page.to_vec();
            if let Some(byte) = page.get_mut(place) {
                *byte ^= 1;
            }
            Body::from(page)
        }
        Fault::Cut(length) => {
            let broken = Err(std::io::Error::other("the line was cut"));
            let parts = [Ok(page.slice(..length.min(page.len()))), broken];
            Body::from_stream(tokio_stream::iter(parts))
        }
        Fault::Slow(length) => {
            let pieces: Vec<_> = page.chunks(length).map(Bytes::copy_from_slice).collect();
            let pieces = tokio_stream::iter(pieces).map(Ok::<_, std::io::Error>);
            Body::from_stream(pieces.throttle(Duration::from_millis(5)))
        }
        Fault::Held => {
            tokio::time::sleep(Duration::from_mins(5)).await;
            Body::empty()
        }
    };
    Response::from_parts(head, body)
}
