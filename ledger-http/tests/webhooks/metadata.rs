//! Metadata over HTTP: answered, read, listed, told in webhooks, refused, and emptied by an erasure
//! (P:Metadata).

use ledger_core::contract::CallKind;
use serde_json::{Value, json};

use crate::station::{KEY, Station};

const CPF: &str = "52998224725";

/// The pairs as a client sends them, and as they are kept and shown.
const SENT: &str = r#"{"pedido":"A-17","parcela":2.0,"nota":null,"urgente":true}"#;
const KEPT: &str = r#"{"nota":null,"parcela":2,"pedido":"A-17","urgente":true}"#;

fn payout(metadata: &Value) -> Value {
    json!({ "amount_cents": 1_000, "tax_number": CPF, "pix_key": CPF, "external_id": "p-1",
        "metadata": metadata })
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn metadata_is_shown_wherever_the_operation_is_until_it_is_erased() {
    let station = Station::start();
    station.deposit(KEY, "d");
    let (status, paid) = station.ask("POST", "/payouts", KEY, Some(&payout(&json(SENT))));
    assert_eq!((status, &*paid["metadata"].to_string()), (200, KEPT), "{paid}");
    let listed = || {
        let (status, listed) = station.ask("GET", "/payouts?external_id=p-1", KEY, None);
        assert_eq!(status, 200, "{listed}");
        listed["payouts"][0]["metadata"].to_string()
    };
    assert_eq!(listed(), KEPT);
    // Of the deposit two were told.
    let told = station.arrived("/loja", 3);
    let mut events = told.iter().map(crate::receiver::Seen::event);
    let created = events.find(|event| event["event"] == "payout.created").unwrap();
    assert_eq!(created["data"]["metadata"], json(KEPT));
    station.erase_text(KEPT);
    assert_eq!(listed(), "{}");
    let (status, again) = station.ask("POST", "/payouts", KEY, Some(&payout(&json(KEPT))));
    assert_eq!((status, &again["metadata"]), (200, &json!({})), "{again}");
}

#[test]
fn a_charge_shows_its_metadata_where_it_is_read_and_one_without_shows_no_such_field() {
    let station = Station::start();
    let ask = || CallKind::Request {
        method: "POST".to_owned(),
        target: "/cashin/charge".to_owned(),
        key: Some(KEY.to_owned()),
    };
    for metadata in [json(SENT), json!({}), Value::Null] {
        let body = json!({ "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": CPF,
            "metadata": metadata });
        let charge = station.call(ask(), &body, json!({ "qr_copypaste": "00020126" }));
        let path = format!("/cashin/{}/status", charge.body["cashin_id"].as_str().unwrap());
        let (status, read) = station.ask("GET", &path, KEY, None);
        assert_eq!(status, 200, "{read}");
        let shown = metadata.as_object().is_some_and(|pairs| !pairs.is_empty()).then(|| json(KEPT));
        assert_eq!(charge.body.get("metadata"), shown.as_ref());
        assert_eq!(read.get("metadata"), shown.as_ref());
    }
}

#[test]
fn a_repeat_with_other_metadata_and_a_bad_pair_are_refused() {
    let station = Station::start();
    station.deposit(KEY, "d");
    let (status, paid) = station.ask("POST", "/payouts", KEY, Some(&payout(&json(SENT))));
    assert_eq!(status, 200, "{paid}");
    let (status, again) = station.ask("POST", "/payouts", KEY, Some(&payout(&json(KEPT))));
    assert_eq!((status, &again["payout_id"]), (200, &paid["payout_id"]), "{again}");
    for other in [json!({ "pedido": "A-18" }), json!({}), Value::Null] {
        let (status, refused) = station.ask("POST", "/payouts", KEY, Some(&payout(&other)));
        assert_eq!((status, &refused["erro"]), (409, &json!("external_id_divergente")));
        assert_eq!(refused["campos_divergentes"], json!(["metadata"]), "{refused}");
    }
    for (bad, detail) in [
        (json!("A-17"), "metadata must be a JSON object"),
        (
            json!({ "pedido": { "id": 1 } }),
            "metadata.pedido must be text, a whole number, true, false or null",
        ),
        (json!({ "pedido": "x".repeat(501) }), "metadata.pedido must have at most 500 characters"),
    ] {
        let (status, refused) = station.ask("POST", "/payouts", KEY, Some(&payout(&bad)));
        assert_eq!((status, &refused["erro"]), (400, &json!("formato_invalido")), "{refused}");
        assert!(refused["detail"].as_str().unwrap().contains(detail), "{refused}");
    }
}
