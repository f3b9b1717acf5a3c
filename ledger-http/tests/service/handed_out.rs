//! What is handed out stood at that moment, and may have been carried out from then on.

use std::time::Duration;

use ledger_core::contract::Environment;
use ledger_http::courier::Patience;
use ledger_http::push::{PushSettings, PushTask};
use serde_json::{Value, json};

use crate::receiver::{Receiver, Reply};
use crate::served::{Answer, Served};

/// 24 bytes from 0 to 23.
const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

/// Returns what comes of a fact about a payout.
fn tell(served: &Served, fact: &str, payout: &str, with: &Value) -> Value {
    let told = with["evidence"].as_str().unwrap_or("a word");
    let mut body = json!({ "id": format!("{fact} {payout} {told}"), "payout_id": payout });
    body.as_object_mut().unwrap().extend(with.as_object().cloned().unwrap());
    let answer = served.world().post(&format!("/facts/{fact}"), &body.to_string());
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.body()["outcome"].clone()
}

fn by_word() -> Value {
    json!({ "actor": "bia", "reason": "to be looked at" })
}

fn by_evidence() -> Value {
    json!({ "actor": "bia", "reason": "to be looked at", "evidence": "case-2" })
}

fn poll(served: &Served) -> Answer {
    let answer = served.world().get("/instructions?limit=1000");
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer
}

fn operations(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item["operation"].as_str().unwrap()).collect()
}

/// Commits and records so far.
fn written(served: &Served) -> (u64, u64) {
    let counters = served.service.ledgers().for_environment(Environment::Live).engine().counters();
    (counters.commits, counters.records)
}

#[test]
fn what_was_called_off_before_a_poll_is_not_handed_out_and_is_shown_once() {
    let served = Served::funded();
    let [stopped, refused, not_paid, stands] =
        ["p-1", "p-2", "p-3", "p-4"].map(|id| served.payout(id));
    assert_eq!(tell(&served, "payout.stopped", &stopped, &by_word()), "applied");
    assert_eq!(tell(&served, "payout.refused", &refused, &json!({})), "applied");
    let mut found = by_word();
    found["outcome"] = "not_paid".into();
    assert_eq!(tell(&served, "payout.evidence", &not_paid, &found), "applied");
    let answer = poll(&served).body();
    assert_eq!(operations(&answer["items"]), [stands.as_str()]);
    assert_eq!(answer["items"][0]["account"], "loja");
    assert_eq!(operations(&answer["called_off"]), [&stopped, &refused, &not_paid]);
    assert_eq!(answer["called_off"][0]["idempotency_key"], format!("{stopped}:send"));
    let again = poll(&served).body();
    assert_eq!((&again["items"], &again["called_off"]), (&answer["items"], &json!([])));
    let metrics = served.world().get("/metrics").text;
    let counted = "custody_ledger_instructions_called_off_total{environment=\"live\"} 3";
    assert!(metrics.contains(counted), "{metrics}");
}

#[test]
fn a_poll_is_one_commit_and_the_next_writes_nothing() {
    let served = Served::funded();
    let payouts: Vec<String> = (0..40).map(|n| served.payout(&format!("p-{n}"))).collect();
    let (commits, records) = written(&served);
    let first = poll(&served).body();
    assert_eq!(first["items"].as_array().unwrap().len(), payouts.len());
    assert_eq!(written(&served), (commits + 1, records + 40));
    let second = poll(&served).body();
    assert_eq!((second, written(&served)), (first, (commits + 1, records + 40)));
}

#[test]
fn what_was_handed_out_is_stopped_by_evidence_alone() {
    let served = Served::funded();
    let payout = served.payout("p-1");
    assert_eq!(operations(&poll(&served).body()["items"]), [payout.as_str()]);
    assert_eq!(tell(&served, "payout.stopped", &payout, &by_word()), "set_aside");
    assert_eq!(operations(&poll(&served).body()["items"]), [payout.as_str()], "it stands");
    assert_eq!(tell(&served, "payout.stopped", &payout, &by_evidence()), "applied");
    let answer = poll(&served).body();
    assert_eq!((&answer["items"], &answer["called_off"]), (&json!([]), &json!([])));
}

#[test]
fn two_polls_at_once_record_one_hand_out() {
    let served = Served::funded();
    let payout = served.payout("p-1");
    let (_, records) = written(&served);
    let polls: Vec<_> = (0..4)
        .map(|_| {
            let world = served.world();
            std::thread::spawn(move || world.get("/instructions").body())
        })
        .collect();
    for poll in polls {
        assert_eq!(operations(&poll.join().unwrap()["items"]), [payout.as_str()]);
    }
    assert_eq!(written(&served).1, records + 1);
}

#[test]
fn whoever_cannot_ask_the_writer_hands_out_nothing() {
    let served = Served::funded();
    served.payout("p-1");
    served.service.ledgers().for_environment(Environment::Live).engine().stop().unwrap();
    let answer = served.world().get("/instructions");
    assert_eq!(
        (answer.status, &answer.body()["acao"]),
        (503, &json!("esperar")),
        "{}",
        answer.text
    );
    assert!(!answer.text.contains("pix.send"), "{}", answer.text);
}

fn pushing(served: &Served, receiver: &Receiver) -> PushTask {
    let url = format!("http://{}/instructions", receiver.address);
    let mut settings = PushSettings::new(&url, SECRET).unwrap();
    let half = Duration::from_millis(500);
    settings.look = Duration::from_millis(10);
    settings.patience = Patience { connect: half, whole: half };
    settings.first_wait = Duration::from_millis(300);
    settings.longest_wait = Duration::from_millis(300);
    PushTask::start(&served.service, settings).unwrap()
}

fn until(what: &str, is: impl Fn() -> bool) {
    for _ in 0..2_000 {
        if is() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("in vain: {what}");
}

#[test]
fn what_is_called_off_before_or_between_two_pushes_is_pushed_no_more() {
    let (served, receiver) = (Served::funded(), Receiver::start());
    let stopped = served.payout("p-1");
    assert_eq!(tell(&served, "payout.stopped", &stopped, &by_word()), "applied");
    let tried = served.payout("p-2");
    receiver.always("/instructions", Reply::with_status(503));
    let task = pushing(&served, &receiver);
    until("it was tried", || !receiver.seen().is_empty());
    // It may have been taken: a word does not stop it.
    assert_eq!(tell(&served, "payout.stopped", &tried, &by_word()), "set_aside");
    assert_eq!(tell(&served, "payout.stopped", &tried, &by_evidence()), "applied");
    std::thread::sleep(Duration::from_millis(700));
    let seen = receiver.seen().len();
    std::thread::sleep(Duration::from_millis(900));
    assert_eq!(receiver.seen().len(), seen, "nothing more comes");
    task.stop();
    assert!(receiver.seen().iter().all(|seen| seen.event()["operation"] == tried.as_str()));
}
