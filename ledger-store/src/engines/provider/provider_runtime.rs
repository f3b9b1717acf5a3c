//! The runtime that the futures of an asynchronous provider run on.

use std::fmt;
use std::future::Future;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;

use serde_json::Value;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

use super::async_provider::{ErasedProvider, Work};
use super::order::Task;
use super::outcome_facts::Next;
use super::supply::Lacking;
use super::threads::spawn;
use super::{AsyncProvider, OrderKind, Provider, Report, Reports};

/// An [`AsyncProvider`] and the runtime of its futures. Clones are the same.
#[derive(Clone)]
pub struct ProviderRuntime(Arc<Shared>);

struct Shared {
    provider: Arc<dyn ErasedProvider>,
    handle: Handle,
    /// The thread of the futures, unless the runtime is the service's.
    _own: Option<OwnThread>,
}

/// A provider that panicked, or whose runtime has ended, so that it gives no answer.
#[derive(Debug)]
pub(super) struct NoAnswer;

impl ProviderRuntime {
    /// Runs the provider's futures on one thread of their own, which ends with the last clone.
    ///
    /// # Panics
    ///
    /// When the system gives no thread to it.
    #[must_use]
    pub fn new(provider: impl AsyncProvider) -> Self {
        let (handle, own) = OwnThread::start();
        Self(Arc::new(Shared { provider: Arc::new(provider), handle, _own: Some(own) }))
    }

    /// Runs them on a runtime of the service's: one of several threads, since a driver's stop
    /// blocks until they have ended. The outcome of whatever it drops unfinished is unknown.
    ///
    /// ```
    /// use ledger_store::provider::{AsyncProvider, Driver, ProviderRuntime};
    /// use tokio::runtime::Handle;
    ///
    /// struct Bank;
    ///
    /// impl AsyncProvider for Bank {}
    ///
    /// # let runtime = tokio::runtime::Runtime::new()?;
    /// # let _entered = runtime.enter();
    /// let bank = ProviderRuntime::with_handle(Bank, Handle::current());
    /// let driver = Driver::async_builder(bank).in_flight(200);
    /// # drop(driver);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_handle(provider: impl AsyncProvider, handle: Handle) -> Self {
        Self(Arc::new(Shared { provider: Arc::new(provider), handle, _own: None }))
    }

    pub(super) fn carries_out(&self, kind: OrderKind) -> bool {
        self.0.provider.carries_out(kind)
    }

    pub(super) fn on_start(&self, reports: Reports) {
        self.0.provider.on_start(reports);
    }

    /// The work of carrying an order out, which has not begun.
    pub(super) fn carry_out(&self, task: Arc<Task>) -> Work<Next> {
        Arc::clone(&self.0.provider).carry_out(task)
    }

    /// Begins work that nobody waits for.
    pub(super) fn begin(&self, work: impl Future<Output = ()> + Send + 'static) {
        drop(self.0.handle.spawn(work));
    }

    /// Asks the provider for what a call lacks; dropped, the question goes on without it.
    pub(super) async fn supply(&self, lacking: Lacking) -> Result<Option<Value>, NoAnswer> {
        let question = Arc::clone(&self.0.provider).supply(lacking);
        self.0.handle.spawn(question).await.map_err(|_| NoAnswer)
    }

    /// The same, waited for on this thread.
    pub(super) fn supply_now(&self, lacking: Lacking) -> Result<Option<Value>, NoAnswer> {
        self.wait(Arc::clone(&self.0.provider).supply(lacking))
    }

    /// Waits on this thread until work is done.
    fn wait<T: Send + 'static>(&self, work: Work<T>) -> Result<T, NoAnswer> {
        let (sender, receiver) = mpsc::channel();
        self.begin(async move {
            // Whoever waits is there until it comes.
            let _ = sender.send(work.await);
        });
        receiver.recv().map_err(|_| NoAnswer)
    }
}

impl<P: AsyncProvider> From<P> for ProviderRuntime {
    fn from(provider: P) -> Self {
        Self::new(provider)
    }
}

/// The provider as the thread sees it that polls: it waits there for each answer.
pub(super) struct Polled(pub(super) ProviderRuntime);

impl Provider for Polled {
    fn poll(&self) -> Vec<Report> {
        let Self(runtime) = self;
        let polled = runtime.wait(Arc::clone(&runtime.0.provider).poll());
        polled.unwrap_or_else(|NoAnswer| {
            tracing::error!("the provider did not end a poll");
            Vec::new()
        })
    }

    fn confirm(&self, report: &Report) {
        let Self(runtime) = self;
        let confirmed = runtime.wait(Arc::clone(&runtime.0.provider).confirm(report.clone()));
        if confirmed.is_err() {
            tracing::error!(fact = report.fact, "the provider did not confirm a report");
        }
    }
}

/// A runtime of one thread, which ends when this is dropped.
struct OwnThread {
    ending: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl OwnThread {
    fn start() -> (Handle, Self) {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime =
            runtime.expect("the system gives a runtime to a service that has just started");
        let handle = runtime.handle().clone();
        let (ending, ended) = oneshot::channel();
        let thread = spawn("ledger-provider", move || {
            // Dropped, the other end says the same.
            let _ = runtime.block_on(ended);
            runtime.shutdown_background();
        });
        (handle, Self { ending: Some(ending), thread: Some(thread) })
    }
}

impl Drop for OwnThread {
    fn drop(&mut self) {
        drop(self.ending.take());
        // A future may have held the last clone.
        let others = |thread: &JoinHandle<()>| thread.thread().id() != std::thread::current().id();
        if let Some(thread) = self.thread.take().filter(others) {
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for ProviderRuntime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderRuntime").finish_non_exhaustive()
    }
}
