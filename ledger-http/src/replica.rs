//! What a replica serves: every read of the contract, each answer with the record it was read at.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{HeaderName, HeaderValue};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use axum::routing::get;
use ledger_core::contract::{Action, Call, CallKind, Code, Environment, Problem};
use ledger_core::ledger::Origin;
use ledger_store::engine::{Replica, ReplicaError};
use serde_json::{Map, Value, json};

use crate::edge::rate_limit::{Allowance, RateLimits};
use crate::edge::reply::{Occasion, Reply};
use crate::edge::{body, client_address::client_address, content_type::negotiate, resolve_call};
use crate::edge::{count_against, key_of};
use crate::ledgers::said_by_key;
use crate::limits::Limits;
use crate::operation::health::{json_response, live};
use crate::request_id::{HEADER, Numbers, RequestId};
use crate::service::Clock;

/// The header of a request that asks for an answer at this record or a later one.
pub const AT_LEAST: &str = "x-ledger-at-least";

/// How long a request waits for the record that it asks for, unless it is said.
const WAITS: Duration = Duration::from_secs(5);

/// Replicas of both ledgers, as they are served; clones serve the same.
///
/// ```
/// use ledger_core::contract::Environment;
/// use ledger_http::{Replicas, replica_router, system_clock};
/// use ledger_store::engine::{Engine, Replica};
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let disk = MemoryDisk::new();
/// let follow = |environment: Environment| -> Result<Replica, Box<dyn std::error::Error>> {
///     let name = environment.name();
///     MemoryJournal::open(&disk, name, OpenMode::create())?; // Whoever writes has made it.
///     let journal = MemoryJournal::open(&disk, name, OpenMode::ReadOnly)?;
///     Ok(Replica::builder(name).follow(Box::new(journal)))
/// };
/// let (live, sandbox) = (follow(Environment::Live)?, follow(Environment::Sandbox)?);
/// let routes = replica_router(&Replicas::new(live, sandbox, system_clock()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Replicas(Arc<Served>);

struct Served {
    live: Replica,
    sandbox: Replica,
    clock: Clock,
    limits: Limits,
    rate_limits: RateLimits,
    waits: Duration,
    numbers: Numbers,
}

impl Replicas {
    /// Both, with the limits that a service has unless they are said.
    #[must_use]
    pub fn new(live: Replica, sandbox: Replica, clock: Clock) -> Self {
        let numbers = Numbers::from(clock().micros().unsigned_abs());
        let limits = Limits::default();
        let (rate_limits, waits) = (RateLimits::new(&limits), WAITS);
        Self(Arc::new(Served { live, sandbox, clock, limits, rate_limits, waits, numbers }))
    }

    /// What it takes of one caller, and how long a request waits for the record it asks for.
    ///
    /// # Panics
    ///
    /// When it is served already.
    #[must_use]
    pub fn with_limits(self, limits: Limits, waits: Duration) -> Self {
        let served = Arc::into_inner(self.0).expect("limits are said before it is served");
        let rate_limits = RateLimits::new(&limits);
        Self(Arc::new(Served { limits, rate_limits, waits, ..served }))
    }

    /// The replica of an environment's ledger.
    #[must_use]
    pub fn for_environment(&self, environment: Environment) -> &Replica {
        match environment {
            Environment::Live => &self.0.live,
            Environment::Sandbox => &self.0.sandbox,
        }
    }

    /// Forgets callers of long ago; whoever serves calls it about once a second.
    pub fn forget(&self) {
        self.0.rate_limits.forget();
    }

    /// The environment whose ledger a call is for, as a service finds it.
    async fn home(&self, ask: &CallKind) -> Result<Environment, ReplicaError> {
        if let Some(home) = ask.home() {
            return Ok(home);
        }
        let key = match ask {
            CallKind::Request { key: Some(key), .. } | CallKind::Command { key: Some(key), .. } => {
                key
            }
            CallKind::Request { target, .. } => return Ok(Environment::of_public(target)),
            CallKind::Command { .. } | CallKind::Fact(_) => return Ok(Environment::Live),
        };
        match said_by_key(key) {
            Some(environment) => Ok(environment),
            None => self.who_knows(key).await,
        }
    }

    /// The ledger that knows a key which does not say whose it is.
    async fn who_knows(&self, key: &str) -> Result<Environment, ReplicaError> {
        for environment in Environment::ALL {
            let replica = self.for_environment(environment);
            let hash = replica.tokens().api_key(key);
            let found = replica.read(0, self.0.waits, move |sequencer| {
                sequencer.ledger().state.account_of_key(&hash).is_some()
            });
            if found.await?.answer {
                return Ok(environment);
            }
        }
        Ok(Environment::Live)
    }
}

impl std::fmt::Debug for Replicas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Replicas").field("limits", &self.0.limits).finish_non_exhaustive()
    }
}

/// The routes of a replica: every read of the contract, answered at the record that the header
/// `x-ledger-record` names; with `x-ledger-at-least` a request asks for that record or a later one.
/// Whatever would record something is answered 503, and where the ledger is written, if that is
/// known. `/health/ready` says how far each ledger is followed.
pub fn replica_router(replicas: &Replicas) -> Router {
    Router::new()
        .route("/health/live", get(live))
        .route("/health/ready", get(ready))
        .method_not_allowed_fallback(accept)
        .fallback(accept)
        .with_state(replicas.clone())
}

async fn ready(State(replicas): State<Replicas>) -> Response {
    let mut follows = true;
    let of = |environment: Environment| {
        let replica = replicas.for_environment(environment);
        let fault = replica.fault();
        follows &= fault.is_none();
        let status = if fault.is_none() { "replica" } else { "away" };
        let shown = json!({ "status": status, "seq": replica.head().seq,
            "fault": fault.map(|fault| fault.to_string()) });
        (environment.name().to_owned(), shown)
    };
    let ledgers: Map<String, Value> = Environment::ALL.into_iter().map(of).collect();
    let (code, text) = if follows {
        (StatusCode::OK, "ready")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "not_ready")
    };
    json_response(code, &json!({ "status": text, "ledgers": ledgers }))
}

/// Accepts a request, responds to it, and renders the reply with the request's id.
async fn accept(State(replicas): State<Replicas>, request: Request) -> Response {
    let served = &*replicas.0;
    let given = request.headers().get(HEADER).and_then(|value| value.to_str().ok());
    let id = RequestId::from_header(given, || served.numbers.next());
    let occasion = Occasion { at: (served.clock)(), request_id: id.as_str() };
    let (accepted, head) = (negotiate(request.headers()), request.method() == Method::HEAD);
    let (allowance, found) = replicas.respond(request, occasion).await;
    let mut reply = found.unwrap_or_else(|problem| Reply::problem(&problem, occasion));
    reply.headers.extend(allowance.into_iter().flat_map(Allowance::headers));
    let mut response = reply.render(accepted);
    if head {
        *response.body_mut() = Body::empty();
    }
    let value = HeaderValue::try_from(id.as_str()).expect("a request id is visible ASCII");
    response.headers_mut().insert(HeaderName::from_static(HEADER), value);
    response
}

impl Replicas {
    /// Counts a request against its limits, and handles it within its time.
    async fn respond(
        &self,
        request: Request,
        occasion: Occasion<'_>,
    ) -> (Option<Allowance>, Result<Reply, Problem>) {
        let served = &*self.0;
        let (head, body) = request.into_parts();
        let trusted = &served.limits.trusted_proxies;
        let address = client_address(&head.extensions, &head.headers, trusted);
        let key = key_of(&head.headers);
        let (allowance, passes) = count_against(&served.rate_limits, address, key.as_deref());
        if let Err(problem) = passes {
            return (allowance, Err(problem));
        }
        let late = || Err(Problem::new(Code::TimedOut, "this took too long; ask again"));
        let handling = self.handle((&head, body), (key, address), occasion);
        let handled = tokio::time::timeout(served.limits.handling, handling).await;
        (allowance, handled.unwrap_or_else(|_| late()))
    }

    /// Reads the body of a request, and reads the answer to its call at the record it asks for.
    async fn handle(
        &self,
        (head, body): (&Parts, Body),
        (key, ip): (Option<String>, Option<IpAddr>),
        occasion: Occasion<'_>,
    ) -> Result<Reply, Problem> {
        let at_least = at_least(&head.headers)?;
        let target = head.uri.path_and_query().map_or("/", |target| target.as_str()).to_owned();
        let method = if head.method == Method::HEAD { "GET" } else { head.method.as_str() };
        let most = self.0.limits.body_bytes;
        let body = body::read_json(&head.headers, body, most).await?;
        let (ask, body) = resolve_call(method, target, key, body)?;
        let origin = Origin::Request(occasion.request_id.into());
        let call = Call { at: occasion.at, origin, ask, body, supplied: Value::Null, ip };
        let environment = self.home(&call.ask).await.map_err(|why| problem(&why))?;
        let look = self.for_environment(environment).call(call, at_least, self.0.waits);
        let stated = look.await.map_err(|why| problem(&why))?;
        Ok(Reply::new(stated.answer).with_record(Some(stated.seq)))
    }
}

/// The record that a request asks for; the first where it does not.
fn at_least(headers: &HeaderMap) -> Result<u64, Problem> {
    let Some(value) = headers.get(AT_LEAST) else { return Ok(0) };
    let seq = value.to_str().ok().and_then(|text| text.parse().ok());
    seq.ok_or_else(|| {
        let detail = format!("{AT_LEAST} is the number of a record, in digits");
        Problem::new(Code::FormatInvalid, detail)
    })
}

/// Why a replica has no answer, in the contract's words.
fn problem(why: &ReplicaError) -> Problem {
    let seconds = match why {
        ReplicaError::Panicked(_) => {
            return Problem::new(Code::InternalError, "this request fails within");
        }
        ReplicaError::OnlyRead { .. } | ReplicaError::Busy | ReplicaError::Behind { .. } => 1,
        _ => 5,
    };
    let detail = match why {
        // What a store says of itself is the operator's to read.
        ReplicaError::Away(_) | ReplicaError::Ended(_) => "the replica does not follow now".into(),
        why => why.to_string(),
    };
    let problem = Problem::new(Code::Paused, detail)
        .asking_for(Action::Repeat)
        .with("retry_after_seconds", seconds.into());
    match why {
        ReplicaError::OnlyRead { writer: Some(writer) } => {
            problem.with("writer_url", writer.as_str().into())
        }
        _ => problem,
    }
}
