//! Asking twice where crypto is delivered: the same changes nothing in whatever state it is,
//! another under the same name is refused by a code of its own, a refusal leaves nothing (rulings
//! 7, IDEM-01 to IDEM-11, CIN-17, CIN-71, CUS-40).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY};
use crate::market::{TON, WALLET, conversion, purchase};

const NOON: &str = "2026-10-20T12:00:00Z";
const LATER: &str = "2026-10-22T11:00:00Z";

fn buying() -> Value {
    let mut body = purchase(10_000);
    body["customer_ref"] = "a".into();
    body["payer_name"] = "Joana".into();
    body["chain"] = "ton".into();
    body["payout_address"] = TON.into();
    body["payout_tag"] = "7001".into();
    body["external_id"] = "x".into();
    body
}

fn converting() -> Value {
    let mut body = conversion("a", 5_000);
    body["chain"] = "ton".into();
    body["payout_address"] = TON.into();
    body["payout_tag"] = "7001".into();
    body["external_id"] = "x".into();
    body
}

fn requests() -> [(&'static str, Value); 2] {
    [("POST /cashin/charge", buying()), ("POST /saldo/sacar-cripto", converting())]
}

fn funded() -> Day {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    day
}

#[test]
fn idem_01_a_repeat_answers_the_original_and_changes_nothing() {
    let mut day = funded();
    for (request, body) in requests() {
        let first = day.ask(NOON, request, &body);
        assert_eq!(first.status, 200, "{request}: {}", first.body);
        let before = day.digest();
        let events = day.events().len();
        assert_eq!(day.ask(NOON, request, &body), first, "{request}");
        assert_eq!((day.digest(), day.events().len()), (before, events), "{request}");
    }
}

#[test]
fn rulings_7_a_repeat_answers_in_every_state_with_every_feature_off_and_no_price() {
    let mut day = funded();
    let mut ids = Vec::new();
    for (request, body) in requests() {
        let first = day.ask_as(&format!("l{}", ids.len()), NOON, request, body.clone());
        ids.push(first.body["cashin_id"].clone());
    }
    let again = |day: &mut Day, at: &str, expected: [&str; 2]| {
        for ((index, (request, mut body)), expected) in
            requests().into_iter().enumerate().zip(expected)
        {
            body["external_id"] = format!("l{index}").into();
            let repeat = day.ask(at, request, &body);
            assert_eq!(repeat.status, 200, "{request} {expected}: {}", repeat.body);
            assert_eq!(repeat.body["cashin_id"], ids[index]);
            assert_eq!(repeat.body["status"], expected);
        }
    };
    again(&mut day, NOON, ["pending", "paid"]);
    assert_eq!(day.pix("l0", NOON, 10_000), "applied");
    again(&mut day, NOON, ["paid", "paid"]);
    for id in ["l0", "l1"] {
        assert_eq!(day.delivery_reports(id, NOON, "unknown"), "applied");
    }
    again(&mut day, LATER, ["paid", "paid"]);
    let off = json!({ "cashin_paused": true, "conversions_paused": true });
    assert_eq!(day.adopt(LATER, off), "applied");
    assert_eq!(day.agree(LATER, json!({ "custodia_ativa": false })), "applied");
    let gone = json!({ "id": "gone", "dropped": [{ "asset": "usdt", "chain": "ton" }] });
    assert_eq!(day.report(LATER, "catalog.updated", &gone), "applied");
    again(&mut day, LATER, ["paid", "paid"]);
    for id in ["l0", "l1"] {
        let body = crate::day::judged(json!({ "outcome": "not_sent" }));
        let of = format!("${id}.cashin_id");
        assert_eq!(day.delivery(&of, LATER, "evidence", body)["outcome"], "applied");
    }
    assert_eq!(day.give_up("l0", LATER, "pagador"), "applied");
    assert_eq!(day.give_up("l1", LATER, "saldo"), "applied");
    again(&mut day, LATER, ["refunded", "refunded"]);
}

#[test]
fn rulings_7_a_divergent_repeat_names_the_fields_that_differ() {
    let bought: &[(&str, Value)] = &[
        ("amount_cents", json!(10_001)),
        ("destino", json!("saldo")),
        ("customer_ref", json!("b")),
        ("customer_ref", json!(null)),
        ("payer_tax_number", json!("52998224725")),
        ("payer_name", json!(null)),
        ("allow_hold", json!(false)),
        ("asset", json!("usdc")),
        ("chain", json!("polygon")),
        ("payout_address", json!(WALLET)),
        ("payout_address", json!(null)),
        ("payout_tag", json!("7002")),
        ("payout_tag", json!(null)),
    ];
    let converted: &[(&str, Value)] = &[
        ("amount_cents", json!(5_001)),
        ("customer_ref", json!("b")),
        ("customer_ref", json!(null)),
        ("tax_number", json!("11144477735")),
        ("asset", json!("usdc")),
        ("chain", json!("polygon")),
        ("payout_address", json!(WALLET)),
        ("payout_tag", json!("7002")),
    ];
    let mut day = funded();
    for ((request, body), changes) in requests().into_iter().zip([bought, converted]) {
        assert_eq!(day.ask(NOON, request, &body).status, 200);
        let before = day.digest();
        for (field, value) in changes {
            let mut changed = body.clone();
            changed[*field] = value.clone();
            let refused = day.ask(NOON, request, &changed);
            assert_eq!(refused.status, 409, "{request} {field}: {}", refused.body);
            assert_eq!(refused.body["erro"], "external_id_divergente");
            assert_eq!(refused.body["campos_divergentes"], json!([field]), "{request}");
        }
        assert_eq!(day.digest(), before);
    }
}

#[test]
fn cus_40_the_cap_is_no_part_of_what_was_asked() {
    let mut day = funded();
    let first = day.ask(NOON, "POST /saldo/sacar-cripto", &converting());
    for cap in [1, 5_165, 9_000] {
        let mut body = converting();
        body["max_debited_cents"] = cap.into();
        assert_eq!(day.ask(NOON, "POST /saldo/sacar-cripto", &body), first);
    }
}

#[test]
fn idem_11_defaults_and_other_names_of_the_memo_are_no_difference() {
    let mut day = funded();
    for (request, body) in requests() {
        let first = day.ask(NOON, request, &body);
        for name in ["memo", "tag", "destination_tag"] {
            let mut other = body.clone();
            other[name] = "7001".into();
            other.as_object_mut().unwrap().remove("payout_tag");
            assert_eq!(day.ask(NOON, request, &other), first, "{request} {name}");
        }
        let mut explicit = body;
        explicit["field_of_tomorrow"] = 1.into();
        explicit["asset"] = "usdt".into();
        let mut again = day.ask(NOON, request, &explicit);
        let ignored = again.body.as_object_mut().unwrap().remove("campos_ignorados");
        assert_eq!(ignored, Some(json!(["field_of_tomorrow"])), "rulings 55: {request}");
        assert_eq!(again, first, "GEN-13: {request}");
    }
}

#[test]
fn idem_03_the_literal_reading_is_for_charges_alone() {
    let mut day = funded();
    assert_eq!(day.adopt(NOON, json!({ "divergent_charge_is_refused": false })), "applied");
    for ((request, body), status) in requests().into_iter().zip([200, 409]) {
        let first = day.ask(NOON, request, &body);
        let mut changed = body;
        changed["amount_cents"] = 9_999.into();
        let second = day.ask(NOON, request, &changed);
        assert_eq!(second.status, status, "{request}");
        assert!(status == 409 || second == first);
    }
}

#[test]
fn idem_08_a_refused_request_leaves_nothing_and_its_name_is_free() {
    let mut day = funded();
    let before = day.digest();
    for (request, body) in requests() {
        for (field, value) in [
            ("chain", json!("aptos")),
            ("amount_cents", json!(1)),
            ("payout_address", json!("nowhere")),
        ] {
            let mut wrong = body.clone();
            wrong[field] = value;
            wrong["customer_ref"] = "never-seen".into();
            assert_eq!(day.ask(NOON, request, &wrong).status, 400, "{request} {field}");
        }
    }
    assert_eq!(day.digest(), before);
    for (request, body) in requests() {
        assert_eq!(day.ask(NOON, request, &body).status, 200, "{request}");
    }
}

#[test]
fn idem_07_each_kind_has_names_of_its_own() {
    let mut day = Day::trading(
        NOON,
        r#"{"sem_retencao":true,"liberacao":"imediata",
        "carencia_horas":0,"partner_fee_bps":1000}"#,
    );
    day.deposit("x", NOON, "a", 20_000);
    let terms = day.buy("x", NOON, 10_000);
    assert_eq!(terms.body["campos_divergentes"][0], "amount_cents", "charges of both destinations");
    day.delivered("p", NOON, 100_000);
    assert_eq!(day.convert("x", NOON, "a", 5_000).status, 200);
    assert_eq!(day.withdraw("x", NOON, 3_000).status, 200);
    assert_eq!(day.payout("x", NOON, "a", 100).status, 200);
    assert_eq!(day.transfer("x", NOON, "a", "b", 100).status, 200);
}

#[test]
fn gen_11_every_intent_is_found_by_its_name() {
    let mut day = funded();
    assert_eq!(day.buy("p", NOON, 10_000).status, 200);
    assert_eq!(day.convert("c", NOON, "a", 5_000).status, 200);
    for id in ["p", "c"] {
        assert_eq!(day.status(NOON, id)["external_id"], id);
    }
    let line = json!({ "at": NOON, "key": KEY, "request": "GET /cashin/charges?external_id=none" });
    assert_eq!(day.line(&line.to_string()).body, json!({ "charges": [] }));
}

#[test]
fn inv_27_every_command_given_twice_answers_the_same_id_and_books_nothing_more() {
    let terms = r#"{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0,
        "carteira_usdt":true,"partner_fee_bps":1000,"cashout_fee_bps":200}"#;
    let mut day = Day::trading(NOON, terms);
    let markets = json!({ "id": "m", "items": crate::selling::markets() });
    assert_eq!(day.report(NOON, "markets.updated", &markets), "applied");
    assert_eq!(day.configure(NOON, crate::wallet_setup::settings()), "applied");
    day.deposit("d", NOON, "a", 50_000);
    day.delivered("p", NOON, 100_000);
    day.holding("h", NOON, "100");
    day.quote_withdrawal("w", NOON, "20", "USDT");

    let request = |name: &str, mut body: Value| {
        body["external_id"] = "x".into();
        json!({ "at": NOON, "key": KEY, "request": name, "body": body })
    };
    let command = |name: &str, mut body: Value| {
        body["external_id"] = "x".into();
        json!({ "at": NOON, "key": KEY, "command": name, "body": body })
    };
    let charge = json!({
        "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": crate::day::PAYER,
    });
    let moved = json!({ "from_customer_ref": "a", "to_customer_ref": "b", "amount_cents": 100 });
    let sale = json!({
        "asset": "usdt", "network": "polygon", "brl_amount": "100.00",
        "pix_key": "ana@exemplo.com.br", "refund_address": WALLET,
    });
    let mut payout = crate::day::payout_body("x", 1_000);
    payout["customer_ref"] = "a".into();
    let paid = json!({ "brl_amount": "10.00", "pix_key": "ana@exemplo.com.br" });
    let asked = [
        ("cashin_id", request("POST /cashin/charge", charge)),
        ("transfer_id", request("POST /saldo/transferir", moved)),
        ("payout_id", request("POST /payouts", payout)),
        ("cashin_id", request("POST /saldo/sacar-cripto", converting())),
        ("cashout_id", request("POST /cash-outs", sale)),
        ("payment_id", request("POST /carteira-usdt/payments", paid)),
        (
            "withdrawal_id",
            command("wallet.withdrawal.create", json!({ "quote_id": "$qw.quote_id" })),
        ),
        (
            "withdrawal_id",
            command(
                "commission.withdraw",
                json!({ "amount_cents": 3_000, "payout_address": WALLET }),
            ),
        ),
    ];
    let mut ids = std::collections::BTreeSet::new();
    for (id, line) in asked {
        let first = day.line(&line.to_string());
        assert!(first.status < 300, "{line}: {}", first.body);
        let (before, events) = (day.digest(), day.events().len());
        let asked_of_the_world = day.instructions().len();
        for _ in 0..2 {
            let again = day.line(&line.to_string());
            assert_eq!(again.status, 200, "{line}: {}", again.body);
            assert_eq!(again.body[id], first.body[id], "{line}");
        }
        assert_eq!(day.digest(), before, "no record, so no entry: {line}");
        assert_eq!(day.events().len(), events, "{line}");
        assert_eq!(day.instructions().len(), asked_of_the_world, "{line}");
        assert!(ids.insert(first.body[id].as_str().unwrap().to_owned()), "{line}");
    }
    // To accept an order twice is one acceptance.
    day.sold("v", NOON, "100.00");
    let first = day.accept("v", NOON);
    let before = day.digest();
    assert_eq!(day.accept("v", NOON), first);
    assert_eq!(day.digest(), before);
}
