//! Instructions pushed to a provider's service that fails, is slow, goes away and comes back.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use ledger_core::contract::{Secret, signature};
use ledger_http::courier::Patience;
use ledger_http::push::{PushFailed, PushSettings, PushTask};
use serde_json::json;

use crate::receiver::{Receiver, Reply, Seen};
use crate::served::Served;

/// 24 bytes from 0 to 23.
const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(20);

fn settings(receiver: &Receiver) -> PushSettings {
    let url = format!("http://{}/instructions", receiver.address);
    let mut settings = PushSettings::new(&url, SECRET).unwrap();
    let half = Duration::from_millis(500);
    settings.look = Duration::from_millis(10);
    settings.patience = Patience { connect: half, whole: half };
    settings.first_wait = Duration::from_millis(40);
    settings.longest_wait = Duration::from_millis(200);
    settings
}

fn begun(served: &Served, receiver: &Receiver) -> PushTask {
    PushTask::start(&served.service, settings(receiver)).unwrap()
}

fn until(what: &str, is: impl Fn() -> bool) {
    let began = Instant::now();
    while !is() {
        assert!(began.elapsed() < PATIENCE, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn waiting(served: &Served) -> usize {
    let answer = served.world().get("/instructions");
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.body()["items"].as_array().unwrap().len()
}

fn seen_for<'a>(seen: &'a [Seen], operation: &str) -> Vec<&'a Seen> {
    seen.iter().filter(|seen| seen.event()["operation"] == operation).collect()
}

#[test]
fn an_instruction_is_pushed_signed_and_whole_and_is_acknowledged_by_2xx() {
    let (served, receiver) = (Served::funded(), Receiver::start());
    let task = begun(&served, &receiver);
    let payout = served.payout("p-1");
    until("it is acknowledged", || !receiver.seen().is_empty() && waiting(&served) == 0);
    task.stop();
    let seen = receiver.seen();
    assert_eq!(seen.len(), 1, "{seen:?}");
    let (seen, body) = (&seen[0], seen[0].event());
    assert_eq!((&body["topic"], &body["operation"]), (&json!("pix.send"), &json!(payout)));
    assert_eq!(
        (&body["environment"], &body["persons"]["pix_key"]),
        (&json!("live"), &json!("52998224725"),)
    );
    assert!(body["idempotency_key"].is_string() && !body["body"].to_string().contains("5299822"));
    // As Standard Webhooks say, and in no other way.
    let digits = "000102030405060708090a0b0c0d0e0f1011121314151617";
    let at = served.clock.now();
    let secret = Secret::new(&format!("whk_{digits}"));
    let id = body["id"].as_str().unwrap();
    let signed = signature::sign_standard(&[secret], id, at, seen.body.as_bytes());
    assert_eq!((seen.header("webhook-id"), seen.header("webhook-signature")), (id, &*signed));
    assert_eq!(seen.header("webhook-timestamp"), (at.micros() / 1_000_000).to_string());
    assert_eq!(seen.header("x-webhook-signature"), "");
    let metrics = served.world().get("/metrics").text;
    let counted = "custody_ledger_instruction_attempts_total\
                   {environment=\"live\",outcome=\"delivered\"} 1";
    assert!(metrics.contains(counted), "{metrics}");
    assert!(metrics.contains("custody_ledger_instructions_waiting{environment=\"live\"}"));
    let age = "custody_ledger_oldest_instruction_age_seconds{environment=\"live\"}";
    assert!(
        metrics.contains(age) && metrics.contains("custody_ledger_outbox_behind{ledger=\"live\"}")
    );
    let line = served.log.text();
    assert!(line.contains("pix.send") && line.contains("delivered"), "{line}");
    assert!(!line.contains("52998224725") && !line.contains("whsec"), "{line}");
}

#[test]
fn whatever_is_no_success_is_tried_again_and_never_given_up() {
    let (served, receiver) = (Served::funded(), Receiver::start());
    let answers = [500, 503, 400, 404, 410, 429, 301, 500, 500, 500, 500, 500];
    for status in answers {
        // A redirect is not followed.
        let reply = Reply::with_status(status).with("location", "http://127.0.0.1:1/elsewhere");
        receiver.next("/instructions", reply);
    }
    let payout = served.payout("p-1");
    let task = begun(&served, &receiver);
    until("it was taken", || waiting(&served) == 0);
    task.stop();
    let seen = receiver.seen();
    assert_eq!(seen.len(), answers.len() + 1);
    assert_eq!(seen_for(&seen, &payout).len(), seen.len());
    let bodies: HashSet<&str> = seen.iter().map(|seen| seen.body.as_str()).collect();
    assert_eq!(bodies.len(), 1, "each attempt says the same, under the same key");
}

#[test]
fn an_operation_that_fails_delays_no_other_and_its_own_stay_in_order() {
    let (served, receiver) = (Served::funded(), Receiver::start());
    receiver.next("/instructions", Reply::with_status(503).with("retry-after", "2"));
    let first = served.payout("p-1");
    let began = Instant::now();
    let task = begun(&served, &receiver);
    until("the first failed", || receiver.seen().len() == 1);
    let second = served.payout("p-2");
    until("the second was taken", || !seen_for(&receiver.seen(), &second).is_empty());
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    assert_eq!(seen_for(&receiver.seen(), &first).len(), 1, "it asked for two seconds");
    until("both were taken", || waiting(&served) == 0);
    assert!(began.elapsed() >= Duration::from_secs(2), "Retry-After is heeded");
    task.stop();
    assert_eq!(seen_for(&receiver.seen(), &first).len(), 2);
    assert_eq!(seen_for(&receiver.seen(), &second).len(), 1);
}

#[test]
fn a_slow_service_is_asked_again_and_never_twice_at_once() {
    let (served, receiver) = (Served::funded(), Receiver::start());
    let slow = Reply { after: Duration::from_millis(900), ..Reply::with_status(204) };
    receiver.next("/instructions", slow);
    served.payout("p-1");
    let began = Instant::now();
    let task = begun(&served, &receiver);
    until("it was taken", || waiting(&served) == 0);
    task.stop();
    // The answer that came too late counts for nothing.
    assert_eq!(receiver.seen().len(), 2);
    assert!(began.elapsed() >= Duration::from_millis(500), "the first was waited for");
}

#[test]
fn a_service_that_was_away_gets_everything_once_it_is_back() {
    let served = Served::funded();
    let receiver = Receiver::start();
    let address = receiver.address.to_string();
    let task = begun(&served, &receiver);
    drop(receiver);
    let payouts = ["p-1", "p-2", "p-3"].map(|id| served.payout(id));
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(waiting(&served), 3, "nobody has taken any");
    let receiver = Receiver::on(&address);
    until("all were taken", || waiting(&served) == 0);
    task.stop();
    for payout in &payouts {
        assert_eq!(seen_for(&receiver.seen(), payout).len(), 1, "{payout}");
    }
}

#[test]
fn a_process_that_was_stopped_goes_on_with_what_was_not_taken() {
    let (served, receiver) = (Served::funded(), Receiver::start());
    receiver.always("/instructions", Reply::with_status(503));
    served.payout("p-1");
    let task = begun(&served, &receiver);
    until("it was tried", || receiver.seen().len() > 1);
    task.stop();
    let tried = receiver.seen().len();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(receiver.seen().len(), tried, "a task that was stopped pushes nothing");
    receiver.always("/instructions", Reply::with_status(200));
    let task = begun(&served, &receiver);
    until("it was taken", || waiting(&served) == 0);
    task.stop();
    assert_eq!(receiver.seen().len(), tried + 1);
    assert_eq!(receiver.seen()[0].body, receiver.seen()[tried].body);
}

#[test]
fn what_somebody_else_acknowledges_is_pushed_no_more() {
    let (served, receiver) = (Served::funded(), Receiver::start());
    receiver.always("/instructions", Reply::with_status(503));
    served.payout("p-1");
    let task = begun(&served, &receiver);
    until("it was tried", || !receiver.seen().is_empty());
    let id = receiver.seen()[0].event()["id"].as_str().unwrap().to_owned();
    let done = served.world().post(&format!("/instructions/{id}/acknowledge"), "");
    assert_eq!(done.status, 200, "{}", done.text);
    // What was under way at that moment may still come.
    std::thread::sleep(Duration::from_millis(700));
    let tried = receiver.seen().len();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(receiver.seen().len(), tried);
    task.stop();
}

#[test]
fn a_service_without_an_outbox_pushes_nothing() {
    let (served, receiver) = (Served::start(), Receiver::start());
    let refused = PushTask::start(&served.service, settings(&receiver));
    assert!(matches!(refused, Err(PushFailed::NoOutbox)), "{refused:?}");
}
