//! The views: exactly these fields, masked where they must be (CIN-21 to CIN-27, CIN-30 to CIN-36,
//! CUS-01, STM-04, PAY-04, rulings 41).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, fields};
use crate::pages;

const NOON: &str = "2026-10-20T12:00:00Z";

/// CIN-21, in its order.
const CHARGE: [&str; 16] = [
    "cashin_id",
    "status",
    "amount_cents",
    "asset",
    "chain",
    "payout_address",
    "qr_copypaste",
    "qr_image_url",
    "expires_at",
    "held",
    "held_hours",
    "delay_until",
    "liberar_em",
    "hold_hours",
    "external_id",
    "created_at",
];

/// CIN-30, in its order, less those of CIN-21.
const CHARGE_STATUS: [&str; 15] = [
    "settlement_status",
    "depix_received_cents",
    "usdt_amount",
    "settlement_tx_hash",
    "settlement_tx_url",
    "e2e",
    "payer_name",
    "payer_tax_number",
    "destino",
    "customer_ref",
    "fonte",
    "paid_at",
    "settled_at",
    "fee_cents",
    "debited_cents",
];

/// Rulings 41 with the fields of PAY-04.
const PAYOUT: [&str; 16] = [
    "payout_id",
    "status",
    "amount_cents",
    "customer_ref",
    "external_id",
    "pix_key",
    "fee_service_total_cents",
    "fee_provider_cents",
    "fee_cents",
    "fee_partner_cents",
    "fee_service_cents",
    "debited_cents",
    "returned_cents",
    "e2e",
    "created_at",
    "updated_at",
];

/// CUS-01, in its order, with the fields of section 1, and `as_of` (rulings 42).
const SALDO: [&str; 17] = [
    "custodia_ativa",
    "disponivel_cents",
    "bloqueado_cents",
    "deposito_fee_bps",
    "deposito_fee_fixed_cents",
    "saque_fee_bps",
    "saque_fee_total_bps",
    "saque_taxa_estimada_cents",
    "saque_taxa_provedor_tipo",
    "saque_cripto_fee_bps",
    "saque_cripto_conversao_fee_bps",
    "saque_cripto_conversao_fee_fixed_cents",
    "carencia_horas",
    "carencia_ate",
    "retencao_acima_cents",
    "proximas_liberacoes",
    "as_of",
];

/// STM-04, in its order.
const OPERATION: [&str; 10] = [
    "valor_cents",
    "valor_operacao_cents",
    "taxas_cents",
    "taxas",
    "movimentos_ids",
    "origem_id",
    "tipo",
    "status",
    "status_label",
    "settlement_status",
];

fn charge_status(day: &mut Day, at: &str, id: &str) -> Value {
    let charges = day.get(at, &format!("/cashin/charges?external_id={id}"));
    assert_eq!(fields(&charges), ["charges"]);
    let id = charges["charges"][0]["cashin_id"].as_str().unwrap().to_owned();
    let status = day.get(at, &format!("/cashin/{id}/status"));
    assert_eq!(status, charges["charges"][0], "a listing shows the status record");
    status
}

#[test]
fn cin_21_a_charge_has_exactly_these_fields() {
    let mut day = Day::opened(NOON);
    let charge = day.charge("d", NOON, "a", 5_000).body;
    assert_eq!(fields(&charge), CHARGE);
    let expected = json!({
        "cashin_id": charge["cashin_id"], "status": "pending", "amount_cents": 5_000,
        "asset": "usdt", "chain": "polygon", "payout_address": null,
        "qr_copypaste": "00020126-qr", "qr_image_url": null,
        "expires_at": "2026-10-20T12:15:00Z", "held": false, "held_hours": null,
        "delay_until": null, "liberar_em": null, "hold_hours": null, "external_id": "d",
        "created_at": NOON,
    });
    assert_eq!(charge, expected);
}

#[test]
fn cin_22_asset_chain_and_address_are_echoed_and_the_picture_shown_when_supplied() {
    let mut day = Day::opened(NOON);
    let line = json!({
        "at": NOON, "key": KEY, "request": "POST /cashin/charge",
        "body": { "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": "11222333000181",
            "asset": "usdc", "chain": "liquid", "payout_address": "lq1", "field_of_tomorrow": 1 },
        "supplied": { "qr_copypaste": "00020101", "qr_image_url": "https://qr.example/1.png" },
    });
    let charge = day.line(&line.to_string()).body;
    let shown = ["asset", "chain", "payout_address", "qr_copypaste", "qr_image_url", "external_id"];
    let shown = shown.map(|name| charge[name].clone());
    let expected = json!(["usdc", "liquid", "lq1", "00020101", "https://qr.example/1.png", null]);
    assert_eq!(Value::from(shown.to_vec()), expected);
}

#[test]
fn cin_04_a_payers_name_is_optional_and_shown_where_it_was_given() {
    let mut day = Day::opened(NOON);
    for (id, name) in [("with", json!("Joana Lima")), ("null", Value::Null)] {
        let body = json!({
            "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": "52998224725",
            "payer_name": name, "external_id": id,
        });
        assert_eq!(day.ask(NOON, "POST /cashin/charge", &body).status, 200, "{id}");
        assert_eq!(charge_status(&mut day, NOON, id)["payer_name"], name);
    }
    day.deposit("without", NOON, "a", 5_000);
    assert_eq!(charge_status(&mut day, NOON, "without")["payer_name"], Value::Null);
}

#[test]
fn cin_30_a_status_adds_exactly_these_fields() {
    let mut day = Day::opened(NOON);
    day.deposit("d", NOON, "a", 5_000);
    let status = charge_status(&mut day, NOON, "d");
    let all: Vec<&str> = CHARGE.into_iter().chain(CHARGE_STATUS).collect();
    assert_eq!(fields(&status), all);
    let shown = [
        "status",
        "settlement_status",
        "depix_received_cents",
        "usdt_amount",
        "destino",
        "customer_ref",
        "fonte",
        "paid_at",
        "settled_at",
        "fee_cents",
        "liberar_em",
        "hold_hours",
    ];
    let expected = json!([
        "paid",
        "pending",
        5_000,
        null,
        "saldo",
        "a",
        "pix",
        NOON,
        null,
        null,
        "2026-10-21T03:00:00Z",
        15,
    ]);
    assert_eq!(Value::from(shown.map(|name| status[name].clone()).to_vec()), expected);
}

#[test]
fn cin_63_settlement_is_complete_when_the_credit_is_booked_and_released() {
    let mut day = Day::opened(NOON);
    day.deposit("d", NOON, "a", 5_000);
    let before = charge_status(&mut day, "2026-10-21T02:59:59.999999Z", "d");
    assert_eq!(before["settlement_status"], "pending");
    let after = charge_status(&mut day, "2026-10-21T12:00:00Z", "d");
    assert_eq!(after["settlement_status"], "sent");
    assert_eq!(after["settled_at"], "2026-10-21T03:00:00Z");
    assert_eq!(after["settlement_tx_hash"], Value::Null);
}

#[test]
fn cin_33_documents_are_masked_by_their_kind() {
    let mut day = Day::opened(NOON);
    for (id, document, mask) in [
        ("cpf", "52998224725", "***.982.247-**"),
        ("cnpj", "11222333000181", "11.***.***/****-81"),
        ("letters", "12ABC34501DE35", "12.***.***/****-35"),
    ] {
        let body = json!({
            "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": document,
            "external_id": id,
        });
        assert_eq!(day.ask(NOON, "POST /cashin/charge", &body).status, 200, "{id}");
        assert_eq!(charge_status(&mut day, NOON, id)["payer_tax_number"], mask);
    }
}

#[test]
fn pay_04_a_payout_has_exactly_these_fields_and_its_key_is_masked() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "", 50_000);
    let keys = [
        ("ana@exemplo.com.br", None),
        ("52998224725", None),
        ("+5511987654321", None),
        ("11987654321", Some("phone")),
        ("123E4567-e12b-12d1-a456-426655440000", None),
    ];
    for (number, (key, kind)) in keys.into_iter().enumerate() {
        let mut body = crate::day::payout_body(&format!("p{number}"), 100);
        body["pix_key"] = key.into();
        body["pix_key_type"] = kind.into();
        let answer = day.ask(NOON, "POST /payouts", &body);
        assert_eq!(fields(&answer.body), PAYOUT);
        let mask = answer.body["pix_key"].as_str().unwrap();
        assert!(mask.contains('*') && !mask.contains(&key.to_lowercase()), "{mask}");
        let listed = day.get(NOON, &format!("/payouts?external_id=p{number}"));
        assert_eq!(listed, json!({ "payouts": [answer.body] }));
    }
}

#[test]
fn cus_01_a_balance_has_exactly_these_fields_and_one_never_seen_reads_as_zero() {
    let mut day = Day::opened(NOON);
    let saldo = day.get(NOON, "/saldo?customer_ref=nobody");
    assert_eq!(fields(&saldo), SALDO);
    let published = json!({
        "custodia_ativa": true, "disponivel_cents": 0, "bloqueado_cents": 0,
        "deposito_fee_bps": 0, "deposito_fee_fixed_cents": 100, "saque_fee_bps": 150,
        "saque_fee_total_bps": 150, "saque_taxa_estimada_cents": 0,
        "saque_taxa_provedor_tipo": "fixo", "saque_cripto_fee_bps": 0,
        "saque_cripto_conversao_fee_bps": 330, "saque_cripto_conversao_fee_fixed_cents": 0,
        "carencia_horas": 24, "carencia_ate": null, "retencao_acima_cents": 6_000,
        "proximas_liberacoes": [], "as_of": NOON,
    });
    assert_eq!(saldo, published);
}

#[test]
fn rulings_41_transfer_statement_and_lists_have_exactly_these_fields() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    let body = json!({
        "from_customer_ref": "a", "amount_cents": 100, "external_id": "t", "descricao": "aluguel",
    });
    let made = day.ask(NOON, "POST /saldo/transferir", &body).body;
    let expected = json!({
        "transfer_id": made["transfer_id"], "status": "concluida", "amount_cents": 100,
        "from_customer_ref": "a", "to_customer_ref": "casa", "external_id": "t",
        "descricao": "aluguel", "created_at": NOON,
    });
    assert_eq!(made, expected);
    assert_eq!(fields(&made), fields(&expected));

    let page = day.get(NOON, "/saldo/extrato?customer_ref=a");
    assert_eq!(fields(&page), ["visao", "customer_ref", "items", "has_more", "proxima_pagina"]);
    let row = &page["items"][0];
    let names = [
        "movimento_id",
        "tipo",
        "valor_cents",
        "saldo_apos_cents",
        "origem_id",
        "descricao",
        "created_at",
    ];
    assert_eq!(fields(row), names);
    assert_eq!(
        (&row["tipo"], &row["descricao"]),
        (&json!("transferencia_saida"), &json!("aluguel"))
    );

    let page = day.get(NOON, "/saldo/extrato?customer_ref=a&visao=operacoes");
    let deposit = &page["items"][1];
    assert_eq!(fields(deposit), OPERATION);
    let fee = ["tipo", "descricao", "valor_cents", "efeito_saldo_cents"];
    assert_eq!(fields(&deposit["taxas"][0]), fee);

    let customers = day.get(NOON, "/saldo/clientes");
    let known = json!([{ "customer_ref": "a", "disponivel_cents": 9_800, "bloqueado_cents": 0 }]);
    assert_eq!(customers, json!({ "items": known, "next_cursor": null }));
    let all = day.get(NOON, "/saldo/consolidado");
    assert_eq!(fields(&all), ["casa", "clientes", "total_cents", "total_negativo_cents"]);
    assert_eq!(fields(&all["clientes"]), ["disponivel_cents", "bloqueado_cents", "quantidade"]);
}

#[test]
fn cus_15_customers_are_paged_in_the_order_they_were_named() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    for name in ["zoe", "ana", "eva"] {
        day.deposit(name, NOON, name, 1_100);
    }
    assert_eq!(day.transfer("t", NOON, "ana", "casa", 1_000).status, 200);
    let mut seen = Vec::new();
    pages::walk("cursor", |cursor| {
        let page = day.get(NOON, &format!("/saldo/clientes?limit=1{cursor}"));
        let item = &page["items"][0]["customer_ref"];
        seen.push(item.as_str().unwrap().to_owned());
        // A subaccount opened between two pages is neither skipped nor shown twice.
        if seen.len() == 1 {
            day.deposit("ida", NOON, "ida", 1_100);
        }
        pages::next(&page, "next_cursor")
    });
    assert_eq!(seen, ["zoe", "ana", "eva", "ida"]);
    let with_balance = day.get(NOON, "/saldo/clientes?com_saldo=1");
    assert_eq!(with_balance["items"].as_array().unwrap().len(), 3);
}

#[test]
fn cus_17_a_subaccount_is_listed_and_counted_once_it_was_credited() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "ana", 5_000);
    assert_eq!(day.charge("e", NOON, "bia", 5_000).status, 200);
    let listed = |day: &mut Day| {
        let page = day.get(NOON, "/saldo/clientes");
        let items = page["items"].as_array().unwrap();
        let names: Vec<_> = items.iter().map(|item| item["customer_ref"].clone()).collect();
        let counted = day.get(NOON, "/saldo/consolidado")["clientes"]["quantidade"].clone();
        (names, counted)
    };
    assert_eq!(listed(&mut day), (vec![json!("ana")], json!(1)), "a charge that waits is nothing");
    assert_eq!(day.pix("e", NOON, 5_000), "applied");
    assert_eq!(listed(&mut day), (vec![json!("ana"), json!("bia")], json!(2)));
}

#[test]
fn cus_28_casa_is_the_house_on_either_side_of_a_transfer() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "", 10_000);
    let moved = |day: &mut Day, id: &str, from: Value, to: Value| {
        let body = json!({
            "from_customer_ref": from, "to_customer_ref": to, "amount_cents": 1_000,
            "external_id": id, "descricao": format!("de {from} para {to}"),
        });
        let made = day.ask(NOON, "POST /saldo/transferir", &body);
        assert_eq!(made.status, 200, "{}", made.body);
        for field in ["amount_cents", "external_id", "descricao"] {
            assert_eq!(made.body[field], body[field], "{field}");
        }
        [&made.body["from_customer_ref"], &made.body["to_customer_ref"]].map(Clone::clone)
    };
    assert_eq!(moved(&mut day, "a", json!("casa"), json!("ana")), ["casa", "ana"]);
    assert_eq!(moved(&mut day, "b", json!("ana"), json!("bia")), ["ana", "bia"]);
    assert_eq!(moved(&mut day, "c", json!("bia"), json!("casa")), ["bia", "casa"]);
    assert_eq!(moved(&mut day, "e", Value::Null, json!("ana")), ["casa", "ana"]);
    assert_eq!(moved(&mut day, "f", json!("ana"), Value::Null), ["ana", "casa"]);
    assert_eq!(moved(&mut day, "g", json!("casa"), json!("bia")), ["casa", "bia"]);
    let balances = ["", "ana", "bia"].map(|customer| day.balance(NOON, customer).0);
    assert_eq!(balances, [8_900, 0, 1_000]);
    let house = day.rows(NOON, "", "");
    let texts: Vec<&Value> = house.iter().map(|row| &row["descricao"]).collect();
    assert_eq!(texts.last().unwrap().as_str(), Some("de \"casa\" para \"bia\""));
    let short = day.transfer("h", NOON, "casa", "ana", 8_901);
    assert_eq!((short.status, &short.body["erro"]), (409, &json!("saldo_insuficiente")));
}

#[test]
fn cus_08_and_20_a_wait_is_as_long_as_the_terms_say_and_null_when_it_is_over() {
    let later = |at: &str| format!("2026-10-20T{at}Z");
    let terms = r#"{"sem_retencao":true,"liberacao":"imediata","carencia_horas":2}"#;
    let mut day = Day::with_terms(NOON, terms);
    let wait = |day: &mut Day, at: &str| {
        let saldo = day.get(at, "/saldo?customer_ref=a");
        [saldo["carencia_horas"].clone(), saldo["carencia_ate"].clone()]
    };
    assert_eq!(wait(&mut day, NOON), [json!(2), Value::Null], "nothing was deposited");
    day.deposit("d", NOON, "a", 5_000);
    let until = later("14:00:00");
    assert_eq!(wait(&mut day, NOON), [json!(2), json!(until)]);
    let saldo = day.get(NOON, "/saldo?customer_ref=a");
    assert_eq!(saldo["bloqueado_cents"], 0, "CUS-06: what waits is not blocked");
    assert_eq!(day.get(NOON, "/saldo")["carencia_ate"], Value::Null, "the house never waits");
    assert_eq!(wait(&mut day, &later("13:59:59.999999")), [json!(2), json!(until)]);
    assert_eq!(day.payout("p", &later("13:59:59.999999"), "a", 1_000).status, 423);
    assert_eq!(wait(&mut day, &until), [json!(2), Value::Null]);
    assert_eq!(day.payout("p", &until, "a", 1_000).status, 200);
}

#[test]
fn cus_09_and_20_what_is_held_is_what_lies_above_the_keys_own_threshold() {
    for (threshold, most) in [(6_000, 6_000), (10_000, 10_000), (250, 250)] {
        let terms = json!({ "retencao_acima_cents": threshold });
        let mut day = Day::with_terms(NOON, &terms.to_string());
        assert_eq!(day.get(NOON, "/saldo")["retencao_acima_cents"], threshold);
        assert_eq!(day.charge("d", NOON, "a", most).body["held"], false, "{threshold}");
        let above = day.charge("e", NOON, "a", most + 1).body;
        assert_eq!((&above["held"], &above["held_hours"]), (&json!(true), &json!(24)));
    }
}

#[test]
fn cus_13_and_14_each_balance_is_its_own_and_the_whole_has_what_is_blocked() {
    let mut day = Day::opened(NOON);
    for (id, customer, cents) in [("h", "", 1_100), ("a", "ana", 2_100), ("b", "bia", 4_100)] {
        day.deposit(id, NOON, customer, cents);
    }
    let midnight = "2026-10-21T03:00:00Z";
    day.deposit("h2", midnight, "", 1_200);
    day.deposit("a2", midnight, "ana", 2_300);
    let balances = ["", "ana", "bia"].map(|customer| day.balance(midnight, customer));
    assert_eq!(balances, [(1_000, 1_100), (2_000, 2_200), (4_000, 0)]);
    let expected = json!({
        "casa": { "disponivel_cents": 1_000, "bloqueado_cents": 1_100 },
        "clientes": { "disponivel_cents": 6_000, "bloqueado_cents": 2_200, "quantidade": 2 },
        "total_cents": 10_300, "total_negativo_cents": 0,
    });
    assert_eq!(day.get(midnight, "/saldo/consolidado"), expected);
}
