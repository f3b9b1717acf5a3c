//! The engine: one deciding thread, a bounded queue, group commit, answers when durable.
//!
//! ```text
//! callers -> queue -> deciding thread (Book) -> one batch ahead -> writing thread (Journal) -> answers
//! ```
//!
//! The next batch is decided while the last one is written. After a failed append the decided state
//! is dropped and rebuilt from the journal; what was not written is answered as not written, so a
//! caller repeats it with the same id and loses nothing.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::task::{Context, Poll};
use std::thread::JoinHandle;

use ledger_core::contract::{Call, Response};
use ledger_core::ledger::{Command, Outcome, Record, Refusal, State};
use thiserror::Error;
use tokio::sync::oneshot;

use crate::book::{Book, ReplayError};
use crate::journal::{AppendError, Commit, Journal, JournalError, in_one_line};

/// How many jobs wait in the queue before callers wait.
const QUEUE: usize = 16_384;

/// How many records one commit holds before it is cut.
const LARGEST_COMMIT: usize = 8_000;

/// Why a job has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineError {
    /// Another writer has taken over; this engine has stopped.
    #[error("another writer has taken over this ledger; this engine has stopped")]
    Fenced,
    /// The decision was not made durable, and is forgotten: repeat it with the same id.
    #[error("not written: {0}")]
    NotWritten(String),
    /// The engine has stopped, and whether the decision was made durable is not known.
    #[error("the engine has stopped: {0}")]
    Stopped(String),
}

/// Why an engine could not start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The journal could not be taken over.
    #[error("the journal cannot be written")]
    Journal(#[from] JournalError),
    /// The journal could not be replayed.
    #[error("the journal cannot be replayed")]
    Replay(#[from] ReplayError),
}

/// An answer that comes when what it says is durable: wait for it, or await it.
#[must_use = "the answer comes through the ticket"]
#[derive(Debug)]
pub struct Ticket<T>(oneshot::Receiver<Result<T, EngineError>>);

/// One ledger's engine.
#[derive(Debug)]
pub struct Engine {
    jobs: Option<SyncSender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

type Answer = Box<dyn FnOnce(Result<(), EngineError>) + Send>;
type Job = Box<dyn FnOnce(&mut Book) -> Answer + Send>;

struct Batch {
    generation: u64,
    /// What is to be written, if anything; or why nothing that was decided holds.
    commit: Result<Option<Commit>, String>,
    answers: Vec<Answer>,
}

impl Engine {
    /// Takes over a ledger: fences any older writer, replays the journal, starts.
    ///
    /// `observe` sees every record replayed, and the book as it stood after it.
    ///
    /// # Errors
    ///
    /// [`StartError`] when the journal cannot be taken over or replayed.
    pub fn start(
        mut journal: Box<dyn Journal>,
        name: &str,
        observe: impl FnMut(&Book, &Record),
    ) -> Result<Self, StartError> {
        journal.open_writer()?;
        let book = Book::open(&mut *journal, name, observe)?;
        let (jobs, queue) = sync_channel(QUEUE);
        let (batches, to_write) = sync_channel(1);
        let (rebuilt, fresh) = sync_channel(1);
        let durable = book.durable();
        let name = name.to_owned();
        let deciding = std::thread::Builder::new()
            .name("ledger-decides".to_owned())
            .spawn(move || decide(book, &queue, &batches, &fresh));
        let writing = std::thread::Builder::new()
            .name("ledger-writes".to_owned())
            .spawn(move || write(journal, &name, durable, &to_write, &rebuilt));
        let threads = [deciding, writing].map(|thread| {
            thread.expect("the system gives threads to a service that has just started")
        });
        Ok(Self { jobs: Some(jobs), threads: threads.into() })
    }

    /// Handles a call of the contract room.
    pub fn call(&self, call: Call) -> Ticket<Response> {
        self.decide(move |book| book.call(&call))
    }

    /// Executes a command.
    pub fn execute(&self, command: Command) -> Ticket<Result<Outcome, Refusal>> {
        self.decide(move |book| book.execute(command))
    }

    /// Executes commands in order, in as few commits as hold them.
    pub fn execute_all(&self, commands: Vec<Command>) -> Ticket<Vec<Result<Outcome, Refusal>>> {
        self.decide(move |book| book.execute_all(commands))
    }

    /// The state as it stands when everything before has become durable. O(1).
    pub fn view(&self) -> Ticket<State> {
        self.decide(|book| book.ledger().state.clone())
    }

    /// Runs `job` on the deciding thread; its answer comes when all that was decided is durable.
    pub fn decide<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Book) -> T + Send + 'static,
    ) -> Ticket<T> {
        let (tell, told) = oneshot::channel();
        let job: Job = Box::new(move |book| {
            let value = job(book);
            Box::new(move |written| {
                // A caller that no longer waits needs no answer.
                let _ = tell.send(written.map(|()| value));
            })
        });
        if let Some(jobs) = &self.jobs {
            // A stopped engine drops the job, and the ticket says so.
            let _ = jobs.send(job);
        }
        Ticket(told)
    }
}

/// Finishes what was queued, then stops.
impl Drop for Engine {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has told its callers by dropping their answers.
            let _ = thread.join();
        }
    }
}

fn decide(
    mut book: Book,
    queue: &Receiver<Job>,
    batches: &SyncSender<Batch>,
    fresh: &Receiver<Book>,
) {
    let mut generation = 0;
    while let Ok(first) = queue.recv() {
        if let Ok(rebuilt) = fresh.try_recv() {
            book = rebuilt;
            generation += 1;
        }
        let mut answers = vec![first(&mut book)];
        // Reads add no record, so a batch of them ends by its number.
        while book.pending() < LARGEST_COMMIT && answers.len() < QUEUE {
            match queue.try_recv() {
                Ok(job) => answers.push(job(&mut book)),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
            }
        }
        let commit = match book.fault() {
            Some(fault) => Err(fault),
            None => Ok(book.cut()),
        };
        let batch = Batch { generation, commit, answers };
        if batches.send(batch).is_err() {
            return;
        }
    }
}

fn write(
    mut journal: Box<dyn Journal>,
    name: &str,
    mut durable: Arc<AtomicU64>,
    batches: &Receiver<Batch>,
    rebuilt: &SyncSender<Book>,
) {
    let mut generation = 0;
    let mut dead: Option<EngineError> = None;
    while let Ok(batch) = batches.recv() {
        let written = match (&dead, &batch.commit) {
            (Some(error), _) => Err(error.clone()),
            (None, _) if batch.generation != generation => {
                Err(EngineError::NotWritten("a commit before it failed".to_owned()))
            }
            (None, Err(fault)) => Err(EngineError::NotWritten(fault.clone())),
            (None, Ok(None)) => Ok(()),
            (None, Ok(Some(commit))) => append(&mut *journal, commit).inspect(|()| {
                durable.store(commit.head().seq, Ordering::Release);
            }),
        };
        if let (Err(error), None) = (&written, &dead)
            && batch.generation == generation
        {
            match (error, Book::open(&mut *journal, name, |_, _| ())) {
                (EngineError::NotWritten(_), Ok(book)) => {
                    generation += 1;
                    durable = book.durable();
                    // The deciding thread takes it before it decides the next batch.
                    let _ = rebuilt.send(book);
                }
                (EngineError::NotWritten(what), Err(why)) => {
                    dead = Some(EngineError::Stopped(format!("{what}; then: {why}")));
                }
                (error, _) => dead = Some(error.clone()),
            }
        }
        for answer in batch.answers {
            answer(written.clone());
        }
    }
}

/// Appends, and finds out what became of a commit whose outcome is unknown.
fn append(journal: &mut dyn Journal, commit: &Commit) -> Result<(), EngineError> {
    match journal.append(commit) {
        Ok(()) => Ok(()),
        Err(AppendError::Fenced { .. } | AppendError::HeadMoved { .. }) => Err(EngineError::Fenced),
        Err(error @ (AppendError::Failed(_) | AppendError::NotWriting)) => {
            Err(EngineError::NotWritten(in_one_line(&error)))
        }
        Err(AppendError::Unknown(source)) => {
            let opening = journal.open_writer();
            let opening = opening.map_err(|error| EngineError::Stopped(in_one_line(&error)))?;
            if opening.head == commit.head() {
                Ok(())
            } else if opening.head == commit.previous {
                Err(EngineError::NotWritten(source.to_string()))
            } else {
                Err(EngineError::Fenced)
            }
        }
    }
}

impl<T> Ticket<T> {
    /// Waits for the answer on this thread.
    ///
    /// # Errors
    ///
    /// [`EngineError`] when there is no answer.
    pub fn wait(self) -> Result<T, EngineError> {
        self.0.blocking_recv().unwrap_or_else(|_| Err(stopped()))
    }
}

impl<T> Future for Ticket<T> {
    type Output = Result<T, EngineError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = Pin::new(&mut self.0).poll(context);
        answer.map(|answer| answer.unwrap_or_else(|_| Err(stopped())))
    }
}

fn stopped() -> EngineError {
    EngineError::Stopped("a thread of it ended; the journal says what was written".to_owned())
}
