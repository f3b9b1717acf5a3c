//! The PIX of a fact, which is known once over all cells.

use ledger_core::ledger::{ExternalId, Scope};
use serde_json::Value;

/// The PIX that a fact makes known or names: end-to-end ids and ids of returns.
pub(super) fn pix_of(fact: &str, body: &Value) -> Option<ExternalId> {
    let (field, scope) = match fact {
        "pix.received" | "pix.seen" | "provider.released" | "delivery.sent" => {
            ("e2e", Scope::ReceivedPix)
        }
        "pix.returned" | "delivery.given_up" | "suspense.returned" | "recovery.refunded" => {
            ("return_id", Scope::ReturnedDeposit)
        }
        "payout.paid"
        | "payout.evidence"
        | "cashout.paid"
        | "wallet.payment.paid"
        | "wallet.payment.resolved" => ("e2e", Scope::SentPix),
        "payout.returned" | "cashout.pix_reversed" => ("return_id", Scope::ReturnedPayout),
        _ => return None,
    };
    let id = body.get(field)?.as_str()?;
    Some(ExternalId { scope, id: id.into() })
}

#[cfg(test)]
mod tests {
    use ledger_core::contract::{FACTS, FieldType};
    use serde_json::json;

    use super::*;

    #[test]
    fn every_fact_that_names_a_pix_is_known_by_it() {
        let mut named = 0;
        for shape in FACTS {
            for field in shape.fields.iter().filter(|field| matches!(field.holds, FieldType::Pix)) {
                let found = pix_of(shape.name, &json!({ field.name: "E1" }));
                assert!(found.is_some(), "{} names a PIX as {}", shape.name, field.name);
                named += 1;
            }
        }
        assert_eq!(named, 15);
        assert_eq!(pix_of("account.opened", &json!({"e2e": "E1"})), None);
    }
}
