//! Bands, shares and sums that are adopted: what bounds them may be reached, and not passed (LIM).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day};

const NOON: &str = "2026-10-20T12:00:00Z";

fn agreed(terms: &Value) -> Value {
    let mut body = terms.clone();
    body["id"] = "terms-1".into();
    body["account"] = "loja".into();
    Day::with_terms(NOON, AT_ONCE).report_as("", NOON, "terms.adopted", &body)
}

fn adopted(policy: &Value) -> Value {
    let mut body = policy.clone();
    body["id"] = "policy-1".into();
    let line = json!({
        "at": NOON, "fact": "policy.adopted", "environment": "live", "body": body,
    });
    Day::with_ladder(NOON, AT_ONCE).line(&line.to_string()).body.into()
}

fn is_adopted(answer: &Value) {
    assert_eq!(answer["outcome"], "applied", "{answer}");
}

fn is_refused(answer: &Value, field: &str) {
    assert_eq!(answer["erro"], "formato_invalido", "{answer}");
    let detail = answer["detail"].as_str().unwrap();
    assert!(detail.contains(field), "{detail} does not say {field}");
}

/// A policy or terms that say this: the outcome, or what is wrong with it.
fn said(day: &mut Day, fact: &str, mut body: Value) -> String {
    body["id"] = day.outside_id().into();
    let mut line = json!({ "at": NOON, "fact": fact });
    if fact == "policy.adopted" {
        line["environment"] = "live".into();
    } else {
        body["account"] = "loja".into();
    }
    line["body"] = body;
    let answer = day.line(&line.to_string()).body;
    answer["outcome"].as_str().or(answer["detail"].as_str()).unwrap().to_owned()
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

#[test]
fn the_least_and_the_most_may_be_the_same_and_the_most_is_never_below() {
    for (fact, least, most) in [
        ("terms.adopted", "cashin_min_cents", "cashin_max_cents"),
        ("terms.adopted", "payout_min_cents", "payout_max_cents"),
        ("policy.adopted", "cashout_min_cents", "cashout_max_cents"),
        ("policy.adopted", "depix_min_cents", "depix_max_cents"),
    ] {
        let mut day = Day::with_terms(NOON, AT_ONCE);
        assert_eq!(said(&mut day, fact, json!({ least: 5_000, most: 5_000 })), "applied", "{most}");
        assert_eq!(said(&mut day, fact, json!({ least: 5_000, most: 5_001 })), "applied", "{most}");
        let before = day.digest();
        let wrong = said(&mut day, fact, json!({ least: 5_000, most: 4_999 }));
        assert_eq!(wrong, format!("{most} must not be below {least}"));
        assert_eq!(day.digest(), before, "{most}");
    }
}
