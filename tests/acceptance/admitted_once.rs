//! The key of an agent in production: passed to the live ledger, that one and no other (AGT-03).

use ledger_core::contract::{Call, CallKind, CallOutcome, Environment, Line};
use ledger_core::ledger::Origin;
use ledger_store::journal::Identity;
use ledger_store::sequencer::Sequencer;
use serde_json::{Value, json};

use crate::agent::{ENTROPY, WALLET};

const NOON: &str = "2026-10-20T12:00:00Z";

fn sequencer(environment: Environment) -> Sequencer {
    let identity = Identity::by_name(ledger_store::Algorithm::Blake3, [7; 32]);
    Sequencer::new(environment.name(), identity)
}

fn handle_request(
    sequencer: &mut Sequencer,
    key: &str,
    request: &str,
    body: &Value,
    entropy: &str,
) -> CallOutcome {
    let mut line = json!({
        "at": NOON, "request": request, "body": body, "supplied": { "entropy": entropy },
    });
    if !key.is_empty() {
        line["key"] = key.into();
    }
    let line = Line::parse(&line.to_string(), |name| Ok(name.to_owned())).unwrap();
    let handled = sequencer.handle(&line.call(Origin::Call));
    assert_eq!(handled.response.status, 200, "{request}: {}", handled.response.body);
    handled
}

#[test]
fn agt_03_a_repeat_passes_the_same_key_on_again_and_another_key_never() {
    let mut sandbox = sequencer(Environment::Sandbox);
    let agent = json!({
        "name": "Ada", "contact": "ada@example.com", "capabilities": ["usdt_to_pix"],
    });
    let made = handle_request(&mut sandbox, "", "POST /mesh/agents", &agent, ENTROPY).response.body;
    let key = made["api_key"].as_str().unwrap().to_owned();
    let id = made["agent_id"].as_str().unwrap().to_owned();
    let mut step = |what: &str, body: &Value, entropy: &str| {
        handle_request(&mut sandbox, &key, &format!("POST /mesh/agents/{id}/{what}"), body, entropy)
    };
    step("validate", &Value::Null, ENTROPY);
    step("settlement", &json!({ "settlement_address": WALLET }), ENTROPY);
    step("mandate", &json!({ "max_diario_cents": 1_000_000 }), ENTROPY);
    let next = "0f".repeat(32);
    let first = step("production-request", &Value::Null, &next);
    let onward = first.onward.unwrap();
    assert!(matches!(&onward.ask, CallKind::Fact(name) if name == "agent.activated"), "{onward:?}");
    assert_eq!(onward.supplied["key"], first.response.body["api_key"]);
    let again: Call = step("production-request", &Value::Null, &next).onward.unwrap();
    assert_eq!(again.supplied, onward.supplied);
    let other = step("production-request", &Value::Null, &"1f".repeat(32));
    assert!(other.onward.is_none(), "another key is nobody's");
    assert_eq!(other.response.body["api_key"], Value::Null);
}
