//! News of payments from the wallet that contradicts the books: rulings 1, 2 and 8; Part A13;
//! AGT-20.

use ledger_core::accounting::Control;
use ledger_core::id::Seq;
use ledger_core::ledger::Archive;
use serde_json::{Value, json};

use crate::day::Day;
use crate::selling::arrival;
use crate::wallet_payments::{
    failed_after_send, paid, purse, reserved, resolve, sending, sent, stands, step,
};

const NOON: &str = "2026-11-20T12:00:00Z";

fn claims(day: &Day) -> [i128; 2] {
    [Control::ProviderClaim, Control::SaleIncome].map(|control| day.money(control))
}

fn order_of(day: &mut Day) -> Value {
    let order = day.payment("p", NOON)["cashout_id"].as_str().unwrap().to_owned();
    day.get(NOON, &format!("/cash-outs/{order}"))
}

#[test]
fn a_pix_paid_for_a_payment_that_failed_is_a_claim_on_the_provider() {
    let mut day = reserved();
    assert_eq!(day.payment_reports("p", NOON, "failed", json!({})), "applied");
    assert_eq!(day.payment_reports("p", NOON, "paid", paid("4100")), "set_aside");
    assert_eq!(claims(&day), [10_000, 0]);
    assert_eq!(day.payment_reports("p", NOON, "paid", paid("4100")), "known");
    assert_eq!(purse(&mut day), ["100.000000", "0.000000"]);
}

#[test]
fn a_second_pix_for_a_payment_is_a_claim_on_the_provider_whoever_tells_of_it() {
    let mut day = sent();
    assert_eq!(day.payment_reports("p", NOON, "paid", paid("4101")), "applied");
    assert_eq!(day.payment_reports("p", NOON, "paid", paid("4102")), "set_aside");
    assert_eq!(claims(&day), [10_000, 35]);
    assert_eq!(resolve(&mut day, "consume_paid", paid("4103")), "set_aside");
    assert_eq!(claims(&day), [20_000, 35]);
    let order = day.payment("p", NOON)["cashout_id"].clone();
    let mut report = paid("4104");
    report["cashout_id"] = order;
    assert_eq!(day.report(NOON, "cashout.paid", &report), "set_aside");
    assert_eq!(claims(&day), [30_000, 35]);
}

/// Crypto claimed of whoever received it, and our own stock with what is on its way.
fn sent_away(day: &Day) -> [i128; 3] {
    ["recv.prov", "transit", "treas"].map(|account| -day.coins("usdt", account))
}

fn report_sent(day: &mut Day, hash: &str) -> String {
    day.payment_reports("p", NOON, "sent", json!({ "tx_hash": hash }))
}

#[test]
fn a_second_transaction_for_a_payment_is_a_claim_and_leaves_its_reserve_alone() {
    // Rulings 1 and 2: coins left twice, or the first was reported wrongly; a person finds out.
    for stage in ["sent", "review", "failed", "completed"] {
        let mut day = sent();
        let before = sent_away(&day);
        match stage {
            "review" => assert_eq!(day.payment_reports("p", NOON, "unknown", json!({})), "applied"),
            "failed" => assert_eq!(day.payment_reports("p", NOON, "failed", json!({})), "applied"),
            "completed" => {
                assert_eq!(day.payment_reports("p", NOON, "paid", paid("4120")), "applied");
            }
            _ => {}
        }
        let (purse_before, left) = (purse(&mut day), sent_away(&day));
        assert_eq!(report_sent(&mut day, "0xf2"), "set_aside", "{stage}");
        let cost = before[1];
        assert_eq!(sent_away(&day)[0], cost, "what the order costs is claimed: {stage}");
        assert_eq!(sent_away(&day)[2], left[2] - cost);
        assert_eq!(purse(&mut day), purse_before, "{stage}");
        assert_eq!(report_sent(&mut day, "0xf2"), "known", "one transaction is one claim");
        assert_eq!(resolve(&mut day, "sent", json!({ "tx_hash": "0xf2" })), "known");
        assert_eq!(resolve(&mut day, "sent", json!({ "tx_hash": "0xf3" })), "set_aside");
        assert_eq!(sent_away(&day)[0], 2 * cost);
    }
}

#[test]
fn what_left_below_the_cost_is_a_claim_of_just_that_and_the_payment_goes_on() {
    let mut day = sending();
    let stock = sent_away(&day);
    let short = json!({ "tx_hash": "0xf1", "amount": "1.5" });
    assert_eq!(day.payment_reports("p", NOON, "sent", short.clone()), "set_aside");
    assert_eq!(sent_away(&day), [1_500_000, 0, stock[2] - 1_500_000]);
    assert_eq!(day.payment_reports("p", NOON, "sent", short), "known");
    assert_eq!(stands(&mut day), "sacando");
    // It was reported wrongly: reported again in full, the claim ends and the payment is sent.
    assert_eq!(report_sent(&mut day, "0xf1"), "applied");
    let [claimed, transit, treasury] = sent_away(&day);
    assert_eq!((claimed, transit + treasury), (0, stock[2]));
    assert_eq!(stands(&mut day), "enviado");
}

#[test]
fn what_left_for_a_payment_that_nothing_should_have_left_for_is_a_claim() {
    // Before there is an order it is what was estimated; reported with its amount, it is that.
    let mut day = reserved();
    assert_eq!(report_sent(&mut day, "0xf1"), "set_aside");
    let claimed = sent_away(&day)[0];
    assert!(0 < claimed && stands(&mut day) == "reservado");
    // While it is claimed, nobody says that nothing left.
    assert_eq!(day.payment_reports("p", NOON, "failed", json!({})), "set_aside");
    assert_eq!(stands(&mut day), "reservado");
    // A payment that failed before has given its reserve back.
    let mut day = reserved();
    assert_eq!(day.payment_reports("p", NOON, "failed", json!({})), "applied");
    let report = json!({ "tx_hash": "0xf2", "amount": "3" });
    assert_eq!(day.payment_reports("p", NOON, "sent", report), "set_aside");
    assert_eq!(sent_away(&day)[0], 3_000_000);
    assert_eq!(purse(&mut day), ["100.000000", "0.000000"], "the reserve went back");
}

#[test]
fn that_it_was_sent_is_evidence_of_itself_for_a_payment_under_review() {
    let mut day = sending();
    assert_eq!(day.payment_reports("p", NOON, "unknown", json!({})), "applied");
    assert_eq!(report_sent(&mut day, "0xf1"), "applied");
    assert_eq!(stands(&mut day), "enviado");
    assert_eq!(sent_away(&day)[0], 0);
}

#[test]
fn coins_that_were_our_loss_and_arrive_after_all_take_the_loss_back() {
    for evidence in ["confirmed", "found"] {
        let mut day = failed_after_send();
        let stock: i128 = sent_away(&day)[1..].iter().sum();
        assert_eq!(resolve(&mut day, "return", json!({ "coins_lost": true })), "applied");
        assert!(day.coins("usdt", "exp.loss") < 0);
        let mut report = || match evidence {
            "found" => resolve(&mut day, "sent", json!({ "tx_hash": "0xf1" })),
            report => day.payment_reports("p", NOON, report, json!({})),
        };
        assert_eq!([report(), report()], ["applied", "known"], "{evidence}");
        assert_eq!(day.coins("usdt", "exp.loss"), 0);
        assert_eq!(sent_away(&day), [0, 0, stock]);
        assert_eq!(purse(&mut day), ["100.000000", "0.000000"]);
    }
}

#[test]
fn coins_that_were_the_clients_loss_and_are_found_wait_for_whom_they_go_to() {
    for arrived in [false, true] {
        let mut day = failed_after_send();
        if arrived {
            assert_eq!(day.payment_reports("p", NOON, "confirmed", json!({})), "applied");
        }
        let stock: i128 = sent_away(&day)[1..].iter().sum();
        assert_eq!(resolve(&mut day, "consume_lost", json!({})), "applied");
        let [left, _] = purse(&mut day);
        let found = json!({ "tx_hash": "0xf1" });
        assert_eq!(resolve(&mut day, "sent", found.clone()), "applied");
        assert_eq!(resolve(&mut day, "sent", found), "known");
        assert_eq!(day.payment_reports("p", NOON, "confirmed", json!({})), "known");
        let cost = day.coins("usdt", "susp.crypto");
        assert!(0 < cost && sent_away(&day) == [0, 0, stock], "{arrived}");
        assert_eq!(purse(&mut day)[0], left, "a person decides whose they are");
        // Reported as coins that came for a wallet, they are the same coins.
        let seen = json!({ "tx_hash": "0xf1", "asset": "USDT", "network": "polygon",
                           "amount": "18.768519" });
        let again = day.report_as("f", NOON, "wallet.deposit.seen", &seen);
        assert_eq!(again["outcome"], "known");
        let lojas = json!({ "outcome": "cleared", "account": "loja" });
        assert_eq!(day.judged_usdt("f", NOON, lojas), "applied");
        assert_eq!(day.coins("usdt", "susp.crypto"), 0);
        assert_eq!(purse(&mut day), ["99.900000", "0.000000"], "the network's fee is gone");
    }
}

#[test]
fn a_pix_reported_before_a_reserve_is_decided_on_is_the_one_it_is_consumed_with() {
    for by_order in [false, true] {
        for arrived in [false, true] {
            let mut day = failed_after_send();
            if arrived {
                assert_eq!(day.payment_reports("p", NOON, "confirmed", json!({})), "applied");
            }
            let outcome = if by_order {
                let mut report = paid("4130");
                report["cashout_id"] = day.payment("p", NOON)["cashout_id"].clone();
                day.report(NOON, "cashout.paid", &report)
            } else {
                day.payment_reports("p", NOON, "paid", paid("4130"))
            };
            assert_eq!((outcome.as_str(), claims(&day)), ("set_aside", [10_000, 0]));
            assert_eq!(resolve(&mut day, "consume_paid", paid("4130")), "applied");
            assert_eq!(claims(&day), [0, 35], "the claim ended with it");
            assert_eq!(day.coins("usdt", "transit"), 0);
            assert_eq!(order_of(&mut day)["state"], "COMPLETED");
            assert_eq!(resolve(&mut day, "consume_paid", paid("4130")), "set_aside", "once");
            assert_eq!(day.payment_reports("p", NOON, "paid", paid("4130")), "known");
            assert_eq!(claims(&day), [0, 35]);
            let answer = day.line(
                &json!({ "at": NOON, "request": format!("GET /v1/verificar/{}",
                         paid("4130")["e2e"].as_str().unwrap()) })
                .to_string(),
            );
            assert_eq!(
                (&answer.body["verificado"], &answer.body["pago"]),
                (&json!(true), &json!(true))
            );
        }
    }
}

#[test]
fn rulings_46_a_pix_reported_paid_before_its_send_ends_its_payment_with_the_send() {
    for doubted in [false, true] {
        let mut day = sending();
        if doubted {
            assert_eq!(day.payment_reports("p", NOON, "unknown", json!({})), "applied");
        }
        assert_eq!(day.payment_reports("p", NOON, "paid", paid("4131")), "set_aside");
        assert_eq!(claims(&day), [10_000, 0]);
        let asked = day.instructions().len();
        assert_eq!(day.payment_reports("p", NOON, "sent", json!({ "tx_hash": "0xf1" })), "applied");
        assert_eq!((stands(&mut day).as_str(), claims(&day)), ("concluido", [0, 35]));
        assert_eq!(day.payment_reports("p", NOON, "confirmed", json!({})), "known");
        assert_eq!(day.instructions().len(), asked, "nobody is asked to pay it again");
        assert_eq!(day.payment_reports("p", NOON, "paid", paid("4131")), "known");
        assert_eq!(claims(&day), [0, 35]);
    }
}

#[test]
fn rulings_46_coins_that_left_before_the_order_was_accepted_fund_it() {
    let mut day = reserved();
    let sent = json!({ "tx_hash": "0xf1" });
    assert_eq!(day.payment_reports("p", NOON, "sent", sent.clone()), "set_aside");
    assert!(day.coins("usdt", "recv.prov") < 0, "a claim on whoever received them");
    let accepted = json!({ "step": "accepted", "address": "addr-1" });
    assert_eq!(day.payment_reports("p", NOON, "started", accepted), "applied");
    assert_eq!(day.coins("usdt", "recv.prov"), 0);
    assert_eq!(day.payment_reports("p", NOON, "sent", sent), "known");
    assert_eq!(day.payment_reports("p", NOON, "confirmed", json!({})), "applied");
    assert_eq!(day.payment_reports("p", NOON, "paid", paid("4133")), "applied");
    assert_eq!((stands(&mut day).as_str(), claims(&day)), ("concluido", [0, 35]));
}

#[test]
fn a_pix_that_a_person_found_paid_ends_a_payment_that_nobody_doubted() {
    for outcome in ["paid", "consume_paid"] {
        let mut day = sent();
        assert_eq!(resolve(&mut day, outcome, paid("4134")), "applied");
        let asked = day.instructions().len();
        assert_eq!(day.payment_reports("p", NOON, "confirmed", json!({})), "known");
        assert_eq!(day.instructions().len(), asked, "{outcome}: nobody is asked to pay it again");
        assert_eq!((stands(&mut day).as_str(), claims(&day)), ("concluido", [0, 35]));
    }
}

#[test]
fn a_pix_that_was_another_claim_consumes_no_reserve() {
    let mut day = failed_after_send();
    let order = day.payment("p", NOON)["cashout_id"].clone();
    let mut report = paid("4132");
    report["cashout_id"] = order;
    report["amount_cents"] = 9_999.into();
    assert_eq!(day.report(NOON, "cashout.paid", &report), "set_aside", "of another amount");
    assert_eq!(resolve(&mut day, "consume_paid", paid("4132")), "set_aside");
    assert_eq!((claims(&day), stands(&mut day).as_str()), ([9_999, 0], "falhou_apos_envio"));
}

#[test]
fn that_its_pix_was_paid_ends_a_payment_under_review() {
    let mut day = sent();
    assert_eq!(day.payment_reports("p", NOON, "unknown", json!({})), "applied");
    assert_eq!(day.payment_reports("p", NOON, "paid", paid("4105")), "applied");
    assert_eq!(stands(&mut day), "concluido");
    assert_eq!(claims(&day), [0, 35]);
}

#[test]
fn nobody_is_asked_for_the_pix_of_a_payment_that_failed() {
    let mut day = failed_after_send();
    let asked = day.instructions().len();
    assert_eq!(day.payment_reports("p", NOON, "confirmed", json!({})), "applied");
    assert_eq!(day.instructions().len(), asked);
    assert_eq!(order_of(&mut day)["state"], "MANUAL_REVIEW");
    assert_eq!(resolve(&mut day, "consume_paid", paid("4106")), "applied");
    assert_eq!(order_of(&mut day)["state"], "COMPLETED");
}

#[test]
fn a_deposit_reported_for_an_order_that_the_wallet_pays_is_set_aside_and_moves_nothing() {
    // What funds a payment is reported by the payment, of the very transaction too.
    let mut day = sending();
    let before = (order_of(&mut day), sent_away(&day), day.coins("usdt", "susp.crypto"));
    let mut report = arrival("0xf1", ("usdt", "polygon"), "18.768519");
    report["cashout_id"] = day.payment("p", NOON)["cashout_id"].clone();
    assert_eq!(day.report(NOON, "deposit.seen", &report), "set_aside");
    assert_eq!(day.report(NOON, "deposit.confirmed", &report), "set_aside");
    assert_eq!((order_of(&mut day), sent_away(&day), day.coins("usdt", "susp.crypto")), before);
    assert_eq!(day.payment_reports("p", NOON, "sent", json!({ "tx_hash": "0xf1" })), "applied");
}

#[test]
fn an_acceptance_after_the_payment_failed_for_its_cost_is_set_aside() {
    let mut day = reserved();
    assert_eq!(day.price(NOON, "usdt", "5.34"), "applied");
    assert_eq!(step(&mut day, "order_created"), "applied");
    assert_eq!(stands(&mut day), "falhou");
    assert_eq!(step(&mut day, "accepted"), "set_aside");
}

#[test]
fn agt_20_a_payment_from_the_wallet_settles_what_it_pays_once() {
    let settled = |day: &Day| {
        let state = &day.sequencer().ledger().state;
        let archive = &day.sequencer().ledger().archive;
        let records = (1..=state.seq.0).filter_map(|seq| archive.record(Seq(seq)));
        let events = records.flat_map(|record| record.events);
        events.filter_map(|event| event.settlement()).map(|(_, amount)| amount.cents()).sum::<i64>()
    };
    let mut day = sent();
    assert_eq!(settled(&day), 0);
    assert_eq!(day.payment_reports("p", NOON, "paid", paid("4107")), "applied");
    assert_eq!(settled(&day), 10_000);
    let mut day = failed_after_send();
    assert_eq!(resolve(&mut day, "consume_paid", paid("4108")), "applied");
    assert_eq!(settled(&day), 10_000, "what was found paid settles too");
    let mut day = failed_after_send();
    assert_eq!(resolve(&mut day, "consume_lost", json!({})), "applied");
    assert_eq!(settled(&day), 0, "what was lost settles nothing");
}
