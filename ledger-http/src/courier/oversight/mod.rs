//! What operators see of webhooks, and do about them: how endpoints stand, an event once more,
//! everything since, and an endpoint switched on again.

use std::collections::BTreeMap;

use ledger_core::contract::Environment;
use ledger_core::time::Instant;

use super::attempt::{Courier, Single};
use super::tables::delivery::{
    AttemptKind, AttemptRecord, Delivery, DeliveryState, EndpointRecord,
};
use super::tables::standing::Group;
use super::webhooks::{CourierError, Webhooks};
use crate::service::Service;

/// How many events one statement looks for.
const EVENTS: usize = 500;

/// How the endpoint of an account stands.
#[derive(Default)]
pub(crate) struct Standing {
    /// What is remembered of it.
    pub(crate) endpoint: EndpointRecord,
    /// How many events it took, and how many were given up, of those that ended of late.
    pub(crate) delivered: u64,
    pub(crate) abandoned: u64,
    /// How many events have not ended, and when the first of them came.
    pub(crate) backlog: u64,
    pub(crate) oldest: Option<Instant>,
    /// When it last failed, and with which status; none where there was no answer.
    pub(crate) failed: Option<(Instant, Option<u16>)>,
}

impl Standing {
    fn add(&mut self, group: &Group) {
        match group.state {
            DeliveryState::Delivered => self.delivered += group.count,
            DeliveryState::Abandoned => self.abandoned += group.count,
            DeliveryState::Queued | DeliveryState::Retrying => {
                self.backlog += group.count;
                self.oldest = Some(self.oldest.map_or(group.oldest, |it| it.min(group.oldest)));
            }
            DeliveryState::Unaddressed | DeliveryState::Filtered => {}
        }
        // What was given up unsent, since the endpoint was off, is no failure of its own.
        let failed = matches!(group.state, DeliveryState::Abandoned | DeliveryState::Retrying);
        if failed && group.tried && self.failed.is_none_or(|(at, _)| at < group.latest) {
            self.failed = Some((group.latest, group.http_status));
        }
    }
}

/// What an operator asks for.
pub(crate) enum Act {
    /// This event once more, delivered or not.
    Resend(String),
    /// These events once more, by the courier, delivered or not.
    Again(Vec<String>),
    /// Whatever was not delivered since then, once more.
    Recover(Instant),
    /// That an endpoint that is switched off is tried again.
    SwitchOn,
}

/// What came of it.
pub(crate) enum Acted {
    /// It was sent, and answered with this status, if at all.
    Sent {
        status: Option<u16>,
        delivered: bool,
    },
    /// So many events are attempted once more.
    Queued(u64),
    SwitchedOn,
    /// The account has no address.
    NoEndpoint,
    /// There is no such event.
    Unknown,
}

impl Webhooks {
    /// How the endpoints of an environment stand, by their accounts; what ended counts from
    /// `since` on.
    pub(crate) async fn standing(
        &self,
        environment: Environment,
        since: Instant,
    ) -> Result<BTreeMap<String, Standing>, CourierError> {
        let ledger = environment.name();
        let read = move |store: &mut super::tables::store::DeliveryStore| {
            Ok((store.groups(ledger, since)?, store.endpoints(ledger)?))
        };
        let (groups, endpoints) = self.with_store(read).await?;
        let mut all: BTreeMap<String, Standing> = BTreeMap::new();
        for (account, endpoint) in endpoints {
            all.entry(account).or_default().endpoint = endpoint;
        }
        for group in groups {
            all.entry(group.account.clone()).or_default().add(&group);
        }
        Ok(all)
    }

    /// An event that an account was sent, with its attempts; none where there is none.
    pub(crate) async fn event(
        &self,
        environment: Environment,
        account: &str,
        event: &str,
    ) -> Result<Option<(Delivery, Vec<AttemptRecord>)>, CourierError> {
        let (ledger, account, event) = (environment.name(), account.to_owned(), event.to_owned());
        self.with_store(move |store| {
            let found = store.get(ledger, &event)?.filter(|found| found.account == account);
            let Some(found) = found else { return Ok(None) };
            Ok(Some((found, store.attempts(ledger, &event)?)))
        })
        .await
    }

    /// The deliveries of those of these events of an account that are known, in no order.
    pub(crate) async fn deliveries(
        &self,
        environment: Environment,
        account: String,
        events: Vec<String>,
    ) -> Result<Vec<Delivery>, CourierError> {
        self.with_store(move |store| {
            let mut found = Vec::with_capacity(events.len());
            for some in events.chunks(EVENTS) {
                found.extend(store.for_events(environment.name(), some)?);
            }
            found.retain(|delivery| delivery.account == account);
            Ok(found)
        })
        .await
    }

    /// Does what an operator asks for about the endpoint of an account that has one.
    pub(crate) async fn act(
        &self,
        service: &Service,
        environment: Environment,
        account: &str,
        act: Act,
    ) -> Result<Acted, CourierError> {
        let (ledger, now) = (environment.name(), service.now());
        let name = account.to_owned();
        match act {
            Act::Resend(event) => {
                let Some((delivery, _)) = self.event(environment, account, &event).await? else {
                    return Ok(Acted::Unknown);
                };
                let courier = Courier { service: service.clone(), webhooks: self.clone() };
                // What was sent is written down, though the browser goes elsewhere.
                let single = tokio::spawn(async move {
                    courier.once(environment, delivery, AttemptKind::Resend).await
                });
                Ok(match single.await?? {
                    Single::Made(sent) => Acted::Sent {
                        status: sent.outcome.status(),
                        delivered: sent.outcome.is_success(),
                    },
                    Single::NoEndpoint => Acted::NoEndpoint,
                    Single::Unknown => Acted::Unknown,
                })
            }
            Act::Again(events) => {
                let queued = self.with_store(move |store| store.again(ledger, &name, &events, now));
                let queued = queued.await?;
                self.note_due(environment, account);
                Ok(Acted::Queued(queued))
            }
            Act::Recover(since) => {
                let queued = self.with_store(move |store| store.recover(ledger, &name, since, now));
                let queued = queued.await?;
                self.note_due(environment, account);
                Ok(Acted::Queued(queued))
            }
            Act::SwitchOn => {
                self.with_store(move |store| {
                    let known = store.endpoint(ledger, &name)?;
                    let on = EndpointRecord { off: None, failing_since: None, ..known };
                    store.save_endpoint(ledger, &name, &on)
                })
                .await?;
                self.note_due(environment, account);
                Ok(Acted::SwitchedOn)
            }
        }
    }
}
