//! What the outbox gives becomes deliveries; what has ended is acknowledged there.

use std::collections::HashSet;
use std::sync::PoisonError;

use ledger_core::time::Instant;
use ledger_store::projection::{Entry, OutboxError};

use super::directory::{Addressee, addressees, listens};
use super::tables::delivery::{Delivery, DeliveryState};
use super::webhooks::{CourierError, Webhooks};
use crate::ledgers::{Ledgers, OpenLedger};
use crate::outbox::{Outbox, OutboxFailed};

/// How many new events are taken at once.
const AT_ONCE: usize = 256;

/// The events of one ledger that have not ended, as far as this process knows.
#[derive(Debug, Default)]
pub(super) struct Intake {
    open: HashSet<String>,
    begun: bool,
}

impl Intake {
    /// Takes what is new from the outbox of a ledger; says whether there may be more at once.
    pub(super) async fn take(
        &mut self,
        webhooks: &Webhooks,
        (ledgers, ledger): (&Ledgers, &OpenLedger),
        now: Instant,
    ) -> Result<bool, CourierError> {
        let name = ledger.environment().name();
        if !self.begun {
            self.open = webhooks.stored(move |store| store.open_events(name)).await?;
            self.begun = true;
        }
        // What is attempted again stands in front of what is new.
        let limit = self.open.len() + AT_ONCE;
        let Some(given) = outbox(ledger, move |outbox| outbox.notifications(limit)).await? else {
            return Ok(false);
        };
        let given_ids: HashSet<&str> = given.iter().map(|entry| &*entry.id).collect();
        self.open.retain(|event| given_ids.contains(&**event));
        let new: Vec<Entry> =
            given.iter().filter(|entry| !self.open.contains(&entry.id)).cloned().collect();
        if new.is_empty() {
            return Ok(false);
        }
        self.begin(webhooks, (ledgers, ledger), new, now).await?;
        Ok(true)
    }

    /// Begins the deliveries of new entries, and acknowledges those that have ended before.
    async fn begin(
        &mut self,
        webhooks: &Webhooks,
        (ledgers, ledger): (&Ledgers, &OpenLedger),
        new: Vec<Entry>,
        now: Instant,
    ) -> Result<(), CourierError> {
        let name = ledger.environment().name();
        let ids: Vec<String> = new.iter().map(|entry| entry.id.clone()).collect();
        let mut found = addressees(ledger, ids.clone()).await?;
        for addressee in found.iter_mut().flatten() {
            // Where an account that moved on listens, the ledger says that it lives in.
            if !ledgers.lives_in(ledger, &addressee.account) {
                let home = ledgers.home(ledger.environment(), &addressee.account);
                addressee.listens = listens(home, addressee.account.clone()).await?;
            }
        }
        let filters = webhooks.stored(move |store| store.filters(name)).await?;
        let begun = |(entry, found): (&Entry, Option<Addressee>)| {
            // An event of nobody goes nowhere, and its line goes on.
            let nobody = Addressee { account: String::new(), listens: false };
            let Addressee { account, listens } = found.unwrap_or(nobody);
            let mut delivery = Delivery::new(&entry.id, &account, &entry.topic, now);
            let filtered = filters.get(&account).is_some_and(|chosen| !chosen.admits(&entry.topic));
            if filtered || !listens {
                let unsent = (DeliveryState::Filtered, DeliveryState::Unaddressed);
                delivery.state = if filtered { unsent.0 } else { unsent.1 };
                delivery.next_at = None;
            }
            delivery
        };
        let deliveries: Vec<Delivery> = new.iter().zip(found).map(begun).collect();
        let added = webhooks
            .stored(move |store| {
                store.add(name, &deliveries)?;
                let added = ids.iter().map(|event| store.get(name, event));
                added.collect::<Result<Vec<_>, _>>()
            })
            .await?;
        for delivery in added.into_iter().flatten() {
            if delivery.state.is_ended() {
                acknowledged(ledger, &delivery.event, now).await?;
            } else {
                self.open.insert(delivery.event);
            }
        }
        Ok(())
    }
}

/// Acknowledges an event in the outbox; one that is not there any more was acknowledged before.
pub(super) async fn acknowledged(
    ledger: &OpenLedger,
    event: &str,
    at: Instant,
) -> Result<(), CourierError> {
    let event = event.to_owned();
    let done = outbox(ledger, move |outbox| match outbox.acknowledge(&event, at) {
        Ok(_) | Err(OutboxFailed::Entry(OutboxError::Unknown { .. })) => Ok(()),
        Err(error) => Err(error),
    });
    done.await.map(drop)
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
