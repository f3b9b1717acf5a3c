//! The order of refusals (rulings 6): each request begins with everything wrong; a row is the
//! refusal that comes next, and what puts right what it names. The last row leaves nothing wrong.

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, PAYER, judged, payout_body};
use crate::market::{TON, WALLET, conversion, purchase};

const NOON: &str = "2026-10-20T12:00:00Z";
/// When every price of noon is too old to quote by.
const LATER: &str = "2026-10-20T13:00:00Z";
/// When the waiting period of a deposit of noon is over.
const NEXT_NOON: &str = "2026-10-21T12:00:00Z";

/// Terms under which a first deposit is available at once, and waits for a day.
const WAITING: &str = r#"{"sem_retencao":true,"liberacao":"imediata","partner_fee_bps":1000}"#;

/// Puts right what a refusal named: by a fact, or in the line.
type Repair = fn(&mut Day, &mut Value);

/// Asks by `line`, without a key at first, until every row's refusal was named and put right.
fn walk(day: &mut Day, mut line: Value, rows: &[(u16, &str, Repair)]) {
    let keyless: [(u16, &str, Repair); 2] = [
        (401, "chave_ausente", |_, line| line["key"] = "svc_live_nobody".into()),
        (401, "chave_desconhecida", |_, line| line["key"] = KEY.into()),
    ];
    for (status, code, repair) in keyless.iter().chain(rows) {
        let before = day.digest();
        let answer = day.line(&line.to_string());
        let erro = answer.body["erro"].as_str().unwrap_or("none");
        assert_eq!((answer.status, erro), (*status, *code), "{line}: {}", answer.body);
        assert_eq!(day.digest(), before, "INV-06: {line}");
        repair(day, &mut line);
    }
    let answer = day.line(&line.to_string());
    assert_eq!(answer.status, 200, "{line}: {}", answer.body);
}

/// Sets a field of the line's body.
fn set(line: &mut Value, field: &str, value: impl Into<Value>) {
    line["body"][field] = value.into();
}

fn agree(day: &mut Day, terms: Value) {
    assert_eq!(day.agree(NOON, terms), "applied");
}

fn adopt(day: &mut Day, policy: Value) {
    assert_eq!(day.adopt(NOON, policy), "applied");
}

fn review(day: &mut Day, finding: &str) {
    let id = day.outside_id();
    let body = judged(json!({ "id": id, "payer_tax_number": PAYER, "finding": finding }));
    assert_eq!(day.report(NOON, "payer.reviewed", &body), "applied");
}

/// Money of the house, and as much of `a` that waits.
fn funded() -> Day {
    let mut day = Day::trading(NOON, WAITING);
    for (id, customer) in [("house", ""), ("a", "a")] {
        day.deposit(id, NOON, customer, 20_000);
    }
    day
}

fn line(request: &str, body: Value) -> Value {
    let mut line = json!({ "at": NOON, "request": request, "body": body });
    set(&mut line, "external_id", "x");
    line
}

#[test]
fn refusals_of_a_payout_come_in_their_order() {
    let mut day = funded();
    assert_eq!(day.payout("x", NOON, "", 100).status, 200);
    agree(&mut day, json!({ "custodia_ativa": false, "payout_enabled": false }));
    agree(&mut day, json!({ "payout_min_cents": 60, "payout_max_cents": 100 }));
    let mut asked = line("POST /payouts", payout_body("x", 0));
    set(&mut asked, "customer_ref", "a");
    // A key that is the CPF of another than whom the payout is for.
    set(&mut asked, "pix_key", "11144477735");
    set(&mut asked, "pix_key_type", "cpf");
    walk(
        &mut day,
        asked,
        &[
            (400, "amount_invalido", |_, line| set(line, "amount_cents", 101)),
            (409, "external_id_divergente", |_, line| set(line, "external_id", "y")),
            (403, "custodia_desligada", |day, _| agree(day, json!({ "custodia_ativa": true }))),
            (403, "payout_nao_liberado", |day, _| agree(day, json!({ "payout_enabled": true }))),
            (422, "payout_recusado", |_, line| {
                set(line, "pix_key", "ana@exemplo.com.br");
                set(line, "pix_key_type", Value::Null);
            }),
            (400, "valor_acima_do_maximo", |_, line| set(line, "amount_cents", 59)),
            (400, "valor_abaixo_do_minimo", |day, line| {
                agree(day, json!({ "payout_max_cents": 1_000_000 }));
                set(line, "amount_cents", 1_000_000);
            }),
            (423, "carencia_primeiro_deposito", |_, line| line["at"] = NEXT_NOON.into()),
            (402, "saldo_insuficiente", |_, line| set(line, "amount_cents", 60)),
        ],
    );
}

#[test]
fn refusals_of_a_transfer_come_in_their_order() {
    let mut day = funded();
    assert_eq!(day.transfer("x", NOON, "casa", "b", 10).status, 200);
    agree(&mut day, json!({ "custodia_ativa": false }));
    let body = json!({ "from_customer_ref": "a", "to_customer_ref": "a", "amount_cents": 0 });
    walk(
        &mut day,
        line("POST /saldo/transferir", body),
        &[
            (400, "amount_invalido", |_, line| set(line, "amount_cents", 1_000_000)),
            (409, "external_id_divergente", |_, line| set(line, "external_id", "y")),
            (403, "custodia_desligada", |day, _| agree(day, json!({ "custodia_ativa": true }))),
            (400, "origem_igual_destino", |_, line| set(line, "to_customer_ref", "b")),
            (423, "carencia_primeiro_deposito", |_, line| line["at"] = NEXT_NOON.into()),
            (409, "saldo_insuficiente", |_, line| set(line, "amount_cents", 10)),
        ],
    );
}

#[test]
fn refusals_of_a_deposit_come_in_their_order() {
    let mut day = Day::opened(NOON);
    assert_eq!(day.charge("x", NOON, "a", 5_000).status, 200);
    agree(&mut day, json!({ "custodia_ativa": false }));
    let body = json!({
        "destino": "saldo", "amount_cents": 0, "payer_tax_number": PAYER, "customer_ref": "a",
        "allow_hold": false, "sandbox_scenario": "hold",
    });
    let mut asked = line("POST /cashin/charge", body);
    asked["supplied"] = json!({});
    walk(
        &mut day,
        asked,
        &[
            (400, "amount_invalido", |_, line| set(line, "amount_cents", 600_001)),
            (409, "external_id_divergente", |_, line| set(line, "external_id", "y")),
            (403, "nao_permitido", |_, line| set(line, "sandbox_scenario", Value::Null)),
            (403, "custodia_desligada", |day, _| agree(day, json!({ "custodia_ativa": true }))),
            (400, "valor_acima_do_maximo", |_, line| set(line, "amount_cents", 6_001)),
            (403, "limite_do_pagador", |_, line| set(line, "amount_cents", 6_000)),
            (504, "provedor_sem_resposta", |_, line| line["supplied"] = Value::Null),
        ],
    );
}

#[test]
fn refusals_of_a_purchase_come_in_their_order_and_custody_is_none_of_them() {
    let terms = r#"{"cashin_daily_max_cents":15000,"sem_retencao":true,"custodia_ativa":false}"#;
    let mut day = Day::with_ladder(NOON, terms);
    day.market(NOON);
    assert_eq!(day.buy("x", NOON, 3_000).status, 200);
    adopt(&mut day, json!({ "cashin_paused": true }));
    review(&mut day, "blocked");
    assert_eq!(day.report(LATER, "time.passed", &json!({})), "applied");
    let mut asked = line("POST /cashin/charge", purchase(0));
    asked["at"] = LATER.into();
    asked["supplied"] = json!({ "provider_reference": "ref-1" });
    set(&mut asked, "allow_hold", false);
    set(&mut asked, "chain", "base");
    set(&mut asked, "payout_address", "x");
    walk(
        &mut day,
        asked,
        &[
            (400, "amount_invalido", |_, line| set(line, "amount_cents", 1)),
            (409, "external_id_divergente", |_, line| set(line, "external_id", "y")),
            (503, "cashin_indisponivel", |day, _| adopt(day, json!({ "cashin_paused": false }))),
            (400, "asset_invalido", |_, line| set(line, "chain", "aptos")),
            (400, "rede_indisponivel", |_, line| set(line, "chain", "ton")),
            (400, "payout_address_invalido", |_, line| set(line, "payout_address", TON)),
            (400, "memo_obrigatorio", |_, line| set(line, "payout_tag", "7001")),
            (503, "cotacao_indisponivel", |day, _| {
                assert_eq!(day.price(LATER, "usdt", "5.40"), "applied");
            }),
            (400, "valor_abaixo_do_minimo", |_, line| set(line, "amount_cents", 20_001)),
            (403, "pagador_bloqueado", |day, _| review(day, "unknown")),
            (403, "limite_do_pagador", |_, line| set(line, "amount_cents", 15_001)),
            (429, "limite_diario", |day, line| {
                adopt(day, json!({ "ladder_first_transaction_cents": 5_000 }));
                set(line, "amount_cents", 10_000);
            }),
            // It would be held.
            (403, "limite_do_pagador", |_, line| set(line, "amount_cents", 5_000)),
            (403, "pagador_recusado_pelo_provedor", |_, line| line["supplied"] = json!({})),
            (504, "provedor_sem_resposta", |_, line| line["supplied"] = Value::Null),
        ],
    );
}

#[test]
fn refusals_of_a_conversion_come_in_their_order() {
    let mut day = funded();
    assert_eq!(day.convert("x", NOON, "", 3_000).status, 200);
    adopt(&mut day, json!({ "conversions_paused": true }));
    agree(&mut day, json!({ "custodia_ativa": false }));
    let mut asked = line("POST /saldo/sacar-cripto", conversion("a", 0));
    asked["at"] = LATER.into();
    set(&mut asked, "max_debited_cents", 1);
    set(&mut asked, "chain", "base");
    set(&mut asked, "payout_address", "x");
    walk(
        &mut day,
        asked,
        &[
            (400, "amount_invalido", |_, line| set(line, "amount_cents", 1)),
            (409, "external_id_divergente", |_, line| set(line, "external_id", "y")),
            (503, "saque_indisponivel", |day, _| {
                adopt(day, json!({ "conversions_paused": false }));
            }),
            (403, "custodia_desligada", |day, _| agree(day, json!({ "custodia_ativa": true }))),
            (400, "asset_invalido", |_, line| set(line, "chain", "aptos")),
            (400, "rede_indisponivel", |_, line| set(line, "chain", "ton")),
            (400, "payout_address_invalido", |_, line| set(line, "payout_address", TON)),
            (400, "memo_obrigatorio", |_, line| set(line, "payout_tag", "7001")),
            (503, "cotacao_indisponivel", |day, _| {
                assert_eq!(day.price(LATER, "usdt", "5.40"), "applied");
            }),
            (400, "valor_abaixo_do_minimo", |_, line| set(line, "amount_cents", 1_000_000)),
            (409, "taxa_alterada", |_, line| set(line, "max_debited_cents", 90_000_000)),
            (423, "carencia_primeiro_deposito", |day, line| {
                line["at"] = NEXT_NOON.into();
                assert_eq!(day.price(NEXT_NOON, "usdt", "5.40"), "applied");
            }),
            (402, "saldo_insuficiente", |_, line| set(line, "amount_cents", 10_000)),
        ],
    );
}

#[test]
fn refusals_of_a_withdrawal_of_commission_come_in_their_order() {
    let mut day = Day::trading(NOON, WAITING);
    day.delivered("p", NOON, 100_000);
    assert_eq!(day.withdraw("x", NOON, 3_000).status, 200);
    adopt(&mut day, json!({ "conversions_paused": true }));
    let body = json!({
        "amount_cents": 0, "asset": "depix", "chain": "liquid", "payout_address": "x",
        "external_id": "x",
    });
    walk(
        &mut day,
        json!({ "at": NOON, "command": "commission.withdraw", "body": body }),
        &[
            (400, "amount_invalido", |_, line| set(line, "amount_cents", 1)),
            (409, "external_id_divergente", |_, line| set(line, "external_id", "y")),
            (503, "saque_indisponivel", |day, _| {
                adopt(day, json!({ "conversions_paused": false }));
            }),
            (400, "rede_indisponivel", |_, line| {
                set(line, "asset", "usdt");
                set(line, "chain", "polygon");
            }),
            (400, "payout_address_invalido", |_, line| set(line, "payout_address", WALLET)),
            (429, "saque_comissao_diario", |day, _| {
                adopt(day, json!({ "commission_interval_hours": 0 }));
            }),
            (400, "valor_abaixo_do_minimo", |_, line| set(line, "amount_cents", 7_001)),
            (402, "saldo_insuficiente", |_, line| set(line, "amount_cents", 7_000)),
        ],
    );
}

#[test]
fn authentication_comes_before_the_shape_of_what_is_read() {
    let mut day = funded();
    for (target, code) in [
        ("/saldo/extrato?limit=0", "requisicao_invalida"),
        ("/saldo?cliente=a", "requisicao_invalida"),
        ("/saldo/clientes?limit=0", "requisicao_invalida"),
        ("/saldo/clientes?com_saldo=yes", "requisicao_invalida"),
        ("/payouts", "campos_obrigatorios"),
    ] {
        for (key, expected) in [
            (Value::Null, (401, "chave_ausente")),
            ("svc_live_nobody".into(), (401, "chave_desconhecida")),
            (KEY.into(), (400, code)),
        ] {
            let mut line = json!({ "at": NOON, "request": format!("GET {target}") });
            if !key.is_null() {
                line["key"] = key;
            }
            let answer = day.line(&line.to_string());
            let erro = answer.body["erro"].as_str().unwrap_or("none");
            assert_eq!((answer.status, erro), expected, "{target}");
        }
    }
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
    let mut payout = payout_body("p", 100);
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
