//! The ids of PIX that facts bring, each of which is known once over all cells.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use ledger_core::ledger::{ExternalId, Scope};
use serde_json::Value;

/// The PIX that a fact makes known or names: end-to-end ids and ids of returns.
pub(super) fn pix_of(fact: &str, body: &Value) -> Option<ExternalId> {
    let (field, scope) = match fact {
        "pix.received" | "pix.seen" | "provider.released" | "delivery.sent" => {
            ("e2e", Scope::ReceivedPix)
        }
        "pix.returned" | "delivery.given_up" => ("return_id", Scope::ReturnedDeposit),
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

/// Ids of facts that are being passed on: two facts of one id take turns, so that the second is
/// judged when the first is durable.
#[derive(Debug, Default)]
pub(super) struct IdsUnderWay {
    ids: Mutex<BTreeSet<(Scope, Box<str>)>>,
    left: Condvar,
}

/// The turn of a PIX, until it is dropped: no other fact of the same PIX is passed on meanwhile.
#[derive(Debug)]
pub struct Turn {
    of: Arc<IdsUnderWay>,
    id: (Scope, Box<str>),
}

impl IdsUnderWay {
    /// Waits until no other fact of this id is passed on.
    pub(super) fn turn(self: &Arc<Self>, id: &ExternalId) -> Turn {
        let id = (id.scope, id.id.clone());
        let ids = self.ids();
        let free = self.left.wait_while(ids, |ids| ids.contains(&id));
        free.unwrap_or_else(PoisonError::into_inner).insert(id.clone());
        Turn { of: Arc::clone(self), id }
    }

    fn ids(&self) -> MutexGuard<'_, BTreeSet<(Scope, Box<str>)>> {
        // A set is whole between any two of its steps.
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.of.ids().remove(&self.id);
        self.of.left.notify_all();
    }
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
        assert_eq!(named, 13);
        assert_eq!(pix_of("account.opened", &json!({"e2e": "E1"})), None);
    }

    #[test]
    fn two_facts_of_one_id_take_turns_and_two_of_different_ids_do_not_wait() {
        let ids = Arc::new(IdsUnderWay::default());
        let id = |id: &str| ExternalId { scope: Scope::SentPix, id: id.into() };
        let first = ids.turn(&id("E1"));
        drop(ids.turn(&id("E2")));
        std::thread::scope(|scope| {
            let second = scope.spawn(|| drop(ids.turn(&id("E1"))));
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(!second.is_finished());
            drop(first);
            second.join().unwrap();
        });
    }
}
