//! Deadlines come due although nobody calls: one thread looks after all ledgers of the process.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use ledger_store::clock::Clock;
use ledger_store::engine::{Engine, EngineStatus};
use ledger_store::machine_clock::KeptMoment;

/// The ledgers that are looked after.
static LOOKS: Looks = Looks { state: Mutex::new(State::new()), changed: Condvar::new() };

struct Looks {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// The looks to come, by their instant and the number of their ledger.
    due: BTreeMap<(Instant, u64), Look>,
    last: u64,
    /// The thread that looks, while there is anything to look at.
    thread: Option<ThreadId>,
    /// Whom it looks at, and whether it is to come back to it.
    looking: Option<(u64, Again)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Again {
    Yes,
    No,
}

struct Look {
    engine: Weak<Engine>,
    clock: Arc<dyn Clock>,
    kept: Option<KeptMoment>,
    every: Duration,
}

/// A ledger that is looked after until this is stopped or dropped.
pub(super) struct Ticker(u64);

impl State {
    const fn new() -> Self {
        Self { due: BTreeMap::new(), last: 0, thread: None, looking: None }
    }
}

/// Looks after each interval whether a deadline has come, and tells the ledger of the time when one
/// has, while its clock is believed; keeps the clock's moment beside what is recorded.
pub(super) fn ticker(
    engine: &Arc<Engine>,
    (clock, kept): (Arc<dyn Clock>, Option<KeptMoment>),
    every: Duration,
) -> Ticker {
    let look = Look { engine: Arc::downgrade(engine), clock, kept, every };
    let mut state = LOOKS.state();
    state.last += 1;
    let id = state.last;
    state.due.insert((Instant::now() + every, id), look);
    if state.thread.is_none() {
        let thread = std::thread::Builder::new().name("ledger-ticks".to_owned());
        let thread = thread.spawn(|| LOOKS.run());
        let thread = thread.expect("the system gives a thread to a service that has just started");
        state.thread = Some(thread.thread().id());
    }
    drop(state);
    LOOKS.changed.notify_all();
    Ticker(id)
}

impl Ticker {
    /// Looks at it no more, and waits for a look that is under way.
    pub(super) fn stop(&self) {
        let mut state = LOOKS.state();
        state.due.retain(|(_, id), _| *id != self.0);
        if let Some((id, again)) = &mut state.looking
            && *id == self.0
        {
            *again = Again::No;
        }
        // The last owner of a ledger may be dropped by the very thread that looks.
        if state.thread == Some(std::thread::current().id()) {
            return;
        }
        let looks = |state: &mut State| state.looking.is_some_and(|(id, _)| id == self.0);
        drop(LOOKS.changed.wait_while(state, looks));
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Looks {
    /// Looks at one ledger after the other, until there is none.
    fn run(&self) {
        let mut state = self.state();
        loop {
            let Some(next) = state.due.first_entry() else {
                state.thread = None;
                return;
            };
            let rest = next.key().0.saturating_duration_since(Instant::now());
            if !rest.is_zero() {
                let waited = self.changed.wait_timeout(state, rest);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            let ((_, id), mut look) = next.remove_entry();
            state.looking = Some((id, Again::Yes));
            drop(state);
            // A clock that panics has nothing more to say, and the others go on.
            let goes_on = catch_unwind(AssertUnwindSafe(|| look.look())).unwrap_or(false);
            state = self.state();
            if state.looking.take() == Some((id, Again::Yes)) && goes_on {
                state.due.insert((Instant::now() + look.every, id), look);
            }
            self.changed.notify_all();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Look {
    /// Tells whether there is more to come.
    fn look(&mut self) -> bool {
        let Some(engine) = Weak::upgrade(&self.engine) else { return false };
        if self.clock.doubt().is_none() {
            engine.tick(self.clock.now());
        }
        let (status, records) = (engine.status(), engine.counters().records);
        // Nothing is kept of a ledger that was only opened.
        if let Some(kept) = self.kept.as_mut()
            && records > 0
            && status == EngineStatus::Writing
        {
            // It says by itself that it failed, and tries again.
            let _ = kept.look(&*self.clock, records);
        }
        matches!(
            status,
            EngineStatus::Writing | EngineStatus::LeaseLapsed | EngineStatus::Failing(_)
        )
    }
}
