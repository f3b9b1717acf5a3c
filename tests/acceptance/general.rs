//! The rules of the contract's first section that hold for every flow (GEN-08, GEN-09, GEN-12,
//! GEN-13, GEN-15, GEN-16, GEN-20, GEN-21, CIN-12, CIN-47, CIN-48, API-01).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, PAYER, payout_body};
use crate::market::{conversion, purchase};
use crate::{custody_day, settlement_day};

const NOON: &str = "2026-11-20T12:00:00Z";

/// A request of each flow that moves money from or to a balance.
pub fn every_request() -> [(&'static str, Value); 5] {
    let deposit = json!({ "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": PAYER });
    let transfer = json!({ "from_customer_ref": "a", "to_customer_ref": "b", "amount_cents": 50 });
    let mut payout = payout_body("o", 50);
    payout["customer_ref"] = "a".into();
    [
        ("POST /cashin/charge", deposit),
        ("POST /cashin/charge", purchase(10_000)),
        ("POST /saldo/sacar-cripto", conversion("a", 5_000)),
        ("POST /saldo/transferir", transfer),
        ("POST /payouts", payout),
    ]
}

fn funded() -> Day {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    day
}

#[test]
fn gen_16_every_flow_is_asked_by_its_route() {
    let mut day = funded();
    for (request, body) in every_request() {
        let answer = day.ask(NOON, request, &body);
        assert_eq!(answer.status, 200, "{request}: {}", answer.body);
    }
}

#[test]
fn gen_13_fields_of_tomorrow_are_tolerated() {
    let mut day = funded();
    for (request, mut body) in every_request() {
        body["field_of_tomorrow"] = json!({ "a": [1] });
        assert_eq!(day.ask(NOON, request, &body).status, 200, "{request}");
    }
}

#[test]
fn gen_12_words_are_compared_exactly() {
    let mut day = funded();
    for word in ["Saldo", "SALDO", "saldo ", "cripto\u{301}", "crypto", "balance"] {
        let mut body = purchase(10_000);
        body["destino"] = word.into();
        let refused = day.ask(NOON, "POST /cashin/charge", &body);
        assert_eq!(refused.body["erro"], "destino_invalido", "{word}");
    }
    let mut body = purchase(10_000);
    body["Destino"] = "saldo".into();
    let charge = day.ask_as("x", NOON, "POST /cashin/charge", body);
    assert_eq!(charge.status, 200);
    assert_eq!(day.status(NOON, "x")["destino"], "cripto", "another field, of tomorrow perhaps");
}

#[test]
fn gen_15_a_key_reaches_nothing_of_another_account() {
    let mut day = funded();
    let line = json!({
        "at": NOON, "fact": "account.opened", "environment": "live",
        "body": { "id": "acc-2", "account": "feira" }, "supplied": { "key": "svc_live_feira" },
    });
    assert_eq!(day.line(&line.to_string()).body["outcome"], "applied");
    assert_eq!(day.buy("p", NOON, 10_000).status, 200);
    assert_eq!(day.convert("c", NOON, "a", 5_000).status, 200);
    let ids: Vec<String> =
        ["p", "c"].map(|id| day.status(NOON, id)["cashin_id"].as_str().unwrap().to_owned()).into();
    let theirs = |day: &mut Day, target: &str| {
        let line =
            json!({ "at": NOON, "key": "svc_live_feira", "request": format!("GET {target}") });
        day.line(&line.to_string())
    };
    for id in ids {
        assert_eq!(theirs(&mut day, &format!("/cashin/{id}/status")).status, 404);
    }
    for id in ["p", "c"] {
        let target = format!("/cashin/charges?external_id={id}");
        assert_eq!(theirs(&mut day, &target).body, json!({ "charges": [] }));
    }
    assert_eq!(theirs(&mut day, "/saldo?customer_ref=a").body["disponivel_cents"], 0);
    assert_eq!(theirs(&mut day, "/saldo/consolidado").body["total_cents"], 0);
}

#[test]
fn gen_20_an_instant_is_the_same_in_every_zone_and_never_goes_back() {
    let mut day = funded();
    let later = "2026-11-20T09:05:00-03:00";
    assert_eq!(day.buy("p", later, 10_000).body["created_at"], "2026-11-20T12:05:00Z");
    let earlier = day.charge("e", NOON, "a", 5_000).body;
    assert_eq!(earlier["created_at"], "2026-11-20T12:05:00Z", "taken as the ledger's");
}

#[test]
fn gen_08_paid_credited_available_settled_and_delivered_are_five_things() {
    let mut day = Day::trading(NOON, r#"{"sem_retencao":true}"#);
    day.deposit("d", NOON, "a", 5_000);
    let record = day.status(NOON, "d");
    assert_eq!(
        (&record["status"], &record["settlement_status"]),
        (&json!("paid"), &json!("pending"))
    );
    assert_eq!(record["paid_at"], NOON, "paid, and credited");
    assert_eq!(day.balance(NOON, "a"), (0, 4_900), "not available");
    let refused = day.transfer("t", NOON, "a", "b", 1);
    assert_ne!(refused.status, 200, "GEN-09: nothing but what is available");
    let midnight = "2026-11-21T03:00:00Z";
    assert_eq!(day.balance(midnight, "a"), (4_900, 0));
    assert_eq!(day.status(midnight, "d")["settled_at"], midnight);
    day.market(midnight);
    day.bought("p", midnight, 10_000);
    assert_eq!(day.status(midnight, "p")["settled_at"], Value::Null, "paid, and not delivered");
}

#[test]
fn cin_47_and_48_the_statuses_are_these_and_the_examples_show_them_all() {
    let status = ["delayed", "expired", "failed", "paid", "pending", "refunded", "under_review"];
    let settlement = ["entregando", "failed", "incerto", "pending", "sending", "sent"];
    let mut seen = [BTreeSet::new(), BTreeSet::new()];
    for lived in [custody_day::lived, settlement_day::lived] {
        let (_, answers) = lived();
        for answer in answers {
            let records = answer.body["charges"].as_array().cloned().unwrap_or_default();
            for record in records.iter().chain([&*answer.body]) {
                if record.get("cashin_id").is_none() {
                    continue;
                }
                for (name, seen) in ["status", "settlement_status"].iter().zip(&mut seen) {
                    seen.extend(record[*name].as_str().map(str::to_owned));
                }
            }
        }
    }
    assert_eq!(seen[0].iter().collect::<Vec<_>>(), status.each_ref());
    assert_eq!(seen[1].iter().collect::<Vec<_>>(), settlement.each_ref());
}

#[test]
fn api_01_a_read_needs_its_key_and_changes_nothing() {
    let mut day = funded();
    let before = day.digest();
    for target in [
        "/cashin/catalog",
        "/cashin/limits?payer_tax=39053344705",
        "/cashin/charges?external_id=d",
        "/saldo",
        "/saldo/consolidado",
        "/saldo/clientes",
        "/saldo/extrato",
        "/comissao",
        "/comissao/extrato",
        "/payouts?external_id=o",
    ] {
        day.get(NOON, target);
        for key in [None, Some("svc_live_nobody")] {
            let mut line = json!({ "at": NOON, "request": format!("GET {target}") });
            if let Some(key) = key {
                line["key"] = key.into();
            }
            assert_eq!(day.line(&line.to_string()).status, 401, "{target}");
        }
    }
    assert_eq!(day.digest(), before);
    assert!(KEY.starts_with("svc_live_"));
}
