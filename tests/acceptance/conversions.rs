//! Conversions of custody into crypto: `POST /saldo/sacar-cripto` (Part A3; CUS-34 to CUS-42,
//! CIN-35, CIN-36, FEE-33, FEE-43, STM-17; rulings 36).

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, OWNER, fields};
use crate::market::{LIQUID, TON, TRON, WALLET, conversion};

const NOON: &str = "2026-10-20T12:00:00Z";

fn funded() -> Day {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    day
}

/// 10,000 of the 19,900 were converted: 330 of fee, 9,570 left.
fn converted() -> Day {
    let mut day = funded();
    let made = day.convert("c", NOON, "a", 10_000);
    assert_eq!(made.status, 200, "{}", made.body);
    day
}

fn stands(day: &mut Day) -> String {
    let (status, settlement) = day.stands(NOON, "c");
    format!("{status}/{settlement}")
}

fn erro(day: &mut Day, body: &Value) -> (u16, String) {
    let answer = day.ask(NOON, "POST /saldo/sacar-cripto", body);
    (answer.status, answer.body["erro"].as_str().unwrap_or("none").to_owned())
}

fn is(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

#[test]
fn cus_35_a_conversion_is_a_charge_already_paid_with_exactly_these_fields() {
    let mut day = funded();
    let made = day.convert("c", NOON, "a", 10_000).body;
    let expected = json!({
        "cashin_id": made["cashin_id"], "status": "paid", "amount_cents": 10_000, "asset": "usdt",
        "chain": "polygon", "payout_address": WALLET, "qr_copypaste": null, "qr_image_url": null,
        "expires_at": null, "held": false, "held_hours": null, "delay_until": null,
        "liberar_em": null, "hold_hours": null, "external_id": "c", "created_at": NOON,
        "settlement_status": "pending", "depix_received_cents": null, "usdt_amount": "18.518518",
        "settlement_tx_hash": null, "settlement_tx_url": null, "e2e": null, "payer_name": null,
        "payer_tax_number": "***.982.247-**", "destino": "cripto", "customer_ref": "a",
        "fonte": "saldo", "paid_at": NOON, "settled_at": null, "fee_cents": 330,
        "debited_cents": 10_330, "amount": "18.518518",
    });
    assert_eq!(made, expected);
    assert_eq!(fields(&made), fields(&expected), "in this order");
    let id = made["cashin_id"].as_str().unwrap().to_owned();
    assert_eq!(day.get(NOON, &format!("/cashin/{id}/status")), made);
    assert_eq!(day.status(NOON, "c"), made, "found among the charges by its external_id");
}

#[test]
fn cin_70_the_listing_finds_a_charge_and_a_conversion_of_one_name() {
    let mut day = converted();
    assert_eq!(day.buy("c", NOON, 10_000).status, 200, "each kind has names of its own");
    let charges = day.get(NOON, "/cashin/charges?external_id=c");
    let sources: Vec<_> =
        charges["charges"].as_array().unwrap().iter().map(|c| c["fonte"].clone()).collect();
    assert_eq!(sources, [json!("pix"), json!("saldo")]);
}

#[test]
fn cus_34_what_must_be_given_is_named() {
    let mut day = funded();
    let without = |field: &str| {
        let mut body = conversion("a", 5_000);
        body.as_object_mut().unwrap().remove(field);
        body
    };
    assert_eq!(erro(&mut day, &without("amount_cents")), is(400, "campos_obrigatorios"));
    assert_eq!(erro(&mut day, &without("tax_number")), is(400, "tax_number_obrigatorio"));
    assert_eq!(erro(&mut day, &without("payout_address")), is(400, "payout_address_obrigatorio"));
    for field in ["asset", "chain"] {
        let made = day.ask(NOON, "POST /saldo/sacar-cripto", &without(field));
        assert_eq!(made.status, 200, "usdt on polygon by default");
        assert_eq!((&made.body["asset"], &made.body["chain"]), (&json!("usdt"), &json!("polygon")));
    }
}

#[test]
fn cus_37_only_deliverable_pairs_and_never_liquid() {
    let mut day = funded();
    let to = |asset: &str, chain: &str, address: &str| {
        let mut body = conversion("a", 10_000);
        body["asset"] = asset.into();
        body["chain"] = chain.into();
        body["payout_address"] = address.into();
        body
    };
    let refused = is(400, "rede_indisponivel");
    assert_eq!(erro(&mut day, &to("usdt", "aptos", WALLET)), refused);
    assert_eq!(erro(&mut day, &to("depix", "liquid", LIQUID)), refused);
    assert_eq!(erro(&mut day, &to("usdt", "base", WALLET)), is(400, "asset_invalido"));
    assert_eq!(erro(&mut day, &to("usdt", "tron", WALLET)), is(400, "payout_address_invalido"));
    assert_eq!(erro(&mut day, &to("usdt", "ton", TON)), is(400, "memo_obrigatorio"));
    assert_eq!(erro(&mut day, &to("usdt", "tron", TRON)), is(200, "none"));
}

#[test]
fn cus_38_the_first_deposit_makes_conversions_wait_too() {
    let terms = r#"{"sem_retencao":true,"liberacao":"imediata"}"#;
    let mut day = Day::trading(NOON, terms);
    day.deposit("d", NOON, "a", 20_000);
    let refused = day.convert("c", NOON, "a", 10_000);
    assert_eq!(refused.status, 423);
    assert_eq!(refused.body["erro"], "carencia_primeiro_deposito");
    assert_eq!(refused.body["libera_em"], "2026-10-21T12:00:00Z");
    day.deposit("h", NOON, "", 20_000);
    assert_eq!(day.convert("c", NOON, "", 10_000).status, 200, "the house never waits");
}

#[test]
fn cus_36_amount_and_fees_must_be_covered_to_the_centavo() {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_430);
    assert_eq!(day.balance(NOON, "a"), (10_330, 0));
    assert_eq!(erro(&mut day, &conversion("a", 10_001)), is(402, "saldo_insuficiente"));
    assert_eq!(erro(&mut day, &conversion("never-seen", 10_000)), is(402, "saldo_insuficiente"));
    assert_eq!(day.convert("c", NOON, "a", 10_000).status, 200);
    assert_eq!(day.balance(NOON, "a"), (0, 0));
}

#[test]
fn cus_42_the_network_minimum_binds_the_amount_converted() {
    let mut day = funded();
    let refused = day.convert("c", NOON, "a", 2_703);
    assert_eq!((refused.status, &refused.body["erro"]), (400, &json!("valor_abaixo_do_minimo")));
    assert_eq!(refused.body["minimo_estimado_cents"], 2_704, "5.0065 at 5.40");
    assert_eq!(day.convert("c", NOON, "a", 2_704).status, 200);
}

#[test]
fn fee_46_the_network_takes_its_fee_of_what_is_bought() {
    let mut day = funded();
    let mut body = conversion("a", 10_000);
    body["chain"] = "tron".into();
    body["payout_address"] = TRON.into();
    let made = day.ask_as("c", NOON, "POST /saldo/sacar-cripto", body).body;
    assert_eq!(made["usdt_amount"], "18.518518");
    assert_eq!(made["amount"], "17.018518", "less 1.5");
    assert_eq!(day.sent("c", NOON), "applied");
    assert_eq!(day.coins("usdt", "treas"), 17_018_518);
    assert_eq!(day.coins("usdt", "exp.gas"), 1_500_000, "the customer paid for the gas");
}

#[test]
fn fee_05_and_43_both_house_rates_and_the_partners_are_added_on_top() {
    let terms = r#"{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0,
        "saque_cripto_fee_bps":20,"saque_cripto_conversao_fee_bps":100,
        "saque_cripto_conversao_fee_fixed_cents":7,"partner_saque_fee_bps":50}"#;
    let mut day = Day::trading(NOON, terms);
    day.deposit("d", NOON, "a", 20_000);
    let saldo = day.get(NOON, "/saldo?customer_ref=a");
    let shown = [
        "saque_cripto_fee_bps",
        "saque_cripto_conversao_fee_bps",
        "saque_cripto_conversao_fee_fixed_cents",
    ];
    assert_eq!(json!(shown.map(|name| saldo[name].clone())), json!([20, 100, 7]));
    // 3,333 at 170 bps: 56.661; the partner's 16.665; the rest and the fixed part the house's.
    let made = day.convert("c", NOON, "a", 3_333).body;
    assert_eq!((&made["fee_cents"], &made["debited_cents"]), (&json!(63), &json!(3_396)));
    assert_eq!(day.sent("c", NOON), "applied");
    assert_eq!((day.money(Control::ConversionIncome), day.money(Control::Commission)), (47, 16));
}

#[test]
fn cus_41_a_definite_failure_is_retried_and_giving_up_refunds_all_of_it_as_a_row_of_its_own() {
    let mut day = converted();
    assert_eq!(day.delivery_reports("c", NOON, "started"), "applied");
    assert_eq!(day.give_up("c", NOON, "saldo"), "set_aside", "an attempt is under way");
    assert_eq!(day.delivery_reports("c", NOON, "failed"), "applied");
    assert_eq!(stands(&mut day), "paid/sending");
    assert_eq!(day.balance(NOON, "a"), (9_570, 0), "nothing comes back by itself");
    assert_eq!(day.give_up("c", NOON, "pagador"), "set_aside", "nobody paid a PIX for it");
    assert_eq!(day.give_up("c", NOON, "saldo"), "applied");
    assert_eq!(stands(&mut day), "refunded/failed");
    assert_eq!(day.balance(NOON, "a"), (19_900, 0));
    assert_eq!(day.values(NOON, "a")[2..], [-10_000, -330, 10_000, 330]);
    let rows = day.rows(NOON, "a", "&visao=operacoes");
    let effects: Vec<_> = rows[1..]
        .iter()
        .map(|row| [row["tipo"].clone(), row["valor_cents"].clone(), row["taxas_cents"].clone()])
        .collect();
    assert_eq!(json!(effects), json!([["saque_cripto", -10_330, 330], ["estorno", 10_330, 330]]));
    let flights = [Control::ConversionInFlight, Control::Fx, Control::ConversionIncome];
    assert_eq!(flights.map(|control| day.money(control)), [0; 3]);
    assert_eq!((day.coins("usdt", "fx"), day.coins("usdt", "flight.deliv")), (0, 0));
    assert_eq!(day.give_up("c", NOON, "saldo"), "known");
    assert_eq!(day.sent("c", NOON), "set_aside", "a claim on whoever got it");
}

#[test]
fn stm_04_the_row_of_a_conversion_shows_how_it_settles() {
    let mut day = converted();
    let row = |day: &mut Day| day.rows(NOON, "a", "&visao=operacoes")[1].clone();
    let shown = |row: &Value| {
        ["status", "settlement_status", "valor_operacao_cents", "valor_cents"]
            .map(|name| row[name].clone())
    };
    let first = row(&mut day);
    assert_eq!(json!(shown(&first)), json!(["paid", "pending", -10_000, -10_330]));
    assert_eq!(first["taxas"][0]["tipo"], "servico");
    assert_eq!(first["origem_id"], day.status(NOON, "c")["cashin_id"]);
    assert_eq!(day.sent("c", NOON), "applied");
    assert_eq!(json!(shown(&row(&mut day))), json!(["paid", "sent", -10_000, -10_330]));
}

#[test]
fn inv_32_an_unknown_outcome_reverses_nothing_by_itself() {
    let mut day = converted();
    assert_eq!(day.delivery_reports("c", NOON, "started"), "applied");
    assert_eq!(day.delivery_reports("c", NOON, "unknown"), "applied");
    assert_eq!(day.report("2027-10-20T12:00:00Z", "time.passed", &json!({})), "applied");
    assert_eq!(day.stands("2027-10-20T12:00:00Z", "c").1, "incerto");
    assert_eq!(day.balance("2027-10-20T12:00:00Z", "a"), (9_570, 0));
    assert_eq!(day.money(Control::ConversionInFlight), 330);
}

#[test]
fn fee_34_a_conversion_keeps_the_terms_it_was_requested_under() {
    let mut day = converted();
    let dearer = json!({ "saque_cripto_conversao_fee_bps": 500, "partner_saque_fee_bps": 100 });
    assert_eq!(day.agree(NOON, dearer), "applied");
    assert_eq!(day.sent("c", NOON), "applied");
    assert_eq!((day.money(Control::ConversionIncome), day.money(Control::Commission)), (330, 0));
}

#[test]
fn rulings_25_the_house_converts_no_more_than_its_customers_do_not_owe() {
    let mut day = funded();
    day.deposit("h", NOON, "", 20_000);
    assert_eq!(day.transfer("t", NOON, "a", "b", 19_900).status, 200);
    assert_eq!(day.give_back("d", NOON, 20_000), "applied");
    assert_eq!(day.balance(NOON, "a"), (-19_900, 0));
    let refused = day.convert("c", NOON, "", 10_000);
    assert_eq!((refused.status, &refused.body["disponivel_cents"]), (402, &json!(0)));
}

#[test]
fn inv_46_no_answer_shows_the_customers_document() {
    let mut day = converted();
    let record = day.status(NOON, "c").to_string();
    assert!(!record.contains(OWNER), "{record}");
}
