//! The loop of the courier, on threads of its own: takes what is new, attempts what is due, and
//! ends what is under way before it stops.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant as Clock};

use ledger_core::contract::Environment;
use ledger_core::time::{Instant, Span};
use tokio::task::{Id, JoinError, JoinSet};

use super::attempt::{Attempted, Courier, DispatchBatch};
use super::intake::{Intake, wait_for_commit};
use super::lanes::{LaneKey, Lanes, Turn};
use super::rotation::Rotations;
use super::tables::delivery::{Delivery, DeliveryState, EndpointRecord};
use super::tables::store::DeliveryStore;
use super::webhooks::{CourierError, Noted};
use crate::ledgers::OpenLedger;
use crate::server::{Background, Ended};
use crate::service::Service;

/// Counting what waits rests so many times as long as it took: it takes no more of the database
/// than this, however much waits.
const RESTS: u32 = 50;

/// How often it is read anew for whom something waits: as a rule, and after a failure.
const READS: (Duration, Duration) = (Duration::from_mins(1), Duration::from_secs(1));

/// How many attempts are written down in one transaction.
const WRITTEN: usize = 256;

/// How often old deliveries are forgotten.
const PRUNING: Span = Span::hours(1);

/// A courier that runs until it is stopped or dropped.
#[derive(Debug)]
pub struct CourierTask(Background);

impl CourierTask {
    /// Begins to send what the outboxes of a service's ledgers give; nothing where the service was
    /// built without webhooks.
    ///
    /// # Errors
    ///
    /// [`CourierError`] when the system gives no threads.
    pub fn start(service: &Service) -> Result<Option<Self>, CourierError> {
        let Some(webhooks) = service.webhooks() else { return Ok(None) };
        let courier = Courier { service: service.clone(), webhooks: webhooks.clone() };
        let sending = |ended| Loop::new(courier).run(ended);
        Ok(Some(Self(Background::start("ledger-courier", 2, sending)?)))
    }

    /// Attempts nothing more, and waits until what is under way was answered and written down.
    pub fn stop(self) {
        drop(self.0);
    }
}

/// Which attempt it is: no event is attempted twice at once.
type AttemptKey = (Environment, String);

/// An attempt under way.
struct UnderWay {
    place: AttemptKey,
    lane: LaneKey,
    since: Clock,
}

/// An attempt that has ended, and what came of it.
type EndedAttempt = (UnderWay, Attempted);

/// What came of a task.
type Done = Result<(Id, Result<Option<Attempted>, CourierError>), JoinError>;

struct Loop {
    courier: Courier,
    /// By the label of the ledger.
    intakes: HashMap<String, Intake>,
    rotations: Rotations,
    lanes: Lanes,
    tasks: JoinSet<Result<Option<Attempted>, CourierError>>,
    under_way: HashMap<Id, UnderWay>,
    events: HashSet<AttemptKey>,
    /// What has ended, and is not written down yet.
    attempted: Vec<EndedAttempt>,
    /// When it was read for whom something waits.
    read: Option<Clock>,
    /// Tells whether something failed since, and is due all the same.
    failed: bool,
    /// When it was counted what waits, and how long that took.
    counted: Option<(Clock, Duration)>,
    pruned: Option<Instant>,
}

impl Loop {
    fn new(courier: Courier) -> Self {
        let settings = courier.webhooks.settings();
        let lanes = Lanes::new(settings.at_once, settings.per_account);
        Self {
            courier,
            intakes: HashMap::new(),
            rotations: Rotations::default(),
            lanes,
            tasks: JoinSet::new(),
            under_way: HashMap::new(),
            events: HashSet::new(),
            attempted: Vec::new(),
            read: None,
            failed: false,
            counted: None,
            pruned: None,
        }
    }

    async fn run(mut self, mut ended: Ended) {
        let look = self.courier.webhooks.settings().look;
        loop {
            // A ledger or a database that is away now is asked again at the next look.
            let more = self.look().await.unwrap_or_else(|_| {
                self.failed = true;
                false
            });
            let rest = if more { Duration::ZERO } else { look };
            if self.rest(rest, &mut ended).await {
                break;
            }
        }
        while let Some(done) = self.tasks.join_next_with_id().await {
            self.end(done);
        }
        // Nothing more is taken; what was written down is acknowledged by whoever begins next.
        self.write_down().await;
        self.acknowledge().await;
    }

    /// Waits until there is something to do; says whether it is to end.
    async fn rest(&mut self, rest: Duration, ended: &mut Ended) -> bool {
        let Courier { service, webhooks } = self.courier.clone();
        let ledgers = service.ledgers();
        tokio::select! {
            () = ended.wait() => return true,
            () = tokio::time::sleep(rest) => {}
            () = webhooks.wait_for_work() => {}
            () = wait_for_commit(ledgers, &self.intakes) => {}
            Some(done) = self.tasks.join_next_with_id() => self.end(done),
        }
        false
    }

    /// Writes down what has ended, takes what is new and begins what is due; says whether there is
    /// more to be taken at once.
    async fn look(&mut self) -> Result<bool, CourierError> {
        while let Some(done) = self.tasks.try_join_next_with_id() {
            self.end(done);
        }
        // Before `take`, which acknowledges what has ended: a courier that dies between the two has
        // a successor that finds the delivery ended, and sends nothing again.
        self.write_down().await;
        let Noted { due, ended } = self.courier.webhooks.take_noted();
        let now = self.courier.service.now();
        for key in due {
            self.lanes.due(key, now);
        }
        for (label, event) in ended {
            self.intakes.entry(label).or_default().end([event]);
        }
        let read = self.read_waiting().await;
        let taken = self.take().await;
        self.lanes.find_slow();
        self.begin_due(now).await?;
        read?;
        self.count().await?;
        self.prune(now).await?;
        taken
    }

    /// The environments of which something is sent.
    fn environments(&self) -> Vec<Environment> {
        let ledgers = self.courier.service.ledgers();
        let has_outbox = |environment: &Environment| {
            ledgers.each_of(*environment).any(|ledger| ledger.outbox().is_some())
        };
        Environment::ALL.into_iter().filter(has_outbox).collect()
    }

    /// Reads for whom something waits, where that is long ago.
    async fn read_waiting(&mut self) -> Result<(), CourierError> {
        let every = if self.failed { READS.1 } else { READS.0 };
        if self.read.is_some_and(|read| read.elapsed() < every) {
            return Ok(());
        }
        let mut waiting = Vec::new();
        for environment in self.environments() {
            let name = environment.name();
            let found = self.courier.webhooks.with_store(move |store| store.waiting(name)).await?;
            waiting.extend(found.into_iter().map(|(account, at)| ((environment, account), at)));
        }
        self.lanes.forget();
        for (key, at) in waiting {
            self.lanes.due(key, at);
        }
        (self.read, self.failed) = (Some(Clock::now()), false);
        Ok(())
    }

    /// Takes what is new, ledger by ledger: one that is away keeps no other waiting.
    async fn take(&mut self) -> Result<bool, CourierError> {
        let service = self.courier.service.clone();
        let (mut more, mut failed) = (false, None);
        for ledger in Environment::ALL.iter().flat_map(|of| service.ledgers().each_of(*of)) {
            match self.take_from(ledger).await {
                Ok(its) => more |= its,
                Err(error) => failed = Some(error),
            }
        }
        failed.map_or(Ok(more), Err)
    }

    /// Takes what is new of a ledger.
    async fn take_from(&mut self, ledger: &OpenLedger) -> Result<bool, CourierError> {
        let (service, webhooks) = (self.courier.service.clone(), self.courier.webhooks.clone());
        if ledger.outbox().is_none() {
            return Ok(false);
        }
        let (ledgers, now) = (service.ledgers(), service.now());
        self.rotations.watch(&webhooks, (ledgers, ledger), now).await?;
        let intake = self.intakes.entry(ledger.label().to_owned()).or_default();
        intake.take((&webhooks, ledgers, ledger), &mut self.lanes, now).await
    }

    /// Begins as many of the attempts that are due as there is room for, lane by lane.
    async fn begin_due(&mut self, now: Instant) -> Result<(), CourierError> {
        while let Some(Turn { key, under_way, free }) = self.lanes.next(now) {
            let (ledger, account) = (key.0.name(), key.1.clone());
            // What is under way stands before what waits, until it is written down.
            // The one beyond those that may begin tells when the lane is due next.
            let limit = under_way + free + 1;
            let found =
                self.courier.webhooks.with_store(move |it| it.next(ledger, &account, limit));
            let (waiting, endpoint) = found.await?;
            let (mut begun, mut next) = (Vec::new(), None);
            for delivery in waiting {
                let at = delivery.next_at;
                if self.events.contains(&(key.0, delivery.event.clone())) {
                    continue;
                }
                if begun.len() == free || at.is_none_or(|at| now < at) {
                    next = at;
                    break;
                }
                begun.push(delivery);
            }
            let count = begun.len();
            self.begin(&key, begun, endpoint);
            self.lanes.begin_attempts(&key, count, next, now);
        }
        Ok(())
    }

    /// Begins attempts of one lane.
    fn begin(&mut self, lane: &LaneKey, deliveries: Vec<Delivery>, endpoint: EndpointRecord) {
        let batch = Arc::new(DispatchBatch::new(lane.0, &deliveries, endpoint));
        for delivery in deliveries {
            let place = (lane.0, delivery.event.clone());
            let (courier, batch) = (self.courier.clone(), Arc::clone(&batch));
            let task = self.tasks.spawn(async move { courier.deliver(&batch, delivery).await });
            self.events.insert(place.clone());
            let under_way = UnderWay { place, lane: lane.clone(), since: Clock::now() };
            self.under_way.insert(task.id(), under_way);
        }
    }

    /// Takes what came of an attempt: to be written down, or to be attempted again.
    fn end(&mut self, done: Done) {
        let (id, ended) = match done {
            Ok((id, ended)) => (id, ended.ok()),
            Err(error) => (error.id(), None),
        };
        let Some(its) = self.under_way.remove(&id) else { return };
        match ended {
            Some(Some(attempted)) => self.attempted.push((its, attempted)),
            Some(None) => self.leave(&its, false),
            // It is due again, once it is read what is.
            None => {
                self.leave(&its, false);
                self.lanes.pause(&its.lane);
                self.failed = true;
            }
        }
    }

    /// Makes room after an attempt.
    fn leave(&mut self, its: &UnderWay, taken: bool) {
        self.events.remove(&its.place);
        self.lanes.end_attempt(&its.lane, taken, its.since.elapsed());
    }

    /// Writes down what has ended, many at once. What cannot be written now keeps its room until it
    /// is: sent again meanwhile, it would be sent again for as long as a disk is full.
    async fn write_down(&mut self) {
        let mut attempted = VecDeque::from(std::mem::take(&mut self.attempted));
        let mut at_once = WRITTEN;
        while !attempted.is_empty() {
            let many = attempted.len().min(at_once);
            let batch = Arc::new(attempted.drain(..many).collect::<Vec<_>>());
            let written = self.record(&batch).await;
            let batch = Arc::into_inner(batch).expect("whoever wrote it has let go of it");
            match written {
                Ok(()) => {
                    for its in batch {
                        self.finish(its);
                    }
                    at_once = WRITTEN;
                }
                // One that cannot be written keeps no other from it.
                Err(_) if many > 1 => {
                    for its in batch.into_iter().rev() {
                        attempted.push_front(its);
                    }
                    at_once = 1;
                }
                Err(_) => {
                    attempted.extend(batch);
                    break;
                }
            }
        }
        self.attempted.splice(..0, attempted);
    }

    /// Writes these down, or none of them.
    async fn record(&self, batch: &Arc<Vec<EndedAttempt>>) -> Result<(), CourierError> {
        let batch = Arc::clone(batch);
        let work = move |store: &mut DeliveryStore| {
            store.record(&batch.iter().map(|(_, its)| its.to_record()).collect::<Vec<_>>())
        };
        self.courier.webhooks.with_store(work).await
    }

    /// Makes room after an attempt that was written down, and has what follows come.
    fn finish(&mut self, (its, attempted): EndedAttempt) {
        let Attempted { ledger, delivery, .. } = attempted;
        self.leave(&its, delivery.state == DeliveryState::Delivered);
        if delivery.state.is_ended() {
            let intake = self.intakes.entry(ledger.label().to_owned()).or_default();
            intake.end([delivery.event]);
        } else if let Some(at) = delivery.next_at {
            self.lanes.due((ledger.environment(), delivery.account), at);
        }
    }

    /// Acknowledges what was written down as ended.
    async fn acknowledge(&mut self) {
        let service = self.courier.service.clone();
        let (ledgers, now) = (service.ledgers(), service.now());
        for ledger in Environment::ALL.iter().flat_map(|of| ledgers.each_of(*of)) {
            if let Some(intake) = self.intakes.get_mut(ledger.label()) {
                // What is not acknowledged now is by whoever begins next.
                let _ = intake.acknowledge(ledger, now).await;
            }
        }
    }

    /// Counts what waits, for whoever measures.
    async fn count(&mut self) -> Result<(), CourierError> {
        let rests = |(counted, took): (Clock, Duration)| counted.elapsed() < took * RESTS;
        if self.counted.is_some_and(rests) {
            return Ok(());
        }
        let began = Clock::now();
        for environment in self.environments() {
            let ledger = environment.name();
            let counts =
                self.courier.webhooks.with_store(move |store| store.counts(ledger)).await?;
            let metrics = self.courier.service.metrics();
            for state in [DeliveryState::Queued, DeliveryState::Retrying] {
                let found = counts.iter().find(|(name, _)| name == state.name());
                let count = found.map_or(0, |(_, count)| *count);
                metrics.note_waiting(environment, state.name(), count);
            }
        }
        self.counted = Some((Clock::now(), began.elapsed()));
        Ok(())
    }

    async fn prune(&mut self, now: Instant) -> Result<(), CourierError> {
        if self.pruned.is_some_and(|pruned| now < pruned.after(PRUNING)) {
            return Ok(());
        }
        for environment in self.environments() {
            let ledger = environment.name();
            self.courier.webhooks.with_store(move |store| store.prune(ledger, now)).await?;
        }
        self.pruned = Some(now);
        Ok(())
    }
}
