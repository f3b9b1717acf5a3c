//! Webhooks as far as a ledger can answer for them: the test event, the view of deliveries, and
//! what an account's webhooks are sent to and signed with.
//!
//! Delivery is the embedding service's: it takes events from the outbox, signs, sends and retries
//! them. So what only it knows (whether an endpoint answered, how often it tried) is supplied by it
//! (rulings 39), and neither of these reads leaves a record.

use serde_json::{Map, Value, json};

use crate::contract::error::{Code, Problem, wrong};
use crate::contract::input::echo::mask_input;
use crate::contract::input::secret::Secret;
use crate::contract::input::tokens::Vault;
use crate::contract::version::CONTRACT_VERSION;
use crate::contract::views::Views;
use crate::contract::webhook::signature::OVERLAP;
use crate::id::{AccountId, Seq};
use crate::ledger::{Archive, Event, Notification, read_back};
use crate::time::Instant;

/// How a delivery stands (A16).
const STATUSES: [&str; 4] = ["queued", "retrying", "delivered", "abandoned"];

/// What is reported of a delivery.
const FIELDS: [&str; 8] = [
    "id",
    "event",
    "status",
    "attempts",
    "http_status",
    "created_at",
    "updated_at",
    "next_attempt_at",
];

/// Where an account's webhooks go, and what they are signed with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// The URL that webhooks are posted to (`webhook_url`).
    pub url: String,
    /// The secret that signs them by HMAC-SHA-256 (`webhook_secret`), in clear.
    pub secret: Secret,
}

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// Where an account's webhooks go; none while no address is set, or once it was erased.
    #[must_use]
    pub fn endpoint(&self, account: AccountId) -> Option<Endpoint> {
        let credentials = self.state.account(account)?.credentials;
        let url = self.vault.value(credentials.webhook?)?.to_owned();
        let secret = Secret::new(self.vault.value(credentials.secret?)?);
        Some(Endpoint { url, secret })
    }

    /// What signs an account's webhooks at `now`: the secret in force, and beside it, for a day
    /// after it was replaced, the one before. None while nothing is signed.
    #[must_use]
    pub fn signing_secrets(&self, account: AccountId, now: Instant) -> Vec<Secret> {
        let Some(known) = self.state.account(account) else { return Vec::new() };
        let replaced = known.replaced_secret.filter(|old| now < old.at.after(OVERLAP));
        let tokens = known.credentials.secret.into_iter().chain(replaced.map(|old| old.secret));
        tokens.filter_map(|token| self.vault.value(token)).map(Secret::new).collect()
    }

    /// The event `webhook.test`, to be signed and sent before `POST /webhooks/test` is answered.
    ///
    /// # Errors
    ///
    /// `webhook_nao_configurado` while no address is set.
    pub fn test_event(&self, account: AccountId, at: Instant) -> Result<Value, Problem> {
        let known = self.state.account(account);
        let known = known.filter(|_| self.endpoint(account).is_some());
        let known = known.ok_or_else(|| {
            let detail = "no webhook_url is set; PATCH /keys/me sets it";
            Problem::new(Code::WebhookNotConfigured, detail)
        })?;
        let mut hasher = blake3::Hasher::new_derive_key("custody-ledger webhook test v1");
        hasher.update(&at.micros().to_le_bytes());
        hasher.update(known.name.as_bytes());
        hasher.update(self.state.name.as_bytes());
        let tag = hasher.finalize().to_hex();
        Ok(json!({
            "id": format!("ev_test_{}", &tag[..24]),
            "event": "webhook.test",
            "created_at": at.to_string(),
            "api_version": CONTRACT_VERSION,
            "sequence": Notification::sequence_after(self.state.seq),
            "data": { "account": known.name },
        }))
    }

    /// `POST /webhooks/test`: what the endpoint answered to the test event, and how fast (EVT-12).
    ///
    /// # Errors
    ///
    /// `webhook_nao_configurado`; `endpoint_nao_respondeu` when nothing is supplied of an answer.
    pub fn test_result(
        &self,
        account: AccountId,
        supplied: &Value,
        at: Instant,
    ) -> Result<Value, Problem> {
        let event = self.test_event(account, at)?;
        let number = |name: &str, most: u64| match supplied.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_u64().filter(|number| *number <= most) {
                Some(number) => Ok(Some(number)),
                None => {
                    let what = format!("must be a whole number up to {most}");
                    Err(wrong(&format!("supplied.{name}"), &what))
                }
            },
        };
        let silent = || Problem::new(Code::EndpointSilent, "the endpoint did not answer");
        let status = number("http_status", 599)?.ok_or_else(silent)?;
        let latency = number("latency_ms", 3_600_000)?.ok_or_else(silent)?;
        Ok(json!({
            "event": event,
            "status": status,
            "latency_ms": latency,
            "entregue": (200..300).contains(&status),
        }))
    }

    /// `GET /webhooks/deliveries`: of the deliveries that are supplied, those of events that this
    /// ledger sent this account. A queue of everybody's may be supplied: no account sees
    /// another's. `supplied.switched_off` says since when the endpoint is sent nothing, and why.
    ///
    /// # Errors
    ///
    /// `consulta_indisponivel` when no queue is supplied; a [`Problem`] naming what is malformed.
    pub fn deliveries(&self, account: AccountId, supplied: &Value) -> Result<Value, Problem> {
        let queue = match supplied.get("deliveries") {
            None | Some(Value::Null) => {
                let detail = "the queue of deliveries cannot be read now";
                return Err(Problem::new(Code::LookupUnavailable, detail));
            }
            Some(Value::Array(queue)) => queue,
            Some(_) => return Err(wrong("supplied.deliveries", "must be a list")),
        };
        let mut items = Vec::new();
        for (place, entry) in queue.iter().enumerate() {
            let entry = delivery(entry, place)?;
            let id = entry.get("id").and_then(Value::as_str).unwrap_or_default();
            if self.account_of_event(id) == Some(account) {
                items.push(Value::Object(entry));
            }
        }
        let configured = self.endpoint(account).is_some();
        let mut answer = json!({ "items": items, "webhook_configurado": configured });
        if let Some(off) = supplied.get("switched_off").filter(|off| configured && off.is_object())
        {
            answer["webhook_desligado_em"] = off["since"].clone();
            answer["webhook_desligado_motivo"] = off["reason"].clone();
        }
        Ok(answer)
    }

    /// The event of this id as it was sent, its operation as it stood then, and the account that it
    /// is for; none for an id that this ledger gave no event.
    #[must_use]
    pub fn event_of(&self, id: &str) -> Option<(AccountId, Value)> {
        let record = self.archive.record(record_seq(id)?)?;
        let mut notifications = read_back(self.archive, &record).into_iter();
        let found = notifications.find(|notification| self.event_id(notification) == id)?;
        Some((found.operation.account()?, self.event(&found).into()))
    }

    /// The account that the event of this id is for: ids name the record, and the operation by its
    /// tag.
    #[must_use]
    pub fn account_of_event(&self, id: &str) -> Option<AccountId> {
        let tag = id.rsplit('_').next().filter(|tag| tag.len() == 16)?;
        let record = self.archive.record(record_seq(id)?)?;
        let mut ops = record.events.iter().filter_map(Event::op);
        let named = ops.find(|op| op.text(&self.state.name).ends_with(tag))?;
        self.operation(named)?.account()
    }
}

/// The record that an event's id names.
fn record_seq(id: &str) -> Option<Seq> {
    let mut parts = id.strip_prefix("ev_")?.split('_');
    let (seq, _, _) = (parts.next()?, parts.next()?, parts.next()?);
    seq.parse().ok().map(Seq)
}

/// A delivery as supplied: known fields, in their order, checked.
fn delivery(entry: &Value, place: usize) -> Result<Map<String, Value>, Problem> {
    let name = |field: &str| format!("supplied.deliveries[{place}]{field}");
    let map = entry.as_object().ok_or_else(|| wrong(&name(""), "must be an object"))?;
    if let Some(field) = map.keys().find(|field| !FIELDS.contains(&field.as_str())) {
        return Err(wrong(&name(&format!(".{}", mask_input(field))), "is unknown"));
    }
    let text = |field: &str| map.get(field).and_then(Value::as_str);
    for field in ["id", "event", "created_at"] {
        text(field).ok_or_else(|| wrong(&name(&format!(".{field}")), "must be a string"))?;
    }
    text("status").filter(|status| STATUSES.contains(status)).ok_or_else(|| {
        wrong(&name(".status"), &format!("must be one of {}", STATUSES.join(", ")))
    })?;
    let known =
        FIELDS.iter().filter_map(|field| Some(((*field).to_owned(), map.get(*field)?.clone())));
    Ok(known.collect())
}
