//! The routes of a service: its health, documents, pages and webhooks, and one fallback into the
//! contract.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::task::{Context, Poll};
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::header::ACCEPT_ENCODING;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::get;
use ledger_core::contract::{self, Code, Problem};
use serde_json::Value;
use tower_http::compression::predicate::{Predicate as _, SizeAbove};
use tower_http::compression::{Compression, CompressionLayer};
use tower_service::Service as _;

use crate::courier;
use crate::documents;
use crate::edge::content_type::negotiate;
use crate::edge::reply::{ErrorCode, Occasion, Reply};
use crate::edge::respond;
use crate::operation::access::Access;
use crate::operation::health;
use crate::operation::route::route_name;
use crate::pages;
use crate::request_id::{HEADER, RequestId};
use crate::service::Service;

/// From how many bytes on answers are compressed.
const COMPRESSED_FROM: u64 = 1_024;

/// The answer to a method that a path does not take.
pub(crate) const OTHER_METHODS: &str = "this path takes other methods, which Allow names";

/// The routes of a service, to be nested in anybody's or served as they are.
///
/// Every path but those of its health, documents, pages and webhooks falls through to the
/// contract's own table of routes, so none is declared here. The address of the client is taken of
/// [`ConnectInfo`](axum::extract::ConnectInfo), where the server gives it.
///
/// ```
/// use std::sync::Arc;
///
/// use axum::Router;
/// use ledger_core::contract::Environment;
/// use ledger_http::{Ledgers, OpenLedger, Service, router};
/// use ledger_sim::Sandbox;
/// use ledger_store::engine::Engine;
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let open = |environment: Environment| -> Result<OpenLedger, Box<dyn std::error::Error>> {
///     let name = environment.name();
///     let journal = MemoryJournal::open(&MemoryDisk::new(), name, OpenMode::create())?;
///     let engine = Engine::builder(name).start(Box::new(journal))?;
///     Ok(OpenLedger::new(Arc::new(engine))?)
/// };
/// let sandbox = open(Environment::Sandbox)?.played_by(Sandbox::new(1));
/// let service = Service::builder(Ledgers::new(open(Environment::Live)?, sandbox)).build()?;
/// let routes: Router = Router::new().nest("/ledger", router(&service));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn router(service: &Service) -> Router {
    let mut routes = Router::new()
        .route("/health/live", get(health::live))
        .route("/health/ready", get(health::ready));
    if let Some(config) = &service.parts().documents {
        routes = routes.merge(documents::router(service, config)).merge(pages::router(service));
    }
    if service.webhooks().is_some() {
        routes = routes.merge(courier::routes());
    }
    routes
        .method_not_allowed_fallback(method_not_allowed)
        .layer(from_fn_with_state(service.clone(), readable))
        .layer(from_fn_with_state(service.clone(), remember_request))
        .layer(CompressionLayer::new().compress_when(compression_policy()))
        // Requests on the contract's paths skip the layers: each adds up to a tenth to a call.
        .fallback(accept)
        .with_state(service.clone())
}

fn compression_policy() -> SizeAbove {
    SizeAbove::new(COMPRESSED_FROM)
}

/// Gives the request its id, and the answer too; takes note of both.
pub(crate) async fn assign_request_id(
    State(service): State<Service>,
    request: Request,
    next: Next,
) -> Response {
    answer(&service, request, next).await.1
}

/// The same for a client's request, which the console shows among the last.
async fn remember_request(
    State(service): State<Service>,
    request: Request,
    next: Next,
) -> Response {
    let (access, response) = answer(&service, request, next).await;
    service.parts().recent.note(access);
    response
}

async fn answer(service: &Service, mut request: Request, next: Next) -> (Access, Response) {
    let mut active = ActiveRequest::begin(service, &request);
    active.access.route = route_name(request.uri().path());
    request.extensions_mut().insert(active.id.clone());
    let mut response = next.run(request).await;
    let access = response.extensions_mut().remove::<Access>();
    active.record(access, response)
}

/// A request with its id, until it is answered; whoever hangs up ends it too.
struct ActiveRequest<'a> {
    service: &'a Service,
    id: RequestId,
    access: Access,
    began: Instant,
    _open: Open<'a>,
}

impl<'a> ActiveRequest<'a> {
    fn begin(service: &'a Service, request: &Request) -> Self {
        let began = Instant::now();
        let parts = service.parts();
        let given = request.headers().get(HEADER).and_then(|value| value.to_str().ok());
        let id = RequestId::from_header(given, || parts.numbers.next());
        let access = Access::begin(service.now(), id.as_str(), request.method().as_str());
        parts.metrics.open.inc();
        Self { service, id, access, began, _open: Open(service) }
    }

    /// Gives the response its id, and records the access: `access`, or as far as is known here.
    fn record(self, access: Option<Access>, mut response: Response) -> (Access, Response) {
        let Self { service, id, access: begun, began, _open: open } = self;
        drop(open);
        let parts = service.parts();
        let value = HeaderValue::try_from(id.as_str()).expect("a request id is visible ASCII");
        response.headers_mut().insert(HEADER, value);
        let route = begun.route;
        let mut access = access.unwrap_or(begun);
        if access.route == "-" {
            access.route = route;
        }
        access.code =
            access.code.or(response.extensions_mut().remove().map(|ErrorCode(code)| code));
        access.status = response.status().as_u16();
        access.took = began.elapsed();
        parts.metrics.note(&access);
        parts.access_log.note(&access);
        (access, response)
    }
}

/// A request that is being answered.
struct Open<'a>(&'a Service);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.metrics().open.dec();
    }
}

/// Responds to OPTIONS, and refuses a method that a path beside the contract's does not take;
/// `Allow` names those that it takes.
async fn method_not_allowed(State(service): State<Service>, head: Parts) -> Response {
    if head.method == Method::OPTIONS {
        let reply = Reply::new(contract::Response { status: 204, body: Value::Null.into() });
        return reply.render(negotiate(&head.headers));
    }
    error_response(&service, &head, &Problem::new(Code::MethodNotAllowed, OTHER_METHODS))
}

/// Refuses a method on a listener that is not for clients, whose path does not take it.
pub(crate) async fn refuse_method(State(service): State<Service>, head: Parts) -> Response {
    error_response(&service, &head, &Problem::new(Code::MethodNotAllowed, OTHER_METHODS))
}

/// Lets a request pass whose path can be read: one that is no text leads nowhere.
async fn readable(
    State(service): State<Service>,
    parameters: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
    next: Next,
) -> Response {
    let Err(RawPathParamsRejection::InvalidUtf8InPathParam(_)) = parameters else {
        return next.run(request).await;
    };
    let (head, _) = request.into_parts();
    error_response(&service, &head, &Problem::new(Code::NotFound, "the path is no text in UTF-8"))
}

/// An error of a path beside the contract's.
fn error_response(service: &Service, head: &Parts, problem: &Problem) -> Response {
    let id = RequestId::from_extensions(&head.extensions, &service.parts().numbers);
    let occasion = Occasion { at: service.now(), request_id: id.as_str() };
    let reply = Reply::problem(problem, occasion);
    let reply = reply.with_docs_url(service.parts().docs_url.as_deref());
    let mut access = Access::begin(service.now(), id.as_str(), head.method.as_str());
    access.code = reply.code().map(str::to_owned);
    let mut response = reply.render(negotiate(&head.headers));
    response.extensions_mut().insert(access);
    response
}

/// Accepts a request that no other route took, responds to it, and records the access.
async fn accept(State(service): State<Service>, request: Request) -> Response {
    let mut active = ActiveRequest::begin(&service, &request);
    let encodings = request.headers().get(ACCEPT_ENCODING).cloned();
    let (id, access) = (&active.id, &mut active.access);
    let response = Box::pin(respond(&service, request, id, access)).await;
    let (access, response) = active.record(None, response);
    service.parts().recent.note(access);
    if compression_policy().should_compress(&response) {
        return compress(response, encodings).await;
    }
    response
}

/// A large answer, compressed as the header of its request takes it.
async fn compress(response: Response, encodings: Option<HeaderValue>) -> Response {
    let mut request = Request::default();
    request.headers_mut().extend(encodings.map(|encodings| (ACCEPT_ENCODING, encodings)));
    let mut compression =
        Compression::new(Answered(Some(response))).compress_when(compression_policy());
    let Ok(response) = compression.call(request).await;
    response.map(Body::new)
}

/// What answers one request, by an answer that is there.
struct Answered(Option<Response>);

impl tower_service::Service<Request> for Answered {
    type Response = Response;
    type Error = Infallible;
    type Future = Ready<Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request) -> Self::Future {
        ready(Ok(self.0.take().expect("it is called once")))
    }
}
