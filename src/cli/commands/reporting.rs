//! Facts that a command reports itself, to a ledger that nobody else writes.

use ledger_core::contract::Call;
use ledger_core::time::Instant;
use ledger_store::OpenMode;
use ledger_store::clock::Clock as _;
use ledger_store::engine::Engine;
use ledger_store::machine_clock::{KeptMoment, MachineClock};

use crate::Failure;
use crate::store::Store;

/// Opens a ledger to report to it.
pub fn open(store: &Store, ledger: &str) -> Result<Engine, Failure> {
    let journal = store.open_named(ledger, OpenMode::create())?;
    Engine::builder(ledger).start(journal).map_err(|error| {
        Failure::because(&format!("{store}: ledger {ledger} cannot be opened"), &error)
    })
}

/// Lets the ledger's time come to `at`, where a fact of then would jump too far ahead: after a
/// quiet time.
pub fn pass_to(engine: &Engine, at: Instant) -> Result<(), Failure> {
    if engine.view().wait()?.admits(at).is_err() {
        engine.call(Call::time_passed(at)).wait()?;
    }
    Ok(())
}

/// The instant now, by a clock that is held against the last record as that of a service is when
/// it starts (rulings 69).
pub fn believed_now(store: &Store, ledger: &str, engine: &Engine) -> Result<Instant, Failure> {
    let (clock, state) = (MachineClock::new(), engine.view().wait()?);
    if state.seq.0 > 0 {
        let kept = store.target().and_then(|target| KeptMoment::read(&target, ledger));
        clock.hold_against(state.now, kept.as_ref().and_then(KeptMoment::moment));
    }
    match clock.doubt() {
        None => Ok(clock.now()),
        Some(doubt) => {
            Err(Failure::new(format!("{doubt}, by the last record: --at names the instant")))
        }
    }
}
