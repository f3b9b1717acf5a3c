//! The ids that a case for support carries (AUTH-09).

use ledger_core::contract::{CallOutcome, Environment, Line, SupportCase};
use ledger_core::id::OpId;
use ledger_core::ledger::Origin;
use ledger_core::time::Instant;
use ledger_store::journal::Identity;
use ledger_store::sequencer::Sequencer;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, PAYER};

const NOON: &str = "2026-11-20T12:00:00Z";

#[test]
fn auth_09_an_id_of_the_clients_own_is_handed_on_unless_it_looks_like_a_document() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    for (external, handed_on) in [
        ("2026-11", true),
        ("123", true),
        ("pedido-52998224725", true),
        ("pedido-11222333000181", true),
        ("529.982.247-25", false),
        ("11222333000181", false),
        ("pedido 7", false),
    ] {
        let charge = json!({
            "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": PAYER,
            "external_id": external,
        });
        let made = day.ask(NOON, "POST /cashin/charge", &charge);
        let id = made.body["cashin_id"].as_str().unwrap().to_owned();
        let op = OpId::parse(&id, &"live".into()).unwrap();
        let harness = day.sequencer().views();
        let operation = harness.operation(op).unwrap();
        let case = SupportCase::new(Environment::Live, Instant::parse(NOON).unwrap());
        let body = harness.escalated_operation(case, op, &operation).body();
        let expected = if handed_on { json!(external) } else { Value::Null };
        assert_eq!(body["external_id"], expected, "{external}");
    }
}

fn handled(sequencer: &mut Sequencer, line: &Value) -> CallOutcome {
    let line = Line::parse(&line.to_string(), |name| Ok(name.to_owned())).unwrap();
    let handled = sequencer.handle(&line.call(Origin::Call));
    assert_eq!(handled.response.status, 200, "{}", handled.response.body);
    handled
}

#[test]
fn auth_09_a_case_about_an_event_names_the_event_its_operation_and_its_status() {
    let identity = Identity::by_name(ledger_store::Algorithm::Blake3, [7; 32]);
    let mut sequencer = Sequencer::new("live", identity);
    handled(
        &mut sequencer,
        &json!({
            "at": NOON, "fact": "account.opened", "body": { "id": "acc-1", "account": "loja" },
            "supplied": { "key": KEY },
        }),
    );
    let charge = json!({
        "at": NOON, "key": KEY, "request": "POST /cashin/charge",
        "body": {
            "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": PAYER,
            "external_id": "pedido-7",
        },
        "supplied": { "qr_copypaste": "00020126-qr" },
    });
    let id = handled(&mut sequencer, &charge).response.body["cashin_id"].clone();
    let pix = json!({
        "at": NOON, "fact": "pix.received",
        "body": {
            "cashin_id": id, "e2e": "E9040088820261120120000000000001", "amount_cents": 5_000,
        },
    });
    let notifications = handled(&mut sequencer, &pix).notifications;
    let harness = sequencer.views();
    let case = SupportCase::new(Environment::Live, Instant::parse(NOON).unwrap());
    let body = harness.escalated_event(case, &notifications[0]).body();
    assert_eq!(body["webhook_event_id"].as_str(), harness.event(&notifications[0])["id"].as_str());
    assert_eq!((&body["operation_id"], &body["external_id"]), (&id, &json!("pedido-7")));
    assert_eq!(body["last_status"], "paid");
}
