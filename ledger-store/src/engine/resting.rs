//! How an engine rests: while nothing is asked of it, it keeps no thread and no connection that can
//! be made anew.
//!
//! ```text
//! deciding thread --quiet--> leaves its own in the place of rest, and ends
//!        ^                                        |
//!        '------ a new thread <------ a job ------'
//! ```
//!
//! A few engines of a process keep their threads for long, so that what is asked now and then is
//! answered as fast as what is asked all the time; those beyond them rest at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{JoinHandle, ThreadId};
use std::time::Duration;

use tracing::warn;

/// How many engines of a process keep their threads for [`LONG`].
const KEEPING: usize = 16;

/// How long an engine keeps its threads though nothing is asked of it.
const LONG: Duration = Duration::from_secs(10);

/// How long it does while as many others do as may for longer.
const SHORT: Duration = Duration::from_millis(20);

/// Engines of this process whose deciding thread waits for a job.
static WAITING: AtomicUsize = AtomicUsize::new(0);

/// A deciding thread that waits for a job.
pub(super) struct Waits(Duration);

impl Waits {
    pub(super) fn begin() -> Self {
        let others = WAITING.fetch_add(1, Ordering::Relaxed);
        Self(if others < KEEPING { LONG } else { SHORT })
    }

    /// How long after its last job it rests.
    pub(super) const fn linger(&self) -> Duration {
        self.0
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        WAITING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What a deciding thread leaves when it rests, and goes on with.
pub(super) trait Rested: Send {
    /// Whether a job has come.
    fn has_a_job(&mut self) -> bool;

    /// Works until it rests or ends; gives itself back where a job came as it was about to rest.
    fn work(self: Box<Self>) -> Option<Box<dyn Rested>>;
}

/// The threads of one engine, which come and go.
#[derive(Debug, Default)]
pub(super) struct Threads {
    known: Mutex<Known>,
    /// Held by whoever waits for them to end.
    ending: Mutex<()>,
}

#[derive(Debug, Default)]
struct Known {
    running: Vec<JoinHandle<()>>,
    /// Those that are waited for.
    awaited: Vec<ThreadId>,
}

impl Threads {
    /// Starts a thread that may be waited for.
    ///
    /// # Errors
    ///
    /// When the system gives none.
    pub(super) fn start(
        &self,
        name: &str,
        work: impl FnOnce() + Send + 'static,
    ) -> std::io::Result<()> {
        // One that has started is known here before anybody looks.
        let mut known = self.known();
        known.running.retain(|thread| !thread.is_finished());
        known.running.push(std::thread::Builder::new().name(name.to_owned()).spawn(work)?);
        Ok(())
    }

    /// Waits until all have ended; `false` when this thread is one of them.
    pub(super) fn end(&self) -> bool {
        if self.known().holds(std::thread::current().id()) {
            return false;
        }
        let _ending = self.ending.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let mut known = self.known();
            let Some(thread) = known.running.pop() else { return true };
            known.awaited.push(thread.thread().id());
            drop(known);
            // One that panicked has answered its callers, and its end says so.
            let _ = thread.join();
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn holds(&self, id: ThreadId) -> bool {
        self.awaited.contains(&id) || self.running.iter().any(|thread| thread.thread().id() == id)
    }
}

/// Starts the deciding thread; gives back what it was to work with where the system has none.
pub(super) fn decides(
    threads: &Threads,
    rested: Box<dyn Rested>,
) -> Result<(), (Box<dyn Rested>, std::io::Error)> {
    let given = Arc::new(Mutex::new(Some(rested)));
    let taken = Arc::clone(&given);
    let take = |from: &Mutex<Option<Box<dyn Rested>>>| {
        from.lock().unwrap_or_else(PoisonError::into_inner).take()
    };
    let started = threads.start("ledger-decides", move || {
        let mut decider = take(&taken);
        while let Some(work) = decider {
            decider = work.work();
        }
    });
    match started {
        Ok(()) => Ok(()),
        Err(error) => {
            let back = take(&given).expect("no thread has taken it");
            warn!(%error, "the system gives no thread to a ledger that is asked for something");
            Err((back, error))
        }
    }
}
