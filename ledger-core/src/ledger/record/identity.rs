//! What an event makes known for ever: the id its operation was created under, and ids of the
//! world; and whether a fact that is known was set aside.

use super::event::Event;
use super::{ExternalId, Record};
use crate::id::{ChainId, Seq};
use crate::ledger::archive::Archive;
use crate::ledger::state::State;
use crate::network::Scheme;

impl Event {
    /// The ids of the world that the event makes known, by whatever fact they were reported.
    pub fn outsides(&self) -> impl Iterator<Item = ExternalId> {
        self.operation().and_then(|(_, event)| event.outside()).into_iter()
    }
}

impl Record {
    /// Tells whether its fact was set aside.
    #[must_use]
    pub fn is_set_aside(&self) -> bool {
        self.events.iter().any(|event| matches!(event, Event::SetAside { .. }))
    }

    /// Tells whether its fact was known, under another id or by another fact.
    #[must_use]
    pub fn is_repeat(&self) -> bool {
        self.events.iter().any(|event| matches!(event, Event::Repeated { .. }))
    }

    /// Tells whether the record ends a claim on this PIX with what it paid.
    #[must_use]
    pub fn takes_over(&self, outside: &ExternalId) -> bool {
        let mut ended = self.events.iter().filter_map(|event| event.operation()?.1.taken_over());
        ended.any(|pix| pix == *outside)
    }

    /// Tells whether the record makes `outside` known: by its own fact, or by an event.
    #[must_use]
    pub fn brings(&self, outside: &ExternalId) -> bool {
        let is_it = |known: &ExternalId| known == outside || known.is_found_by(outside);
        self.outside.as_ref().is_some_and(is_it)
            || self.events.iter().flat_map(Event::outsides).any(|known| is_it(&known))
    }
}

/// Keeps what the event makes known for ever.
pub(in crate::ledger) fn learn(
    state: &State,
    archive: &mut impl Archive,
    event: &Event,
    record: &Record,
) -> Result<(), &'static str> {
    if let Some((op, account, Some(external_id))) = event.creation() {
        // One id names one operation (INV-25).
        let has_it = archive.learn_identity(account, op.kind(), external_id, op);
        (has_it == op).then_some(()).ok_or("this id named another operation before")?;
    }
    // What ends a claim was made known by the claim.
    let mut fresh = event.outsides().filter(|outside| !record.takes_over(outside));
    fresh.try_for_each(|outside| {
        state.learn_spelling(archive, (Some(event), &outside), record.seq);
        learn_outside(archive, &outside, record.seq)
    })
}

/// One fact happens once, for ever (INV-26).
pub(in crate::ledger) fn learn_outside(
    archive: &mut impl Archive,
    outside: &ExternalId,
    seq: Seq,
) -> Result<(), &'static str> {
    let first = archive.learn_outside(outside, seq);
    (first == seq).then_some(()).ok_or("this fact was brought by another record before")
}

impl State {
    /// How the network of this number spells its transactions and addresses.
    #[must_use]
    pub fn scheme(&self, chain: ChainId) -> Scheme {
        self.catalogue.chain_of(chain).map_or(Scheme::Exact, Scheme::for_network)
    }

    /// Keeps `outside`, which `event` or its record brought, by the spelling it is looked up in.
    pub(in crate::ledger) fn learn_spelling(
        &self,
        archive: &mut impl Archive,
        (event, outside): (Option<&Event>, &ExternalId),
        seq: Seq,
    ) {
        if !outside.scope.is_of_transaction() {
            return;
        }
        let known = event.and_then(Event::chain).map(|chain| self.scheme(chain));
        for scheme in Scheme::ALL {
            // A sighting that says no network is found by what it may be on each.
            let may_be = known.map_or(outside.scope.is_of_sighting(), |known| known == scheme);
            let spelled = outside.to_canonical(scheme);
            if may_be
                && spelled != *outside
                && let Some(key) = spelled.by_spelling()
            {
                // The first record that held the transaction owns it.
                archive.learn_outside(&key, seq);
            }
        }
    }
}
