//! The documents over HTTP: content types, entity tags, and the endpoints of MCP.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::DefaultBodyLimit;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, ALLOW, AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, ETAG, IF_NONE_MATCH, LINK, ORIGIN, VARY,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use serde_json::Value;

use super::discovery::{self, PUBLISHED, link_header};
use super::mcp::{self, Endpoint, Headers, Reply, Step, ToolAnswer, ToolCall};
use super::{Config, guides, openapi, page};
use crate::edge::key_of;
use crate::pages::Lang;

/// The most bytes of a message of MCP.
const MOST_BYTES: usize = 65_536;

/// How long a document may be kept without asking again.
const KEPT: &str = "public, max-age=300";

/// What answers the calls of tools: the contract's answer, in time.
pub type Answering = Pin<Box<dyn Future<Output = ToolAnswer> + Send>>;

/// The routes of the documents, and of MCP, whose calls `carry_out` answers.
///
/// `carry_out` asks the sandbox, whatever key a call brings: MCP is for test keys.
/// Beside the call stands the head of its request.
///
/// ```
/// use ledger_http::documents::mcp::ToolAnswer;
/// use ledger_http::documents::{Config, routes};
///
/// let config = Config::at("https://api.example.com");
/// let router: axum::Router = routes(&config, |call, _| {
///     Box::pin(async move { ToolAnswer { status: 200, body: call.body } })
/// });
/// # drop(router);
/// ```
pub fn routes<S>(
    config: &Config,
    carry_out: impl Fn(ToolCall, &Parts) -> Answering + Send + Sync + 'static,
) -> Router<S>
where
    S: Clone + Send + Sync + 'static,
{
    let mut router = Router::new();
    for document in PUBLISHED {
        let [english, portuguese] = [Lang::En, Lang::Pt].map(|lang| {
            let config = config.clone();
            // It is written when it is first asked for: the page of the contract is long.
            Arc::new(LazyLock::new(move || {
                let body = render_document(document.path, lang, &config);
                Document::new(document.path, document.content_type, body)
            }))
        });
        let asked = get(async move |head: Parts| {
            let translated = document.path == REFERENCE && Lang::from_request(&head) == Lang::Pt;
            respond(if translated { &portuguese } else { &english }, &head.headers)
        });
        router = router.route(document.path, asked);
    }
    let mark = Arc::new(Document::new("/mark.svg", "image/svg+xml", discovery::MARK.to_owned()));
    router =
        router.route("/mark.svg", get(async move |headers: HeaderMap| respond(&mark, &headers)));
    let carry_out = Arc::new(carry_out);
    let config = Arc::new(config.clone());
    for (path, endpoint) in [("/mcp", Endpoint::Keyed), ("/mcp/onboarding", Endpoint::Onboarding)] {
        let (config, carry_out) = (Arc::clone(&config), Arc::clone(&carry_out));
        let asked = post(move |parts: Parts, body: Bytes| async move {
            message(endpoint, &config, &*carry_out, &parts, &body).await
        });
        let asked = asked.fallback(no_stream).layer(DefaultBodyLimit::max(MOST_BYTES));
        router = router.route(path, asked);
    }
    let card = Arc::new(Document::new("/card", JSON, discovery::mcp_card(&config).to_string()));
    router.route("/mcp/server-card", get(async move |headers: HeaderMap| respond(&card, &headers)))
}

const JSON: &str = "application/json";

/// The page of the contract, which is written in two languages and has a script.
const REFERENCE: &str = "/docs";

/// The document of a path; the page of the contract in this language, all else in English.
///
/// # Panics
///
/// When the path is published and nobody writes it: a test asks for each.
fn render_document(path: &str, lang: Lang, config: &Config) -> String {
    match path {
        "/" => page::home(config),
        REFERENCE if lang == Lang::Pt => page::reference_in_portuguese(config),
        REFERENCE => page::reference(config),
        "/openapi.json" => openapi::openapi(config).to_string(),
        "/llms.txt" => guides::llms_text(config),
        "/quickstart" => guides::quickstart(config),
        "/.well-known/api-catalog" => discovery::api_catalog(config).to_string(),
        "/.well-known/agent-card.json" => discovery::agent_card(config).to_string(),
        "/.well-known/mcp.json" => discovery::mcp_card(config).to_string(),
        "/.well-known/apis.json" => discovery::apis_json(config).to_string(),
        other => panic!("{other} is published, and nobody writes it"),
    }
}

/// A document as it is sent.
struct Document {
    headers: HeaderMap,
    body: Bytes,
}

impl Document {
    fn new(path: &str, content_type: &'static str, body: String) -> Self {
        let tag = format!("\"{}\"", &blake3::hash(body.as_bytes()).to_hex()[..32]);
        let tag = HeaderValue::try_from(tag).expect("a tag is hexadecimal digits");
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(KEPT));
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        headers.insert(ETAG, tag);
        if matches!(path, "/" | "/.well-known/api-catalog") {
            let link = HeaderValue::try_from(link_header()).expect("a link is visible ASCII");
            headers.insert(LINK, link);
        }
        if path == REFERENCE {
            let policy = HeaderValue::try_from(page::policy()).expect("it is visible ASCII");
            headers.insert(CONTENT_SECURITY_POLICY, policy);
            headers.insert(VARY, HeaderValue::from_static("accept-language, cookie"));
        }
        Self { headers, body: body.into() }
    }

    /// Tells whether the client has it, by its tag.
    fn is_known(&self, headers: &HeaderMap) -> bool {
        let tag = self.headers.get(ETAG).and_then(|tag| tag.to_str().ok());
        let known = headers.get_all(IF_NONE_MATCH).iter().filter_map(|tags| tags.to_str().ok());
        let mut tags = known.flat_map(|tags| tags.split(',')).map(str::trim);
        tags.any(|known| known == "*" || Some(known.trim_start_matches("W/")) == tag)
    }
}

fn respond(document: &Document, headers: &HeaderMap) -> Response {
    let known = document.is_known(headers);
    let body = if known { Body::empty() } else { Body::from(document.body.clone()) };
    let mut response = Response::new(body);
    *response.headers_mut() = document.headers.clone();
    if known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    response
}

/// A message of MCP, answered.
async fn message(
    endpoint: Endpoint,
    config: &Config,
    carry_out: &(impl Fn(ToolCall, &Parts) -> Answering + Send + Sync),
    parts: &Parts,
    body: &Bytes,
) -> Response {
    let headers = &parts.headers;
    if !is_from_here(config, headers) {
        return plain(StatusCode::FORBIDDEN);
    }
    let reply = match mcp::read(endpoint, config, &message_headers(headers), body) {
        Step::Reply(reply) => reply,
        Step::Call(call, waiting) => waiting.into_reply(&carry_out(call, parts).await),
    };
    render(&reply)
}

/// Tells whether a page of ours asks, or no page at all: others must not use a browser's network.
fn is_from_here(config: &Config, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let scheme_end = config.base_url.find("://").map_or(0, |place| place + 3);
    let host_end = config.base_url[scheme_end..].find('/').map(|place| scheme_end + place);
    let own = &config.base_url[..host_end.unwrap_or(config.base_url.len())];
    origin.to_str().is_ok_and(|origin| origin.eq_ignore_ascii_case(own))
}

/// Returns what the headers say of a message.
fn message_headers(headers: &HeaderMap) -> Headers {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|value| value.strip_prefix("Bearer "));
    Headers {
        version: text("mcp-protocol-version").map(str::to_owned),
        method: text("mcp-method").map(str::to_owned),
        name: text("mcp-name").map(str::to_owned),
        key: key_of(headers).or_else(|| bearer.map(str::to_owned)),
    }
}

fn render(reply: &Reply) -> Response {
    let body = match &reply.body {
        Value::Null => Body::empty(),
        body => Body::from(body.to_string()),
    };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::OK);
    if !reply.body.is_null() {
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
    }
    response
}

/// There is no stream of the server's own, and no session to end.
async fn no_stream() -> Response {
    let mut response = plain(StatusCode::METHOD_NOT_ALLOWED);
    response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
    response
}

fn plain(status: StatusCode) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}
