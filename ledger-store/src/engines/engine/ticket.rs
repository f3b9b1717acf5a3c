//! Jobs and tickets: what is asked of the deciding thread, and the answer that comes when durable.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use ledger_core::ledger::{Command, Outcome, Prefetched, Refusal};
use tokio::sync::oneshot;

use super::EngineError;
use crate::engines::sequencer::Sequencer;

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
    /// The command that it is, if it is one: what that names can be looked up with others'.
    fn command(&self) -> Option<&Command>;

    /// Decides, and keeps what is to be answered. `known` is what this sequencer looked up of its
    /// command, if it did.
    ///
    /// After a panic the sequencer may be in the midst of something: who calls it looks.
    fn decide(&mut self, sequencer: &mut Sequencer, known: Prefetched) -> Result<(), Panicked>;

    /// Tells whether it is asked by whoever uses the engine, and not by what works beside it.
    fn is_use(&self) -> bool;

    /// Tells whether more follows it at once, so that it is no lone caller's.
    fn is_followed(&self) -> bool;

    /// Answers what was decided, or says what became of it.
    fn answer(self: Box<Self>, written: Result<(), EngineError>);
}

/// Deciding a job ended in a panic, which its caller is told.
pub(super) struct Panicked;

/// What a job does, for an answer.
pub(super) trait Work<T>: Send {
    /// The command that it is, if it is one.
    fn command(&self) -> Option<&Command> {
        None
    }

    /// Does it; `known` is what was looked up of its command.
    fn run(self, sequencer: &mut Sequencer, known: Prefetched) -> T;
}

/// A command, executed.
pub(super) struct Executed(pub(super) Command);

/// One allocation for a job and its answer.
struct Task<T, W> {
    state: JobState<T, W>,
    kind: JobKind,
    answer: Option<oneshot::Sender<Result<T, EngineError>>>,
}

/// The kinds of jobs, by who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobKind {
    /// The job of a caller who asks no more before this is answered.
    Asked,
    /// A caller who asks more before this is answered.
    Followed,
    /// What works beside the engine, and keeps it from no rest.
    Aside,
}

/// How far a job has come.
enum JobState<T, W> {
    Asked(W),
    Deciding,
    Decided(T),
    Panicked(String),
}

/// A job of `work`, and the ticket for its answer.
pub(super) fn job<T: Send + 'static>(
    kind: JobKind,
    work: impl Work<T> + 'static,
) -> (Box<dyn Job>, Ticket<T>) {
    let (answer, ticket) = oneshot::channel();
    let task = Task { state: JobState::Asked(work), kind, answer: Some(answer) };
    (Box::new(task), Ticket(ticket))
}

/// A job that nobody waits for.
pub(super) fn aside(work: impl FnOnce(&mut Sequencer) + Send + 'static) -> Box<dyn Job> {
    Box::new(Task { state: JobState::Asked(work), kind: JobKind::Aside, answer: None })
}

impl<T, F: FnOnce(&mut Sequencer) -> T + Send> Work<T> for F {
    fn run(self, sequencer: &mut Sequencer, _: Prefetched) -> T {
        self(sequencer)
    }
}

impl Work<Result<Outcome, Refusal>> for Executed {
    fn command(&self) -> Option<&Command> {
        Some(&self.0)
    }

    fn run(self, sequencer: &mut Sequencer, known: Prefetched) -> Result<Outcome, Refusal> {
        sequencer.execute_known(self.0, known)
    }
}

impl<T: Send, W: Work<T>> Job for Task<T, W> {
    fn command(&self) -> Option<&Command> {
        match &self.state {
            JobState::Asked(work) => work.command(),
            _ => None,
        }
    }

    fn decide(&mut self, sequencer: &mut Sequencer, known: Prefetched) -> Result<(), Panicked> {
        let JobState::Asked(work) = std::mem::replace(&mut self.state, JobState::Deciding) else {
            return Ok(());
        };
        match catch_unwind(AssertUnwindSafe(|| work.run(sequencer, known))) {
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
            (JobState::Asked(_) | JobState::Deciding, _) => Err(EngineError::thread_lost()),
        };
        if let Some(sender) = self.answer.take() {
            // A caller that no longer waits needs no answer.
            let _ = sender.send(answer);
        }
    }
}

/// Returns what a panic says of itself.
pub(super) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "it gave no message".to_owned())
}

/// A job that nobody will answer any more says itself how far it came.
impl<T, W> Drop for Task<T, W> {
    fn drop(&mut self) {
        if let Some(sender) = self.answer.take() {
            let end = match self.state {
                JobState::Asked(_) => EngineError::Ended,
                JobState::Deciding | JobState::Decided(_) => EngineError::thread_lost(),
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
    pub(super) fn from_error(error: EngineError) -> Self {
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
        answer.map(|answer| answer.unwrap_or_else(|_| Err(EngineError::thread_lost())))
    }
}
