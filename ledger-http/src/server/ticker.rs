//! Deadlines come due, and the sandbox plays, although nobody calls.

use std::ops::ControlFlow;
use std::time::Duration;

use ledger_store::PeriodicTask;

use crate::service::Service;

/// Looks so often whether something has come due, on a thread of its own, until it is dropped.
///
/// # Panics
///
/// When the system gives no thread.
#[must_use]
pub fn ticker(service: Service, every: Duration) -> PeriodicTask {
    PeriodicTask::start("ledger-ticks", every, move || {
        // A ledger that has ended says so to every caller, and to `/health/ready`; the other goes
        // on.
        let _ = service.tick();
        ControlFlow::Continue(())
    })
}
