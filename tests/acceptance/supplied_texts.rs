//! Texts that a provider supplies beside a call are neither empty nor longer than they may be
//! (rulings 39).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, PAYER};
use crate::selling::STANDARD;

const NOON: &str = "2026-10-20T12:00:00Z";

/// A call with one text of so many bytes beside it: the status, and the field that is wrong.
fn submit_text(day: &mut Day, mut line: Value, field: &str, length: usize) -> (u16, bool) {
    line["supplied"][field] = "x".repeat(length).into();
    let answer = day.line(&line.to_string());
    let detail = answer.body["detail"].as_str().unwrap_or_default();
    (answer.status, detail.starts_with(&format!("supplied.{field} ")))
}

fn charge(supplied: &Value) -> Value {
    json!({
        "at": NOON, "key": KEY, "request": "POST /cashin/charge", "supplied": supplied,
        "body": { "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": PAYER },
    })
}

#[test]
fn rulings_39_a_code_and_its_picture_have_1_to_1024_bytes() {
    for (field, supplied) in
        [("qr_copypaste", json!({})), ("qr_image_url", json!({ "qr_copypaste": "00020126-qr" }))]
    {
        let mut day = Day::with_terms(NOON, AT_ONCE);
        for (length, expected) in
            [(0, (400, true)), (1_025, (400, true)), (1, (200, false)), (1_024, (200, false))]
        {
            let shown = submit_text(&mut day, charge(&supplied), field, length);
            assert_eq!(shown, expected, "{field} of {length}");
        }
    }
}

#[test]
fn err_15_a_providers_reference_has_1_to_255_bytes() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    for (length, expected) in
        [(0, (400, true)), (256, (400, true)), (1, (403, false)), (255, (403, false))]
    {
        let shown = submit_text(&mut day, charge(&json!({})), "provider_reference", length);
        assert_eq!(shown, expected, "{length}");
    }
}

#[test]
fn rulings_39_an_address_for_a_deposit_has_1_to_128_bytes() {
    for (length, expected) in
        [(0, (400, true)), (129, (400, true)), (1, (200, false)), (128, (200, false))]
    {
        let mut day = Day::selling(NOON, STANDARD);
        day.sold("v", NOON, "100.00");
        let line = json!({
            "at": NOON, "key": KEY, "request": "POST /cash-outs/$v.cashout_id/accept",
        });
        assert_eq!(submit_text(&mut day, line, "deposit_address", length), expected, "{length}");
    }
}

#[test]
fn a_key_begins_with_svc_and_has_8_to_128_characters() {
    for (key, passes) in [
        ("svc_liv".to_owned(), false),
        ("loja_live_feira".to_owned(), false),
        (format!("svc_{}", "x".repeat(125)), false),
        ("svc_live".to_owned(), true),
        (format!("svc_{}", "x".repeat(124)), true),
    ] {
        let line = json!({
            "at": NOON, "fact": "account.opened", "environment": "live",
            "body": { "id": "acc-2", "account": "feira" }, "supplied": { "key": key },
        });
        let answer = Day::with_terms(NOON, AT_ONCE).line(&line.to_string());
        assert_eq!(answer.status == 200, passes, "{key}: {}", answer.body);
    }
}
