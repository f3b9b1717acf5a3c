//! Repeats that leave out what the first report said, and facts of another kind under a known id
//! (rulings 54).

use ledger_core::contract::FACTS;
use serde_json::{Value, json};

use crate::day::Day;
use crate::selling::{STANDARD, arrival, merge};
use crate::shapes::{NOON, ready};

const RETURN: &str = "D9040088820261122090000999999999";

/// A fact with these fields beside its example's.
fn with(name: &str, fields: &Value) -> Value {
    let shape = FACTS.iter().find(|shape| shape.name == name).unwrap();
    let mut line: Value = serde_json::from_str(shape.example).unwrap();
    line["at"] = NOON.into();
    merge(&mut line["body"], fields.clone());
    line
}

#[test]
fn a_repeat_that_leaves_a_field_out_names_it_where_that_says_something_else() {
    for (fact, field, fields) in [
        ("fee.adjusted", "customer_ref", json!({})),
        ("fee.adjusted", "income", json!({ "income": "payout" })),
        ("hold.placed", "customer_ref", json!({ "cashin_id": null })),
        ("reservation.made", "customer_ref", json!({})),
        ("reservation.made", "expires_at", json!({})),
        ("court.ordered", "customer_ref", json!({})),
        ("hold.released", "amount_cents", json!({ "amount_cents": 50 })),
        ("reservation.captured", "final", json!({ "final": true })),
        ("suspense.returned", "return_id", json!({ "return_id": RETURN })),
        ("product_account.declared", "overdraft", json!({ "overdraft": true })),
        ("recovery.opened", "blocks_until", json!({ "blocks_until": "2026-11-30T12:00:00Z" })),
        ("recovery.opened", "decides_until", json!({ "decides_until": "2026-11-30T12:00:00Z" })),
        ("recovery.decided", "amount_cents", json!({})),
    ] {
        let (mut day, mut line) = (ready(fact), with(fact, &fields));
        assert_eq!(day.line(&line.to_string()).body["outcome"], "applied", "{line}");
        line["body"][field] = Value::Null;
        let again = day.line(&line.to_string()).body;
        assert_eq!(again["outcome"], "known", "{line}: {again}");
        assert_eq!(again["campos_divergentes"], json!([field]), "{line}: {again}");
    }
}

/// How facts begin of which the events of one may be those of the other: `id` is not named.
const ALIKE: [&[&str]; 12] = [
    &["agent.activated", "account.opened"],
    &["account.arriving", "account.opened"],
    &["payment.started", "wallet.payment."],
    &["policy.adopted", "wallet.configured"],
    &["provider."],
    &["payout.refused", "payout.evidence"],
    &["entry.posted", "balance.opened"],
    &["delivery."],
    &["sale.", "payment.", "cashout.", "refund."],
    &["wallet.deposit."],
    &["wallet.withdrawal."],
    &["wallet.payment."],
];

#[test]
fn a_fact_of_another_kind_under_a_known_id_names_the_id() {
    let own = || FACTS.iter().filter(|shape| shape.field("id").is_some());
    let (mut named, mut wrong) = (0, Vec::new());
    for first in own() {
        let (mut day, line) = (ready(first.name), with(first.name, &json!({ "id": "one" })));
        assert_eq!(day.line(&line.to_string()).body["outcome"], "applied", "{line}");
        for other in own().filter(|other| other.kind != first.kind) {
            let line = with(other.name, &json!({ "id": "one" }));
            let again = day.line(&line.to_string()).body;
            // What the example is about is not there on another's day.
            if again["outcome"].is_null() {
                continue;
            }
            let pair = [first.name, other.name];
            let differing = again["campos_divergentes"].as_array().cloned().unwrap_or_default();
            let begins = |name: &str, with: &[&str]| with.iter().any(|it| name.starts_with(it));
            let alike = ALIKE.iter().any(|with| pair.iter().all(|name| begins(name, with)));
            assert_eq!(again["outcome"], "known", "{pair:?}: {again}");
            if !alike && !differing.contains(&"id".into()) {
                wrong.push(pair);
            }
            named += 1;
        }
    }
    assert!(wrong.is_empty() && named > 1_000, "{wrong:?} of {named} pairs");
}

#[test]
fn a_release_told_again_of_another_amount_names_it() {
    let mut day = ready("hold.released");
    let mut told = |cents: Option<i64>| {
        let line = with("hold.released", &json!({ "id": "one", "amount_cents": cents }));
        day.line(&line.to_string()).body["campos_divergentes"].clone()
    };
    assert_eq!(told(Some(50)), Value::Null);
    assert_eq!(told(Some(50)), Value::Null);
    for other in [Some(51), Some(49), None] {
        assert_eq!(told(other), json!(["amount_cents"]), "{other:?}");
    }
}

#[test]
fn a_second_confirmation_of_other_coins_names_what_differs() {
    let mut day = Day::selling(NOON, STANDARD);
    day.selling_now("v", NOON, "100.00");
    let mut again = |asset: &str, amount: &str| {
        let mut body = arrival("0xv", (asset, "polygon"), amount);
        body["cashout_id"] = "$v.cashout_id".into();
        let answer = day.report_as("again", NOON, "deposit.confirmed", &body);
        assert_eq!(answer["outcome"], "known", "{answer}");
        answer["campos_divergentes"].clone()
    };
    assert_eq!(again("usdt", "19.444445"), Value::Null);
    assert_eq!(again("usdt", "19.444444"), json!(["amount"]));
    assert_eq!(again("usdc", "19.444445"), json!(["asset"]));
}

#[test]
fn a_return_told_as_a_refund_names_the_recovery_and_the_amount_that_differ() {
    let example: Value = serde_json::from_str(
        FACTS.iter().find(|shape| shape.name == "recovery.refunded").unwrap().example,
    )
    .unwrap();
    let told = |day: &mut Day, fact: &str, recovery: Option<&str>, cents: i64| {
        let mut body = example["body"].clone();
        body["amount_cents"] = cents.into();
        match recovery {
            Some(recovery) => body["recovery_id"] = recovery.into(),
            None => drop(body.as_object_mut().unwrap().remove("recovery_id")),
        }
        let line = json!({ "at": NOON, "fact": fact, "body": body });
        let answer = day.line(&line.to_string()).body;
        (answer["outcome"].clone(), answer["campos_divergentes"].clone())
    };
    let known = |differs: Value| (json!("known"), differs);
    let own = example["body"]["recovery_id"].as_str();
    let mut day = ready("recovery.refunded");
    assert_eq!(told(&mut day, "recovery.refunded", own, 2_000).0, "applied");
    assert_eq!(told(&mut day, "recovery.refunded", own, 2_000), known(Value::Null));
    let another = told(&mut day, "recovery.refunded", Some("another"), 2_001);
    assert_eq!(another, known(json!(["recovery_id", "amount_cents"])));
    assert_eq!(told(&mut day, "pix.returned", None, 2_000), known(Value::Null));
    assert_eq!(told(&mut day, "pix.returned", None, 2_001), known(json!(["amount_cents"])));
    let mut day = ready("recovery.refunded");
    assert_eq!(told(&mut day, "pix.returned", None, 2_000).0, "applied");
    let refund = told(&mut day, "recovery.refunded", own, 2_001);
    assert_eq!(refund, known(json!(["recovery_id", "amount_cents"])));
    let mut day = ready("recovery.refunded");
    assert_eq!(told(&mut day, "recovery.refunded", Some("another"), 2_000).0, "set_aside");
    assert_eq!(told(&mut day, "recovery.refunded", Some("another"), 2_000), known(Value::Null));
    assert_eq!(told(&mut day, "recovery.refunded", own, 2_000), known(json!(["recovery_id"])));
}
