//! Statements: every row once, every identity kept, every page in its place (STM-05 to STM-20).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::custody_day::lived;
use crate::day::{AT_ONCE, Day, KEY, judged};
use crate::pages;

const NOON: &str = "2026-10-20T12:00:00Z";
const END: &str = "2026-11-26T13:00:00Z";
const EVERYONE: [&str; 4] = ["", "ana", "bruno", "carla"];

fn cents(row: &Value, name: &str) -> i64 {
    row[name].as_i64().unwrap_or_else(|| panic!("{name} of {row}"))
}

fn sum(rows: &[Value]) -> i64 {
    rows.iter().map(|row| cents(row, "valor_cents")).sum()
}

/// The target of a statement's first page.
fn target(customer: &str, view: &str, limit: usize) -> String {
    let customer =
        if customer.is_empty() { String::new() } else { format!("&customer_ref={customer}") };
    format!("/saldo/extrato?limit={limit}{view}{customer}")
}

/// All rows, page by page as they come: newest first.
fn walked(day: &mut Day, customer: &str, view: &str, limit: usize) -> Vec<Value> {
    let first = target(customer, view, limit);
    let mut rows = Vec::new();
    pages::walk("before", |before| {
        let page = day.get(END, &format!("{first}{before}"));
        let items = page["items"].as_array().unwrap();
        assert!(items.len() <= limit);
        rows.extend(items.iter().cloned());
        let next = pages::next(&page, "proxima_pagina");
        match &next {
            Some(next) => {
                assert_eq!(page["has_more"], true);
                assert!(next.bytes().all(|b| b.is_ascii_digit()), "a decimal string");
                assert_eq!(items.len(), limit, "only the last page is short");
            }
            None => assert_eq!(
                (&page["has_more"], &page["proxima_pagina"]),
                (&json!(false), &Value::Null)
            ),
        }
        next
    });
    rows
}

#[test]
fn stm_05_to_08_every_operations_row_adds_up() {
    let (mut day, _) = lived();
    for customer in EVERYONE {
        for row in day.rows(END, customer, "&visao=operacoes") {
            let fees = row["taxas"].as_array().unwrap();
            let effect: i64 = fees.iter().map(|fee| cents(fee, "efeito_saldo_cents")).sum();
            let absolute: i64 = fees.iter().map(|fee| cents(fee, "valor_cents")).sum();
            assert_eq!(cents(&row, "valor_cents"), cents(&row, "valor_operacao_cents") + effect);
            assert_eq!(cents(&row, "taxas_cents"), absolute, "{row}");
            assert!(fees.len() <= 1, "one category");
            for fee in fees {
                assert_eq!(fee["tipo"], "servico");
                assert_eq!(cents(fee, "valor_cents"), cents(fee, "efeito_saldo_cents").abs());
            }
        }
    }
}

#[test]
fn stm_18_both_views_sum_to_the_balance() {
    let (mut day, _) = lived();
    for (customer, balance) in EVERYONE.into_iter().zip([9_135, 1_463, 4_860, 3_644]) {
        let (available, blocked) = day.balance(END, customer);
        assert_eq!(available + blocked, balance);
        assert_eq!(sum(&day.rows(END, customer, "")), balance, "{customer}");
        assert_eq!(sum(&day.rows(END, customer, "&visao=operacoes")), balance, "{customer}");
    }
}

#[test]
fn stm_01_each_row_says_the_balance_after_it() {
    let (mut day, _) = lived();
    for customer in EVERYONE {
        let mut balance = 0;
        for row in day.rows(END, customer, "") {
            balance += cents(&row, "valor_cents");
            assert_eq!(cents(&row, "saldo_apos_cents"), balance, "{row}");
        }
    }
}

#[test]
fn stm_19_the_movements_of_the_operations_are_the_rows_of_the_ledger_each_once() {
    let (mut day, _) = lived();
    for customer in EVERYONE {
        let operations = day.rows(END, customer, "&visao=operacoes");
        let named: Vec<Value> = operations
            .iter()
            .flat_map(|row| row["movimentos_ids"].as_array().unwrap().clone())
            .collect();
        let rows = day.rows(END, customer, "");
        let kept: Vec<Value> = rows.iter().map(|row| row["movimento_id"].clone()).collect();
        assert_eq!(named, kept, "{customer}");
        assert!(kept.iter().all(Value::is_string));
    }
}

#[test]
fn stm_17_refunds_are_rows_of_their_own_beside_the_original() {
    let (mut day, _) = lived();
    let of = |rows: &[Value], kind: &str| -> Vec<i64> {
        let wanted = rows.iter().filter(|row| row["tipo"] == kind);
        wanted.map(|row| cents(row, "valor_cents")).collect()
    };
    let ana = day.rows(END, "ana", "&visao=operacoes");
    assert_eq!(of(&ana, "deposito"), [9_900, 4_900, 5_900]);
    assert_eq!(of(&ana, "saque_pix"), [-9_135, -202]);
    assert_eq!(of(&ana, "estorno"), [-9_900]);
    let bruno = day.rows(END, "bruno", "&visao=operacoes");
    assert_eq!(of(&bruno, "saque_pix"), [-3_045, -2_030]);
    assert_eq!(of(&bruno, "estorno"), [3_045]);
    assert_eq!(of(&bruno, "ajuste_taxa"), [25]);
    assert_eq!(of(&bruno, "transferencia_saida"), [-900]);
    assert_eq!(of(&bruno, "transferencia_entrada"), [2_865]);
    let carla = day.rows(END, "carla", "&visao=operacoes");
    assert_eq!(of(&carla, "estorno"), [3_045, 500]);
}

#[test]
fn stm_21_moves_between_a_subaccounts_own_buckets_are_no_rows() {
    let (mut day, _) = lived();
    for kind in ["bloqueio", "liberacao"] {
        for customer in EVERYONE {
            assert!(day.rows(END, customer, "").iter().all(|row| row["tipo"] != kind));
        }
    }
    let held = day.rows(END, "carla", "&visao=operacoes");
    assert_eq!(held.iter().filter(|row| row["tipo"] == "deposito").count(), 2);
}

#[test]
fn stm_20_pages_of_one_two_and_three_walk_every_row_once_newest_first() {
    let (mut day, _) = lived();
    for view in ["", "&visao=operacoes"] {
        for customer in EVERYONE {
            let mut expected = day.rows(END, customer, view);
            expected.reverse();
            for limit in 1..=3 {
                assert_eq!(walked(&mut day, customer, view, limit), expected, "{customer} {view}");
            }
        }
    }
}

#[test]
fn stm_20_rows_appended_between_pages_neither_repeat_nor_hide_a_row() {
    for view in ["", "&visao=operacoes"] {
        let mut day = Day::with_terms(NOON, AT_ONCE);
        for number in 0..4 {
            day.deposit(&format!("d{number}"), NOON, "a", 1_100);
        }
        let expected: Vec<Value> = day.rows(NOON, "a", view).into_iter().rev().collect();
        let first = target("a", view, 1);
        let mut seen = Vec::new();
        pages::walk("before", |before| {
            let page = day.get(NOON, &format!("{first}{before}"));
            seen.extend(page["items"].as_array().unwrap().iter().cloned());
            day.deposit(&format!("later-{}", seen.len()), NOON, "a", 2_100);
            day.deposit(&format!("other-{}", seen.len()), NOON, "b", 2_100);
            pages::next(&page, "proxima_pagina")
        });
        assert_eq!(seen, expected, "{view}");
    }
}

#[test]
fn stm_02_a_row_once_shown_never_changes() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    let before = day.rows(NOON, "a", "");
    assert_eq!(day.give_back("d", NOON, 10_000), "applied");
    assert_eq!(day.rows(NOON, "a", "")[..2], before);
}

/// Refused with 400, `requisicao_invalida`.
fn refused(day: &mut Day, target: &str) {
    let line = json!({ "at": END, "key": KEY, "request": format!("GET {target}") });
    let answer = day.line(&line.to_string());
    assert_eq!(answer.status, 400, "{target}: {}", answer.body);
    assert_eq!(answer.body["erro"], "requisicao_invalida", "{target}");
}

#[test]
fn stm_12_a_cursor_of_another_subaccount_view_or_ledger_is_invalid() {
    let (mut day, _) = lived();
    let mut seen = BTreeSet::new();
    for customer in EVERYONE {
        for view in ["", "&visao=operacoes"] {
            let page = day.get(END, &target(customer, view, 1));
            let cursor = page["proxima_pagina"].as_str().unwrap().to_owned();
            for other in EVERYONE {
                for other_view in ["", "&visao=operacoes"] {
                    if (other, other_view) != (customer, view) {
                        refused(
                            &mut day,
                            &format!("{}&before={cursor}", target(other, other_view, 1)),
                        );
                    }
                }
            }
            seen.insert(cursor);
        }
    }
    assert_eq!(seen.len(), 8);
}

#[test]
fn stm_13_invalid_cursors_and_limits_are_refused_in_both_views() {
    let (mut day, _) = lived();
    for view in ["", "&visao=operacoes"] {
        let cursor = day.get(END, &target("ana", view, 1))["proxima_pagina"].clone();
        let cursor = cursor.as_str().unwrap();
        let altered = format!("{}0", &cursor[..cursor.len() - 1]);
        let altered =
            if altered == cursor { format!("{}1", &cursor[..cursor.len() - 1]) } else { altered };
        let forged =
            ["0", "1", "-1", "abc", "", "99999999999999999999999", &altered, &format!("0{cursor}")]
                .map(str::to_owned);
        for before in forged {
            refused(&mut day, &format!("{}&before={before}", target("ana", view, 1)));
        }
        for limit in ["0", "201", "-1", "1.0", "abc", "", "+1", "99999999999999999999"] {
            refused(&mut day, &format!("/saldo/extrato?customer_ref=ana&limit={limit}{view}"));
        }
    }
    refused(&mut day, "/saldo/extrato?visao=outra");
    refused(&mut day, "/saldo/extrato?cliente=ana");
    refused(&mut day, "/saldo/extrato?limit=1&limit=2");
}

#[test]
fn stm_10_limits_of_1_and_200_pass_and_50_is_the_default() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    for number in 0..26 {
        day.deposit(&format!("d{number}"), NOON, "a", 1_100);
    }
    for (limit, rows) in [("&limit=1", 1), ("&limit=200", 52), ("", 50)] {
        let page = day.get(NOON, &format!("/saldo/extrato?customer_ref=a{limit}"));
        assert_eq!(page["items"].as_array().unwrap().len(), rows);
    }
}

#[test]
fn an_unknown_subaccount_has_an_empty_statement() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let page = day.get(NOON, "/saldo/extrato?customer_ref=nobody");
    let expected = json!({
        "visao": "lancamentos", "customer_ref": "nobody", "items": [], "has_more": false,
        "proxima_pagina": null,
    });
    assert_eq!(page, expected);
}

#[test]
fn stm_16_a_fee_charged_alone_is_a_row_without_principal() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    let body = judged(json!({
        "id": "fee-1", "account": "loja", "customer_ref": "a", "effect_cents": -25,
    }));
    assert_eq!(day.report(NOON, "fee.adjusted", &body), "applied");
    let rows = day.rows(NOON, "a", "&visao=operacoes");
    let row = rows.last().unwrap();
    assert_eq!(cents(row, "valor_operacao_cents"), 0);
    assert_eq!((cents(row, "taxas_cents"), cents(row, "valor_cents")), (25, -25));
}

#[test]
fn stm_09_a_status_that_nobody_knows_is_null_and_never_done() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    let order = judged(json!({
        "id": "court-1", "account": "loja", "customer_ref": "a", "amount_cents": 1_000,
    }));
    assert_eq!(day.report(NOON, "court.ordered", &order), "applied");
    assert_eq!(day.payout("p", NOON, "a", 1_000).status, 200);
    let unknown = json!({ "id": "unk-1", "payout_id": "$p.payout_id" });
    assert_eq!(day.report(NOON, "payout.unknown", &unknown), "applied");
    let rows = day.rows(NOON, "a", "&visao=operacoes");
    let shown = |row: &Value| {
        ["tipo", "status", "status_label", "settlement_status"].map(|name| row[name].clone())
    };
    assert_eq!(json!(shown(&rows[1])), json!(["ordem_judicial", null, null, null]));
    let uncertain = json!(["saque_pix", "uncertain", "Resultado desconhecido", null]);
    assert_eq!(json!(shown(&rows[2])), uncertain);
}
