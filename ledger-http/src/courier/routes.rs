//! The routes of ours about webhooks: one delivery, sent again, recovered, and what listeners get.

use std::collections::HashMap;
use std::time::{Duration, Instant as Clock};

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::request::Parts;
use axum::response::Response as HttpResponse;
use axum::routing::{MethodRouter, get, post};
use ledger_core::contract::{Code, Problem};
use ledger_core::time::Instant;
use serde_json::{Value, json};

use super::answers::delivery_answer;
use super::attempt::{Courier, Single};
use super::directory::{bodies, givers};
use super::exchange::{Client, method_not_allowed, respond};
use super::filter::Filter;
use super::paths::{DELIVERY, EVENTS, FILTER, RECOVER, RESEND};
use super::tables::delivery::{AttemptKind, AttemptRecord, Delivery};
use super::webhooks::CourierError;
use crate::edge::body::read_json;
use crate::service::Service;

/// How often it is looked whether there is something new for a listener.
const LOOK: Duration = Duration::from_millis(200);

/// The longest that a listener waits for an answer, in seconds.
const LONGEST: u64 = 25;

/// How long before the end of its time a listener is answered, where that is long enough.
const SPARE: Duration = Duration::from_secs(5);

/// How many events a listener gets at once.
const AT_ONCE: u32 = 100;

/// The routes; the contract answers whatever they do not take.
pub(crate) fn routes() -> Router<Service> {
    Router::new()
        .route(DELIVERY, taking("GET, HEAD, OPTIONS", get(delivery)))
        .route(RESEND, taking("POST, OPTIONS", post(resend)))
        .route(RECOVER, taking("POST, OPTIONS", post(recover)))
        .route(FILTER, taking("GET, PUT, HEAD, OPTIONS", get(filter).put(choose)))
        .route(EVENTS, taking("GET, HEAD, OPTIONS", get(events)))
}

/// A path that answers other methods as the contract's paths do.
fn taking(methods: &'static str, routes: MethodRouter<Service>) -> MethodRouter<Service> {
    routes.fallback(async move |State(service): State<Service>, head: Parts| {
        method_not_allowed(service, head, methods).await
    })
}

/// `GET /webhooks/deliveries/{id}`: a delivery with its attempts and what is sent.
async fn delivery(
    State(service): State<Service>,
    Path(id): Path<String>,
    head: Parts,
) -> HttpResponse {
    respond(service, head, DELIVERY, async |client| {
        let delivery = client.delivery(&id).await?;
        let (ledger, event) = (client.ledger.environment().name(), id.clone());
        let attempts = client.webhooks.with_store(move |store| store.attempts(ledger, &event));
        let attempts = attempts.await.map_err(away)?;
        let payload = client.bodies(vec![id]).await.map_err(away)?;
        let mut shown = delivery_answer(&delivery);
        shown["history"] = attempts.iter().map(attempt_json).collect();
        shown["payload"] = payload.into_iter().next().flatten().unwrap_or_default();
        Ok(shown)
    })
    .await
}

/// `POST /webhooks/deliveries/{id}/resend`: the event once more, delivered or not.
async fn resend(
    State(service): State<Service>,
    Path(id): Path<String>,
    head: Parts,
) -> HttpResponse {
    respond(service, head, RESEND, async |client| {
        let delivery = client.delivery(&id).await?;
        let courier =
            Courier { service: client.service.clone(), webhooks: client.webhooks.clone() };
        let environment = client.ledger.environment();
        // What was sent is written down, though the client hangs up or its time is up.
        let single =
            tokio::spawn(
                async move { courier.once(environment, delivery, AttemptKind::Resend).await },
            );
        match single.await.map_err(|error| away(error.into()))?.map_err(away)? {
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
    })
    .await
}

/// `POST /webhooks/deliveries/recover?since=`: whatever was not delivered since then, once more.
async fn recover(State(service): State<Service>, head: Parts) -> HttpResponse {
    let query = head.uri.query().unwrap_or_default().to_owned();
    respond(service, head, RECOVER, async |client| {
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
            client.webhooks.with_store(move |store| store.recover(ledger, &account, since, now));
        let recovered = recovered.await.map_err(away)?;
        client.webhooks.note_due(client.ledger.environment(), &client.account);
        Ok(json!({ "enfileirados": recovered }))
    })
    .await
}

/// `GET /webhooks/filter`: which events the account has chosen.
async fn filter(State(service): State<Service>, head: Parts) -> HttpResponse {
    respond(service, head, FILTER, async |client| {
        let ledger = client.ledger.environment().name();
        let filters = client.webhooks.with_store(move |store| store.filters(ledger)).await;
        Ok(filters.map_err(away)?.remove(&client.account).unwrap_or_default().json())
    })
    .await
}

/// `PUT /webhooks/filter`: events that come from now on are sent if they are of these names.
async fn choose(State(service): State<Service>, request: Request) -> HttpResponse {
    let (head, body) = request.into_parts();
    let headers = head.headers.clone();
    respond(service, head, FILTER, async move |client| {
        let most = client.service.limits().body_bytes;
        let filter = Filter::read(&read_json(&headers, body, most).await?)?;
        let shown = filter.json();
        let (ledger, account) = (client.ledger.environment().name(), client.account.clone());
        let chosen =
            client.webhooks.with_store(move |store| store.choose(ledger, &account, &filter));
        chosen.await.map_err(away)?;
        Ok(shown)
    })
    .await
}

/// `GET /webhooks/events?after=&wait=`: what was announced after a place, resent events among it.
async fn events(State(service): State<Service>, head: Parts) -> HttpResponse {
    let query = head.uri.query().unwrap_or_default().to_owned();
    respond(service, head, EVENTS, async |client| {
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
            let last =
                client.webhooks.with_store(move |store| store.last_announced(ledger, &account));
            return Ok(json!({ "items": [], "next": last.await.map_err(away)? }));
        };
        // A listener is answered before its time is up.
        let handling = client.service.limits().handling;
        let wait = wait.min(handling.saturating_sub(SPARE).max(handling / 2));
        client.announcements(u64::from(after), wait).await.map_err(away)
    })
    .await
}

impl Client {
    /// The delivery of an event of this account.
    async fn delivery(&self, id: &str) -> Result<Delivery, Problem> {
        let (ledger, event) = (self.ledger.environment().name(), id.to_owned());
        let found = self.webhooks.with_store(move |store| store.get(ledger, &event)).await;
        let found = found.map_err(away)?;
        found.filter(|found| found.account == self.account).ok_or_else(no_such_event)
    }

    /// Returns what is sent for events of this account, in the same order.
    async fn bodies(&self, events: Vec<String>) -> Result<Vec<Option<Value>>, CourierError> {
        let (ledgers, of) = (self.service.ledgers(), self.ledger.environment());
        let mut found = HashMap::new();
        for (ledger, its) in givers(ledgers, of, &self.account, events.clone()).await? {
            let bodies = bodies(&ledger, its.clone()).await?;
            found.extend(its.into_iter().zip(bodies));
        }
        Ok(events.iter().map(|event| found.remove(event).flatten()).collect())
    }

    /// Returns what was announced after a place; waits for it where that is nothing.
    async fn announcements(&self, after: u64, wait: Duration) -> Result<Value, CourierError> {
        let began = Clock::now();
        loop {
            let (ledger, account) = (self.ledger.environment().name(), self.account.clone());
            let found = self
                .webhooks
                .with_store(move |store| store.announced_after(ledger, &account, after, AT_ONCE))
                .await?;
            let late = wait <= began.elapsed() || self.service.is_closing();
            if found.is_empty() && !late {
                tokio::time::sleep(LOOK).await;
                continue;
            }
            let next = found.last().map_or(after, |delivery| delivery.announced);
            let events = found.into_iter().map(|delivery| delivery.event).collect();
            let items: Vec<Value> = self.bodies(events).await?.into_iter().flatten().collect();
            return Ok(json!({ "items": items, "next": next }));
        }
    }
}

fn attempt_json(attempt: &AttemptRecord) -> Value {
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

fn wrong(detail: &str) -> Problem {
    Problem::new(Code::RequestInvalid, detail)
}

fn no_such_event() -> Problem {
    Problem::new(Code::NotFound, "this account was sent no event of this id, or it is forgotten")
}

fn not_configured() -> Problem {
    Problem::new(Code::WebhookNotConfigured, "no webhook_url is set; PATCH /keys/me sets it")
}

fn away(_: CourierError) -> Problem {
    Problem::new(Code::LookupUnavailable, "the deliveries cannot be read or written now")
}
