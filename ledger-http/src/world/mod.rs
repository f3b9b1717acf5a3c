//! The world's side of a service, on a listener of its own: facts come in and instructions go out
//! here, and whoever runs the service watches it.
//!
//! Nothing of it is the contract's. Whoever may call here can credit balances, so every route but
//! the health's asks for a token.

mod charges;
mod clock;
pub(crate) mod fact;
mod instructions;
mod lines;
mod moves;
pub(crate) mod token;

use std::future::{Ready, ready};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use ledger_core::contract::{Code, Problem, mask_input};

use crate::operation::health;
use crate::operation::metrics::classic;
use crate::router::assign_request_id;
use crate::service::Service;
use crate::token::Token;

/// The routes for the world, which ask for this token; with none, whoever can connect to their
/// listener may do all of it, so none is for a socket in the file system that its owner alone opens
/// ([`UnixSocket`](crate::server::UnixSocket)), and for nothing else.
///
/// | Route | What it does |
/// |---|---|
/// | `POST /facts/{name}` | Reports one fact: its body is the fact's. |
/// | `POST /lines` | Reports facts as JSON lines; each is answered by a line. |
/// | `GET /instructions` | Gives what the world is asked to do, until it is acknowledged. |
/// | `POST /instructions/{id}/acknowledge` | Acknowledges an instruction. |
/// | `GET /charges` | Finds the charge that a code was issued for. |
/// | `POST /moves` | Moves an account from one ledger of real money to another, of several. |
/// | `GET /moves`, `GET /moves/{id}` | Shows the moves that have not ended, or one. |
/// | `POST /moves/{id}/abandon` | Gives a move up before any balance was carried. |
/// | `POST /clock/accept` | Believes the machine's clock as a person has looked at it. |
/// | `GET /metrics` | Shows what is counted and measured, by a token of its own too. |
/// | `GET /health/live`, `GET /health/ready` | Shows how the service stands, without a token. |
pub fn world_router(service: &Service, token: impl Into<Option<Token>>) -> Router {
    let token = token.into();
    let of_metrics = token::Guard::of_metrics(service, token.clone());
    let guard = token::Guard::new(service, token);
    let reported = Router::new()
        .route("/facts/{name}", post(fact::report))
        .route("/lines", post(lines::report))
        .route("/instructions/{id}/acknowledge", post(instructions::acknowledge))
        .route("/moves/{id}/abandon", post(moves::abandon))
        .route("/clock/accept", post(clock::accept))
        .method_not_allowed_fallback(taking("POST"));
    let read = Router::new()
        .route("/instructions", get(instructions::pending))
        .route("/charges", get(charges::find))
        .route("/moves/{id}", get(moves::one))
        .method_not_allowed_fallback(taking(READ));
    let guarded = Router::new()
        .route("/moves", get(moves::under_way).post(moves::begin))
        .method_not_allowed_fallback(taking("GET, HEAD and POST"))
        .merge(reported)
        .merge(read)
        .route_layer(from_fn_with_state(guard, token::authenticate));
    let scraped = Router::new()
        .route("/metrics", get(metrics))
        .method_not_allowed_fallback(taking(READ))
        .route_layer(from_fn_with_state(of_metrics, token::authenticate));
    Router::new()
        .route("/health/live", get(health::live))
        .route("/health/ready", get(health::ready))
        .method_not_allowed_fallback(taking(READ))
        .merge(guarded)
        .merge(scraped)
        .fallback(not_found)
        .layer(from_fn_with_state(service.clone(), assign_request_id))
        .with_state(service.clone())
}

/// The methods of what is read.
const READ: &str = "GET and HEAD";

/// Refuses a method that a path does not take, by those it takes.
fn taking(methods: &'static str) -> impl Fn(State<Service>, Request) -> Ready<Response> + Clone {
    move |State(service), request| {
        let path = mask_input(request.uri().path().trim_start_matches('/'));
        let detail = format!("/{path} takes {methods}");
        let problem = Problem::new(Code::MethodNotAllowed, detail);
        ready(fact::respond_problem(&service, &request, &problem))
    }
}

async fn metrics(State(service): State<Service>, headers: HeaderMap) -> Response {
    let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    let (now, believed) = (service.now(), service.clock_doubt().is_none());
    let text = service.metrics().text(service.ledgers(), now, believed).await;
    let (kind, text) = classic::negotiate(text, accept);
    ([(CONTENT_TYPE, kind)], text).into_response()
}

async fn not_found(State(service): State<Service>, request: Request) -> Response {
    let detail = "there is no such path here; clients are served elsewhere";
    fact::respond_problem(&service, &request, &Problem::new(Code::NotFound, detail))
}
