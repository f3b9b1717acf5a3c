//! The balance of an instant, `GET /saldo?em=`: what the statement's rows had come to by then.

use serde_json::{Value, json};

use crate::custody_day::lived;
use crate::day::{Day, KEY};

const END: &str = "2026-11-26T13:00:00Z";

fn response_to(day: &mut Day, target: &str) -> (u16, Value) {
    let line = json!({ "at": END, "key": KEY, "request": format!("GET {target}") });
    let answer = day.line(&line.to_string());
    (answer.status, answer.body.into())
}

fn target(customer: &str, em: &str) -> String {
    match customer {
        "" => format!("/saldo?em={em}"),
        customer => format!("/saldo?em={em}&customer_ref={customer}"),
    }
}

#[test]
fn at_each_row_it_is_the_balance_after_it_and_before_the_first_nothing() {
    let (mut day, _) = lived();
    for customer in ["", "ana", "bruno", "carla"] {
        // Newest first: of several rows of one instant the last counts.
        let mut rows = day.rows(END, customer, "");
        rows.reverse();
        rows.dedup_by(|earlier, later| later["created_at"] == earlier["created_at"]);
        assert!(rows.len() > 2, "{customer}");
        for row in &rows {
            let em = row["created_at"].as_str().unwrap();
            let shown = day.get(END, &target(customer, em));
            assert_eq!(shown, json!({ "saldo_cents": row["saldo_apos_cents"], "as_of": em }));
        }
        let early = day.get(END, &target(customer, "2026-01-01T00:00:00Z"));
        assert_eq!(early, json!({ "saldo_cents": 0, "as_of": "2026-01-01T00:00:00Z" }));
        let (available, blocked) = day.balance(END, customer);
        let now = day.get(END, &target(customer, END));
        assert_eq!(now["saldo_cents"], available + blocked);
    }
}

#[test]
fn an_instant_may_have_any_offset_and_is_answered_in_utc() {
    let (mut day, _) = lived();
    let utc = day.get(END, "/saldo?em=2026-11-21T14:00:00Z");
    assert_eq!(utc["as_of"], "2026-11-21T14:00:00Z");
    assert_eq!(day.get(END, "/saldo?em=2026-11-21T11:00:00-03:00"), utc);
    assert_eq!(day.get(END, "/saldo?em=2026-11-21T16:00:00%2B02:00"), utc);
    let nobody = day.get(END, &target("nobody", END));
    assert_eq!(nobody["saldo_cents"], 0, "one never seen reads as zero (CUS-17)");
}

#[test]
fn what_is_no_instant_or_still_to_come_is_refused_by_name() {
    let (mut day, _) = lived();
    for em in ["", "yesterday", "2026-11-21", "2026-11-21T14:00:00", "2026-11-21T14:00:00+02:00"] {
        let (status, body) = response_to(&mut day, &target("ana", em));
        assert_eq!((status, &body["erro"]), (400, &json!("requisicao_invalida")), "{em}: {body}");
        let detail = body["detail"].as_str().unwrap();
        assert!(detail.starts_with("em must be an RFC 3339 instant with an offset"), "{detail}");
    }
    let (status, body) = response_to(&mut day, &target("", "2026-11-26T13:00:00.000001Z"));
    assert_eq!((status, &body["erro"]), (400, &json!("requisicao_invalida")));
    let future = format!("em must not lie in the future: it is {END}");
    assert_eq!(body["detail"], future);
    let (status, body) =
        response_to(&mut day, "/saldo?em=2026-11-21T14:00:00Z&em=2026-11-21T14:00:00Z");
    assert_eq!((status, &body["erro"]), (400, &json!("requisicao_invalida")), "{body}");
    let (status, body) = response_to(&mut day, "/saldo?em=2026-11-21T14:00:00Z&customer_ref=casa");
    assert_eq!((status, &body["erro"]), (400, &json!("formato_invalido")), "{body}");
    let (status, body) = response_to(&mut day, "/saldo/consolidado?em=2026-11-21T14:00:00Z");
    assert_eq!((status, &body["erro"]), (400, &json!("requisicao_invalida")), "{body}");
}
