//! Partner commission: earned when the fee is, a ledger of its own, withdrawn in crypto, reversed
//! with what it came from (COM-01 to COM-11, FEE-03, FEE-07, IDEM-13; rulings 28 and 38).

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::day::{Day, KEY, fields};
use crate::market::WALLET;
use crate::pages;

const NOON: &str = "2026-10-20T12:00:00Z";
const LATER: &str = "2026-10-20T13:00:00Z";

/// A partner with 10 % of purchases and 5 % of exits: enough to withdraw.
const TERMS: &str = r#"{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0,
    "partner_fee_bps":1000,"partner_saque_fee_bps":500}"#;

fn partner() -> Day {
    Day::trading(NOON, TERMS)
}

/// 10,000 of commission, out of one purchase of 100,000.
fn earned() -> Day {
    let mut day = partner();
    day.delivered("p", NOON, 100_000);
    assert_eq!(day.money(Control::Commission), 10_000);
    day
}

fn commission(day: &mut Day, at: &str) -> Value {
    day.get(at, "/comissao")
}

fn moves(day: &mut Day) -> Value {
    let page = day.get(NOON, "/comissao/extrato?limit=200");
    assert_eq!(page["has_more"], false);
    let rows = page["movimentos"].as_array().unwrap();
    let listed = rows.iter().rev().map(|row| json!([row["tipo"], row["valor_cents"]]));
    listed.collect()
}

#[test]
fn com_01_it_accrues_on_purchases_and_exits_and_not_on_deposits() {
    let mut day = partner();
    day.deposit("d", NOON, "a", 100_000);
    assert_eq!(day.money(Control::Commission), 0);
    day.delivered("p", NOON, 100_000);
    assert_eq!(day.payout("o", NOON, "a", 10_000).status, 200);
    assert_eq!(day.paid("o", NOON), "applied");
    assert_eq!(day.convert("c", NOON, "a", 10_000).status, 200);
    assert_eq!(day.sent("c", NOON), "applied");
    assert_eq!(
        moves(&mut day),
        json!([["comissao", 10_000], ["comissao", 500], ["comissao", 500]])
    );
    assert_eq!(commission(&mut day, NOON)["saldo_cents"], 11_000);
}

#[test]
fn com_09_it_accrues_when_the_operation_is_done_and_not_before() {
    let mut day = partner();
    day.deposit("d", NOON, "a", 100_000);
    day.bought("p", NOON, 100_000);
    assert_eq!(day.payout("o", NOON, "a", 10_000).status, 200);
    assert_eq!(day.convert("c", NOON, "a", 10_000).status, 200);
    for id in ["p", "c"] {
        assert_eq!(day.delivery_reports(id, NOON, "started"), "applied");
    }
    assert_eq!(moves(&mut day), json!([]));
    assert_eq!(day.delivery_reports("c", NOON, "failed"), "applied");
    assert_eq!(day.give_up("c", NOON, "saldo"), "applied");
    let body = json!({ "id": "ref-1", "payout_id": "$o.payout_id" });
    assert_eq!(day.report(NOON, "payout.refused", &body), "applied");
    assert_eq!(moves(&mut day), json!([]), "what failed earned nobody anything");
}

#[test]
fn com_04_the_views_have_exactly_these_fields() {
    let mut day = earned();
    let view = commission(&mut day, NOON);
    let expected = json!({
        "saldo_cents": 10_000, "disponivel_cents": 10_000, "movimentos": 1,
        "ultimo_saque_em": null, "proximo_saque_em": null,
    });
    assert_eq!(view, expected);
    let page = day.get(NOON, "/comissao/extrato");
    assert_eq!(fields(&page), ["movimentos", "has_more", "proxima_pagina"]);
    let row = &page["movimentos"][0];
    let names = [
        "movimento_id",
        "tipo",
        "descricao",
        "valor_cents",
        "saldo_apos_cents",
        "origem_id",
        "created_at",
    ];
    assert_eq!(fields(row), names);
    assert_eq!(row["origem_id"], day.status(NOON, "p")["cashin_id"]);
    let created = day.withdraw("w", NOON, 5_000).body;
    let names = [
        "withdrawal_id",
        "status",
        "settlement_status",
        "amount_cents",
        "asset",
        "chain",
        "payout_address",
        "usdt_amount",
        "amount",
        "settlement_tx_hash",
        "external_id",
        "created_at",
        "settled_at",
    ];
    assert_eq!(fields(&created), names);
}

#[test]
fn com_03_its_statement_is_paged_and_sums_to_the_balance() {
    let mut day = partner();
    for index in 0..5 {
        day.delivered(&format!("p{index}"), NOON, 10_000 + index);
    }
    let mut seen = Vec::new();
    pages::walk("before", |before| {
        let page = day.get(NOON, &format!("/comissao/extrato?limit=2{before}"));
        seen.extend(page["movimentos"].as_array().unwrap().clone());
        pages::next(&page, "proxima_pagina")
    });
    let sum: i64 = seen.iter().map(|row| row["valor_cents"].as_i64().unwrap()).sum();
    assert_eq!((seen.len(), json!(sum)), (5, commission(&mut day, NOON)["saldo_cents"].clone()));
    assert_eq!(seen[0]["saldo_apos_cents"], sum, "newest first");
    for cursor in ["1", "0000000", "x", "99123456"] {
        let line = json!({
            "at": NOON, "key": KEY, "request": format!("GET /comissao/extrato?before={cursor}"),
        });
        let refused = day.line(&line.to_string());
        assert_eq!((refused.status, &refused.body["erro"]), (400, &json!("requisicao_invalida")));
    }
}

#[test]
fn com_02_a_withdrawal_is_delivered_in_crypto_and_costs_no_fee() {
    let mut day = earned();
    let made = day.withdraw("w", NOON, 5_400);
    assert_eq!(made.status, 200, "{}", made.body);
    assert_eq!((&made.body["amount"], &made.body["status"]), (&json!("10.000000"), &json!("paid")));
    assert_eq!(day.money(Control::Commission), 4_600);
    assert_eq!(day.money(Control::ConversionInFlight), 5_400);
    let sent = json!({ "tx_hash": "0xw" });
    let answer = day.delivery("$w.withdrawal_id", LATER, "sent", sent);
    assert_eq!(answer["outcome"], "applied");
    assert_eq!(day.money(Control::ConversionInFlight), 0);
    assert_eq!(day.money(Control::ConversionIncome), 0);
    assert_eq!(moves(&mut day), json!([["comissao", 10_000], ["saque_comissao", -5_400]]));
    let view = commission(&mut day, LATER);
    assert_eq!(view["ultimo_saque_em"], NOON);
    assert_eq!(view["proximo_saque_em"], "2026-10-21T12:00:00Z");
}

#[test]
fn rulings_38_a_definite_failure_gives_it_back_and_an_unknown_outcome_nothing() {
    let mut day = earned();
    assert_eq!(day.withdraw("w", NOON, 5_400).status, 200);
    let report =
        |day: &mut Day, name: &str| day.delivery("$w.withdrawal_id", NOON, name, json!({}));
    assert_eq!(report(&mut day, "started")["outcome"], "applied");
    assert_eq!(report(&mut day, "unknown")["outcome"], "applied");
    let give_up = || crate::day::judged(json!({ "to": "saldo" }));
    let answer = day.delivery("$w.withdrawal_id", NOON, "given_up", give_up());
    assert_eq!(answer["outcome"], "set_aside");
    assert_eq!(day.money(Control::Commission), 4_600);
    let not_sent = crate::day::judged(json!({ "outcome": "not_sent" }));
    let answer = day.delivery("$w.withdrawal_id", NOON, "evidence", not_sent);
    assert_eq!(answer["outcome"], "applied");
    let answer = day.delivery("$w.withdrawal_id", NOON, "given_up", give_up());
    assert_eq!(answer["outcome"], "applied");
    assert_eq!(day.money(Control::Commission), 10_000);
    assert_eq!(moves(&mut day)[2], json!(["devolucao_saque_comissao", 5_400]));
}

#[test]
fn com_07_a_retry_answers_the_original_within_the_interval_and_after_it() {
    let mut day = earned();
    let first = day.withdraw("w", NOON, 3_000);
    assert_eq!(first.status, 200, "{}", first.body);
    let before = day.digest();
    assert_eq!(day.withdraw("w", NOON, 3_000), first);
    assert_eq!(day.withdraw("w", LATER, 3_000), first);
    assert_eq!(day.digest(), before);
    let refused = day.withdraw("v", NOON, 3_000);
    assert_eq!((refused.status, &refused.body["erro"]), (429, &json!("saque_comissao_diario")));
    assert_eq!(refused.body["acao"], "esperar");
    assert_eq!(refused.body["retry_after_seconds"], 86_400);
    assert_eq!(refused.body["libera_em"], "2026-10-21T12:00:00Z");
    let (last, next) = ("2026-10-21T11:59:59.999999Z", "2026-10-21T12:00:00Z");
    assert_eq!(day.price(last, "usdt", "5.40"), "applied");
    assert_eq!([last, next].map(|at| day.withdraw("v", at, 3_000).status), [429, 200]);
}

#[test]
fn com_06_the_switch_checks_the_interval_before_the_reference() {
    let mut day = earned();
    assert_eq!(day.adopt(NOON, json!({ "commission_interval_first": true })), "applied");
    let first = day.withdraw("w", NOON, 3_000);
    assert_eq!(first.status, 200);
    let retried = day.withdraw("w", NOON, 3_000);
    assert_eq!((retried.status, &retried.body["erro"]), (429, &json!("saque_comissao_diario")));
    let next = "2026-10-21T12:00:00Z";
    assert_eq!(day.withdraw("w", next, 3_000), first, "afterwards the reference is found");
    assert_eq!(day.adopt(next, json!({ "commission_interval_first": false })), "applied");
    assert_eq!(day.withdraw("w", next, 3_000), first);
}

#[test]
fn idem_13_a_divergent_retry_names_what_differs() {
    let mut day = earned();
    assert_eq!(day.withdraw("w", NOON, 3_000).status, 200);
    let refused = day.withdraw("w", NOON, 3_001);
    assert_eq!((refused.status, &refused.body["erro"]), (409, &json!("external_id_divergente")));
    assert_eq!(refused.body["campos_divergentes"], json!(["amount_cents"]));
}

#[test]
fn com_09_a_return_reverses_it_in_proportion_and_it_may_go_below_zero() {
    let mut day = earned();
    assert_eq!(day.withdraw("w", NOON, 10_000).status, 200);
    assert_eq!(day.money(Control::Commission), 0);
    assert_eq!(day.give_back("p", NOON, 100_000), "applied");
    let view = commission(&mut day, NOON);
    assert_eq!((&view["saldo_cents"], &view["disponivel_cents"]), (&json!(-10_000), &json!(0)));
    assert_eq!(moves(&mut day)[2], json!(["estorno_comissao", -10_000]));
    let next = "2026-10-21T12:00:00Z";
    day.price(next, "usdt", "5.40");
    let refused = day.withdraw("v", next, 3_000);
    assert_eq!((refused.status, &refused.body["erro"]), (402, &json!("saldo_insuficiente")));
    day.delivered("q", next, 200_000);
    assert_eq!(commission(&mut day, next)["saldo_cents"], 10_000, "later ones cure it");
    assert_eq!(day.withdraw("v", next, 3_000).status, 200);
}

#[test]
fn com_08_a_new_rate_changes_nothing_that_was_asked_before() {
    let mut day = partner();
    day.bought("p", NOON, 100_000);
    assert_eq!(day.agree(NOON, json!({ "partner_fee_bps": 100 })), "applied");
    assert_eq!(day.sent("p", NOON), "applied");
    day.delivered("q", NOON, 100_000);
    assert_eq!(moves(&mut day), json!([["comissao", 10_000], ["comissao", 1_000]]));
}

#[test]
fn com_11_it_is_never_a_fee_of_its_own_in_the_operations_view() {
    let mut day = partner();
    day.deposit("d", NOON, "a", 100_000);
    assert_eq!(day.convert("c", NOON, "a", 10_000).status, 200);
    assert_eq!(day.sent("c", NOON), "applied");
    for row in day.rows(NOON, "a", "&visao=operacoes") {
        assert!(row["taxas"].as_array().unwrap().len() == 1, "{row}");
        assert!(!row.to_string().contains("comiss"), "{row}");
    }
}

#[test]
fn com_10_commission_has_no_event_on_the_wire() {
    let mut day = earned();
    day.new_events();
    assert_eq!(day.withdraw("w", NOON, 5_400).status, 200);
    let sent = json!({ "tx_hash": "0xw" });
    assert_eq!(day.delivery("$w.withdrawal_id", NOON, "sent", sent)["outcome"], "applied");
    assert_eq!(day.new_events(), [""; 0]);
    let asked = day.instructions().last().unwrap();
    assert_eq!(
        (&asked["instruction"], &asked["payout_address"]),
        (&json!("crypto.deliver"), &json!(WALLET))
    );
}

#[test]
fn only_the_key_that_earned_it_sees_and_withdraws_it() {
    let mut day = earned();
    let line = json!({
        "at": NOON, "fact": "account.opened", "environment": "live",
        "body": { "id": "acc-2", "account": "feira" }, "supplied": { "key": "svc_live_feira" },
    });
    assert_eq!(day.line(&line.to_string()).body["outcome"], "applied");
    let line = json!({ "at": NOON, "key": "svc_live_feira", "request": "GET /comissao" });
    assert_eq!(day.line(&line.to_string()).body["saldo_cents"], 0);
    let line = json!({
        "at": NOON, "key": "svc_live_feira", "command": "commission.withdraw",
        "body": { "amount_cents": 3_000, "payout_address": WALLET },
    });
    assert_eq!(day.line(&line.to_string()).status, 402);
}
