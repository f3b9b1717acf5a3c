//! Facts that are known by where their operation stands, and say something else (rulings 54).

use serde_json::{Value, json};

use crate::day::{Day, KEY};
use crate::market::WALLET;
use crate::selling::STANDARD;

const NOON: &str = "2026-11-20T12:00:00Z";

/// A report under a new id: the outcome, and the fields that differ.
fn told(day: &mut Day, fact: &str, mut body: Value) -> (Value, Value) {
    body["id"] = day.outside_id().into();
    let answer = day.report_as("", NOON, fact, &body);
    (answer["outcome"].clone(), answer["campos_divergentes"].clone())
}

#[test]
fn another_sum_that_a_sale_brought_is_named() {
    let mut day = Day::selling(NOON, STANDARD);
    let body = json!({ "amount": "20", "pix_key": "bia@exemplo.com.br" });
    assert_eq!(day.sell("v", NOON, ("usdt", "tron"), body).status, 200);
    assert_eq!(day.accept("v", NOON).status, 200);
    day.deposited_of("v", NOON, ("usdt", "tron"), "20");
    let of = |more: Value| {
        let mut body = json!({ "cashout_id": "$v.cashout_id" });
        body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        body
    };
    for (fact, sum, other) in [
        ("sale.started", None, None),
        ("sale.filled", Some(10_700), None),
        ("sale.forwarding", None, None),
        ("sale.forwarded", Some(10_500), Some(10_400)),
    ] {
        let with = |cents: Option<i64>| {
            of(cents.map_or(json!({}), |cents| json!({ "amount_cents": cents })))
        };
        assert_eq!(told(&mut day, fact, with(sum)).0, "applied", "{fact}");
        let known = json!("known");
        assert_eq!(told(&mut day, fact, with(sum)), (known.clone(), Value::Null), "{fact}");
        if other.is_some() {
            let named = json!(["amount_cents"]);
            assert_eq!(told(&mut day, fact, with(other)), (known, named), "{fact}");
        }
    }
}

/// A withdrawal of 20 in this coin.
fn withdrawing(coin: &str) -> Day {
    let mut day = Day::walleted(NOON);
    day.holding("h", NOON, "100");
    for (label, command, body) in [
        (
            "q",
            "quote",
            json!({ "amount": "20", "asset": coin, "network": "polygon", "address": WALLET }),
        ),
        ("w", "create", json!({ "quote_id": "$q.quote_id", "external_id": "w" })),
    ] {
        let line = json!({
            "at": NOON, "as": label, "key": KEY, "body": body,
            "command": format!("wallet.withdrawal.{command}"),
        });
        let answer = day.line(&line.to_string());
        assert!(answer.status < 300, "{}", answer.body);
    }
    day
}

#[test]
fn another_sum_that_a_withdrawal_brought_is_named() {
    let sent = |received: &str| json!({ "withdrawal_id": "$w.withdrawal_id", "tx_hash": "0xe1", "received": received });
    let mut day = withdrawing("USDT");
    let fact = "wallet.withdrawal.sent";
    assert_eq!(told(&mut day, fact, sent("19.9")).0, "applied");
    assert_eq!(told(&mut day, fact, sent("19.9")), (json!("known"), Value::Null));
    assert_eq!(told(&mut day, fact, sent("10")), (json!("known"), json!(["received"])));
    let mut day = withdrawing("USDC");
    let obtained = |units: &str| json!({ "withdrawal_id": "$w.withdrawal_id", "obtained": units });
    let fact = "wallet.withdrawal.converted";
    assert_eq!(told(&mut day, fact, obtained("20")).0, "applied");
    assert_eq!(told(&mut day, fact, obtained("15")), (json!("known"), json!(["obtained"])));
}
