//! Work that is done again and again, on a thread of its own.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// A task that is done after each interval, until it breaks off, is stopped, or is dropped.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::sync::mpsc::channel;
/// use std::time::Duration;
///
/// use ledger_store::PeriodicTask;
///
/// let (done, seen) = channel();
/// let task = PeriodicTask::start("ticks", Duration::from_millis(1), move || {
///     match done.send(()) {
///         Ok(()) => ControlFlow::Continue(()),
///         Err(_) => ControlFlow::Break(()), // Nobody listens any more.
///     }
/// });
/// assert!(seen.recv().is_ok() && seen.recv().is_ok());
/// task.stop();
/// ```
pub struct PeriodicTask(Mutex<Option<(Sender<()>, JoinHandle<()>)>>);

impl PeriodicTask {
    /// Begins; the first time is after one interval.
    ///
    /// # Panics
    ///
    /// When the system gives no thread.
    #[must_use]
    pub fn start(
        name: &str,
        every: Duration,
        mut task: impl FnMut() -> ControlFlow<()> + Send + 'static,
    ) -> Self {
        let (end, ended) = channel();
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                if task().is_break() {
                    break;
                }
            }
        });
        let thread = thread.expect("the system gives a thread to a service that has just started");
        Self(Mutex::new(Some((end, thread))))
    }

    /// Does it no more, and waits for the time that is under way.
    pub fn stop(&self) {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some((end, thread)) = running else { return };
        drop(end);
        // The last owner of what the task holds may be dropped by this very thread.
        if thread.thread().id() != std::thread::current().id() {
            // A task that panicked has nothing more to say.
            let _ = thread.join();
        }
    }
}

impl Drop for PeriodicTask {
    fn drop(&mut self) {
        self.stop();
    }
}

impl fmt::Debug for PeriodicTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PeriodicTask")
    }
}
