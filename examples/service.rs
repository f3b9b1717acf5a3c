//! A service of five routes over the ledger, with its courier: charges, payouts, transfers,
//! balances, and what the PIX provider reports. It ends, in order, when its input does.
//!
//! ```console
//! $ cargo run --example service -- sqlite:service.db 127.0.0.1:8080 http://127.0.0.1:9000
//! ```
//!
//! The last argument is where webhooks leave by: a forwarder that speaks TLS to the world.

use std::sync::atomic::{AtomicBool, Ordering};
use std::{sync::Arc, time::Duration};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Json, Router, routing::get, routing::post};
use custody_ledger::fact::{charge::PixReceived, payout::PayoutSubmitted};
use custody_ledger::prelude::*;
use custody_ledger::request::charge::{CreateCharge, CreateChargeDestination};
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::request::{balance::GetBalance, payout::CreatePayout};
use custody_ledger::view::{Balance, Charge, Payout, Transfer};
use custody_ledger::{Entry, EntryKind, value::InvalidValue};
use serde_json::{Value, json};

type Failure = (StatusCode, Json<Value>);
type Answer<T> = Result<Json<T>, Failure>;

/// The ledger, and the shop's account in it.
type Shop = (Ledger, Client);

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [store, address, forwarder] = &arguments[..] else {
        return Err("usage: service STORE ADDRESS FORWARDER".into());
    };
    let ledger = Ledger::builder(store).outbox().open().await?;
    let loja = ledger.client(ApiKey::new("svc_live_loja")?);
    let ending = Arc::new(AtomicBool::new(false));
    let courier = std::thread::spawn({
        let (ledger, forwarder, ending) = (ledger.clone(), forwarder.clone(), Arc::clone(&ending));
        move || courier(&ledger, &forwarder, &ending)
    });
    let service = Router::new()
        .route("/charges", post(charge))
        .route("/payouts", post(payout))
        .route("/transfers", post(transfer))
        .route("/balances/{customer}", get(balance))
        .route("/provider/pix", post(pix_received))
        .with_state((ledger.clone(), loja));
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("listening on {}", listener.local_addr()?);
    let input = tokio::task::spawn_blocking(|| std::io::stdin().lines().count());
    axum::serve(listener, service).with_graceful_shutdown(async { drop(input.await) }).await?;
    ending.store(true, Ordering::Relaxed);
    courier.join().map_err(|_| "the courier failed")?;
    let head = tokio::task::spawn_blocking(move || ledger.shutdown()).await??;
    println!("stopped at record {}", head.seq);
    Ok(())
}

async fn charge(State((_, loja)): State<Shop>, Json(body): Json<Value>) -> Answer<Charge> {
    let (party, payer, id) = (at(&body, "customer")?, at(&body, "payer")?, at(&body, "id")?);
    let request = CreateCharge::new(amount(&body)?, payer, party, id)
        .destination(CreateChargeDestination::Balance)
        .qr_copypaste(at(&body, "qr")?);
    Ok(Json(loja.ask(&request).await.map_err(refused)?.answer))
}

async fn payout(State((_, loja)): State<Shop>, Json(body): Json<Value>) -> Answer<Payout> {
    let (party, document) = (at(&body, "customer")?, at(&body, "document")?);
    let (key, id) = (at(&body, "pix_key")?, at(&body, "id")?);
    let owner = at(&body, "document")?; // As a lookup of the key would tell.
    let request = CreatePayout::new(amount(&body)?, party, document, key, id).owner(owner);
    Ok(Json(loja.ask(&request).await.map_err(refused)?.answer))
}

async fn transfer(State((_, loja)): State<Shop>, Json(body): Json<Value>) -> Answer<Transfer> {
    let (from, to, id) = (at(&body, "from")?, at(&body, "to")?, at(&body, "id")?);
    let request = CreateTransfer::new(from, to, amount(&body)?, id);
    Ok(Json(loja.ask(&request).await.map_err(refused)?.answer))
}

async fn balance(State((_, loja)): State<Shop>, Path(customer): Path<String>) -> Answer<Balance> {
    let party = Party::customer(&customer).map_err(|error| wrong(&error))?;
    Ok(Json(loja.ask(&GetBalance::new(party)).await.map_err(refused)?.answer))
}

async fn pix_received(State((ledger, _)): State<Shop>, Json(body): Json<Value>) -> Answer<Value> {
    let fact = PixReceived::new(at(&body, "e2e")?, amount(&body)?).charge(at(&body, "charge")?);
    Ok(Json(ledger.report(&fact).await.map_err(refused)?.body))
}

/// Sends webhooks and carries out instructions, each until it is acknowledged.
fn courier(ledger: &Ledger, forwarder: &str, ending: &AtomicBool) {
    let mut outbox = ledger.outbox().expect("the ledger was opened with an outbox");
    while !ending.load(Ordering::Relaxed) {
        let pending = [outbox.instructions(100), outbox.notifications(1_000)];
        for entry in pending.into_iter().flat_map(|read| read.expect("the tables are read")) {
            let done = match entry.kind {
                EntryKind::Notification => match ledger.webhook(&entry).wait() {
                    Ok(Some(webhook)) => {
                        let post = ureq::post(forwarder).header("X-Forward-To", &webhook.url);
                        let headers = webhook.headers.iter();
                        let post = headers.fold(post, |post, (name, it)| post.header(*name, it));
                        post.send(&webhook.body).is_ok()
                    }
                    nowhere => nowhere.is_ok(),
                },
                EntryKind::Instruction => send(ledger, &entry).is_ok(),
            };
            if done {
                outbox.acknowledge(&entry).expect("the tables are written");
            }
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A service sends the PIX here, under the entry's idempotency key; this one reports that it did.
fn send(ledger: &Ledger, entry: &Entry) -> Result<(), Box<dyn std::error::Error>> {
    let payout = OperationId::new(&entry.operation)?;
    ledger
        .report(&PayoutSubmitted::new(FactId::new(&entry.id)?, payout))
        .wait()?
        .ensure_applied()?;
    Ok(())
}

fn at<'a, T: TryFrom<&'a str, Error = InvalidValue>>(
    body: &'a Value,
    name: &str,
) -> Result<T, Failure> {
    body[name].as_str().unwrap_or_default().try_into().map_err(|error| wrong(&error))
}

fn amount(body: &Value) -> Result<Amount, Failure> {
    serde_json::from_value(body["cents"].clone()).map_err(|error| wrong(&error))
}

fn wrong(error: &dyn std::fmt::Display) -> Failure {
    (StatusCode::BAD_REQUEST, Json(json!({ "error": error.to_string() })))
}

fn refused(error: Error) -> Failure {
    match error {
        Error::Refused(refusal) => {
            (StatusCode::from_u16(refusal.status()).unwrap_or_default(), Json(refusal.body()))
        }
        error => (StatusCode::SERVICE_UNAVAILABLE, Json(json!({ "error": error.to_string() }))),
    }
}
