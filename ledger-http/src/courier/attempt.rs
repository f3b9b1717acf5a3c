//! One attempt: what is sent is asked of the ledger and sent. Whoever asked for it writes down what
//! came of it, with all that follows, and has it acknowledged once it has ended.

use std::sync::Arc;

use ledger_core::contract::Environment;
use ledger_core::id::AccountId;
use ledger_core::time::Instant;

use super::directory::{self, Destination, Dispatch};
use super::schedule::next;
use super::sending::sender::{Message, Sent};
use super::tables::delivery::{AttemptKind, Delivery, EndpointRecord};
use super::tables::store::Recorded;
use super::webhooks::{CourierError, Webhooks};
use crate::ledgers::OpenLedger;
use crate::operation::attempt::WebhookAttempt;
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
    /// Makes the attempt of a delivery that is due, whose endpoint is remembered so; none is made
    /// where nobody listens to what is recovered.
    pub(super) async fn deliver(
        &self,
        environment: Environment,
        delivery: Delivery,
        record: EndpointRecord,
    ) -> Result<Option<Attempted>, CourierError> {
        if delivery.state.is_ended() {
            let kind = AttemptKind::Recover;
            return Ok(self.single(environment, delivery, kind, record).await?.ok());
        }
        let (ledger, home) = self.ledgers(environment, &delivery).await?;
        let now = self.service.now();
        let event = delivery.event.clone();
        let found = directory::dispatch((&ledger, &home), event, record.clone(), now).await?;
        let given_up = |endpoint| {
            let delivery = delivery.clone().abandon(now);
            Ok(Some(Attempted { ledger: Arc::clone(&ledger), delivery, endpoint, sent: None }))
        };
        // A ledger that never sent it may have been put in the place of the one that did.
        let Some(dispatch) = found else { return given_up(record) };
        let Some(destination) = &dispatch.destination else { return given_up(record) };
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
        let (ledger, home) = self.ledgers(environment, &delivery).await?;
        let now = self.service.now();
        let event = delivery.event.clone();
        let found = directory::dispatch((&ledger, &home), event, record, now).await?;
        let Some(destination) = found.as_ref().and_then(|found| found.destination.as_ref()) else {
            let event = delivery.event;
            let name = environment.name();
            // Where nobody listens, what was to be recovered waits until it is asked for again.
            self.webhooks.with_store(move |store| store.cancel_next_attempt(name, &event)).await?;
            return Ok(Err(if found.is_some() { Single::NoEndpoint } else { Single::Unknown }));
        };
        let dispatch = found.as_ref().expect("it has a destination");
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

    /// The ledger that gave the event of a delivery, and the one that its account lives in.
    async fn ledgers(
        &self,
        environment: Environment,
        delivery: &Delivery,
    ) -> Result<(Arc<OpenLedger>, Arc<OpenLedger>), CourierError> {
        let (ledgers, Delivery { account, event, .. }) = (self.service.ledgers(), delivery);
        let giver = directory::giver(ledgers, environment, account, event).await?;
        Ok((giver, Arc::clone(ledgers.home(environment, account))))
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
