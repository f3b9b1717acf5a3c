//! Workers: each carries out one order at a time and tells what came of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;

use ledger_core::id::OpId;
use ledger_core::time::Instant;

use super::dispatch::{End, Event};
use super::jobs::Jobs;
use super::spawn;
use crate::engine::EngineError;
use crate::projection::Entry;
use crate::provider::order::{self, Task};
use crate::provider::outcome_facts::{Carried, Next};
use crate::provider::{Order, Outcome, Provider, Report, Reported, Reports, TellError};
use crate::sequencer::{HandOut, Sequencer};

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
        let (taken, events) = (Arc::clone(&jobs), events.clone());
        let (provider, reports) = (Arc::clone(provider), reports.clone());
        let work = move || {
            while let Some(entry) = taken.next() {
                let end = carry_out(&*provider, &reports, &entry);
                if events.send(Event::Finished(Box::new(entry), end)).is_err() {
                    break;
                }
            }
        };
        threads.push(spawn(&format!("ledger-acts-{number}"), work));
    }
    jobs
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

/// One turn of an instruction.
fn carry_out(provider: &dyn Provider, reports: &Reports, entry: &Entry) -> End {
    let kind = order::kind_of(&entry.topic);
    let carries = |kind| catch_unwind(AssertUnwindSafe(|| provider.carries_out(kind)));
    if !kind.is_some_and(|kind| carries(kind).unwrap_or(false)) {
        return End::Again;
    }
    let (asked, at) = (entry.clone(), reports.now());
    let turn = reports
        .engine()
        .and_then(|engine| engine.decide(move |sequencer| turn(sequencer, &asked, at)).wait());
    match turn {
        Err(error) => ended(&error, &entry.idempotency_key),
        Ok(Turn::Over) => {
            tracing::debug!(key = entry.idempotency_key, "an instruction stands no more");
            End::Over
        }
        Ok(Turn::Waits) => End::Again,
        Ok(Turn::Unreadable) => {
            tracing::error!(key = entry.idempotency_key, "an instruction cannot be read");
            End::Again
        }
        Ok(Turn::Given(task)) => carry_out_task(provider, reports, &task),
    }
}

fn carry_out_task(provider: &dyn Provider, reports: &Reports, task: &Task) -> End {
    match task {
        Task::SendPix(order) => attempt(reports, order, |order| provider.send_pix(order)),
        Task::Deliver(order) => attempt(reports, order, |order| provider.deliver(order)),
        Task::Sell(order) => attempt(reports, order, |order| provider.sell(order)),
        Task::Refund(order) => attempt(reports, order, |order| provider.refund(order)),
        Task::Withdraw(order) => attempt(reports, order, |order| provider.withdraw(order)),
        Task::Pay(order) => attempt(reports, order, |order| provider.pay_from_wallet(order)),
    }
}

/// Carries an order out that was handed out, and tells what came of it.
fn attempt<T: Carried>(
    reports: &Reports,
    order: &Order<T>,
    by: impl FnOnce(&Order<T>) -> Outcome<T::Proof>,
) -> End {
    let key = &order.idempotency_key;
    let Ok(outcome) = catch_unwind(AssertUnwindSafe(|| by(order))) else {
        tracing::error!(key, "the provider panicked over an order; it is asked again");
        return End::Again;
    };
    match T::ended(order, outcome) {
        Next::Again => End::Again,
        Next::Tell(told) => tell(reports, &told, key).map_or_else(|end| end, |()| End::Over),
        Next::TellAndWait(told) => {
            tell(reports, &told, key).map_or_else(|end| end, |()| End::OverAndWait)
        }
    }
}

fn tell(reports: &Reports, told: &[Report], key: &str) -> Result<(), End> {
    for report in told {
        match reports.tell(report) {
            Ok(Reported::Applied | Reported::Known) => {}
            Ok(Reported::SetAside) => {
                tracing::warn!(key, fact = report.fact, "what came of an order was set aside");
            }
            Err(error) => return Err(failed(error, key)),
        }
    }
    Ok(())
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
