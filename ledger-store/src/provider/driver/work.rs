//! Workers: each carries out orders one after the other and tells what came of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;
use std::time::{self, Duration};

use ledger_core::id::OpId;
use ledger_core::time::Instant;

use super::dispatch::{End, Event};
use super::jobs::Jobs;
use super::spawn;
use crate::engine::EngineError;
use crate::projection::Entry;
use crate::provider::order::{self, Task};
use crate::provider::outcome_facts::{Carried, Next};
use crate::provider::report::Told;
use crate::provider::{Order, Outcome, Provider, Report, Reported, Reports, TellError};
use crate::sequencer::{HandOut, Sequencer};

/// What a worker means to carry out between two commits that hand orders out: as long as a commit
/// takes on a slow disk.
const MOMENT: Duration = Duration::from_millis(20);

/// After so long a worker leaves what it has not begun to others.
const PATIENCE: Duration = Duration::from_millis(100);

/// How many orders a worker takes at once, at most.
const MOST: u32 = 64;

/// Starts workers; each order is carried out by whichever is free.
pub(super) fn start(
    workers: usize,
    provider: &Arc<dyn Provider>,
    reports: &Reports,
    events: &Sender<Event>,
    threads: &mut Vec<JoinHandle<()>>,
) -> Arc<Jobs> {
    let jobs = Arc::new(Jobs::default());
    for number in 1..=workers {
        let (jobs, events) = (Arc::clone(&jobs), events.clone());
        let (provider, reports) = (Arc::clone(provider), reports.clone());
        let worker = Worker { provider, reports, jobs, events };
        threads.push(spawn(&format!("ledger-acts-{number}"), move || worker.run()));
    }
    jobs
}

struct Worker {
    provider: Arc<dyn Provider>,
    reports: Reports,
    jobs: Arc<Jobs>,
    events: Sender<Event>,
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

/// Whoever dispatches has ended.
struct Gone;

/// What came of an order.
enum Ending {
    Ended(End),
    /// It was told, and its turn ends so once that is durable.
    Telling(Told, End),
}

impl Worker {
    fn run(&self) {
        let mut pace = Pace::default();
        while let Some(entries) = self.jobs.next(pace.at_once()) {
            if self.carry_out(entries, &mut pace).is_err() {
                break;
            }
        }
    }

    /// A turn of each: all are handed out by one commit, and what comes of one is waited for when
    /// the last is carried out.
    fn carry_out(&self, entries: Vec<Entry>, pace: &mut Pace) -> Result<(), Gone> {
        let (entries, others) = entries.into_iter().partition(|entry| self.carries(entry));
        self.all_end(others, End::Again)?;
        let turns = match self.turns(&entries) {
            Ok(turns) => turns,
            Err(error) => {
                // What one of them did to all is found by handing each out alone.
                *pace = Pace::default();
                let end = ended(&error, entries.first().map_or("", |one| &one.idempotency_key));
                return self.all_end(entries, end);
            }
        };
        let (began, mut carried, mut telling) = (time::Instant::now(), 0, Vec::new());
        let mut given = entries.into_iter().zip(turns);
        while let Some((entry, turn)) = given.next() {
            match self.take(&entry.idempotency_key, turn) {
                Ending::Ended(end) => self.ends(entry, end)?,
                Ending::Telling(told, end) => telling.push((entry, told, end)),
            }
            carried += 1;
            if began.elapsed() > PATIENCE {
                // They are handed out, so whoever takes them writes nothing.
                self.jobs.put_back(given.by_ref().map(|(entry, _)| entry).collect());
            }
        }
        pace.took(began.elapsed(), carried);
        for (entry, told, end) in telling {
            let end = durable(told, &entry.idempotency_key).map_or_else(|end| end, |()| end);
            self.ends(entry, end)?;
        }
        Ok(())
    }

    fn ends(&self, entry: Entry, end: End) -> Result<(), Gone> {
        self.events.send(Event::Finished(Box::new(entry), end)).map_err(|_| Gone)
    }

    fn all_end(&self, entries: Vec<Entry>, end: End) -> Result<(), Gone> {
        entries.into_iter().try_for_each(|entry| self.ends(entry, end))
    }

    fn carries(&self, entry: &Entry) -> bool {
        let carries = |kind| catch_unwind(AssertUnwindSafe(|| self.provider.carries_out(kind)));
        order::kind_of(&entry.topic).is_some_and(|kind| carries(kind).unwrap_or(false))
    }

    fn turns(&self, entries: &[Entry]) -> Result<Vec<Turn>, EngineError> {
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        let (asked, at) = (entries.to_vec(), self.reports.now());
        let each = move |sequencer: &mut Sequencer| {
            asked.iter().map(|entry| turn(sequencer, entry, at)).collect()
        };
        self.reports.engine()?.decide(each).wait()
    }

    fn take(&self, key: &str, turn: Turn) -> Ending {
        let end = match turn {
            Turn::Given(task) => return self.carry_out_task(&task),
            Turn::Over => {
                tracing::debug!(key, "an instruction stands no more");
                End::Over
            }
            Turn::Waits => End::Again,
            Turn::Unreadable => {
                tracing::error!(key, "an instruction cannot be read");
                End::Again
            }
        };
        Ending::Ended(end)
    }

    fn carry_out_task(&self, task: &Task) -> Ending {
        let Self { provider, reports, .. } = self;
        match task {
            Task::SendPix(order) => attempt(reports, order, |order| provider.send_pix(order)),
            Task::Deliver(order) => attempt(reports, order, |order| provider.deliver(order)),
            Task::Sell(order) => attempt(reports, order, |order| provider.sell(order)),
            Task::Refund(order) => attempt(reports, order, |order| provider.refund(order)),
            Task::Withdraw(order) => attempt(reports, order, |order| provider.withdraw(order)),
            Task::Pay(order) => attempt(reports, order, |order| provider.pay_from_wallet(order)),
        }
    }
}

/// How many orders a worker takes at once: what its provider carries out in a moment, and one to
/// begin with.
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

    fn took(&mut self, time: Duration, carried: u32) {
        if let Some(each) = time.checked_div(carried) {
            let fit = MOMENT.as_nanos() / each.as_nanos().max(1);
            self.0 = u32::try_from(fit).unwrap_or(MOST).min(2 * self.0).clamp(1, MOST);
        }
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

/// Carries an order out that was handed out, and tells what came of it.
fn attempt<T: Carried>(
    reports: &Reports,
    order: &Order<T>,
    by: impl FnOnce(&Order<T>) -> Outcome<T::Proof>,
) -> Ending {
    let key = &order.idempotency_key;
    let Ok(outcome) = catch_unwind(AssertUnwindSafe(|| by(order))) else {
        tracing::error!(key, "the provider panicked over an order; it is asked again");
        return Ending::Ended(End::Again);
    };
    match T::ended(order, outcome) {
        Next::Again => Ending::Ended(End::Again),
        Next::Tell(told) => tell(reports, &told, key, End::Over),
        Next::TellAndWait(told) => tell(reports, &told, key, End::OverAndWait),
    }
}

/// Tells one after the other; only the last is not waited for.
fn tell(reports: &Reports, told: &[Report], key: &str, end: End) -> Ending {
    let Some((last, before)) = told.split_last() else { return Ending::Ended(end) };
    for report in before {
        let begun = reports.begin(report).map_err(|error| failed(error, key));
        if let Err(end) = begun.and_then(|told| durable(told, key)) {
            return Ending::Ended(end);
        }
    }
    match reports.begin(last) {
        Ok(told) => Ending::Telling(told, end),
        Err(error) => Ending::Ended(failed(error, key)),
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
        Err(error) => Err(failed(error, key)),
    }
}

fn failed(error: TellError, key: &str) -> End {
    match error {
        TellError::Engine(error) => ended(&error, key),
        error @ TellError::Malformed { .. } => {
            tracing::error!(%error, key, "what came of an order cannot be told");
            End::Again
        }
    }
}

/// Whether the ledger has ended for good, or did not write just now.
fn ended(error: &EngineError, key: &str) -> End {
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
