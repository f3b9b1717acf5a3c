//! Events of the wallet carry the record they are about, as a read shows it (EVT-13).

use serde_json::{Value, json};

use crate::day::Day;
use crate::wallet_payments::{failed_after_send, sent};

const NOON: &str = "2026-11-20T12:00:00Z";

/// The data of the last event, which has this name.
fn last(day: &Day, name: &str) -> Value {
    let event = day.events().last().unwrap();
    assert_eq!(event["event"], name, "{event}");
    event["data"].clone()
}

#[test]
fn evt_13_a_payment_that_is_completed_is_notified_as_it_is_read() {
    let mut day = sent();
    let e2e = day.outside_id();
    assert_eq!(day.payment_reports("p", NOON, "paid", json!({ "e2e": e2e })), "applied");
    let data = last(&day, "wallet.payment_completed");
    assert_eq!((&data["status"], &data["pix_e2e"]), (&json!("concluido"), &json!(e2e)));
    assert_eq!(data, day.payment("p", NOON));
}

#[test]
fn evt_13_a_payment_that_failed_is_notified_as_it_is_read() {
    let mut day = failed_after_send();
    let data = last(&day, "wallet.payment_failed");
    assert_eq!(data["status"], "falhou_apos_envio");
    assert_eq!(data, day.payment("p", NOON));
}

#[test]
fn evt_13_a_deposit_that_is_credited_is_notified_as_it_is_read() {
    let mut day = Day::walleted(NOON);
    day.filled("d", NOON, "10");
    let data = last(&day, "wallet.deposit_credited");
    assert!(data["deposit_id"].as_str().unwrap().starts_with("ud_"), "{data}");
    assert_eq!(data, day.wallet_deposit("d", NOON));
}
