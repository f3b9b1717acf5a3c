//! Lines take turns: one that could not be written is followed by none that could.
//!
//! A run that is resumed goes on after the last line its journal holds, so a line must never land
//! behind one that was lost. The lines of a run wait in the engine's queue while those before them
//! are written; when a write fails, the engine rebuilds its sequencer from the journal and would
//! decide the rest of the queue on it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ledger_store::sequencer::Sequencer;

/// No sequencer comes so far.
const NEVER: u64 = u64::MAX;

/// How far the sequencer of one ledger had come after the last line that was decided on it.
#[derive(Clone, Default)]
pub struct Turn(Arc<AtomicU64>);

impl Turn {
    /// Decides the next line; `None` when the sequencer has lost what a line before it decided.
    pub fn take<T>(
        &self,
        sequencer: &mut Sequencer,
        decide: impl FnOnce(&mut Sequencer) -> T,
    ) -> Option<T> {
        // Only the deciding thread comes here, one line at a time.
        if sequencer.ledger().state.seq.0 < self.0.load(Ordering::Relaxed) {
            return None;
        }
        let decided = decide(sequencer);
        // What was decided on something unreadable is void, even if it recorded nothing.
        let ends = sequencer.fault().map_or(sequencer.ledger().state.seq.0, |_| NEVER);
        self.0.store(ends, Ordering::Relaxed);
        Some(decided)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ledger_core::contract::Line;
    use ledger_core::ledger::Origin;
    use ledger_store::Algorithm;
    use ledger_store::journal::Identity;

    const OPEN: &str = r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"acc","account":"loja"},"supplied":{"key":"svc_live_loja"}}"#;

    #[test]
    fn no_line_is_decided_on_a_book_that_lost_one_before_it() {
        let new = || Sequencer::new("live", Identity::by_name(Algorithm::Blake3, [1; 32]));
        let call = || Line::parse(OPEN, |_| unreachable!()).unwrap().call(Origin::Call);
        let (turn, mut sequencer) = (Turn::default(), new());
        assert!(turn.take(&mut sequencer, |sequencer| sequencer.call(&call())).is_some());
        assert!(
            turn.take(&mut sequencer, |sequencer| sequencer.head().seq).is_some_and(|seq| seq > 0)
        );
        // What the engine rebuilds when the first line was not written.
        assert!(turn.take(&mut new(), |_| ()).is_none());
        assert!(turn.take(&mut new(), |_| ()).is_none(), "nor any later");
    }
}
