//! Answers to what is no HTTP request: hyper writes a status alone, and this writes the contract's
//! error body and a request id in its place.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use ledger_core::contract::{Code, Problem};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::request_id::{HEADER, Numbers, RequestId};
use crate::service::system_clock;

/// The longest head that hyper writes by itself.
const LONGEST: usize = 256;

/// A connection on which refusals of hyper's parser carry a body and an id.
pub(super) struct ExplainedStream<S> {
    stream: Pin<Box<S>>,
    numbers: Arc<Numbers>,
    /// An answer that is being written in the place of hyper's, and how much of it was.
    explained: Option<(Vec<u8>, usize)>,
}

impl<S> ExplainedStream<S> {
    pub(super) fn new(stream: S, numbers: Arc<Numbers>) -> Self {
        Self { stream: Box::pin(stream), numbers, explained: None }
    }
}

/// The status of an answer that hyper's parser gives by itself: a short head without the id that
/// every answer of a service carries.
fn parser_status(bytes: &[u8]) -> Option<&str> {
    let text = str::from_utf8(bytes).ok().filter(|text| text.len() <= LONGEST)?;
    let status = text.strip_prefix("HTTP/1.1 ")?.split("\r\n").next()?;
    let whole = text.ends_with("\r\n\r\n") && text.matches("\r\n\r\n").count() == 1;
    let bare = !text.to_ascii_lowercase().contains(HEADER);
    (status.starts_with('4') && whole && bare).then_some(status)
}

/// The whole answer in its place.
fn error_bytes(status: &str, id: &RequestId) -> Vec<u8> {
    let detail = match status.get(..3) {
        Some("414") => "the request's target is too long",
        Some("431") => "the request's headers are too large, or too many",
        _ => "this is no request of HTTP/1.1",
    };
    let problem = Problem::new(Code::RequestInvalid, detail);
    let body = problem.body(system_clock()(), Some(id.as_str())).to_string();
    let length = body.len();
    let id = id.as_str();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
         cache-control: no-store\r\nconnection: close\r\n{HEADER}: {id}\r\n\r\n{body}"
    )
    .into_bytes()
}

impl<S: AsyncWrite> ExplainedStream<S> {
    /// Writes what is left of an answer of our own.
    fn poll_explained(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some((answer, written)) = &mut self.explained {
            let some = ready!(self.stream.as_mut().poll_write(context, &answer[*written..]))?;
            *written += some;
            if some == 0 || answer.len() <= *written {
                self.explained = None;
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead> AsyncRead for ExplainedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.stream.as_mut().poll_read(context, buffer)
    }
}

impl<S: AsyncWrite> AsyncWrite for ExplainedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_explained(context))?;
        if let Some(status) = parser_status(bytes) {
            let id = RequestId::from_header(None, || self.numbers.next());
            self.explained = Some((error_bytes(status, &id), 0));
            return Poll::Ready(Ok(bytes.len()));
        }
        self.stream.as_mut().poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut filled = slices.iter().filter(|slice| !slice.is_empty());
        if let (Some(only), None) = (filled.next(), filled.next()) {
            return self.poll_write(context, only);
        }
        ready!(self.poll_explained(context))?;
        self.stream.as_mut().poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_explained(context))?;
        self.stream.as_mut().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_explained(context))?;
        self.stream.as_mut().poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_head_without_an_id_is_the_parsers() {
        let parsers = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        assert_eq!(parser_status(parsers.as_bytes()), Some("400 Bad Request"));
        let ours = "HTTP/1.1 404 Not Found\r\nX-Request-ID: req_1\r\n\r\n";
        for other in [ours, "HTTP/1.1 200 OK\r\n\r\n", &format!("{parsers}{{}}"), "{}", ""] {
            assert_eq!(parser_status(other.as_bytes()), None, "{other}");
        }
    }
}
