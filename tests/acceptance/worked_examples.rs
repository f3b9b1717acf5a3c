//! The worked examples of the requirements (Part C) that these machines reach, to the centavo.

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, judged};

const NOON: &str = "2026-10-20T12:00:00Z";

/// The terms of W24: house 150 bps, partner 100 bps, tariff R$ 1.00; deposits spendable at once.
const W24_TERMS: &str = r#"{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0,
    "partner_saque_fee_bps":100,"saque_taxa_provedor_tipo":"fixo","saque_taxa_estimada_cents":100}"#;

/// The five fee fields and the debit of a payout.
fn fees(payout: &Value) -> [i64; 6] {
    [
        "fee_service_total_cents",
        "fee_service_cents",
        "fee_partner_cents",
        "fee_provider_cents",
        "fee_cents",
        "debited_cents",
    ]
    .map(|name| payout[name].as_i64().unwrap())
}

/// Signed effect, signed principal, absolute fees, signed fee effect of an operations row.
fn effects(row: &Value) -> [i64; 4] {
    let effect: i64 = row["taxas"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fee| {
            assert_eq!(fee["tipo"], "servico");
            fee["efeito_saldo_cents"].as_i64().unwrap()
        })
        .sum();
    let of = |name: &str| row[name].as_i64().unwrap();
    [of("valor_cents"), of("valor_operacao_cents"), of("taxas_cents"), effect]
}

fn operations(day: &mut Day, customer: &str) -> Vec<Value> {
    day.rows("2026-10-20T13:00:00Z", customer, "&visao=operacoes")
}

#[test]
fn w01_a_deposit_of_10_000_leaves_9_900_and_earns_100() {
    let mut day = Day::with_terms(NOON, W24_TERMS);
    day.deposit("d", NOON, "a", 10_000);
    assert_eq!(day.balance(NOON, "a"), (9_900, 0));
    assert_eq!(day.money(Control::ProviderPix), 10_000);
    assert_eq!(day.money(Control::DepositIncome), 100);
    assert_eq!(day.money(Control::Commission), 0, "no commission on deposits");
    let charges = day.get(NOON, "/cashin/charges?external_id=d");
    assert_eq!(charges["charges"][0]["depix_received_cents"], 10_000);
}

#[test]
fn w02_the_smallest_deposit_is_101_and_leaves_one_centavo() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let refused = day.charge("d", NOON, "a", 100);
    assert_eq!(refused.status, 400);
    assert_eq!(refused.body["erro"], "valor_abaixo_do_minimo");
    assert_eq!(refused.body["minimo_estimado_cents"], 101);
    day.deposit("d", NOON, "a", 101);
    assert_eq!(day.balance(NOON, "a"), (1, 0));
}

#[test]
fn w03_the_largest_charge_is_600_000_and_is_held() {
    let mut day = Day::opened(NOON);
    let refused = day.charge("d", NOON, "a", 600_001);
    assert_eq!((refused.status, &refused.body["erro"]), (400, &json!("valor_acima_do_maximo")));
    let charge = day.charge("d", NOON, "a", 600_000).body;
    assert_eq!((&charge["held"], &charge["held_hours"]), (&json!(true), &json!(24)));
    assert_eq!(day.pix("d", NOON, 600_000), "applied");
    let body = json!({ "id": "rel-1", "cashin_id": "$d.cashin_id" });
    assert_eq!(day.report("2026-10-21T12:00:00Z", "provider.released", &body), "applied");
    assert_eq!(day.balance("2026-10-21T12:00:00Z", "a"), (599_900, 0));
}

#[test]
fn w23_a_payout_of_10_000_debits_10_150() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    let payout = day.payout("p", NOON, "a", 10_000);
    assert_eq!(payout.status, 200);
    assert_eq!(fees(&payout.body), [150, 150, 0, 0, 150, 10_150]);
    assert_eq!(day.balance(NOON, "a"), (19_900 - 10_150, 0));
}

#[test]
fn w24_a_payout_with_partner_and_tariff_debits_10_350_and_splits_on_completion() {
    let mut day = Day::with_terms(NOON, W24_TERMS);
    day.deposit("d", NOON, "a", 20_000);
    let payout = day.payout("p", NOON, "a", 10_000).body;
    assert_eq!(fees(&payout), [250, 150, 100, 100, 350, 10_350]);
    let before = [Control::PayoutInFlight, Control::PayoutIncome, Control::Commission];
    assert_eq!(before.map(|control| day.money(control)), [10_350, 0, 0], "earned when paid");
    assert_eq!(day.paid("p", NOON), "applied");
    assert_eq!(day.money(Control::PayoutInFlight), 0);
    assert_eq!(day.money(Control::ProviderPay), -10_000);
    assert_eq!(day.money(Control::PayoutIncome), 150);
    assert_eq!(day.money(Control::Commission), 100);
    assert_eq!(day.money(Control::TariffDue), 100);
    assert_eq!(day.get(NOON, "/saldo")["saque_fee_total_bps"], 250);
}

#[test]
fn w25_the_earlier_payout_policy_debits_10_280() {
    let terms = r#"{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0,
        "saque_fee_bps":180,"saque_taxa_provedor_tipo":"fixo","saque_taxa_estimada_cents":100}"#;
    let mut day = Day::with_terms(NOON, terms);
    day.deposit("d", NOON, "a", 20_000);
    let payout = day.payout("p", NOON, "a", 10_000).body;
    assert_eq!(fees(&payout), [180, 180, 0, 100, 280, 10_280]);
}

#[test]
fn w26_total_and_partner_round_down_and_the_house_takes_the_rest() {
    let terms = r#"{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0,
        "partner_saque_fee_bps":100}"#;
    let mut day = Day::with_terms(NOON, terms);
    day.deposit("d", NOON, "a", 20_000);
    let payout = day.payout("p", NOON, "a", 3_333).body;
    assert_eq!(fees(&payout), [83, 50, 33, 0, 83, 3_416]);
}

#[test]
fn w26_the_house_alone_rounds_down_to_49() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    let payout = day.payout("p", NOON, "a", 3_333).body;
    assert_eq!(fees(&payout), [49, 49, 0, 0, 49, 3_382]);
}

#[test]
fn w28_no_part_of_a_fee_is_ever_assumed_to_be_zero() {
    let mut day = Day::with_terms(NOON, W24_TERMS);
    day.deposit("d", NOON, "a", 20_000);
    let unknown = json!({ "saque_taxa_provedor_tipo": "desconhecido" });
    assert_eq!(day.agree(NOON, unknown), "applied");
    assert_eq!(day.get(NOON, "/saldo")["saque_taxa_estimada_cents"], Value::Null);
    let refused = day.payout("p", NOON, "a", 10_000);
    assert_eq!(refused.body["erro"], "cotacao_indisponivel", "null exists in imports only");
    let known = json!({ "saque_taxa_provedor_tipo": "fixo", "saque_taxa_estimada_cents": 0 });
    assert_eq!(day.agree(NOON, known), "applied");
    let payout = day.payout("p", NOON, "a", 10_000).body;
    assert_eq!(fees(&payout), [250, 150, 100, 0, 250, 10_250], "zero where zero was given");
}

#[test]
fn w29_a_deposit_is_principal_and_fee_in_one_operations_row() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    let rows = operations(&mut day, "a");
    assert_eq!(effects(&rows[0]), [9_900, 10_000, 100, -100]);
    assert_eq!(rows[0]["tipo"], "deposito");
    assert_eq!(rows.len(), 1);
}

#[test]
fn w30_a_payout_shows_house_partner_and_tariff_as_one_fee() {
    let mut day = Day::with_terms(NOON, W24_TERMS);
    day.deposit("d", NOON, "a", 20_000);
    assert_eq!(day.payout("p", NOON, "a", 10_000).status, 200);
    let rows = operations(&mut day, "a");
    assert_eq!(effects(&rows[1]), [-10_350, -10_000, 350, -350]);
    assert_eq!(rows[1]["taxas"].as_array().unwrap().len(), 1);
    assert_eq!(rows[1]["tipo"], "saque_pix");
}

#[test]
fn w31_a_failed_payout_is_a_refund_row_of_its_own_and_the_two_sum_to_nothing() {
    let mut day = Day::with_terms(NOON, W24_TERMS);
    day.deposit("d", NOON, "a", 20_000);
    assert_eq!(day.payout("p", NOON, "a", 10_000).status, 200);
    let body = json!({ "id": "ref-1", "payout_id": "$p.payout_id" });
    assert_eq!(day.report(NOON, "payout.refused", &body), "applied");
    let rows = operations(&mut day, "a");
    assert_eq!(rows.len(), 3, "the original row stays");
    assert_eq!(effects(&rows[1]), [-10_350, -10_000, 350, -350]);
    assert_eq!(effects(&rows[2]), [10_350, 10_000, 350, 350]);
    assert_eq!(rows[2]["tipo"], "estorno");
    assert_eq!(day.balance(NOON, "a"), (19_900, 0));
    assert_eq!(day.money(Control::PayoutIncome), 0);
}

#[test]
fn w32_a_returned_deposit_mirrors_principal_and_fee() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    assert_eq!(day.give_back("d", NOON, 10_000), "applied");
    let rows = operations(&mut day, "a");
    assert_eq!(effects(&rows[1]), [-9_900, -10_000, 100, 100]);
    assert_eq!(day.values(NOON, "a"), [10_000, -100, -10_000, 100]);
    assert_eq!(day.balance(NOON, "a"), (0, 0));
    assert_eq!(day.money(Control::DepositIncome), 0);
    assert_eq!(day.money(Control::ProviderPix), 0);
}

#[test]
fn w32_with_4_000_available_the_same_posting_leaves_5_900_owed() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    assert_eq!(day.transfer("t", NOON, "a", "casa", 5_900).status, 200);
    assert_eq!(day.give_back("d", NOON, 10_000), "applied");
    assert_eq!(day.balance(NOON, "a"), (-5_900, 0));
    assert_eq!(effects(operations(&mut day, "a").last().unwrap()), [-9_900, -10_000, 100, 100]);
}

#[test]
fn w33_a_fee_adjustment_without_principal_is_a_row_of_its_own() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    let body = judged(json!({
        "id": "fee-1", "account": "loja", "customer_ref": "a", "effect_cents": 25,
    }));
    assert_eq!(day.report(NOON, "fee.adjusted", &body), "applied");
    let rows = operations(&mut day, "a");
    assert_eq!(effects(&rows[1]), [25, 0, 25, 25]);
    assert_eq!(rows[1]["tipo"], "ajuste_taxa");
    assert_eq!(day.balance(NOON, "a"), (9_925, 0));
}

/// W34: 9,900 in, 2,500 out by transfer, 5,000 by PIX at 1.5 %.
fn w34() -> Day {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    assert_eq!(day.transfer("t", NOON, "a", "b", 2_500).status, 200);
    assert_eq!(day.payout("p", NOON, "a", 5_000).body["debited_cents"], 5_075);
    day
}

#[test]
fn w34_both_views_sum_to_the_balance_of_2_325() {
    let mut day = w34();
    assert_eq!(day.values(NOON, "a"), [10_000, -100, -2_500, -5_000, -75]);
    let rows = operations(&mut day, "a");
    assert_eq!(rows.iter().map(|row| effects(row)[0]).collect::<Vec<_>>(), [9_900, -2_500, -5_075]);
    assert_eq!(day.balance(NOON, "a"), (2_325, 0));
}

#[test]
fn w35_a_transfer_moves_everything_and_not_a_centavo_more() {
    let mut day = w34();
    let before = day.digest();
    let refused = day.transfer("t2", NOON, "a", "casa", 2_326);
    assert_eq!((refused.status, &refused.body["erro"]), (409, &json!("saldo_insuficiente")));
    let same = day.transfer("t2", NOON, "a", "a", 1);
    assert_eq!((same.status, &same.body["erro"]), (400, &json!("origem_igual_destino")));
    assert_eq!(day.digest(), before, "refusals leave nothing behind");
    let made = day.transfer("t2", NOON, "a", "casa", 2_325);
    assert_eq!(made.body["status"], "concluida");
    assert_eq!(day.transfer("t2", NOON, "a", "casa", 2_325), made, "a repeat is the same record");
    assert_eq!(day.balance(NOON, "a"), (0, 0));
    assert_eq!(day.balance(NOON, ""), (2_325, 0));
}

#[test]
fn w35_absent_and_casa_are_both_the_house() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let body = json!({ "to_customer_ref": "casa", "amount_cents": 1, "external_id": "t" });
    let refused = day.ask(NOON, "POST /saldo/transferir", &body);
    assert_eq!(refused.body["erro"], "origem_igual_destino");
}

#[test]
fn w36_the_consolidated_view_adds_house_and_customers() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("h", NOON, "", 12_100);
    day.deposit("a", NOON, "a", 10_000);
    day.deposit("b", NOON, "b", 5_050);
    let all = day.get(NOON, "/saldo/consolidado");
    let expected = json!({
        "casa": { "disponivel_cents": 12_000, "bloqueado_cents": 0 },
        "clientes": { "disponivel_cents": 14_850, "bloqueado_cents": 0, "quantidade": 2 },
        "total_cents": 26_850,
        "total_negativo_cents": 0,
    });
    assert_eq!(all, expected);
    assert_eq!(day.balance(NOON, ""), (12_000, 0), "GET /saldo is the house alone");
}

#[test]
fn w37_carencia_is_inclusive_at_the_very_instant() {
    let terms = r#"{"sem_retencao":true,"liberacao":"imediata"}"#;
    let mut day = Day::with_terms("2026-10-20T14:00:00Z", terms);
    day.deposit("d", "2026-10-20T15:00:00Z", "a", 20_000);
    for at in ["2026-10-20T15:00:00Z", "2026-10-21T14:59:59.999999Z"] {
        let refused = day.payout("p", at, "a", 5_000);
        assert_eq!(refused.status, 423, "{at}");
        assert_eq!(refused.body["erro"], "carencia_primeiro_deposito");
        assert_eq!(refused.body["acao"], "esperar");
        assert_eq!(refused.body["libera_em"], "2026-10-21T15:00:00Z");
    }
    assert_eq!(day.payout("p", "2026-10-21T15:00:00Z", "a", 5_000).status, 200);
}

#[test]
fn w37_a_second_deposit_does_not_lengthen_the_wait_and_transfers_in_start_none() {
    let terms = r#"{"sem_retencao":true,"liberacao":"imediata"}"#;
    let mut day = Day::with_terms("2026-10-20T14:00:00Z", terms);
    day.deposit("h", "2026-10-20T14:00:00Z", "", 20_000);
    assert_eq!(day.payout("ph", "2026-10-20T14:00:00Z", "", 100).status, 200, "house: no gate");
    day.deposit("d1", "2026-10-20T15:00:00Z", "a", 5_000);
    day.deposit("d2", "2026-10-21T12:00:00Z", "a", 5_000);
    let saldo = day.get("2026-10-21T12:00:00Z", "/saldo?customer_ref=a");
    assert_eq!(saldo["carencia_ate"], "2026-10-21T15:00:00Z");
    assert_eq!(saldo["disponivel_cents"], 9_800, "available, and waiting all the same (CUS-07)");
    let out = day.transfer("t", "2026-10-21T12:00:00Z", "a", "casa", 1);
    assert_eq!(out.status, 423, "transfers obey the source's wait");
    assert_eq!(day.transfer("t", "2026-10-21T12:00:00Z", "casa", "b", 5_000).status, 200);
    assert_eq!(day.payout("pb", "2026-10-21T12:00:00Z", "b", 1_000).status, 200);
    day.deposit("db", "2026-10-21T12:00:00Z", "b", 5_000);
    assert_eq!(day.payout("pc", "2026-10-21T12:00:00Z", "b", 1_000).status, 423, "a deposit does");
    assert_eq!(day.payout("pa", "2026-10-21T15:00:00Z", "a", 1_000).status, 200);
}

#[test]
fn w38_up_to_6_000_is_held_until_midnight_in_brasilia() {
    let mut day = Day::opened("2026-10-20T10:00:00-03:00");
    let charge = day.charge("d", "2026-10-20T10:00:00-03:00", "a", 6_000).body;
    assert_eq!((&charge["held"], &charge["held_hours"]), (&json!(false), &Value::Null));
    assert_eq!(day.pix("d", "2026-10-20T10:00:00-03:00", 6_000), "applied");
    let saldo = day.get("2026-10-21T02:59:59.999999Z", "/saldo?customer_ref=a");
    assert_eq!(saldo["disponivel_cents"], 0);
    assert_eq!(saldo["bloqueado_cents"], 5_900);
    let releases = json!([{ "valor_cents": 5_900, "disponivel_em": "2026-10-21T03:00:00Z" }]);
    assert_eq!(saldo["proximas_liberacoes"], releases);
    assert_eq!(day.balance("2026-10-21T03:00:00Z", "a"), (5_900, 0));
}

#[test]
fn w38_above_6_000_the_provider_holds_and_its_release_is_available_at_once() {
    let mut day = Day::opened("2026-10-20T10:00:00-03:00");
    let charge = day.charge("d", "2026-10-20T10:00:00-03:00", "a", 6_001).body;
    assert_eq!((&charge["held"], &charge["held_hours"]), (&json!(true), &json!(24)));
    assert_eq!(day.pix("d", "2026-10-20T10:00:00-03:00", 6_001), "applied");
    assert_eq!(day.money(Control::PixInFlight), 6_001);
    assert_eq!(day.balance("2026-10-22T09:00:00-03:00", "a"), (0, 0), "only its fact ends it");
    let body = json!({ "id": "rel-1", "cashin_id": "$d.cashin_id" });
    assert_eq!(day.report("2026-10-22T10:00:00-03:00", "provider.released", &body), "applied");
    assert_eq!(day.balance("2026-10-22T10:00:00-03:00", "a"), (5_901, 0));
}

#[test]
fn w43_a_centavo_more_or_less_goes_to_suspense() {
    for paid in [10_001, 9_999] {
        let mut day = Day::with_terms(NOON, AT_ONCE);
        assert_eq!(day.charge("d", NOON, "a", 10_000).status, 200);
        assert_eq!(day.pix("d", NOON, paid), "set_aside");
        assert_eq!(day.money(Control::SuspensePix), i128::from(paid));
        assert_eq!(day.money(Control::DepositIncome), 0);
        let pending = day.get("2026-10-20T12:14:59.999999Z", "/cashin/charges?external_id=d");
        assert_eq!(pending["charges"][0]["status"], "pending");
        let expired = day.get("2026-10-20T12:15:00Z", "/cashin/charges?external_id=d");
        assert_eq!(expired["charges"][0]["status"], "expired");
        assert_eq!(day.balance("2026-10-20T12:15:00Z", "a"), (0, 0));
    }
}

#[test]
fn w67_a_change_of_commission_binds_new_payouts_only() {
    let mut day = Day::with_terms(NOON, W24_TERMS);
    day.deposit("d", NOON, "a", 50_000);
    assert_eq!(day.payout("p1", NOON, "a", 10_000).body["fee_partner_cents"], 100);
    let body = json!({ "id": "t-1", "account": "loja", "partner_saque_fee_bps": 50 });
    assert_eq!(day.report(NOON, "terms.adopted", &body), "applied");
    assert_eq!(day.paid("p1", NOON), "applied");
    assert_eq!(day.money(Control::Commission), 100);
    let second = day.payout("p2", NOON, "a", 10_000).body;
    assert_eq!(fees(&second)[..3], [200, 150, 50]);
}
