//! Turns: two facts of one PIX, or of one key, are passed on one after the other.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use ledger_core::id::KeyHash;
use ledger_core::ledger::ExternalId;

/// What is known once over all cells, whichever of them a fact is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Identity {
    /// A PIX, by its end-to-end id or the id of its return.
    Pix(ExternalId),
    /// A key, by its hash.
    Key(KeyHash),
}

/// Identities of facts that are being passed on: two facts of one take turns, so that the second is
/// judged when the first is durable.
#[derive(Debug, Default)]
pub(super) struct IdsUnderWay {
    ids: Mutex<BTreeSet<Identity>>,
    left: Condvar,
}

/// The turn of a PIX or of a key, until it is dropped: no other fact of the same is passed on
/// meanwhile.
#[derive(Debug)]
pub struct Turn {
    of: Arc<IdsUnderWay>,
    id: Identity,
}

impl IdsUnderWay {
    /// Waits until no other fact of this identity is passed on.
    pub(super) fn turn(self: &Arc<Self>, id: Identity) -> Turn {
        let ids = self.ids();
        let free = self.left.wait_while(ids, |ids| ids.contains(&id));
        free.unwrap_or_else(PoisonError::into_inner).insert(id.clone());
        Turn { of: Arc::clone(self), id }
    }

    fn ids(&self) -> MutexGuard<'_, BTreeSet<Identity>> {
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
    use ledger_core::ledger::Scope;

    use super::*;

    #[test]
    fn two_facts_of_one_id_take_turns_and_two_of_different_ids_do_not_wait() {
        let ids = Arc::new(IdsUnderWay::default());
        let id = |id: &str| Identity::Pix(ExternalId { scope: Scope::SentPix, id: id.into() });
        let first = ids.turn(id("E1"));
        drop(ids.turn(id("E2")));
        std::thread::scope(|scope| {
            let second = scope.spawn(|| drop(ids.turn(id("E1"))));
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(!second.is_finished());
            drop(first);
            second.join().unwrap();
        });
    }
}
