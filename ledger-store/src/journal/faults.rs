//! Appends to a memory journal that go wrong where a test says so.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{AppendError, Source};

/// How an append goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AppendFault {
    /// The medium refuses, as a full disk does: nothing is written, and the writer learns so.
    Refused,
    /// It is written, and the answer is lost: the writer does not know.
    UnknownLanded,
    /// Nothing is written, and the answer is lost: the writer does not know.
    UnknownLost,
    /// It is written after so long, and meanwhile readers see what was there before.
    Slow(Duration),
    /// Another writer has taken over just before: this one must stop.
    Fenced,
}

/// What goes wrong with the appends of one ledger in memory; clones are the same plan.
///
/// Appends are counted from 1, those that go wrong included; each fault happens once.
///
/// ```
/// # use ledger_core::contract::Line;
/// # use ledger_core::ledger::Origin;
/// # use ledger_store::engine::{Engine, EngineError};
/// # use ledger_store::journal::AppendFault;
/// # use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
/// let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
/// let faults = journal.faults();
/// let engine = Engine::builder("live").start(Box::new(journal))?;
///
/// faults.at_next(AppendFault::Refused);
/// let opened = || {
///     let line = r#"{"at": "2026-11-20T12:00:00Z", "fact": "account.opened",
///         "body": {"id": "acc-1", "account": "loja"}, "supplied": {"key": "svc_live_loja"}}"#;
///     let line = Line::parse(line, |label| Ok(label.to_owned())).expect("it is well formed");
///     engine.handle(line.call(Origin::Call)).wait()
/// };
/// // Nothing of it was written, and asked again it is.
/// assert!(matches!(opened(), Err(EngineError::NotWritten(_))));
/// assert_eq!(opened()?.response.status, 200);
/// assert_eq!((faults.appends(), faults.remaining()), (2, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct AppendFaults(Arc<Mutex<Plan>>);

#[derive(Debug, Default)]
struct Plan {
    appends: u64,
    faults: BTreeMap<u64, AppendFault>,
}

/// The source of the error with which an append fails because a test lets it.
#[derive(Debug, thiserror::Error)]
#[error("a test said so: {0:?}")]
struct InjectedFault(AppendFault);

impl AppendFaults {
    /// Lets the append of this number go wrong, once; of two faults the later one counts.
    ///
    /// # Panics
    ///
    /// When that append was made already, so that the fault would never happen.
    pub fn at(&self, append: u64, fault: AppendFault) {
        let mut plan = self.plan();
        assert!(append > plan.appends, "append {append} was made: there were {}", plan.appends);
        plan.faults.insert(append, fault);
    }

    /// Lets the next append go wrong.
    pub fn at_next(&self, fault: AppendFault) {
        let mut plan = self.plan();
        let next = plan.appends + 1;
        plan.faults.insert(next, fault);
    }

    /// How many appends were asked for, those that went wrong included.
    #[must_use]
    pub fn appends(&self) -> u64 {
        self.plan().appends
    }

    /// How many faults are still to happen: none, once a test has shown what it was to show.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.plan().faults.len()
    }

    /// Returns what goes wrong with the next append.
    pub(super) fn coming(&self) -> Option<AppendFault> {
        let plan = self.plan();
        plan.faults.get(&(plan.appends + 1)).copied()
    }

    /// Counts an append, and says what goes wrong with it.
    pub(super) fn next(&self) -> Option<AppendFault> {
        let mut plan = self.plan();
        plan.appends += 1;
        let append = plan.appends;
        plan.faults.remove(&append)
    }

    fn plan(&self) -> MutexGuard<'_, Plan> {
        // A plan is whole between any two of its steps, whoever panicked with it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AppendFault {
    fn into_source(self) -> Source {
        Box::new(InjectedFault(self))
    }

    /// The medium refused.
    pub(super) fn into_append_error(self) -> AppendError {
        AppendError::Failed(self.into_source())
    }

    /// The answer was lost.
    pub(super) fn unknown(self) -> AppendError {
        AppendError::Unknown(self.into_source())
    }
}
