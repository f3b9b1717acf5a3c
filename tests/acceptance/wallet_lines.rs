//! Lines about wallets that are wrong in one place, which the answer names.

use serde_json::{Value, json};

use crate::bad_lines::{MALFORMED, MISSING, Untouched};
use crate::day::Day;
use crate::market::pairs;
use crate::wallet_setup::settings;

const NOON: &str = "2026-11-20T12:00:00Z";

#[test]
fn what_is_wrong_with_a_network_is_named_with_its_place() {
    let mut day = Untouched::trading();
    for (wrong, place) in [
        (json!({ "network": "atlantis" }), "networks[1]: network"),
        (json!({ "network": "tron", "assets": ["BTC"] }), "networks[1]: assets"),
        (json!({ "network": "tron", "colour": "red" }), "networks[1]: "),
    ] {
        let body = json!({ "id": "w", "networks": [{ "network": "polygon" }, wrong] });

        day.refuses_fact("wallet.configured", &body, MALFORMED, place);
    }
}

#[test]
fn one_fact_names_at_most_a_hundred_networks() {
    let mut day = Untouched::trading();
    let body = json!({ "id": "w", "networks": vec![json!({}); 101] });
    day.refuses_fact("wallet.configured", &body, MALFORMED, "networks must be an array of at most");
    let body = json!({ "id": "w", "networks": vec![json!({}); 100] });
    day.refuses_fact("wallet.configured", &body, MISSING, "networks[0]: network");
}

/// A test account with a wallet.
fn tested() -> Day {
    let mut day = Day::new();
    let mut configured = settings();
    configured["id"] = "wal".into();
    let account = json!({
        "id": "acc-2", "account": "feira", "terms": { "carteira_usdt": true },
    });
    for (fact, body) in [
        ("account.opened", account),
        ("catalog.updated", json!({ "id": "cat", "items": pairs() })),
        ("wallet.configured", configured),
    ] {
        let line = json!({
            "at": NOON, "fact": fact, "environment": "sandbox", "body": body,
            "supplied": { "key": "svc_test_feira" },
        });
        assert_eq!(day.line(&line.to_string()).body["outcome"], "applied", "{fact}");
    }
    day
}

#[test]
fn wal_13_the_address_that_is_supplied_for_a_deposit_has_1_to_128_bytes() {
    let mut day = tested();
    let mut asked = |address: Value| {
        let line = json!({
            "at": NOON, "key": "svc_test_feira", "request": "POST /carteira-usdt/deposits",
            "body": { "amount": "100" }, "supplied": { "address": address },
        });
        let answer = day.line(&line.to_string());
        (answer.status, answer.body["erro"].as_str().unwrap_or("none").to_owned())
    };
    let malformed = (400, "formato_invalido".to_owned());
    assert_eq!(asked("".into()), malformed);
    assert_eq!(asked("m".repeat(129).into()), malformed);
    assert_eq!(asked(json!(5)), malformed);
    assert_eq!(asked("m".repeat(128).into()), (201, "none".to_owned()));
    assert_eq!(asked("m".into()), (201, "none".to_owned()));
}

#[test]
fn gen_04_a_decimal_string_has_at_most_40_characters() {
    let mut day = tested();
    let mut asked = |length: usize| {
        let line = json!({
            "at": NOON, "key": "svc_test_feira", "request": "POST /carteira-usdt/deposits",
            "body": { "amount": format!("{:0>length$}", "100") }, "supplied": { "address": "m" },
        });
        let answer = day.line(&line.to_string());
        (answer.status, answer.body["erro"].as_str().unwrap_or("none").to_owned())
    };
    assert_eq!(asked(40), (201, "none".to_owned()));
    assert_eq!(asked(41), (400, "valor_invalido".to_owned()));
}
