//! What people read for a status in the view of operations (STM-09).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day};
use crate::unposted_rows::{Unposted, page};

const NOON: &str = "2026-10-20T12:00:00Z";

/// The statuses of the contract's sections 3.1 and 3.2, and those of payouts, that are not the end
/// that was asked for.
const NOT_DONE: [&str; 27] = [
    "pending",
    "delayed",
    "under_review",
    "expired",
    "refunded",
    "failed",
    "requested",
    "submitted",
    "uncertain",
    "returned",
    "QUOTE_CREATED",
    "AWAITING_DEPOSIT",
    "DEPOSIT_DETECTED",
    "DEPOSIT_CONFIRMED",
    "SELLING",
    "SOLD",
    "FORWARDING",
    "PAYING_OUT",
    "PROCESSING",
    "MANUAL_REVIEW",
    "REFUNDING",
    "REFUNDING_CRYPTO",
    "REFUNDED",
    "EXPIRED",
    "FAILED",
    "DELAYED",
    "AWAITING_REFUND_ADDRESS",
];

fn label(status: &'static str) -> Value {
    let page = page(&mut Unposted { events: &[0], status: Some(status) }, None).unwrap();
    page["items"][0]["status_label"].clone()
}

#[test]
fn no_status_reads_as_done_that_is_not() {
    for status in NOT_DONE {
        let read = label(status);
        let read = read.as_str().unwrap();
        assert!(!read.starts_with("Conclu") && !read.is_empty(), "{status}: {read}");
    }
    for status in ["COMPLETED", "completed", "concluida"] {
        assert!(label(status).as_str().unwrap().starts_with("Conclu"), "{status}");
    }
}

#[test]
fn stm_09_a_status_that_nobody_has_heard_of_has_no_label() {
    for status in ["", "done", "Completed", "CONCLUIDA"] {
        assert_eq!(label(status), Value::Null, "{status}");
    }
}

/// `status` and `status_label` of the last operation of `a`.
fn last(day: &mut Day) -> (String, String) {
    let rows = day.rows(NOON, "a", "&visao=operacoes");
    let text = |name: &str| rows.last().unwrap()[name].as_str().unwrap().to_owned();
    (text("status"), text("status_label"))
}

/// `tipo` and `status_label` of every operation of `a`.
fn rows_read(day: &mut Day) -> Vec<[String; 2]> {
    let rows = day.rows(NOON, "a", "&visao=operacoes");
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    rows.iter().map(|row| [text(row, "tipo"), text(row, "status_label")]).collect()
}

fn paying_out() -> Day {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    assert_eq!(day.payout("p", NOON, "a", 1_000).status, 200);
    day
}

fn reported(day: &mut Day, fact: &str) {
    let body = json!({ "id": day.outside_id(), "payout_id": "$p.payout_id" });
    assert_eq!(day.report(NOON, fact, &body), "applied", "{fact}");
}

fn reads(day: &mut Day, status: &str, label: &str) {
    assert_eq!(last(day), (status.to_owned(), label.to_owned()));
}

#[test]
fn a_payout_reads_as_it_stands_at_every_step() {
    let mut day = paying_out();
    reads(&mut day, "requested", "Solicitado");
    reported(&mut day, "payout.submitted");
    reads(&mut day, "submitted", "Enviado");
    reported(&mut day, "payout.unknown");
    reads(&mut day, "uncertain", "Resultado desconhecido");
    assert_eq!(day.paid("p", NOON), "applied");
    reads(&mut day, "completed", "Concluído");
    let back = json!({
        "payout_id": "$p.payout_id", "return_id": day.outside_id(), "amount_cents": 1_000,
    });
    assert_eq!(day.report(NOON, "payout.returned", &back), "applied");
    assert_eq!(rows_read(&mut day)[1..], [["saque_pix", "Devolvido"], ["estorno", "Estornado"]]);
}

#[test]
fn a_payout_that_is_refused_reads_as_failed() {
    let mut day = paying_out();
    reported(&mut day, "payout.refused");
    assert_eq!(rows_read(&mut day)[1..], [["saque_pix", "Falhou"], ["estorno", "Estornado"]]);
}

#[test]
fn a_row_that_undoes_another_has_a_status_of_its_own() {
    let mut day = paying_out();
    reported(&mut day, "payout.refused");
    let rows = day.rows(NOON, "a", "&visao=operacoes");
    let undone = rows.last().unwrap();
    assert_eq!((&undone["tipo"], &undone["status"]), (&json!("estorno"), &json!("reversed")));
    assert_eq!(
        (&undone["status_label"], &undone["settlement_status"]),
        (&json!("Estornado"), &Value::Null)
    );
}

#[test]
fn a_deposit_that_was_paid_reads_as_paid_and_one_given_back_as_given_back() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    reads(&mut day, "paid", "Paga");
    assert_eq!(day.give_back("d", NOON, 10_000), "applied");
    assert_eq!(rows_read(&mut day), [["deposito", "Devolvida"], ["estorno", "Estornado"]]);
}
