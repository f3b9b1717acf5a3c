//! The routes of ours about webhooks: one delivery, sent again, recovered, and what listeners get.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant as Clock};

use axum::Router;
use axum::extract::{ConnectInfo, Path, State};
use axum::http::request::Parts;
use axum::http::{Extensions, Method};
use axum::response::Response as HttpResponse;
use axum::routing::{MethodRouter, get, post};
use ledger_core::contract::{Code, Environment, Problem, Response, account_of};
use ledger_core::time::Instant;
use serde_json::{Value, json};

use super::answers::delivery_answer;
use super::attempt::{Courier, Single};
use super::directory::bodies;
use super::paths::{DELIVERY, EVENTS, RECOVER, RESEND};
use super::tables::delivery::{AttemptKind, AttemptRecord, Delivery};
use super::webhooks::{CourierError, Webhooks};
use crate::edge::client_address::client_address;
use crate::edge::content_type::accepted;
use crate::edge::reply::{Occasion, Reply};
use crate::edge::{key_of, within_limits};
use crate::ledgers::OpenLedger;
use crate::operation::access::Access;
use crate::request_id::RequestId;
use crate::service::Service;

/// How often it is looked whether there is something new for a listener.
const LOOK: Duration = Duration::from_millis(200);

/// The longest that a listener waits for an answer, in seconds.
const LONGEST: u64 = 25;

/// How many events a listener gets at once.
const AT_ONCE: u32 = 100;

/// The routes; the contract answers whatever they do not take.
pub(crate) fn routes() -> Router<Service> {
    Router::new()
        .route(DELIVERY, taking("GET, HEAD, OPTIONS", get(delivery)))
        .route(RESEND, taking("POST, OPTIONS", post(resend)))
        .route(RECOVER, taking("POST, OPTIONS", post(recover)))
        .route(EVENTS, taking("GET, HEAD, OPTIONS", get(events)))
}

/// A path that answers other methods as the contract's paths do.
fn taking(methods: &'static str, routes: MethodRouter<Service>) -> MethodRouter<Service> {
    routes.fallback(async move |State(service): State<Service>, head: Parts| {
        let (id, at) = (request_id(&head.extensions), service.now());
        let occasion = Occasion { at, request_id: id.as_str() };
        let reply = if head.method == Method::OPTIONS {
            Reply::new(Response { status: 204, body: Value::Null })
        } else {
            let detail = format!("this path takes {methods}");
            Reply::problem(&Problem::new(Code::MethodNotAllowed, detail), occasion)
        };
        reply.allowing(methods).render(accepted(&head.headers))
    })
}

/// A client that asks, and what it is answered with.
struct Client {
    service: Service,
    webhooks: Webhooks,
    ledger: Arc<OpenLedger>,
    account: String,
    /// Whether it has an address.
    listens: bool,
}

/// `GET /webhooks/deliveries/{id}`: a delivery with its attempts and what is sent.
async fn delivery(
    State(service): State<Service>,
    Path(id): Path<String>,
    head: Parts,
) -> HttpResponse {
    let mut exchange = Exchange::begun(service, &head, DELIVERY);
    let shown = async {
        let client = exchange.client(&head).await?;
        let delivery = client.delivery(&id).await?;
        let (ledger, event) = (client.ledger.environment().name(), id.clone());
        let attempts = client.webhooks.stored(move |store| store.attempts(ledger, &event));
        let attempts = attempts.await.map_err(away)?;
        let payload = bodies(&client.ledger, vec![id]).await.map_err(|error| away(error.into()))?;
        let mut shown = delivery_answer(&delivery);
        shown["history"] = attempts.iter().map(attempted).collect();
        shown["payload"] = payload.into_iter().next().flatten().unwrap_or_default();
        Ok(shown)
    };
    let shown: Result<Value, Problem> = shown.await;
    exchange.answered(&head, shown)
}

/// `POST /webhooks/deliveries/{id}/resend`: the event once more, delivered or not.
async fn resend(
    State(service): State<Service>,
    Path(id): Path<String>,
    head: Parts,
) -> HttpResponse {
    let mut exchange = Exchange::begun(service, &head, RESEND);
    let resent = async {
        let client = exchange.client(&head).await?;
        let delivery = client.delivery(&id).await?;
        let courier =
            Courier { service: client.service.clone(), webhooks: client.webhooks.clone() };
        let environment = client.ledger.environment();
        let single = courier.once(environment, delivery, AttemptKind::Resend).await;
        match single.map_err(away)? {
            Single::Made(sent) => {
                let silent = || Problem::new(Code::EndpointSilent, "the endpoint did not answer");
                let status = sent.outcome.status().ok_or_else(silent)?;
                Ok(json!({
                    "id": id,
                    "status": status,
                    "latency_ms": u64::try_from(sent.took.as_millis()).unwrap_or(u64::MAX),
                    "entregue": sent.outcome.is_success(),
                }))
            }
            Single::NoEndpoint => Err(not_configured()),
            Single::Unknown => Err(no_such_event()),
        }
    };
    let resent: Result<Value, Problem> = resent.await;
    exchange.answered(&head, resent)
}

/// `POST /webhooks/deliveries/recover?since=`: whatever was not delivered since then, once more.
async fn recover(State(service): State<Service>, head: Parts) -> HttpResponse {
    let mut exchange = Exchange::begun(service, &head, RECOVER);
    let recovered = async {
        let client = exchange.client(&head).await?;
        let query = head.uri.query().unwrap_or_default();
        let mut since = None;
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if name != "since" {
                return Err(wrong("the query may have since"));
            }
            since = Instant::parse(&value);
        }
        let since = since.ok_or_else(|| wrong("since must be an instant of RFC 3339"))?;
        if !client.listens {
            return Err(not_configured());
        }
        let (ledger, account) = (client.ledger.environment().name(), client.account.clone());
        let now = client.service.now();
        let recovered =
            client.webhooks.stored(move |store| store.recover(ledger, &account, since, now));
        let recovered = recovered.await.map_err(away)?;
        client.webhooks.wake();
        Ok(json!({ "enfileirados": recovered }))
    };
    let recovered: Result<Value, Problem> = recovered.await;
    exchange.answered(&head, recovered)
}

/// `GET /webhooks/events?after=&wait=`: what was announced after a place, resent events among it.
async fn events(State(service): State<Service>, head: Parts) -> HttpResponse {
    let mut exchange = Exchange::begun(service, &head, EVENTS);
    let announced = async {
        let client = exchange.client(&head).await?;
        let query = head.uri.query().unwrap_or_default();
        let (mut after, mut wait) = (None, Duration::ZERO);
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "after" => {
                    let place = value.parse::<u32>();
                    after = Some(place.map_err(|_| wrong("after must be the next of an answer"))?);
                }
                "wait" => {
                    let seconds = value.parse().ok().filter(|seconds| *seconds <= LONGEST);
                    let seconds = seconds.ok_or_else(|| wrong("wait must be 0 to 25 seconds"))?;
                    wait = Duration::from_secs(seconds);
                }
                _ => return Err(wrong("the query may have after and wait")),
            }
        }
        let Some(after) = after else {
            let (ledger, account) = (client.ledger.environment().name(), client.account.clone());
            let last = client.webhooks.stored(move |store| store.last_announced(ledger, &account));
            return Ok(json!({ "items": [], "next": last.await.map_err(away)? }));
        };
        client.announced(u64::from(after), wait).await.map_err(away)
    };
    let announced: Result<Value, Problem> = announced.await;
    exchange.answered(&head, announced)
}

impl Client {
    /// The delivery of an event of this account.
    async fn delivery(&self, id: &str) -> Result<Delivery, Problem> {
        let (ledger, event) = (self.ledger.environment().name(), id.to_owned());
        let found = self.webhooks.stored(move |store| store.get(ledger, &event)).await;
        let found = found.map_err(away)?;
        found.filter(|found| found.account == self.account).ok_or_else(no_such_event)
    }

    /// What was announced after a place; waits for it where that is nothing.
    async fn announced(&self, after: u64, wait: Duration) -> Result<Value, CourierError> {
        let began = Clock::now();
        loop {
            let (ledger, account) = (self.ledger.environment().name(), self.account.clone());
            let found = self
                .webhooks
                .stored(move |store| store.announced_after(ledger, &account, after, AT_ONCE))
                .await?;
            let late = wait <= began.elapsed() || self.service.is_closing();
            if found.is_empty() && !late {
                tokio::time::sleep(LOOK).await;
                continue;
            }
            let next = found.last().map_or(after, |delivery| delivery.announced);
            let events = found.into_iter().map(|delivery| delivery.event).collect();
            let items: Vec<Value> =
                bodies(&self.ledger, events).await?.into_iter().flatten().collect();
            return Ok(json!({ "items": items, "next": next }));
        }
    }
}

/// A request in progress, and what is logged of it.
struct Exchange {
    service: Service,
    id: RequestId,
    access: Access,
}

impl Exchange {
    fn begun(service: Service, head: &Parts, route: &'static str) -> Self {
        let id = request_id(&head.extensions);
        let mut access = Access::begun(service.now(), id.as_str(), head.method.as_str());
        access.route = route;
        Self { service, id, access }
    }

    /// Who asks, by the key, within its limits.
    async fn client(&mut self, head: &Parts) -> Result<Client, Problem> {
        let service = &self.service;
        let peer = head.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map(|ConnectInfo(peer)| peer.ip());
        let key = key_of(&head.headers);
        let address = client_address(peer, &head.headers, &service.limits().trusted_proxies);
        within_limits(service, address, key.as_deref())?;
        let ledgers = service.ledgers();
        let environment = match &key {
            Some(key) => ledgers.of_key(key).await.map_err(|_| ledger_away())?,
            None => Environment::Live,
        };
        self.access.environment = Some(environment);
        let ledger = Arc::clone(ledgers.of(environment));
        let state = ledger.engine().committed().await.map_err(|_| ledger_away())?;
        let account = account_of(&state, ledger.tokens(), key.as_deref())?;
        let known = state.account(account).expect("a key opens an account that exists");
        let webhooks = service.webhooks().expect("these are routes of one that sends webhooks");
        if ledger.outbox().is_none() {
            let detail = format!("no webhooks of ledger {} are sent", environment.name());
            return Err(Problem::new(Code::LookupUnavailable, detail));
        }
        Ok(Client {
            service: service.clone(),
            webhooks: webhooks.clone(),
            account: known.name.to_string(),
            listens: known.credentials.webhook.is_some(),
            ledger,
        })
    }

    /// The answer, in the form that the client accepts.
    fn answered(mut self, head: &Parts, asked: Result<Value, Problem>) -> HttpResponse {
        let occasion = Occasion { at: self.access.at, request_id: self.id.as_str() };
        let mut reply = match asked {
            Ok(body) => Reply::new(Response::ok(body)),
            Err(problem) => Reply::problem(&problem, occasion),
        };
        if let Some(docs_url) = &self.service.parts().docs_url {
            reply.response = reply.response.documented(docs_url);
        }
        self.access.code = reply.code().map(str::to_owned);
        let mut rendered = reply.render(accepted(&head.headers));
        rendered.extensions_mut().insert(self.access);
        rendered
    }
}

fn attempted(attempt: &AttemptRecord) -> Value {
    json!({
        "number": attempt.number,
        "kind": attempt.kind,
        "at": attempt.at.to_string(),
        "outcome": attempt.outcome,
        "http_status": attempt.http_status,
        "latency_ms": attempt.latency_ms,
        "answer": attempt.answer,
    })
}

fn request_id(extensions: &Extensions) -> RequestId {
    let id = extensions.get::<RequestId>().cloned();
    id.unwrap_or_else(|| RequestId::of(None, || 0))
}

fn wrong(detail: &str) -> Problem {
    Problem::new(Code::RequestInvalid, detail)
}

fn no_such_event() -> Problem {
    Problem::new(Code::NotFound, "this account was sent no event of this id, or it is forgotten")
}

fn not_configured() -> Problem {
    Problem::new(Code::WebhookNotConfigured, "no webhook_url is set; PATCH /keys/me sets it")
}

fn ledger_away() -> Problem {
    Problem::new(Code::Paused, "the ledger is away; nothing of this was done")
        .with("retry_after_seconds", 5.into())
}

fn away(_: CourierError) -> Problem {
    Problem::new(Code::LookupUnavailable, "the deliveries cannot be read or written now")
}
