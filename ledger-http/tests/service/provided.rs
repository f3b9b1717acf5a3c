//! What only a provider knows, asked of it before the ledger decides.

use std::sync::Arc;

use ledger_store::provider::{Answer, ChargeAnswer, ChargeToIssue, Provider, QrCode, Supplier};
use serde_json::{Value, json};

use crate::served::{KEY, Served};

/// Issues codes, or breaks in the midst of it.
struct Bank {
    breaks: bool,
}

impl Provider for Bank {
    fn qr_code(&self, charge: &ChargeToIssue<'_>) -> Answer<ChargeAnswer> {
        assert!(!self.breaks, "this bank is broken");
        let copypaste = format!("00020126-{}", charge.external_id.unwrap_or_default());
        Answer::Known(ChargeAnswer::Issued(QrCode { copypaste, image_url: None }))
    }
}

fn charge() -> Value {
    json!({ "amount_cents": 5_000, "destino": "saldo", "payer_tax_number": "52998224725",
        "external_id": "c-1" })
}

fn with(bank: Bank) -> Served {
    let supplier = Supplier::new(Arc::new(bank));
    let served = Served::with(64, |service| service.supply(supplier));
    served.open_account();
    served
}

#[test]
fn a_charge_has_the_code_that_the_provider_issues() {
    let served = with(Bank { breaks: false });
    let made = served.post("/cashin/charge", &[("x-api-key", KEY)], &charge());
    assert_eq!((made.status, &made.body()["qr_copypaste"]), (200, &json!("00020126-c-1")));
}

#[test]
fn err_16_a_provider_that_breaks_is_away_and_nothing_was_done() {
    let served = with(Bank { breaks: true });
    let refused = served.post("/cashin/charge", &[("x-api-key", KEY)], &charge());
    let body = refused.body();
    assert_eq!((refused.status, &body["erro"]), (502, &json!("provedor_indisponivel")));
    assert_eq!(body["acao"], "repetir");
    let listed = served.get("/cashin/charges?external_id=c-1", &[("x-api-key", KEY)]);
    assert_eq!(listed.body()["charges"], json!([]));
}

#[test]
fn the_sandbox_asks_no_provider_and_plays_its_own() {
    let served = with(Bank { breaks: true });
    let email = json!({ "email": "ana@exemplo.com.br" });
    let made = served.post("/keys/sandbox", &[], &email).body();
    let key = made["api_key"].as_str().unwrap();
    let charged = served.post("/cashin/charge", &[("x-api-key", key)], &charge());
    assert_eq!(charged.status, 200, "{}", charged.text);
    assert!(charged.body()["qr_copypaste"].is_string(), "{}", charged.text);
}

#[test]
fn without_a_provider_nothing_is_issued() {
    let served = Served::start();
    let refused = served.post("/cashin/charge", &[("x-api-key", KEY)], &charge());
    assert_eq!((refused.status, &refused.body()["erro"]), (504, &json!("provedor_sem_resposta")));
    assert_eq!(refused.body()["acao"], "falar_com_suporte", "repeating it mends nothing");
}

#[test]
fn a_provider_that_knows_no_code_now_may_be_asked_again() {
    struct Silent;
    impl Provider for Silent {}

    let served = Served::with(64, |service| service.supply(Supplier::new(Arc::new(Silent))));
    served.open_account();
    let refused = served.post("/cashin/charge", &[("x-api-key", KEY)], &charge());
    assert_eq!((refused.status, &refused.body()["erro"]), (504, &json!("provedor_sem_resposta")));
    assert_eq!(refused.body()["acao"], "repetir");
}
