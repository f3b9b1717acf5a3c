//! A bank behind futures, which pays once by the idempotency key, late, and fails on command.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ledger_store::provider::{
    Answer, AsyncProvider, Delivery, KeyHolder, KeyLookup, Order, OrderKind, Outcome,
    PixKeyToLookUp, PixPaid, ProviderRuntime, Report, SendPix, Transaction,
};

use crate::world::World;

#[derive(Clone, Default)]
pub struct Bank(Arc<Inside>);

impl std::ops::Deref for Bank {
    type Target = Inside;

    fn deref(&self) -> &Inside {
        &self.0
    }
}

#[derive(Default)]
pub struct Inside {
    books: Mutex<Books>,
    takes: Duration,
    flying: AtomicUsize,
    most_flying: AtomicUsize,
    /// How many futures hang for ever.
    pub hanging: AtomicUsize,
    panics_at_questions: AtomicBool,
}

#[derive(Default)]
struct Books {
    attempts: BTreeMap<String, u32>,
    /// The payouts over which it panics.
    panics: BTreeSet<String>,
    begun: Option<Instant>,
    ended: Vec<Instant>,
    hangs_at: Option<usize>,
    deliveries: Vec<String>,
    failing: u32,
    tells: Vec<Report>,
}

impl Bank {
    /// How many awaits a payment has.
    pub const AWAITS: usize = 3;

    pub fn answering_in(takes: Duration) -> Self {
        Self(Arc::new(Inside { takes, ..Inside::default() }))
    }

    pub fn runtime(&self) -> ProviderRuntime {
        ProviderRuntime::new(self.clone())
    }
}

impl Inside {
    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often it was asked to pay a payout.
    pub fn attempts(&self, payout: &str) -> u32 {
        self.books().attempts.get(payout).copied().unwrap_or_default()
    }

    pub fn panics_over(&self, payout: &str) {
        self.books().panics.insert(payout.to_owned());
    }

    pub fn begun(&self) -> Option<Instant> {
        self.books().begun
    }

    pub fn ended(&self) -> Vec<Instant> {
        self.books().ended.clone()
    }

    pub fn hangs_at(&self, await_number: usize) {
        self.books().hangs_at = Some(await_number);
    }

    pub fn deliveries(&self) -> Vec<String> {
        self.books().deliveries.clone()
    }

    pub fn fails_deliveries(&self, times: u32) {
        self.books().failing = times;
    }

    pub fn tells(&self, report: Report) {
        self.books().tells.push(report);
    }

    pub fn untold(&self) -> usize {
        self.books().tells.len()
    }

    pub fn flying(&self) -> usize {
        self.flying.load(Ordering::SeqCst)
    }

    pub fn most_flying(&self) -> usize {
        self.most_flying.load(Ordering::SeqCst)
    }

    pub fn panics_at_questions(&self) {
        self.panics_at_questions.store(true, Ordering::SeqCst);
    }

    /// An await, at which a future hangs for ever where that is said.
    async fn step(&self, number: usize) {
        let hangs = self.books().hangs_at == Some(number);
        if hangs {
            self.hanging.fetch_add(1, Ordering::SeqCst);
            std::future::pending::<()>().await;
        }
        tokio::task::yield_now().await;
    }
}

/// Counts a future as long as it lives.
struct Flight<'a>(&'a Inside);

impl<'a> Flight<'a> {
    fn begin(bank: &'a Inside) -> Self {
        let flying = bank.flying.fetch_add(1, Ordering::SeqCst) + 1;
        bank.most_flying.fetch_max(flying, Ordering::SeqCst);
        bank.books().begun.get_or_insert_with(Instant::now);
        Self(bank)
    }
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        self.0.flying.fetch_sub(1, Ordering::SeqCst);
    }
}

impl AsyncProvider for Bank {
    async fn key_holder(&self, _: &PixKeyToLookUp<'_>) -> Answer<KeyLookup> {
        tokio::time::sleep(self.takes).await;
        assert!(!self.panics_at_questions.load(Ordering::SeqCst), "the directory broke");
        let name = Some("Bia".to_owned());
        Answer::Known(KeyLookup::Held(KeyHolder { name, ..KeyHolder::default() }))
    }

    fn carries_out(&self, kind: OrderKind) -> bool {
        matches!(kind, OrderKind::SendPix | OrderKind::Deliver)
    }

    async fn send_pix(&self, order: &Order<SendPix>) -> Outcome<PixPaid> {
        let _flight = Flight::begin(self);
        let (key, payout) = (order.idempotency_key.clone(), order.operation.clone());
        *self.books().attempts.entry(payout.clone()).or_default() += 1;
        self.step(0).await;
        tokio::time::sleep(self.takes).await;
        self.step(1).await;
        let panics = self.books().panics.contains(&payout);
        assert!(!panics, "the connection broke after the PIX had left");
        self.step(2).await;
        self.books().ended.push(Instant::now());
        Outcome::Done(PixPaid::new(World::e2e(&key)))
    }

    async fn deliver(&self, order: &Order<Delivery>) -> Outcome<Transaction> {
        let _flight = Flight::begin(self);
        tokio::time::sleep(self.takes).await;
        let mut books = self.books();
        books.deliveries.push(order.idempotency_key.clone());
        if books.failing > 0 {
            books.failing -= 1;
            return Outcome::Failed;
        }
        Outcome::Done(Transaction { hash: format!("0x{}", order.attempt) })
    }

    async fn poll(&self) -> Vec<Report> {
        self.books().tells.clone()
    }

    async fn confirm(&self, report: &Report) {
        self.books().tells.retain(|told| told != report);
    }
}
