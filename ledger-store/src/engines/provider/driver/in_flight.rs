//! Orders in flight: each is a future of its provider, and has an end whatever becomes of that.

use std::sync::Arc;

use super::jobs::Jobs;
use crate::engines::provider::ProviderRuntime;
use crate::engines::provider::order::Task;
use crate::engines::provider::outcome_facts::Next;
use crate::tables::projection::Entry;

/// An order in flight. Dropped before its outcome is there, it ends as unknown, or is asked for
/// again where it had not begun.
struct InFlight {
    entry: Option<Entry>,
    task: Arc<Task>,
    jobs: Arc<Jobs>,
    begun: bool,
}

/// Sends an order that was handed out on its flight; the workers are given its outcome.
pub(super) fn begin(provider: &ProviderRuntime, entry: Entry, task: Arc<Task>, jobs: &Arc<Jobs>) {
    let work = provider.carry_out(Arc::clone(&task));
    let mut flight = InFlight { entry: Some(entry), task, jobs: Arc::clone(jobs), begun: false };
    provider.begin(async move {
        flight.begun = true;
        let next = work.await;
        flight.end(next);
    });
}

impl InFlight {
    fn end(&mut self, next: Next) {
        if let Some(entry) = self.entry.take() {
            self.jobs.end(entry, next);
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let Some(entry) = &self.entry else { return };
        let key = &entry.idempotency_key;
        if self.begun {
            tracing::error!(key, "the future of an order panicked or was dropped: unknown outcome");
            self.end(self.task.next_if_unknown());
        } else {
            tracing::warn!(key, "the future of an order was dropped before it began");
            self.end(Next::Again);
        }
    }
}
