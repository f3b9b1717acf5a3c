//! Jobs and tickets: what is asked of the deciding thread, and the answer that comes when durable.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::sync::oneshot;

use super::EngineError;
use crate::sequencer::Sequencer;

/// An answer that comes when what it says is durable: wait for it, or await it.
///
/// ```
/// use ledger_store::engine::{Engine, EngineError};
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
/// let engine = Engine::builder("live").start(Box::new(journal))?;
/// let (first, second) = (engine.view(), engine.view()); // Asked together, and answered in order.
/// assert_eq!(first.wait()?.seq, second.wait()?.seq);
/// engine.stop()?;
/// assert!(matches!(engine.view().wait(), Err(EngineError::Ended)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "the answer comes through the ticket"]
#[derive(Debug)]
pub struct Ticket<T>(oneshot::Receiver<Result<T, EngineError>>);

/// What the deciding thread is asked: first decided, then answered.
pub(super) trait Job: Send {
    /// Decides, and keeps what is to be answered.
    ///
    /// After a panic the sequencer may be in the midst of something: who calls it looks.
    fn decide(&mut self, sequencer: &mut Sequencer) -> Result<(), Panicked>;

    /// Whether it is asked by whoever uses the engine, and not by what works beside it.
    fn is_use(&self) -> bool;

    /// Whether more follows it at once, so that it is no lone caller's.
    fn is_followed(&self) -> bool;

    /// Answers what was decided, or says what became of it.
    fn answer(self: Box<Self>, written: Result<(), EngineError>);
}

/// Deciding a job ended in a panic, which its caller is told.
pub(super) struct Panicked;

/// One allocation for a job and its answer.
struct Task<T, F> {
    state: JobState<T, F>,
    kind: JobKind,
    answer: Option<oneshot::Sender<Result<T, EngineError>>>,
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobKind {
    /// A caller.
    Asked,
    /// A caller who asks more before this is answered.
    Followed,
    /// What works beside the engine, and keeps it from no rest.
    Aside,
}

/// How far a job has come.
enum JobState<T, F> {
    Asked(F),
    Deciding,
    Decided(T),
    Panicked(String),
}

/// A job of `work`, and the ticket for its answer.
pub(super) fn job<T, F>(kind: JobKind, work: F) -> (Box<dyn Job>, Ticket<T>)
where
    T: Send + 'static,
    F: FnOnce(&mut Sequencer) -> T + Send + 'static,
{
    let (answer, ticket) = oneshot::channel();
    let task = Task { state: JobState::Asked(work), kind, answer: Some(answer) };
    (Box::new(task), Ticket(ticket))
}

/// A job that nobody waits for.
pub(super) fn aside(work: impl FnOnce(&mut Sequencer) + Send + 'static) -> Box<dyn Job> {
    Box::new(Task { state: JobState::Asked(work), kind: JobKind::Aside, answer: None })
}

impl<T: Send, F: FnOnce(&mut Sequencer) -> T + Send> Job for Task<T, F> {
    fn decide(&mut self, sequencer: &mut Sequencer) -> Result<(), Panicked> {
        let JobState::Asked(work) = std::mem::replace(&mut self.state, JobState::Deciding) else {
            return Ok(());
        };
        match catch_unwind(AssertUnwindSafe(|| work(sequencer))) {
            Ok(value) => {
                self.state = JobState::Decided(value);
                Ok(())
            }
            Err(panic) => {
                self.state = JobState::Panicked(message(&*panic));
                Err(Panicked)
            }
        }
    }

    fn is_use(&self) -> bool {
        self.kind != JobKind::Aside
    }

    fn is_followed(&self) -> bool {
        self.kind == JobKind::Followed
    }

    fn answer(mut self: Box<Self>, written: Result<(), EngineError>) {
        let state = std::mem::replace(&mut self.state, JobState::Deciding);
        let answer = match (state, written) {
            (JobState::Decided(value), written) => written.map(|()| value),
            (JobState::Panicked(message), _) => Err(EngineError::Panicked(message)),
            (JobState::Asked(_), Err(error)) => Err(error),
            (JobState::Asked(_) | JobState::Deciding, _) => Err(EngineError::broken()),
        };
        if let Some(sender) = self.answer.take() {
            // A caller that no longer waits needs no answer.
            let _ = sender.send(answer);
        }
    }
}

/// What a panic says of itself.
pub(super) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "it gave no message".to_owned())
}

/// A job that nobody will answer any more says itself how far it came.
impl<T, F> Drop for Task<T, F> {
    fn drop(&mut self) {
        if let Some(sender) = self.answer.take() {
            let end = match self.state {
                JobState::Asked(_) => EngineError::Ended,
                JobState::Deciding | JobState::Decided(_) => EngineError::broken(),
                JobState::Panicked(ref mut message) => {
                    EngineError::Panicked(std::mem::take(message))
                }
            };
            let _ = sender.send(Err(end));
        }
    }
}

impl<T> Ticket<T> {
    /// A ticket of an engine that takes no more jobs, for this reason.
    pub(super) fn failed(error: EngineError) -> Self {
        let (sender, receiver) = oneshot::channel();
        // The other end is here.
        let _ = sender.send(Err(error));
        Self(receiver)
    }

    /// Waits for the answer and blocks this thread meanwhile; async code awaits the ticket instead.
    ///
    /// # Errors
    ///
    /// [`EngineError`] when there is no answer.
    pub fn wait(self) -> Result<T, EngineError> {
        super::parked::wait(self)
    }
}

impl<T> Future for Ticket<T> {
    type Output = Result<T, EngineError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = Pin::new(&mut self.0).poll(context);
        answer.map(|answer| answer.unwrap_or_else(|_| Err(EngineError::broken())))
    }
}
