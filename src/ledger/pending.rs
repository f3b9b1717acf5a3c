//! An answer to come: awaited, or waited for.

use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;

use ledger_core::contract::{Call, CallOutcome};
use ledger_store::engine::{Engine, EngineError, Permit, Ticket};

/// What was asked for, and begins when it is awaited or waited for.
///
/// ```
/// use custody_ledger::Ledger;
///
/// // On a plain thread:
/// let ledger = Ledger::open("memory:").wait()?;
///
/// // In async code:
/// # let runtime = tokio::runtime::Runtime::new()?;
/// # runtime.block_on(async {
/// let another = Ledger::open("memory:").await?;
/// # drop(another);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "nothing is asked until this is awaited or waited for"]
pub struct Pending<T>(Box<dyn Begin<T>>);

/// Something that begins on a thread that may block, or in async code.
trait Begin<T>: Send {
    fn wait(self: Box<Self>) -> T;

    fn await_it(self: Box<Self>) -> Pin<Box<dyn Future<Output = T> + Send>>;
}

impl<T: Send + 'static> Pending<T> {
    /// Waits for it on this thread, which must not be one that runs async code.
    #[must_use = "it may be an error"]
    pub fn wait(self) -> T {
        self.0.wait()
    }

    /// A call of the engine, and what makes the answer of its outcome.
    pub(super) fn call(
        engine: Arc<Engine>,
        time: Option<Call>,
        call: Call,
        read: fn(Result<CallOutcome, EngineError>) -> T,
    ) -> Self {
        Self(Box::new(Calling { engine, time, call, read }))
    }

    /// Work that blocks, run on a thread of its own when it is awaited.
    pub(super) fn blocking(work: impl FnOnce() -> T + Send + 'static) -> Self {
        Self(Box::new(Blocking(work)))
    }
}

impl<T: Send + 'static> Pending<Result<T, EngineError>> {
    /// A job of the engine.
    pub(super) fn job(
        engine: Arc<Engine>,
        ask: impl FnOnce(Permit<'_>) -> Ticket<T> + Send + 'static,
    ) -> Self {
        Self(Box::new(Asking { engine, ask }))
    }
}

impl<T: Send + 'static, E: From<EngineError> + Send + 'static>
    Pending<Result<Result<T, E>, EngineError>>
{
    /// One error where there were two.
    pub(super) fn flattened(self) -> Pending<Result<T, E>> {
        Pending(Box::new(Flattened(self)))
    }
}

struct Flattened<T>(Pending<T>);

impl<T, E> Begin<Result<T, E>> for Flattened<Result<Result<T, E>, EngineError>>
where
    T: Send + 'static,
    E: From<EngineError> + Send + 'static,
{
    fn wait(self: Box<Self>) -> Result<T, E> {
        self.0.wait()?
    }

    fn await_it(self: Box<Self>) -> Pin<Box<dyn Future<Output = Result<T, E>> + Send>> {
        Box::pin(async move { self.0.await? })
    }
}

impl<T: Send + 'static> IntoFuture for Pending<T> {
    type Output = T;
    type IntoFuture = Pin<Box<dyn Future<Output = T> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        self.0.await_it()
    }
}

impl<T> std::fmt::Debug for Pending<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pending")
    }
}

struct Calling<T> {
    engine: Arc<Engine>,
    time: Option<Call>,
    call: Call,
    read: fn(Result<CallOutcome, EngineError>) -> T,
}

impl<T: Send + 'static> Begin<T> for Calling<T> {
    fn wait(self: Box<Self>) -> T {
        // What is decided first needs no answer: the call comes after it.
        if let Some(time) = self.time {
            drop(self.engine.handle(time));
        }
        (self.read)(self.engine.handle(self.call).wait())
    }

    fn await_it(self: Box<Self>) -> Pin<Box<dyn Future<Output = T> + Send>> {
        let Self { engine, time, call, read } = *self;
        Box::pin(async move {
            let answered = async {
                if let Some(time) = time {
                    drop(engine.reserve().await?.handle(time));
                }
                engine.reserve().await?.handle(call).await
            };
            read(answered.await)
        })
    }
}

struct Asking<F> {
    engine: Arc<Engine>,
    ask: F,
}

impl<T, F> Begin<Result<T, EngineError>> for Asking<F>
where
    T: Send + 'static,
    F: FnOnce(Permit<'_>) -> Ticket<T> + Send + 'static,
{
    fn wait(self: Box<Self>) -> Result<T, EngineError> {
        self.engine.with_permit(self.ask).wait()
    }

    fn await_it(self: Box<Self>) -> Pin<Box<dyn Future<Output = Result<T, EngineError>> + Send>> {
        Box::pin(async move {
            let ticket = (self.ask)(self.engine.reserve().await?);
            ticket.await
        })
    }
}

struct Blocking<F>(F);

impl<T: Send + 'static, F: FnOnce() -> T + Send + 'static> Begin<T> for Blocking<F> {
    fn wait(self: Box<Self>) -> T {
        (self.0)()
    }

    fn await_it(self: Box<Self>) -> Pin<Box<dyn Future<Output = T> + Send>> {
        Box::pin(async move {
            let done = tokio::task::spawn_blocking(self.0).await;
            done.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
        })
    }
}
