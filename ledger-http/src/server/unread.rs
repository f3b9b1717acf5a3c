//! Request bodies that no handler read: drained up to a bound, so that the next request on the
//! connection is answered, or the connection is closed by an answer that says so.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::HeaderMap;
use axum::http::header::EXPECT;
use http_body_util::{BodyExt as _, Limited};
use hyper::body::{Frame, Incoming, SizeHint};

/// The most bytes of a body that are drained; a longer one closes its connection.
const MOST: usize = 1 << 20;

/// How long a body is drained; a slower one closes its connection.
const TIME: Duration = Duration::from_secs(2);

/// Keeps what a handler left of a request's body.
#[derive(Default)]
pub(super) struct Unread(Arc<Mutex<Option<Incoming>>>);

/// A request's body that comes back to [`Unread`] when it is dropped before its end.
struct TrackedBody {
    body: Option<Incoming>,
    ended: bool,
    unread: Arc<Mutex<Option<Incoming>>>,
}

impl Unread {
    /// The body for the handler.
    pub(super) fn track(&self, body: Incoming) -> Body {
        let unread = Arc::clone(&self.0);
        let ended = body.is_end_stream();
        Body::new(TrackedBody { body: Some(body), ended, unread })
    }

    /// Drains what the handler left; returns whether the connection may be used again.
    ///
    /// A client that waits for `100 Continue` has not sent its body, and need not any more.
    pub(super) async fn drain(self, waits_for_continue: bool) -> bool {
        let left = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(body) = left else { return true };
        if waits_for_continue || body.size_hint().lower() > MOST as u64 {
            return false;
        }
        let drained = tokio::time::timeout(TIME, Limited::new(body, MOST).collect());
        matches!(drained.await, Ok(Ok(_)))
    }
}

/// Tells whether the client sends its body only after `100 Continue`.
pub(super) fn waits_for_continue(headers: &HeaderMap) -> bool {
    headers.get(EXPECT).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"))
}

impl HttpBody for TrackedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let polled = Pin::new(body).poll_frame(context);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            self.ended = true;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(HttpBody::size_hint).unwrap_or_default()
    }
}

impl Drop for TrackedBody {
    fn drop(&mut self) {
        let left = self.body.take().filter(|body| !self.ended && !body.is_end_stream());
        *self.unread.lock().unwrap_or_else(PoisonError::into_inner) = left;
    }
}
