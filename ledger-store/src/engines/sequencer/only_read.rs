//! Reading a ledger that another writes: calls that only read, answered as its last record left it.

use std::sync::Arc;

use ledger_core::contract::{
    Access, Call, CallKind, Code, Effect, Invocation, Method, RateLimiter, Response, RouteShape,
    route_of,
};
use ledger_core::ledger::{Execution, Ledger, State};

use super::{Sequencer, Tally};
use crate::bytes::commit_builder::{CommitBuilder, RecordBatch};
use crate::journal::{Journal, JournalError};
use crate::state::archive::{JournalArchive, Reading, SharedArchive};
use crate::state::vault::{SharedVault, Vault, prove_rows};

impl Sequencer {
    /// A reader of this state, which this one has come to and whose records are durable; the one
    /// that `shared` shows goes on meanwhile.
    pub(crate) fn reader<S: SharedArchive + SharedVault + 'static>(
        &self,
        state: State,
        shared: &Arc<S>,
        reading: Reading,
    ) -> Self {
        let (archive_of, vault_of) = (Arc::clone(shared), Arc::clone(shared));
        let archive = self.ledger.archive.reader(state.clone(), archive_of, reading);
        let commit_builder = CommitBuilder::new(archive.genesis(), archive.anchors());
        let mut ledger = Ledger::from_state(state, archive);
        ledger.read_only();
        Self {
            ledger,
            vault: Vault::reader(vault_of),
            tokens: self.tokens,
            recent: RateLimiter::default(),
            commit_builder,
            draft: RecordBatch::default(),
            execution: Execution::quiet(),
            tally: Tally::default(),
            erased: Vec::new(),
            begun: 0,
            outbox: None,
            exact: None,
        }
    }

    /// Gives back what a reader reads the journal by.
    pub(crate) fn into_reading(self) -> Reading {
        self.ledger.archive.into_reading()
    }

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
    route_of::<JournalArchive, Vault>(&call.ask).is_none_or(shows)
}

/// Tells whether a call asks for what stands, and leaves nothing behind, not even in the memory of
/// the process: it may be answered by any thread, of any state that it may be shown.
#[must_use]
pub fn leaves_nothing(call: &Call) -> bool {
    // Whoever may be refused for asking too often is counted.
    let counts = |shape: &RouteShape| {
        shape.errors.iter().any(|code| matches!(code, Code::LookupLimit | Code::TooManyAttempts))
    };
    let shape = route_of::<JournalArchive, Vault>(&call.ask);
    shape.is_some_and(|shape| shows(shape) && !counts(shape))
}

fn shows(shape: &RouteShape) -> bool {
    let shows = match shape.ask {
        Invocation::Route(Method::Get, _) | Invocation::Command(_) => true,
        Invocation::Route(..) => shape.access == Access::Key,
    };
    shows && shape.effect == Effect::Reads
}
