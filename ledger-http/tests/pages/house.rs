//! A service over ledgers in which every flow of the contract has happened, and a browser of it.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, Request};
use http_body_util::BodyExt as _;
use ledger_core::contract::{Call, CallKind, Environment, Line, Problem};
use ledger_core::ledger::Origin;
use ledger_http::documents::Config;
use ledger_http::{Ledgers, OpenLedger, Service, ServiceBuilder, Supply, Supplying, router};
use ledger_sim::Sandbox;
use ledger_store::engine::Engine;
use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
use serde_json::{Value, json};
use tower::ServiceExt as _;

// What `run` supplies in the provider's place, derived from each line.
#[path = "../../../src/cli/provider.rs"]
mod provider;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/whole-contract.jsonl");

/// Where clients reach the service.
pub const BASE: &str = "https://api.example.com";

/// The key that the file's account has after its last rotation.
pub const KEY: &str = "svc_live_5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e";

/// A code of the Central Bank's manual.
pub const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000\
                        520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA62070503***6304\
                        36D9";

/// Supplies every charge with the code of the manual.
pub struct Codes;

impl Supply for Codes {
    fn supply<'a>(&'a self, _: &'a OpenLedger, call: &'a mut Call) -> Supplying<'a> {
        Box::pin(async move {
            if matches!(&call.ask, CallKind::Request { target, .. } if target == "/cashin/charge") {
                call.supplied = json!({ "qr_copypaste": CODE });
            }
            Ok(())
        })
    }
}

/// A service, and what was answered to each line of the file, by its label.
pub struct House {
    pub service: Service,
    pub answers: HashMap<String, Value>,
}

/// An answer of the service, read to its end.
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8(self.bytes.clone()).unwrap()
    }

    pub fn body(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

fn open(environment: Environment) -> OpenLedger {
    let mode = OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
    let journal = MemoryJournal::open(&MemoryDisk::new(), environment.name(), mode).unwrap();
    let engine = Engine::builder(environment.name()).start(Box::new(journal)).unwrap();
    OpenLedger::new(Arc::new(engine)).unwrap()
}

impl House {
    /// With empty ledgers.
    pub fn empty() -> Self {
        Self::built(|builder| builder)
    }

    /// With empty ledgers, and what is added to the service.
    pub fn built(more: impl FnOnce(ServiceBuilder) -> ServiceBuilder) -> Self {
        let sandbox = open(Environment::Sandbox).played_by(Sandbox::new(1));
        let ledgers = Ledgers::new(open(Environment::Live), sandbox);
        let service = Service::builder(ledgers).documents(Config::at(BASE)).supply(Codes);
        Self { service: more(service).build().unwrap(), answers: HashMap::new() }
    }

    /// Over a service of a test's own.
    pub fn over(service: Service) -> Self {
        Self { service, answers: HashMap::new() }
    }

    /// In which every line of the file has been answered.
    pub async fn lived_in() -> Self {
        let mut house = Self::empty();
        house.live().await;
        house
    }

    /// Answers every line of the file.
    pub async fn live(&mut self) {
        for line in std::fs::read_to_string(FILE).unwrap().lines() {
            self.play(line).await;
        }
    }

    pub async fn play(&mut self, text: &str) {
        let refer = |name: &str| -> Result<String, Problem> {
            let (label, field) = name.split_once('.').unwrap();
            let found = self.answers[label].pointer(&format!("/{}", field.replace('.', "/")));
            Ok(found.and_then(Value::as_str).unwrap().to_owned())
        };
        let mut line = Line::parse(text, refer).unwrap();
        let ledgers = self.service.ledgers();
        let tokens = *ledgers.for_environment(Environment::Live).tokens();
        let (said, label, at) = (line.environment, line.label.clone(), line.at);
        let hash = |text: &str| tokens.line(text);
        provider::supply_line(&mut line, &[Environment::Live], || hash(text), hash);
        let call = line.call(Origin::Call);
        let targets = ledgers.targets(&call, said).await.unwrap();
        for target in targets {
            let outcome = ledgers.handle(target, call.clone(), at).await.unwrap();
            if let Some(label) = &label {
                self.answers.insert(label.clone(), outcome.response.body.into());
            }
        }
    }

    /// Asks the clients' listener.
    pub async fn get(&self, target: &str) -> Answer {
        self.ask(target, &[]).await
    }

    pub async fn ask(&self, target: &str, headers: &[(&str, &str)]) -> Answer {
        let target = target.strip_prefix(BASE).unwrap_or(target);
        let mut request = Request::get(target);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        sent(router(&self.service), request.body(Body::empty()).unwrap()).await
    }

    pub async fn send(&self, method: &str, target: &str, key: &str, body: &Value) -> Value {
        let mut request = Request::builder().method(method).uri(target);
        request = request.header("content-type", "application/json");
        if !key.is_empty() {
            request = request.header("x-api-key", key);
        }
        let request = request.body(Body::from(body.to_string())).unwrap();
        let answer = sent(router(&self.service), request).await;
        assert!(answer.status < 300, "{}", answer.text());
        answer.body()
    }
}

/// Asks routes, and reads the whole answer.
pub async fn sent(routes: Router, request: Request<Body>) -> Answer {
    sent_from([127, 0, 0, 1], routes, request).await
}

/// The same from another address.
pub async fn sent_from(peer: [u8; 4], routes: Router, mut request: Request<Body>) -> Answer {
    let peer = SocketAddr::from((peer, 4_000));
    request.extensions_mut().insert(ConnectInfo(peer));
    let response = routes.oneshot(request).await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let bytes = response.into_body().collect().await.unwrap().to_bytes().to_vec();
    Answer { status, headers, bytes }
}

/// Every address of its own site that a page links to.
pub fn links(text: &str) -> Vec<String> {
    let found = text.split("<a href=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    found.filter(|href| href.starts_with('/')).map(|href| href.replace("&#38;", "&")).collect()
}

/// What every page promises a browser, and what none has.
pub fn is_a_page(answer: &Answer) {
    promises(answer, "no-referrer");
}

/// The same of a page with forms, which say to their own site where they come from.
pub fn is_form_page(answer: &Answer) {
    promises(answer, "same-origin");
}

fn promises(answer: &Answer, referrer_policy: &str) {
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    let policy = answer.header("content-security-policy");
    for said in ["default-src 'none'", "style-src 'sha256-", "frame-ancestors 'none'"] {
        assert!(policy.contains(said), "{policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains("script"), "{policy}");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("referrer-policy"), referrer_policy);
    assert_eq!(answer.header("cache-control"), "no-store");
    let text = answer.text();
    for never in ["<script", " style=\"", " onclick", "javascript:"] {
        assert!(!text.contains(never), "{never} in {text}");
    }
}
