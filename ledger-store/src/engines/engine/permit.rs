//! Permits for the queue: how an engine holds its callers back, each in the way that suits it.

use std::sync::Weak;

use ledger_core::contract::{Call, CallOutcome, Response};
use ledger_core::ledger::{Command, Outcome, Refusal, State};
use tokio::sync::mpsc;

use super::queue::QueueEnd;
use super::reading::readers::{Read, Readers};
use super::ticket::{self, Executed, Job, JobKind, Ticket};
use crate::engines::sequencer::Sequencer;
use crate::state::vault::{Erased, Person};

/// A reserved slot of an engine's queue, for one job; dropped unused, it is given back.
///
/// A task that blocks at a full queue takes its runtime's thread with it, perhaps the one that the
/// queue waits for. So async code awaits a slot, and its permit takes one job without waiting.
///
/// ```
/// use ledger_store::engine::{Engine, TryReserveError};
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
/// let engine = Engine::builder("live").queue(1).start(Box::new(journal))?;
/// let permit = engine.try_reserve()?;
/// assert!(matches!(engine.try_reserve(), Err(TryReserveError::Full)));
/// assert_eq!(permit.view().wait()?.seq.0, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "the slot is given back when it is dropped"]
#[derive(Debug)]
pub struct Permit<'a> {
    pub(super) slot: mpsc::Permit<'a, Box<dyn Job>>,
    pub(super) end: &'a QueueEnd,
    pub(super) readers: &'a Weak<Readers>,
}

impl Permit<'_> {
    /// Handles a call of the contract; the answer brings what clients are notified of and the world
    /// is asked by it.
    pub fn handle(self, call: Call) -> Ticket<CallOutcome> {
        self.decide(move |sequencer| sequencer.handle(&call))
    }

    /// Handles a call of the contract module.
    pub fn call(self, call: Call) -> Ticket<Response> {
        self.decide(move |sequencer| sequencer.call(&call))
    }

    /// Executes a command.
    pub fn execute(self, command: Command) -> Ticket<Result<Outcome, Refusal>> {
        self.send(ticket::job(JobKind::Asked, Executed(command)))
    }

    /// Executes commands in order and in one commit.
    pub fn execute_all(self, commands: Vec<Command>) -> Ticket<Vec<Result<Outcome, Refusal>>> {
        self.decide(move |sequencer| sequencer.execute_all(commands))
    }

    /// Erases a person; see [`Engine::erase`](super::Engine::erase).
    pub(super) fn erase(self, person: Person) -> Ticket<Vec<Erased>> {
        self.decide(move |sequencer| sequencer.erase(&person))
    }

    /// The state as it stands when everything before has become durable. O(1).
    pub fn view(self) -> Ticket<State> {
        self.decide(|sequencer| sequencer.ledger().state.clone())
    }

    /// Runs `work` on the deciding thread; its answer comes when all that was decided is durable.
    ///
    /// What becomes of it when it panics is told with [`Engine::decide`](super::Engine::decide).
    pub fn decide<T: Send + 'static>(
        self,
        work: impl FnOnce(&mut Sequencer) -> T + Send + 'static,
    ) -> Ticket<T> {
        self.send(ticket::job(JobKind::Asked, work))
    }

    /// Reads what is committed beside the deciding thread, where `may_beside` says there that it
    /// may; otherwise `work` is done there, as by [`Permit::decide`].
    ///
    /// `work` is shown the state that a job would have been shown in its place, and whoever was
    /// answered before sees what was answered. It decides nothing beside the deciding thread.
    ///
    /// ```
    /// # use ledger_store::engine::{Engine, Read};
    /// # use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
    /// # let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
    /// # let engine = Engine::builder("live").start(Box::new(journal))?;
    /// let read = engine.try_reserve()?.read(|_| true, |sequencer| sequencer.head().seq).wait()?;
    /// let Read::Prepared(read) = read else { panic!("it may be read beside") };
    /// assert_eq!(read.carry_out()?, 0); // On whichever thread has time.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read<T: Send + 'static>(
        self,
        may_beside: impl FnOnce(&Sequencer) -> bool + Send + 'static,
        work: impl FnOnce(&mut Sequencer) -> T + Send + 'static,
    ) -> Ticket<Read<T>> {
        let readers = Weak::clone(self.readers);
        self.decide(move |sequencer| {
            if may_beside(sequencer) {
                let readers = readers.upgrade().expect("the thread that decides holds them");
                readers.prepare(sequencer.ledger().state.clone(), work)
            } else {
                Read::Answered(work(sequencer))
            }
        })
    }

    /// Runs `work` there as one of many; see
    /// [`Engine::decide_followed`](super::Engine::decide_followed).
    pub fn decide_followed<T: Send + 'static>(
        self,
        work: impl FnOnce(&mut Sequencer) -> T + Send + 'static,
    ) -> Ticket<T> {
        self.send(ticket::job(JobKind::Followed, work))
    }

    /// Runs `work` there too, though nobody waits for it, and the engine is not kept from resting.
    pub(super) fn aside(self, work: impl FnOnce(&mut Sequencer) + Send + 'static) {
        self.slot.send(ticket::aside(work));
        self.end.signal_job();
    }

    fn send<T>(self, (job, ticket): (Box<dyn Job>, Ticket<T>)) -> Ticket<T> {
        self.slot.send(job);
        self.end.signal_job();
        ticket
    }
}
