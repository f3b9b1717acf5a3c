//! What was decided and is to be in the outbox: kept as it is, and rendered by whoever writes it.
//!
//! Whoever decides renders nothing. A body shows its operation as it stood, which the notification
//! or instruction holds, names of ledger and catalogue, which entries share until the catalogue
//! names something else, and little besides, which is taken with it.

use std::sync::Arc;

use ledger_core::contract::EventContext;
use ledger_core::ledger::{Archive, Instruction, Ledger, Notification, Record, State};

use super::rows::{Effect, EntryPosition, in_order};
use crate::tables::projection::schema::table::Cells;

/// An entry of the outbox as it was decided: all of its row but what its record's link says.
#[derive(Debug)]
pub(crate) struct Pending {
    place: EntryPosition,
    account: Option<Box<str>>,
    kept: PendingEffect,
    /// A state that has the ledger's name and its catalogue as of the record, and nothing else.
    names: Arc<State>,
}

#[derive(Debug)]
enum PendingEffect {
    Notification(Box<(Notification, EventContext)>),
    Instruction(Instruction),
}

/// Entries of what was decided since they were last taken.
#[derive(Debug, Default)]
pub(crate) struct OutboxDraft {
    entries: Vec<Pending>,
    /// The names that the last of them shows.
    names: Option<Arc<State>>,
}

impl Pending {
    /// The record that it follows from.
    pub(crate) const fn seq(&self) -> u64 {
        self.place.seq.0
    }

    /// Its row, of a record whose link begins with `check`; rendered into `room`.
    pub(super) fn row(&self, check: [u8; 8], room: &mut Vec<u8>) -> Cells {
        let Self { place, account, kept, names } = self;
        let nothing = EventContext::default();
        let (effect, context) = match kept {
            PendingEffect::Notification(kept) => (Effect::Notification(&kept.0), &kept.1),
            PendingEffect::Instruction(instruction) => (Effect::Instruction(instruction), &nothing),
        };
        effect.row((names, context), *place, (account.as_deref(), check), room)
    }
}

impl OutboxDraft {
    /// The entries, of which none is left.
    pub(crate) fn take(&mut self) -> Vec<Pending> {
        std::mem::take(&mut self.entries)
    }

    /// Adds the entries of records, just applied to `ledger`, that notify and ask so: those of one
    /// record after the other, in each what is notified first.
    pub(crate) fn add<A: Archive>(
        &mut self,
        ledger: &Ledger<A>,
        records: &[Record],
        effects: (&[Notification], &[Instruction]),
    ) {
        if effects.0.is_empty() && effects.1.is_empty() {
            return;
        }
        let names = self.names(&ledger.state);
        for Record { seq, at, .. } in records {
            for (index, effect) in in_order(*seq, effects).enumerate() {
                let kept = match effect {
                    Effect::Notification(it) => {
                        let context = EventContext::for_notification(it, &ledger.archive);
                        PendingEffect::Notification(Box::new((it.clone(), context)))
                    }
                    Effect::Instruction(it) => PendingEffect::Instruction(it.clone()),
                };
                let (account, names) = (effect.account(ledger).map(Into::into), Arc::clone(&names));
                let place = EntryPosition { seq: *seq, at: *at, index };
                self.entries.push(Pending { place, account, kept, names });
            }
        }
    }

    /// The names that bodies show as of `state`: those kept, as long as it has no others.
    fn names(&mut self, state: &State) -> Arc<State> {
        let known = self.names.take().filter(|known| known.catalogue.names_as(&state.catalogue));
        let made = known.unwrap_or_else(|| {
            let mut names = State::new(state.name.clone());
            names.catalogue = state.catalogue.clone();
            Arc::new(names)
        });
        Arc::clone(self.names.insert(made))
    }
}
