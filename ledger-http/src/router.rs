//! The routes of a service: its health, documents, pages and webhooks, and one fallback into the
//! contract.

use std::net::{IpAddr, SocketAddr};
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::HeaderValue;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::get;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;

use crate::courier;
use crate::documents;
use crate::edge::answer;
use crate::operation::access::Access;
use crate::operation::health;
use crate::pages;
use crate::request_id::{HEADER, RequestId};
use crate::service::Service;

/// From how many bytes on answers are compressed.
const COMPRESSED_FROM: u64 = 1_024;

/// The routes of a service, to be nested in anybody's or served as they are.
///
/// Every path but those of its health, documents, pages and webhooks falls through to the
/// contract's own table of routes, so none is declared here. The address of the client is taken of
/// [`ConnectInfo`], where the server gives it.
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
///     Ok(OpenLedger::new(environment, Arc::new(engine))?)
/// };
/// let sandbox = open(Environment::Sandbox)?.played_by(Sandbox::new(1));
/// let service = Service::builder(Ledgers::new(open(Environment::Live)?, sandbox)).build()?;
/// let routes: Router = Router::new().nest("/ledger", router(&service));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn router(service: &Service) -> Router {
    let size = SizeAbove::new(COMPRESSED_FROM);
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
        .fallback(contract)
        .layer(from_fn_with_state(service.clone(), identified))
        .layer(CompressionLayer::new().compress_when(size))
        .with_state(service.clone())
}

/// Gives the request its id, and the answer too; takes note of both.
pub(crate) async fn identified(
    State(service): State<Service>,
    mut request: Request,
    next: Next,
) -> Response {
    let began = Instant::now();
    let parts = service.parts();
    let given = request.headers().get(HEADER).and_then(|value| value.to_str().ok());
    let id = RequestId::of(given, || parts.numbers.next());
    let access = Access::begun(service.now(), id.as_str(), request.method().as_str());
    request.extensions_mut().insert(id.clone());
    parts.metrics.open.inc();
    let open = Open(&service);
    let mut response = next.run(request).await;
    drop(open);
    let value = HeaderValue::try_from(id.as_str()).expect("a request id is visible ASCII");
    response.headers_mut().insert(HEADER, value);
    let mut access = response.extensions_mut().remove::<Access>().unwrap_or(access);
    access.status = response.status().as_u16();
    access.took = began.elapsed();
    parts.metrics.note(&access);
    parts.access_log.note(&access);
    parts.recent.note(access);
    response
}

/// A request that is being answered; whoever hangs up ends it too.
struct Open<'a>(&'a Service);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.metrics().open.dec();
    }
}

/// Whatever no other route took.
async fn contract(State(service): State<Service>, request: Request) -> Response {
    let id = request.extensions().get::<RequestId>().cloned();
    let id = id.unwrap_or_else(|| RequestId::of(None, || service.parts().numbers.next()));
    let peer = peer(&request);
    let mut access = Access::begun(service.now(), id.as_str(), request.method().as_str());
    let mut response = answer(&service, request, &id, peer, &mut access).await;
    response.extensions_mut().insert(access);
    response
}

fn peer(request: &Request<Body>) -> Option<IpAddr> {
    request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip())
}
