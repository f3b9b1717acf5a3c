//! What clients are notified of and what the world is asked: webhook events and instructions
//! (contract, section 6; EVT-01 to EVT-04, EVT-07 to EVT-09, EVT-13, EVT-14, EVT-16, INV-35).

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::custody_day;
use crate::day::{AT_ONCE, Day, KEY, PAYER, fields, judged};
use crate::settlement_day;

const NOON: &str = "2026-10-20T12:00:00Z";

/// The list of no events.
const NONE: [&str; 0] = [];

fn market() -> Day {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.new_events();
    day
}

#[test]
fn cin_50_a_purchase_is_paid_and_settled() {
    let mut day = market();
    assert_eq!(day.buy("p", NOON, 10_000).status, 200);
    assert_eq!(day.new_events(), NONE);
    assert_eq!(day.pix("p", NOON, 10_000), "applied");
    assert_eq!(day.new_events(), ["cashin.paid"]);
    assert_eq!(day.delivery_reports("p", NOON, "started"), "applied");
    assert_eq!(day.delivery_reports("p", NOON, "accepted"), "applied");
    assert_eq!(day.new_events(), NONE);
    assert_eq!(day.sent("p", NOON), "applied");
    let event = day.events().last().unwrap().clone();
    assert_eq!(event["data"]["settlement_tx_hash"], "0xp", "EVT-02");
    assert_eq!(day.new_events(), ["cashin.settled"]);
    assert_eq!(day.sent("p", NOON), "known");
    assert_eq!(day.new_events(), NONE, "INV-35: once");
}

#[test]
fn cin_56_a_failed_send_is_notified_each_time() {
    let mut day = market();
    day.bought("p", NOON, 10_000);
    day.new_events();
    for _ in 0..2 {
        assert_eq!(day.delivery_reports("p", NOON, "started"), "applied");
        assert_eq!(day.delivery_reports("p", NOON, "failed"), "applied");
        assert_eq!(day.new_events(), ["cashin.settlement_failed"]);
    }
    assert_eq!(day.delivery_reports("p", NOON, "started"), "applied");
    assert_eq!(day.delivery_reports("p", NOON, "unknown"), "applied");
    assert_eq!(day.new_events(), NONE);
    let evidence = judged(json!({ "outcome": "not_sent" }));
    assert_eq!(day.delivery("$p.cashin_id", NOON, "evidence", evidence)["outcome"], "applied");
    assert_eq!(day.new_events(), ["cashin.settlement_failed"]);
    assert_eq!(day.give_up("p", NOON, "pagador"), "applied");
    assert_eq!(day.new_events(), ["cashin.refunded"]);
}

#[test]
fn cin_51_and_52_a_held_charge_is_delayed_then_paid_then_settled() {
    let mut day = Day::with_ladder(NOON, AT_ONCE);
    day.market(NOON);
    let body = json!({ "id": "rev-1", "payer_tax_number": PAYER, "finding": "identified" });
    assert_eq!(day.report(NOON, "payer.reviewed", &judged(body)), "applied");
    assert_eq!(day.buy("p", NOON, 30_000).status, 200);
    assert_eq!(day.new_events(), NONE);
    assert_eq!(day.pix("p", NOON, 30_000), "applied");
    assert_eq!(day.new_events(), ["cashin.delayed"]);
    let body = json!({ "id": "rel-1", "cashin_id": "$p.cashin_id" });
    assert_eq!(day.report(NOON, "provider.released", &body), "applied");
    assert_eq!(day.new_events(), ["cashin.paid"]);
    assert_eq!(day.sent("p", NOON), "applied");
    assert_eq!(day.new_events(), ["cashin.settled"]);
}

#[test]
fn cin_63_a_deposit_is_settled_when_it_is_available() {
    let mut day = market();
    day.deposit("d", NOON, "a", 5_000);
    assert_eq!(day.new_events(), ["cashin.paid", "cashin.settled"]);
    let mut day = Day::opened(NOON);
    assert_eq!(day.charge("d", NOON, "a", 5_000).status, 200);
    assert_eq!(day.new_events(), ["cashin.held"], "EVT-04: it will be held by us");
    assert_eq!(day.pix("d", NOON, 5_000), "applied");
    assert_eq!(day.new_events(), ["cashin.paid"]);
    day.get("2026-10-21T03:00:00Z", "/saldo");
    let event = day.events()[0].clone();
    assert_eq!(day.new_events(), ["cashin.settled"], "sent by the read that brought it due");
    assert_eq!(event["created_at"], "2026-10-21T03:00:00Z");
    assert_eq!(event["data"]["settlement_tx_hash"], Value::Null);
}

#[test]
fn evt_03_what_ends_a_charge_is_notified() {
    let mut day = market();
    assert_eq!(day.buy("p", NOON, 10_000).status, 200);
    let body = json!({ "id": "can-1", "cashin_id": "$p.cashin_id" });
    assert_eq!(day.report(NOON, "provider.cancelled", &body), "applied");
    assert_eq!(day.new_events(), ["cashin.failed"]);
    assert_eq!(day.buy("q", NOON, 10_000).status, 200);
    day.get("2026-10-20T12:15:00Z", "/saldo");
    assert_eq!(day.new_events(), ["cashin.expired"]);
    for (id, about) in [("can-2", "p"), ("can-3", "q")] {
        let body = json!({ "id": id, "cashin_id": format!("${about}.cashin_id") });
        assert_eq!(day.report(NOON, "provider.cancelled", &body), "known");
    }
    assert_eq!(day.new_events(), NONE, "once");
    day.deposit("d", NOON, "a", 5_000);
    day.new_events();
    assert_eq!(day.give_back("d", NOON, 2_000), "applied");
    assert_eq!(day.new_events(), NONE, "not before all of it is back (rulings 27)");
    assert_eq!(day.give_back("d", NOON, 3_000), "applied");
    assert_eq!(day.new_events(), ["cashin.refunded"]);
    // Of one that the provider holds as well.
    let mut day = Day::opened(NOON);
    day.deposit("held", NOON, "a", 10_000);
    assert_eq!(day.give_back("held", NOON, 9_999), "applied");
    assert_eq!(day.new_events(), ["cashin.delayed"]);
    assert_eq!(day.give_back("held", NOON, 1), "applied");
    assert_eq!(day.new_events(), ["cashin.refunded"]);
}

#[test]
fn cus_41_a_conversion_is_notified_as_the_charge_it_is() {
    let mut day = market();
    day.deposit("d", NOON, "a", 20_000);
    day.new_events();
    assert_eq!(day.convert("c", NOON, "a", 5_000).status, 200);
    assert_eq!(day.new_events(), ["cashin.paid"]);
    assert_eq!(day.delivery_reports("c", NOON, "started"), "applied");
    assert_eq!(day.delivery_reports("c", NOON, "failed"), "applied");
    assert_eq!(day.give_up("c", NOON, "saldo"), "applied");
    assert_eq!(day.new_events(), ["cashin.settlement_failed", "cashin.refunded"]);
    assert_eq!(day.convert("e", NOON, "a", 5_000).status, 200);
    assert_eq!(day.sent("e", NOON), "applied");
    assert_eq!(day.events().last().unwrap()["data"]["fonte"], "saldo");
    assert_eq!(day.new_events(), ["cashin.paid", "cashin.settled"]);
}

#[test]
fn pay_15_payouts_are_notified_with_the_five_fee_fields() {
    let mut day = market();
    day.deposit("d", NOON, "a", 20_000);
    day.new_events();
    let about = |id: &str| json!({ "id": id, "payout_id": "$o.payout_id" });
    assert_eq!(day.payout("o", NOON, "a", 1_000).status, 200);
    assert_eq!(day.report(NOON, "payout.stopped", &judged(about("s-1"))), "applied");
    assert_eq!(day.report(NOON, "payout.cleared", &judged(about("s-2"))), "applied");
    assert_eq!(day.new_events(), ["payout.created"], "a stop is nobody else's business");
    assert_eq!(day.report(NOON, "payout.submitted", &about("s-3")), "applied");
    assert_eq!(day.paid("o", NOON), "applied");
    let fees = [
        "fee_service_total_cents",
        "fee_provider_cents",
        "fee_cents",
        "fee_partner_cents",
        "fee_service_cents",
    ];
    for event in day.events() {
        let shown = fees.map(|name| event["data"][name].clone());
        assert_eq!(json!(shown), json!([15, 0, 15, 0, 15]), "EVT-07: {event}");
    }
    assert_eq!(day.new_events(), ["payout.processing", "payout.completed"]);
    for cents in [400, 600] {
        let body = json!({
            "payout_id": "$o.payout_id", "return_id": day.outside_id(), "amount_cents": cents,
        });
        assert_eq!(day.report(NOON, "payout.returned", &body), "applied");
        assert_eq!(day.report(NOON, "payout.returned", &body), "known");
        assert_eq!(day.new_events(), ["payout.returned"]);
    }
    assert_eq!(day.payout("q", NOON, "a", 1_000).status, 200);
    let body = json!({ "id": "ref-1", "payout_id": "$q.payout_id" });
    assert_eq!(day.report(NOON, "payout.refused", &body), "applied");
    assert_eq!(day.new_events(), ["payout.created", "payout.failed"]);
}

#[test]
fn evt_14_the_envelope_and_evt_13_the_record_as_it_stood() {
    let mut day = market();
    day.bought("p", NOON, 10_000);
    let event = day.events()[0].clone();
    let names = ["id", "event", "created_at", "api_version", "sequence", "data"];
    assert_eq!(fields(&event), names);
    assert_eq!((&event["created_at"], &event["api_version"]), (&json!(NOON), &json!("1.45.0")));
    let record = day.status(NOON, "p");
    assert_eq!(event["data"], record, "no information is only in an event");
    assert_eq!(day.sent("p", NOON), "applied");
    assert_eq!(event["data"], record, "and an event stays what it was");
    assert_ne!(day.status(NOON, "p"), record);
}

#[test]
fn evt_08_refusals_repeats_and_known_facts_tell_nothing() {
    let mut day = market();
    day.deposit("d", NOON, "a", 20_000);
    assert_eq!(day.payout("o", NOON, "a", 1_000).status, 200);
    day.bought("p", NOON, 10_000);
    day.new_events();
    let asked = day.instructions().len();
    assert_eq!(day.payout("o", NOON, "a", 1_000).status, 200);
    assert_eq!(day.payout("o", NOON, "a", 2_000).status, 409);
    assert_eq!(day.payout("x", NOON, "a", 90_000).status, 402);
    assert_eq!(day.buy("p", NOON, 10_000).status, 200);
    assert_eq!(day.buy("y", NOON, 1).status, 400);
    assert_eq!(day.pix("p", NOON, 10_000), "set_aside");
    assert_eq!(day.new_events(), NONE);
    assert_eq!(day.instructions().len(), asked);
}

#[test]
fn instructions_ask_once_for_each_task_under_a_key_that_never_changes() {
    let mut day = market();
    day.deposit("d", NOON, "a", 20_000);
    assert_eq!(day.payout("o", NOON, "a", 1_000).status, 200);
    let payout = day.instructions().last().unwrap().clone();
    let names = [
        "instruction",
        "idempotency_key",
        "amount_cents",
        "pix_key",
        "tax_number",
        "owner_proven",
        "payout_id",
    ];
    assert_eq!(fields(&payout), names);
    assert_eq!(payout["instruction"], "pix.send");
    assert!(!payout.to_string().contains("ana@exemplo.com.br"), "INV-46: {payout}");
    let about = |id: &str| judged(json!({ "id": id, "payout_id": "$o.payout_id" }));
    assert_eq!(day.report(NOON, "payout.stopped", &about("s-1")), "applied");
    assert_eq!(day.report(NOON, "payout.cleared", &about("s-2")), "applied");
    assert_eq!(day.instructions().len(), 2, "asked again once it is cleared");
    assert_eq!(day.instructions()[1], payout);

    day.bought("p", NOON, 10_000);
    let first = day.instructions().last().unwrap().clone();
    let names = [
        "instruction",
        "idempotency_key",
        "attempt",
        "asset",
        "chain",
        "payout_address",
        "payout_tag",
        "amount",
        "cashin_id",
    ];
    assert_eq!(fields(&first), names);
    assert_eq!((&first["attempt"], &first["amount"]), (&json!(1), &json!("17.722222")));
    assert_eq!(day.delivery_reports("p", NOON, "started"), "applied");
    assert_eq!(day.instructions().last(), Some(&first));
    assert_eq!(day.delivery_reports("p", NOON, "failed"), "applied");
    let second = day.instructions().last().unwrap().clone();
    assert_eq!(second["attempt"], 2);
    assert_ne!(second["idempotency_key"], first["idempotency_key"]);
    let count = day.instructions().len();
    assert_eq!(day.give_up("p", NOON, "pagador"), "applied");
    assert_eq!(day.instructions().len(), count, "nothing more is asked");
}

#[test]
fn evt_09_over_both_examples_events_are_unique_in_order_and_as_their_records() {
    for lived in [custody_day::lived, settlement_day::lived] {
        let (mut day, _) = lived();
        let events = day.events().to_vec();
        let mut ids = HashSet::new();
        let mut latest: Vec<(Value, u64)> = Vec::new();
        for event in &events {
            assert!(ids.insert(event["id"].clone()), "{event}");
            let data = &event["data"];
            let id = data.get("cashin_id").or(data.get("payout_id")).unwrap().clone();
            let sequence = event["sequence"].as_u64().unwrap();
            if let Some((_, last)) = latest.iter_mut().find(|(known, _)| *known == id) {
                assert!(*last <= sequence, "EVT-16: {event}");
                *last = sequence;
            } else {
                latest.push((id, sequence));
            }
        }
        // Whoever reads the last event of a charge that ended knows what the record says.
        let at = "2026-11-27T12:00:00Z";
        day.report(at, "time.passed", &json!({}));
        for event in &events {
            if event["event"] != "cashin.refunded" || event["data"]["qr_copypaste"].is_null() {
                continue;
            }
            let id = event["data"]["cashin_id"].as_str().unwrap();
            let line =
                json!({ "at": at, "key": KEY, "request": format!("GET /cashin/{id}/status") });
            let record = day.line(&line.to_string());
            assert_eq!(record.body["status"], "refunded");
        }
    }
}

#[test]
fn inv_35_settled_is_notified_once_for_exactly_what_was_sent() {
    let (day, answers) = settlement_day::lived();
    let settled: Vec<&Value> =
        day.events().iter().filter(|event| event["event"] == "cashin.settled").collect();
    let ids: HashSet<&str> =
        settled.iter().map(|event| event["data"]["cashin_id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), settled.len());
    assert!(settled.iter().all(|event| event["data"]["settlement_status"] == "sent"));
    let lines = settlement_day::LINES.lines().zip(&answers);
    let sent = lines.filter(|(line, answer)| {
        let report = line.contains("delivery.sent") || line.contains(r#""outcome":"sent""#);
        report && !line.contains("commission") && answer.body["outcome"] == "applied"
    });
    let deposits = settled.iter().filter(|event| event["data"]["destino"] == "saldo").count();
    assert_eq!(sent.count() + deposits, settled.len());
}
