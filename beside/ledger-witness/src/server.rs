//! Routes over HTTP: a witness for logs of others, and the tiles of our own tree.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Path as UrlPath, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{Request, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use tokio::task::spawn_blocking;

use crate::tiles::Tile;
use crate::witness::{Handled, Witness};

/// Bytes of a request at most: a proof of 63 hashes, and a checkpoint with many signatures.
const BODY_BYTES: usize = 65_536;

/// How checkpoints are described, on both prefixes.
const TEXT: &str = "text/plain; charset=utf-8";

/// A tile never changes.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// A checkpoint is replaced by the next one.
const SECONDS: &str = "public, max-age=5";

/// A witness that is served, and the one who is told of its answers.
#[derive(Clone)]
struct Site {
    witness: Arc<Witness>,
    report: Arc<dyn Fn(&Handled) + Send + Sync>,
}

/// Routes of a witness: `add-checkpoint`, and the last checkpoint of each log. `report` is told of
/// every answer, before it leaves.
pub fn witness_router(
    witness: Arc<Witness>,
    report: impl Fn(&Handled) + Send + Sync + 'static,
) -> Router {
    Router::new()
        .route("/add-checkpoint", post(add_checkpoint))
        .route("/{log}/checkpoint", get(last_checkpoint))
        .with_state(Site { witness, report: Arc::new(report) })
}

/// Routes of the tiles that [`export`](crate::tiles::export) wrote to a folder, which are read
/// anew for each request.
pub fn tiles_router(folder: &Path) -> Router {
    Router::new()
        .route("/checkpoint", get(tiles_checkpoint))
        .route("/tile/{*path}", get(tile))
        .with_state(folder.to_owned())
}

async fn add_checkpoint(State(site): State<Site>, request: Request<Body>) -> Response {
    let Ok(body) = to_bytes(request.into_body(), BODY_BYTES).await else {
        return refusal(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large\n");
    };
    let handled = spawn_blocking(move || {
        let handled = site.witness.add_checkpoint(&body, &seconds);
        (site.report)(&handled);
        handled
    });
    let Ok(Handled { answer, .. }) = handled.await else { return failure() };
    let status = StatusCode::from_u16(answer.status()).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
    (status, [(CONTENT_TYPE, answer.content_type())], answer.body()).into_response()
}

/// Seconds since 1970, by the system's clock; 0 where it shows an earlier instant.
fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

async fn last_checkpoint(State(site): State<Site>, UrlPath(log): UrlPath<String>) -> Response {
    match spawn_blocking(move || site.witness.checkpoint(&log)).await {
        Ok(Ok(Some(text))) => checkpoint_response(text),
        Ok(Ok(None)) => refusal(StatusCode::NOT_FOUND, "nothing is here\n"),
        Ok(Err(_)) | Err(_) => failure(),
    }
}

async fn tiles_checkpoint(State(folder): State<PathBuf>) -> Response {
    match spawn_blocking(move || std::fs::read_to_string(folder.join("checkpoint"))).await {
        Ok(Ok(text)) => checkpoint_response(text),
        Ok(Err(_)) => refusal(StatusCode::NOT_FOUND, "nothing is here\n"),
        Err(_) => failure(),
    }
}

async fn tile(State(folder): State<PathBuf>, UrlPath(path): UrlPath<String>) -> Response {
    // Only the one form of a tile's path reaches the folder.
    let Ok(tile) = format!("tile/{path}").parse::<Tile>() else {
        return refusal(StatusCode::NOT_FOUND, "nothing is here\n");
    };
    match spawn_blocking(move || std::fs::read(folder.join(tile.to_string()))).await {
        Ok(Ok(bytes)) => {
            let headers = [(CONTENT_TYPE, "application/octet-stream"), (CACHE_CONTROL, FOR_EVER)];
            (headers, bytes).into_response()
        }
        Ok(Err(_)) => refusal(StatusCode::NOT_FOUND, "nothing is here\n"),
        Err(_) => failure(),
    }
}

fn checkpoint_response(text: String) -> Response {
    ([(CONTENT_TYPE, TEXT), (CACHE_CONTROL, SECONDS)], text).into_response()
}

/// A status with its reason: a server may write one of its own where there is none.
fn refusal(status: StatusCode, reason: &'static str) -> Response {
    (status, [(CONTENT_TYPE, TEXT)], reason).into_response()
}

fn failure() -> Response {
    refusal(StatusCode::SERVICE_UNAVAILABLE, "ask again later\n")
}
