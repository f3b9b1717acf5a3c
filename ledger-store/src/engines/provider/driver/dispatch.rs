//! Dispatching: which instruction is carried out next, and which is over.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::BackOff;
use super::back_off::Delays;
use super::jobs::Jobs;
use crate::engines::clock::Clock;
use crate::engines::provider::Instructions;
use crate::tables::projection::Entry;

/// How many orders are with each worker and wait for it, at most.
const AHEAD: usize = 128;

/// How many orders a driver takes from its outbox before they are over.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// How many wait for a worker, so that none looks for work.
    ahead: usize,
    /// How many are in flight without a worker.
    in_flight: usize,
}

impl Bounds {
    pub(super) const fn new(workers: usize, in_flight: Option<usize>) -> Self {
        let in_flight = match in_flight {
            Some(orders) => orders,
            None => 0,
        };
        Self { ahead: AHEAD * workers, in_flight }
    }
}

/// What the dispatcher hears.
pub(super) enum Event {
    /// An instruction's turn is over.
    Finished(Box<Entry>, End),
    /// Something may have been written to the outbox.
    Look,
    /// It is to stop.
    Stop,
}

/// How an instruction's turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// What came of it is durable, or it stands no more.
    Over,
    /// The same, and what follows of its operation waits a while.
    OverAndWait,
    /// It is to be asked for again.
    Again,
    /// The ledger has ended.
    Ended,
}

pub(super) struct Dispatcher {
    outbox: Box<dyn Instructions>,
    clock: Arc<dyn Clock>,
    jobs: Arc<Jobs>,
    bounds: Bounds,
    heard: Receiver<Event>,
    delays: Delays,
    /// The operations whose order is with a worker, or not acknowledged yet.
    busy: HashSet<String>,
    /// How many orders are with workers, or wait for one.
    under_way: usize,
    /// What is over, and could not be acknowledged.
    over: Vec<Entry>,
    stopping: bool,
}

impl Dispatcher {
    pub(super) fn new(
        outbox: Box<dyn Instructions>,
        clock: Arc<dyn Clock>,
        (jobs, bounds): (Arc<Jobs>, Bounds),
        heard: Receiver<Event>,
        back_off: BackOff,
    ) -> Self {
        let (delays, busy, over) = (Delays::new(back_off), HashSet::new(), Vec::new());
        let (under_way, stopping) = (0, false);
        Self { outbox, clock, jobs, bounds, heard, delays, busy, under_way, over, stopping }
    }

    /// Runs until it is stopped and nothing is under way.
    pub(super) fn run(mut self, every: Duration) {
        loop {
            if self.stopping {
                self.give_back();
            } else {
                self.dispatch();
            }
            if self.stopping && self.under_way == 0 {
                break;
            }
            match self.heard.recv_timeout(every) {
                Ok(event) => self.hear(event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.stopping = true,
            }
            while let Ok(event) = self.heard.try_recv() {
                self.hear(event);
            }
            self.acknowledge();
        }
    }

    /// Takes back what no worker has begun: it is given again to whoever goes on.
    fn give_back(&mut self) {
        for entry in self.jobs.take_back() {
            self.under_way -= 1;
            self.busy.remove(&entry.operation);
        }
    }

    fn hear(&mut self, event: Event) {
        match event {
            Event::Look => {}
            Event::Stop => self.stopping = true,
            Event::Finished(entry, end) => {
                self.under_way -= 1;
                let operation = entry.operation.clone();
                match end {
                    End::Over | End::OverAndWait => {
                        if end == End::Over {
                            self.delays.clear(&operation);
                        } else {
                            self.delays.delay(&operation, Instant::now());
                        }
                        self.over.push(*entry);
                    }
                    End::Again => {
                        self.busy.remove(&operation);
                        self.delays.delay(&operation, Instant::now());
                    }
                    End::Ended => {
                        self.busy.remove(&operation);
                        self.stopping = true;
                    }
                }
            }
        }
    }

    /// Acknowledges what is over; what the outbox does not take now stays, and is carried out no
    /// second time by this driver.
    fn acknowledge(&mut self) {
        if self.over.is_empty() {
            return;
        }
        match self.outbox.acknowledge_all(&self.over, self.clock.now()) {
            Ok(()) => {
                for entry in self.over.drain(..) {
                    self.busy.remove(&entry.operation);
                }
            }
            Err(error) => {
                let count = self.over.len();
                tracing::warn!(%error, count, "instructions are not acknowledged yet");
            }
        }
    }

    /// Gives pending instructions to the workers, some ahead of time: what is over is acknowledged
    /// meanwhile.
    fn dispatch(&mut self) {
        let Bounds { ahead, in_flight } = self.bounds;
        let free = (ahead + in_flight).saturating_sub(self.under_way);
        if 2 * free < ahead {
            return;
        }
        // Whatever waits or is under way may stand before what can be done.
        let now = Instant::now();
        let limit = free + self.busy.len() + self.delays.count(now);
        let pending = match self.outbox.pending(limit) {
            Ok(pending) => pending,
            Err(error) => {
                tracing::warn!(%error, "instructions cannot be read now");
                return;
            }
        };
        let ready = |entry: &Entry| {
            !self.busy.contains(&entry.operation) && !self.delays.waits(&entry.operation, now)
        };
        let ready: Vec<Entry> = pending.into_iter().filter(ready).take(free).collect();
        for entry in ready {
            if !self.busy.insert(entry.operation.clone()) {
                continue;
            }
            self.under_way += 1;
            self.jobs.add(entry);
        }
    }
}

/// The workers end with it, whatever ends it.
impl Drop for Dispatcher {
    fn drop(&mut self) {
        self.jobs.close();
    }
}
