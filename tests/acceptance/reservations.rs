//! Reservations of a service: reserved, captured in parts, let go and expired, over lines.

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, judged};

const NOON: &str = "2026-10-20T12:00:00Z";
const DEADLINE: &str = "2026-10-27T12:00:00Z";

/// Customer `a` has 99.00, and fees of cards have an account.
fn shop() -> Day {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    let fees = judged(json!({ "id": "fees-1", "name": "taxas.cartao", "class": "income" }));
    assert_eq!(day.report(NOON, "product_account.declared", &fees), "applied");
    day
}

fn reservation(cents: i64) -> Value {
    judged(json!({
        "id": "rsv-1", "account": "loja", "customer_ref": "a", "amount_cents": cents,
        "expires_at": DEADLINE, "kind": "card", "description": "Posto Estrela",
    }))
}

fn capture(id: &str, cents: i64, to: Value) -> Value {
    judged(json!({ "id": id, "hold_id": "$r.hold_id", "amount_cents": cents, "to": to }))
}

fn to_station() -> Value {
    json!({ "name": "cust.avail", "of": { "account": "loja", "customer_ref": "posto" } })
}

fn reserved(cents: i64) -> Day {
    let mut day = shop();
    let made = day.report_as("r", NOON, "reservation.made", &reservation(cents));
    assert_eq!(made["outcome"], "applied");
    day
}

/// The answer to a fact that is no line of a ledger.
fn refused(day: &mut Day, fact: &str, body: &Value) -> String {
    let answer = day.line(&json!({ "at": NOON, "fact": fact, "body": body }).to_string());
    assert_eq!(answer.status, 400);
    Value::from(answer.body)["detail"].as_str().unwrap().to_owned()
}

#[test]
fn rsv_01_all_of_it_is_reserved_or_nothing() {
    let mut day = shop();
    let too_much = day.report_as("", NOON, "reservation.made", &reservation(9_901));
    assert_eq!(
        (&too_much["outcome"], &too_much["reason"]),
        (&json!("set_aside"), &json!("amount_exceeds"))
    );
    assert_eq!(day.balance(NOON, "a"), (9_900, 0));
    let mut whole = reservation(9_900);
    whole["id"] = "rsv-2".into();
    assert_eq!(day.report(NOON, "reservation.made", &whole), "applied");
    assert_eq!(day.balance(NOON, "a"), (0, 9_900));
    assert_eq!(day.transfer("t", NOON, "a", "b", 1).status, 409);
}

#[test]
fn rsv_06_a_capture_is_a_row_with_its_description_and_what_is_reserved_is_blocked() {
    let mut day = reserved(6_000);
    assert_eq!(day.balance(NOON, "a"), (3_900, 6_000));
    let fee = capture("cap-2", 200, json!({ "name": "taxas.cartao" }));
    let mut last = capture("cap-3", 1_000, to_station());
    last["final"] = true.into();
    last["description"] = "Gorjeta".into();
    for body in [capture("cap-1", 4_000, to_station()), fee, last] {
        assert_eq!(day.report(NOON, "reservation.captured", &body), "applied");
    }
    assert_eq!(day.balance(NOON, "a"), (4_700, 0));
    assert_eq!(day.balance(NOON, "posto"), (5_000, 0));
    assert_eq!(day.money(Control::ProductIncome), 200);
    let rows = day.rows(NOON, "a", "");
    let captured: Vec<_> = rows.iter().filter(|row| row["tipo"] == "lancamento").collect();
    let said = captured.iter().map(|row| (row["valor_cents"].as_i64(), row["descricao"].as_str()));
    let station = Some("Posto Estrela");
    let expected =
        [(Some(-4_000), station), (Some(-200), station), (Some(-1_000), Some("Gorjeta"))];
    assert_eq!(said.collect::<Vec<_>>(), expected);
}

#[test]
fn rsv_07_a_repeat_is_known_and_names_what_differs() {
    let mut day = reserved(6_000);
    let hold = day.answer_to("r")["hold_id"].clone();
    let mut other = reservation(6_001);
    other["expires_at"] = "2026-10-28T12:00:00Z".into();
    let known = |differing: Value| {
        let mut known = json!({ "outcome": "known", "hold_id": hold });
        if differing != Value::Null {
            known["campos_divergentes"] = differing;
        }
        known
    };
    let again = day.report_as("", NOON, "reservation.made", &reservation(6_000));
    assert_eq!(again, known(Value::Null));
    let again = day.report_as("", NOON, "reservation.made", &other);
    assert_eq!(again, known(json!(["amount_cents", "expires_at"])));
    let first = capture("cap-1", 4_000, to_station());
    assert_eq!(day.report(NOON, "reservation.captured", &first), "applied");
    assert_eq!(day.report_as("", NOON, "reservation.captured", &first)["outcome"], "known");
    let other = capture("cap-1", 2_000, to_station());
    let again = day.report_as("", NOON, "reservation.captured", &other);
    assert_eq!(again["campos_divergentes"], json!(["amount_cents"]));
    assert_eq!(day.balance(NOON, "a"), (3_900, 2_000));
}

#[test]
fn rsv_02_a_line_that_is_no_capture_or_reservation_says_so() {
    let mut day = reserved(6_000);
    let mut named = reservation(1);
    named["kind"] = "Ana's card".into();
    let said = "kind must be 1 to 64 lower-case letters, digits and _";
    assert_eq!(refused(&mut day, "reservation.made", &named), said);
    let mut nowhere = capture("cap-1", 1, Value::Null);
    assert_eq!(refused(&mut day, "reservation.captured", &nowhere), "to is required");
    nowhere["to"] = json!({ "of": { "account": "loja" } });
    assert_eq!(refused(&mut day, "reservation.captured", &nowhere), "name is required");
    // Nothing of all this was left behind.
    assert_eq!(
        day.report(NOON, "reservation.captured", &capture("cap-1", 1, to_station())),
        "applied"
    );
}

#[test]
fn rsv_04_the_rest_is_available_again_at_the_deadline() {
    let mut day = reserved(6_000);
    let first = capture("cap-1", 4_000, to_station());
    assert_eq!(day.report(NOON, "reservation.captured", &first), "applied");
    let before = "2026-10-27T11:59:59.999999Z";
    day.line(&json!({ "at": before, "fact": "time.passed" }).to_string());
    assert_eq!(day.balance(before, "a"), (3_900, 2_000));
    assert_eq!(day.balance(DEADLINE, "a"), (5_900, 0));
    let late = capture("cap-2", 1, to_station());
    let late = day.report_as("", DEADLINE, "reservation.captured", &late);
    assert_eq!((&late["outcome"], &late["reason"]), (&json!("set_aside"), &json!("out_of_turn")));
}
