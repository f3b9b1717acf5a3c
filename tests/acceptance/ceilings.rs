//! Ceilings bind what is paid, not only what was asked (rulings 44 and 14).

use serde_json::{Value, json};

use crate::agent::AGENT;
use crate::day::Day;
use crate::selling::{STANDARD, to_mail};

const LAST: &str = "2026-11-21T02:59:59Z";
const NEXT_DAY: &str = "2026-11-21T03:00:05Z";

/// So many times an amount of six decimals.
fn times(amount: &str, by: u128) -> String {
    let (whole, rest) = amount.split_once('.').expect("six decimals");
    let units: u128 = format!("{whole}{rest}").parse().expect("digits");
    let units = units * by;
    format!("{}.{:06}", units / 1_000_000, units % 1_000_000)
}

/// Tells whether the world was asked to send a PIX.
fn sends(day: &Day) -> bool {
    day.instructions().iter().any(|asked| asked.to_string().contains("pix.send"))
}

/// An order of so many reais, accepted, whose deposit is so many times what was quoted.
fn deposited(day: &mut Day, reais: &str, by: u128, at: &str) -> Value {
    day.sold("v", LAST, reais);
    assert_eq!(day.accept("v", LAST).status, 200);
    let amount = day.order("v", LAST)["amount"].as_str().unwrap().to_owned();
    day.deposited("v", at, &times(&amount, by));
    day.order("v", at)
}

#[test]
fn no_recipient_is_sent_more_than_its_ceiling_though_the_deposit_is_seen_the_next_day() {
    for at in [LAST, NEXT_DAY] {
        let mut day = Day::selling(LAST, STANDARD);
        let order = deposited(&mut day, "100000.00", 2, at);
        assert_eq!(order["state"], "MANUAL_REVIEW", "{at}: {order}");
        assert_eq!(order["review_reason"], "limite_recebedor_por_ordem", "{at}");
        assert!(!sends(&day), "{at}: no instruction is given");
    }
}

#[test]
fn what_a_day_promised_besides_binds_a_deposit_of_the_next_day() {
    let mut day = Day::selling(LAST, STANDARD);
    let other = day.sell("o", LAST, ("usdt", "polygon"), to_mail("50000.00"));
    assert_eq!(other.status, 200, "{}", other.body);
    assert_eq!(day.accept("o", LAST).status, 200);
    let order = deposited(&mut day, "30000.00", 2, NEXT_DAY);
    assert_eq!(order["state"], "MANUAL_REVIEW", "{order}");
    assert_eq!(order["review_reason"], "limite_diario_recebedor");
    assert!(!sends(&day));
    assert_eq!(day.judge("v", NEXT_DAY, "cashout.cleared", json!({})), "set_aside");
    assert_eq!(day.judge("v", NEXT_DAY, "refund.decided", json!({})), "applied");
}

#[test]
fn no_over_deposit_takes_an_agent_past_its_mandate() {
    let mut day = Day::agency(LAST, &json!({ "max_por_operacao_cents": 10_000 }));
    day.markets(LAST);
    let order = deposited(&mut day, "100.00", 20, LAST);
    assert_eq!(order["state"], "MANUAL_REVIEW", "{order}");
    assert_eq!(order["review_reason"], "mandato_por_operacao");
    assert!(!sends(&day));
    assert_eq!(day.judge("v", LAST, "cashout.cleared", json!({})), "set_aside");
    // The agent lets itself send so much: an operator lets it go.
    let wider = json!({ "max_por_operacao_cents": 250_000 });
    let edit = format!("POST /mesh/agents/{AGENT}/mandate");
    assert_eq!(day.ask(LAST, &edit, &wider).status, 200);
    assert_eq!(day.judge("v", LAST, "cashout.cleared", json!({})), "applied");
    assert_eq!(day.state("v", LAST), "PROCESSING");
    assert!(sends(&day));
}
