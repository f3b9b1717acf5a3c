//! Deadlines come due, and the sandbox plays, although nobody calls.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::service::Service;

/// Looks now and then whether something has come due, on a thread of its own, until it is dropped.
#[derive(Debug)]
pub struct Ticker {
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Ticker {
    /// Looks so often.
    ///
    /// # Panics
    ///
    /// When the system gives no thread.
    #[must_use]
    pub fn start(service: Service, every: Duration) -> Self {
        let (end, ended) = channel();
        let thread = std::thread::Builder::new().name("ledger-ticks".to_owned());
        let thread = thread.spawn(move || {
            while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                // A ledger that has ended says so to every caller, and to `/health/ready`; the
                // other goes on.
                let _ = service.tick();
            }
        });
        let thread = thread.expect("the system gives a thread to a service that has just started");
        Self { running: Some((end, thread)) }
    }
}

/// Ends after the look that is under way.
impl Drop for Ticker {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.running.take() {
            drop(end);
            // A thread that panicked has nothing more to say.
            let _ = thread.join();
        }
    }
}
