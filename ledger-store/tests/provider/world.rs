//! A world that fails on command, and does everything once by its idempotency key.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ledger_store::provider::{
    Answer, CryptoAmount, Delivery, DepositAddress, DepositToTake, KeyLookup, Order, OrderKind,
    Outcome, PixKeyToLookUp, PixPaid, Provider, Refund, Report, Sale, SendPix, Sold, Transaction,
};

/// A PIX that left.
#[derive(Clone, Debug)]
pub struct Sent {
    pub key: String,
    pub pix_key: String,
    pub cents: i64,
}

#[derive(Default)]
pub struct World(Mutex<Inside>);

#[derive(Default)]
struct Inside {
    sent: Vec<Sent>,
    send_attempts: BTreeMap<String, u32>,
    says: BTreeMap<String, VecDeque<Outcome<PixPaid>>>,
    panics: BTreeMap<String, u32>,
    tells: Vec<Report>,
    when_sent: Option<Box<dyn FnOnce() + Send>>,
    failing: u32,
    deliveries: Vec<String>,
    sales: Vec<String>,
    refunds: Vec<String>,
    only_pix: bool,
    takes: Duration,
    holder: Option<Answer<KeyLookup>>,
    lookups: u32,
}

impl World {
    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn sent(&self) -> Vec<Sent> {
        self.inside().sent.clone()
    }

    pub fn deliveries(&self) -> Vec<String> {
        self.inside().deliveries.clone()
    }

    pub fn sales(&self) -> Vec<String> {
        self.inside().sales.clone()
    }

    pub fn refunds(&self) -> Vec<String> {
        self.inside().refunds.clone()
    }

    pub fn lookups(&self) -> u32 {
        self.inside().lookups
    }

    pub fn untold(&self) -> usize {
        self.inside().tells.len()
    }

    /// How often it was asked to send the PIX of a payout.
    pub fn send_attempts(&self, payout: &str) -> u32 {
        self.inside().send_attempts.get(payout).copied().unwrap_or_default()
    }

    pub fn says(&self, payout: &str, outcomes: impl IntoIterator<Item = Outcome<PixPaid>>) {
        self.inside().says.insert(payout.to_owned(), outcomes.into_iter().collect());
    }

    pub fn panics(&self, payout: &str, times: u32) {
        self.inside().panics.insert(payout.to_owned(), times);
    }

    pub fn tells(&self, report: Report) {
        self.inside().tells.push(report);
    }

    pub fn when_sent(&self, work: impl FnOnce() + Send + 'static) {
        self.inside().when_sent = Some(Box::new(work));
    }

    pub fn fails_deliveries(&self, times: u32) {
        self.inside().failing = times;
    }

    pub fn only_pix(&self) {
        self.inside().only_pix = true;
    }

    pub fn takes(&self, time: Duration) {
        self.inside().takes = time;
    }

    pub fn knows(&self, answer: Answer<KeyLookup>) {
        self.inside().holder = Some(answer);
    }

    /// The end-to-end id of what leaves under a key.
    pub fn e2e(key: &str) -> String {
        let id = key.split(':').next().unwrap_or(key);
        let digits = &id[id.len() - 11..];
        format!("E90400888202611201200{digits}")
    }
}

impl Provider for World {
    fn key_holder(&self, _: &PixKeyToLookUp<'_>) -> Answer<KeyLookup> {
        let mut inside = self.inside();
        inside.lookups += 1;
        inside.holder.clone().unwrap_or(Answer::Unknown)
    }

    fn deposit_address(&self, deposit: &DepositToTake<'_>) -> Answer<DepositAddress> {
        assert_eq!((deposit.account, deposit.asset), (Some("loja"), Some("usdt")));
        assert_eq!(deposit.amount, Some("20.000000"));
        let address = format!("0x{}", "5a".repeat(20));
        Answer::Known(DepositAddress { address, tag: None })
    }

    fn carries_out(&self, kind: OrderKind) -> bool {
        kind == OrderKind::SendPix || !self.inside().only_pix
    }

    fn send_pix(&self, order: &Order<SendPix>) -> Outcome<PixPaid> {
        let (key, payout) = (order.idempotency_key.clone(), order.operation.clone());
        let mut inside = self.inside();
        *inside.send_attempts.entry(payout.clone()).or_default() += 1;
        let said = inside.says.get_mut(&payout).and_then(VecDeque::pop_front);
        let leaves = matches!(said, None | Some(Outcome::Done(_)));
        if leaves && !inside.sent.iter().any(|sent| sent.key == key) {
            let pix_key = order.what.pix_key.clone().unwrap_or_default();
            let cents = order.what.amount.cents();
            inside.sent.push(Sent { key: key.clone(), pix_key, cents });
        }
        let (then, pause) = (inside.when_sent.take(), inside.takes);
        let left = inside.panics.entry(payout).or_default();
        let panics = std::mem::replace(left, left.saturating_sub(1)) > 0;
        drop(inside);
        std::thread::sleep(pause);
        if let Some(work) = then {
            work();
        }
        assert!(!panics, "the connection broke after the PIX had left");
        said.unwrap_or_else(|| Outcome::Done(PixPaid::new(Self::e2e(&key))))
    }

    fn deliver(&self, order: &Order<Delivery>) -> Outcome<Transaction> {
        let mut inside = self.inside();
        inside.deliveries.push(order.idempotency_key.clone());
        if inside.failing > 0 {
            inside.failing -= 1;
            return Outcome::Failed;
        }
        Outcome::Done(Transaction { hash: format!("0x{}", order.attempt) })
    }

    fn sell(&self, order: &Order<Sale>) -> Outcome<Sold> {
        self.inside().sales.push(order.idempotency_key.clone());
        let (asset, network) = ("usdt".to_owned(), "polygon".to_owned());
        Outcome::Done(Sold::Crypto(CryptoAmount { asset, network, amount: "19.4".to_owned() }))
    }

    fn refund(&self, order: &Order<Refund>) -> Outcome<Transaction> {
        assert_eq!(order.what.coins.asset, "usdt");
        self.inside().refunds.push(order.idempotency_key.clone());
        Outcome::Done(Transaction { hash: "0xr1".to_owned() })
    }

    fn poll(&self) -> Vec<Report> {
        self.inside().tells.clone()
    }

    fn confirm(&self, report: &Report) {
        let mut inside = self.inside();
        if let Some(place) = inside.tells.iter().position(|told| told == report) {
            inside.tells.remove(place);
        }
    }
}
