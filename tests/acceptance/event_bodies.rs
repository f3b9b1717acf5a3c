//! Each event has a sequence of its own and shows its operation as it stood then (rulings 53).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day};
use crate::market::WALLET;
use crate::selling::{STANDARD, arrival, to_mail};

const NOON: &str = "2026-10-20T12:00:00Z";
const POLYGON: (&str, &str) = ("usdt", "polygon");
const TEST_KEY: &str = "svc_test_loja";

fn sequences(events: &[Value]) -> Vec<u64> {
    events.iter().map(|event| event["sequence"].as_u64().unwrap()).collect()
}

/// Name and `state` of the last two events.
fn last_two(events: &[Value]) -> [[Value; 2]; 2] {
    let shown = |event: &Value| [event["event"].clone(), event["data"]["state"].clone()];
    let [first, second] = &events[events.len() - 2..] else { panic!("two events") };
    [shown(first), shown(second)]
}

#[test]
fn no_two_events_share_a_sequence_and_it_rises_by_record_and_by_place_in_it() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 5_000);
    let [.., paid, settled] = &sequences(day.events())[..] else { panic!("two events") };
    assert_eq!(settled - paid, 1, "one record notified of both");
    assert_eq!(day.payout("o", NOON, "a", 1_000).status, 200);
    assert_eq!(day.paid("o", NOON), "applied");
    day.deposit("e", NOON, "a", 5_000);
    assert_eq!(day.give_back("d", NOON, 5_000), "applied");
    let sequences = sequences(day.events());
    assert!(
        6 <= sequences.len() && sequences.is_sorted_by(|one, next| one < next),
        "{sequences:?}"
    );
}

#[test]
fn a_record_that_moves_an_order_twice_shows_it_each_time_as_it_stood_then() {
    let mut day = Day::selling(NOON, STANDARD);
    day.sold("v", NOON, "100.00");
    day.accept("v", NOON);
    // Reported in full, that it is confirmed implies that it was seen, and it is paid at once.
    let whole = arrival("0xv", POLYGON, "19.444445");
    assert_eq!(day.sale_reports("v", NOON, "deposit.confirmed", whole), "applied");
    let notified = last_two(day.events());
    let detected = [json!("cashout.deposit_detected"), json!("DEPOSIT_DETECTED")];
    assert_eq!(notified, [detected, [json!("cashout.processing"), json!("PROCESSING")]]);
    let data = day.events()[day.events().len() - 2]["data"].clone();
    assert_eq!(data["timeline"].as_array().unwrap().len(), 3, "nor does it know what follows");
    assert_eq!(data["confirmations_complete"], false);
}

#[test]
fn a_purchase_shown_when_it_was_paid_is_not_settled_though_its_record_settles_it() {
    let mut day = Day::trading(NOON, AT_ONCE);
    assert_eq!(day.buy("p", NOON, 10_000).status, 200);
    let body = json!({
        "id": "s-1", "cashin_id": "$p.cashin_id", "tx_hash": "0xp",
        "e2e": "E9040088820261020120000000000001", "amount_cents": 10_000,
    });
    assert_eq!(day.report(NOON, "delivery.sent", &body), "applied", "settled implies paid");
    let [paid, settled] = &day.events()[day.events().len() - 2..] else { panic!("two events") };
    let shown = |event: &Value| {
        let data = &event["data"];
        [
            event["event"].clone(),
            data["settlement_status"].clone(),
            data["settlement_tx_hash"].clone(),
        ]
    };
    assert_eq!(shown(paid), [json!("cashin.paid"), json!("pending"), Value::Null]);
    assert_eq!(shown(settled), [json!("cashin.settled"), json!("sent"), json!("0xp")]);
}

/// A test sale whose surplus is refunded later: what a page of events shows of it.
#[test]
fn events_read_back_later_show_what_was_shown_when_they_were_sent() {
    let mut day = Day::new();
    let terms: Value = serde_json::from_str(STANDARD).unwrap();
    let facts = [
        ("account.opened", json!({ "id": "acc-1", "account": "loja", "terms": terms })),
        ("markets.updated", json!({ "id": "m-1", "items": crate::selling::markets() })),
        ("rate.quoted", json!({ "id": "r-1", "asset": "usdt", "brl_per_unit": "5.40" })),
    ];
    let reported = |day: &mut Day, fact: &str, body: Value| {
        let line = json!({
            "at": NOON, "fact": fact, "environment": "sandbox", "body": body,
            "supplied": { "key": TEST_KEY },
        });
        day.line(&line.to_string()).body
    };
    for (fact, body) in facts {
        assert_eq!(reported(&mut day, fact, body)["outcome"], "applied", "{fact}");
    }
    let mut body = to_mail("100.00");
    (body["asset"], body["network"]) = (POLYGON.0.into(), POLYGON.1.into());
    body["refund_address"] = WALLET.into();
    let line = json!({
        "at": NOON, "as": "v", "key": TEST_KEY, "request": "POST /cash-outs", "body": body,
    });
    assert_eq!(day.line(&line.to_string()).status, 201);
    let line = json!({
        "at": NOON, "key": TEST_KEY, "request": "POST /cash-outs/$v.cashout_id/accept",
        "supplied": { "deposit_address": "0xhere" },
    });
    assert_eq!(day.line(&line.to_string()).status, 200);
    let order = |more: Value| {
        let mut body = more;
        body["cashout_id"] = "$v.cashout_id".into();
        body
    };
    let report = [
        ("deposit.confirmed", order(arrival("0xv", POLYGON, "19.444445"))),
        ("deposit.seen", order(arrival("0xw", POLYGON, "3"))),
        ("cashout.paid", order(json!({ "e2e": "E9040088820261020120000000000002" }))),
        ("deposit.confirmed", order(json!({ "tx_hash": "0xw" }))),
    ];
    for (fact, body) in report {
        let outcome = reported(&mut day, fact, body)["outcome"].clone();
        assert!(outcome == "applied" || outcome == "set_aside", "{fact}: {outcome}");
    }
    let notified: Vec<Value> = day.events().to_vec();
    let page = day.get_with(TEST_KEY, NOON, "/sandbox/events?limit=50");
    let mut read = page["items"].as_array().unwrap().clone();
    read.reverse();
    assert_eq!(read, notified);
    let completed = notified.last().unwrap();
    assert_eq!(completed["event"], "cashout.completed");
    assert_eq!(completed["data"]["surplus_refunds"][0]["state"], "DEPOSIT_DETECTED", "as it stood");
}
