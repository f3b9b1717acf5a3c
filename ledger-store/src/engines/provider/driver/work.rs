//! Workers: each hands orders out, several by one commit, and carries them out one after the other,
//! or sends them on their flight and tells what came of those that have ended. A thread of its own
//! waits until each report is durable.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{self, Duration};

use ledger_core::id::OpId;
use ledger_core::time::Instant;

use super::carrier::{Carrier, next_by};
use super::dispatch::{End, Event};
use super::in_flight;
use super::jobs::{Job, Jobs};
use crate::engines::engine::EngineError;
use crate::engines::provider::order::{self, Task};
use crate::engines::provider::outcome_facts::Next;
use crate::engines::provider::report::Told;
use crate::engines::provider::threads::spawn;
use crate::engines::provider::{Report, Reported, Reports, TellError};
use crate::engines::sequencer::{HandOut, Sequencer};
use crate::tables::projection::Entry;

/// A worker hands out as many orders at once as it carries out in this time, as long as a commit
/// takes on a slow disk: more would be beyond stopping without need.
const MOMENT: Duration = Duration::from_millis(20);

/// How many orders a worker hands out at once, at most.
const MOST: u32 = 64;

/// Starts workers; each order is carried out by whichever is free, or by the runtime of its
/// provider.
pub(super) fn start(
    workers: usize,
    (carrier, in_flight): (&Carrier, Option<usize>),
    reports: &Reports,
    events: &Sender<Event>,
    threads: &mut Vec<JoinHandle<()>>,
) -> Arc<Jobs> {
    let jobs = Arc::new(Jobs::new(in_flight));
    let (telling, told) = channel();
    for number in 1..=workers {
        let (jobs, events, telling) = (Arc::clone(&jobs), events.clone(), telling.clone());
        let (carrier, reports) = (carrier.clone(), reports.clone());
        let worker = Worker { carrier, reports, jobs, events, telling };
        threads.push(spawn(&format!("ledger-acts-{number}"), move || worker.run()));
    }
    let events = events.clone();
    threads.push(spawn("ledger-awaits", move || await_all(&told, &events)));
    jobs
}

struct Worker {
    carrier: Carrier,
    reports: Reports,
    jobs: Arc<Jobs>,
    events: Sender<Event>,
    telling: Sender<Telling>,
}

/// What an instruction is when its turn comes.
enum Turn {
    /// It was handed out, and is to be carried out.
    Given(Box<Task>),
    /// It was answered or called off.
    Over,
    /// It cannot be handed out now.
    Waits,
    /// It cannot be read: a person whom it needs was erased.
    Unreadable,
}

/// The dispatcher has ended.
struct Gone;

/// The result of an order.
enum Ending {
    Ended(End),
    /// It was told, and its turn ends so once that is durable.
    Telling(Told, End),
}

/// An order whose turn ends so once what came of it is durable.
struct Telling {
    entry: Entry,
    told: Told,
    end: End,
}

/// Waits until what was told is durable, in the order in which it was.
fn await_all(telling: &Receiver<Telling>, events: &Sender<Event>) {
    for Telling { entry, told, end } in telling {
        let end = durable(told, &entry.idempotency_key).err().unwrap_or(end);
        if events.send(Event::Finished(Box::new(entry), end)).is_err() {
            break;
        }
    }
}

impl Worker {
    fn run(&self) {
        let mut pace = Pace::default();
        while let Some(job) = self.jobs.next(pace.at_once()) {
            let done = match job {
                Job::HandOut(entries) => self.hand_out(entries, &mut pace),
                Job::CarryOut(entry, task) => self.carry_out(*entry, task, &mut pace),
                Job::Tell(entry, next) => self.tell(*entry, next),
            };
            if done.is_err() {
                break;
            }
        }
    }

    /// Hands all out that can be, by one commit.
    fn hand_out(&self, entries: Vec<Entry>, pace: &mut Pace) -> Result<(), Gone> {
        let taken = entries.len();
        let (entries, others) = entries.into_iter().partition(|entry| self.carries(entry));
        self.all_end(others, End::Again)?;
        let turns = match self.turns(&entries) {
            Ok(turns) => turns,
            Err(error) => {
                // Each is handed out alone next, so that one bad order fails by itself.
                *pace = Pace::default();
                self.jobs.make_room(taken);
                let end = end_for_tell_error(
                    error,
                    entries.first().map_or("", |one| &one.idempotency_key),
                );
                return self.all_end(entries, end);
            }
        };
        let mut given = Vec::new();
        for (entry, turn) in entries.into_iter().zip(turns) {
            let key = &entry.idempotency_key;
            match turn {
                Turn::Given(task) => given.push((entry, task)),
                Turn::Over => {
                    tracing::debug!(key, "an instruction stands no more");
                    self.ends(entry, End::Over)?;
                }
                Turn::Waits => self.ends(entry, End::Again)?,
                Turn::Unreadable => {
                    tracing::error!(key, "an instruction cannot be read");
                    self.ends(entry, End::Again)?;
                }
            }
        }
        self.jobs.make_room(taken - given.len());
        self.jobs.give(given);
        Ok(())
    }

    fn carry_out(&self, entry: Entry, task: Box<Task>, pace: &mut Pace) -> Result<(), Gone> {
        let began = time::Instant::now();
        let done = match &self.carrier {
            Carrier::Blocking(provider) => self.tell(entry, next_by(&**provider, &task)),
            Carrier::Async(provider) => {
                in_flight::begin(provider, entry, (*task).into(), &self.jobs);
                Ok(())
            }
        };
        pace.took(began.elapsed());
        done
    }

    /// Tells what came of an order; its turn ends once that is durable.
    fn tell(&self, entry: Entry, next: Next) -> Result<(), Gone> {
        let key = &entry.idempotency_key;
        let ending = match next {
            Next::Again => Ending::Ended(End::Again),
            Next::Tell(told) => tell(&self.reports, &told, key, End::Over),
            Next::TellAndWait(told) => tell(&self.reports, &told, key, End::OverAndWait),
        };
        match ending {
            Ending::Ended(end) => self.ends(entry, end),
            Ending::Telling(told, end) => {
                self.telling.send(Telling { entry, told, end }).map_err(|_| Gone)
            }
        }
    }

    fn ends(&self, entry: Entry, end: End) -> Result<(), Gone> {
        self.events.send(Event::Finished(Box::new(entry), end)).map_err(|_| Gone)
    }

    fn all_end(&self, entries: Vec<Entry>, end: End) -> Result<(), Gone> {
        entries.into_iter().try_for_each(|entry| self.ends(entry, end))
    }

    fn carries(&self, entry: &Entry) -> bool {
        let carries = |kind| catch_unwind(AssertUnwindSafe(|| self.carrier.carries_out(kind)));
        order::kind_of(&entry.topic).is_some_and(|kind| carries(kind).unwrap_or(false))
    }

    fn turns(&self, entries: &[Entry]) -> Result<Vec<Turn>, TellError> {
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        let (asked, at) = (entries.to_vec(), self.reports.now()?);
        let each = move |sequencer: &mut Sequencer| {
            asked.iter().map(|entry| turn(sequencer, entry, at)).collect()
        };
        Ok(self.reports.engine()?.decide(each).wait()?)
    }
}

/// How many orders a worker hands out at once: what its provider carries out in a moment, and one
/// to begin with.
struct Pace(u32);

impl Default for Pace {
    fn default() -> Self {
        Self(1)
    }
}

impl Pace {
    const fn at_once(&self) -> usize {
        self.0 as usize
    }

    /// An order took so long: one more at once, or what fits into a moment where that is less.
    fn took(&mut self, time: Duration) {
        let fit = MOMENT.as_nanos() / time.as_nanos().max(1);
        self.0 = u32::try_from(fit).unwrap_or(MOST).min(self.0 + 1).clamp(1, MOST);
    }
}

/// Hands an instruction out, if it can be read: from then on the ledger lets nothing else become of
/// it without evidence (rulings 70).
fn turn(sequencer: &mut Sequencer, entry: &Entry, at: Instant) -> Turn {
    let views = sequencer.views();
    let Some(op) = OpId::parse(&entry.operation, &views.state.name) else {
        return Turn::Unreadable;
    };
    let task = order::read(entry, op, views.vault);
    let keys = [&entry.idempotency_key];
    match (sequencer.hand_out(if task.is_some() { &keys } else { &[] }, at).first(), task) {
        (Some(HandOut::Given), Some(task)) => Turn::Given(Box::new(task)),
        (Some(HandOut::CalledOff | HandOut::Answered), _) => Turn::Over,
        (Some(HandOut::Waits), _) => Turn::Waits,
        (Some(HandOut::Given | HandOut::Unknown) | None, _) => Turn::Unreadable,
    }
}

/// Tells one after the other; only the last is not waited for.
fn tell(reports: &Reports, told: &[Report], key: &str, end: End) -> Ending {
    let Some((last, before)) = told.split_last() else { return Ending::Ended(end) };
    for report in before {
        let begun = reports.begin(report).map_err(|error| end_for_tell_error(error, key));
        if let Err(end) = begun.and_then(|told| durable(told, key)) {
            return Ending::Ended(end);
        }
    }
    match reports.begin(last) {
        Ok(told) => Ending::Telling(told, end),
        Err(error) => Ending::Ended(end_for_tell_error(error, key)),
    }
}

/// Waits until what was told is durable.
fn durable(told: Told, key: &str) -> Result<(), End> {
    let fact = told.fact.clone();
    match told.wait() {
        Ok(Reported::Applied | Reported::Known) => Ok(()),
        Ok(Reported::SetAside) => {
            tracing::warn!(key, fact, "what came of an order was set aside");
            Ok(())
        }
        Err(error) => Err(end_for_tell_error(error, key)),
    }
}

fn end_for_tell_error(error: TellError, key: &str) -> End {
    match error {
        TellError::Engine(error) => end_for_engine_error(&error, key),
        TellError::ClockDoubted(doubt) => {
            tracing::warn!(%doubt, key, "the ledger did not answer the driver");
            End::Again
        }
        error @ TellError::Malformed { .. } => {
            tracing::error!(%error, key, "what came of an order cannot be told");
            End::Again
        }
    }
}

/// Tells whether the ledger has ended for good, or did not write just now.
fn end_for_engine_error(error: &EngineError, key: &str) -> End {
    tracing::warn!(%error, key, "the ledger did not answer the driver");
    match error {
        EngineError::Ended
        | EngineError::Fenced
        | EngineError::Stopped(_)
        | EngineError::NotFollowed(_) => End::Ended,
        EngineError::Unverified(_)
        | EngineError::LeaseLapsed
        | EngineError::NotWritten(_)
        | EngineError::Unknown(_)
        | EngineError::Held(_)
        | EngineError::Panicked(_) => End::Again,
    }
}
