//! Serves routes on a listener: connections by hand, with limits of their own, until it is told to
//! end.

mod background;
mod listening;
mod parser_errors;
mod running;
#[cfg(unix)]
mod unix;
mod unread;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// What answers on a listener: that of the crate `axum`.
pub use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, Request};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_io_timeout::TimeoutStream;

use crate::request_id::Numbers;
use parser_errors::ExplainedStream;
use unread::{Unread, waits_for_continue};

pub(crate) use background::Background;
pub use background::ticker;
pub use listening::Listening;
use listening::{Acceptor, Stream};
pub use running::Running;
#[cfg(unix)]
pub use unix::UnixSocket;

/// How long it rests when the system has no file left for a connection.
const NO_FILES: Duration = Duration::from_millis(100);

/// How connections are served.
#[derive(Clone, Copy, Debug)]
pub struct Connections {
    /// How many are served at once; others wait to be accepted.
    pub most: usize,
    /// How long the head of a request may take to arrive, until its connection is closed; it is
    /// also how long a connection is kept while nothing is asked, and while its client takes
    /// nothing of an answer.
    pub header_read: Duration,
    /// How long requests that are under way are waited for at the end.
    pub drain: Duration,
}

/// Tells servers to end: every receiver sees it.
#[derive(Debug)]
pub struct Ending(watch::Sender<bool>);

/// Waits to be told to end.
#[derive(Clone, Debug)]
pub struct Ended(watch::Receiver<bool>);

impl Ending {
    /// One that was not told yet, and what waits for it.
    #[must_use]
    pub fn new() -> (Self, Ended) {
        let (sender, receiver) = watch::channel(false);
        (Self(sender), Ended(receiver))
    }

    /// Tells every [`Ended`] of it.
    pub fn end(&self) {
        self.0.send_replace(true);
    }
}

impl Ended {
    /// Waits until it is told, or nobody can tell any more.
    pub async fn wait(&mut self) {
        let _ = self.0.wait_for(|ended| *ended).await;
    }
}

/// Serves routes on a listener until it is told to end; then it takes no more connections, and
/// waits for what is under way. Says whether all of that was answered.
///
/// ```no_run
/// # async fn served(service: ledger_http::Service) -> std::io::Result<()> {
/// use std::time::Duration;
///
/// use ledger_http::server::{Connections, Ending, serve};
///
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
/// let ten = Duration::from_secs(10);
/// let (ending, ended) = Ending::new();
/// let connections = Connections { most: 1_000, header_read: ten, drain: ten };
/// let server = tokio::spawn(serve(listener, ledger_http::router(&service), connections, ended));
/// ending.end();
/// assert!(server.await?);
/// # Ok(())
/// # }
/// ```
pub async fn serve(
    listener: TcpListener,
    routes: Router,
    connections: Connections,
    ended: Ended,
) -> bool {
    serve_on(Acceptor::Tcp(listener), Routes::new(routes), connections, ended).await
}

/// Accepts connections on any listener, and serves them.
async fn serve_on(
    listener: Acceptor,
    routes: Routes,
    connections: Connections,
    mut ended: Ended,
) -> bool {
    let graceful = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(connections.most.clamp(1, Semaphore::MAX_PERMITS)));
    let numbers = Arc::new(Numbers::from(crate::service::system_clock()().micros().unsigned_abs()));
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &room) => accepted,
            () = ended.wait() => break,
        };
        let Ok((stream, place)) = accepted else {
            // One that was broken off before it began, or no file is left: others go on.
            tokio::time::sleep(NO_FILES).await;
            continue;
        };
        let numbers = Arc::clone(&numbers);
        let one = Connection { routes: routes.clone(), place, connections, numbers };
        match stream {
            Stream::Tcp(stream, peer) => one.serve_requests(stream, Some(peer), &graceful),
            #[cfg(unix)]
            Stream::Unix(stream) => one.serve_requests(stream, None, &graceful),
        }
    }
    drop(listener);
    tokio::time::timeout(connections.drain, graceful.shutdown()).await.is_ok()
}

/// Accepts a connection once there is room for it.
async fn accept(
    listener: &Acceptor,
    room: &Arc<Semaphore>,
) -> io::Result<(Stream, OwnedSemaphorePermit)> {
    let place = Arc::clone(room).acquire_owned().await.map_err(io::Error::other)?;
    Ok((listener.accept().await?, place))
}

/// What answers on a listener: other routes may take its place, for requests from then on.
#[derive(Clone, Debug)]
struct Routes(Arc<RwLock<Router>>);

impl Routes {
    fn new(routes: Router) -> Self {
        Self(Arc::new(RwLock::new(routes)))
    }

    fn current(&self) -> Router {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn replace(&self, routes: Router) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = routes;
    }
}

/// A connection that was accepted, and what answers on it.
struct Connection {
    routes: Routes,
    place: OwnedSemaphorePermit,
    connections: Connections,
    numbers: Arc<Numbers>,
}

impl Connection {
    /// Serves its requests, beside other connections, until it or the server ends.
    fn serve_requests<S>(self, stream: S, peer: Option<SocketAddr>, graceful: &GracefulShutdown)
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let Self { routes, place, connections, numbers } = self;
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(connections.header_read));
        let stream = ExplainedStream::new(stream, numbers);
        let service = service_fn(move |request| serve_request(routes.current(), peer, request));
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(connections.header_read);
        // A client that has sent all it will waits for its answer, however long that takes.
        builder.half_close(true);
        let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // How a connection ends is its client's affair: what was asked is answered or logged.
            let _ = connection.await;
            drop(place);
        });
    }
}

async fn serve_request(
    routes: Router,
    peer: Option<SocketAddr>,
    request: Request<Incoming>,
) -> Result<axum::response::Response, Infallible> {
    let (unread, waits) = (Unread::default(), waits_for_continue(request.headers()));
    let mut request = request.map(|body| unread.track(body));
    if let Some(peer) = peer {
        request.extensions_mut().insert(ConnectInfo(peer));
    }
    let Ok(mut response) = tower_service::Service::call(&mut { routes }, request).await;
    if !unread.drain(waits).await {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response)
}
