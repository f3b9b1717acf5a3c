//! Lines about catalogue, prices, payers, deliveries and commission that are wrong: each answered
//! with the field, none of them recorded (GEN-02 to GEN-04, GEN-18).

use serde_json::{Value, json};

use crate::bad_lines::{
    INVALID, MALFORMED, MISSING, NO_AMOUNT, NOT_FOUND, Untouched, with, without,
};
use crate::day::{KEY, OWNER, PAYER, judged};
use crate::market::{WALLET, conversion, purchase};

const NOON: &str = "2026-11-20T12:00:00Z";

/// Returns what is no decimal string of at most six decimals above zero.
fn no_units() -> Vec<Value> {
    let texts = [
        "",
        "0",
        "0.0",
        "-1",
        "+1",
        "1,5",
        "1e3",
        "1E3",
        " 1",
        "1 ",
        ".5",
        "5.",
        "1.0000001",
        "1.2.3",
        "0x1",
        "NaN",
        "inf",
        "1_000",
        "٣",
    ];
    let mut all: Vec<Value> = texts.into_iter().map(Value::from).collect();
    all.push("9".repeat(41).into());
    all.extend([json!(5), json!(5.0), json!(true), json!(["5"]), json!({})]);
    all
}

fn item(field: &str, value: Value) -> Value {
    let item = json!({
        "asset": "usdt", "chain": "eth", "minBuyAmount": "1", "withdrawFee": "0.5",
        "etaSeconds": 1_200,
    });
    with(item, field, value)
}

fn listed(items: Value) -> Value {
    with(json!({ "id": "cat-9" }), "items", items)
}

#[test]
fn gen_04_crypto_amounts_are_decimal_strings_with_a_dot() {
    let mut day = Untouched::trading();
    for value in no_units() {
        let missing = value.is_null();
        assert!(!missing);
        let body = listed(json!([item("minBuyAmount", value.clone())]));
        day.refuses_fact("catalog.updated", &body, MALFORMED, "items[0]: minBuyAmount");
        let body = json!({
            "id": "t", "from": "equity.funding", "to": "treas", "asset": "usdt", "chain": "polygon",
            "amount": value,
        });
        day.refuses_fact("treasury.moved", &body, MALFORMED, "amount");
        if value != json!("1.0000001") {
            let body = json!({ "id": "r", "asset": "usdt", "brl_per_unit": value });
            day.refuses_fact("rate.quoted", &body, MALFORMED, "brl_per_unit");
        }
        // A network may take nothing.
        if value != json!("0") && value != json!("0.0") {
            let body = listed(json!([item("withdrawFee", value.clone())]));
            day.refuses_fact("catalog.updated", &body, MALFORMED, "items[0]: withdrawFee");
        }
    }
    let body = json!({ "id": "r", "asset": "usdt", "brl_per_unit": "5.4000000000001" });
    day.refuses_fact("rate.quoted", &body, MALFORMED, "brl_per_unit");
}

#[test]
fn items_of_a_catalogue_are_named_by_their_place() {
    let mut day = Untouched::trading();
    let good = || item("asset", json!("usdc"));
    for (field, value) in [
        ("rail", json!("express")),
        ("rail", json!(1)),
        ("decimals", json!(19)),
        ("decimals", json!("6")),
        ("decimals", json!(-1)),
        ("entregavel", json!("true")),
        ("memoRequired", json!(1)),
        ("etaSeconds", json!(0)),
        ("etaSeconds", json!(70_000)),
        ("eta", json!(1)),
        ("asset", json!("")),
        ("chain", json!("x".repeat(33))),
        ("minBuyamount", json!("1")),
    ] {
        let body = listed(json!([good(), item(field, value)]));
        let what = format!("items[1]: {field}");
        day.refuses_fact("catalog.updated", &body, MALFORMED, &what);
    }
    for field in ["asset", "chain", "minBuyAmount"] {
        let body = listed(json!([good(), without(item("eta", json!("x")), field)]));
        day.refuses_fact("catalog.updated", &body, MISSING, &format!("items[1]: {field}"));
    }
    let body = listed(json!([good(), good()]));
    day.refuses_fact("catalog.updated", &body, MALFORMED, "items[1]: asset and chain stand twice");
    for items in [json!({}), json!("usdt"), json!(1)] {
        day.refuses_fact("catalog.updated", &listed(items), MALFORMED, "items");
    }
    day.refuses_fact("catalog.updated", &listed(json!([1])), MALFORMED, "items[0]: body");
    day.refuses_fact("catalog.updated", &listed(json!([])), MISSING, "items");
    let body = json!({ "id": "c", "dropped": [{ "asset": "usdt" }] });
    day.refuses_fact("catalog.updated", &body, MISSING, "dropped[0]: chain");
}

#[test]
fn one_fact_lists_at_most_5_000_pairs() {
    let mut day = Untouched::trading();
    let items = |count: usize| -> Value {
        (0..count).map(|index| item("chain", json!(format!("net-{index}")))).collect()
    };
    day.refuses_fact("catalog.updated", &listed(items(5_001)), MALFORMED, "items must be an array");
    let many = json!({ "at": NOON, "fact": "catalog.updated", "body": listed(items(5_000)) });
    assert_eq!(day.0.line(&many.to_string()).body["outcome"], "applied");
}

#[test]
fn rates_payers_and_own_crypto_name_what_is_wrong() {
    let mut day = Untouched::trading();
    let rate = || json!({ "id": "r", "asset": "usdt", "brl_per_unit": "5.40" });
    for field in ["asset", "brl_per_unit"] {
        day.refuses_fact("rate.quoted", &without(rate(), field), MISSING, field);
    }
    let review = || judged(json!({ "id": "r", "payer_tax_number": PAYER, "finding": "blocked" }));
    let body = with(review(), "finding", json!("guilty"));
    day.refuses_fact("payer.reviewed", &body, MALFORMED, "finding");
    let body = with(review(), "payer_tax_number", json!("123"));
    day.refuses_fact("payer.reviewed", &body, MALFORMED, "payer_tax_number");
    for field in ["finding", "payer_tax_number", "actor", "reason"] {
        day.refuses_fact("payer.reviewed", &without(review(), field), MISSING, field);
    }
    let coins = || {
        json!({
            "id": "t", "from": "equity.funding", "to": "treas", "asset": "usdt", "chain": "polygon",
            "amount": "1",
        })
    };
    day.refuses_fact("treasury.moved", &with(coins(), "asset", json!("btc")), MALFORMED, "asset");
    day.refuses_fact("treasury.moved", &with(coins(), "chain", json!("moon")), MALFORMED, "chain");
    day.refuses_fact("treasury.moved", &with(coins(), "to", json!("prov.pay")), MALFORMED, "to");
    let body = with(coins(), "to", json!("equity.funding"));
    day.refuses_fact("treasury.moved", &body, MALFORMED, "to");
    for field in ["amount", "chain"] {
        day.refuses_fact("treasury.moved", &without(coins(), field), MISSING, field);
    }
}

#[test]
fn news_of_deliveries_name_what_is_wrong() {
    let mut day = Untouched::trading();
    let report = || json!({ "id": "n", "cashin_id": "ci_0" });
    for fact in ["started", "accepted", "failed", "unknown"] {
        let fact = format!("delivery.{fact}");
        for field in ["id", "cashin_id"] {
            day.refuses_fact(&fact, &without(report(), field), MISSING, field);
        }
        for attempt in [json!(0), json!(-1), json!(1.5), json!("1"), json!(65_536)] {
            day.refuses_fact(&fact, &with(report(), "attempt", attempt), MALFORMED, "attempt");
        }
        day.refuses_fact(&fact, &with(report(), "tx_hash", json!("0x1")), MALFORMED, "tx_hash");
    }
    day.refuses_fact("delivery.sent", &report(), MISSING, "tx_hash");
    let long = with(report(), "tx_hash", json!("x".repeat(129)));
    day.refuses_fact("delivery.sent", &long, MALFORMED, "tx_hash");
    let sent = || with(report(), "tx_hash", json!("0x1"));
    day.refuses_fact("delivery.sent", &with(sent(), "e2e", json!("E1")), MALFORMED, "e2e");
    let named = with(sent(), "e2e", json!("E".repeat(32)));
    day.refuses_fact("delivery.sent", &named, MISSING, "amount_cents");
    let found = || judged(with(report(), "outcome", json!("sent")));
    day.refuses_fact("delivery.evidence", &found(), MISSING, "tx_hash");
    let body = with(found(), "outcome", json!("maybe"));
    day.refuses_fact("delivery.evidence", &body, MALFORMED, "outcome");
    day.refuses_fact("delivery.evidence", &without(found(), "actor"), MISSING, "tx_hash");
    let given = || judged(with(report(), "to", json!("pagador")));
    day.refuses_fact("delivery.given_up", &given(), MISSING, "return_id");
    day.refuses_fact("delivery.given_up", &with(given(), "to", json!("casa")), MALFORMED, "to");
    let body = with(given(), "return_id", json!("short"));
    day.refuses_fact("delivery.given_up", &body, MALFORMED, "return_id");
    let erroneous_delivery = || judged(json!({ "id": "s", "stray_id": "st_0", "outcome": "lost" }));
    day.refuses_fact(
        "stray.settled",
        &with(erroneous_delivery(), "outcome", json!("?")),
        MALFORMED,
        "outcome",
    );
    for field in ["stray_id", "outcome", "actor", "reason"] {
        day.refuses_fact("stray.settled", &without(erroneous_delivery(), field), MISSING, field);
    }
    for fact in ["payout.stopped", "payout.cleared"] {
        let body = judged(json!({ "id": "p", "payout_id": "po_0" }));
        for field in ["payout_id", "actor", "reason"] {
            day.refuses_fact(fact, &without(body.clone(), field), MISSING, field);
        }
    }
    let held = json!({ "id": "h", "cashin_id": "ci_0", "until": "tomorrow" });
    day.refuses_fact("provider.held", &held, MALFORMED, "until");
}

#[test]
fn purchases_and_conversions_name_what_is_wrong() {
    let mut day = Untouched::trading();
    for (request, body) in [
        ("POST /cashin/charge", purchase(10_000)),
        ("POST /saldo/sacar-cripto", conversion("a", 10_000)),
    ] {
        for (field, value) in [
            ("asset", json!(1)),
            ("chain", json!("")),
            ("chain", json!("x".repeat(33))),
            ("payout_address", json!("x".repeat(129))),
            ("payout_address", json!(["x"])),
            ("payout_tag", json!(7_001)),
            ("payout_tag", json!("")),
            ("destination_tag", json!("x".repeat(121))),
            ("customer_ref", json!("casa")),
            ("external_id", json!("x".repeat(65))),
        ] {
            day.refuses_body(request, &with(body.clone(), field, value), MALFORMED, field);
        }
        for amount in
            [json!("100"), json!(1.5), json!(0), json!(-1), json!(100_000_000_000_001_i64)]
        {
            let body = with(body.clone(), "amount_cents", amount);
            day.refuses_body(request, &body, NO_AMOUNT, "amount_cents");
        }
        let conflict = (400, "campos_conflitantes", "corrigir");
        let names = ["payout_tag", "memo", "tag", "destination_tag"];
        for pair in names.windows(2) {
            let body = with(with(body.clone(), pair[0], json!("1")), pair[1], json!("2"));
            day.refuses_body(request, &body, conflict, pair[1]);
        }
    }
    let body = with(conversion("a", 10_000), "max_debited_cents", json!("1"));
    day.refuses_body("POST /saldo/sacar-cripto", &body, NO_AMOUNT, "max_debited_cents");
    let body = with(conversion("a", 10_000), "tax_number", json!("123"));
    day.refuses_body(
        "POST /saldo/sacar-cripto",
        &body,
        (400, "documento_invalido", "corrigir"),
        "tax_number",
    );
    day.refuses_body("POST /cashin/preview", &json!({}), MISSING, "amount_cents");
    let body = json!({ "amount_cents": 100, "chain": 7 });
    day.refuses_body("POST /cashin/preview", &body, MALFORMED, "chain");
    day.refuses_body(
        "PATCH /keys/me",
        &json!({ "settlement_address": 7 }),
        MALFORMED,
        "settlement_address",
    );
    day.refuses_read("/cashin/limits", MISSING, "payer_tax");
    day.refuses_read(
        "/cashin/limits?payer_tax=1",
        (400, "payer_tax_invalido", "corrigir"),
        "payer_tax",
    );
    day.refuses_read(&format!("/cashin/limits?payer={PAYER}"), INVALID, "payer");
    day.refuses_read("/cashin/catalog?asset=usdt", INVALID, "asset");
    day.refuses_read("/comissao?limit=1", INVALID, "limit");
    for target in ["/comissao/extrato?limit=0", "/comissao/extrato?limit=201"] {
        day.refuses_read(target, INVALID, "limit");
    }
    day.refuses_read("/comissao/extrato?before=12", INVALID, "before");
}

#[test]
fn commands_name_what_is_wrong() {
    let mut day = Untouched::trading();
    let command = |name: Value, body: Value| {
        json!({ "at": NOON, "key": KEY, "command": name, "body": body }).to_string()
    };
    let body = || json!({ "amount_cents": 3_000, "payout_address": WALLET });
    day.refuses(&command(json!("commission.steal"), body()), NOT_FOUND, "commission.steal");
    day.refuses(&command(json!(7), body()), MALFORMED, "command");
    let withdraw = |body: Value| command(json!("commission.withdraw"), body);
    day.refuses(&withdraw(without(body(), "amount_cents")), MISSING, "amount_cents");
    day.refuses(&withdraw(with(body(), "amount_cents", json!("1"))), NO_AMOUNT, "amount_cents");
    let no_wallet = (400, "payout_address_obrigatorio", "corrigir");
    day.refuses(&withdraw(without(body(), "payout_address")), no_wallet, "payout_address");
    for (key, value) in [("request", json!("GET /saldo")), ("fact", json!("time.passed"))] {
        let mut line: Value = serde_json::from_str(&withdraw(body())).unwrap();
        line[key] = value;
        day.refuses(&line.to_string(), MALFORMED, "command beside request or fact");
    }
    let mut line: Value = serde_json::from_str(&withdraw(body())).unwrap();
    line["environment"] = "live".into();
    day.refuses(&line.to_string(), MALFORMED, "environment");
    line = serde_json::from_str(&withdraw(json!({}))).unwrap();
    line["body"] = json!([]);
    day.refuses(&line.to_string(), MALFORMED, "body");
    line = serde_json::from_str(&withdraw(body())).unwrap();
    line.as_object_mut().unwrap().remove("key");
    day.refuses(&line.to_string(), (401, "chave_ausente", "corrigir"), "X-API-Key");
}

#[test]
fn terms_and_policies_that_contradict_themselves_are_refused() {
    let mut day = Untouched::trading();
    let terms =
        |field: &str, value: Value| with(json!({ "id": "t", "account": "loja" }), field, value);
    for (field, value) in [
        ("admin_fee_bps", json!(10_001)),
        ("partner_fee_bps", json!("100")),
        ("partner_fee_bps", json!(9_671)),
        ("saque_cripto_conversao_fee_bps", json!(10_001)),
    ] {
        day.refuses_fact("terms.adopted", &terms(field, value), MALFORMED, field);
    }
    let many = with(
        terms("saque_cripto_fee_bps", json!(9_000)),
        "saque_cripto_conversao_fee_bps",
        json!(9_000),
    );
    day.refuses_fact("terms.adopted", &many, MALFORMED, "saque_cripto_conversao_fee_bps");
    for field in ["admin_fee_fixed_cents", "liquid_provider_fee_cents", "cashin_daily_max_cents"] {
        day.refuses_fact("terms.adopted", &terms(field, json!(-1)), NO_AMOUNT, field);
    }
    let policy = |body: Value| {
        let body = with(body, "id", json!("p"));
        json!({ "at": NOON, "fact": "policy.adopted", "environment": "live", "body": body })
            .to_string()
    };
    let off = json!({ "payer_ladder": false, "ladder_hold_hours": 1 });
    day.refuses(&policy(off), MALFORMED, "payer_ladder");
    let low = json!({ "ladder_held_max_cents": 19_999 });
    day.refuses(&policy(low), MALFORMED, "ladder_held_max_cents");
    day.refuses(&policy(json!({ "ladder_hold_hours": 8_785 })), MALFORMED, "ladder_hold_hours");
    day.refuses(&policy(json!({ "cashin_paused": "yes" })), MALFORMED, "cashin_paused");
    day.refuses(
        &policy(json!({ "rate_max_age_seconds": 65_536 })),
        MALFORMED,
        "rate_max_age_seconds",
    );
    assert_ne!(OWNER, PAYER);
}
