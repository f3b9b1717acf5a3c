//! What is shown of whoever asked for an API key (KEY-01), and whose a PIX key is (PAY-03).

use ledger_core::contract::Response;
use serde_json::{Value, json};

use crate::agent::ENTROPY;
use crate::day::{Day, KEY};

const NOON: &str = "2026-11-20T12:00:00Z";

#[test]
fn key_01_a_test_key_is_of_the_name_it_was_asked_for_under() {
    for name in [json!("Ana Prado"), json!(null)] {
        let mut day = Day::new();
        let line = json!({
            "at": NOON, "request": "POST /keys/sandbox", "ip": "203.0.113.7",
            "body": { "email": "ana@exemplo.com.br", "name": name },
            "supplied": { "entropy": ENTROPY },
        });
        let made = day.line(&line.to_string());
        assert_eq!(made.status, 200, "{}", made.body);
        let key = made.body["api_key"].as_str().unwrap().to_owned();
        assert_eq!(day.get_with(&key, NOON, "/keys/me")["key"]["name"], name);
    }
}

const OWNER: &str = "12345678909";
const SOMEBODY: &str = "52998224725";

/// An account with money that may be paid out.
fn funded() -> Day {
    let terms = r#"{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0}"#;
    let mut day = Day::with_terms(NOON, terms);
    day.deposit("d", NOON, "", 50_000);
    day
}

/// A payout to this key, with what a lookup said of its owner.
fn payout(key: &str, owner: &Value) -> Response {
    let mut day = funded();
    request_payout(&mut day, key, owner)
}

fn request_payout(day: &mut Day, key: &str, owner: &Value) -> Response {
    let line = json!({
        "at": NOON, "key": KEY, "request": "POST /payouts",
        "body": { "amount_cents": 10_000, "pix_key": key, "tax_number": OWNER },
        "supplied": { "owner": owner },
    });
    day.line(&line.to_string())
}

#[test]
fn pay_03_a_lookup_proves_or_refutes_whose_a_key_is_that_is_no_document() {
    for key in ["ana@exemplo.com.br", "+5511987654321", "123e4567-e89b-12d3-a456-426614174000"] {
        assert_eq!(payout(key, &json!(OWNER)).status, 200, "{key}");
        assert_eq!(payout(key, &json!(null)).status, 200, "{key}: the provider decides");
        let refused = payout(key, &json!(SOMEBODY));
        let refusal = (refused.status, &refused.body["erro"], &refused.body["acao"]);
        assert_eq!(refusal, (422, &json!("payout_recusado"), &json!("corrigir")), "{key}");
    }
    // A document is its own proof, whatever was looked up.
    assert_eq!(payout(OWNER, &json!(SOMEBODY)).status, 200);
    for wrong in [json!("ana"), json!("12345678900"), json!(7), json!(["12345678909"])] {
        let refused = payout("ana@exemplo.com.br", &wrong);
        let detail = refused.body["detail"].as_str().unwrap();
        assert!(refused.status == 400 && detail.contains("supplied.owner"), "{}", refused.body);
    }
}

#[test]
fn pay_03_the_policy_says_whether_a_key_of_nobody_knows_whom_passes() {
    let mut day = funded();
    assert_eq!(day.adopt(NOON, json!({ "unproven_keys_refused": true })), "applied");
    let refused = request_payout(&mut day, "ana@exemplo.com.br", &json!(null));
    assert_eq!((refused.status, &refused.body["erro"]), (422, &json!("payout_recusado")));
    assert!(refused.body["detail"].as_str().unwrap().contains("supplied.owner"));
    assert_eq!(request_payout(&mut day, "ana@exemplo.com.br", &json!(OWNER)).status, 200);
    assert_eq!(request_payout(&mut day, OWNER, &json!(null)).status, 200, "its own proof");
    assert_eq!(day.adopt(NOON, json!({ "unproven_keys_refused": false })), "applied");
    assert_eq!(request_payout(&mut day, "ana@exemplo.com.br", &json!(null)).status, 200);
}
