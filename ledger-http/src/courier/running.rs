//! The loop of the courier, on threads of its own: takes what is new, attempts what is due, and
//! ends what is under way before it stops.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant as Clock};

use ledger_core::contract::Environment;
use ledger_core::time::{Instant, Span};
use tokio::task::JoinSet;

use super::attempt::Courier;
use super::intake::Intake;
use super::rotation::Rotations;
use super::tables::delivery::{Delivery, DeliveryState};
use super::webhooks::CourierError;
use crate::ledgers::OpenLedger;
use crate::server::{Background, Ended};
use crate::service::Service;

/// A look rests so many times as long as it took, at least: a long outbox takes no more of the
/// database than this.
const RESTS: u32 = 10;

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
type Place = (Environment, String);

struct Loop {
    courier: Courier,
    /// By the label of the ledger.
    intakes: HashMap<String, Intake>,
    rotations: Rotations,
    under_way: JoinSet<(Place, String)>,
    events: HashSet<Place>,
    accounts: HashMap<(Environment, String), usize>,
    pruned: Option<Instant>,
}

impl Loop {
    fn new(courier: Courier) -> Self {
        Self {
            courier,
            intakes: HashMap::new(),
            rotations: Rotations::default(),
            under_way: JoinSet::new(),
            events: HashSet::new(),
            accounts: HashMap::new(),
            pruned: None,
        }
    }

    async fn run(mut self, mut ended: Ended) {
        let look = self.courier.webhooks.settings().look;
        loop {
            let began = Clock::now();
            // A ledger or a database that is away now is asked again at the next look.
            let _ = self.looked().await;
            let rest = look.max(began.elapsed() * RESTS);
            if self.rested(rest, &mut ended).await {
                break;
            }
        }
        while let Some(done) = self.under_way.join_next().await {
            self.left(done);
        }
    }

    /// Waits until there is something to do; says whether it is to end.
    async fn rested(&mut self, rest: Duration, ended: &mut Ended) -> bool {
        let webhooks = self.courier.webhooks.clone();
        tokio::select! {
            () = ended.wait() => return true,
            () = tokio::time::sleep(rest) => {}
            () = webhooks.woken() => {}
            Some(done) = self.under_way.join_next() => self.left(done),
        }
        while let Some(done) = self.under_way.try_join_next() {
            self.left(done);
        }
        false
    }

    /// Takes what is new and begins what is due, ledger by ledger: one that is away keeps no other
    /// waiting.
    async fn looked(&mut self) -> Result<(), CourierError> {
        let service = self.courier.service.clone();
        let mut looked = Ok(());
        for environment in Environment::ALL {
            for ledger in service.ledgers().each_of(environment) {
                looked = looked.and(self.taken(ledger).await);
            }
            looked = looked.and(self.of(environment).await);
        }
        looked
    }

    /// Takes what is new of a ledger.
    async fn taken(&mut self, ledger: &OpenLedger) -> Result<(), CourierError> {
        let (service, webhooks) = (self.courier.service.clone(), self.courier.webhooks.clone());
        if ledger.outbox().is_none() {
            return Ok(());
        }
        let (its, now) = ((service.ledgers(), ledger), service.now());
        self.rotations.watch(&webhooks, its, now).await?;
        let intake = self.intakes.entry(ledger.label().to_owned()).or_default();
        while intake.take(&webhooks, its, now).await? {}
        Ok(())
    }

    /// Begins what is due of an environment.
    async fn of(&mut self, environment: Environment) -> Result<(), CourierError> {
        let service = self.courier.service.clone();
        if service.ledgers().each_of(environment).all(|ledger| ledger.outbox().is_none()) {
            return Ok(());
        }
        let now = service.now();
        self.begin_due(environment, now).await?;
        self.count(environment).await?;
        self.prune(now).await
    }

    /// Begins as many of the attempts that are due as there is room for.
    async fn begin_due(
        &mut self,
        environment: Environment,
        now: Instant,
    ) -> Result<(), CourierError> {
        let (at_once, per_account) = {
            let settings = self.courier.webhooks.settings();
            (settings.at_once, settings.per_account)
        };
        while self.under_way.len() < at_once {
            let busy: Vec<String> = self
                .accounts
                .iter()
                .filter(|((of, _), count)| *of == environment && per_account <= **count)
                .map(|((_, account), _)| account.clone())
                .collect();
            let (ledger, limit) = (environment.name(), 2 * at_once);
            let due =
                self.courier.webhooks.stored(move |store| store.due(ledger, now, &busy, limit));
            let mut begun = false;
            for delivery in due.await? {
                begun |= self.begin(environment, delivery);
            }
            if !begun {
                break;
            }
        }
        Ok(())
    }

    /// Begins an attempt, where there is room for it and it is not under way.
    fn begin(&mut self, environment: Environment, delivery: Delivery) -> bool {
        let settings = self.courier.webhooks.settings();
        let place = (environment, delivery.event.clone());
        let account = (environment, delivery.account.clone());
        let its = self.accounts.get(&account).copied().unwrap_or_default();
        let full = settings.at_once <= self.under_way.len() || settings.per_account <= its;
        if full || !self.events.insert(place.clone()) {
            return false;
        }
        *self.accounts.entry(account).or_default() += 1;
        let (courier, name) = (self.courier.clone(), delivery.account.clone());
        self.under_way.spawn(async move {
            // What was not written down is due again.
            let _ = courier.deliver(environment, delivery).await;
            (place, name)
        });
        true
    }

    /// Makes room after an attempt.
    fn left(&mut self, done: Result<(Place, String), tokio::task::JoinError>) {
        let Ok((place, name)) = done else {
            // Whose attempt panicked is not known: what is not under way may be attempted again.
            if self.under_way.is_empty() {
                self.events.clear();
                self.accounts.clear();
            }
            return;
        };
        let account = (place.0, name);
        self.events.remove(&place);
        if let Some(count) = self.accounts.get_mut(&account) {
            *count -= 1;
            if *count == 0 {
                self.accounts.remove(&account);
            }
        }
    }

    async fn count(&self, environment: Environment) -> Result<(), CourierError> {
        let ledger = environment.name();
        let counts = self.courier.webhooks.stored(move |store| store.counts(ledger)).await?;
        let metrics = self.courier.service.metrics();
        for state in [DeliveryState::Queued, DeliveryState::Retrying] {
            let found = counts.iter().find(|(name, _)| name == state.name());
            metrics.note_waiting(environment, state.name(), found.map_or(0, |(_, count)| *count));
        }
        Ok(())
    }

    async fn prune(&mut self, now: Instant) -> Result<(), CourierError> {
        if self.pruned.is_some_and(|pruned| now < pruned.after(PRUNING)) {
            return Ok(());
        }
        for environment in Environment::ALL {
            let ledger = environment.name();
            self.courier.webhooks.stored(move |store| store.prune(ledger, now)).await?;
        }
        self.pruned = Some(now);
        Ok(())
    }
}
