//! The order of refusals where crypto is delivered (rulings 6): shape, authentication, idempotency,
//! feature switched off, destination, limits, waiting period, balance. Each request here breaks two
//! rules, or more.

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, PAYER, judged};
use crate::market::{TON, TRON, WALLET, conversion, purchase};

const NOON: &str = "2026-10-20T12:00:00Z";

/// What is asked, with a body that passes but for the balance.
type SampleRequest = (&'static str, fn() -> Value);

const SAMPLE_REQUESTS: [SampleRequest; 2] = [
    ("POST /cashin/charge", || purchase(10_000)),
    ("POST /saldo/sacar-cripto", || conversion("a", 10_000)),
];

fn with(mut body: Value, field: &str, value: Value) -> Value {
    body[field] = value;
    body
}

/// The HTTP status and the code, or that it passed.
fn outcome(day: &mut Day, key: Option<&str>, ask: (&str, &str), body: &Value) -> (u16, String) {
    let mut line = json!({ "at": NOON, ask.0: ask.1, "body": body });
    if let Some(key) = key {
        line["key"] = key.into();
    }
    let answer = day.line(&line.to_string());
    (answer.status, answer.body["erro"].as_str().unwrap_or("passed").to_owned())
}

fn submit(day: &mut Day, request: &str, body: &Value) -> (u16, String) {
    outcome(day, Some(KEY), ("request", request), body)
}

fn withdrawing(day: &mut Day, body: &Value) -> (u16, String) {
    outcome(day, Some(KEY), ("command", "commission.withdraw"), body)
}

fn is(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

fn pause(day: &mut Day, paused: bool) {
    let policy = json!({ "cashin_paused": paused, "conversions_paused": paused });
    assert_eq!(day.adopt(NOON, policy), "applied");
}

fn commission(cents: i64) -> Value {
    json!({ "amount_cents": cents, "payout_address": WALLET })
}

#[test]
fn authentication_comes_before_shape_and_idempotency() {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    for (request, body) in SAMPLE_REQUESTS {
        let named = with(body(), "external_id", json!("x"));
        assert_eq!(submit(&mut day, request, &named), is(200, "passed"));
        let zero = with(named.clone(), "amount_cents", json!(0));
        let other = with(named, "amount_cents", json!(9_999));
        for key in [None, Some("svc_live_nobody")] {
            let code = if key.is_none() { "chave_ausente" } else { "chave_desconhecida" };
            for body in [&zero, &other] {
                assert_eq!(outcome(&mut day, key, ("request", request), body), is(401, code));
            }
        }
        assert_eq!(submit(&mut day, request, &zero), is(400, "amount_invalido"));
    }
    let nobody = ("command", "commission.withdraw");
    for cents in [0, 1] {
        assert_eq!(outcome(&mut day, None, nobody, &commission(cents)), is(401, "chave_ausente"));
    }
    assert_eq!(withdrawing(&mut day, &commission(0)), is(400, "amount_invalido"));
}

#[test]
fn idempotency_comes_before_a_pause_and_that_before_the_destination() {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    for (request, body) in SAMPLE_REQUESTS {
        let named = with(body(), "external_id", json!("x"));
        assert_eq!(submit(&mut day, request, &named), is(200, "passed"));
    }
    pause(&mut day, true);
    for ((request, body), code) in
        SAMPLE_REQUESTS.into_iter().zip(["cashin_indisponivel", "saque_indisponivel"])
    {
        let named = with(body(), "external_id", json!("x"));
        assert_eq!(submit(&mut day, request, &named), is(200, "passed"), "a repeat");
        let other = with(named, "payout_address", json!("nowhere"));
        assert_eq!(submit(&mut day, request, &other), is(409, "external_id_divergente"));
        let nowhere = with(body(), "asset", json!("btc"));
        assert_eq!(submit(&mut day, request, &nowhere), is(503, code));
        let too_much = with(body(), "amount_cents", json!(600_001));
        assert_eq!(submit(&mut day, request, &too_much), is(503, code));
    }
    assert_eq!(withdrawing(&mut day, &commission(1)), is(503, "saque_indisponivel"));
}

#[test]
fn custody_switched_off_stops_conversions_and_no_purchase() {
    let mut day = Day::trading(NOON, AT_ONCE);
    assert_eq!(day.agree(NOON, json!({ "custodia_ativa": false })), "applied");
    let nowhere = with(conversion("a", 10_000), "asset", json!("btc"));
    assert_eq!(
        submit(&mut day, "POST /saldo/sacar-cripto", &nowhere),
        is(403, "custodia_desligada")
    );
    assert_eq!(submit(&mut day, "POST /cashin/charge", &purchase(10_000)), is(200, "passed"));
}

#[test]
fn the_destination_is_judged_pair_wallet_memo_and_price_and_all_before_limits() {
    let mut day = Day::trading(NOON, AT_ONCE);
    for (request, body) in SAMPLE_REQUESTS {
        let to = |chain: &str, address: Value, cents: i64| {
            let body = with(body(), "amount_cents", json!(cents));
            with(with(body, "chain", json!(chain)), "payout_address", address)
        };
        let mut code = |body: &Value| submit(&mut day, request, body);
        for cents in [1, 600_001] {
            assert_eq!(
                code(&to("base", json!("x"), cents)),
                is(400, "asset_invalido"),
                "{request}"
            );
            assert_eq!(code(&to("aptos", json!("x"), cents)), is(400, "rede_indisponivel"));
            assert_eq!(code(&to("ton", json!("x"), cents)), is(400, "payout_address_invalido"));
            assert_eq!(code(&to("ton", json!(TON), cents)), is(400, "memo_obrigatorio"));
            assert_eq!(code(&to("tron", json!(TRON), 1)), is(400, "valor_abaixo_do_minimo"));
        }
    }
}

#[test]
fn a_missing_price_comes_after_the_wallet_and_before_limits() {
    let late = "2026-10-20T13:00:00Z";
    let mut day = Day::trading(NOON, AT_ONCE);
    for (request, body) in SAMPLE_REQUESTS {
        let mut code = |body: &Value| {
            let answer = day.ask(late, request, body);
            answer.body["erro"].as_str().unwrap().to_owned()
        };
        let nowhere = with(body(), "payout_address", json!("nowhere"));
        assert_eq!(code(&nowhere), "payout_address_invalido");
        assert_eq!(code(&with(body(), "amount_cents", json!(1))), "cotacao_indisponivel");
    }
}

#[test]
fn limits_of_a_purchase_are_judged_range_payer_ceiling_hold_and_provider() {
    let terms = r#"{"cashin_daily_max_cents":15000,"sem_retencao":true}"#;
    let mut day = Day::with_ladder(NOON, terms);
    day.market(NOON);
    let line = |day: &mut Day, cents: i64, supplied: Value| {
        let mut body = purchase(cents);
        body["allow_hold"] = false.into();
        let line = json!({
            "at": NOON, "key": KEY, "request": "POST /cashin/charge", "body": body,
            "supplied": supplied,
        });
        let answer = day.line(&line.to_string());
        (answer.status, answer.body["erro"].as_str().unwrap_or("passed").to_owned())
    };
    let refused = || json!({ "provider_reference": "ref-1" });
    assert_eq!(line(&mut day, 1, refused()), is(400, "valor_abaixo_do_minimo"));
    assert_eq!(line(&mut day, 600_001, refused()), is(403, "limite_do_pagador"), "a whole day");
    assert_eq!(line(&mut day, 20_001, refused()), is(403, "limite_do_pagador"), "first QR");
    assert_eq!(line(&mut day, 15_001, refused()), is(429, "limite_diario"));
    assert_eq!(day.adopt(NOON, json!({ "ladder_first_transaction_cents": 5_000 })), "applied");
    assert_eq!(line(&mut day, 10_000, refused()), is(403, "limite_do_pagador"), "it would be held");
    assert_eq!(line(&mut day, 5_000, refused()), is(403, "pagador_recusado_pelo_provedor"));
    assert_eq!(line(&mut day, 5_000, json!({})), is(504, "provedor_sem_resposta"));
    let body = json!({ "id": "r", "payer_tax_number": PAYER, "finding": "blocked" });
    assert_eq!(day.report(NOON, "payer.reviewed", &judged(body)), "applied");
    assert_eq!(line(&mut day, 20_001, refused()), is(403, "pagador_bloqueado"));
    assert_eq!(line(&mut day, 1, refused()), is(400, "valor_abaixo_do_minimo"));
}

#[test]
fn limits_of_a_conversion_come_before_its_cap_the_waiting_period_and_the_balance() {
    let mut day = Day::trading(NOON, r#"{"sem_retencao":true,"liberacao":"imediata"}"#);
    day.deposit("d", NOON, "a", 20_000);
    let mut code = |cents: i64, cap: i64| {
        let body = with(conversion("a", cents), "max_debited_cents", json!(cap));
        submit(&mut day, "POST /saldo/sacar-cripto", &body)
    };
    assert_eq!(code(2_703, 1), is(400, "valor_abaixo_do_minimo"));
    assert_eq!(code(1_000_000, 1), is(409, "taxa_alterada"));
    assert_eq!(code(1_000_000, 90_000_000), is(423, "carencia_primeiro_deposito"));
    let body = conversion("never-seen", 1_000_000);
    assert_eq!(submit(&mut day, "POST /saldo/sacar-cripto", &body), is(402, "saldo_insuficiente"));
    let body = conversion("never-seen", 2_703);
    assert_eq!(
        submit(&mut day, "POST /saldo/sacar-cripto", &body),
        is(400, "valor_abaixo_do_minimo")
    );
}

#[test]
fn a_commission_withdrawal_is_judged_destination_interval_minimum_and_balance() {
    let mut day = Day::trading(NOON, r#"{"partner_fee_bps":1000}"#);
    day.delivered("p", NOON, 100_000);
    assert_eq!(day.withdraw("w", NOON, 3_000).status, 200);
    let nowhere = with(commission(1), "payout_address", json!("nowhere"));
    assert_eq!(withdrawing(&mut day, &nowhere), is(400, "payout_address_invalido"));
    assert_eq!(withdrawing(&mut day, &commission(1)), is(429, "saque_comissao_diario"));
    assert_eq!(day.adopt(NOON, json!({ "commission_interval_hours": 0 })), "applied");
    assert_eq!(withdrawing(&mut day, &commission(1)), is(400, "valor_abaixo_do_minimo"));
    assert_eq!(withdrawing(&mut day, &commission(7_001)), is(402, "saldo_insuficiente"));
    assert_eq!(withdrawing(&mut day, &commission(7_000)), is(200, "passed"));
    let liquid =
        json!({ "amount_cents": 1, "asset": "depix", "chain": "liquid", "payout_address": "x" });
    assert_eq!(withdrawing(&mut day, &liquid), is(400, "rede_indisponivel"));
}

#[test]
fn cus_02_without_custody_all_its_operations_are_refused_and_it_says_so() {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    assert_eq!(day.get(NOON, "/saldo")["custodia_ativa"], true);
    assert_eq!(day.agree(NOON, json!({ "custodia_ativa": false })), "applied");
    assert_eq!(day.get(NOON, "/saldo")["custodia_ativa"], false);
    assert_eq!(day.get(NOON, "/saldo?customer_ref=a")["custodia_ativa"], false);
    let before = day.digest();
    let deposit = json!({ "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": PAYER });
    let moved = json!({ "from_customer_ref": "a", "to_customer_ref": "b", "amount_cents": 100 });
    let mut payout = crate::day::payout_body("p", 100);
    payout["customer_ref"] = "a".into();
    for (request, body) in [
        ("POST /cashin/charge", deposit),
        ("POST /saldo/transferir", moved),
        ("POST /payouts", payout),
        ("POST /saldo/sacar-cripto", conversion("a", 10_000)),
    ] {
        let refused = day.ask(NOON, request, &body);
        let refusal = [&refused.body["erro"], &refused.body["acao"]];
        assert_eq!(
            (refused.status, refusal),
            (403, [&json!("custodia_desligada"), &json!("falar_com_suporte")])
        );
    }
    assert_eq!(day.digest(), before);
    assert_eq!(day.balance(NOON, "a"), (19_900, 0), "what is there is shown as before");
}
