//! What is known of an engine that rests: its state, and when to ask whether it still writes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ledger_core::ledger::State;

use super::Shared;

/// How long at most an engine that rests does not ask whether another writer has taken over.
const ASKS: Duration = Duration::from_secs(30);

impl Shared {
    /// The engine rests with this state, all of which is durable unless the engine is dead.
    pub(in crate::engines::engine) fn rests(&self, state: State, used: Instant) {
        let mut progress = self.progress();
        progress.used = used;
        if progress.state.is_none() && state.seq.0 == progress.head.seq {
            progress.state = Some(Arc::new(state));
        }
    }

    /// The state with which the engine rests, unless it is time to ask whether another writer has
    /// taken over: the longer nobody uses the engine, the less often, and never within a lease.
    pub(in crate::engines::engine) fn resting_state(&self) -> Option<Arc<State>> {
        let now = Instant::now();
        let mut progress = self.progress();
        let quiet = now.saturating_duration_since(progress.used);
        let asks = now.saturating_duration_since(progress.asked) >= ASKS.min(quiet / 2);
        if asks && progress.lease.is_none() {
            progress.asked = now;
            return None;
        }
        progress.state.clone()
    }
}
