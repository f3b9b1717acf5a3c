//! Opening balances over lines: in statements and books, until their account is closed
//! (P:OpeningBalances).

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::day::{Day, judged};

pub const NOON: &str = "2026-10-20T12:00:00Z";

/// Terms under which a first deposit waits, and charges of a day are bounded.
const STRICT: &str = r#"{"carencia_horas":72,"cashin_daily_max_cents":100}"#;

fn brought(id: &str, customer: &str, cents: i64) -> Value {
    judged(json!({
        "id": id, "of": { "account": "loja", "customer_ref": customer }, "amount_cents": cents,
        "description": "Saldo anterior",
    }))
}

pub fn closed(id: &str) -> Value {
    judged(json!({ "id": id, "account": "loja" }))
}

#[test]
fn opn_01_a_balance_brought_is_a_row_of_the_statement_and_available_at_once() {
    let mut day = Day::with_terms(NOON, STRICT);
    let body = brought("opening-1", "a", 125_000);
    let answer = day.report_as("e1", NOON, "balance.opened", &body);
    assert_eq!(answer["outcome"], "applied");
    assert!(answer["entry_id"].is_string(), "{answer}");
    assert_eq!(day.report(NOON, "balance.opened", &body), "known");
    assert_eq!(day.balance(NOON, "a"), (125_000, 0));
    let rows = day.rows(NOON, "a", "");
    let [row] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((&row["tipo"], &row["valor_cents"]), (&json!("lancamento"), &json!(125_000)));
    assert_eq!(row["descricao"], "Saldo anterior");
    assert_eq!(day.transfer("t", NOON, "a", "b", 25_000).status, 200);
    assert_eq!(day.balance(NOON, "b"), (25_000, 0));
}

#[test]
fn opn_02_an_account_that_is_closed_sets_balances_aside_and_gives_them_back() {
    let mut day = Day::with_terms(NOON, STRICT);
    let first = day.report_as("e1", NOON, "balance.opened", &brought("opening-1", "a", 900));
    assert_eq!(first["outcome"], "applied");
    assert_eq!(day.report(NOON, "opening_balances.closed", &closed("closed-1")), "applied");
    assert_eq!(day.report(NOON, "opening_balances.closed", &closed("closed-2")), "known");
    let late = day.report_as("", NOON, "balance.opened", &brought("opening-2", "b", 900));
    assert_eq!(
        (&late["outcome"], &late["reason"]),
        (&json!("set_aside"), &json!("opening_closed"))
    );
    assert_eq!(day.money(Control::ProductEquity), -900);
    let back = judged(json!({ "id": "back-1", "entry_id": "$e1.entry_id" }));
    assert_eq!(day.report(NOON, "entry.reversed", &back), "applied");
    assert_eq!((day.balance(NOON, "a"), day.money(Control::ProductEquity)), ((0, 0), 0));
}
