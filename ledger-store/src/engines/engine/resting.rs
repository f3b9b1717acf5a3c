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
    /// Tells whether a job has come.
    fn has_a_job(&mut self) -> bool;

    /// Works until it rests or ends; gives itself back where a job came as it was about to rest.
    fn work(self: Box<Self>) -> Option<Box<dyn Rested>>;
}

/// The threads of one engine, which come and go.
#[derive(Debug, Default)]
pub(super) struct Threads {
    lists: Mutex<ThreadLists>,
    /// Held by whoever waits for them to end.
    ending: Mutex<()>,
}

#[derive(Debug, Default)]
struct ThreadLists {
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
        let mut lists = self.lists();
        lists.running.retain(|thread| !thread.is_finished());
        lists.running.push(std::thread::Builder::new().name(name.to_owned()).spawn(work)?);
        Ok(())
    }

    /// Waits until all have ended; `false` when this thread is one of them.
    pub(super) fn end(&self) -> bool {
        if self.lists().holds(std::thread::current().id()) {
            return false;
        }
        let _ending = self.ending.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let mut lists = self.lists();
            let Some(thread) = lists.running.pop() else { return true };
            lists.awaited.push(thread.thread().id());
            drop(lists);
            // One that panicked has answered its callers, and its end says so.
            let _ = thread.join();
        }
    }

    /// Tells whether any has not ended.
    #[cfg(test)]
    fn are_running(&self) -> bool {
        self.lists().running.iter().any(|thread| !thread.is_finished())
    }

    fn lists(&self) -> MutexGuard<'_, ThreadLists> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ThreadLists {
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

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use ledger_core::contract::Call;
    use ledger_core::time;

    use super::*;
    use crate::engines::engine::{Engine, EngineError};
    use crate::journal::{MemoryDisk, MemoryJournal, OpenMode};

    /// As many waiting threads as may wait for long: whoever waits beside them rests soon.
    fn crowd() -> Vec<Waits> {
        (0..KEEPING).map(|_| Waits::begin()).collect()
    }

    fn engine(disk: &MemoryDisk) -> Engine {
        let journal = MemoryJournal::open(disk, "live", OpenMode::create()).unwrap();
        Engine::builder("live").take_over().start(Box::new(journal)).unwrap()
    }

    fn wait_until_it_rests(engine: &Engine) {
        let patience = Instant::now() + Duration::from_secs(20);
        while !engine.end.is_resting() || engine.threads.are_running() {
            assert!(Instant::now() < patience, "it does not rest");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn at(second: i64) -> time::Instant {
        time::Instant::from_micros(1_795_000_000_000_000 + second * 1_000_000).unwrap()
    }

    #[test]
    fn an_engine_at_rest_has_no_thread_and_whatever_is_asked_of_it_wakes_it() {
        let _crowd = crowd();
        let engine = engine(&MemoryDisk::new());
        for turn in 1..=5 {
            wait_until_it_rests(&engine);
            let answer = engine.call(Call::time_passed(at(turn))).wait().unwrap();
            assert_eq!(answer.status, 200);
            assert_eq!(engine.head().unwrap().seq, u64::try_from(turn).unwrap());
        }
        wait_until_it_rests(&engine);
        assert_eq!(engine.committed_now().unwrap().seq.0, 5);
        assert!(engine.end.is_resting(), "what is committed is read without waking it");
        assert_eq!(engine.stop().unwrap().seq, 5);
        assert_eq!(engine.view().wait().unwrap_err(), EngineError::Ended);
    }

    #[test]
    fn no_job_is_lost_between_the_last_look_and_the_rest() {
        let _crowd = crowd();
        let engine = engine(&MemoryDisk::new());
        std::thread::scope(|scope| {
            for caller in 0..4_u64 {
                let engine = &engine;
                scope.spawn(move || {
                    for job in 0..60_u64 {
                        // About as long as it lingers, a little more or less.
                        let pause = 18_000 + (caller * 977 + job * 389) % 5_000;
                        std::thread::sleep(Duration::from_micros(pause));
                        engine.view().wait().unwrap();
                    }
                });
            }
        });
        assert!(engine.counters().jobs >= 240);
    }

    #[test]
    fn a_tick_that_finds_nothing_due_leaves_an_engine_at_rest_unless_it_is_to_ask() {
        let _crowd = crowd();
        let engine = engine(&MemoryDisk::new());
        wait_until_it_rests(&engine);
        // The first asks whether another has taken over; right after it nobody asks again.
        engine.tick(at(0));
        wait_until_it_rests(&engine);
        let jobs = engine.counters().jobs;
        engine.tick(at(0));
        assert!(engine.end.is_resting());
        assert_eq!(engine.counters().jobs, jobs);
    }

    #[test]
    fn a_superseded_engine_at_rest_learns_of_it_by_its_ticks() {
        let _crowd = crowd();
        let disk = MemoryDisk::new();
        let older = engine(&disk);
        wait_until_it_rests(&older);
        let _newer = engine(&disk);
        let patience = Instant::now() + Duration::from_mins(1);
        while older.head().is_ok() {
            assert!(Instant::now() < patience, "it does not ask");
            older.tick(at(0));
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(older.head().unwrap_err(), EngineError::Fenced);
    }

    #[test]
    fn an_engine_is_stopped_by_several_at_once_and_each_is_told_its_end() {
        let _crowd = crowd();
        let engine = engine(&MemoryDisk::new());
        wait_until_it_rests(&engine);
        std::thread::scope(|scope| {
            let stops: Vec<_> = (0..4).map(|_| scope.spawn(|| engine.stop())).collect();
            for stop in stops {
                assert_eq!(stop.join().unwrap().unwrap().seq, 0);
            }
        });
    }
}
