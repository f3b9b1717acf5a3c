//! The order of refusals (rulings 6): shape, authentication, idempotency, feature switched off,
//! destination, limits, waiting period, balance. Each request here breaks two rules, or more.

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, PAYER, payout_body};

const NOON: &str = "2026-10-20T12:00:00Z";

/// A first deposit of 20,000 whose waiting period runs.
fn waiting() -> Day {
    let mut day = Day::with_terms(NOON, r#"{"sem_retencao":true,"liberacao":"imediata"}"#);
    day.deposit("d", NOON, "a", 20_000);
    day
}

fn free() -> Day {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    day
}

fn adopt(day: &mut Day, terms: Value) {
    let Value::Object(mut body) = terms else { unreachable!("terms are an object") };
    body.insert("id".into(), day.outside_id().into());
    body.insert("account".into(), "loja".into());
    assert_eq!(day.report(NOON, "terms.adopted", &Value::Object(body)), "applied");
}

fn charge(cents: i64) -> Value {
    json!({
        "destino": "saldo", "amount_cents": cents, "payer_tax_number": PAYER, "customer_ref": "a",
        "external_id": "x",
    })
}

fn transfer(to: &str, cents: i64) -> Value {
    json!({
        "from_customer_ref": "a", "to_customer_ref": to, "amount_cents": cents, "external_id": "x",
    })
}

fn payout(cents: i64) -> Value {
    let mut body = payout_body("x", cents);
    body["customer_ref"] = "a".into();
    body
}

/// A payout to a key that belongs to another CPF.
fn payout_to_another(cents: i64) -> Value {
    let mut body = payout(cents);
    body["pix_key"] = "11144477735".into();
    body["pix_key_type"] = "cpf".into();
    body
}

fn refused(day: &mut Day, key: Option<&str>, request: &str, body: &Value, kind: (u16, &str)) {
    let mut line = json!({ "at": NOON, "request": request, "body": body });
    if let Some(key) = key {
        line["key"] = key.into();
    }
    let answer = day.line(&line.to_string());
    let erro = answer.body["erro"].as_str().unwrap_or("no error");
    assert_eq!((answer.status, erro), kind, "{request}: {}", answer.body);
}

#[test]
fn authentication_comes_before_shape() {
    let mut day = free();
    let keys = [
        (None, Some((401, "chave_ausente"))),
        (Some("svc_live_nobody"), Some((401, "chave_desconhecida"))),
        (Some(KEY), None),
    ];
    for (key, unknown) in keys {
        let requests = [
            ("POST /cashin/charge", charge(0)),
            ("POST /saldo/transferir", transfer("b", 0)),
            ("POST /payouts", payout(0)),
        ];
        for (request, body) in requests {
            let is = unknown.unwrap_or((400, "amount_invalido"));
            refused(&mut day, key, request, &body, is);
        }
        for (target, code) in [
            ("GET /saldo/extrato?limit=0", "requisicao_invalida"),
            ("GET /saldo?cliente=a", "requisicao_invalida"),
            ("GET /payouts", "campos_obrigatorios"),
        ] {
            refused(&mut day, key, target, &json!({}), unknown.unwrap_or((400, code)));
        }
    }
}

#[test]
fn authentication_comes_before_shape_for_the_list_of_customers() {
    let mut day = free();
    for target in ["GET /saldo/clientes?limit=0", "GET /saldo/clientes?com_saldo=yes"] {
        refused(&mut day, None, target, &json!({}), (401, "chave_ausente"));
        refused(&mut day, Some(KEY), target, &json!({}), (400, "requisicao_invalida"));
    }
}

#[test]
fn shape_comes_before_a_feature_switched_off() {
    let mut day = free();
    adopt(&mut day, json!({ "custodia_ativa": false, "payout_enabled": false }));
    refused(&mut day, Some(KEY), "POST /payouts", &payout(0), (400, "amount_invalido"));
    let mut body = charge(0);
    body["destino"] = "cripto".into();
    refused(&mut day, Some(KEY), "POST /cashin/charge", &body, (400, "amount_invalido"));
}

#[test]
fn authentication_comes_before_idempotency() {
    let mut day = free();
    assert_eq!(day.ask(NOON, "POST /payouts", &payout(100)).status, 200);
    let nobody = Some("svc_live_nobody");
    for body in [payout(100), payout(200)] {
        refused(&mut day, nobody, "POST /payouts", &body, (401, "chave_desconhecida"));
        refused(&mut day, None, "POST /payouts", &body, (401, "chave_ausente"));
    }
}

#[test]
fn authentication_comes_before_what_is_not_offered() {
    let mut day = free();
    let mut crypto = charge(5_000);
    crypto["destino"] = "cripto".into();
    refused(&mut day, None, "POST /cashin/charge", &crypto, (401, "chave_ausente"));
    let mut scenario = charge(5_000);
    scenario["sandbox_scenario"] = "hold".into();
    refused(&mut day, None, "POST /cashin/charge", &scenario, (401, "chave_ausente"));
    refused(&mut day, Some(KEY), "POST /cashin/charge", &scenario, (403, "nao_permitido"));
}

#[test]
fn idempotency_comes_before_a_feature_switched_off() {
    let mut day = free();
    let requests = [
        ("POST /cashin/charge", charge(5_000), charge(6_000)),
        ("POST /saldo/transferir", transfer("b", 10), transfer("b", 11)),
        ("POST /payouts", payout(100), payout(200)),
    ];
    for (request, body, _) in &requests {
        assert_eq!(day.ask(NOON, request, body).status, 200);
    }
    adopt(&mut day, json!({ "custodia_ativa": false, "payout_enabled": false }));
    for (request, body, changed) in &requests {
        refused(&mut day, Some(KEY), request, changed, (409, "external_id_divergente"));
        assert_eq!(day.ask(NOON, request, body).status, 200);
    }
}

#[test]
fn custody_switched_off_comes_before_payouts_switched_off() {
    let mut day = free();
    adopt(&mut day, json!({ "custodia_ativa": false, "payout_enabled": false }));
    refused(&mut day, Some(KEY), "POST /payouts", &payout(100), (403, "custodia_desligada"));
    adopt(&mut day, json!({ "custodia_ativa": true }));
    refused(&mut day, Some(KEY), "POST /payouts", &payout(100), (403, "payout_nao_liberado"));
}

#[test]
fn a_feature_switched_off_comes_before_the_destination() {
    let mut day = free();
    adopt(&mut day, json!({ "payout_enabled": false }));
    let body = payout_to_another(100);
    refused(&mut day, Some(KEY), "POST /payouts", &body, (403, "payout_nao_liberado"));
    adopt(&mut day, json!({ "custodia_ativa": false }));
    let body = transfer("a", 10);
    refused(&mut day, Some(KEY), "POST /saldo/transferir", &body, (403, "custodia_desligada"));
}

#[test]
fn a_feature_switched_off_comes_before_limits() {
    let mut day = free();
    adopt(&mut day, json!({ "custodia_ativa": false }));
    refused(&mut day, Some(KEY), "POST /cashin/charge", &charge(1), (403, "custodia_desligada"));
}

#[test]
fn the_destination_comes_before_limits() {
    let mut day = free();
    adopt(&mut day, json!({ "payout_max_cents": 50 }));
    let body = payout_to_another(100);
    refused(&mut day, Some(KEY), "POST /payouts", &body, (422, "payout_recusado"));
}

#[test]
fn the_destination_comes_before_the_waiting_period() {
    let mut day = waiting();
    let body = transfer("a", 10);
    refused(&mut day, Some(KEY), "POST /saldo/transferir", &body, (400, "origem_igual_destino"));
    let body = payout_to_another(100);
    refused(&mut day, Some(KEY), "POST /payouts", &body, (422, "payout_recusado"));
}

#[test]
fn limits_come_before_the_waiting_period() {
    let mut day = waiting();
    adopt(&mut day, json!({ "payout_min_cents": 60, "payout_max_cents": 100 }));
    refused(&mut day, Some(KEY), "POST /payouts", &payout(101), (400, "valor_acima_do_maximo"));
    refused(&mut day, Some(KEY), "POST /payouts", &payout(59), (400, "valor_abaixo_do_minimo"));
}

#[test]
fn limits_come_before_the_balance_of_a_subaccount_never_seen() {
    let mut day = free();
    adopt(&mut day, json!({ "payout_max_cents": 100 }));
    let mut body = payout(101);
    body["customer_ref"] = "never-seen".into();
    refused(&mut day, Some(KEY), "POST /payouts", &body, (400, "valor_acima_do_maximo"));
    body["amount_cents"] = 100.into();
    refused(&mut day, Some(KEY), "POST /payouts", &body, (402, "saldo_insuficiente"));
}

#[test]
fn limits_come_before_the_hold_that_is_not_allowed_and_both_before_the_missing_qr() {
    let mut day = Day::opened(NOON);
    let ask = |day: &mut Day, cents: i64, kind: (u16, &str)| {
        let mut body = charge(cents);
        body["allow_hold"] = false.into();
        let line = json!({
            "at": NOON, "key": KEY, "request": "POST /cashin/charge", "body": body, "supplied": {},
        });
        let answer = day.line(&line.to_string());
        assert_eq!((answer.status, answer.body["erro"].as_str().unwrap()), kind, "{cents}");
    };
    ask(&mut day, 600_001, (400, "valor_acima_do_maximo"));
    ask(&mut day, 6_001, (403, "limite_do_pagador"));
    ask(&mut day, 6_000, (504, "provedor_sem_resposta"));
}

#[test]
fn the_waiting_period_comes_before_the_balance() {
    let mut day = waiting();
    let kind = (423, "carencia_primeiro_deposito");
    refused(&mut day, Some(KEY), "POST /payouts", &payout(1_000_000), kind);
    let body = transfer("b", 1_000_000);
    refused(&mut day, Some(KEY), "POST /saldo/transferir", &body, kind);
}
