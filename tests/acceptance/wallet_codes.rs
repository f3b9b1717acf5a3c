//! A PIX code paid from the USDT wallet: its quote, and whom it shows once it is paid (contract
//! 2.5, 4.5; WAL-28, WAL-49).

use ledger_core::contract::Response;
use serde_json::{Value, json};

use crate::day::{Day, PAYER};
use crate::market::WALLET;

const NOON: &str = "2026-11-20T12:00:00Z";
const IN_TIME: &str = "2026-11-20T12:04:59Z";
const LATE: &str = "2026-11-20T12:05:00Z";

/// R$ 10.00 to be paid to `FULANO DE TAL`.
const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA62070503***630436D9";

/// R$ 10.00 to be paid to somebody else.
const OTHER: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174001520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA62070503***6304C5E7";

/// A quote for the code, of which a payment `p` may be made until five past noon.
fn quoted() -> Day {
    let mut day = Day::paying_with(NOON, "100");
    let line = json!({
        "at": NOON, "as": "q", "key": crate::day::KEY, "request": "POST /carteira-usdt/quote",
        "body": { "br_code": CODE },
    });
    let quote = day.line(&line.to_string());
    assert_eq!((quote.status, &quote.body["payment_method"]), (200, &json!("br_code")));
    day
}

fn pay(day: &mut Day, at: &str, code: &str) -> Response {
    day.pay_from_wallet("p", at, json!({ "br_code": code, "quote_id": "$q.quote_id" }))
}

fn refused(answer: &Response) -> (u16, &str) {
    (answer.status, answer.body["erro"].as_str().unwrap_or_default())
}

/// Pays the payment `p`, and says how it stood before the PIX was known and after.
fn paid(day: &mut Day) -> [Value; 2] {
    for step in ["order_created", "accepted", "started"] {
        let with = json!({ "step": step, "address": WALLET });
        assert_eq!(day.payment_reports("p", NOON, "started", with), "applied", "{step}");
    }
    assert_eq!(day.payment_reports("p", NOON, "sent", json!({ "tx_hash": "0xf1" })), "applied");
    let before = day.payment("p", NOON);
    let e2e = "E9040088820261120120300123873190";
    let with = json!({ "e2e": e2e, "receipt_url": "https://r.test/1" });
    assert_eq!(day.payment_reports("p", NOON, "paid", with), "applied");
    [before, day.payment("p", NOON)]
}

#[test]
fn wal_28_whom_a_code_paid_is_shown_once_it_is_done() {
    let mut day = quoted();
    assert_eq!(pay(&mut day, NOON, CODE).status, 201);
    let [before, done] = paid(&mut day);
    assert_eq!((&before["recipient_name"], &before["receipt_url"]), (&json!(null), &json!(null)));
    assert_eq!(done["status"], "concluido");
    assert_eq!(done["recipient_name"], "FULANO DE TAL");
    assert_eq!(done["receipt_url"], "https://r.test/1");
}

#[test]
fn blanks_pasted_around_a_code_are_no_part_of_what_the_wallet_pays() {
    let mut day = Day::paying_with(NOON, "100");
    let pasted = format!("\r\n {CODE}\n");
    let quote = json!({
        "at": NOON, "as": "q", "key": crate::day::KEY, "request": "POST /carteira-usdt/quote",
        "body": { "br_code": pasted },
    });
    assert_eq!(day.line(&quote.to_string()).status, 200);
    // The quote is for the code as it is, however each was pasted.
    assert_eq!(pay(&mut day, NOON, CODE).status, 201);
    assert_eq!(pay(&mut day, NOON, &format!("{CODE} ")).status, 200, "repeated, it is the same");
}

#[test]
fn wal_28_the_document_paid_is_shown_in_part_once_it_is_done() {
    let mut day = Day::paying_with(NOON, "100");
    let made = day.pay_from_wallet(
        "p",
        NOON,
        json!({ "brl_amount": "10.00", "pix_key": PAYER, "pix_key_type": "cpf" }),
    );
    assert_eq!(made.status, 201, "{}", made.body);
    let [before, done] = paid(&mut day);
    assert_eq!(before["recipient_document"], Value::Null);
    let shown = done["recipient_document"].as_str().unwrap();
    assert!(shown.contains('*') && !shown.contains(PAYER), "{shown}");
}

#[test]
fn wal_49_another_payment_than_was_quoted_is_refused_and_so_is_a_quote_that_is_over() {
    let mut day = quoted();
    let before = day.digest();
    let answer = pay(&mut day, NOON, OTHER);
    assert_eq!(refused(&answer), (409, "cotacao_divergente"));
    assert_eq!(answer.body["campos_divergentes"], json!(["br_code"]));
    assert_eq!(day.digest(), before);
    assert_eq!(refused(&pay(&mut day, LATE, CODE)), (409, "cotacao_expirada"));

    let mut day = quoted();
    assert_eq!(pay(&mut day, IN_TIME, CODE).status, 201);
    let again = day.pay_from_wallet(
        "r",
        IN_TIME,
        json!({
            "br_code": CODE, "quote_id": "$q.quote_id",
        }),
    );
    assert_eq!(refused(&again), (400, "cotacao_recusada"), "a quote is used once");
}

#[test]
fn a_quote_that_does_not_exist_is_anothers_or_was_used_is_refused_by_one_code() {
    let mut day = quoted();
    let terms: Value = serde_json::from_str(crate::wallet_setup::GRANTED).unwrap();
    let line = json!({
        "at": NOON, "fact": "account.opened", "environment": "live",
        "body": { "id": "acc-2", "account": "feira", "terms": terms },
        "supplied": { "key": "svc_live_feira" },
    });
    assert_eq!(day.line(&line.to_string()).body["outcome"], "applied");
    let line = json!({
        "at": NOON, "key": "svc_live_feira", "request": "POST /carteira-usdt/payments",
        "body": { "br_code": CODE, "quote_id": "$q.quote_id" },
    });
    assert_eq!(refused(&day.line(&line.to_string())), (400, "cotacao_recusada"), "another's");
    let withdrawal = json!({ "quote_id": "$q.quote_id", "external_id": "w" });
    let line = json!({
        "at": NOON, "key": "svc_live_feira", "command": "wallet.withdrawal.create",
        "body": withdrawal,
    });
    assert_eq!(refused(&day.line(&line.to_string())), (400, "cotacao_recusada"), "another's");
    for unknown in ["uq_000000000000000000000000", "$loja.deposit_id", "cu_1", "x"] {
        let with = json!({ "br_code": CODE, "quote_id": unknown });
        let answer = day.pay_from_wallet("u", NOON, with);
        if unknown.starts_with("uq_") || unknown.starts_with("cu_") {
            assert_eq!(refused(&answer), (400, "cotacao_recusada"), "{unknown}");
        } else {
            assert_eq!(answer.status, 400, "{unknown}: {}", answer.body);
        }
    }
    assert_eq!(pay(&mut day, IN_TIME, CODE).status, 201);
    for (code, why) in [(CODE, "used"), (OTHER, "used, whatever it was of")] {
        let with = json!({ "br_code": code, "quote_id": "$q.quote_id" });
        let again = day.pay_from_wallet("r", IN_TIME, with);
        assert_eq!(refused(&again), (400, "cotacao_recusada"), "{why}");
    }
    let spent = day.command("x", IN_TIME, "wallet.withdrawal.create", &withdrawal);
    assert_eq!(refused(&spent), (400, "cotacao_recusada"), "a payment used it");
}

#[test]
fn wal_41_a_code_paid_again_is_the_same_payment_and_a_key_in_its_place_is_another() {
    let mut day = Day::paying_with(NOON, "100");
    let first = day.pay_from_wallet("p", NOON, json!({ "br_code": CODE }));
    assert_eq!(first.status, 201, "{}", first.body);
    let again = day.pay_from_wallet("p", NOON, json!({ "br_code": CODE }));
    assert_eq!((again.status, &again.body), (200, &first.body));
    let key = json!({ "brl_amount": "10.00", "pix_key": PAYER, "pix_key_type": "cpf" });
    let other = day.pay_from_wallet("p", NOON, key);
    assert_eq!(refused(&other), (409, "external_id_divergente"));
    assert_eq!(other.body["campos_divergentes"], json!(["pix_key", "br_code"]));
}

#[test]
fn wal_28_a_company_is_shown_by_the_mask_of_its_own_number() {
    let mut day = Day::paying_with(NOON, "100");
    let body = json!({ "brl_amount": "10.00", "pix_key": "11222333000181" });
    assert_eq!(day.pay_from_wallet("p", NOON, body).status, 201);
    let [before, done] = paid(&mut day);
    assert_eq!(before["recipient_document"], Value::Null);
    assert_eq!(done["recipient_document"], "11.***.***/****-81", "INV-46: never in full");
}

#[test]
fn wal_45_what_is_reserved_follows_the_price_of_the_confirmation_and_not_of_the_quote() {
    let reserve = |price: Option<&str>| {
        let mut day = quoted();
        if let Some(price) = price {
            assert_eq!(day.price(NOON, "usdt", price), "applied");
        }
        let made = pay(&mut day, IN_TIME, CODE);
        assert_eq!(made.status, 201, "{}", made.body);
        made.body["usdt_reserved"].as_str().unwrap().to_owned()
    };
    // R$ 10.00, 0.03 and 1.00, and 0.1 USDT; of the whole, one per cent more.
    assert_eq!(reserve(None), "2.164018");
    assert_eq!(reserve(Some("5.40")), "2.164018");
    assert_eq!(reserve(Some("5.00")), "2.329060");
    assert_eq!(reserve(Some("6.00")), "1.957717");
}
