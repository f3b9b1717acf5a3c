//! The clock of a ledger: who doubts it, and who accepts it (rulings 69).

use ledger_core::contract::{Call, CallKind};
use ledger_core::time::Instant;
use ledger_store::clock::{Clock, ClockDoubt};
use ledger_store::engine::EngineError;

use super::{Ledger, Pending, SandboxWorld};

impl Ledger {
    /// Plays what is due in a sandbox by its clock, and waits until it is durable: for whoever has
    /// just set the clock. A ledger that plays no sandbox has nothing to play.
    pub fn play_now(&self) -> Pending<Result<(), EngineError>> {
        let ledger = self.clone();
        Pending::blocking(move || {
            ledger.0.at_work.world.as_ref().map_or(Ok(()), SandboxWorld::play_now)
        })
    }

    /// Why the machine's clock is not believed: a jump ahead by more than 120 s, or a start before
    /// the last record or more than 48 hours after it, unless elapsed time bears it out. Until it
    /// is right again, or accepted, deadlines rest and requests and facts are refused with
    /// `temporariamente_indisponivel`; reads, and facts with an instant of their own, go on.
    ///
    /// ```
    /// use custody_ledger::Ledger;
    ///
    /// let ledger = Ledger::open("memory:").wait()?;
    /// if let Some(doubt) = ledger.clock_doubt() {
    ///     eprintln!("{doubt}"); // Somebody looks at the clock, and then:
    ///     ledger.accept_clock();
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn clock_doubt(&self) -> Option<ClockDoubt> {
        self.0.clock.doubt()
    }

    /// Believes the clock as it reads now, since a person has looked at it; returns that instant,
    /// and none where nothing is held against the clock.
    #[allow(clippy::must_use_candidate)] // It does something.
    pub fn accept_clock(&self) -> Option<Instant> {
        self.0.clock.accept()
    }
}

/// Why a call that its ledger dates may not be decided now; reads may be.
pub(super) fn doubt_for_call(clock: &dyn Clock, call: &Call) -> Option<ClockDoubt> {
    let reads = matches!(&call.ask, CallKind::Request { method, .. } if method == "GET");
    clock.doubt().filter(|_| !reads)
}
