//! The provider, played: what only a provider can know, derived from the line itself (rulings 39).

use ledger_core::contract::{CallKind, Environment, Line};
use serde_json::{Value, json};

/// Supplies what the line lacks: a QR code for a charge, an address for a deposit, entropy for a
/// key. An agent's production key is made of its id, so that whoever asks for it and whoever brings
/// it mean the same.
///
/// The same line always gets the same, so a run that is repeated or resumed writes the same
/// journal.
pub fn supply(line: &mut Line, targets: &[Environment], hash: u64, keyed: impl Fn(&str) -> u64) {
    let Some((name, value)) = lacked(line, hash, keyed) else { return };
    // Nothing that could receive funds is shown to a test key (COUT-13, WAL-13).
    let fictional = name.ends_with("address") && targets == [Environment::Sandbox];
    let value = if fictional { format!("sandbox-receives-nothing-{value}") } else { value };
    if !line.supplied.is_object() {
        line.supplied = json!({});
    }
    if let Value::Object(supplied) = &mut line.supplied {
        supplied.insert(name.to_owned(), value.into());
    }
}

fn lacked(line: &Line, hash: u64, keyed: impl Fn(&str) -> u64) -> Option<(&'static str, String)> {
    let brought = |name: &str| line.supplied.get(name).is_some();
    let lacks = !brought("key") && !brought("entropy");
    let entropy = |hash: u64| lacks.then(|| ("entropy", format!("{hash:016x}").repeat(4)));
    let production = |id: &str| entropy(keyed(&format!("the production key of {id}")));
    match &line.ask {
        CallKind::Request { method, target, .. }
            if method == "POST" && !target.starts_with("/keys") =>
        {
            if target == "/cashin/charge" && !brought("qr_copypaste") {
                return Some(("qr_copypaste", format!("simulated-qr-code-{hash:016x}")));
            }
            if target == "/mesh/agents" {
                return entropy(hash);
            }
            let agent = target.strip_prefix("/mesh/agents/");
            if let Some(id) = agent.and_then(|rest| rest.strip_suffix("/production-request")) {
                return production(id);
            }
            if target == "/carteira-usdt/deposits" && !brought("address") {
                let network = line.body.get("network").and_then(Value::as_str);
                return Some(("address", address(network.unwrap_or("polygon"))));
            }
            let accepts = target.starts_with("/cash-outs/") && target.ends_with("/accept");
            // A provider that is said to be silent stays silent (COUT-69).
            (accepts && !brought("deposit_address"))
                .then(|| ("deposit_address", format!("simulated-address-{hash:016x}")))
        }
        CallKind::Request { method, target, .. } if makes_secrets(method, target, &line.body) => {
            entropy(hash)
        }
        CallKind::Command { name, .. } if name == "key.rotate" => entropy(hash),
        CallKind::Fact(name) if name == "agent.activated" => {
            line.body.get("agent_id").and_then(Value::as_str).and_then(production)
        }
        CallKind::Fact(name) if name == "account.opened" || name == "key.replaced" => entropy(hash),
        _ => None,
    }
}

/// The one address of the simulated provider on a network: requests there differ by their amounts.
fn address(network: &str) -> String {
    match network {
        "tron" => format!("T{}", "S".repeat(33)),
        "solana" => "S".repeat(44),
        _ => format!("0x{}", "5a".repeat(20)),
    }
}

/// Whether a request makes a key or a secret: then what it is made of is supplied.
fn makes_secrets(method: &str, target: &str, body: &Value) -> bool {
    let asks = |name: &str| body.get(name).is_some_and(|value| *value != Value::Bool(false));
    let settings = ["webhook_url", "rotate_webhook_secret", "rotate_monitor_token"];
    match (method, target) {
        ("POST", "/keys" | "/keys/sandbox") => true,
        ("PATCH", "/keys/me") => settings.into_iter().any(asks),
        _ => false,
    }
}
