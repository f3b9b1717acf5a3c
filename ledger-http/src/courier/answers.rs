//! What the contract asks of whoever sends webhooks: what a test was answered, and how deliveries
//! stand.

use ledger_core::contract::{Call, CallKind, Environment, account_of};
use ledger_core::id::AccountId;
use ledger_core::time::Instant;
use serde_json::{Map, Value, json};

use super::attempt::Courier;
use super::directory::token_text;
use super::tables::delivery::{Delivery, EndpointRecord};
use super::webhooks::{CourierError, Webhooks};
use crate::ledgers::OpenLedger;
use crate::service::Service;

/// How many deliveries are listed, the latest first (P:WebhookListing).
const LISTED: u32 = 100;

/// What a call asks of the courier.
#[derive(Clone, Copy)]
enum DeliveryQuestion {
    Test,
    Deliveries,
}

impl Webhooks {
    /// Supplies what `POST /webhooks/test` and `GET /webhooks/deliveries` lack; what the courier
    /// cannot find out it leaves out, and the contract says what that means.
    pub(crate) async fn supply(&self, service: &Service, ledger: &OpenLedger, call: &mut Call) {
        let Some((asked, key)) = question_of(call).filter(|_| ledger.outbox().is_some()) else {
            return;
        };
        let Ok(state) = ledger.engine().committed_state().await else { return };
        let Ok(account) = account_of(&state, ledger.tokens(), Some(key)) else { return };
        let Some(known) = state.account(account) else { return };
        let (name, credentials) = (known.name.to_string(), known.credentials);
        let found = match asked {
            DeliveryQuestion::Test => self.send_test(service, ledger, (account, name), call).await,
            DeliveryQuestion::Deliveries => {
                self.list_deliveries(
                    ledger,
                    name,
                    credentials.webhook.map(token_text).unwrap_or_default(),
                )
                .await
            }
        };
        let Ok(found) = found else { return };
        if !call.supplied.is_object() {
            call.supplied = json!({});
        }
        if let Value::Object(supplied) = &mut call.supplied {
            supplied.extend(found);
        }
    }

    async fn send_test(
        &self,
        service: &Service,
        ledger: &OpenLedger,
        account: (AccountId, String),
        call: &Call,
    ) -> Result<Map<String, Value>, CourierError> {
        let courier = Courier { service: service.clone(), webhooks: self.clone() };
        let sent = courier.test(ledger, account, call.at).await?;
        let mut found = Map::new();
        if let Some((status, sent)) = sent.and_then(|sent| Some((sent.outcome.status()?, sent))) {
            let latency = u64::try_from(sent.took.as_millis()).unwrap_or(u64::MAX);
            found.insert("http_status".to_owned(), status.into());
            found.insert("latency_ms".to_owned(), latency.into());
        }
        Ok(found)
    }

    async fn list_deliveries(
        &self,
        ledger: &OpenLedger,
        account: String,
        url: String,
    ) -> Result<Map<String, Value>, CourierError> {
        let (latest, endpoint) = self.latest_deliveries(ledger.environment(), account).await?;
        let mut found = Map::new();
        let items: Vec<Value> = latest.iter().map(delivery_answer).collect();
        found.insert("deliveries".to_owned(), items.into());
        // What another address was answered with says nothing of the present one.
        if let Some((since, reason)) = endpoint.off.filter(|_| endpoint.url == url) {
            let off = json!({ "since": since.to_string(), "reason": reason.name() });
            found.insert("switched_off".to_owned(), off);
        }
        Ok(found)
    }
}

impl Webhooks {
    /// The latest deliveries to an account, and how its endpoint has answered.
    pub(crate) async fn latest_deliveries(
        &self,
        environment: Environment,
        account: String,
    ) -> Result<(Vec<Delivery>, EndpointRecord), CourierError> {
        let ledger = environment.name();
        self.with_store(move |store| {
            let latest = store.latest(ledger, &account, LISTED)?;
            Ok((latest, store.endpoint(ledger, &account)?))
        })
        .await
    }
}

/// Tells whether a call asks for the deliveries to an account, which each ledger lists of its own
/// events.
pub(crate) fn lists_deliveries(call: &Call) -> bool {
    let CallKind::Request { method, target, .. } = &call.ask else { return false };
    method == "GET" && target.split('?').next() == Some("/webhooks/deliveries")
}

/// Adds what another ledger lists to a list of deliveries: the latest first, as many as are listed
/// of one.
pub(crate) fn add_deliveries(list: &mut Value, mut other: Value) {
    let Some(items) = list["items"].as_array_mut() else { return };
    items.append(other["items"].as_array_mut().unwrap_or(&mut Vec::new()));
    let created = |item: &Value| item["created_at"].as_str().and_then(Instant::parse);
    items.sort_by_key(|item| std::cmp::Reverse(created(item)));
    items.truncate(LISTED as usize);
}

/// A delivery as the contract lists it.
pub(super) fn delivery_answer(delivery: &Delivery) -> Value {
    json!({
        "id": delivery.event,
        "event": delivery.topic,
        "status": delivery.state.name(),
        "attempts": delivery.attempts,
        "http_status": delivery.http_status,
        "created_at": delivery.created_at.to_string(),
        "updated_at": delivery.updated_at.to_string(),
        "next_attempt_at": delivery.next_at.map(|at| at.to_string()),
    })
}

/// Returns what a call asks, and by which key; nothing where that was supplied.
fn question_of(call: &Call) -> Option<(DeliveryQuestion, &str)> {
    let CallKind::Request { method, target, key: Some(key) } = &call.ask else { return None };
    let path = target.split('?').next().unwrap_or_default();
    let (asked, supplied) = match (method.as_str(), path) {
        ("POST", "/webhooks/test") => (DeliveryQuestion::Test, "http_status"),
        ("GET", "/webhooks/deliveries") => (DeliveryQuestion::Deliveries, "deliveries"),
        _ => return None,
    };
    call.supplied.get(supplied).is_none().then_some((asked, key))
}
