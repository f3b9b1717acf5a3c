//! The provider, played: what only a provider can know, derived from the line itself (rulings 39).

use ledger_core::contract::{Ask, Line};
use serde_json::{Value, json};

/// Supplies what the line lacks: a QR code for a charge, entropy for an account's key.
///
/// The same line always gets the same, so a run that is repeated or resumed writes the same journal.
pub fn supply(line: &mut Line, hash: u64) {
    let brought = |name: &str| line.supplied.get(name).is_some();
    let more = match &line.ask {
        Ask::Request { method, target, .. } if method == "POST" && target == "/cashin/charge" => {
            (!brought("qr_copypaste"))
                .then(|| ("qr_copypaste", format!("simulated-qr-code-{hash:016x}")))
        }
        Ask::Fact(name) if name == "account.opened" => {
            let lacks = !brought("key") && !brought("entropy");
            lacks.then(|| ("entropy", format!("{hash:016x}").repeat(4)))
        }
        _ => None,
    };
    if let Some((name, value)) = more {
        if !line.supplied.is_object() {
            line.supplied = json!({});
        }
        if let Value::Object(supplied) = &mut line.supplied {
            supplied.insert(name.to_owned(), value.into());
        }
    }
}
