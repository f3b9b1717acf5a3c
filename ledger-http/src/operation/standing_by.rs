//! What a standby answers until it takes over: that it lives, that it is not ready, and to every
//! other request that the ledger is written elsewhere.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{HeaderName, HeaderValue};
use axum::response::Response;
use axum::routing::get;
use ledger_core::contract::{Code, Environment, Problem};
use serde_json::{Map, Value, json};

use super::health::{json_response, live};
use crate::edge::content_type::negotiate;
use crate::edge::reply::{Occasion, Reply};
use crate::request_id::{HEADER, Numbers, RequestId};
use crate::service::Clock;

/// How many seconds a client waits before it asks again.
const AGAIN: u64 = 1;

/// The last record that a standby has replayed of a ledger.
pub type Replayed = dyn Fn(Environment) -> u64 + Send + Sync;

struct StandingBy {
    /// Nothing while the ledgers are opened to be served.
    replayed: Option<Box<Replayed>>,
    says: &'static str,
    clock: Clock,
    numbers: Numbers,
}

/// The routes of a service that stands by: `/health/live` answers 200, `/health/ready` 503 with the
/// last record that was replayed of each ledger, and whatever else is asked 503 with `Retry-After`;
/// nothing of it is done.
///
/// ```
/// use ledger_core::contract::Environment;
/// use ledger_http::{standby_router, system_clock};
///
/// let routes = standby_router(system_clock(), |_: Environment| 0);
/// ```
pub fn standby_router(
    clock: Clock,
    replayed: impl Fn(Environment) -> u64 + Send + Sync + 'static,
) -> Router {
    waiting(clock, Some(Box::new(replayed)), "this is a standby; nothing of this was done")
}

/// The routes of a service whose ledgers are being opened, and of the other listeners of one that
/// only reads: `/health/live` answers 200, `/health/ready` 503, and whatever else is asked 503 with
/// `Retry-After`; nothing of it is done.
pub fn opening_router(clock: Clock) -> Router {
    waiting(clock, None, "the ledgers are not served here yet; nothing of this was done")
}

fn waiting(clock: Clock, replayed: Option<Box<Replayed>>, says: &'static str) -> Router {
    let numbers = Numbers::from(clock().micros().unsigned_abs());
    let standing_by = StandingBy { replayed, says, clock, numbers };
    Router::new()
        .route("/health/live", get(live))
        .route("/health/ready", get(ready))
        .method_not_allowed_fallback(away)
        .fallback(away)
        .with_state(Arc::new(standing_by))
}

async fn ready(State(standing_by): State<Arc<StandingBy>>) -> Response {
    let Some(replayed) = &standing_by.replayed else {
        return json_response(StatusCode::SERVICE_UNAVAILABLE, &json!({ "status": "opening" }));
    };
    let of = |environment: Environment| {
        let seq = replayed(environment);
        (environment.name().to_owned(), json!({ "status": "standing_by", "seq": seq }))
    };
    let ledgers: Map<String, Value> = Environment::ALL.into_iter().map(of).collect();
    let body = json!({ "status": "standing_by", "ledgers": ledgers });
    json_response(StatusCode::SERVICE_UNAVAILABLE, &body)
}

async fn away(State(standing_by): State<Arc<StandingBy>>, request: Request) -> Response {
    let given = request.headers().get(HEADER).and_then(|value| value.to_str().ok());
    let id = RequestId::from_header(given, || standing_by.numbers.next());
    let problem =
        Problem::new(Code::Paused, standing_by.says).with("retry_after_seconds", AGAIN.into());
    let occasion = Occasion { at: (standing_by.clock)(), request_id: id.as_str() };
    let mut response = Reply::problem(&problem, occasion).render(negotiate(request.headers()));
    let value = HeaderValue::try_from(id.as_str()).expect("a request id is visible ASCII");
    response.headers_mut().insert(HeaderName::from_static(HEADER), value);
    response
}
