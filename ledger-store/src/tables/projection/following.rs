//! Following: a projector on a thread of its own, which looks whenever it is asked to or some time
//! has passed.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant as Clock};

use super::error::ProjectError;
use super::projector::Projector;
use super::read::WaitError;
use crate::engines::sequencer::ReplayError;
use crate::journal::{Journal, JournalError, in_one_line};

/// A projector that follows its journal until it is dropped.
#[derive(Debug)]
pub struct Following {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    progress: Mutex<Progress>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Progress {
    seq: u64,
    notified: bool,
    stop: bool,
    failed: Option<String>,
}

impl Following {
    /// Follows `journal` with `projector`, looking at least as often as `every`.
    ///
    /// # Panics
    ///
    /// When the system gives no thread.
    #[must_use]
    pub fn start(mut projector: Projector, mut journal: Box<dyn Journal>, every: Duration) -> Self {
        let shared = Arc::new(Shared::default());
        shared.progress().seq = projector.at().seq;
        let its = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("ledger-projects".to_owned());
        let thread = thread.spawn(move || {
            while its.wait(every) {
                let done = projector.catch_up(&mut *journal);
                let mut progress = its.progress();
                progress.seq = projector.at().seq;
                progress.failed = done.as_ref().err().map(|error| in_one_line(error));
                let lost = projector.sequencer().fault().is_some();
                progress.stop |= done.is_err_and(|error| lost || !may_pass(&error));
                its.changed.notify_all();
            }
        });
        let thread = Some(thread.expect("the system gives a thread to a service that starts"));
        Self { shared, thread }
    }

    /// Says that the journal has grown.
    pub fn notify(&self) {
        self.shared.progress().notified = true;
        self.shared.changed.notify_all();
    }

    /// The last record projected.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.shared.progress().seq
    }

    /// Why it last failed, while it fails. A server that is away is waited for; anything else ends
    /// the following.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.shared.progress().failed.clone()
    }

    /// Waits until record `seq` is projected, so that whoever wrote it reads it.
    ///
    /// # Errors
    ///
    /// [`WaitError::Late`] when it is not after `patience`.
    pub fn wait_for(&self, seq: u64, patience: Duration) -> Result<u64, WaitError> {
        let start = Clock::now();
        self.notify();
        let mut progress = self.shared.progress();
        loop {
            let at = progress.seq;
            if at >= seq {
                return Ok(at);
            }
            let Some(left) = patience.checked_sub(start.elapsed()) else {
                return Err(WaitError::Late { seq, at });
            };
            let waited = self.shared.changed.wait_timeout(progress, left);
            progress = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Projects what is under way, then stops.
impl Drop for Following {
    fn drop(&mut self) {
        self.shared.progress().stop = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has nothing more to say.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        // Every change of it is whole, so a poisoned one is as well.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits to be notified, or for so long; says whether to go on.
    fn wait(&self, every: Duration) -> bool {
        let idle = |progress: &mut Progress| !progress.notified && !progress.stop;
        let waited = self.changed.wait_timeout_while(self.progress(), every, idle);
        let mut progress = waited.unwrap_or_else(PoisonError::into_inner).0;
        progress.notified = false;
        !progress.stop
    }
}

/// Tells whether waiting may help.
fn may_pass(error: &ProjectError) -> bool {
    matches!(
        error,
        ProjectError::Tables(_)
            | ProjectError::Replay(ReplayError::Journal(JournalError::Medium(_)))
    )
}
