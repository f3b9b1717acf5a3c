//! Bands and shares that are adopted: what bounds them may be reached, and not passed.

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day};

const NOON: &str = "2026-10-20T12:00:00Z";

fn agreed(terms: &Value) -> Value {
    let mut body = terms.clone();
    body["id"] = "terms-1".into();
    body["account"] = "loja".into();
    Day::with_terms(NOON, AT_ONCE).tell_as("", NOON, "terms.adopted", &body)
}

fn adopted(policy: &Value) -> Value {
    let mut body = policy.clone();
    body["id"] = "policy-1".into();
    let line = json!({
        "at": NOON, "fact": "policy.adopted", "environment": "live", "body": body,
    });
    Day::with_ladder(NOON, AT_ONCE).line(&line.to_string()).body
}

fn is_adopted(answer: &Value) {
    assert_eq!(answer["outcome"], "applied", "{answer}");
}

fn is_refused(answer: &Value, field: &str) {
    assert_eq!(answer["erro"], "formato_invalido", "{answer}");
    let detail = answer["detail"].as_str().unwrap();
    assert!(detail.contains(field), "{detail} does not say {field}");
}

#[test]
fn what_a_payer_may_have_held_is_no_less_than_any_band_of_the_ladder() {
    for band in [
        "ladder_first_qr_cents",
        "ladder_first_transaction_cents",
        "ladder_first_24h_cents",
        "ladder_mature_day_cents",
    ] {
        let held = "ladder_held_max_cents";
        is_adopted(&adopted(&json!({ held: 700_000, band: 700_000 })));
        is_refused(&adopted(&json!({ held: 700_000, band: 700_001 })), held);
    }
}

#[test]
fn shares_may_take_the_whole_and_no_more() {
    for (own, partner) in
        [("saque_fee_bps", "partner_saque_fee_bps"), ("admin_fee_bps", "partner_fee_bps")]
    {
        is_adopted(&agreed(&json!({ own: 9_500, partner: 500 })));
        is_refused(&agreed(&json!({ own: 9_501, partner: 500 })), partner);
    }
}
