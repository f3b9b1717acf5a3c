//! What a fact names is brought to one spelling before it is looked up (rulings 64).

use crate::id::{ChainId, Kind, OpId, Seq};
use crate::ledger::archive::{Archive, first_seen};
use crate::ledger::decision::lookup::operation;
use crate::ledger::record::spelling::transaction;
use crate::ledger::record::{ExternalId, Scope};
use crate::ledger::registry::Operation;
use crate::ledger::state::State;
use crate::network::Scheme;

impl State {
    /// Brings a transaction to one spelling: the one that the operation it is named of holds, which
    /// an older record may have written otherwise, or the canonical one.
    pub(in crate::ledger) fn spell_hash(
        &self,
        named: Option<&Operation>,
        chain: Option<ChainId>,
        hash: &mut Box<str>,
    ) {
        if self.spell_as_held(named, chain, hash) {
            return;
        }
        let scheme = match chain.or_else(|| named?.machine.crypto().chain) {
            Some(chain) => self.scheme(chain),
            // Nothing says the network: hexadecimal digits are one number in either case.
            None if hash.starts_with("0x") || hash.starts_with("0X") => Scheme::Evm,
            None => Scheme::Tron,
        };
        *hash = transaction(scheme, hash);
    }

    /// The operation named holds the transaction on this network, or on any; whether it does.
    pub(in crate::ledger) fn spell_as_held(
        &self,
        named: Option<&Operation>,
        chain: Option<ChainId>,
        hash: &mut Box<str>,
    ) -> bool {
        let held = named.map(|named| named.machine.crypto().transactions).unwrap_or_default();
        let mut held = held.into_iter().filter(|(on, _)| chain.is_none_or(|chain| chain == *on));
        let known = held.find(|(on, known)| {
            let scheme = self.scheme(*on);
            transaction(scheme, known) == transaction(scheme, hash)
        });
        known.map(|(_, known)| *hash = known.into()).is_some()
    }

    /// The deposit that brought the transaction, wherever a report says it arrived, has its
    /// spelling; whether there is one.
    pub(in crate::ledger) fn spell_as_brought(
        &self,
        archive: &impl Archive,
        hash: &mut Box<str>,
    ) -> bool {
        for spelled in spellings(hash) {
            let Some(seq) = first_brought(archive, &spelled) else { continue };
            let unmatched = operation(self, archive, OpId::new(Kind::UnmatchedDeposit, seq));
            let known = unmatched.as_ref().map(|(_, known)| &**known);
            if !self.spell_as_held(known, None, hash) {
                *hash = spelled;
            }
            return true;
        }
        false
    }
}

/// The record that brought the deposit of a transaction, by the first of its sightings that did.
fn first_brought(archive: &impl Archive, hash: &str) -> Option<Seq> {
    let mut number = None;
    loop {
        let brought = first_seen(archive, &ExternalId::deposit(hash, number));
        let gone = || first_seen(archive, &ExternalId::vanishing(hash, number)).is_some();
        if brought.is_some() || !gone() {
            return brought;
        }
        number = Some(number.unwrap_or(1) + 1);
    }
}

/// A transaction that was reported confirmed or gone before anything said its network keeps the
/// spelling of that report; whether there was one.
pub(in crate::ledger) fn spell_as_reported(archive: &impl Archive, hash: &mut Box<str>) -> bool {
    let reported = |scope, id: &str| ExternalId { scope, id: id.into() };
    let of = |id: &str| [Scope::Confirmation, Scope::Vanishing].map(|scope| reported(scope, id));
    let exactly = |id: &str| of(id).iter().any(|known| archive.fact_seq(known).is_some());
    let somehow = |id: &str| of(id).iter().any(|known| first_seen(archive, known).is_some());
    let spellings = spellings(hash);
    let known = spellings.iter().find(|id| exactly(id));
    let known = known.or_else(|| spellings.iter().find(|id| somehow(id)));
    known.map(|spelled| *hash = spelled.clone()).is_some()
}

/// Every spelling in which some network knows what may be a transaction.
fn spellings(hash: &str) -> Vec<Box<str>> {
    let mut spellings = Scheme::ALL.map(|scheme| transaction(scheme, hash)).to_vec();
    spellings.sort_unstable();
    spellings.dedup();
    spellings
}
