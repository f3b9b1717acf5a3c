//! `explain`: every centavo of a balance has the record that made it.

use std::process::Command;

use crate::exports::{day, ledger};

#[test]
fn the_last_line_of_an_explained_balance_is_the_balance() {
    let (_folder, store) = day();
    for customer in ["ana", "bruno"] {
        let text = ledger(&["explain", &store, "loja", "--customer", customer]);
        let saldo = ledger(&["saldo", &store, "loja", "--customer", customer, "--json"]);
        let saldo: serde_json::Value = serde_json::from_str(&saldo).unwrap();
        let cents = |field: &str| saldo[field].as_i64().unwrap();
        let total = cents("disponivel_cents") + cents("bloqueado_cents");
        let last = text.lines().rev().find_map(|line| line.trim().strip_prefix("saldo ")).unwrap();
        assert_eq!(last.replace('.', "").parse::<i64>().unwrap(), total, "{customer}");
    }
}

#[test]
fn an_operation_is_explained_from_its_issue_to_its_end_with_the_lines_that_caused_it() {
    let (_folder, store) = day();
    let text = ledger(&["explain", &store, "loja", "--customer", "ana"]);
    let words = text.split_whitespace();
    let payout = words.into_iter().find(|word| word.starts_with("po_")).unwrap();
    let text = ledger(&["explain", &store, payout]);
    let records: Vec<&str> = text.lines().filter(|line| line.starts_with("record ")).collect();
    assert!(records.len() > 1, "{text}");
    assert!(
        records.iter().all(|line| line.contains(payout) && line.contains("settlement-day.jsonl:"))
    );
}

#[test]
fn what_is_neither_an_operation_nor_an_account_is_named() {
    let (_folder, store) = day();
    for (arguments, what) in [
        (
            vec!["explain", &store, "nobody"],
            "nobody is no operation, no account and no external id",
        ),
        (vec!["explain", &store, "loja", "--customer", "nobody"], "nothing was ever booked"),
    ] {
        let program = env!("CARGO_BIN_EXE_custody-ledger");
        let done = Command::new(program).args(arguments).output().unwrap();
        assert!(!done.status.success());
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(said.contains(what), "{said}");
    }
}
