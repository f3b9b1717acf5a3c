//! `GET /instructions`: hands out what the world is asked to do (rulings 70); and its
//! acknowledgement.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Path, Request, State};
use axum::response::Response as HttpResponse;
use ledger_core::contract::{Code, Environment, Problem, Response};
use ledger_core::time::Instant as Recorded;
use ledger_store::projection::{Acknowledged, OutboxError};
use serde_json::{Value, json};

use super::fact::respond;
use crate::edge::reply::Reply;
use crate::ledgers::OpenLedger;
use crate::outbox::{Outbox, OutboxFailed};
use crate::service::Service;

/// How often it is looked whether there is something new.
const LOOK: Duration = Duration::from_millis(100);

/// The longest that an answer is waited with, in seconds.
const LONGEST: u64 = 60;

/// The most entries of an answer.
const MOST: usize = 1_000;

/// What is asked for.
struct InstructionQuery {
    environment: Environment,
    limit: usize,
    wait: Duration,
}

/// Hands out what is due; where that is nothing, once there is something, or the time is over.
pub(super) async fn pending(State(service): State<Service>, request: Request) -> HttpResponse {
    let query = request.uri().query().unwrap_or_default().to_owned();
    let told = async {
        let asked = parse_query(&query)?;
        let outboxes = outboxes(&service, asked.environment)?;
        let began = Instant::now();
        loop {
            let handed = handed_out(&service, &outboxes, &asked).await?;
            let late = began.elapsed() >= asked.wait || service.is_closing();
            if !handed.items.is_empty() || !handed.called_off.is_empty() || late {
                let Handed { items, called_off } = handed;
                let body = json!({ "items": items, "called_off": called_off });
                return Ok(Reply::new(Response::ok(body)));
            }
            tokio::time::sleep(LOOK).await;
        }
    };
    let told: Result<Reply, Problem> = told.await;
    respond(&service, &request, told)
}

/// Acknowledges an instruction: it was carried out, or is known to whoever does.
pub(super) async fn acknowledge(
    State(service): State<Service>,
    Path(id): Path<String>,
    request: Request,
) -> HttpResponse {
    let query = request.uri().query().unwrap_or_default().to_owned();
    let told = async {
        let asked = parse_query(&query)?;
        let (outboxes, at) = (outboxes(&service, asked.environment)?, service.now());
        let done = within(move || acknowledge_entry(&outboxes, &id, at)).await?;
        let when = match done {
            Acknowledged::Now => "now",
            Acknowledged::Before => "before",
        };
        Ok(Reply::new(Response::ok(json!({ "acknowledged": when }))))
    };
    let told: Result<Reply, Problem> = told.await;
    respond(&service, &request, told)
}

/// The outbox of a ledger, and the ledger's name where it is one of several.
type Named = (Option<String>, Arc<Mutex<Outbox>>);

fn outboxes(service: &Service, environment: Environment) -> Result<Vec<Named>, Problem> {
    let named = |ledger: &Arc<OpenLedger>| {
        let label = Some(ledger.label()).filter(|label| *label != environment.name());
        let none = || {
            let detail = format!("the service keeps no outbox of ledger {}", ledger.label());
            Problem::new(Code::NotFound, detail)
        };
        Ok((label.map(str::to_owned), ledger.outbox().ok_or_else(none)?))
    };
    service.ledgers().each_of(environment).map(named).collect()
}

/// What was handed out, and what was called off before.
#[derive(Default)]
struct Handed {
    items: Vec<Value>,
    called_off: Vec<Value>,
}

/// Hands out what is due in all of them, the oldest first; each says of which ledger it is, where
/// there are several.
async fn handed_out(
    service: &Service,
    outboxes: &[Named],
    asked: &InstructionQuery,
) -> Result<Handed, Problem> {
    let mut handed = Handed::default();
    let at = service.now();
    for (ids, (ledger, outbox)) in
        ids_to_hand_out(outboxes, asked.limit).await?.into_iter().zip(outboxes)
    {
        let (its, limit) = (Arc::clone(outbox), asked.limit);
        let mut found = within(move || match ids {
            Some(ids) => lock(&its).hand_out(&ids, limit, at),
            None => lock(&its).instructions(limit, at),
        })
        .await?;
        service.metrics().note_called_off(asked.environment, found.called_off.len());
        if let Some(ledger) = ledger {
            for item in found.given.iter_mut().chain(&mut found.called_off) {
                item["ledger"] = ledger.as_str().into();
            }
        }
        handed.items.append(&mut found.given);
        handed.called_off.append(&mut found.called_off);
    }
    // Those of one ledger stay in their order, which is that of their instants.
    handed.items.sort_by_key(|item| item["recorded_at"].as_str().and_then(Recorded::parse));
    Ok(handed)
}

/// Which are handed out of each outbox: no more than `limit` in all, the oldest of several ledgers;
/// none where one ledger's are asked for, of which all may be.
async fn ids_to_hand_out(
    outboxes: &[Named],
    limit: usize,
) -> Result<Vec<Option<HashSet<String>>>, Problem> {
    if outboxes.len() < 2 {
        return Ok(vec![None; outboxes.len()]);
    }
    let mut waiting = Vec::new();
    for (of, (_, outbox)) in outboxes.iter().enumerate() {
        let its = Arc::clone(outbox);
        let found = within(move || lock(&its).pending(limit)).await?;
        waiting.extend(found.into_iter().map(|entry| (of, entry)));
    }
    waiting.sort_by_key(|(_, entry)| Recorded::parse(&entry.recorded_at));
    let mut wanted = vec![HashSet::new(); outboxes.len()];
    for (of, entry) in waiting.into_iter().take(limit) {
        wanted[of].insert(entry.id);
    }
    Ok(wanted.into_iter().map(Some).collect())
}

/// Acknowledges an entry in the outbox that has it. Blocks.
fn acknowledge_entry(
    outboxes: &[Named],
    id: &str,
    at: Recorded,
) -> Result<Acknowledged, OutboxFailed> {
    let unknown = OutboxError::Unknown { ledger: String::new(), id: id.to_owned() };
    let mut failed = OutboxFailed::Entry(unknown);
    for (_, outbox) in outboxes {
        match lock(outbox).acknowledge(id, at) {
            Ok(done) => return Ok(done),
            Err(OutboxFailed::Entry(OutboxError::Unknown { .. })) => {}
            // Whether the entry stands there is not known.
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

fn lock(outbox: &Mutex<Outbox>) -> std::sync::MutexGuard<'_, Outbox> {
    // What it reads and writes is whole in the database, whoever panicked.
    outbox.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads or writes the outbox on a thread that may block.
async fn within<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, OutboxFailed> + Send + 'static,
) -> Result<T, Problem> {
    let away = || {
        Problem::new(Code::Paused, "the outbox cannot be read or written now")
            .with("retry_after_seconds", 1.into())
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(OutboxFailed::Entry(OutboxError::Unknown { .. }))) => {
            Err(Problem::new(Code::NotFound, "nothing in the outbox has this id"))
        }
        Ok(Err(_)) | Err(_) => Err(away()),
    }
}

/// Reads `environment`, `limit` and `wait` of the query.
fn parse_query(query: &str) -> Result<InstructionQuery, Problem> {
    let wrong = |detail: &str| Problem::new(Code::RequestInvalid, detail);
    let mut asked =
        InstructionQuery { environment: Environment::Live, limit: 100, wait: Duration::ZERO };
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "environment" => asked.environment = super::fact::environment(&value)?,
            "limit" => {
                let limit = value.parse().ok().filter(|limit| (1..=MOST).contains(limit));
                asked.limit = limit.ok_or_else(|| wrong("limit must be 1 to 1000"))?;
            }
            "wait" => {
                let wait = value.parse().ok().filter(|seconds| *seconds <= LONGEST);
                let wait = wait.ok_or_else(|| wrong("wait must be 0 to 60 seconds"))?;
                asked.wait = Duration::from_secs(wait);
            }
            _ => return Err(wrong("the query may have environment, limit and wait")),
        }
    }
    Ok(asked)
}
