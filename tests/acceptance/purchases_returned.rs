//! Purchases that come to nothing: given up, returned before or after the delivery (Part A1 and A2;
//! CIN-54, CIN-61, CIN-65, CIN-66; rulings 8, 28, 36).

use ledger_core::accounting::Control;
use serde_json::json;

use crate::day::{Day, judged};
use crate::market::purchase;

const NOON: &str = "2026-10-20T12:00:00Z";

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

#[test]
fn rulings_36_a_delivery_is_given_up_before_it_is_sent_or_after_a_definite_failure_only() {
    let all: [(&[&str], &str); 5] = [
        (&[], "applied"),
        (&["started"], "set_aside"),
        (&["accepted"], "set_aside"),
        (&["unknown"], "set_aside"),
        (&["started", "failed"], "applied"),
    ];
    for (report, outcome) in all {
        for to in ["pagador", "saldo"] {
            let mut day = bought();
            for name in report {
                assert_eq!(day.delivery_reports("p", NOON, name), "applied");
            }
            assert_eq!(day.give_up("p", NOON, to), outcome, "{report:?}");
            if outcome == "applied" {
                assert_eq!(in_flight(&day), (0, 0), "{report:?}");
                assert_eq!(day.money(Control::Fx), 0, "nothing was bought after all");
                let status = if to == "pagador" { "refunded/failed" } else { "paid/failed" };
                assert_eq!(stands(&mut day, NOON), status);
                let house = if to == "pagador" { 0 } else { 10_000 };
                assert_eq!(day.balance(NOON, ""), (house, 0));
                let again = if to == "pagador" { "set_aside" } else { "known" };
                assert_eq!(day.give_up("p", NOON, to), again, "another return is another");
                let other = if to == "pagador" { "saldo" } else { "pagador" };
                assert_eq!(day.give_up("p", NOON, other), "set_aside");
            }
        }
    }
}

#[test]
fn rulings_36_a_delivery_given_up_to_custody_is_the_customers() {
    let mut day = Day::trading(NOON, "{}");
    let mut body = purchase(10_000);
    body["customer_ref"] = "ana".into();
    assert_eq!(day.ask_as("p", NOON, "POST /cashin/charge", body).status, 200);
    assert_eq!(day.pix("p", NOON, 10_000), "applied");
    assert_eq!(day.give_up("p", NOON, "saldo"), "applied");
    assert_eq!(day.balance(NOON, "ana"), (10_000, 0), "without a fee: nothing was done");
    assert_eq!(day.give_back("p", NOON, 10_000), "applied", "and disputed after all");
    assert_eq!(day.balance(NOON, "ana"), (0, 0));
    assert_eq!(stands(&mut day, NOON), "refunded/failed");
}

#[test]
fn rulings_8_the_providers_news_of_our_own_return_is_known() {
    let mut day = bought();
    let return_id = day.outside_id();
    let body = judged(json!({ "to": "pagador", "return_id": return_id }));
    assert_eq!(day.delivery("$p.cashin_id", NOON, "given_up", body)["outcome"], "applied");
    let report = json!({
        "cashin_id": "$p.cashin_id", "return_id": return_id, "amount_cents": 10_000,
    });
    assert_eq!(day.report(NOON, "pix.returned", &report), "known");
    let less = json!({
        "cashin_id": "$p.cashin_id", "return_id": return_id, "amount_cents": 9_000,
    });
    let answer = day.report_as("", NOON, "pix.returned", &less);
    assert_eq!(answer["campos_divergentes"], json!(["amount_cents"]));
    assert_eq!(day.money(Control::ProviderPix), 0);
}

#[test]
fn cin_54_a_return_before_the_delivery_stops_it() {
    for report in [&[][..], &["started", "failed"]] {
        let mut day = bought();
        for name in report {
            assert_eq!(day.delivery_reports("p", NOON, name), "applied");
        }
        assert_eq!(day.give_back("p", NOON, 10_000), "applied");
        assert_eq!(stands(&mut day, NOON), "refunded/failed");
        assert_eq!((in_flight(&day), day.money(Control::ProviderPix)), ((0, 0), 0));
        assert_eq!(day.delivery_reports("p", NOON, "started"), "set_aside");
        assert_eq!(day.sent("p", NOON), "set_aside", "a claim on whoever got it");
        assert_eq!(day.coins("usdt", "recv.prov"), -17_537_037);
    }
}

#[test]
fn rulings_28_a_partial_return_before_the_delivery_halts_it_and_an_operator_ends_it() {
    for to in ["pagador", "saldo"] {
        let mut day = bought();
        assert_eq!(day.give_back("p", NOON, 4_000), "applied");
        assert_eq!(stands(&mut day, NOON), "paid/pending");
        assert_eq!(day.status(NOON, "p")["returned_cents"], 4_000);
        assert_eq!(day.delivery_reports("p", NOON, "started"), "set_aside", "the send is stopped");
        assert_eq!(day.give_back("p", NOON, 6_001), "set_aside", "more than was paid");
        assert_eq!(day.give_up("p", NOON, to), "applied");
        let house = if to == "pagador" { 0 } else { 6_000 };
        assert_eq!(day.balance(NOON, ""), (house, 0));
        assert_eq!(in_flight(&day), (0, 0));
    }
}

#[test]
fn rulings_28_a_return_while_the_outcome_is_unknown_is_set_aside() {
    for report in ["started", "accepted", "unknown"] {
        let mut day = bought();
        assert_eq!(day.delivery_reports("p", NOON, report), "applied");
        let before = in_flight(&day);
        assert_eq!(day.give_back("p", NOON, 10_000), "set_aside", "{report}");
        assert_eq!((in_flight(&day), day.balance(NOON, "")), (before, (0, 0)));
        assert_eq!(day.money(Control::ProviderPix), 0, "the money is gone");
        assert_eq!(day.money(Control::ProviderClaim), 10_000, "and somebody owes it");
    }
}

#[test]
fn rulings_45_a_return_set_aside_is_settled_by_evidence_and_nothing_is_sent_for_it() {
    let mut day = bought();
    assert_eq!(day.delivery_reports("p", NOON, "started"), "applied");
    assert_eq!(day.delivery_reports("p", NOON, "unknown"), "applied");
    assert_eq!(day.give_back("p", NOON, 10_000), "set_aside");
    let evidence = json!({ "id": "e-1", "cashin_id": "$p.cashin_id", "outcome": "not_sent" });
    assert_eq!(day.report(NOON, "delivery.evidence", &judged(evidence)), "applied");
    assert_eq!(stands(&mut day, NOON), "refunded/failed");
    assert_eq!((in_flight(&day), day.money(Control::ProviderPix)), ((0, 0), 0));
    assert_eq!(day.money(Control::ProviderClaim), 0, "suspense has found its reason");
}

#[test]
fn rulings_45_what_is_left_of_a_purchase_is_delivered_by_a_persons_decision() {
    let mut day = bought();
    assert_eq!(day.delivery_reports("p", NOON, "started"), "applied");
    assert_eq!(day.give_back("p", NOON, 4_000), "set_aside");
    assert_eq!(day.delivery_reports("p", NOON, "failed"), "applied");
    assert_eq!(day.delivery_reports("p", NOON, "started"), "set_aside", "nothing begins by itself");
    let resumed = json!({ "id": "r-1", "cashin_id": "$p.cashin_id" });
    assert_eq!(day.report(NOON, "delivery.resumed", &judged(resumed)), "applied");
    // Fees of 5.30 on 100.00 are 3.18 on 60.00, and 56.82 buy 10.522222.
    assert_eq!(day.status(NOON, "p")["amount"], "10.522222");
    assert_eq!(day.sent("p", NOON), "applied");
    assert_eq!(stands(&mut day, NOON), "paid/sent");
    assert_eq!((in_flight(&day), day.money(Control::PurchaseIncome)), ((0, 0), 258));
}

#[test]
fn rulings_45_nothing_is_tried_again_while_crypto_sent_for_it_is_a_claim() {
    for failed_before in [true, false] {
        let mut day = bought();
        let resume = |id: &str| judged(json!({ "id": id, "cashin_id": "$p.cashin_id" }));
        assert_eq!(day.delivery_reports("p", NOON, "started"), "applied");
        assert_eq!(day.give_back("p", NOON, 4_000), "set_aside");
        assert_eq!(day.delivery_reports("p", NOON, "failed"), "applied");
        assert_eq!(day.report(NOON, "delivery.resumed", &resume("r-1")), "applied");
        assert_eq!(day.delivery_reports("p", NOON, "started"), "applied", "attempt 2");
        if failed_before {
            assert_eq!(day.delivery_reports("p", NOON, "failed"), "applied");
        }
        // Attempt 1 sent the whole after all, where three fifths of it were owed.
        let late = json!({ "attempt": 1, "tx_hash": "0xfirst" });
        let late = day.delivery("$p.cashin_id", NOON, "sent", late);
        assert_eq!(late["outcome"], "set_aside");
        if !failed_before {
            assert_eq!(day.delivery_reports("p", NOON, "failed"), "applied");
        }
        let sent = |day: &Day| {
            let asked = day.instructions().iter();
            asked.filter(|it| it["instruction"] == "crypto.deliver").count()
        };
        let before = sent(&day);
        assert!(before >= 2, "{:?}", day.instructions());
        assert_eq!(
            day.delivery_reports("p", NOON, "started"),
            "set_aside",
            "nothing begins by itself"
        );
        assert_eq!(day.report(NOON, "delivery.resumed", &resume("r-2")), "set_aside");
        assert_eq!(day.give_up("p", NOON, "saldo"), "set_aside", "the buyer has the crypto");
        assert_eq!(sent(&day), before, "three fifths are not sent beside the whole");
        let erroneous_delivery = late["stray_id"].as_str().unwrap();
        let body =
            judged(json!({ "id": "st-1", "stray_id": erroneous_delivery, "outcome": "recovered" }));
        assert_eq!(day.report(NOON, "stray.settled", &body), "applied");
        assert_eq!(day.report(NOON, "delivery.resumed", &resume("r-3")), "applied");
        assert_eq!(sent(&day), before + 1);
    }
}

#[test]
fn rulings_46_a_pix_returned_before_it_was_paid_is_never_spendable() {
    let mut day = Day::trading(NOON, PARTNER);
    assert_eq!(day.charge("d", NOON, "ana", 10_000).status, 200);
    assert_eq!(day.give_back("d", NOON, 4_000), "set_aside");
    assert_eq!(day.pix("d", NOON, 10_000), "applied");
    assert_eq!(day.balance(NOON, "ana"), (5_900, 0), "what is left, less the fee");
    assert_eq!(day.charge("w", NOON, "bia", 10_000).status, 200);
    assert_eq!(day.give_back("w", NOON, 10_000), "set_aside");
    assert_eq!(day.pix("w", NOON, 10_000), "applied");
    assert_eq!(day.stands(NOON, "w").0, "refunded");
    assert_eq!((day.balance(NOON, "bia"), day.money(Control::ProviderClaim)), ((0, 0), 0));
}

#[test]
fn rulings_28_after_delivery_the_house_bears_the_net_and_the_rest_reverses_fees() {
    let mut day = bought();
    assert_eq!(day.sent("p", NOON), "applied");
    let books = |day: &mut Day| {
        (
            day.balance(NOON, "").0,
            day.money(Control::PurchaseIncome),
            day.money(Control::Commission),
        )
    };
    assert_eq!(books(&mut day), (0, 430, 100));
    assert_eq!(day.give_back("p", NOON, 6_000), "applied");
    assert_eq!(books(&mut day), (-6_000, 430, 100));
    assert_eq!(stands(&mut day, NOON), "paid/sent");
    assert_eq!(day.status(NOON, "p")["returned_cents"], 6_000);
    // 3,470 more are net; of the next 265, the partner's part is 50.
    assert_eq!(day.give_back("p", NOON, 3_735), "applied");
    assert_eq!(books(&mut day), (-9_470, 215, 50));
    assert_eq!(day.give_back("p", NOON, 266), "set_aside", "more than was paid");
    assert_eq!(day.give_back("p", NOON, 265), "applied");
    assert_eq!(books(&mut day), (-9_470, 0, 0));
    assert_eq!(stands(&mut day, NOON), "refunded/sent");
    assert_eq!(day.status(NOON, "p").get("returned_cents"), None);
    let rows = day.values(NOON, "");
    assert_eq!(rows, [-6_000, -3_735, 265, -265, 265]);
}

#[test]
fn rulings_36_nobody_who_may_have_the_crypto_gets_its_price_back() {
    for to in ["pagador", "saldo"] {
        let mut day = bought();
        for name in ["started", "failed"] {
            assert_eq!(day.delivery_reports("p", NOON, name), "applied");
        }
        assert_eq!(day.give_back("p", NOON, 4_000), "applied");
        assert_eq!(day.sent("p", NOON), "set_aside", "a claim on whoever got it");
        assert_eq!(day.give_up("p", NOON, to), "set_aside");
    }
}

#[test]
fn rulings_8_a_transaction_whose_claim_was_settled_delivers_nothing_besides() {
    for outcome in ["lost", "recovered"] {
        let mut day = Day::trading(NOON, PARTNER);
        assert_eq!(day.buy("p", NOON, 10_000).status, 200);
        let body = json!({ "id": "s-1", "cashin_id": "$p.cashin_id", "tx_hash": "0xp" });
        let claim = day.report_as("claim", NOON, "delivery.sent", &body);
        assert_eq!(claim["outcome"], "set_aside");
        let stray = claim["stray_id"].clone();
        let body = judged(json!({ "id": "e-1", "stray_id": stray, "outcome": outcome }));
        assert_eq!(day.report(NOON, "stray.settled", &body), "applied");
        assert_eq!(day.pix("p", NOON, 10_000), "applied");
        let stock = day.coins("usdt", "treas");
        assert_eq!(day.sent("p", NOON), "known");
        assert_eq!(
            (stands(&mut day, NOON), day.coins("usdt", "treas")),
            ("paid/pending".into(), stock)
        );
    }
}

#[test]
fn rulings_45_evidence_that_the_whole_was_sent_delivers_no_part_that_is_left_of_it() {
    for resumed in [false, true] {
        let mut day = bought();
        for name in ["started", "failed"] {
            assert_eq!(day.delivery_reports("p", NOON, name), "applied");
        }
        assert_eq!(day.give_back("p", NOON, 4_000), "applied");
        if resumed {
            let body = judged(json!({ "id": "r-1", "cashin_id": "$p.cashin_id" }));
            assert_eq!(day.report(NOON, "delivery.resumed", &body), "applied");
        }
        let sent = json!({
            "id": "e-1", "cashin_id": "$p.cashin_id", "outcome": "sent", "tx_hash": "0xfirst",
        });
        let outcome = day.report(NOON, "delivery.evidence", &judged(sent));
        assert_eq!(outcome, "set_aside", "resumed: {resumed}");
        assert_eq!(day.coins("usdt", "recv.prov"), -17_537_037, "a claim on who got the whole");
        assert_eq!((in_flight(&day), day.money(Control::PurchaseIncome)), ((6_000, 0), 0));
        assert_eq!(day.delivery_reports("p", NOON, "started"), "set_aside");
    }
}
