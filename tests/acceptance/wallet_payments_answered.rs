//! Answers of the provider to the PIX of a payment from the wallet, and reserves that stay while
//! something is claimed of it (contract 3.5; rulings 1, 35, 70 and 72).

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::day::{Day, judged};
use crate::wallet_payments::{
    failed_after_send, paid, purse, reserved, resolve, sending, sent, stands,
};

const NOON: &str = "2026-11-20T12:00:00Z";
const KEPT: [&str; 2] = ["80.942796", "19.057204"];

fn claimed(day: &Day) -> i128 {
    day.money(Control::ProviderClaim)
}

/// A report of the payment: the outcome, and why it was set aside.
fn told(day: &mut Day, fact: &str, more: Value) -> Value {
    let mut body = json!({ "id": day.outside_id(), "payment_id": "$p.payment_id" });
    body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
    let answer = day.report_as("", NOON, fact, &body);
    answer.get("reason").cloned().unwrap_or_else(|| answer["outcome"].clone())
}

#[test]
fn a_payment_whose_pix_was_told_paid_does_not_fail_as_if_nothing_had_happened() {
    for (known, before, after) in
        [(reserved as fn() -> Day, "outcome_unknown", "reservado"), (sending, "applied", "revisao")]
    {
        let mut day = known();
        assert_eq!(day.payment_reports("p", NOON, "paid", paid("4300")), "set_aside");
        assert_eq!(told(&mut day, "wallet.payment.failed", json!({})), before);
        assert_eq!((stands(&mut day).as_str(), purse(&mut day)), (after, KEPT.map(Into::into)));
        if after == "revisao" {
            let failed = judged(json!({ "outcome": "failed", "evidence": "e-1" }));
            let refused = told(&mut day, "wallet.payment.resolved", failed);
            assert_eq!(refused, "outcome_unknown");
            // That it was sent, too, completes it with the PIX that was told.
            assert_eq!(resolve(&mut day, "sent", json!({ "tx_hash": "0xf1" })), "applied");
            assert_eq!((stands(&mut day).as_str(), claimed(&day)), ("concluido", 0));
        }
    }
}

#[test]
fn a_payment_whose_coins_were_told_sent_waits_for_a_person() {
    let mut day = sending();
    let short = json!({ "tx_hash": "0xf1", "amount": "1.5" });
    assert_eq!(day.payment_reports("p", NOON, "sent", short), "set_aside");
    assert_eq!(day.payment_reports("p", NOON, "failed", json!({})), "applied");
    assert_eq!((stands(&mut day).as_str(), purse(&mut day)), ("revisao", KEPT.map(Into::into)));
}

#[test]
fn a_reserve_does_not_go_back_while_its_pix_is_told_paid() {
    let mut day = failed_after_send();
    assert_eq!(day.payment_reports("p", NOON, "paid", paid("4301")), "set_aside");
    for more in [json!({}), json!({ "coins_lost": true })] {
        let mut body = judged(more);
        body["outcome"] = "return".into();
        assert_eq!(told(&mut day, "wallet.payment.resolved", body), "outcome_unknown");
        assert_eq!(purse(&mut day), KEPT);
    }
    assert_eq!(resolve(&mut day, "consume_paid", paid("4301")), "applied");
    assert_eq!(claimed(&day), 0);
}

/// A payment whose PIX is asked for, with its order's id.
fn with_pix_due() -> (Day, Value) {
    let mut day = sent();
    assert_eq!(day.payment_reports("p", NOON, "confirmed", json!({})), "applied");
    let order = day.payment("p", NOON)["cashout_id"].clone();
    (day, order)
}

fn answer_pix(day: &mut Day, order: &Value, fact: &str, more: Value) -> String {
    let mut body = json!({ "id": day.outside_id(), "cashout_id": order });
    body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
    day.report(NOON, fact, &body)
}

#[test]
fn a_definite_answer_to_its_pix_fails_a_payment_and_keeps_its_reserve() {
    for fact in ["cashout.send_failed", "cashout.pix_impossible"] {
        for unknown in [false, true] {
            let (mut day, order) = with_pix_due();
            if unknown {
                assert_eq!(answer_pix(&mut day, &order, "cashout.unknown", json!({})), "applied");
                assert_eq!(stands(&mut day), "revisao");
                assert_eq!(answer_pix(&mut day, &order, "cashout.unknown", json!({})), "known");
            }
            assert_eq!(answer_pix(&mut day, &order, fact, json!({})), "applied");
            assert_eq!(stands(&mut day), "falhou_apos_envio");
            assert_eq!(purse(&mut day), KEPT);
            let order = day.get(NOON, &format!("/cash-outs/{}", order.as_str().unwrap()));
            assert_eq!(order["state"], "MANUAL_REVIEW", "nobody is asked to pay what failed");
            assert_eq!(resolve(&mut day, "return", json!({})), "applied");
            assert_eq!(purse(&mut day), ["100.000000", "0.000000"]);
        }
    }
}

#[test]
fn a_refused_key_fails_a_payment_and_what_the_provider_kept_is_a_claim() {
    for (back, kept, more) in [(10_000, 0, 0), (9_900, 100, 0), (10_050, 0, 50)] {
        let (mut day, order) = with_pix_due();
        let refused = json!({ "returned_cents": back });
        assert_eq!(answer_pix(&mut day, &order, "cashout.key_refused", refused), "applied");
        assert_eq!(stands(&mut day), "falhou_apos_envio");
        let nobodys = day.money(Control::SuspensePix);
        assert_eq!((claimed(&day), nobodys), (kept, more), "{back}");
        assert_eq!(resolve(&mut day, "return", json!({})), "applied", "nobody was paid");
    }
}

#[test]
fn nobody_is_asked_for_a_pix_once_its_payment_failed() {
    let (mut day, order) = with_pix_due();
    assert_eq!(day.payment_reports("p", NOON, "failed", json!({})), "applied");
    let shown = day.get(NOON, &format!("/cash-outs/{}", order.as_str().unwrap()));
    assert_eq!(shown["state"], "MANUAL_REVIEW");
    assert_eq!(resolve(&mut day, "consume_paid", paid("4302")), "applied");
}
