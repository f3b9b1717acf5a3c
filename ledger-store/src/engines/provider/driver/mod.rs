//! The driver: carries instructions out and tells what came of them, at least once, in order of
//! each operation.
//!
//! ```text
//! outbox -> dispatches (one thread) -> workers: handed out, several by one commit, carried out and
//!     told -> awaited until durable (one thread) -> acknowledged, many at once
//! AsyncProvider: handed out by workers -> carried out on its runtime -> told by workers -> ...
//! Provider::poll -> pumps (one thread) -> told -> Provider::confirm
//! ```
//!
//! An instruction is acknowledged once what came of it is durable. Killed between any two steps, it
//! is given again, under the same idempotency key; what was told is known. One that does not
//! succeed delays its own operation, longer each time, and no other.

mod back_off;
mod carrier;
mod dispatch;
mod in_flight;
mod jobs;
mod pump;
mod work;

use std::fmt;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

pub use back_off::BackOff;

use super::threads::spawn;
use super::{Instructions, Provider, ProviderRuntime, Reports};
use crate::engines::clock::Clock;
use crate::engines::engine::Engine;
use carrier::Carrier;
use dispatch::{Bounds, Dispatcher, Event};
use pump::pump;

/// How many orders of an asynchronous provider are in flight unless said.
const IN_FLIGHT: usize = 1_000;

/// How a driver works, before it starts.
#[must_use = "a driver starts by `start`"]
pub struct DriverBuilder {
    carrier: Carrier,
    workers: usize,
    in_flight: usize,
    back_off: BackOff,
    every: Duration,
    poll: Duration,
}

/// A provider at work on one ledger. Dropped, it stops as by [`Driver::stop`].
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// use ledger_store::clock::SystemClock;
/// use ledger_store::engine::Engine;
/// use ledger_store::projection::{Tables, Target};
/// use ledger_store::provider::{Driver, Order, OrderKind, Outcome, PixPaid, Provider, SendPix};
/// use ledger_store::{OpenMode, SqliteJournal};
///
/// struct Bank;
///
/// impl Provider for Bank {
///     fn carries_out(&self, kind: OrderKind) -> bool {
///         kind == OrderKind::SendPix
///     }
///
///     fn send_pix(&self, order: &Order<SendPix>) -> Outcome<PixPaid> {
///         println!("{}: {:?} to {:?}", order.idempotency_key, order.what.amount, order.what.pix_key);
///         Outcome::Done(PixPaid::new("E9040088820261120120000123873170"))
///     }
/// }
///
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("ledger.db");
/// let target = Target::Sqlite(file.clone());
/// let journal = SqliteJournal::open(&file, "live", OpenMode::create())?;
/// let engine = Engine::builder("live").outbox(target.clone()).start(Box::new(journal))?;
///
/// let (engine, clock) = (Arc::new(engine), Arc::new(SystemClock));
/// let outbox = Tables::open_writing(&target, "live")?.expect("the engine made it");
/// let driver = Driver::builder(Arc::new(Bank)).workers(2).start(&engine, clock, outbox);
/// // Payouts that are asked for from here on are sent and reported.
/// driver.stop();
/// engine.stop()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Driver {
    running: Mutex<Option<Running>>,
    reports: Reports,
    events: Sender<Event>,
}

/// What runs until it is stopped.
struct Running {
    polling: Sender<()>,
    threads: Vec<JoinHandle<()>>,
}

impl DriverBuilder {
    fn new(carrier: Carrier) -> Self {
        let (every, poll) = (Duration::from_millis(200), Duration::from_secs(1));
        let (workers, in_flight, back_off) = (4, IN_FLIGHT, BackOff::default());
        Self { carrier, workers, in_flight, back_off, every, poll }
    }

    /// How many orders are carried out at once: 4 unless said. Each has a thread. Those of an
    /// asynchronous provider are in flight beside them, and as many threads hand out and tell.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = workers.max(1);
        self
    }

    /// How many orders of an asynchronous provider are in flight at once: 1,000 unless said. A
    /// plain provider has [workers](DriverBuilder::workers) instead.
    pub fn in_flight(mut self, orders: usize) -> Self {
        self.in_flight = orders.max(1);
        self
    }

    /// How long an operation waits whose order did not succeed: a second unless said, twice as long
    /// each time, and five minutes at most.
    pub fn back_off(mut self, back_off: BackOff) -> Self {
        self.back_off = back_off;
        self
    }

    /// How often the outbox is looked at: five times a second unless said.
    pub fn every(mut self, every: Duration) -> Self {
        self.every = every;
        self
    }

    /// How often the provider is asked what it has to tell by itself: every second unless said.
    pub fn poll_every(mut self, poll: Duration) -> Self {
        self.poll = poll;
        self
    }

    /// Starts: instructions of `outbox` are carried out, and what is told is dated by `clock`.
    pub fn start(
        self,
        engine: &Arc<Engine>,
        clock: Arc<dyn Clock>,
        outbox: impl Instructions + 'static,
    ) -> Driver {
        let Self { carrier, workers, in_flight, back_off, every, poll } = self;
        let in_flight = matches!(carrier, Carrier::Async(_)).then_some(in_flight);
        let reports = Reports::new(engine, Arc::clone(&clock));
        carrier.on_start(reports.clone());
        let (events, heard) = channel();
        let (polling, ended) = channel();
        let mut threads = Vec::new();
        let by = (&carrier, in_flight);
        let jobs = work::start(workers, by, &reports, &events, &mut threads);
        let (outbox, bounds) = (Box::new(outbox), Bounds::new(workers, in_flight));
        let dispatcher = Dispatcher::new(outbox, clock, (jobs, bounds), heard, back_off);
        threads.push(spawn("ledger-instructs", move || dispatcher.run(every)));
        let (telling, provider) = (reports.clone(), carrier.provider_to_poll());
        threads.push(spawn("ledger-hears", move || pump(&*provider, &telling, poll, &ended)));
        let running = Mutex::new(Some(Running { polling, threads }));
        Driver { running, reports, events }
    }
}

impl Driver {
    /// A driver of this provider, to be started.
    pub fn builder(provider: Arc<dyn Provider>) -> DriverBuilder {
        DriverBuilder::new(Carrier::Blocking(provider))
    }

    /// A driver of this asynchronous provider, to be started: its futures run on a thread of their
    /// own, or where its [`ProviderRuntime`] says.
    pub fn async_builder(provider: impl Into<ProviderRuntime>) -> DriverBuilder {
        DriverBuilder::new(Carrier::Async(provider.into()))
    }

    /// The door for what the provider tells by itself.
    #[must_use]
    pub fn reports(&self) -> Reports {
        self.reports.clone()
    }

    /// Looks at the outbox now: whoever knows that something was written there says so.
    pub fn look(&self) {
        // One that has stopped looks no more.
        let _ = self.events.send(Event::Look);
    }

    /// Begins nothing more, finishes and acknowledges what is under way, and ends. Blocks.
    pub fn stop(&self) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(Running { polling, threads }) = running else { return };
        drop(polling);
        let _ = self.events.send(Event::Stop);
        for thread in threads {
            // The last clone of a ledger may be dropped by a thread of the driver's own.
            if thread.thread().id() != std::thread::current().id() {
                let _ = thread.join();
            }
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.stop();
    }
}

impl fmt::Debug for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Driver").finish_non_exhaustive()
    }
}

impl fmt::Debug for DriverBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DriverBuilder").field("workers", &self.workers).finish_non_exhaustive()
    }
}
