//! The list of facts: every example is a line that is accepted, names every field that must be
//! given, and is known the second time (rulings 1 and 8).

use std::process::Command;

use ledger_core::contract::{FACTS, Field, FieldType, Need};
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, judged};
use crate::killed::PROGRAM;
use crate::selling::{arrival, markets, of_depix, to_mail};

pub const NOON: &str = "2026-11-20T12:00:00Z";

/// A day on which whatever the examples name exists: charges `p1` and `c1`, a payout `o1`, a hold
/// `h1`, and `s1`, which stands for what was set aside.
fn prepared() -> Day {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.deposit("d", NOON, "ana", 50_000);
    assert_eq!(day.charge("p1", NOON, "ana", 10_000).status, 200);
    day.bought("c1", NOON, 10_000);
    assert_eq!(day.payout("o1", NOON, "ana", 5_000).status, 200);
    let hold = judged(json!({
        "id": "h", "account": "loja", "customer_ref": "ana", "kind": "judicial", "amount_cents": 100,
    }));
    assert_eq!(day.report_as("h1", NOON, "hold.placed", &hold)["outcome"], "applied");
    day.admit(NOON, "ag_0000000000010123456789abcdef", "svc_live_prepared");
    let fees = json!({ "cashout_fee_bps": 200, "cashout_fee_fixed_cents": 200 });
    assert_eq!(day.agree(NOON, fees), "applied");
    let markets = json!({ "id": "markets", "items": markets() });
    assert_eq!(day.report(NOON, "markets.updated", &markets), "applied");
    accepted(&mut day, ("usdt", "polygon"));
    assert_eq!(day.agree(NOON, json!({ "carteira_usdt": true })), "applied");
    assert_eq!(day.configure(NOON, crate::wallet_setup::settings()), "applied");
    assert_eq!(day.deposit_usdt("w1", NOON, &json!({ "amount": "100" })).status, 201);
    day.holding("w0", NOON, "200");
    for (label, asset) in [("x1", "USDT"), ("x2", "USDC")] {
        day.quote_withdrawal(label, NOON, "20", asset);
        assert_eq!(day.withdraw_usdt(label, NOON, json!({})).status, 201);
    }
    let payment = json!({ "brl_amount": "10.00", "pix_key": "ana@example.com" });
    assert_eq!(day.pay_from_wallet("y1", NOON, payment).status, 201);
    day
}

/// An accepted sale under the label of the examples.
fn accepted(day: &mut Day, pair: (&str, &str)) {
    let body = match pair {
        ("depix", _) => of_depix("100.00"),
        (_, "tron") => json!({ "brl_amount": "100.00", "pix_key": "ana@exemplo.com.br" }),
        _ => to_mail("100.00"),
    };
    let mut body = body;
    body["asset"] = pair.0.into();
    body["network"] = pair.1.into();
    let request = "POST /cash-outs";
    let line = json!({ "at": NOON, "as": "v1", "key": KEY, "request": request, "body": body });
    let made = day.line(&line.to_string());
    assert_eq!(made.status, 200, "{}", made.body);
    assert_eq!(day.accept("v1", NOON).status, 200);
}

/// A sale that has come as far as the fact of the example finds it.
fn sale_so_far(day: &mut Day, fact: &str) {
    let usdt = ("usdt", "polygon");
    let deposited = |day: &mut Day, pair: (&str, &str), amount: &str| {
        let hash = arrival("0xlead", pair, amount);
        assert_eq!(day.sale_reports("v1", NOON, "deposit.confirmed", hash), "applied");
    };
    let sold_first = fact.starts_with("sale.") || fact == "payment.started";
    if sold_first {
        let pair = ("usdt", if fact == "payment.started" { "arbitrum" } else { "tron" });
        accepted(day, pair);
        deposited(day, pair, "19.444445");
    }
    let reports = |day: &mut Day, fact: &str, more: Value| {
        assert_eq!(day.sale_reports("v1", NOON, fact, more), "applied", "{fact}");
    };
    match fact {
        "deposit.confirmed" | "deposit.vanished" | "cashout.delayed" => {
            reports(day, "deposit.seen", arrival("0xd1", usdt, "19.444445"));
        }
        "cashout.resumed" => {
            reports(day, "deposit.seen", arrival("0xd1", usdt, "19.444445"));
            reports(day, "cashout.delayed", json!({}));
        }
        "sale.failed" | "sale.unknown" => reports(day, "sale.started", json!({})),
        "sale.forwarding" | "sale.forwarded" => {
            reports(day, "sale.filled", json!({ "amount_cents": 10_490 }));
        }
        "payment.started" => {
            let got = json!({ "asset": "usdc", "network": "polygon", "amount": "19" });
            reports(day, "sale.filled", got);
        }
        "cashout.token_sent" | "cashout.token_returned" => {
            accepted(day, ("depix", "liquid"));
            deposited(day, ("depix", "liquid"), "102.5");
            if fact == "cashout.token_returned" {
                reports(day, "cashout.token_sent", json!({}));
            }
        }
        "cashout.cleared" | "refund.decided" => deposited(day, ("usdc", "polygon"), "19"),
        "cashout.paid"
        | "cashout.send_failed"
        | "cashout.pix_impossible"
        | "cashout.key_refused"
        | "cashout.unknown" => deposited(day, usdt, "19.444445"),
        "cashout.stopped" => {
            deposited(day, usdt, "19.444445");
            reports(day, "cashout.unknown", json!({}));
        }
        "cashout.pix_reversed" => {
            deposited(day, usdt, "19.444445");
            assert_eq!(day.sale_paid("v1", NOON), "applied");
        }
        "refund.sent" | "refund.failed" | "refund.unknown" => {
            deposited(day, usdt, "19.444445");
            reports(day, "cashout.pix_impossible", json!({}));
        }
        _ => {}
    }
}

/// What was set aside for the fact that settles it: a PIX of a centavo too much, or crypto sent
/// twice.
fn set_aside(day: &mut Day, fact: &str) {
    if fact == "stray.settled" {
        assert_eq!(day.sent("c1", NOON), "applied");
        let again = json!({ "id": "x", "cashin_id": "$c1.cashin_id", "tx_hash": "0xother" });
        assert_eq!(day.report_as("s1", NOON, "delivery.sent", &again)["outcome"], "set_aside");
    } else if fact.starts_with("suspense.") {
        let pix = json!({
            "cashin_id": "$p1.cashin_id", "e2e": day.outside_id(), "amount_cents": 10_001,
        });
        assert_eq!(day.report_as("s1", NOON, "pix.received", &pix)["outcome"], "set_aside");
    } else if fact == "entry.reversed" {
        let legs = json!([
            { "name": "equity.funding", "debit_cents": 5 },
            { "name": "cust.avail", "of": { "account": "loja" }, "credit_cents": 5 },
        ]);
        let body = judged(json!({ "id": "en-x", "legs": legs }));
        assert_eq!(day.report_as("e1", NOON, "entry.posted", &body)["outcome"], "applied");
    } else if fact == "reservation.captured" {
        let body = judged(json!({
            "id": "rsv-x", "account": "loja", "customer_ref": "ana", "amount_cents": 4_300,
        }));
        assert_eq!(day.report_as("r1", NOON, "reservation.made", &body)["outcome"], "applied");
    }
}

/// The transfer of the examples was seen, as asked but for `with`.
fn wallet_seen(day: &mut Day, mut with: Value) {
    with["tx_hash"] = "0xd1".into();
    assert_eq!(day.seen_usdt("w1", NOON, with)["outcome"], "applied");
}

/// The payment of the examples was accepted, and sent or given up where the fact needs that.
fn payment_on_its_way(day: &mut Day, fact: &str) {
    let accepted = json!({ "step": "accepted", "address": crate::market::WALLET });
    assert_eq!(day.payment_reports("y1", NOON, "started", accepted), "applied");
    if fact != "wallet.payment.sent" {
        let sent = json!({ "tx_hash": "0xf1" });
        assert_eq!(day.payment_reports("y1", NOON, "sent", sent), "applied");
    }
    if fact == "wallet.payment.resolved" {
        assert_eq!(day.payment_reports("y1", NOON, "failed", json!({})), "applied");
    }
}

/// It was confirmed: the outcome.
fn confirmed(day: &mut Day) -> String {
    let body = json!({ "id": "z", "deposit_id": "$w1.deposit_id", "tx_hash": "0xd1" });
    day.report(NOON, "wallet.deposit.confirmed", &body)
}

/// What has to have happened for the example to be applied.
#[allow(clippy::too_many_lines)] // One arm a fact.
fn lead_up(day: &mut Day, fact: &str) {
    let about = json!({ "id": "y", "payout_id": "$o1.payout_id" });
    match fact {
        "entry.posted" => {
            let declared = json!({ "id": "pac-x", "name": "taxas.disputa", "class": "income" });
            let declared = judged(declared);
            assert_eq!(day.report(NOON, "product_account.declared", &declared), "applied");
            let legs = json!([
                { "name": "equity.funding", "debit_cents": 5_000 },
                {
                    "name": "cust.avail", "credit_cents": 5_000,
                    "of": { "account": "loja", "customer_ref": "ana" },
                },
            ]);
            let body = judged(json!({ "id": "en-x", "legs": legs }));
            assert_eq!(day.report(NOON, "entry.posted", &body), "applied");
        }
        "template.adopted" => {
            let declared = json!({ "id": "pac-y", "name": "taxas.venda", "class": "income" });
            let declared = judged(declared);
            assert_eq!(day.report(NOON, "product_account.declared", &declared), "applied");
        }
        "template.posted" => {
            lead_up(day, "template.adopted");
            lead_up(day, "entry.posted");
            let shape = FACTS.iter().find(|shape| shape.name == "template.adopted").unwrap();
            let template = serde_json::from_str::<Value>(shape.example).unwrap()["body"].take();
            assert_eq!(day.report(NOON, "template.adopted", &template), "applied");
        }
        "payout.returned" => assert_eq!(day.paid("o1", NOON), "applied"),
        "payout.cleared" => {
            assert_eq!(day.report(NOON, "payout.stopped", &judged(about)), "applied");
        }
        "pix.returned" => assert_eq!(day.pix("p1", NOON, 10_000), "applied"),
        "delivery.resumed" => assert_eq!(day.give_back("c1", NOON, 4_000), "applied"),
        "delivery.evidence" => {
            assert_eq!(day.delivery_reports("c1", NOON, "unknown"), "applied");
        }
        "provider.settled" | "provider.held" | "pix.seen" | "provider.released" => {
            let charge = if fact == "provider.released" { "p1" } else { "c1" };
            // A charge still unpaid, under the label of the example.
            let mut fresh = Day::trading(NOON, r#"{"retencao_acima_cents":100}"#);
            let made = match charge {
                "p1" => fresh.charge("p1", NOON, "ana", 10_000),
                _ => fresh.buy("c1", NOON, 10_000),
            };
            assert_eq!(made.status, 200);
            if fact == "provider.released" {
                assert_eq!(fresh.pix("p1", NOON, 10_000), "applied");
            } else if fact != "pix.seen" {
                let seen = json!({
                    "cashin_id": "$c1.cashin_id", "e2e": fresh.outside_id(), "amount_cents": 10_000,
                });
                assert_eq!(fresh.report(NOON, "pix.seen", &seen), "applied");
            }
            *day = fresh;
        }
        "balance.written_off" => {
            assert_eq!(day.transfer("t", NOON, "ana", "casa", 44_000).status, 200);
            assert_eq!(day.give_back("d", NOON, 50_000), "applied");
        }
        "wallet.deposit.confirmed" | "wallet.deposit.doubted" => wallet_seen(day, json!({})),
        "wallet.deposit.judged" => {
            wallet_seen(day, json!({ "amount": "100" }));
            assert_eq!(confirmed(day), "applied");
        }
        "wallet.deposit.reversed" => {
            wallet_seen(day, json!({}));
            assert_eq!(confirmed(day), "applied");
        }
        "wallet.payment.sent"
        | "wallet.payment.confirmed"
        | "wallet.payment.paid"
        | "wallet.payment.unknown"
        | "wallet.payment.resolved" => payment_on_its_way(day, fact),
        "account.opened" => *day = Day::new(),
        "recovery.opened" | "recovery.blocked" | "recovery.decided" | "recovery.refunded" => {
            assert_eq!(day.pix("p1", NOON, 10_000), "applied");
            let steps = ["recovery.opened", "recovery.blocked", "recovery.decided"];
            for step in steps.into_iter().take_while(|step| *step != fact) {
                let shape = FACTS.iter().find(|shape| shape.name == step).unwrap();
                let body = serde_json::from_str::<Value>(shape.example).unwrap()["body"].take();
                assert_eq!(day.report(NOON, step, &body), "applied", "{step}");
            }
        }
        "day.closed" | "day.reopened" => {
            *day = Day::new();
            let float = json!({
                "id": "float", "from": "equity.funding", "to": "prov.pay", "amount_cents": 5_000_000,
            });
            assert_eq!(day.report("2026-11-19T12:00:00Z", "treasury.moved", &float), "applied");
            if fact == "day.reopened" {
                let shape = FACTS.iter().find(|shape| shape.name == "day.closed").unwrap();
                let close = serde_json::from_str::<Value>(shape.example).unwrap()["body"].take();
                assert_eq!(day.report(NOON, "day.closed", &close), "applied");
            }
        }
        // An account that has neither a wallet nor an agent.
        "account.moved" | "balance.carried" => {
            let free =
                r#"{"deposito_fee_bps":0,"deposito_fee_fixed_cents":0,"liberacao":"imediata"}"#;
            *day = Day::with_terms(NOON, free);
            if fact == "balance.carried" {
                let more = json!({ "id": "y", "account": "loja", "ledger": "live-2" });
                let mut leaving = more.as_object().unwrap().clone();
                leaving.insert("step".into(), "leaving".into());
                day.deposit("p1", NOON, "ana", 5_000);
                assert_eq!(day.report(NOON, "account.moved", &leaving.into()), "applied");
            }
        }
        "agent.reinstated" => {
            let about = json!({ "id": "y", "agent_id": "ag_0000000000010123456789abcdef" });
            assert_eq!(day.report(NOON, "agent.suspended", &judged(about)), "applied");
        }
        _ => {}
    }
}

/// A day on which the example of this fact is applied.
pub fn ready(fact: &str) -> Day {
    let mut day = prepared();
    lead_up(&mut day, fact);
    sale_so_far(&mut day, fact);
    set_aside(&mut day, fact);
    day
}

#[test]
fn every_example_is_applied_and_known_the_second_time() {
    for shape in FACTS {
        let mut day = ready(shape.name);
        let mut line: Value = serde_json::from_str(shape.example).unwrap();
        assert_eq!(line["fact"], shape.name);
        // The examples are of several days: what is to be judged is reported at noon.
        if shape.name != "time.passed" {
            line["at"] = NOON.into();
        }
        let answer = day.line(&line.to_string());
        assert_eq!(
            (answer.status, &answer.body["outcome"]),
            (200, &json!("applied")),
            "{line}: {}",
            answer.body
        );
        let once = day.digest();
        let again = day.line(&line.to_string());
        let known = if shape.name == "time.passed" { "applied" } else { "known" };
        assert_eq!(again.body["outcome"], known, "{line}");
        assert!(known == "applied" || day.digest() == once, "{line}");
    }
}

#[test]
fn every_field_that_must_be_given_is_in_the_example_and_named_when_it_is_missing() {
    for shape in FACTS {
        let example: Value = serde_json::from_str(shape.example).unwrap();
        for Field { name: field, need, meaning, .. } in shape.fields {
            assert!(!meaning.is_empty(), "{}: {field}", shape.name);
            if *need == Need::Optional {
                continue;
            }
            assert!(example["body"].get(*field).is_some(), "{}: {field}", shape.name);
            let mut day = prepared();
            set_aside(&mut day, shape.name);
            let mut line = example.clone();
            line["at"] = NOON.into();
            line["body"].as_object_mut().unwrap().remove(*field);
            let before = day.digest();
            let answer = day.line(&line.to_string());
            assert_eq!(answer.status, 400, "{line}: {}", answer.body);
            assert_eq!(answer.body["erro"], "campos_obrigatorios", "{line}");
            let detail = answer.body["detail"].as_str().unwrap();
            assert!(detail.contains(field), "{line}: {detail}");
            assert_eq!(day.digest(), before);
        }
    }
}

#[test]
fn a_field_no_fact_has_is_named() {
    for shape in FACTS {
        let mut day = prepared();
        set_aside(&mut day, shape.name);
        let mut line: Value = serde_json::from_str(shape.example).unwrap();
        line["at"] = NOON.into();
        line["body"]["misspelt"] = 1.into();
        let before = day.digest();
        let answer = day.line(&line.to_string());
        assert_eq!(answer.body["erro"], "formato_invalido", "{line}");
        assert!(answer.body["detail"].as_str().unwrap().contains("misspelt"), "{line}");
        assert_eq!(day.digest(), before);
    }
}

#[test]
fn the_program_lists_every_fact_with_its_fields_and_example() {
    let output = Command::new(PROGRAM).arg("facts").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for shape in FACTS {
        for part in [shape.name, shape.meaning, shape.example] {
            assert!(text.contains(part), "{part}");
        }
        for field in shape.fields {
            assert!(text.contains(field.name), "{}", field.name);
        }
    }
}

/// A value just beyond what a field takes, and one just within, where numbers bound it.
fn bounds(holds: FieldType) -> Option<(i64, i64)> {
    match holds {
        FieldType::Centavos | FieldType::CentavosOrZero | FieldType::SignedCentavos => {
            Some((100_000_000_000_001, 100_000_000_000_000))
        }
        FieldType::BasisPoints => Some((10_001, 10_000)),
        FieldType::Whole(_, most) => Some((i64::from(most) + 1, i64::from(most))),
        _ => None,
    }
}

#[test]
fn every_range_that_is_declared_is_the_one_that_is_read() {
    let (mut tried, mut passed) = (0, Vec::new());
    for shape in FACTS {
        for field in shape.fields {
            let Some((beyond, within)) = bounds(field.holds) else { continue };
            let mut day = prepared();
            set_aside(&mut day, shape.name);
            let mut line: Value = serde_json::from_str(shape.example).unwrap();
            line["at"] = NOON.into();
            line["body"][field.name] = beyond.into();
            let answer = day.line(&line.to_string()).body;
            let named = |answer: &Value| {
                answer["detail"].as_str().is_some_and(|detail| detail.contains(field.name))
            };
            if named(&answer) {
                tried += 1;
            } else {
                passed.push(format!("{} {}", shape.name, field.name));
            }
            line["body"][field.name] = within.into();
            let answer = day.line(&line.to_string()).body;
            let ranged = ["must be a whole number", "must be a JSON integer"];
            let detail = answer["detail"].as_str().unwrap_or_default();
            let refused = named(&answer) && ranged.iter().any(|range| detail.contains(range));
            assert!(!refused, "{} {}: {answer}", shape.name, field.name);
        }
    }
    assert!(tried > 80, "{tried}");
    // What goes with something else is not read where that is absent.
    let unread = ["provider.released amount_cents", "delivery.sent amount_cents"];
    assert_eq!(passed, unread);
}
