//! The provider, played: what only a provider can know, derived from the line itself (rulings 39).

use ledger_core::contract::{Ask, Line};
use serde_json::{Value, json};

/// Supplies what the line lacks: a QR code for a charge, an address for a deposit, entropy for an
/// account's key.
///
/// The same line always gets the same, so a run that is repeated or resumed writes the same journal.
pub fn supply(line: &mut Line, hash: u64) {
    let Some((name, value)) = lacked(line, hash) else { return };
    if !line.supplied.is_object() {
        line.supplied = json!({});
    }
    if let Value::Object(supplied) = &mut line.supplied {
        supplied.insert(name.to_owned(), value.into());
    }
}

fn lacked(line: &Line, hash: u64) -> Option<(&'static str, String)> {
    let brought = |name: &str| line.supplied.get(name).is_some();
    match &line.ask {
        Ask::Request { method, target, .. } if method == "POST" => {
            if target == "/cashin/charge" && !brought("qr_copypaste") {
                return Some(("qr_copypaste", format!("simulated-qr-code-{hash:016x}")));
            }
            let accepts = target.starts_with("/cash-outs/") && target.ends_with("/accept");
            // A provider that is said to be silent stays silent (COUT-69).
            (accepts && !brought("deposit_address"))
                .then(|| ("deposit_address", format!("simulated-address-{hash:016x}")))
        }
        Ask::Fact(name) if name == "account.opened" => (!brought("key") && !brought("entropy"))
            .then(|| ("entropy", format!("{hash:016x}").repeat(4))),
        _ => None,
    }
}
