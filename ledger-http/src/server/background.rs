//! Work beside the service, on threads of its own.

use std::future::Future;
use std::io;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use ledger_store::PeriodicTask;
use tokio::runtime::{Builder, Runtime};

use super::{Ended, Ending};
use crate::service::Service;

/// Work that goes on until it is dropped, which waits until it has ended.
#[derive(Debug)]
pub(crate) struct Background {
    ending: Ending,
    /// None once it has ended.
    runtime: Option<Runtime>,
    /// Closed by the work's end: a plain wait for it does no harm on a runtime's own thread.
    over: Mutex<Receiver<()>>,
}

impl Background {
    /// Begins `work` on so many threads of this name. It must come to its end soon after the
    /// signal it is given.
    ///
    /// # Errors
    ///
    /// The system's, when it gives no threads.
    pub(crate) fn start<W: Future<Output = ()> + Send + 'static>(
        name: &str,
        threads: usize,
        work: impl FnOnce(Ended) -> W,
    ) -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(threads)
            .thread_name(name)
            .enable_all()
            .build()?;
        let (ending, ended) = Ending::new();
        let (ends, over) = channel::<()>();
        let work = work(ended);
        runtime.spawn(async move {
            // Closed as well where the work panics: it has nothing more to say then.
            let _ends = ends;
            work.await;
        });
        Ok(Self { ending, runtime: Some(runtime), over: Mutex::new(over) })
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.ending.end();
        if let (Some(runtime), Ok(over)) = (self.runtime.take(), self.over.get_mut()) {
            // Nothing is ever sent: it ends when the channel is closed.
            let _ = over.recv();
            runtime.shutdown_background();
        }
    }
}

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
