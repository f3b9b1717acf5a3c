//! Sales of `DePix`: fee and bounds are of what is sold (rulings 47).

use serde_json::{Value, json};

use crate::day::Day;
use crate::selling::{merge, of_depix, selling_depix};

const NOON: &str = "2026-11-20T12:00:00Z";
const LIQUID: (&str, &str) = ("depix", "liquid");

/// Returns what a preview answers: the amount to send and what the recipient receives, or the
/// refusal.
fn previewed(day: &mut Day, mut body: Value) -> (u16, String, String) {
    merge(&mut body, json!({ "asset": "depix", "network": "liquid" }));
    let answer = day.ask(NOON, "POST /cash-outs/preview", &body);
    let text = |field: &str| answer.body[field].as_str().unwrap_or_default().to_owned();
    match answer.status {
        200 => (200, text("amount"), text("brl_amount")),
        status => (status, text("erro"), String::new()),
    }
}

fn passes(amount: &str, net: &str) -> (u16, String, String) {
    (200, amount.into(), net.into())
}

#[test]
fn rulings_47_a_sale_of_depix_has_its_fee_and_its_bounds_on_what_is_sold() {
    let mut day = Day::selling(NOON, "{}");
    let sells = |day: &mut Day, amount| previewed(day, selling_depix(amount));
    assert_eq!(sells(&mut day, "100.00"), passes("100.00000000", "97.50"));
    assert_eq!(sells(&mut day, "1.02"), passes("1.02000000", "0.01"));
    assert_eq!(sells(&mut day, "6000.00"), passes("6000.00000000", "5909.00"));
    let refused = |code: &str| (400, code.to_owned(), String::new());
    assert_eq!(sells(&mut day, "1.01"), refused("valor_abaixo_do_minimo"));
    assert_eq!(sells(&mut day, "6000.01"), refused("valor_acima_do_maximo"));
    let receives = |day: &mut Day, reais| previewed(day, of_depix(reais));
    assert_eq!(receives(&mut day, "100.00"), passes("102.53000000", "100.00"));
    assert_eq!(receives(&mut day, "97.50"), passes("99.99000000", "97.50"));
    assert_eq!(receives(&mut day, "0.01"), passes("1.02000000", "0.01"));
    assert_eq!(receives(&mut day, "5909.00"), passes("5999.99000000", "5909.00"));
    assert_eq!(receives(&mut day, "5909.01"), refused("valor_acima_do_maximo"));
}

#[test]
fn bounds_of_depix_hold_to_the_eighth_place() {
    // Rulings 76.
    let mut day = Day::selling(NOON, "{}");
    let sells = |day: &mut Day, amount| previewed(day, selling_depix(amount));
    let refused = |code: &str| (400, code.to_owned(), String::new());
    assert_eq!(sells(&mut day, "6000.00000000"), passes("6000.00000000", "5909.00"));
    assert_eq!(sells(&mut day, "6000.00000001"), refused("valor_acima_do_maximo"));
    assert_eq!(sells(&mut day, "5999.99999999"), passes("5999.99999999", "5909.00"));
    assert_eq!(sells(&mut day, "1.01999999"), refused("valor_abaixo_do_minimo"));
    assert_eq!(sells(&mut day, "1.02000000"), passes("1.02000000", "0.01"));
    let mut order = selling_depix("6000.00000001");
    merge(&mut order, json!({ "asset": "depix", "network": "liquid" }));
    assert_eq!(day.ask(NOON, "POST /cash-outs", &order).body["erro"], "valor_acima_do_maximo");
}

#[test]
fn what_arrives_of_depix_is_judged_by_what_is_sold() {
    for (amount, state) in [
        ("1.01", "MANUAL_REVIEW"),
        ("1.01999999", "MANUAL_REVIEW"),
        ("1.02", "PROCESSING"),
        ("6000.00", "PROCESSING"),
        ("6000.00000001", "MANUAL_REVIEW"),
        ("6000.01", "MANUAL_REVIEW"),
    ] {
        let mut day = Day::selling(NOON, "{}");
        assert_eq!(day.sell("v", NOON, LIQUID, of_depix("100.00")).status, 200);
        assert_eq!(day.accept("v", NOON).status, 200);
        day.deposited_of("v", NOON, LIQUID, amount);
        assert_eq!(day.state("v", NOON), state, "{amount}");
    }
}

#[test]
fn the_limits_of_a_refusal_are_of_the_depix() {
    let mut day = Day::selling(NOON, "{}");
    let mut body = selling_depix("6000.01");
    merge(&mut body, json!({ "asset": "depix", "network": "liquid" }));
    let refused = day.ask(NOON, "POST /cash-outs", &body).body;
    let limits = &refused["limits"];
    let bounds = (&limits["min_amount"], &limits["max_amount"]);
    assert_eq!(bounds, (&json!("1.02000000"), &json!("6000.00000000")), "{refused}");
    let reais = (&limits["max_brl_cents"], &limits["max_brl_cents_por_transacao"]);
    assert_eq!(reais, (&json!(600_000), &json!(600_000)), "{refused}");
}

#[test]
fn a_code_is_not_paid_from_depix_and_the_refusal_says_so() {
    let mut day = Day::selling(NOON, "{}");
    let code = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA62070503***630436D9";
    let body = json!({
        "asset": "depix", "network": "liquid", "br_code": code, "payee_tax_number": "52998224725",
    });
    let refused = day.ask(NOON, "POST /cash-outs", &body);
    assert_eq!((refused.status, &refused.body["erro"]), (400, &json!("asset_invalido")));
    let detail = refused.body["detail"].as_str().unwrap();
    assert!(detail.contains("br_code"), "{detail} speaks of the catalogue, which has the pair");
}
