//! The worked examples of conversions of custody into crypto (Part C).

use ledger_core::accounting::Control;
use serde_json::json;

use crate::day::{AT_ONCE, Day, judged};
use crate::market::conversion;

const NOON: &str = "2026-10-20T12:00:00Z";

const W21_TERMS: &str = r#"{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0,
    "partner_saque_fee_bps":50}"#;

fn funded(terms: &str, deposit: i64) -> Day {
    let mut day = Day::trading(NOON, terms);
    day.deposit("d", NOON, "a", deposit);
    day
}

#[test]
fn w18_a_conversion_of_10_000_debits_10_330_and_delivers_18_518518() {
    let mut day = funded(AT_ONCE, 20_000);
    let made = day.convert("c", NOON, "a", 10_000);
    assert_eq!(made.status, 200, "{}", made.body);
    let shown = ["fee_cents", "debited_cents", "usdt_amount", "amount", "fonte", "status"];
    let shown = shown.map(|name| made.body[name].clone());
    let expected = json!([330, 10_330, "18.518518", "18.518518", "saldo", "paid"]);
    assert_eq!(json!(shown), expected);
    let reais = |day: &Day| {
        [Control::ConversionInFlight, Control::Fx, Control::ConversionIncome]
            .map(|control| day.money(control))
    };
    assert_eq!(day.balance(NOON, "a"), (19_900 - 10_330, 0));
    assert_eq!(reais(&day), [10_330, 0, 0]);
    assert_eq!(day.delivery_reports("c", NOON, "started"), "applied");
    assert_eq!(reais(&day), [330, 10_000, 0]);
    assert_eq!(day.sent("c", NOON), "applied");
    assert_eq!(reais(&day), [0, 10_000, 330]);
    assert_eq!(day.coins("usdt", "treas"), 18_518_518);
}

#[test]
fn w18_with_9_900_available_it_is_refused() {
    let mut day = funded(AT_ONCE, 10_000);
    let before = day.digest();
    let refused = day.convert("c", NOON, "a", 10_000);
    assert_eq!((refused.status, &refused.body["erro"]), (402, &json!("saldo_insuficiente")));
    assert_eq!(day.digest(), before);
}

#[test]
fn w20_a_cap_of_10_329_refuses_and_10_330_passes() {
    let mut day = funded(AT_ONCE, 20_000);
    let ask = |day: &mut Day, cap: i64| {
        let mut body = conversion("a", 10_000);
        body["max_debited_cents"] = cap.into();
        day.ask_as(&format!("c-{cap}"), NOON, "POST /saldo/sacar-cripto", body)
    };
    let refused = ask(&mut day, 10_329);
    assert_eq!((refused.status, &refused.body["erro"]), (409, &json!("taxa_alterada")));
    assert_eq!(
        (&refused.body["acao"], &refused.body["debited_cents"]),
        (&json!("corrigir"), &json!(10_330))
    );
    assert_eq!(ask(&mut day, 10_330).status, 200);
}

#[test]
fn w21_a_partner_with_50_bps_is_added_and_earns_at_delivery() {
    let mut day = funded(W21_TERMS, 20_000);
    let made = day.convert("c", NOON, "a", 10_000).body;
    assert_eq!((&made["fee_cents"], &made["debited_cents"]), (&json!(380), &json!(10_380)));
    assert_eq!(day.money(Control::Commission), 0);
    assert_eq!(day.sent("c", NOON), "applied");
    assert_eq!(day.money(Control::ConversionIncome), 330);
    assert_eq!(day.money(Control::Commission), 50);
}

#[test]
fn w72_an_unknown_outcome_stays_open_until_evidence_and_never_delivers_twice() {
    for sent in [true, false] {
        let mut day = funded(AT_ONCE, 20_000);
        assert_eq!(day.convert("c", NOON, "a", 10_000).status, 200);
        assert_eq!(day.delivery_reports("c", NOON, "started"), "applied");
        assert_eq!(day.delivery_reports("c", NOON, "unknown"), "applied");
        assert_eq!(day.stands(NOON, "c"), ("paid".into(), "incerto".into()));
        assert_eq!(day.money(Control::ConversionInFlight), 330);
        assert_eq!(day.coins("usdt", "flight.deliv"), 18_518_518);
        assert_eq!(day.balance(NOON, "a"), (9_570, 0));
        assert_eq!(day.give_up("c", NOON, "saldo"), "set_aside", "never from an unknown outcome");
        let body = if sent {
            judged(json!({ "outcome": "sent", "tx_hash": "0xc" }))
        } else {
            judged(json!({ "outcome": "not_sent" }))
        };
        let found = day.delivery("$c.cashin_id", NOON, "evidence", body);
        assert_eq!(found["outcome"], "applied");
        let status = if sent { "sent" } else { "sending" };
        assert_eq!(day.stands(NOON, "c"), ("paid".into(), status.into()));
        if !sent {
            assert_eq!(day.delivery_reports("c", NOON, "started"), "applied", "another attempt");
            assert_eq!(day.sent("c", NOON), "applied");
        }
        assert_eq!(day.sent("c", NOON), "known");
        assert_eq!(day.coins("usdt", "treas"), 18_518_518, "one delivery");
        assert_eq!(day.coins("usdt", "flight.deliv"), 0);
        assert_eq!(day.money(Control::ConversionInFlight), 0);
    }
}
