//! Fields of a request that nobody reads are tolerated, and named in the answer (rulings 55).

use serde_json::{Value, json};

use crate::agent::WALLET;
use crate::day::{AT_ONCE, Day, KEY, OWNER, PAYER};
use crate::selling::{STANDARD, to_mail};

const NOON: &str = "2026-10-20T12:00:00Z";

fn ignored(answer: &Value) -> &Value {
    &answer["campos_ignorados"]
}

#[test]
fn a_misspelt_customer_does_not_credit_the_house_in_silence() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let body = json!({
        "destino": "saldo", "amount_cents": 10_000, "payer_tax_number": PAYER,
        "custmer_ref": "ana", "external_id": "p-1",
    });
    let answer = day.ask_with(KEY, NOON, "POST /cashin/charge", &body);
    assert_eq!(answer.status, 200, "it is tolerated: {}", answer.body);
    assert_eq!(ignored(&answer.body), &json!(["custmer_ref"]));
    let again = day.ask_with(KEY, NOON, "POST /cashin/charge", &body);
    assert_eq!(ignored(&again.body), &json!(["custmer_ref"]), "a repeat says it too");
    let mut right = body;
    right["customer_ref"] = "ana".into();
    right["external_id"] = "p-2".into();
    right.as_object_mut().unwrap().remove("custmer_ref");
    let answer = day.ask_with(KEY, NOON, "POST /cashin/charge", &right);
    assert_eq!(ignored(&answer.body), &Value::Null, "there is nothing to name: {}", answer.body);
}

#[test]
fn every_route_with_a_body_names_what_it_ignores() {
    let mut day = Day::selling(NOON, STANDARD);
    day.market(NOON);
    day.prices(NOON);
    assert_eq!(day.agree(NOON, serde_json::from_str(AT_ONCE).unwrap()), "applied");
    day.deposit("d", NOON, "a", 90_000);
    day.sold("v", NOON, "100.00");
    let order = day.order("v", NOON)["cashout_id"].as_str().unwrap().to_owned();
    let mut sale = to_mail("100.00");
    sale["asset"] = "usdt".into();
    sale["network"] = "polygon".into();
    let rows = [
        ("POST /cashin/preview", json!({ "amount_cents": 10_000 })),
        (
            "POST /saldo/transferir",
            json!({ "from_customer_ref": "a", "to_customer_ref": "b", "amount_cents": 1 }),
        ),
        (
            "POST /saldo/sacar-cripto",
            json!({ "customer_ref": "a", "amount_cents": 10_000,
            "tax_number": OWNER, "payout_address": WALLET }),
        ),
        (
            "POST /payouts",
            json!({ "customer_ref": "a", "amount_cents": 100,
            "pix_key": "ana@exemplo.com.br", "tax_number": OWNER }),
        ),
        ("POST /cash-outs/preview", sale.clone()),
        ("POST /cash-outs", sale),
        (&*format!("POST /cash-outs/{order}/refund-address"), json!({ "refund_address": WALLET })),
        ("PATCH /keys/me", json!({ "partner_fee_bps": 0 })),
    ];
    for (request, mut body) in rows {
        body["of_tomorrow"] = json!({ "a": [1] });
        let answer = day.ask(NOON, request, &body);
        if answer.status == 200 || answer.status == 201 {
            assert_eq!(ignored(&answer.body), &json!(["of_tomorrow"]), "{request}");
        } else {
            // Refused for what it is, and not for the field.
            assert_eq!(
                answer.body["erro"], "refund_address_imutavel",
                "{request}: {}",
                answer.body
            );
        }
    }
}

#[test]
fn a_route_without_a_body_names_whatever_it_is_sent() {
    let mut day = Day::selling(NOON, STANDARD);
    day.sold("v", NOON, "100.00");
    let order = day.order("v", NOON)["cashout_id"].as_str().unwrap().to_owned();
    let line = json!({
        "at": NOON, "key": KEY, "request": format!("POST /cash-outs/{order}/accept"),
        "body": { "amount": "1" },
    });
    let answer = day.line(&line.to_string());
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(ignored(&answer.body), &json!(["amount"]));
}

#[test]
fn what_is_named_is_a_glimpse_of_it_and_no_list_without_end() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let mut body = json!({ "destino": "saldo", "amount_cents": 10_000, "payer_tax_number": PAYER });
    body["52998224725"] = 1.into();
    for number in 0..200 {
        body[format!("x{}", "y".repeat(number))] = 1.into();
    }
    let answer = day.ask_with(KEY, NOON, "POST /cashin/charge", &body);
    assert_eq!(answer.status, 200);
    let named = ignored(&answer.body).as_array().unwrap();
    assert_eq!(named.len(), 50);
    assert!(named.iter().all(|name| name.as_str().unwrap().chars().count() <= 65));
    assert!(!answer.body.to_string().contains("52998224725"), "no document is repeated");
}
