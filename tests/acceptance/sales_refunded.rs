//! Sales that come back: wallets that are missing, strange deposits, keys refused, tokens returned.

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::day::{Day, KEY, judged};
use crate::market::WALLET;
use crate::selling::{LIQUID_WALLET, STANDARD, VOLUME, arrival, of_depix};

const NOON: &str = "2026-10-20T12:00:00Z";
const OTHER: &str = "0x00000000000000000000000000000000000000a1";

/// A sale without a return wallet whose payment cannot be made.
fn walletless(terms: &str) -> Day {
    let mut day = Day::selling(NOON, terms);
    let body = json!({ "brl_amount": "100.00", "pix_key": "ana@exemplo.com.br" });
    assert_eq!(day.sell("v", NOON, ("usdt", "polygon"), body).status, 200);
    day.accept("v", NOON);
    let amount = day.order("v", NOON)["amount"].as_str().unwrap().to_owned();
    let mut deposit = arrival("0xd", ("usdt", "polygon"), &amount);
    deposit["from"] = OTHER.into();
    assert_eq!(day.sale_reports("v", NOON, "deposit.seen", deposit), "applied");
    assert_eq!(
        day.sale_reports("v", NOON, "deposit.confirmed", json!({ "tx_hash": "0xd" })),
        "applied"
    );
    assert_eq!(day.sale_reports("v", NOON, "cashout.pix_impossible", json!({})), "applied");
    day
}

fn address(day: &mut Day, wallet: &str) -> (u16, String) {
    let line = json!({
        "at": NOON, "key": KEY, "request": "POST /cash-outs/$v.cashout_id/refund-address",
        "body": { "refund_address": wallet },
    });
    let answer = day.line(&line.to_string());
    let word = answer.body.get("erro").or(answer.body.get("state"));
    (answer.status, word.unwrap().as_str().unwrap().to_owned())
}

#[test]
fn a_refund_without_a_wallet_waits_for_one_and_never_takes_the_deposits_origin() {
    // COUT-20, COUT-54, COUT-57 to COUT-59.
    let mut day = walletless(STANDARD);
    let order = day.order("v", NOON);
    assert_eq!(order["state"], "AWAITING_REFUND_ADDRESS");
    assert_eq!((&order["deposit_from"], order["refund_address"].is_null()), (&json!(OTHER), true));
    assert!(day.new_events().contains(&"cashout.awaiting_refund_address".to_owned()));
    assert_eq!(
        address(&mut day, "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8").1,
        "refund_address_invalida"
    );
    assert_eq!(address(&mut day, WALLET), (200, "REFUNDING_CRYPTO".to_owned()));
    assert_eq!(address(&mut day, WALLET), (200, "REFUNDING_CRYPTO".to_owned()), "the same again");
    assert_eq!(address(&mut day, OTHER), (409, "refund_address_imutavel".to_owned()));
    assert_eq!(day.sale_reports("v", NOON, "refund.sent", json!({ "tx_hash": "0xr" })), "applied");
    assert_eq!(day.state("v", NOON), "REFUNDED");
}

#[test]
fn an_operator_may_name_the_origin_by_repeating_it_and_nobody_else_may() {
    let mut day = walletless(STANDARD);
    let named = json!({ "refund_address": OTHER });
    let line = json!({ "at": NOON, "fact": "refund.decided", "body": {
        "id": "rd", "cashout_id": "$v.cashout_id", "refund_address": OTHER } });
    assert_eq!(day.line(&line.to_string()).status, 400, "an operator is missing");
    assert_eq!(day.judge("v", NOON, "refund.decided", named), "applied");
    assert_eq!(day.state("v", NOON), "REFUNDING_CRYPTO");
    assert_eq!(day.order("v", NOON)["refund_address"], OTHER);
}

#[test]
fn an_address_is_taken_only_while_one_is_awaited() {
    let mut day = Day::selling(NOON, STANDARD);
    let body = json!({ "brl_amount": "100.00", "pix_key": "ana@exemplo.com.br" });
    day.sell("v", NOON, ("usdt", "polygon"), body);
    assert_eq!(address(&mut day, WALLET), (409, "status_invalido".to_owned()));
}

#[test]
fn an_unknown_refund_waits_for_evidence() {
    let mut day = walletless(STANDARD);
    address(&mut day, WALLET);
    assert_eq!(day.sale_reports("v", NOON, "refund.unknown", json!({})), "applied");
    assert_eq!(day.state("v", NOON), "MANUAL_REVIEW");
    assert_eq!(day.sale_reports("v", NOON, "refund.decided", json!({})), "set_aside", "INV-32");
    assert_eq!(day.sale_reports("v", NOON, "refund.failed", json!({})), "applied");
    assert_eq!(day.state("v", NOON), "REFUNDING_CRYPTO");
    let last = day.instructions().last().unwrap();
    assert_eq!((&last["instruction"], &last["attempt"]), (&json!("crypto.refund"), &json!(2)));
}

#[test]
fn a_strange_token_waits_in_suspense_and_is_cleared_or_rejected() {
    // COUT-43, rulings 33.
    for clear in [true, false] {
        let mut day = Day::selling(NOON, VOLUME);
        day.sold("v", NOON, "100.00");
        day.accept("v", NOON);
        let deposit = arrival("0xd", ("usdc", "polygon"), "18.768519");
        assert_eq!(day.sale_reports("v", NOON, "deposit.seen", deposit), "applied");
        assert_eq!(day.state("v", NOON), "MANUAL_REVIEW");
        assert_eq!(day.coins("usdc", "susp.crypto"), 18_768_519);
        assert_eq!(
            day.judge("v", NOON, "cashout.cleared", json!({})),
            "set_aside",
            "not confirmed"
        );
        assert_eq!(
            day.sale_reports("v", NOON, "deposit.confirmed", json!({ "tx_hash": "0xd" })),
            "applied"
        );
        if clear {
            assert_eq!(day.judge("v", NOON, "cashout.cleared", json!({})), "applied");
            assert_eq!(day.state("v", NOON), "PROCESSING");
            assert_eq!(day.order("v", NOON)["brl_amount"], "100.00");
            assert_eq!(day.sale_paid("v", NOON), "applied");
        } else {
            assert_eq!(day.judge("v", NOON, "refund.decided", json!({})), "applied");
            assert_eq!(day.coins("usdc", "refund"), 18_768_519);
            assert_eq!(
                day.sale_reports("v", NOON, "refund.sent", json!({ "tx_hash": "0xr" })),
                "applied"
            );
        }
        assert_eq!((day.coins("usdc", "susp.crypto"), day.coins("usdc", "transit")), (0, 0));
    }
}

#[test]
fn a_deposit_that_vanishes_leaves_nothing_behind() {
    let mut day = Day::selling(NOON, VOLUME);
    day.sold("v", NOON, "100.00");
    day.accept("v", NOON);
    let deposit = arrival("0xd", ("usdt", "polygon"), "18.768519");
    day.sale_reports("v", NOON, "deposit.seen", deposit);
    assert_eq!(
        day.sale_reports("v", NOON, "deposit.vanished", json!({ "tx_hash": "0xd" })),
        "applied"
    );
    assert_eq!(day.state("v", NOON), "AWAITING_DEPOSIT");
    assert_eq!((day.coins("usdt", "transit"), day.coins("usdt", "dep")), (0, 0));
}

#[test]
fn a_refused_key_is_corrected_by_an_operator_and_the_kept_part_is_our_loss() {
    // COUT-39, rulings 32.
    let mut day = Day::selling(NOON, STANDARD);
    day.selling_now("v", NOON, "100.00");
    day.sale_reports("v", NOON, "cashout.key_refused", json!({ "returned_cents": 9_900 }));
    let key = json!({ "pix_key": "bia@exemplo.com.br" });
    assert_eq!(day.judge("v", NOON, "cashout.cleared", key), "applied");
    assert_eq!(day.state("v", NOON), "PROCESSING");
    assert_eq!(day.order("v", NOON)["pix_key"], "b***@exemplo.com.br");
    assert_eq!((day.money(Control::Loss), day.money(Control::ProviderPay)), (100, -100));
    assert_eq!(day.sale_paid("v", NOON), "applied");
    assert_eq!(day.money(Control::ProviderPay), -10_100);
}

#[test]
fn depix_at_the_provider_is_refunded_only_as_far_as_it_came_back() {
    // COUT-50, A11, rulings 32, INV-31.
    let mut day = Day::selling(NOON, "{}");
    let pair = ("depix", "liquid");
    day.sell("v", NOON, pair, of_depix("100.00"));
    day.accept("v", NOON);
    day.deposited_of("v", NOON, pair, "102.53");
    day.sale_reports("v", NOON, "cashout.token_sent", json!({}));
    assert_eq!(day.sale_reports("v", NOON, "cashout.pix_impossible", json!({})), "applied");
    assert_eq!(day.state("v", NOON), "MANUAL_REVIEW", "until the return is confirmed");
    assert_eq!(day.judge("v", NOON, "refund.decided", json!({})), "set_aside");
    let above = json!({ "amount": "102.53000001" });
    assert_eq!(day.sale_reports("v", NOON, "cashout.token_returned", above), "set_aside");
    let surplus = day.order("v", NOON)["surplus_refunds"].clone();
    assert_eq!(
        (surplus[0]["asset"].clone(), surplus[0]["deposit_tx_hash"].clone()),
        ("depix".into(), Value::Null)
    );
    // More than it was given is nobody's yet, and waits for a person (rulings 1).
    let above = 10_253_000_001;
    assert_eq!(day.coins("depix", "susp.crypto"), above);
    let back = json!({ "amount": "100" });
    assert_eq!(day.sale_reports("v", NOON, "cashout.token_returned", back), "applied");
    assert_eq!(day.state("v", NOON), "AWAITING_REFUND_ADDRESS", "COUT-55");
    assert_eq!(day.coins("depix", "recv.prov"), 0);
    assert_eq!(address(&mut day, LIQUID_WALLET), (200, "REFUNDING".to_owned()));
    assert_eq!(day.sale_reports("v", NOON, "refund.sent", json!({ "tx_hash": "0xr" })), "applied");
    assert_eq!(day.state("v", NOON), "REFUNDED");
    assert_eq!((day.coins("depix", "dep"), day.coins("depix", "treas")), (0, -above));
}

#[test]
fn a_pix_that_contradicts_its_order_is_money_that_left_without_a_reason() {
    let mut day = Day::selling(NOON, STANDARD);
    day.selling_now("v", NOON, "100.00");
    let e2e = day.outside_id();
    let other = json!({ "e2e": e2e, "amount_cents": 9_999 });
    assert_eq!(day.sale_reports("v", NOON, "cashout.paid", other), "set_aside");
    // Nobody is handed another one: a person looks (rulings 45).
    assert_eq!(day.state("v", NOON), "MANUAL_REVIEW");
    assert_eq!(day.money(Control::ProviderClaim), 9_999);
}

#[test]
fn a_failure_told_again_of_an_attempt_that_failed_fails_no_later_one() {
    let mut day = walletless(STANDARD);
    address(&mut day, WALLET);
    let mut failed =
        |attempt: u32| day.sale_reports("v", NOON, "refund.failed", json!({ "attempt": attempt }));
    assert_eq!(failed(2), "set_aside", "it was not asked for yet");
    assert_eq!(
        [failed(1), failed(1), failed(2), failed(1)],
        ["applied", "known", "applied", "known"]
    );
    assert_eq!(day.instructions().last().unwrap()["attempt"], 3);
}

#[test]
fn a_sale_whose_coins_are_lost_for_good_fails_and_sends_nothing() {
    let mut day = walletless(STANDARD);
    let hash = json!({ "tx_hash": "0xd", "cashout_id": "$v.cashout_id" });
    let vanished = |day: &mut Day| day.report_as("", NOON, "deposit.vanished", &hash);
    let settled = |day: &mut Day, claim: &serde_json::Value, outcome: &str| {
        let id = day.outside_id();
        let body = judged(json!({ "id": id, "stray_id": claim, "outcome": outcome }));
        day.report(NOON, "stray.settled", &body)
    };
    // They were there again: that they vanish anew is a new claim.
    let first = vanished(&mut day)["stray_id"].clone();
    assert_eq!(settled(&mut day, &first, "recovered"), "applied");
    let claim = vanished(&mut day)["stray_id"].clone();
    assert!(claim.is_string() && claim != first, "{claim}");
    assert_eq!(vanished(&mut day)["outcome"], "known");
    assert_eq!(settled(&mut day, &claim, "lost"), "applied");
    assert_eq!(day.state("v", NOON), "FAILED");
    assert!(day.new_events().contains(&"cashout.failed".to_owned()));
    // A wallet that its seller names gets nothing of them.
    assert_eq!(address(&mut day, WALLET).0, 409);
    let kept = ["refund", "exp.loss", "recv.prov", "treas"].map(|it| day.coins("usdt", it));
    assert_eq!(kept, [0; 4]);
}

#[test]
fn an_unknown_payment_is_moved_by_evidence_only() {
    // INV-32, P:RetrySchedule: unknown outcomes never count as failures.
    let mut day = Day::selling(NOON, STANDARD);
    day.selling_now("v", NOON, "100.00");
    assert_eq!(day.sale_reports("v", NOON, "cashout.unknown", json!({})), "applied");
    assert_eq!(day.state("v", "2026-10-20T13:00:00Z"), "PROCESSING", "an hour later");
    let later = "2026-10-20T13:00:00Z";
    assert_eq!(day.judge("v", later, "cashout.stopped", json!({})), "applied");
    assert_eq!(day.state("v", later), "MANUAL_REVIEW");
    assert_eq!(day.judge("v", later, "refund.decided", json!({})), "set_aside");
    assert_eq!(day.judge("v", later, "cashout.cleared", json!({})), "set_aside");
    assert_eq!(day.sale_paid("v", later), "applied");
    assert_eq!(day.state("v", later), "COMPLETED");
}

#[test]
fn crypto_for_no_order_is_a_receipt_that_an_operator_sends_back() {
    let mut day = Day::selling(NOON, STANDARD);
    let erroneous_delivery = arrival("0xq", ("usdt", "polygon"), "7");
    let answer = day.report_as("r", NOON, "deposit.seen", &erroneous_delivery);
    assert_eq!(answer["outcome"], "set_aside");
    let id = answer["receipt_id"].clone();
    assert_eq!(day.report(NOON, "deposit.confirmed", &json!({ "tx_hash": "0xq" })), "applied");
    let body = judged(json!({ "id": "rd", "receipt_id": id, "refund_address": WALLET }));
    assert_eq!(day.report(NOON, "refund.decided", &body), "applied");
    let body = json!({ "id": "rs", "receipt_id": id, "tx_hash": "0xr" });
    assert_eq!(day.report(NOON, "refund.sent", &body), "applied");
    assert_eq!((day.coins("usdt", "susp.crypto"), day.coins("usdt", "refund")), (0, 0));
}

#[test]
fn a_route_that_is_lost_fails_an_order_that_holds_nothing() {
    // P:FailedGuard.
    let mut day = Day::selling(NOON, STANDARD);
    day.sold("v", NOON, "100.00");
    assert_eq!(day.sale_reports("v", NOON, "cashout.cancelled", json!({})), "applied");
    assert_eq!(day.state("v", NOON), "FAILED");
    day.selling_now("w", NOON, "100.00");
    assert_eq!(day.sale_reports("w", NOON, "cashout.cancelled", json!({})), "set_aside");
    assert_eq!(day.state("w", NOON), "PROCESSING");
}

#[test]
fn a_refund_sent_before_it_was_due_is_a_claim_until_it_is_and_twice_is_one_for_good() {
    let mut day = walletless(STANDARD);
    let early = json!({ "tx_hash": "0xearly" });
    assert_eq!(
        day.sale_reports("v", NOON, "refund.sent", early.clone()),
        "set_aside",
        "no wallet yet"
    );
    assert_eq!(day.coins("usdt", "recv.prov"), -19_444_445);
    assert_eq!(
        day.sale_reports("v", NOON, "refund.sent", early.clone()),
        "known",
        "one transaction, one claim"
    );
    let asked = day.instructions().len();
    // Rulings 46: what makes it due books it, and nobody is asked to send it again.
    address(&mut day, WALLET);
    assert_eq!(day.instructions().len(), asked);
    assert_eq!(day.coins("usdt", "recv.prov"), 0);
    assert_eq!(day.state("v", NOON), "REFUNDED");
    assert_eq!(day.sale_reports("v", NOON, "refund.sent", early), "known");
    assert_eq!(
        day.sale_reports("v", NOON, "refund.sent", json!({ "tx_hash": "0xtwice" })),
        "set_aside"
    );
    assert_eq!(day.coins("usdt", "recv.prov"), -19_444_445);
}

#[test]
fn cout_49_depix_that_cannot_be_paid_is_refunded_where_a_wallet_is_known_and_asks_where_none_is() {
    for wallet in [Some(LIQUID_WALLET), None] {
        let mut day = Day::selling(NOON, "{}");
        let pair = ("depix", "liquid");
        let mut body = of_depix("100.00");
        body["refund_address"] = wallet.into();
        assert_eq!(day.sell("v", NOON, pair, body).status, 200, "COUT-55: not asked for");
        day.accept("v", NOON);
        day.deposited_of("v", NOON, pair, "102.53");
        day.new_events();
        assert_eq!(day.sale_reports("v", NOON, "cashout.pix_impossible", json!({})), "applied");
        if wallet.is_none() {
            assert_eq!(day.state("v", NOON), "AWAITING_REFUND_ADDRESS");
            assert_eq!(day.new_events().last().unwrap(), "cashout.awaiting_refund_address");
            assert_eq!(address(&mut day, WALLET).1, "refund_address_invalida", "none of Liquid");
            assert_eq!(address(&mut day, LIQUID_WALLET), (200, "REFUNDING".to_owned()));
        }
        assert_eq!(day.state("v", NOON), "REFUNDING");
        assert_eq!(day.new_events(), ["cashout.refunding"]);
        let asked = day.instructions().last().unwrap();
        let sent = ["instruction", "asset", "network", "amount", "refund_address"];
        let sent = json!(sent.map(|name| asked[name].clone()));
        let whole = json!(["crypto.refund", "depix", "liquid", "102.53000000", LIQUID_WALLET]);
        assert_eq!(sent, whole);
        assert_eq!(
            day.sale_reports("v", NOON, "refund.sent", json!({ "tx_hash": "0xr" })),
            "applied"
        );
        assert_eq!(day.state("v", NOON), "REFUNDED");
    }
}

#[test]
fn cout_57_a_large_refund_waits_for_a_person_also_after_its_wallet_is_known() {
    for (amount, after) in [("5000.000000", "REFUNDING_CRYPTO"), ("5000.000001", "MANUAL_REVIEW")] {
        let mut day = Day::selling(NOON, STANDARD);
        let body = json!({ "amount": amount, "pix_key": "ana@exemplo.com.br" });
        assert_eq!(day.sell("v", NOON, ("usdt", "polygon"), body).status, 200);
        day.accept("v", NOON);
        day.deposited("v", NOON, amount);
        assert_eq!(day.sale_reports("v", NOON, "cashout.pix_impossible", json!({})), "applied");
        assert_eq!(day.state("v", NOON), "AWAITING_REFUND_ADDRESS", "{amount}");
        assert_eq!(address(&mut day, WALLET), (200, after.to_owned()), "{amount}");
        if after == "MANUAL_REVIEW" {
            let sends = |day: &Day| {
                day.instructions().iter().any(|it| it["instruction"] == "crypto.refund")
            };
            assert!(!sends(&day), "nothing is sent by itself");
            assert_eq!(day.judge("v", NOON, "refund.decided", json!({})), "applied");
            assert!(sends(&day));
        }
        assert_eq!(
            day.sale_reports("v", NOON, "refund.sent", json!({ "tx_hash": "0xr" })),
            "applied"
        );
        let order = day.order("v", NOON);
        let shown = (&order["state"], &order["refund_tx_hash"], &order["refund_amount"]);
        assert_eq!(shown, (&json!("REFUNDED"), &json!("0xr"), &json!(amount)));
    }
}

#[test]
fn cout_52_the_refunds_of_one_order_go_alone_up_to_its_limit_in_all() {
    let asked = |day: &Day| {
        let all = day.instructions();
        all.iter().filter(|it| it["instruction"] == "crypto.refund").count()
    };
    let mut day = Day::selling(NOON, STANDARD);
    day.selling_now("v", NOON, "100.00");
    for (hash, amount, alone) in [("0xa", "4000", 1), ("0xb", "1000", 2), ("0xc", "5", 2)] {
        let more = arrival(hash, ("usdt", "polygon"), amount);
        assert_eq!(day.sale_reports("v", NOON, "deposit.seen", more), "set_aside");
        let hash = json!({ "tx_hash": hash });
        assert_eq!(day.sale_reports("v", NOON, "deposit.confirmed", hash), "applied");
        assert_eq!(asked(&day), alone, "{amount}");
    }
    // Its own coins, too, wait for a person now.
    assert_eq!(day.sale_reports("v", NOON, "cashout.pix_impossible", json!({})), "applied");
    assert_eq!((day.state("v", NOON), asked(&day)), ("MANUAL_REVIEW".to_owned(), 2));
}
