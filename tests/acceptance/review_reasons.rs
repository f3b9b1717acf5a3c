//! Why an order waits for a person: every order in `MANUAL_REVIEW` says it, and no other does.

use serde_json::{Value, json};

use crate::day::{Day, judged};
use crate::market::WALLET;
use crate::selling::{STANDARD, VOLUME, accepted, arrival, deposited, of_depix, to_mail};

const NOON: &str = "2026-10-20T12:00:00Z";
const POLYGON: (&str, &str) = ("usdt", "polygon");
const ARBITRUM: (&str, &str) = ("usdt", "arbitrum");
const LIQUID: (&str, &str) = ("depix", "liquid");

/// A code of R$ 10.00.
const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA62070503***630436D9";

fn reported(day: &mut Day, fact: &str) {
    assert_eq!(day.sale_reports("v", NOON, fact, json!({})), "applied", "{fact}");
}

/// The order waits for a person at this instant, and says why.
fn waits_at(day: &mut Day, at: &str, why: &str) {
    let order = day.order("v", at);
    assert_eq!(order["state"], "MANUAL_REVIEW", "{why}");
    assert_eq!(order["review_reason"], why);
}

fn waits(day: &mut Day, why: &str) {
    waits_at(day, NOON, why);
}

#[test]
fn a_token_that_was_not_asked_for_is_a_strange_deposit() {
    let mut day = accepted(VOLUME, POLYGON, to_mail("100.00"));
    let strange = arrival("0xd", ("usdc", "polygon"), "18.768519");
    assert_eq!(day.sale_reports("v", NOON, "deposit.seen", strange), "applied");
    waits(&mut day, "deposito_divergente");
}

#[test]
fn a_deposit_that_only_came_too_late_is_no_other_than_was_asked_for() {
    let mut day = accepted(VOLUME, POLYGON, to_mail("100.00"));
    // Eight days after the deadline no deposit revives an order.
    let late = "2026-10-28T12:31:00Z";
    day.report(late, "time.passed", &json!({}));
    let asked = arrival("0xd", POLYGON, "18.768519");
    assert_eq!(day.sale_reports("v", late, "deposit.seen", asked), "applied");
    waits_at(&mut day, late, "deposito_atrasado");
    let mut day = accepted(VOLUME, POLYGON, to_mail("100.00"));
    day.report(late, "time.passed", &json!({}));
    let other = arrival("0xd", ("usdc", "polygon"), "18.768519");
    assert_eq!(day.sale_reports("v", late, "deposit.seen", other), "applied");
    waits_at(&mut day, late, "deposito_divergente");
}

#[test]
fn too_little_for_a_code_is_too_little() {
    let mut day = accepted(VOLUME, POLYGON, json!({ "br_code": CODE, "refund_address": WALLET }));
    day.deposited("v", NOON, "2.042592");
    waits(&mut day, "deposito_insuficiente");
}

#[test]
fn more_than_an_order_may_pay_is_above_the_limit() {
    let mut day = accepted(VOLUME, POLYGON, to_mail("100.00"));
    // R$ 270,000.00 at R$ 5.40, and no order pays more than R$ 250,000.00.
    day.deposited("v", NOON, "50000");
    waits(&mut day, "acima_do_limite");
}

#[test]
fn a_late_deposit_without_a_price_of_its_day_waits_for_one() {
    let mut day = accepted(VOLUME, POLYGON, to_mail("100.00"));
    let later = "2026-10-20T13:00:00Z";
    let deposit = arrival("0xd", POLYGON, "18.768519");
    assert_eq!(day.sale_reports("v", later, "deposit.seen", deposit), "applied");
    waits_at(&mut day, later, "sem_cotacao");
}

#[test]
fn a_key_that_the_provider_refused_is_named() {
    let mut day = deposited(STANDARD, POLYGON, to_mail("100.00"));
    let back = json!({ "returned_cents": 9_900 });
    assert_eq!(day.sale_reports("v", NOON, "cashout.key_refused", back), "applied");
    waits(&mut day, "chave_recusada");
}

#[test]
fn a_payment_that_was_stopped_is_of_unknown_outcome() {
    let mut day = deposited(STANDARD, POLYGON, to_mail("100.00"));
    reported(&mut day, "cashout.unknown");
    assert_eq!(day.judge("v", NOON, "cashout.stopped", json!({})), "applied");
    waits(&mut day, "pagamento_desconhecido");
}

#[test]
fn a_swap_of_which_nobody_knows_is_of_unknown_outcome() {
    let mut day = deposited(STANDARD, ARBITRUM, to_mail("100.00"));
    reported(&mut day, "sale.started");
    reported(&mut day, "sale.unknown");
    waits(&mut day, "venda_desconhecida");
}

#[test]
fn depix_at_the_provider_is_awaited_back() {
    let mut day = deposited("{}", LIQUID, of_depix("100.00"));
    reported(&mut day, "cashout.token_sent");
    reported(&mut day, "cashout.pix_impossible");
    waits(&mut day, "aguarda_devolucao");
}

#[test]
fn a_refund_that_an_operator_must_permit_is_above_the_limit_of_refunds() {
    let body = json!({
        "amount": "5000.000001", "pix_key": "ana@exemplo.com.br", "refund_address": WALLET,
    });
    let mut day = deposited(VOLUME, POLYGON, body);
    reported(&mut day, "cashout.pix_impossible");
    waits(&mut day, "devolucao_acima_do_limite");
}

#[test]
fn a_refund_of_unknown_outcome_says_so() {
    let mut day = deposited(STANDARD, POLYGON, to_mail("100.00"));
    reported(&mut day, "cashout.pix_impossible");
    reported(&mut day, "refund.unknown");
    waits(&mut day, "devolucao_desconhecida");
}

#[test]
fn an_order_that_waits_for_nobody_gives_no_reason() {
    let mut day = Day::selling(NOON, STANDARD);
    let quiet = |day: &mut Day, state: &str| {
        let order = day.order("v", NOON);
        assert_eq!((&order["state"], &order["review_reason"]), (&json!(state), &Value::Null));
    };
    day.sold("v", NOON, "100.00");
    quiet(&mut day, "QUOTE_CREATED");
    assert_eq!(day.accept("v", NOON).status, 200);
    quiet(&mut day, "AWAITING_DEPOSIT");
    day.deposited("v", NOON, "19.444445");
    quiet(&mut day, "PROCESSING");
    reported(&mut day, "cashout.pix_impossible");
    quiet(&mut day, "REFUNDING_CRYPTO");
}

/// Why a person's decision of the order moves nothing.
fn refused(day: &mut Day, at: &str, fact: &str, more: Value) -> Value {
    let mut body = json!({ "id": day.outside_id(), "cashout_id": "$v.cashout_id" });
    body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
    day.report_as("", at, fact, &judged(body))["reason"].clone()
}

#[test]
fn a_decision_that_moves_nothing_says_why() {
    let mut day = accepted(VOLUME, POLYGON, to_mail("100.00"));
    let strange = arrival("0xd", ("usdc", "polygon"), "18.768519");
    assert_eq!(day.sale_reports("v", NOON, "deposit.confirmed", strange), "applied");
    waits(&mut day, "deposito_divergente");
    let other = json!({ "refund_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" });
    assert_eq!(refused(&mut day, NOON, "refund.decided", other), "wallet_differs");
    // Its price is too old to let it go on at.
    let later = "2026-10-29T12:00:00Z";
    day.report(later, "time.passed", &json!({}));
    assert_eq!(refused(&mut day, later, "cashout.cleared", json!({})), "too_early");
    assert_eq!(day.price(later, "usdc", "5.00"), "applied");
    assert_eq!(refused(&mut day, later, "cashout.cleared", json!({})), Value::Null);
    assert_eq!(day.state("v", later), "PROCESSING");
}
