//! An answer to come: awaited, or waited for.

use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;

use ledger_core::contract::{Call, CallOutcome};
use ledger_core::ledger::State;
use ledger_core::time::Instant;
use ledger_store::Head;
use ledger_store::clock::ClockDoubt;
use ledger_store::engine::{Ended, Engine, EngineError, Permit, Ticket};
use ledger_store::provider::{Supplier, SupplyError};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::sandbox::Sandbox;
use crate::Refusal;

/// What was asked for, and begins when it is awaited or waited for.
///
/// In async code its future may be dropped at any await, by a timeout for example. Until the
/// engine has room for it nothing was asked; from then on it is decided and made durable all the
/// same, and only the answer is lost: asked again with the same id, it is answered as it stands.
/// [`Pending::spawn`] is done whoever waits.
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
pub(super) trait Begin<T>: Send {
    fn wait(self: Box<Self>) -> T;

    fn await_it(self: Box<Self>) -> Pin<Box<dyn Future<Output = T> + Send>>;
}

impl<T: Send + 'static> Pending<T> {
    /// Waits for it on this thread, which must not be one that runs async code.
    #[must_use = "it may be an error"]
    pub fn wait(self) -> T {
        self.0.wait()
    }

    /// Begins now, and is done even if nobody waits for it: as a task of the runtime in async code,
    /// on a thread of its own elsewhere. What it comes to can be awaited or waited for.
    ///
    /// ```
    /// use custody_ledger::prelude::*;
    /// use custody_ledger::fact::account::AccountOpened;
    ///
    /// let ledger = Ledger::open("memory:").wait()?;
    /// let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
    /// let opening = ledger.report(&opened.key("svc_live_loja".try_into()?)).spawn();
    /// // The service does something else meanwhile.
    /// opening.wait()?.ensure_applied()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spawn(self) -> Self {
        let (sender, receiver) = oneshot::channel();
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(async move {
                // Whoever waited may have gone.
                drop(sender.send(self.0.await_it().await));
            })),
            Err(_) => drop(std::thread::spawn(move || sender.send(self.0.wait()))),
        }
        Self(Box::new(Detached(receiver)))
    }

    /// An answer that begins when it is awaited or waited for.
    pub(super) fn new(begin: impl Begin<T> + 'static) -> Self {
        Self(Box::new(begin))
    }

    /// A call of the engine, and what makes the answer of its outcome.
    pub(super) fn call(
        engine: Arc<Engine>,
        helpers: Helpers,
        time: Option<Call>,
        call: Call,
        read: fn(Result<CallOutcome, EngineError>) -> T,
    ) -> Self {
        Self(Box::new(Calling { engine, helpers, time, call, read }))
    }

    /// Work that blocks, run on a thread of its own when it is awaited.
    pub(super) fn blocking(work: impl FnOnce() -> T + Send + 'static) -> Self {
        Self(Box::new(Blocking(work)))
    }
}

impl<T: Send + 'static> Pending<Result<T, crate::Error>> {
    /// The refusal of what would be dated by a clock that is not believed.
    pub(super) fn refusal(doubt: &ClockDoubt, at: Instant) -> Self {
        let refusal = Refusal::from_clock_doubt(doubt, at);
        Self::blocking(move || Err(refusal.into()))
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
    pub(super) fn flatten(self) -> Pending<Result<T, E>> {
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

/// What helps a call on its way.
#[derive(Clone, Default)]
pub(super) struct Helpers {
    /// Who supplies what it lacks, unless that was brought.
    pub(super) supplier: Option<Supplier>,
    /// The sandbox that its ledger is played by.
    pub(super) sandbox: Option<Sandbox>,
}

impl Helpers {
    /// Supplies what a call lacks, as far as the provider knows. Blocks.
    pub(super) fn supply(&self, engine: &Engine, call: &mut Call) -> Result<(), EngineError> {
        match &self.supplier {
            Some(supplier) => or_without(supplier.supply(engine, call)),
            None => Ok(()),
        }
    }

    /// Returns what the engine decides the call by.
    fn handle(&self, permit: Permit<'_>, call: Call) -> Ticket<CallOutcome> {
        match self.sandbox {
            Some(sandbox) => permit.decide(sandbox.job(call)),
            None => permit.handle(call),
        }
    }
}

struct Calling<T> {
    engine: Arc<Engine>,
    helpers: Helpers,
    time: Option<Call>,
    call: Call,
    read: fn(Result<CallOutcome, EngineError>) -> T,
}

impl<T: Send + 'static> Begin<T> for Calling<T> {
    fn wait(self: Box<Self>) -> T {
        let Self { engine, helpers, time, mut call, read } = *self;
        if let Err(error) = helpers.supply(&engine, &mut call) {
            return read(Err(error));
        }
        // What is decided first needs no answer: the call comes after it.
        if let Some(time) = time {
            drop(engine.with_permit(|permit| helpers.handle(permit, time)));
        }
        read(engine.with_permit(|permit| helpers.handle(permit, call)).wait())
    }

    fn await_it(self: Box<Self>) -> Pin<Box<dyn Future<Output = T> + Send>> {
        let Self { engine, helpers, time, call, read } = *self;
        Box::pin(async move {
            let answered = async {
                let call = supply_call(&engine, helpers.supplier.clone(), call).await?;
                if let Some(time) = time {
                    drop(helpers.handle(engine.reserve().await?, time));
                }
                helpers.handle(engine.reserve().await?, call).await
            };
            read(answered.await)
        })
    }
}

/// A call with what it lacked, as far as the provider knows.
async fn supply_call(
    engine: &Arc<Engine>,
    supplier: Option<Supplier>,
    mut call: Call,
) -> Result<Call, EngineError> {
    if let Some(supplier) = supplier {
        or_without(supplier.supply_async(engine, &mut call).await)?;
    }
    Ok(call)
}

/// A provider that panics has said nothing: the call goes on without it, and so does who made it.
fn or_without(supplied: Result<(), SupplyError>) -> Result<(), EngineError> {
    match supplied {
        Ok(()) => Ok(()),
        Err(SupplyError::Engine(error)) => Err(error),
        // The supplier has logged it.
        Err(_) => Ok(()),
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

/// The result of work that was begun, by a channel.
struct Detached<T>(oneshot::Receiver<T>);

/// Why a channel of something begun has an end: a task or thread of it that panics says so itself.
const BEGUN: &str = "what was begun comes to an end";

impl<T: Send + 'static> Begin<T> for Detached<T> {
    fn wait(self: Box<Self>) -> T {
        self.0.blocking_recv().expect(BEGUN)
    }

    fn await_it(self: Box<Self>) -> Pin<Box<dyn Future<Output = T> + Send>> {
        Box::pin(async move { self.0.await.expect(BEGUN) })
    }
}

/// The end of an engine is awaited or waited for as it is.
impl Begin<Result<Head, EngineError>> for Ended {
    fn wait(self: Box<Self>) -> Result<Head, EngineError> {
        Ended::wait(*self)
    }

    fn await_it(
        self: Box<Self>,
    ) -> Pin<Box<dyn Future<Output = Result<Head, EngineError>> + Send>> {
        Box::pin(*self)
    }
}

/// A state that is committed at some record or after it, and what is read of it.
pub(super) struct Reading<T> {
    pub(super) engine: Arc<Engine>,
    pub(super) seq: u64,
    pub(super) read: Box<dyn FnOnce(&State) -> T + Send>,
}

impl<T: Send + 'static> Begin<Result<T, EngineError>> for Reading<T> {
    fn wait(self: Box<Self>) -> Result<T, EngineError> {
        Ok((self.read)(&*self.engine.committed_at_now(self.seq)?))
    }

    fn await_it(self: Box<Self>) -> Pin<Box<dyn Future<Output = Result<T, EngineError>> + Send>> {
        Box::pin(async move {
            let state = self.engine.committed_at(self.seq).await?;
            Ok((self.read)(&state))
        })
    }
}
