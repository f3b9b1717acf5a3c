//! Purchases: `destino: cripto` from its charge to its delivery (Part A1 and A2; CIN-15, CIN-28,
//! CIN-30, CIN-49 to CIN-64, CIN-72, CIN-73, GEN-07, GEN-08, GEN-10, FEE-34, PAY-17; rulings 2 and
//! 8).

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, PAYER, fields, judged};
use crate::market::purchase;

const NOON: &str = "2026-10-20T12:00:00Z";
const LATER: &str = "2026-10-20T13:00:00Z";

/// House 330 bps and 100, partner 100 bps: 10,000 costs 530, nets 9,470.
const PARTNER: &str = r#"{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0,
    "partner_fee_bps":100}"#;

fn bought() -> Day {
    let mut day = Day::trading(NOON, PARTNER);
    day.bought("p", NOON, 10_000);
    day
}

fn stands(day: &mut Day, at: &str) -> String {
    let (status, settlement) = day.stands(at, "p");
    format!("{status}/{settlement}")
}

/// Returns what stands in flight for purchases, in reais and in units of USDT.
fn in_flight(day: &Day) -> (i128, i128) {
    (day.money(Control::PixInFlight), day.coins("usdt", "flight.deliv"))
}

fn about(day: &mut Day, fact: &str, mut body: Value) -> String {
    body["id"] = day.outside_id().into();
    body["cashin_id"] = "$p.cashin_id".into();
    day.report(NOON, fact, &body)
}

fn seen(day: &mut Day, fact: &str, e2e: &str) -> String {
    let body = json!({ "cashin_id": "$p.cashin_id", "e2e": e2e, "amount_cents": 10_000 });
    day.report(NOON, fact, &body)
}

#[test]
fn gen_07_a_charge_that_names_no_destination_buys_crypto() {
    let mut day = Day::trading(NOON, "{}");
    assert_eq!(day.buy("p", NOON, 10_000).status, 200);
    let record = day.status(NOON, "p");
    assert_eq!((&record["destino"], &record["fonte"]), (&json!("cripto"), &json!("pix")));
    assert_eq!((&record["asset"], &record["chain"]), (&json!("usdt"), &json!("polygon")));
}

#[test]
fn cin_30_the_status_of_a_purchase_has_the_amount_delivered_besides() {
    let mut day = bought();
    assert_eq!(day.sent("p", LATER), "applied");
    let record = day.status(LATER, "p");
    let names = fields(&record);
    assert_eq!(names.last(), Some(&"amount"), "ours, after those of CIN-21 and CIN-30");
    assert_eq!(names.len(), 16 + 15 + 1);
    let shown =
        ["amount", "usdt_amount", "settlement_tx_hash", "settled_at", "paid_at", "fee_cents"];
    let shown = shown.map(|name| record[name].clone());
    assert_eq!(json!(shown), json!(["17.537037", "17.537037", "0xp", LATER, NOON, null]));
    assert!(!record["payer_tax_number"].as_str().unwrap().contains(PAYER));
}

#[test]
fn cin_15_a_customer_is_echoed_and_has_no_custody_of_it() {
    let mut day = Day::trading(NOON, "{}");
    let mut body = purchase(10_000);
    body["customer_ref"] = "ana".into();
    assert_eq!(day.ask_as("p", NOON, "POST /cashin/charge", body).status, 200);
    assert_eq!(day.pix("p", NOON, 10_000), "applied");
    assert_eq!(day.sent("p", NOON), "applied");
    assert_eq!(day.status(NOON, "p")["customer_ref"], "ana");
    assert_eq!(day.get(NOON, "/saldo/clientes")["items"], json!([]));
    assert_eq!(day.balance(NOON, ""), (0, 0));
}

#[test]
fn cin_50_paid_sending_and_sent_are_distinct() {
    let mut day = Day::trading(NOON, "{}");
    assert_eq!(day.buy("p", NOON, 10_000).status, 200);
    assert_eq!(stands(&mut day, NOON), "pending/pending");
    assert_eq!(day.pix("p", NOON, 10_000), "applied");
    assert_eq!(stands(&mut day, NOON), "paid/pending");
    assert_eq!(day.delivery_reports("p", NOON, "started"), "applied");
    assert_eq!(stands(&mut day, NOON), "paid/sending");
    assert_eq!(day.delivery_reports("p", NOON, "started"), "known");
    assert_eq!(day.sent("p", NOON), "applied");
    assert_eq!(stands(&mut day, NOON), "paid/sent");
    assert_eq!(in_flight(&day), (0, 0));
}

#[test]
fn cin_28_a_purchase_must_be_paid_exactly() {
    for paid in [9_999, 10_001] {
        let mut day = Day::trading(NOON, "{}");
        assert_eq!(day.buy("p", NOON, 10_000).status, 200);
        assert_eq!(day.pix("p", NOON, paid), "set_aside");
        assert_eq!(day.money(Control::SuspensePix), i128::from(paid));
        assert_eq!(stands(&mut day, "2026-10-20T12:15:00Z"), "expired/failed");
    }
}

#[test]
fn cin_51_and_52_above_the_band_the_provider_holds_and_its_release_pays() {
    let mut day = Day::with_ladder(NOON, AT_ONCE);
    day.market(NOON);
    let body = json!({ "id": "rev-1", "payer_tax_number": PAYER, "finding": "identified" });
    assert_eq!(day.report(NOON, "payer.reviewed", &judged(body)), "applied");
    let charge = day.buy("p", NOON, 20_001).body;
    assert_eq!((&charge["held"], &charge["held_hours"]), (&json!(true), &json!(24)));
    assert_eq!(day.pix("p", NOON, 20_001), "applied");
    assert_eq!(stands(&mut day, NOON), "delayed/pending");
    assert_eq!(day.status(NOON, "p")["delay_until"], "2026-10-21T12:00:00Z");
    assert_eq!(in_flight(&day), (20_001, 0));
    assert_eq!(
        day.delivery_reports("p", NOON, "started"),
        "set_aside",
        "nothing is sent before the release"
    );
    assert_eq!(about(&mut day, "provider.released", json!({})), "applied");
    assert_eq!(stands(&mut day, NOON), "paid/sending", "it began, as was reported (rulings 46)");
    assert_eq!(day.sent("p", NOON), "applied");
    assert_eq!(stands(&mut day, NOON), "paid/sent");
}

#[test]
fn cin_58_a_pix_under_review_is_settled_held_or_returned_and_never_expires() {
    let e2e = "E9040088820261020120000000000001";
    let under_review = || {
        let mut day = Day::trading(NOON, "{}");
        assert_eq!(day.buy("p", NOON, 10_000).status, 200);
        assert_eq!(seen(&mut day, "pix.seen", e2e), "applied");
        assert_eq!(stands(&mut day, "2026-10-20T12:20:00Z"), "under_review/pending");
        assert_eq!(in_flight(&day), (10_000, 0));
        day
    };
    let mut day = under_review();
    assert_eq!(about(&mut day, "provider.settled", json!({})), "applied");
    assert_eq!(stands(&mut day, NOON), "paid/pending");
    assert_eq!(seen(&mut day, "pix.received", e2e), "known", "the same PIX");
    let mut day = under_review();
    assert_eq!(seen(&mut day, "pix.received", e2e), "applied", "its settlement");
    assert_eq!(stands(&mut day, NOON), "paid/pending");
    let mut day = under_review();
    let until = "2026-10-21T09:00:00Z";
    assert_eq!(about(&mut day, "provider.held", json!({ "until": until })), "applied");
    assert_eq!(stands(&mut day, NOON), "delayed/pending");
    assert_eq!(day.status(NOON, "p")["delay_until"], until);
    let mut day = under_review();
    assert_eq!(day.give_back("p", NOON, 10_000), "applied");
    assert_eq!(stands(&mut day, NOON), "refunded/failed");
    assert_eq!((in_flight(&day).0, day.money(Control::ProviderPix)), (0, 0));
}

#[test]
fn cin_56_a_failed_send_is_retried_and_bought_once() {
    let mut day = bought();
    assert_eq!(day.delivery_reports("p", NOON, "started"), "applied");
    assert_eq!(day.delivery_reports("p", NOON, "failed"), "applied");
    assert_eq!(stands(&mut day, NOON), "paid/sending", "in progress");
    assert_eq!(day.delivery_reports("p", NOON, "failed"), "known");
    assert_eq!(day.delivery_reports("p", NOON, "started"), "applied");
    let of = |attempt: u32| json!({ "attempt": attempt });
    let late = day.delivery("$p.cashin_id", NOON, "failed", of(1));
    assert_eq!(late["outcome"], "known", "late news of the attempt that is over");
    let ahead = day.delivery("$p.cashin_id", NOON, "failed", of(4));
    assert_eq!(ahead["outcome"], "set_aside", "news of one that never began");
    assert_eq!(in_flight(&day), (530, 17_537_037));
    assert_eq!(day.sent("p", NOON), "applied");
    assert_eq!(day.coins("usdt", "treas"), 17_537_037);
}

#[test]
fn cin_59_and_60_entregando_and_incerto() {
    let mut day = bought();
    assert_eq!(day.delivery_reports("p", NOON, "accepted"), "applied", "it implies that it began");
    assert_eq!(stands(&mut day, NOON), "paid/entregando");
    assert_eq!(day.delivery_reports("p", NOON, "unknown"), "applied");
    assert_eq!(stands(&mut day, NOON), "paid/incerto");
    assert_eq!(stands(&mut day, "2026-10-22T12:00:00Z"), "paid/incerto", "time ends nothing");
    let found = |outcome: &str| judged(json!({ "outcome": outcome, "tx_hash": "0xf" }));
    let answer = day.delivery("$p.cashin_id", NOON, "evidence", found("not_sent"));
    assert_eq!(answer["outcome"], "applied");
    assert_eq!(stands(&mut day, NOON), "paid/sending");
    assert_eq!(day.delivery_reports("p", NOON, "started"), "applied");
    assert_eq!(day.delivery_reports("p", NOON, "unknown"), "applied");
    let answer = day.delivery("$p.cashin_id", NOON, "evidence", found("sent"));
    assert_eq!(answer["outcome"], "applied");
    assert_eq!(stands(&mut day, NOON), "paid/sent");
    assert_eq!(day.status(NOON, "p")["settlement_tx_hash"], "0xf");
}

#[test]
fn rulings_8_that_it_was_sent_implies_that_it_was_paid() {
    let e2e = "E9040088820261020120000000000002";
    let mut day = Day::trading(NOON, "{}");
    assert_eq!(day.buy("p", NOON, 10_000).status, 200);
    let body = json!({ "tx_hash": "0xp", "e2e": e2e, "amount_cents": 10_000 });
    assert_eq!(day.delivery("$p.cashin_id", NOON, "sent", body)["outcome"], "applied");
    assert_eq!(stands(&mut day, NOON), "paid/sent");
    assert_eq!(seen(&mut day, "pix.received", e2e), "known");
    assert_eq!(day.money(Control::ProviderPix), 10_000);
}

#[test]
fn rulings_2_crypto_sent_without_reason_is_a_claim_until_it_ends() {
    for (outcome, account) in [("recovered", "treas"), ("lost", "exp.loss")] {
        let mut day = bought();
        assert_eq!(day.sent("p", NOON), "applied");
        let body = json!({ "tx_hash": "0xsecond" });
        let second = day.delivery("$p.cashin_id", NOON, "sent", body);
        assert_eq!(second["outcome"], "set_aside");
        assert_eq!(day.coins("usdt", "recv.prov"), -17_537_037);
        let before = day.coins("usdt", account);
        let erroneous_delivery = second["stray_id"].as_str().unwrap();
        let body =
            judged(json!({ "id": "st-1", "stray_id": erroneous_delivery, "outcome": outcome }));
        assert_eq!(day.report(NOON, "stray.settled", &body), "applied");
        assert_eq!(day.coins("usdt", "recv.prov"), 0);
        assert_eq!(day.coins("usdt", account), before - 17_537_037);
        assert_eq!(stands(&mut day, NOON), "paid/sent");
    }
}

#[test]
fn fee_34_what_was_agreed_is_not_changed_by_new_terms() {
    let mut day = bought();
    let dearer = json!({
        "admin_fee_bps": 500, "partner_fee_bps": 0, "admin_fee_fixed_cents": 0,
    });
    assert_eq!(day.agree(NOON, dearer), "applied");
    assert_eq!(day.price(NOON, "usdt", "6.00"), "applied");
    assert_eq!(day.sent("p", NOON), "applied");
    assert_eq!(day.money(Control::PurchaseIncome), 430);
    assert_eq!(day.money(Control::Commission), 100);
    assert_eq!(day.coins("usdt", "treas"), 17_537_037, "at the price it was quoted");
}

#[test]
fn cin_72_a_pix_reported_twice_pays_once() {
    let mut day = Day::trading(NOON, "{}");
    assert_eq!(day.buy("p", NOON, 10_000).status, 200);
    let e2e = "E9040088820261020120000000000003";
    assert_eq!(seen(&mut day, "pix.received", e2e), "applied");
    assert_eq!(seen(&mut day, "pix.received", e2e), "known");
    assert_eq!(day.pix("p", NOON, 10_000), "set_aside", "a second PIX (P:SecondPix)");
    assert_eq!(day.money(Control::SuspensePix), 10_000);
}
