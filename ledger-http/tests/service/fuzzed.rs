//! Requests that nobody would send: whatever they are, they are answered in the contract's words,
//! and nothing fails within.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderName, HeaderValue, Method, Request, Uri};
use ledger_core::contract::{OWN_PATHS, routes};
use ledger_http::courier::{WebhookSettings, Webhooks};
use ledger_http::documents::Config;
use ledger_http::documents::openapi::example;
use ledger_http::documents::operations::{Operation, operations};
use ledger_http::router;
use ledger_store::Vault;
use ledger_store::archive::JournalArchive;
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt as _;

use crate::served::{KEY, Served};

/// Whoever rotates the key knows the next one: nothing after it would get past the door.
const ROTATION: &str = "/keys/me/rotate";

/// A request, before it is one.
#[derive(Clone, Debug)]
struct Raw {
    method: String,
    target: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Vec<u8>,
    /// What of the contract it is, where that is known.
    asks: Option<Operation>,
}

/// Paths as they are declared: the contract's, ours, and those of documents, pages and webhooks.
fn declared() -> Vec<String> {
    let of_contract = routes::<JournalArchive, Vault>().filter_map(|shape| match shape.ask {
        ledger_core::contract::Invocation::Route(_, path) => Some(path.to_owned()),
        ledger_core::contract::Invocation::Command(_) => None,
    });
    let others = [
        "/",
        "/docs",
        "/openapi.json",
        "/mcp",
        "/mcp/onboarding",
        "/health/live",
        "/health/ready",
        "/qr/{cashin_id}/{tag}.png",
        "/receipts/{id}/{tag}",
        "/verify/{e2e}",
        "/monitor/{token}",
        "/webhooks/deliveries/{id}",
        "/webhooks/deliveries/{id}/resend",
        "/webhooks/filter",
        "/webhooks/deliveries/recover",
        "/webhooks/events",
    ];
    let own = OWN_PATHS.iter().map(|own| own.path.to_owned());
    let all = of_contract.chain(own).chain(others.map(str::to_owned));
    all.filter(|path| path != ROTATION).collect()
}

/// Text as targets may hold it: anything, with percent signs before what else they may not.
fn escaped() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..12)
            .prop_map(|bytes| form_urlencoded::byte_serialize(&bytes).collect::<String>()),
        "[!-~&&[^#?/ ]]{0,12}",
        Just("%".to_owned()),
        Just("%FF%00".to_owned()),
        Just("..".to_owned()),
    ]
}

fn target() -> impl Strategy<Value = String> {
    let segments = prop::collection::vec(escaped(), 0..4);
    let names = prop::sample::select(vec![
        "customer_ref",
        "external_id",
        "limit",
        "before",
        "cursor",
        "visao",
        "com_saldo",
        "key",
        "type",
        "payer_tax",
        "after",
        "wait",
        "since",
        "lang",
        "",
    ]);
    let pair = (prop_oneof![names.prop_map(str::to_owned), escaped()], escaped());
    let pair = pair.prop_map(|(name, value)| {
        // Nobody is waited for here.
        let value = if name == "wait" { "0".to_owned() } else { value };
        format!("{name}={value}")
    });
    let query = prop::collection::vec(pair, 0..4).prop_map(|pairs| pairs.join("&"));
    let known = (prop::sample::select(declared()), prop::collection::vec(escaped(), 3)).prop_map(
        |(path, values)| {
            let mut values = values.into_iter();
            let filled = path.split('/').map(|segment| match segment.split_once('{') {
                Some(_) => values.next().unwrap_or_default(),
                None => segment.to_owned(),
            });
            filled.collect::<Vec<_>>().join("/")
        },
    );
    let unknown = segments.prop_map(|segments| format!("/{}", segments.join("/")));
    (prop_oneof![4 => known, 1 => unknown], query, any::<bool>())
        .prop_map(|(path, query, asks)| if asks { format!("{path}?{query}") } else { path })
}

fn headers() -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
    let names = prop::sample::select(vec![
        "x-api-key",
        "x-request-id",
        "content-type",
        "accept",
        "accept-encoding",
        "prefer",
        "x-forwarded-for",
        "forwarded",
        "if-none-match",
        "authorization",
        "content-length",
        "expect",
        "host",
        "mcp-method",
        "mcp-protocol-version",
        "accept-language",
        "cookie",
    ]);
    let values = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..40),
        Just(KEY.as_bytes().to_vec()),
        Just(b"application/json".to_vec()),
        Just(b"application/problem+json, */*;q=0".to_vec()),
        Just(b"dry-run".to_vec()),
        Just(b"gzip;q=1.0, identity; q=0".to_vec()),
    ];
    prop::collection::vec((names.prop_map(str::to_owned), values), 0..6)
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        Just(json!("52998224725")),
        Just(json!(5_000)),
    ];
    let names = prop_oneof![
        prop::sample::select(vec![
            "amount_cents",
            "destino",
            "payer_tax_number",
            "customer_ref",
            "external_id",
            "pix_key",
            "pix_key_type",
            "tax_number",
            "webhook_url",
            "email",
            "brl_amount",
            "br_code",
            "asset",
            "network",
            "chain",
            "payout_address",
            "events",
            "capabilities",
            "contrapartes",
            "jsonrpc",
            "method",
            "params",
            "id",
            "name",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ];
    leaf.prop_recursive(3, 24, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((names.clone(), inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

fn raw() -> impl Strategy<Value = Raw> {
    let methods = prop_oneof![
        4 => prop::sample::select(vec!["GET", "POST", "PATCH"]).prop_map(str::to_owned),
        1 => prop::sample::select(vec!["PUT", "DELETE", "OPTIONS", "HEAD", "TRACE", "CONNECT"])
            .prop_map(str::to_owned),
        1 => "[A-Z!#$%&'*+.^_|~-]{1,12}",
    ];
    let body = prop_oneof![
        3 => json_value().prop_map(|value| value.to_string().into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..200),
        1 => Just(Vec::new()),
    ];
    (methods, target(), headers(), body, any::<bool>()).prop_map(
        |(method, target, mut headers, body, plain)| {
            if plain {
                headers.extend(with_a_key());
            }
            Raw { method, target, headers, body, asks: None }
        },
    )
}

/// A request of the contract as its document shows it, but for a field, and what stands in its path.
fn nearly_right() -> impl Strategy<Value = Raw> {
    let mut operations = operations();
    operations.retain(|operation| operation.path != ROTATION);
    let changed = prop::option::of((any::<prop::sample::Index>(), json_value()));
    (prop::sample::select(operations), changed, escaped()).prop_map(
        |(operation, changed, value)| {
            let mut body = example(&operation);
            if let (Some((index, value)), Some(body)) = (changed, body.as_object_mut())
                && !body.is_empty()
            {
                let place = index.index(body.len());
                *body.values_mut().nth(place).expect("it is one of them") = value;
            }
            let segments = operation.path.split('/').map(|segment| match segment.split_once('{') {
                Some(_) => &value,
                None => segment,
            });
            let posted = operation.method.name() != "GET";
            Raw {
                method: operation.method.name().to_owned(),
                target: segments.collect::<Vec<_>>().join("/"),
                headers: with_a_key(),
                body: if posted { body.to_string().into_bytes() } else { Vec::new() },
                asks: Some(operation),
            }
        },
    )
}

/// Returns what gets a request past the door.
fn with_a_key() -> Vec<(String, Vec<u8>)> {
    let headers = [("x-api-key", KEY), ("content-type", "application/json")];
    headers.map(|(name, value)| (name.to_owned(), value.as_bytes().to_vec())).to_vec()
}

/// The request; none of what HTTP itself does not carry.
fn request(raw: &Raw) -> Option<Request<Body>> {
    let method = Method::from_bytes(raw.method.as_bytes()).ok()?;
    let uri: Uri = raw.target.parse().ok()?;
    let mut request = Request::builder().method(method).uri(uri);
    for (name, value) in &raw.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        request = request.header(name, HeaderValue::from_bytes(value).ok()?);
    }
    request.body(Body::from(raw.body.clone())).ok()
}

/// Returns what is wrong with the answer to a request.
fn wrong(raw: &Raw, head: &axum::http::response::Parts, body: &Bytes) -> Option<String> {
    let status = head.status.as_u16();
    let text = |name: &str| head.headers.get(name).map_or("", |value| value.to_str().unwrap());
    let id = text("x-request-id");
    if status == 500 || status < 200 || id.is_empty() {
        return Some(format!("{status}, request id {id:?}"));
    }
    let tools = raw.target.starts_with("/mcp");
    if status < 400 || raw.method == "HEAD" || tools {
        return None;
    }
    if text("content-type").starts_with("text/html") {
        return None;
    }
    let Ok(error) = serde_json::from_slice::<Value>(body) else {
        return Some(format!("{status} without a contract's error: {body:?}"));
    };
    let named = error["erro"].is_string() && error["acao"].is_string();
    (!named || error["request_id"] != id).then(|| format!("{status}: {error}"))
}

struct Fuzzed {
    runtime: Runtime,
    /// How many requests were not refused.
    taken: AtomicUsize,
    routes: Router,
    _served: Served,
}

impl Fuzzed {
    fn start() -> Self {
        let served = Served::with_outbox_and(|service, tables| {
            let webhooks = Webhooks::open(tables, WebhookSettings::default()).unwrap();
            let limits =
                ledger_http::Limits { per_key: None, per_address: None, ..Default::default() };
            let config = Config::at("https://api.example.com");
            service.documents(config).webhooks(webhooks).limits(limits)
        });
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let (routes, taken) = (router(&served.service), AtomicUsize::new(0));
        Self { runtime, taken, routes, _served: served }
    }

    fn wrong(&self, raw: &Raw) -> Option<String> {
        let request = request(raw)?;
        self.runtime.block_on(async {
            let (head, body) = self.routes.clone().oneshot(request).await.unwrap().into_parts();
            if head.status.is_success() {
                self.taken.fetch_add(1, Ordering::Relaxed);
            }
            let bytes = to_bytes(body, 20_000_000).await.unwrap();
            // What is compressed is read by those who asked for it.
            let packed = head.headers.contains_key("content-encoding");
            if packed { None } else { wrong(raw, &head, &bytes) }
        })
    }
}

#[test]
fn whatever_is_asked_is_answered_in_the_contracts_words() {
    let fuzzed = Fuzzed::start();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 3_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let tried = runner.run(&prop_oneof![raw(), nearly_right()], |raw| {
        prop_assert_eq!(fuzzed.wrong(&raw), None);
        Ok(())
    });
    tried.unwrap_or_else(|error| panic!("{error}"));
    let taken = fuzzed.taken.load(Ordering::Relaxed);
    assert!(taken > 200, "{taken} requests were not refused");
    // It still serves.
    let alive = Raw {
        method: "GET".to_owned(),
        target: "/saldo".to_owned(),
        headers: vec![("x-api-key".to_owned(), KEY.as_bytes().to_vec())],
        body: Vec::new(),
        asks: None,
    };
    let answer = fuzzed.runtime.block_on(fuzzed.routes.clone().oneshot(request(&alive).unwrap()));
    assert_eq!(answer.unwrap().status(), 200);
}

/// The code of an error that its route does not declare.
fn undeclared(asked: Operation, answer: &Value) -> Option<String> {
    let code = answer["erro"].as_str()?;
    let listed = asked.refusals().iter().any(|(_, known)| known.name() == code);
    // What stands in a path may lead somewhere else.
    let elsewhere = matches!(code, "nao_encontrado" | "metodo_nao_permitido");
    let declared = listed || elsewhere && asked.path.contains('{');
    (!declared).then(|| format!("{} {}: {code}", asked.method.name(), asked.path))
}

#[test]
fn whatever_a_request_is_refused_for_its_route_declares() {
    let fuzzed = Fuzzed::start();
    let found = RefCell::new(BTreeSet::new());
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 4_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let tried = runner.run(&nearly_right(), |raw| {
        let (Some(request), Some(asks)) = (request(&raw), raw.asks) else { return Ok(()) };
        let answer = fuzzed.runtime.block_on(async {
            let answer = fuzzed.routes.clone().oneshot(request).await.unwrap();
            to_bytes(answer.into_body(), 20_000_000).await.unwrap()
        });
        let answer = serde_json::from_slice(&answer).unwrap_or_default();
        found.borrow_mut().extend(undeclared(asks, &answer));
        Ok(())
    });
    tried.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found.into_inner(), BTreeSet::new());
}
