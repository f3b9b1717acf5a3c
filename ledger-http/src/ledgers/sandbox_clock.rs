//! The clock of the sandbox.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use ledger_core::contract::Call;
use ledger_core::time::Instant;
use ledger_sim::Sandbox;
use ledger_store::sequencer::Sequencer;

/// The sandbox's clock: the machine's and an offset, by which it was put ahead (rulings 78). Clones
/// are the same clock.
#[derive(Clone, Debug, Default)]
pub(super) struct SandboxClock(Arc<AtomicI64>);

impl SandboxClock {
    /// How far ledger and machine may lie apart without the clock having been put ahead, in
    /// microseconds: calls are dated before they wait for their turn.
    const JITTER: i64 = 1_000_000;

    /// Returns what it reads while the machine's clock reads `now`.
    pub(super) fn reads(&self, now: Instant) -> Instant {
        let micros = now.micros().saturating_add(self.0.load(Ordering::Relaxed));
        Instant::from_micros(micros).unwrap_or(now)
    }

    /// Goes on from where the sandbox's ledger was put, if it was put ahead of it.
    pub(super) fn follow(&self, sequencer: &Sequencer, now: Instant, sandbox: Option<Sandbox>) {
        let state = &sequencer.ledger().state;
        if sandbox.is_none() || state.seq.0 == 0 {
            return;
        }
        let ahead = state.now.micros().saturating_sub(now.micros());
        if self.0.load(Ordering::Relaxed).saturating_add(Self::JITTER) < ahead {
            self.0.store(ahead, Ordering::Relaxed);
        }
    }

    /// Dates a call by the sandbox's clock, unless it is dated later itself; returns what that
    /// reads. A ledger of real money goes by the machine's.
    pub(super) fn set_off(
        &self,
        sequencer: &Sequencer,
        call: &mut Call,
        now: Instant,
        sandbox: Option<Sandbox>,
    ) -> Instant {
        self.follow(sequencer, now, sandbox);
        let reads = self.reads(now);
        if sandbox.is_some() && call.at <= now {
            call.at = self.reads(call.at);
        }
        reads
    }
}
