//! A fact that is set aside says why and where its money stands; one that is known says what it
//! says otherwise than the first time (rulings 54).

use std::fs;

use ledger_core::ledger::{Archive, Event, SetAsideReason};
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, judged};
use crate::market::WALLET;
use crate::selling::STANDARD;

const NOON: &str = "2026-10-20T12:00:00Z";
const LATER: &str = "2026-10-20T13:00:00Z";

/// The outcome, the reason, and the account in which the money stands.
fn said(answer: &Value) -> (&str, &str, &str) {
    let text = |name: &str| answer[name].as_str().unwrap_or_default();
    (text("outcome"), text("reason"), text("booked_to"))
}

fn received(day: &mut Day, charge: &str, at: &str, cents: i64) -> Value {
    let body = json!({
        "cashin_id": charge, "e2e": day.outside_id(), "amount_cents": cents,
    });
    day.report_as("", at, "pix.received", &body)
}

fn returned(day: &mut Day, charge: &str, at: &str, cents: i64) -> Value {
    let body = json!({
        "cashin_id": charge, "return_id": day.outside_id(), "amount_cents": cents,
    });
    day.report_as("", at, "pix.returned", &body)
}

#[test]
fn a_pix_that_does_not_pay_its_charge_says_why_and_stands_in_suspense() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let answer = received(&mut day, "no charge of ours", NOON, 700);
    assert_eq!(said(&answer), ("set_aside", "unmatched", "susp.pix"));
    assert!(answer["suspense_id"].is_string(), "{answer}");
    assert_eq!(day.charge("d", NOON, "a", 5_000).status, 200);
    let answer = received(&mut day, "$d.cashin_id", NOON, 5_001);
    assert_eq!(said(&answer), ("set_aside", "amount_differs", "susp.pix"));
    let answer = received(&mut day, "$d.cashin_id", LATER, 5_000);
    assert_eq!(said(&answer), ("set_aside", "paid_late", "susp.pix"));
    day.deposit("paid", LATER, "a", 5_000);
    let answer = received(&mut day, "$paid.cashin_id", LATER, 5_000);
    assert_eq!(said(&answer), ("set_aside", "already_paid", "susp.pix"));
    assert_eq!(day.charge("gone", LATER, "a", 5_000).status, 200);
    let body = json!({ "id": "can-1", "cashin_id": "$gone.cashin_id" });
    assert_eq!(day.report(LATER, "provider.cancelled", &body), "applied");
    let answer = received(&mut day, "$gone.cashin_id", LATER, 5_000);
    assert_eq!(said(&answer), ("set_aside", "out_of_turn", "susp.pix"));
}

#[test]
fn money_that_left_and_should_not_have_is_a_claim_on_the_provider_that_says_why() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    let answer = returned(&mut day, "$d.cashin_id", NOON, 20_001);
    assert_eq!(said(&answer), ("set_aside", "amount_exceeds", "recv.prov"));
    assert_eq!(day.payout("p", NOON, "a", 5_000).status, 200);
    let paid = |day: &mut Day, e2e: &str, cents: Value| {
        let body = json!({ "payout_id": "$p.payout_id", "e2e": e2e, "amount_cents": cents });
        day.report_as("", NOON, "payout.paid", &body)
    };
    let (first, second) = (day.outside_id(), day.outside_id());
    let answer = paid(&mut day, &second, json!(5_001));
    assert_eq!(said(&answer), ("set_aside", "amount_differs", "recv.prov"));
    assert_eq!(said(&paid(&mut day, &first, Value::Null)).0, "applied");
    let third = day.outside_id();
    let answer = paid(&mut day, &third, Value::Null);
    assert_eq!(said(&answer), ("set_aside", "already_paid", "recv.prov"));
}

#[test]
fn a_pix_that_a_delivery_names_besides_is_named_in_the_answer() {
    let mut day = Day::trading(NOON, "{}");
    day.bought("b", NOON, 10_000);
    let sent = |day: &mut Day, hash: &str| {
        let body = json!({ "tx_hash": hash, "e2e": day.outside_id(), "amount_cents": 10_000 });
        day.delivery("$b.cashin_id", NOON, "sent", body)
    };
    let first = sent(&mut day, "0x1");
    assert_eq!(said(&first), ("set_aside", "already_paid", "susp.pix"));
    assert!(first["suspense_id"].is_string(), "{first}");
    assert_eq!(day.stands(NOON, "b").1, "sent", "and it was delivered");
    let second = sent(&mut day, "0x2");
    assert!(second["stray_id"].is_string() && second["suspense_id"].is_string(), "{second}");
}

#[test]
fn a_pix_seen_with_another_amount_than_received_is_held_until_it_is_released() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    assert_eq!(day.charge("c", NOON, "a", 5_000).status, 200);
    let e2e = day.outside_id();
    let pix =
        |cents: i64| json!({ "cashin_id": "$c.cashin_id", "e2e": e2e, "amount_cents": cents });
    assert_eq!(day.report(NOON, "pix.seen", &pix(5_000)), "applied");
    let answer = day.report_as("", NOON, "pix.received", &pix(4_999));
    assert_eq!(said(&answer), ("set_aside", "amount_differs", ""));
    let settled = json!({ "id": "s-1", "cashin_id": "$c.cashin_id" });
    assert_eq!(day.report(NOON, "provider.settled", &settled), "set_aside");
    assert_eq!(day.balance(NOON, "a"), (0, 0));
    let held =
        |id: &str, until: &str| json!({ "id": id, "cashin_id": "$c.cashin_id", "until": until });
    assert_eq!(day.report(NOON, "provider.held", &held("h-1", "2026-10-21T12:00:00Z")), "known");
    let otherwise = held("h-2", "2026-10-22T12:00:00Z");
    assert_eq!(day.report(NOON, "provider.held", &otherwise), "set_aside", "it ends otherwise");
    let released = json!({ "id": "r-1", "cashin_id": "$c.cashin_id" });
    assert_eq!(day.report(NOON, "provider.released", &released), "applied");
}

#[test]
fn a_return_while_a_delivery_is_unknown_says_that_its_outcome_is() {
    let mut day = Day::trading(NOON, "{}");
    day.bought("b", NOON, 10_000);
    assert_eq!(day.delivery_reports("b", NOON, "started"), "applied");
    assert_eq!(day.delivery_reports("b", NOON, "unknown"), "applied");
    let answer = returned(&mut day, "$b.cashin_id", NOON, 10_000);
    assert_eq!(said(&answer), ("set_aside", "outcome_unknown", "recv.prov"));
}

#[test]
fn a_fact_without_money_says_why_and_has_none_anywhere() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 5_000);
    let unsent = json!({ "id": "sub-1", "payout_id": "no payout of ours" });
    let answer = day.report_as("", NOON, "payout.submitted", &unsent);
    assert_eq!(answer, json!({ "outcome": "set_aside", "reason": "unmatched" }));
    assert_eq!(day.charge("early", NOON, "a", 5_000).status, 200);
    let body = json!({ "id": "rel-1", "cashin_id": "$early.cashin_id" });
    let answer = day.report_as("", NOON, "provider.released", &body);
    assert_eq!(answer, json!({ "outcome": "set_aside", "reason": "too_early" }));
    let body = judged(json!({
        "id": "wo-1", "account": "loja", "customer_ref": "a", "amount_cents": 1,
    }));
    let answer = day.report_as("", NOON, "balance.written_off", &body);
    assert_eq!(answer, json!({ "outcome": "set_aside", "reason": "amount_exceeds" }));
}

#[test]
fn crypto_that_no_order_takes_says_why_and_stands_in_suspense() {
    let mut day = Day::selling(NOON, STANDARD);
    let seen = |day: &mut Day, hash: &str, more: Value| {
        let mut body = json!({
            "tx_hash": hash, "asset": "usdt", "network": "polygon", "amount": "10", "from": WALLET,
        });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        day.report_as("", NOON, "deposit.seen", &body)
    };
    let answer = seen(&mut day, "0xd1", json!({}));
    assert_eq!(said(&answer), ("set_aside", "unmatched", "susp.crypto"));
    assert!(answer["receipt_id"].is_string(), "{answer}");
    let again = seen(&mut day, "0xd1", json!({}));
    let known = json!({
        "outcome": "known", "receipt_id": answer["receipt_id"], "first_outcome": "set_aside",
        "reason": "unmatched", "booked_to": "susp.crypto",
    });
    assert_eq!(again, known);
    day.sold("v", NOON, "100.00");
    // Quoted and not accepted: nobody was given an address.
    let answer = seen(&mut day, "0xd2", json!({ "cashout_id": "$v.cashout_id" }));
    assert_eq!(said(&answer), ("set_aside", "not_awaited", "susp.crypto"));
}

#[test]
fn crypto_sent_without_a_reason_is_a_claim_that_says_so() {
    let mut day = Day::trading(NOON, "{}");
    day.delivered("b", NOON, 10_000);
    let body = json!({ "tx_hash": "0xanother" });
    let answer = day.delivery("$b.cashin_id", NOON, "sent", body);
    assert_eq!(said(&answer), ("set_aside", "not_due", "recv.prov"));
    assert!(answer["stray_id"].is_string(), "{answer}");
}

#[test]
fn the_reason_is_journaled_with_what_is_set_aside() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    assert_eq!(day.charge("d", NOON, "a", 5_000).status, 200);
    assert_eq!(day.pix("d", NOON, 5_001), "set_aside");
    let archive = &day.sequencer().ledger().archive;
    let last = day.sequencer().ledger().state.seq;
    let record = archive.record(last).unwrap();
    let reasons = record.events.iter().filter_map(|event| match event {
        Event::SetAside { reason, .. } => *reason,
        _ => None,
    });
    assert_eq!(reasons.collect::<Vec<_>>(), [SetAsideReason::AmountDiffers]);
}

#[test]
fn a_known_fact_names_the_fields_that_said_something_else_the_first_time() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    assert_eq!(day.charge("d", NOON, "a", 5_000).status, 200);
    assert_eq!(day.charge("other", NOON, "a", 5_000).status, 200);
    let first = json!({
        "cashin_id": "$d.cashin_id", "e2e": day.outside_id(), "amount_cents": 5_000,
        "paid_at": NOON,
    });
    assert_eq!(day.report(NOON, "pix.received", &first), "applied");
    let again = day.report_as("", NOON, "pix.received", &first);
    assert_eq!(again, json!({ "outcome": "known" }), "the same says nothing more");
    for (name, value) in [
        ("amount_cents", json!(4_999)),
        ("paid_at", json!("2026-10-20T11:59:59Z")),
        ("cashin_id", json!("$other.cashin_id")),
    ] {
        let mut other = first.clone();
        other[name] = value;
        let answer = day.report_as("", NOON, "pix.received", &other);
        assert_eq!(answer, json!({ "outcome": "known", "campos_divergentes": [name] }));
    }
    let mut silent = first;
    silent["paid_at"] = Value::Null;
    let answer = day.report_as("", LATER, "pix.received", &silent);
    assert_eq!(answer, json!({ "outcome": "known" }), "what is not said does not differ");
}

#[test]
fn an_account_that_was_never_opened_is_not_known_in_silence() {
    let mut day = Day::selling(NOON, STANDARD);
    let mut open = |account: &str| {
        let line = json!({
            "at": NOON, "fact": "account.opened", "environment": "live",
            "body": { "id": "open-1", "account": account },
            "supplied": { "key": "svc_live_padaria" },
        });
        day.line(&line.to_string()).body
    };
    assert_eq!(open("padaria")["outcome"], "applied");
    assert_eq!(open("padaria"), json!({ "outcome": "known" }));
    let other = json!({ "outcome": "known", "campos_divergentes": ["account"] });
    assert_eq!(open("mercado"), other, "the answer says that the other was not opened");
}

#[test]
fn an_account_whose_name_is_taken_says_so_and_one_whose_key_is_anothers_says_that() {
    let mut day = Day::selling(NOON, STANDARD);
    let mut open = |id: &str, account: &str, key: &str| {
        let line = json!({
            "at": NOON, "fact": "account.opened", "environment": "live",
            "body": { "id": id, "account": account }, "supplied": { "key": key },
        });
        day.line(&line.to_string()).body
    };
    assert_eq!(open("open-1", "padaria", "svc_live_padaria")["outcome"], "applied");
    let taken = open("open-2", "padaria", "svc_live_another");
    assert_eq!(said(&taken), ("set_aside", "name_taken", ""));
    let taken = open("open-3", "mercado", "svc_live_padaria");
    assert_eq!(said(&taken), ("set_aside", "id_taken", ""));
    assert_eq!(open("open-4", "mercado", "svc_live_another")["outcome"], "applied");
}

#[test]
fn a_replacing_key_that_is_anothers_says_that_whatever_account_is_named() {
    let mut day = Day::selling(NOON, STANDARD);
    let mut replace = |id: &str, account: &str, key: &str| {
        let line = json!({
            "at": NOON, "fact": "key.replaced", "environment": "live",
            "body": { "id": id, "account": account, "actor": "bia", "reason": "a test" },
            "supplied": { "key": key },
        });
        day.line(&line.to_string()).body
    };
    assert_eq!(replace("rep-1", "loja", "svc_live_2")["outcome"], "applied");
    assert_eq!(replace("rep-2", "loja", "svc_live_2"), json!({ "outcome": "known" }));
    let taken = replace("rep-3", "nobody", "svc_live_2");
    assert_eq!(said(&taken), ("set_aside", "id_taken", ""));
    let unmatched = replace("rep-4", "nobody", "svc_live_3");
    assert_eq!(said(&unmatched), ("set_aside", "unmatched", ""));
    // It is free yet, since it came to nobody.
    assert_eq!(replace("rep-5", "loja", "svc_live_3")["outcome"], "applied");
    let dead = replace("rep-6", "nobody", "svc_live_2");
    assert_eq!(said(&dead), ("set_aside", "id_taken", ""));
}

#[test]
fn a_fact_that_was_set_aside_is_never_answered_as_one_that_happened() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let rows = [
        ("pix.received", json!({ "e2e": day.outside_id(), "amount_cents": 700 }), "suspense_id"),
        (
            "balance.written_off",
            judged(json!({
                "id": "wo-1", "account": "loja", "customer_ref": "a", "amount_cents": 1,
            })),
            "reason",
        ),
    ];
    for (fact, body, says) in rows {
        let mut expected = day.report_as("", NOON, fact, &body);
        assert_eq!(expected["outcome"], "set_aside", "{fact}");
        assert!(expected[says].is_string(), "{fact}: {expected}");
        expected["outcome"] = "known".into();
        expected["first_outcome"] = "set_aside".into();
        for _ in 0..2 {
            assert_eq!(day.report_as("", LATER, fact, &body), expected, "{fact}");
        }
    }
}

#[test]
fn a_known_fact_names_what_differs_whatever_it_reports() {
    let mut day = Day::selling(NOON, STANDARD);
    let moved = json!({
        "id": "float-1", "from": "equity.funding", "to": "prov.pay", "amount_cents": 5_000,
    });
    let suspended = json!({ "e2e": day.outside_id(), "amount_cents": 700 });
    let seen = json!({
        "tx_hash": "0xd1", "asset": "usdt", "network": "polygon", "amount": "10",
    });
    let rows = [
        ("treasury.moved", moved, "amount_cents", json!(5_001)),
        ("pix.received", suspended, "amount_cents", json!(701)),
        ("deposit.seen", seen, "amount", json!("11")),
    ];
    for (fact, body, name, other) in rows {
        assert_ne!(day.report(NOON, fact, &body), "known", "{fact}");
        let same = day.report_as("", NOON, fact, &body);
        assert_eq!(
            (&same["outcome"], &same["campos_divergentes"]),
            (&json!("known"), &Value::Null)
        );
        let mut differs = body;
        differs[name] = other;
        let answer = day.report_as("", NOON, fact, &differs);
        assert_eq!(answer["outcome"], "known", "{fact}");
        assert_eq!(answer["campos_divergentes"], json!([name]), "{fact}");
    }
}

#[test]
fn every_reason_stands_in_the_glossary() {
    let root = env!("CARGO_MANIFEST_DIR");
    let glossary = fs::read_to_string(format!("{root}/GLOSSARY.md")).unwrap();
    let source =
        fs::read_to_string(format!("{root}/ledger-core/src/contract/fact/set_aside.rs")).unwrap();
    let table = source.split("\nwords! {").nth(1).and_then(|rest| rest.split('}').next());
    let words: Vec<&str> = table.unwrap().split('"').skip(1).step_by(2).collect();
    assert_eq!(words.len(), 21);
    for word in words {
        assert!(glossary.contains(&format!("| `{word}` |")), "{word}");
    }
}
