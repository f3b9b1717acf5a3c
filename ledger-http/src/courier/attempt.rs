//! One attempt: what is sent is asked of the ledger, sent, written down with all that follows from
//! it, and acknowledged once it has ended.

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

impl Courier {
    /// Makes the attempt of a delivery that is due.
    pub(super) async fn deliver(
        &self,
        environment: Environment,
        delivery: Delivery,
    ) -> Result<(), CourierError> {
        if delivery.state.is_ended() {
            return self.once(environment, delivery, AttemptKind::Recover).await.map(drop);
        }
        let (ledger, home) = self.ledgers(environment, &delivery).await?;
        let now = self.service.now();
        let record = self.endpoint(environment, &delivery.account).await?;
        let event = delivery.event.clone();
        let found = directory::dispatch((&ledger, &home), event, record.clone(), now).await?;
        let Some(dispatch) = found else {
            // A ledger that never sent it has been put in the place of the one that did.
            return self.give_up(&ledger, delivery, record, now).await;
        };
        let Some(destination) = &dispatch.destination else {
            return self.give_up(&ledger, delivery, record, now).await;
        };
        if destination.record.off.is_some() {
            return self.give_up(&ledger, delivery, destination.record.clone(), now).await;
        }
        let kind = AttemptKind::Scheduled;
        let sent = self.post(environment, &delivery, kind, (&dispatch, destination), now).await;
        let ended = self.service.now();
        let attempt = delivery.tries + 1;
        let follows = next(attempt, sent.outcome, random());
        let record = destination.record.clone().after(sent.outcome, ended);
        let delivery = delivery.after_scheduled(sent.outcome, follows, ended);
        self.write(environment, delivery.clone(), Some((kind, now, sent)), record).await?;
        self.acknowledge(&ledger, &delivery).await
    }

    /// Makes a single attempt beside the schedule.
    pub(super) async fn once(
        &self,
        environment: Environment,
        delivery: Delivery,
        kind: AttemptKind,
    ) -> Result<Single, CourierError> {
        let (ledger, home) = self.ledgers(environment, &delivery).await?;
        let now = self.service.now();
        let record = self.endpoint(environment, &delivery.account).await?;
        let event = delivery.event.clone();
        let found = directory::dispatch((&ledger, &home), event, record.clone(), now).await?;
        let Some(destination) = found.as_ref().and_then(|found| found.destination.as_ref()) else {
            let event = delivery.event;
            let name = environment.name();
            // Where nobody listens, what was to be recovered waits until it is asked for again.
            self.webhooks.stored(move |store| store.unasked(name, &event)).await?;
            return Ok(if found.is_some() { Single::NoEndpoint } else { Single::Unknown });
        };
        let dispatch = found.as_ref().expect("it has a destination");
        let sent = self.post(environment, &delivery, kind, (dispatch, destination), now).await;
        let ended = self.service.now();
        let record = destination.record.clone().after(sent.outcome, ended);
        let delivery = delivery.after_single(sent.outcome, ended);
        self.write(environment, delivery.clone(), Some((kind, now, sent.clone())), record).await?;
        self.acknowledge(&ledger, &delivery).await?;
        Ok(Single::Made(sent))
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
        self.webhooks.stored(move |store| store.save_endpoint(ledger, &name, &record)).await?;
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
        self.webhooks.stored(move |store| store.endpoint(ledger, &account)).await
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

    /// Ends a delivery without an attempt, so that its line goes on.
    async fn give_up(
        &self,
        ledger: &OpenLedger,
        delivery: Delivery,
        record: EndpointRecord,
        now: Instant,
    ) -> Result<(), CourierError> {
        let delivery = delivery.abandoned(now);
        self.write(ledger.environment(), delivery.clone(), None, record).await?;
        self.acknowledge(ledger, &delivery).await
    }

    async fn write(
        &self,
        environment: Environment,
        delivery: Delivery,
        sent: Option<(AttemptKind, Instant, Sent)>,
        endpoint: EndpointRecord,
    ) -> Result<(), CourierError> {
        let ledger = environment.name();
        self.webhooks
            .stored(move |store| {
                let sent = sent.as_ref().map(|(kind, at, sent)| (*kind, *at, sent));
                let (delivery, endpoint) = (&delivery, &endpoint);
                store.record(&Recorded { ledger, delivery, sent, endpoint })
            })
            .await
    }

    /// Acknowledges what has ended: the next event of its operation is given then. It is written
    /// down as ended before, so whoever stops between acknowledges it when it is seen again.
    async fn acknowledge(
        &self,
        ledger: &OpenLedger,
        delivery: &Delivery,
    ) -> Result<(), CourierError> {
        if delivery.state.is_ended() {
            super::intake::acknowledged(ledger, &delivery.event, self.service.now()).await?;
            self.webhooks.wake();
        }
        Ok(())
    }
}

/// A number for the jitter; the middle where the system gives none.
fn random() -> u64 {
    getrandom::u64().unwrap_or(u64::MAX / 2)
}
