//! A balance that is read without waiting for whoever writes.

use std::sync::Arc;

use ledger_core::id::SubaccountId;
use ledger_core::money::Balance;
use ledger_core::time::Instant;
use ledger_store::engine::{Engine, EngineError};

/// Reads one balance of the committed state, as often as wanted; see
/// [`Client::reader`](crate::Client::reader).
#[derive(Clone)]
pub struct BalanceReader {
    engine: Arc<Engine>,
    subaccount: SubaccountId,
}

/// A balance at the last record that is durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Standing {
    /// What may be spent, in centavos; below zero where a forced debit took more than there was.
    pub available: Balance,
    /// Booked, and not available yet.
    pub held: Balance,
    /// Blocked by holds.
    pub frozen: Balance,
    /// The number of the record.
    pub seq: u64,
    /// The record's instant: what time alone brings later is not in it.
    pub at: Instant,
}

impl BalanceReader {
    pub(super) const fn new(engine: Arc<Engine>, subaccount: SubaccountId) -> Self {
        Self { engine, subaccount }
    }

    /// The balance as it is committed. The first read after a while asks the ledger's thread, and
    /// blocks for that; those after it cost a lock and a pointer, however much is written beside.
    ///
    /// # Errors
    ///
    /// [`EngineError`] when the ledger has ended.
    pub fn read(&self) -> Result<Standing, EngineError> {
        let state = self.engine.committed_now()?;
        let buckets = state.books.subaccount(self.subaccount);
        Ok(Standing {
            available: buckets.available,
            held: buckets.held,
            frozen: buckets.frozen,
            seq: state.seq.0,
            at: state.now,
        })
    }
}

impl std::fmt::Debug for BalanceReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BalanceReader").finish_non_exhaustive()
    }
}
