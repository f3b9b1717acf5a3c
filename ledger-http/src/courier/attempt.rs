//! One attempt: what is sent is asked of the ledger and sent. Whoever asked for it writes down what
//! came of it, with all that follows, and has it acknowledged once it has ended.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ledger_core::contract::Environment;
use ledger_core::id::AccountId;
use ledger_core::time::Instant;
use tokio::sync::OnceCell;

use super::directory::{self, Destination, Dispatch};
use super::schedule::next;
use super::sending::sender::{Message, Sent};
use super::tables::delivery::{AttemptKind, Delivery, EndpointRecord};
use super::tables::statements::Recorded;
use super::webhooks::{CourierError, Webhooks};
use crate::ledgers::OpenLedger;
use crate::operation::lines::WebhookAttempt;
use crate::service::Service;

/// What an attempt is made with.
#[derive(Clone)]
pub(super) struct Courier {
    pub(super) service: Service,
    pub(super) webhooks: Webhooks,
}

/// What came of asking for a single attempt.
#[derive(Clone, Debug)]
pub(super) enum Single {
    /// It was made.
    Made(Sent),
    /// The account has no address.
    NoEndpoint,
    /// The ledger knows no such event.
    Unknown,
}

/// The id of an event, the ledger that gave it, and what is to be sent; nothing for an event that
/// the ledger does not know.
type Dispatched = (String, Arc<OpenLedger>, Option<Dispatch>);

/// The same, by the ids of events.
type DispatchesById = HashMap<String, (Arc<OpenLedger>, Option<Dispatch>)>;

/// Deliveries to one account whose attempts begin together: the first of them asks the ledger for
/// all.
pub(super) struct DispatchBatch {
    environment: Environment,
    /// The endpoint, as it is remembered.
    record: EndpointRecord,
    events: Vec<String>,
    found: OnceCell<Mutex<DispatchesById>>,
}

impl DispatchBatch {
    /// A batch of these deliveries; what has ended asks for itself.
    pub(super) fn new(
        environment: Environment,
        deliveries: &[Delivery],
        record: EndpointRecord,
    ) -> Self {
        let waiting = deliveries.iter().filter(|delivery| !delivery.state.is_ended());
        let events = waiting.map(|delivery| delivery.event.clone()).collect();
        Self { environment, record, events, found: OnceCell::new() }
    }

    /// Takes what is to be sent for a delivery of the batch, and the ledger that gave the event.
    async fn take(
        &self,
        courier: &Courier,
        delivery: &Delivery,
    ) -> Result<(Arc<OpenLedger>, Option<Dispatch>), CourierError> {
        let found = self.found.get_or_try_init(|| self.ask(courier, &delivery.account)).await?;
        // A map with one entry fewer is whole.
        let taken = found.lock().unwrap_or_else(PoisonError::into_inner).remove(&delivery.event);
        Ok(taken.expect("each delivery of a batch takes its own once"))
    }

    /// Asks the ledgers for all.
    async fn ask(
        &self,
        courier: &Courier,
        account: &str,
    ) -> Result<Mutex<DispatchesById>, CourierError> {
        let Self { environment, record, events, .. } = self;
        let found = courier.dispatches(*environment, account, events.clone(), record).await?;
        let found = found.into_iter().map(|(event, ledger, found)| (event, (ledger, found)));
        Ok(Mutex::new(found.collect()))
    }
}

/// An attempt that has ended, and is to be written down.
pub(super) struct Attempted {
    /// The ledger that gave the event.
    pub(super) ledger: Arc<OpenLedger>,
    /// The delivery after it.
    pub(super) delivery: Delivery,
    /// The endpoint after it.
    endpoint: EndpointRecord,
    /// Why it was made and when, and what came of it; none where none was made.
    pub(super) sent: Option<(AttemptKind, Instant, Sent)>,
}

impl Attempted {
    /// How it is written down.
    pub(super) fn to_record(&self) -> Recorded<'_> {
        let Self { ledger, delivery, endpoint, sent } = self;
        let ledger = ledger.environment().name();
        let sent = sent.as_ref().map(|(kind, at, sent)| (*kind, *at, sent));
        Recorded { ledger, delivery, sent, endpoint }
    }
}

impl Courier {
    /// Makes the attempt of a delivery that is due, one of a batch; none is made where nobody
    /// listens to what is recovered.
    pub(super) async fn deliver(
        &self,
        batch: &DispatchBatch,
        delivery: Delivery,
    ) -> Result<Option<Attempted>, CourierError> {
        let environment = batch.environment;
        if delivery.state.is_ended() {
            let (kind, record) = (AttemptKind::Recover, batch.record.clone());
            return Ok(self.single(environment, delivery, kind, record).await?.ok());
        }
        let (ledger, found) = batch.take(self, &delivery).await?;
        let now = self.service.now();
        let given_up = |endpoint| {
            let delivery = delivery.clone().abandon(now);
            Ok(Some(Attempted { ledger: Arc::clone(&ledger), delivery, endpoint, sent: None }))
        };
        // A ledger that never sent it may have been put in the place of the one that did.
        let Some(dispatch) = found else { return given_up(batch.record.clone()) };
        let Some(destination) = &dispatch.destination else {
            return given_up(batch.record.clone());
        };
        if destination.record.off.is_some() {
            return given_up(destination.record.clone());
        }
        let kind = AttemptKind::Scheduled;
        let sent = self.post(environment, &delivery, kind, (&dispatch, destination), now).await;
        let ended = self.service.now();
        let follows = next(delivery.tries + 1, sent.outcome, random());
        let endpoint = destination.record.clone().after(sent.outcome, ended);
        let delivery = delivery.after_scheduled(sent.outcome, follows, ended);
        Ok(Some(Attempted { ledger, delivery, endpoint, sent: Some((kind, now, sent)) }))
    }

    /// Makes a single attempt that a client asked for, and writes it down.
    pub(super) async fn once(
        &self,
        environment: Environment,
        delivery: Delivery,
        kind: AttemptKind,
    ) -> Result<Single, CourierError> {
        let record = self.endpoint(environment, &delivery.account).await?;
        let attempted = match self.single(environment, delivery, kind, record).await? {
            Ok(attempted) => attempted,
            Err(single) => return Ok(single),
        };
        let attempted = self
            .webhooks
            .with_store(move |store| {
                store.record(&[attempted.to_record()])?;
                Ok(attempted)
            })
            .await?;
        let Attempted { ledger, delivery, sent, .. } = attempted;
        if delivery.state.is_ended() {
            self.webhooks.note_ended(ledger.label(), &delivery.event);
        }
        Ok(sent.map_or(Single::Unknown, |(.., sent)| Single::Made(sent)))
    }

    /// Makes a single attempt beside the schedule; says why where none can be made.
    async fn single(
        &self,
        environment: Environment,
        delivery: Delivery,
        kind: AttemptKind,
        record: EndpointRecord,
    ) -> Result<Result<Attempted, Single>, CourierError> {
        let events = vec![delivery.event.clone()];
        let found = self.dispatches(environment, &delivery.account, events, &record).await?;
        let (_, ledger, found) = found.into_iter().next().expect("one event has one giver");
        let Some(destination) = found.as_ref().and_then(|found| found.destination.as_ref()) else {
            let event = delivery.event;
            let name = environment.name();
            // Where nobody listens, what was to be recovered waits until it is asked for again.
            self.webhooks.with_store(move |store| store.cancel_next_attempt(name, &event)).await?;
            return Ok(Err(if found.is_some() { Single::NoEndpoint } else { Single::Unknown }));
        };
        let dispatch = found.as_ref().expect("it has a destination");
        let now = self.service.now();
        let sent = self.post(environment, &delivery, kind, (dispatch, destination), now).await;
        let ended = self.service.now();
        let endpoint = destination.record.clone().after(sent.outcome, ended);
        let delivery = delivery.after_single(sent.outcome, ended);
        Ok(Ok(Attempted { ledger, delivery, endpoint, sent: Some((kind, now, sent)) }))
    }

    /// Sends an account's endpoint the test event of this instant; what it answers switches it on
    /// or off as any other answer does.
    pub(super) async fn test(
        &self,
        ledger: &OpenLedger,
        (account, name): (AccountId, String),
        at: Instant,
    ) -> Result<Option<Sent>, CourierError> {
        let environment = ledger.environment();
        let record = self.endpoint(environment, &name).await?;
        let found = directory::test(ledger, account, record, at).await?;
        let Some(destination) = found.as_ref().and_then(|found| found.destination.as_ref()) else {
            return Ok(None);
        };
        let dispatch = found.as_ref().expect("it has a destination");
        let event = dispatch.body["id"].as_str().unwrap_or_default();
        let delivery = Delivery::new(event, &name, "webhook.test", at);
        let now = self.service.now();
        let kind = AttemptKind::Test;
        let sent = self.post(environment, &delivery, kind, (dispatch, destination), now).await;
        let record = destination.record.clone().after(sent.outcome, self.service.now());
        let ledger = environment.name();
        self.webhooks.with_store(move |store| store.save_endpoint(ledger, &name, &record)).await?;
        Ok(Some(sent))
    }

    /// Returns what is to be sent for events of an account, by their ids, and the ledgers that gave
    /// them; each ledger is asked once.
    async fn dispatches(
        &self,
        environment: Environment,
        account: &str,
        events: Vec<String>,
        record: &EndpointRecord,
    ) -> Result<Vec<Dispatched>, CourierError> {
        let (ledgers, now) = (self.service.ledgers(), self.service.now());
        let home = ledgers.home(environment, account);
        let mut dispatched = Vec::new();
        for (ledger, events) in directory::givers(ledgers, environment, account, events).await? {
            let (asked, record) = (events.clone(), record.clone());
            let found = directory::dispatches((&ledger, home), asked, record, now).await?;
            let its = events.into_iter().zip(found);
            dispatched.extend(its.map(|(event, found)| (event, Arc::clone(&ledger), found)));
        }
        Ok(dispatched)
    }

    async fn endpoint(
        &self,
        environment: Environment,
        account: &str,
    ) -> Result<EndpointRecord, CourierError> {
        let (ledger, account) = (environment.name(), account.to_owned());
        self.webhooks.with_store(move |store| store.endpoint(ledger, &account)).await
    }

    /// Sends it, and tells whoever counts.
    async fn post(
        &self,
        environment: Environment,
        delivery: &Delivery,
        kind: AttemptKind,
        (dispatch, destination): (&Dispatch, &Destination),
        at: Instant,
    ) -> Sent {
        let body = dispatch.body.to_string();
        let Delivery { event, topic, tries, .. } = delivery;
        let message = Message { id: event, body: &body, secrets: &destination.secrets, at };
        let url = self.webhooks.url_for(&destination.url);
        let sent = self.webhooks.sender().post(&url, message).await;
        let number = if kind == AttemptKind::Scheduled { tries + 1 } else { 0 };
        let attempt = WebhookAttempt {
            at,
            environment,
            event: event.clone(),
            topic: topic.clone(),
            kind: kind.name(),
            number,
            outcome: sent.outcome.name(),
            status: sent.outcome.status(),
            took: sent.took,
        };
        let parts = self.service.parts();
        parts.metrics.note_attempt(&attempt);
        parts.access_log.note_attempt(&attempt);
        sent
    }
}

/// A number for the jitter; the middle where the system gives none.
fn random() -> u64 {
    getrandom::u64().unwrap_or(u64::MAX / 2)
}
