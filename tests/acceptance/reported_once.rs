//! What the world reports of a payment once, with the fact, every later answer shows (rulings 57).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day};
use crate::wallet_payments::{reserved, step};

const NOON: &str = "2026-11-20T12:00:00Z";
const LATER: &str = "2026-11-21T12:00:00Z";
const E2E: &str = "E9040088820261120120500123873190";
const NAME: &str = "Maria de Souza Lima";

fn reported() -> Value {
    json!({
        "recipient_name": NAME, "recipient_document": "52998224725",
        "institution": "Banco Exemplo", "settled_by": "PSP Exemplo",
        "receipt_url": "https://recibos.exemplo.com/1",
    })
}

fn with(mut body: Value, more: &Value) -> Value {
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn verified(day: &mut Day, supplied: &Value) -> Value {
    let request = format!("GET /v1/verificar/{E2E}");
    let line = json!({ "at": LATER, "request": request, "supplied": supplied });
    day.line(&line.to_string()).body.into()
}

#[test]
fn wal_28_a_payment_by_key_shows_whom_it_paid_once_that_was_reported() {
    let mut day = reserved();
    assert_eq!(step(&mut day, "order_created"), "applied");
    assert_eq!(step(&mut day, "accepted"), "applied");
    assert_eq!(step(&mut day, "started"), "applied");
    assert_eq!(day.payment_reports("p", NOON, "sent", json!({ "tx_hash": "0xf1" })), "applied");
    assert_eq!(day.payment_reports("p", NOON, "confirmed", json!({})), "applied");
    let before = day.payment("p", NOON);
    assert_eq!(
        (&before["recipient_name"], &before["recipient_document"]),
        (&Value::Null, &Value::Null)
    );
    let body = with(json!({ "e2e": E2E }), &reported());
    assert_eq!(day.payment_reports("p", NOON, "paid", body), "applied");
    let shown = day.payment("p", LATER);
    assert_eq!(shown["status"], "concluido");
    assert_eq!(shown["recipient_name"], NAME);
    assert_eq!(shown["recipient_document"], "***.982.247-**", "a CPF is shown in part");
    assert_eq!(shown["receipt_url"], "https://recibos.exemplo.com/1");
    let listed = day.get(LATER, "/carteira-usdt/payments");
    assert_eq!(listed["items"][0]["recipient_name"], NAME);
    let public = verified(&mut day, &json!({}));
    assert_eq!(public["instituicao"], "Banco Exemplo");
    assert_eq!(public["liquidado_por"], "PSP Exemplo");
    assert_eq!(public["comprovante_url"], "https://recibos.exemplo.com/1");
    assert_eq!(public["recebedor_iniciais"], "M.S.L.");
    assert!(!public.to_string().contains("Souza"), "VER-02");
}

#[test]
fn ver_01_institution_and_receipt_of_a_payout_are_those_reported_with_it() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    assert_eq!(day.payout("o", NOON, "a", 5_000).status, 200);
    let body = with(json!({ "payout_id": "$o.payout_id", "e2e": E2E }), &reported());
    assert_eq!(day.report(NOON, "payout.paid", &body), "applied");
    let public = verified(&mut day, &json!({}));
    assert_eq!(
        (&public["instituicao"], &public["liquidado_por"], &public["comprovante_url"]),
        (&json!("Banco Exemplo"), &json!("PSP Exemplo"), &json!("https://recibos.exemplo.com/1"))
    );
    let supplied = verified(&mut day, &json!({ "instituicao": "Outro Banco" }));
    assert_eq!(supplied["instituicao"], "Outro Banco", "what is supplied on a read comes first");
    let shown = day.get(LATER, "/payouts?external_id=o")["payouts"][0].clone();
    assert_eq!(shown["recipient_name"], NAME);
    assert_eq!(shown["recipient_document"], "***.982.247-**");
    assert_eq!(shown["receipt_url"], "https://recibos.exemplo.com/1");
}

#[test]
fn what_was_reported_of_a_pix_received_is_verified_by_anybody() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    assert_eq!(day.charge("c", NOON, "a", 10_000).status, 200);
    let body = json!({
        "cashin_id": "$c.cashin_id", "e2e": E2E, "amount_cents": 10_000,
        "institution": "Banco Exemplo", "settled_by": "PSP Exemplo",
        "receipt_url": "https://recibos.exemplo.com/1",
    });
    assert_eq!(day.report(NOON, "pix.received", &body), "applied");
    assert_eq!(day.report(NOON, "pix.received", &body), "known", "and it is known by its id");
    let public = verified(&mut day, &json!({}));
    assert_eq!(public["instituicao"], "Banco Exemplo");
    assert_eq!(public["comprovante_url"], "https://recibos.exemplo.com/1");
}

#[test]
fn inv_46_no_name_or_document_that_is_reported_enters_the_journal() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    assert_eq!(day.payout("o", NOON, "a", 5_000).status, 200);
    let body = with(json!({ "payout_id": "$o.payout_id", "e2e": E2E }), &reported());
    assert_eq!(day.report(NOON, "payout.paid", &body), "applied");
    let commit = day.cut(ledger_core::contract::Environment::Live).unwrap();
    let bytes: Vec<u8> = commit.rows.iter().flat_map(|row| row.payload.clone()).collect();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    assert!(!text.contains("Souza") && !text.contains("52998224725"));
    assert!(text.contains("Banco Exemplo"), "what is not personal stands in the event");
}

#[test]
fn what_is_reported_wrongly_is_named() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    for (name, value) in [
        ("recipient_document", json!("52998224724")),
        ("recipient_document", json!("ana")),
        ("receipt_url", json!("javascript:x")),
        ("institution", json!("")),
    ] {
        let mut body = json!({ "payout_id": "x", "e2e": E2E, "amount_cents": 1 });
        body[name] = value;
        let answer = day.report_as("", NOON, "payout.paid", &body);
        assert_eq!(answer["erro"], "formato_invalido", "{body}");
        assert!(answer["detail"].as_str().unwrap().contains(name), "{answer}");
    }
    let body = json!({ "payout_id": "x", "e2e": E2E, "amount_cents": 1,
        "recipient_document": "***.982.247-**" });
    assert_eq!(day.report(NOON, "payout.paid", &body), "set_aside", "a bank's mask is a document");
}

#[test]
fn cin_30_a_delivery_shows_the_page_of_its_transaction_by_its_networks_template() {
    let mut day = Day::trading(NOON, "{}");
    day.delivered("before", NOON, 10_000);
    assert_eq!(day.status(NOON, "before")["settlement_tx_url"], Value::Null);
    let pages = |template: &str| {
        json!({ "id": format!("pages-{template}"), "networks": [
            { "chain": "polygon", "tx_url": template },
        ]})
    };
    for wrong in ["http://x/{tx}", "https://x/tx", ""] {
        let answer = day.report_as("", NOON, "catalog.updated", &pages(wrong));
        assert_eq!(answer["erro"], "formato_invalido", "{wrong}");
    }
    let listed = day.get(NOON, "/cashin/catalog")["totals"].clone();
    let outcome = day.report(NOON, "catalog.updated", &pages("https://polygonscan.com/tx/{tx}"));
    assert_eq!(outcome, "applied");
    assert_eq!(day.get(NOON, "/cashin/catalog")["totals"], listed, "no pair changes by it");
    day.delivered("after", NOON, 10_000);
    for id in ["before", "after"] {
        let shown = day.status(NOON, id);
        let hash = shown["settlement_tx_hash"].as_str().unwrap();
        assert_eq!(
            shown["settlement_tx_url"],
            format!("https://polygonscan.com/tx/{hash}"),
            "{id}"
        );
    }
    // What a hash brings along does not leave the path.
    day.bought("odd", NOON, 10_000);
    assert_eq!(day.delivery_reports("odd", NOON, "started"), "applied");
    let body = json!({ "tx_hash": "0x/../?a=b#e" });
    assert_eq!(day.delivery("$odd.cashin_id", NOON, "sent", body)["outcome"], "applied");
    assert_eq!(
        day.status(NOON, "odd")["settlement_tx_url"],
        "https://polygonscan.com/tx/0x%2F..%2F%3Fa%3Db%23e"
    );
}
