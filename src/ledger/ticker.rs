//! Deadlines come due although nobody calls.

use std::ops::ControlFlow;
use std::sync::{Arc, Weak};
use std::time::Duration;

use ledger_core::contract::Call;
use ledger_store::PeriodicTask;
use ledger_store::clock::Clock;
use ledger_store::engine::{Engine, EngineError};

/// Looks now and then whether a deadline has come, and tells the ledger of the time when one has.
pub(super) fn ticker(engine: &Arc<Engine>, clock: Arc<dyn Clock>, every: Duration) -> PeriodicTask {
    let engine = Arc::downgrade(engine);
    PeriodicTask::start("ledger-ticks", every, move || {
        let Some(engine) = Weak::upgrade(&engine) else { return ControlFlow::Break(()) };
        match look(&engine, &*clock) {
            // It looks again: nothing was done that it would have to know of.
            Ok(())
            | Err(
                EngineError::LeaseLapsed
                | EngineError::Unverified(_)
                | EngineError::NotWritten(_)
                | EngineError::Panicked(_),
            ) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    })
}

fn look(engine: &Engine, clock: &dyn Clock) -> Result<(), EngineError> {
    let state = engine.view().wait()?;
    let now = clock.now();
    let due = state.deadlines().next().is_some_and(|(at, ..)| at <= now);
    if due {
        engine.call(Call::time_passed(now)).wait()?;
    }
    Ok(())
}
