//! Test charges: paid by a route of their own, and what becomes of them then (CIN-19, CIN-20,
//! CIN-67).

use serde_json::{Value, json};

use crate::day::Day;
use crate::sandbox::{Trial, WALLET, at};

const CPF: &str = "52998224725";

fn charge(destino: &str, scenario: Option<&str>) -> Value {
    let mut body = json!({
        "destino": destino, "amount_cents": 10_000, "payer_tax_number": CPF,
        "external_id": format!("{destino}-{scenario:?}"),
    });
    if destino == "cripto" {
        body["payout_address"] = WALLET.into();
    }
    if let Some(scenario) = scenario {
        body["sandbox_scenario"] = scenario.into();
    }
    body
}

/// A charge of this kind, paid at the second it is made.
fn paid(trial: &mut Trial, destino: &str, scenario: Option<&str>) -> (String, Value) {
    let made = trial.ask(0, "POST /cashin/charge", charge(destino, scenario));
    assert_eq!((made.status, &made.body["status"]), (200, &json!("pending")), "{}", made.body);
    let id = made.body["cashin_id"].as_str().unwrap().to_owned();
    let answer = pay(trial, 0, &id);
    assert_eq!(answer.0, 200, "{}", answer.1);
    (id, answer.1)
}

fn pay(trial: &mut Trial, seconds: u32, id: &str) -> (u16, Value) {
    let request = format!("POST /sandbox/cashin/{id}/pay");
    let answer = trial.ask(seconds, &request, Value::Null);
    (answer.status, answer.body.into())
}

/// Status and settlement at a second.
fn stands(trial: &mut Trial, seconds: u32, id: &str) -> [String; 2] {
    let shown = trial.get(seconds, &format!("/cashin/{id}/status"));
    ["status", "settlement_status"].map(|name| shown[name].as_str().unwrap().to_owned())
}

/// Available, and blocked.
fn balance(trial: &mut Trial, seconds: u32) -> [i64; 2] {
    let balance = trial.get(seconds, "/saldo");
    ["disponivel_cents", "bloqueado_cents"].map(|name| balance[name].as_i64().unwrap())
}

#[test]
fn cin_67_a_test_charge_is_paid_by_its_own_route_and_once() {
    let mut trial = Trial::new();
    let (id, answer) = paid(&mut trial, "saldo", None);
    assert_eq!(answer["status"], "paid");
    assert_eq!(balance(&mut trial, 1), [9_900, 0]);
    let records = trial.sequencer.head().seq;
    assert_eq!(pay(&mut trial, 2, &id), (200, answer));
    assert_eq!((trial.sequencer.head().seq, balance(&mut trial, 3)), (records, [9_900, 0]));
}

#[test]
fn sbx_10_what_cannot_be_paid_is_refused() {
    let mut trial = Trial::new();
    let made = trial.ask(0, "POST /cashin/charge", charge("saldo", None)).body;
    let id = made["cashin_id"].as_str().unwrap();
    let late = pay(&mut trial, 901, id);
    assert_eq!((late.0, &late.1["erro"]), (409, &json!("status_invalido")), "{}", late.1);
    let unknown = pay(&mut trial, 902, "ci_0");
    assert_eq!((unknown.0, &unknown.1["erro"]), (404, &json!("nao_encontrado")));

    let mut day = Day::opened("2026-11-20T12:00:00Z");
    let made = day.charge("c", "2026-11-20T12:00:00Z", "a", 5_000).body;
    let id = made["cashin_id"].as_str().unwrap();
    let request = format!("POST /sandbox/cashin/{id}/pay");
    let refused = day.ask("2026-11-20T12:00:01Z", &request, &Value::Null);
    assert_eq!((refused.status, &refused.body["erro"]), (403, &json!("nao_permitido")));
    let events = day.line(
        &json!({ "at": "2026-11-20T12:00:02Z", "key": "svc_live_loja",
                 "request": "GET /sandbox/events" })
        .to_string(),
    );
    assert_eq!((events.status, &events.body["erro"]), (403, &json!("nao_permitido")));
}

#[test]
fn cin_20_a_scenario_is_one_of_four_and_for_test_keys_only() {
    let mut trial = Trial::new();
    let wrong = trial.ask(0, "POST /cashin/charge", charge("saldo", Some("rain")));
    assert_eq!((wrong.status, &wrong.body["erro"]), (400, &json!("outcome_invalido")));
    let detail = wrong.body["detail"].as_str().unwrap();
    for word in ["sandbox_scenario", "hold", "refund", "settlement_failed", "settlement_uncertain"]
    {
        assert!(detail.contains(word), "{detail}");
    }
    let mut day = Day::opened("2026-11-20T12:00:00Z");
    for name in ["hold", "rain"] {
        let body = charge("saldo", Some(name));
        let refused = day.ask("2026-11-20T12:00:00Z", "POST /cashin/charge", &body);
        assert_eq!((refused.status, &refused.body["erro"]), (403, &json!("nao_permitido")));
    }
}

#[test]
fn without_a_scenario_a_purchase_is_delivered_in_fifteen_seconds() {
    let mut trial = Trial::new();
    let (id, _) = paid(&mut trial, "cripto", None);
    for (second, settlement) in [(2, "pending"), (3, "sending"), (7, "entregando"), (15, "sent")] {
        assert_eq!(stands(&mut trial, second, &id), ["paid", settlement], "at {second}");
    }
}

#[test]
fn hold_is_held_by_the_provider_and_released_later() {
    for (destino, settled) in [("saldo", 63), ("cripto", 78)] {
        let mut trial = Trial::new();
        let (id, answer) = paid(&mut trial, destino, Some("hold"));
        assert_eq!(answer["status"], "under_review");
        assert_eq!(stands(&mut trial, 3, &id)[0], "delayed");
        let shown = trial.get(4, &format!("/cashin/{id}/status"));
        assert_eq!(shown["delay_until"], at(60));
        assert_eq!(stands(&mut trial, 59, &id)[0], "delayed");
        assert_eq!(stands(&mut trial, 60, &id)[0], "paid");
        assert_eq!(stands(&mut trial, settled, &id), ["paid", "sent"], "{destino}");
        let events = trial.new_events();
        let names: Vec<_> = events.iter().map(String::as_str).collect();
        assert_eq!(names, ["cashin.delayed", "cashin.paid", "cashin.settled"], "{destino}");
    }
}

#[test]
fn refund_goes_back_to_its_payer() {
    // Available the next day: it is credited, and debited by force.
    let mut trial = Trial::with_terms(json!({ "sem_retencao": true }));
    let (id, answer) = paid(&mut trial, "saldo", Some("refund"));
    assert_eq!((&answer["status"], balance(&mut trial, 1)), (&json!("paid"), [0, 9_900]));
    assert_eq!(stands(&mut trial, 12, &id)[0], "refunded");
    assert_eq!(balance(&mut trial, 13), [0, 0]);
    assert_eq!(trial.new_events(), ["cashin.held", "cashin.paid", "cashin.refunded"]);

    // Available at once: it goes back before it is credited.
    let mut trial = Trial::new();
    let (id, answer) = paid(&mut trial, "saldo", Some("refund"));
    assert_eq!(answer["status"], "under_review");
    assert_eq!(stands(&mut trial, 12, &id)[0], "refunded");
    assert_eq!(balance(&mut trial, 13), [0, 0]);

    let mut trial = Trial::new();
    let (id, answer) = paid(&mut trial, "cripto", Some("refund"));
    assert_eq!(answer["status"], "paid");
    assert_eq!(stands(&mut trial, 12, &id)[0], "refunded");
    assert_eq!(trial.new_events(), ["cashin.paid", "cashin.refunded"]);
}

#[test]
fn settlement_failed_is_tried_again_or_goes_back() {
    let mut trial = Trial::new();
    let (id, _) = paid(&mut trial, "cripto", Some("settlement_failed"));
    assert_eq!(stands(&mut trial, 3, &id), ["paid", "sending"]);
    assert_eq!(stands(&mut trial, 7, &id)[0], "paid");
    assert_eq!(stands(&mut trial, 22, &id), ["paid", "sent"]);
    let events = ["cashin.paid", "cashin.settlement_failed", "cashin.settled"];
    assert_eq!(trial.new_events(), events);

    let mut trial = Trial::new();
    let (id, answer) = paid(&mut trial, "saldo", Some("settlement_failed"));
    assert_eq!(answer["status"], "under_review");
    assert_eq!(stands(&mut trial, 12, &id)[0], "refunded");
    assert_eq!((trial.new_events(), balance(&mut trial, 13)), (refunded(), [0, 0]));
}

fn refunded() -> Vec<String> {
    vec!["cashin.refunded".to_owned()]
}

#[test]
fn settlement_uncertain_ends_by_evidence_and_not_before() {
    let mut trial = Trial::new();
    let (id, _) = paid(&mut trial, "cripto", Some("settlement_uncertain"));
    assert_eq!(stands(&mut trial, 7, &id), ["paid", "incerto"]);
    assert_eq!(stands(&mut trial, 126, &id), ["paid", "incerto"]);
    assert_eq!(stands(&mut trial, 127, &id), ["paid", "sent"]);

    let mut trial = Trial::new();
    let (id, _) = paid(&mut trial, "saldo", Some("settlement_uncertain"));
    assert_eq!(stands(&mut trial, 119, &id)[0], "under_review");
    assert_eq!(stands(&mut trial, 120, &id), ["paid", "sent"]);
    assert_eq!(balance(&mut trial, 121), [9_900, 0]);
}

#[test]
fn a_test_charge_that_the_terms_hold_walks_on_in_fifteen_seconds() {
    let mut trial = Trial::with_terms(json!({}));
    let (id, answer) = paid(&mut trial, "saldo", None);
    assert_eq!(answer["status"], "delayed");
    assert_eq!(stands(&mut trial, 11, &id)[0], "delayed");
    assert_eq!(stands(&mut trial, 15, &id), ["paid", "sent"]);
    assert_eq!(trial.new_events(), ["cashin.delayed", "cashin.paid", "cashin.settled"]);
    assert_eq!(balance(&mut trial, 16), [9_900, 0]);
}

#[test]
fn a_test_charge_that_a_scenario_holds_stays_held_beside_the_terms() {
    let mut trial = Trial::with_terms(json!({}));
    let (id, _) = paid(&mut trial, "saldo", Some("hold"));
    assert_eq!(stands(&mut trial, 59, &id)[0], "delayed");
    assert_eq!(stands(&mut trial, 63, &id), ["paid", "sent"]);
}

#[test]
fn a_repeat_answers_with_the_charge_whatever_scenario_it_names() {
    let mut trial = Trial::new();
    let first = trial.ask(0, "POST /cashin/charge", charge("saldo", Some("hold"))).body;
    let mut again = charge("saldo", Some("hold"));
    again["sandbox_scenario"] = "refund".into();
    assert_eq!(trial.ask(1, "POST /cashin/charge", again).body["cashin_id"], first["cashin_id"]);
    let id = first["cashin_id"].as_str().unwrap();
    pay(&mut trial, 2, id);
    assert_eq!(stands(&mut trial, 5, id)[0], "delayed");
}

#[test]
fn however_far_time_jumps_each_step_is_dated_at_its_own_instant() {
    let mut trial = Trial::new();
    let (id, answer) = paid(&mut trial, "saldo", Some("hold"));
    assert_eq!(answer["status"], "under_review");
    let held = json!({ "id": "held", "cashin_id": id, "until": at(72 * 3_600) });
    trial.report(1, "provider.held", held);
    trial.new_events();
    trial.report(100 * 3_600, "time.passed", json!({}));
    let shown = trial.events.iter().map(|it| (it["event"].clone(), it["created_at"].clone()));
    let then = |name: &str| (json!(name), json!(at(72 * 3_600)));
    assert_eq!(shown.collect::<Vec<_>>(), [then("cashin.paid"), then("cashin.settled")]);
    assert_eq!(stands(&mut trial, 100 * 3_600, &id)[0], "paid");
}
