//! What the outbox gives becomes deliveries; what has ended is acknowledged there.
//!
//! The outbox is read once from its beginning, past which a place moves; what comes behind an event
//! in its operation is given when that is acknowledged. So a look costs the same, however much
//! waits. A second place goes round slowly, for what was acknowledged by others or in vain.

use std::collections::HashMap;
use std::future::{pending, poll_fn};
use std::sync::{Arc, PoisonError};
use std::task::Poll;
use std::time::{Duration, Instant as Clock};

use ledger_core::time::Instant;
use ledger_store::projection::Notice;

use super::directory::{Addressee, addressees, listens};
use super::lanes::Lanes;
use super::tables::delivery::{Delivery, DeliveryState};
use super::webhooks::{CourierError, Webhooks};
use crate::ledgers::{Ledgers, OpenLedger};
use crate::outbox::{Outbox, OutboxFailed};

/// How many entries of the outbox are read at once.
const AT_ONCE: usize = 256;

/// How often the place that goes round moves on.
const ROUND: Duration = Duration::from_secs(1);

/// How long what a commit asks for takes to come to the outbox, where it is gathered for 10 ms.
const GATHERS: Duration = Duration::from_millis(15);

/// What is taken, with whom: the tables, the ledgers, and the ledger whose outbox it is.
pub(super) type Taking<'a> = (&'a Webhooks, &'a Ledgers, &'a OpenLedger);

/// How far the outbox of one ledger is taken.
#[derive(Debug, Default)]
pub(super) struct Intake {
    /// Up to where it was read.
    read: (u64, u64),
    /// The last record whose notices stood in the outbox when it was read.
    committed: Option<u64>,
    /// Where the place is that goes round, and when it moved.
    round: ((u64, u64), Option<Clock>),
    /// Events that have ended, and are to be acknowledged.
    over: Vec<String>,
    /// Notices that are given, and have no delivery yet.
    given: Vec<Notice>,
}

impl Intake {
    /// Has events acknowledged that have ended.
    pub(super) fn end(&mut self, events: impl IntoIterator<Item = String>) {
        self.over.extend(events);
    }

    /// Acknowledges what has ended, and takes what comes next and what is new; says whether there
    /// may be more at once.
    pub(super) async fn take(
        &mut self,
        taking: Taking<'_>,
        lanes: &mut Lanes,
        now: Instant,
    ) -> Result<bool, CourierError> {
        self.settle(taking, lanes, now).await?;
        let (ledger, read) = (taking.2, self.read);
        if ledger.engine().outbox().is_none_or(|outbox| outbox.waiting() == 0) {
            self.committed = ledger.engine().head().ok().map(|head| head.seq);
        }
        let Some(page) = outbox(ledger, move |it| it.notices_after(read, AT_ONCE)).await? else {
            return Ok(false);
        };
        self.given.extend(page.first);
        self.read = page.to.unwrap_or(read);
        self.settle(taking, lanes, now).await?;
        if !page.is_full {
            self.go_round(taking, lanes, now).await?;
        }
        Ok(page.is_full)
    }

    /// Acknowledges what has ended and begins what is given, until neither is left.
    async fn settle(
        &mut self,
        taking: Taking<'_>,
        lanes: &mut Lanes,
        now: Instant,
    ) -> Result<(), CourierError> {
        while !(self.over.is_empty() && self.given.is_empty()) {
            self.begin(taking, lanes, now).await?;
            self.given = self.acknowledge(taking.2, now).await?;
        }
        Ok(())
    }

    /// Acknowledges what has ended, and takes nothing.
    pub(super) async fn acknowledge(
        &mut self,
        ledger: &OpenLedger,
        now: Instant,
    ) -> Result<Vec<Notice>, CourierError> {
        if self.over.is_empty() {
            return Ok(Vec::new());
        }
        let over = self.over.clone();
        let next = outbox(ledger, move |outbox| outbox.acknowledge_all(&over, now)).await?;
        self.over.clear();
        Ok(next.unwrap_or_default())
    }

    /// Looks once more at what was read before, a little at a time.
    async fn go_round(
        &mut self,
        taking: Taking<'_>,
        lanes: &mut Lanes,
        now: Instant,
    ) -> Result<(), CourierError> {
        let (from, moved) = self.round;
        if moved.is_some_and(|moved| moved.elapsed() < ROUND) {
            return Ok(());
        }
        let page = outbox(taking.2, move |it| it.notices_after(from, AT_ONCE)).await?;
        let page = page.unwrap_or_default();
        let to = page.to.filter(|_| page.is_full).unwrap_or_default();
        self.round = (to, Some(Clock::now()));
        self.given.extend(page.first);
        self.settle(taking, lanes, now).await
    }

    /// Begins the deliveries of what is given; what has ended is to be acknowledged.
    async fn begin(
        &mut self,
        taking: Taking<'_>,
        lanes: &mut Lanes,
        now: Instant,
    ) -> Result<(), CourierError> {
        let (webhooks, _, ledger) = taking;
        let environment = ledger.environment();
        let ids: Vec<String> = self.given.iter().map(|notice| notice.id.clone()).collect();
        if ids.is_empty() {
            return Ok(());
        }
        let known =
            webhooks.with_store(move |store| store.for_events(environment.name(), &ids)).await?;
        let mut known: HashMap<String, Delivery> =
            known.into_iter().map(|delivery| (delivery.event.clone(), delivery)).collect();
        let new: Vec<Notice> =
            self.given.iter().filter(|notice| !known.contains_key(&notice.id)).cloned().collect();
        for delivery in create_deliveries(taking, new, now).await? {
            known.insert(delivery.event.clone(), delivery);
        }
        // What was given up may be due once more all the same: it was to be recovered.
        for delivery in known.values() {
            if let Some(at) = delivery.next_at {
                lanes.due((environment, delivery.account.clone()), at);
            }
        }
        let ended = known.into_values().filter(|delivery| delivery.state.is_ended());
        self.over.extend(ended.map(|delivery| delivery.event));
        self.given.clear();
        Ok(())
    }
}

/// Waits until a ledger has committed more than was taken of it, and that stands in its outbox as a
/// rule.
pub(super) async fn wait_for_commit(ledgers: &Ledgers, intakes: &HashMap<String, Intake>) {
    let wait = |ledger: &Arc<OpenLedger>| {
        let (ledger, taken) = (Arc::clone(ledger), intakes.get(ledger.label())?.committed?);
        Some(Box::pin(async move {
            match ledger.engine().durable(taken + 1).await {
                Ok(_) => tokio::time::sleep(GATHERS).await,
                // It commits nothing more.
                Err(_) => pending().await,
            }
        }))
    };
    let mut commits: Vec<_> = ledgers.all().filter_map(wait).collect();
    poll_fn(|context| {
        let came = commits.iter_mut().any(|commit| commit.as_mut().poll(context).is_ready());
        if came { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// The deliveries of notices that have none yet, written down.
async fn create_deliveries(
    (webhooks, ledgers, ledger): Taking<'_>,
    new: Vec<Notice>,
    now: Instant,
) -> Result<Vec<Delivery>, CourierError> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let name = ledger.environment().name();
    let ids = new.iter().map(|notice| notice.id.clone()).collect();
    let mut found = addressees(ledger, ids).await?;
    for addressee in found.iter_mut().flatten() {
        // Where an account that moved on listens, the ledger says that it lives in.
        if !ledgers.lives_in(ledger, &addressee.account) {
            let home = ledgers.home(ledger.environment(), &addressee.account);
            addressee.listens = listens(home, addressee.account.clone()).await?;
        }
    }
    let filters = webhooks.with_store(move |store| store.filters(name)).await?;
    let begin = |(notice, found): (Notice, Option<Addressee>)| {
        // An event of nobody goes nowhere, and its line goes on.
        let nobody = Addressee { account: String::new(), listens: false };
        let Addressee { account, listens } = found.unwrap_or(nobody);
        let mut delivery = Delivery::new(&notice.id, &account, &notice.topic, now);
        let filtered = filters.get(&account).is_some_and(|chosen| !chosen.admits(&notice.topic));
        if filtered || !listens {
            let unsent = (DeliveryState::Filtered, DeliveryState::Unaddressed);
            delivery.state = if filtered { unsent.0 } else { unsent.1 };
            delivery.next_at = None;
        }
        delivery
    };
    let deliveries: Vec<Delivery> = new.into_iter().zip(found).map(begin).collect();
    webhooks
        .with_store(move |store| {
            store.add(name, &deliveries)?;
            Ok(deliveries)
        })
        .await
}

/// Uses the outbox of a ledger on a thread that may block; nothing where it keeps none.
async fn outbox<T: Send + 'static>(
    ledger: &OpenLedger,
    work: impl FnOnce(&mut Outbox) -> Result<T, OutboxFailed> + Send + 'static,
) -> Result<Option<T>, CourierError> {
    let Some(outbox) = ledger.outbox() else { return Ok(None) };
    let done = tokio::task::spawn_blocking(move || {
        // What it reads and writes is whole in the database, whoever panicked.
        work(&mut outbox.lock().unwrap_or_else(PoisonError::into_inner))
    });
    Ok(Some(done.await??))
}
