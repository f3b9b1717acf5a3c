//! A receiver of webhooks on this machine, which answers as a test says.

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, Response};
use serde_json::Value;
use tokio::runtime::Runtime;

/// A request that the receiver got.
#[derive(Clone, Debug)]
pub struct Seen {
    pub path: String,
    pub headers: HeaderMap,
    pub body: String,
    /// The other end of the connection that it came over.
    #[allow(dead_code)]
    pub peer: SocketAddr,
    /// When it came, for whoever measures.
    #[allow(dead_code)]
    pub at: Instant,
}

impl Seen {
    pub fn event(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// The event's name.
    pub fn topic(&self) -> String {
        self.event()["event"].as_str().unwrap().to_owned()
    }

    pub fn id(&self) -> String {
        self.event()["id"].as_str().unwrap().to_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// How one request is answered.
#[derive(Clone, Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
    pub after: Duration,
}

impl Reply {
    pub fn with_status(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: String::new(), after: Duration::ZERO }
    }

    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }
}

#[derive(Default)]
struct Script {
    seen: Vec<Seen>,
    /// What the next requests of a path are answered with, one after the other.
    next: HashMap<String, VecDeque<Reply>>,
    /// What every other one of it is.
    always: HashMap<String, Reply>,
}

pub struct Receiver {
    pub address: SocketAddr,
    script: Arc<Mutex<Script>>,
    _runtime: Runtime,
}

impl Receiver {
    pub fn start() -> Self {
        Self::on("127.0.0.1:0")
    }

    pub fn on(address: &str) -> Self {
        let listener = std::net::TcpListener::bind(address).unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let script = Arc::new(Mutex::new(Script::default()));
        let routes = Router::new().fallback(taken).with_state(Arc::clone(&script));
        let routes = routes.into_make_service_with_connect_info::<SocketAddr>();
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(1).enable_all().build().unwrap();
        runtime.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            axum::serve(listener, routes).await.unwrap();
        });
        Self { address, script, _runtime: runtime }
    }

    /// Answers the next request of a path so.
    pub fn next(&self, path: &str, reply: Reply) {
        self.script.lock().unwrap().next.entry(path.to_owned()).or_default().push_back(reply);
    }

    /// Answers every request of a path so, from now on.
    pub fn always(&self, path: &str, reply: Reply) {
        self.script.lock().unwrap().always.insert(path.to_owned(), reply);
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.script.lock().unwrap().seen.clone()
    }

    /// How many came to paths that begin so.
    #[allow(dead_code)]
    pub fn count_on(&self, beginning: &str) -> usize {
        let script = self.script.lock().unwrap();
        script.seen.iter().filter(|seen| seen.path.starts_with(beginning)).count()
    }

    /// Returns what came to a path, in order.
    pub fn seen_on(&self, path: &str) -> Vec<Seen> {
        self.seen().into_iter().filter(|seen| seen.path == path).collect()
    }
}

async fn taken(
    State(script): State<Arc<Mutex<Script>>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
) -> Response<Body> {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, 1_000_000).await.unwrap();
    let body = String::from_utf8(body.to_vec()).unwrap();
    let path = head.uri.path().to_owned();
    let reply = {
        let mut script = script.lock().unwrap();
        script.seen.push(Seen {
            path: path.clone(),
            headers: head.headers,
            body,
            peer,
            at: Instant::now(),
        });
        let next = script.next.get_mut(&path).and_then(VecDeque::pop_front);
        next.or_else(|| script.always.get(&path).cloned())
            .unwrap_or_else(|| Reply::with_status(204))
    };
    tokio::time::sleep(reply.after).await;
    let mut answer = Response::builder().status(reply.status);
    for (name, value) in &reply.headers {
        answer = answer.header(*name, value);
    }
    answer.body(Body::from(reply.body)).unwrap()
}
