//! Reading a ledger that another writes: calls that only read, answered as its last record left it.

use ledger_core::contract::{
    Access, Call, CallKind, Effect, Invocation, Method, Response, route_of,
};

use super::Sequencer;
use crate::journal::{Journal, JournalError};
use crate::state::archive::JournalArchive;
use crate::state::vault::{Vault, prove_rows};

impl Sequencer {
    /// From now on it is only read, and keeps no personal value: those an answer shows are read of
    /// the journal for that answer.
    pub(crate) fn read_only(&mut self) {
        self.ledger.read_only();
        self.vault = Vault::asked_for();
    }

    /// From now on it decides again; its vault is taken of the journal by whoever goes on.
    pub(crate) fn decide_again(&mut self) {
        self.ledger.decide_again();
    }

    /// Answers a call that only reads, at the instant of the last record; none where it would
    /// record something.
    pub fn read(&mut self, call: &Call) -> Option<Response> {
        let at = self.ledger.state.now;
        only_reads(call).then(|| self.call(&Call { at, ..call.clone() }))
    }

    /// Answers a call that only reads ([`only_reads`]), at the instant of the last record.
    ///
    /// # Errors
    ///
    /// [`JournalError`] when the values that the answer shows cannot be read, or are not what they
    /// were.
    pub(crate) fn look(
        &mut self,
        journal: &mut dyn Journal,
        call: &Call,
    ) -> Result<Response, JournalError> {
        let call = Call { at: self.ledger.state.now, ..call.clone() };
        let counted = self.recent.clone();
        let response = self.call(&call);
        let missed = self.vault.take_missed();
        if missed.is_empty() {
            return Ok(response);
        }
        let rows = journal.values(&missed)?;
        prove_rows(&rows, &journal.identity().vault_key)?;
        self.recent = counted;
        self.vault = Vault::asked_for().with_rows(rows);
        let response = self.call(&call);
        // Whoever is erased from now on is in nobody's memory.
        self.vault = Vault::asked_for();
        Ok(response)
    }
}

/// Tells whether a call asks for what stands and for nothing else. What nobody declares is answered
/// so too, and so is what is refused for its form. Links that are mailed are more than a read.
pub(crate) fn only_reads(call: &Call) -> bool {
    if matches!(call.ask, CallKind::Fact(_)) {
        return false;
    }
    route_of::<JournalArchive, Vault>(&call.ask).is_none_or(|shape| {
        let shows = match shape.ask {
            Invocation::Route(Method::Get, _) | Invocation::Command(_) => true,
            Invocation::Route(..) => shape.access == Access::Key,
        };
        shows && shape.effect == Effect::Reads
    })
}
