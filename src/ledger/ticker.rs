//! Deadlines come due although nobody calls.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use ledger_store::engine::{Engine, EngineError};

use super::time_passes;
use ledger_store::clock::Clock;

/// Looks now and then whether a deadline has come, and tells the ledger of the time when one has.
pub(super) struct Ticker {
    running: Mutex<Option<(Sender<()>, JoinHandle<()>)>>,
}

impl Ticker {
    pub(super) fn start(engine: &Arc<Engine>, clock: Arc<dyn Clock>, every: Duration) -> Self {
        let (end, ended) = channel();
        let engine = Arc::downgrade(engine);
        let thread = std::thread::Builder::new().name("ledger-ticks".to_owned()).spawn(move || {
            while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                let Some(engine) = Weak::upgrade(&engine) else { break };
                match look(&engine, &*clock) {
                    // It looks again: nothing was done that it would have to know of.
                    Ok(())
                    | Err(
                        EngineError::LeaseLapsed
                        | EngineError::Unverified(_)
                        | EngineError::NotWritten(_)
                        | EngineError::Panicked(_),
                    ) => {}
                    Err(_) => break,
                }
            }
        });
        let thread = thread.expect("the system gives a thread to a service that has just started");
        Self { running: Mutex::new(Some((end, thread))) }
    }

    pub(super) fn stop(&self) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((end, thread)) = running {
            // It ends when its channel does; the thread that drops the last ledger may be its own.
            drop(end);
            if thread.thread().id() != std::thread::current().id() {
                let _ = thread.join();
            }
        }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.stop();
    }
}

fn look(engine: &Engine, clock: &dyn Clock) -> Result<(), EngineError> {
    let state = engine.view().wait()?;
    let now = clock.now();
    let due = state.deadlines().next().is_some_and(|(at, ..)| at <= now);
    if due {
        engine.call(time_passes(now)).wait()?;
    }
    Ok(())
}
