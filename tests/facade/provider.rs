//! A ledger with a provider: supplied, carried out, told; and a sandbox that plays itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use custody_ledger::fact::charge::PixReceived;
use custody_ledger::prelude::{Document, ExternalId, PixKey};
use custody_ledger::provider::{
    Answer, AsyncProvider, ChargeAnswer, ChargeToIssue, KeyHolder, KeyLookup, Order, OrderKind,
    Outcome, PixKeyToLookUp, PixPaid, Provider, QrCode, Report, SendPix, report_of,
};
use custody_ledger::request::charge::{CreateCharge, CreateChargeDestination};
use custody_ledger::request::payout::{CreatePayout, ListPayouts};
use custody_ledger::view::PayoutStatus;
use custody_ledger::{Code, Ledger, Pending};

use super::shop::{CPF, Shop, amount, ana, e2e};

/// Issues codes, knows every key as one person's, and pays.
#[derive(Clone, Default)]
struct Bank {
    codes: Arc<AtomicU32>,
    sent: Arc<AtomicU32>,
    told: Arc<AtomicU32>,
}

impl Provider for Bank {
    fn qr_code(&self, charge: &ChargeToIssue<'_>) -> Answer<ChargeAnswer> {
        self.codes.fetch_add(1, Ordering::Relaxed);
        assert_eq!(charge.account, Some("loja"));
        let copypaste = format!("code of {}", charge.external_id.unwrap_or_default());
        Answer::Known(ChargeAnswer::Issued(QrCode { copypaste, image_url: None }))
    }

    fn key_holder(&self, key: &PixKeyToLookUp<'_>) -> Answer<KeyLookup> {
        assert_eq!(key.key, "a@example.com");
        let document = Some(CPF.to_owned());
        Answer::Known(KeyLookup::Held(KeyHolder { document, ..KeyHolder::default() }))
    }

    fn carries_out(&self, kind: OrderKind) -> bool {
        kind == OrderKind::SendPix
    }

    fn send_pix(&self, order: &Order<SendPix>) -> Outcome<PixPaid> {
        let number = self.sent.fetch_add(1, Ordering::Relaxed);
        assert_eq!(order.what.pix_key.as_deref(), Some("a@example.com"));
        Outcome::Done(PixPaid::new(format!("E90400888202611201201{number:011}")))
    }

    fn poll(&self) -> Vec<Report> {
        let received = PixReceived::new(e2e(77), amount(700));
        let told = self.told.load(Ordering::Relaxed) > 0;
        if told { Vec::new() } else { vec![report_of(&received)] }
    }

    fn confirm(&self, _: &Report) {
        self.told.fetch_add(1, Ordering::Relaxed);
    }
}

/// The same bank behind futures; over one charge it panics.
#[derive(Clone, Default)]
struct AsyncBank(Bank);

impl AsyncProvider for AsyncBank {
    async fn qr_code(&self, charge: &ChargeToIssue<'_>) -> Answer<ChargeAnswer> {
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert_ne!(charge.external_id, Some("c-panics"), "the bank's answer is malformed");
        self.0.qr_code(charge)
    }

    async fn key_holder(&self, key: &PixKeyToLookUp<'_>) -> Answer<KeyLookup> {
        self.0.key_holder(key)
    }

    fn carries_out(&self, kind: OrderKind) -> bool {
        self.0.carries_out(kind)
    }

    async fn send_pix(&self, order: &Order<SendPix>) -> Outcome<PixPaid> {
        tokio::time::sleep(Duration::from_millis(5)).await;
        self.0.send_pix(order)
    }

    async fn poll(&self) -> Vec<Report> {
        self.0.poll()
    }

    async fn confirm(&self, report: &Report) {
        self.0.confirm(report);
    }
}

fn store(folder: &tempfile::TempDir) -> String {
    format!("sqlite:{}", folder.path().join("ledger.db").display())
}

fn wait<T: Send + 'static>(pending: Pending<T>) -> T {
    pending.wait()
}

fn awaited<T: Send + 'static>(pending: Pending<T>) -> T {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async { pending.await })
}

fn until(is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(30), "it never came to be so");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn charge(id: &str) -> CreateCharge {
    let (payer, id) = (Document::new(CPF).unwrap(), ExternalId::new(id).unwrap());
    let charge = CreateCharge::new(amount(1_000), payer, ana(), id);
    charge.destination(CreateChargeDestination::Balance)
}

#[test]
fn a_charge_has_the_code_that_the_provider_issues_asked_by_thread_or_task() {
    let (folder, bank) = (tempfile::tempdir().unwrap(), Bank::default());
    let shop = Shop::built(Ledger::builder(store(&folder)).provider(bank.clone()));
    let by_thread = wait(shop.loja.ask(&charge("c-1"))).unwrap();
    let by_task = awaited(shop.loja.ask(&charge("c-2"))).unwrap();
    assert_eq!(by_thread.answer.qr_copypaste.as_deref(), Some("code of c-1"));
    assert_eq!(by_task.answer.qr_copypaste.as_deref(), Some("code of c-2"));
    // What a request brings itself nobody is asked for.
    let brought = charge("c-3").qr_copypaste("mine".try_into().unwrap());
    let brought = wait(shop.loja.ask(&brought)).unwrap();
    assert_eq!(brought.answer.qr_copypaste.as_deref(), Some("mine"));
    assert_eq!(bank.codes.load(Ordering::Relaxed), 2);
}

#[test]
fn a_bank_of_futures_is_awaited_and_its_panic_is_not_the_callers() {
    let (folder, bank) = (tempfile::tempdir().unwrap(), AsyncBank::default());
    let builder = Ledger::builder(store(&folder)).async_provider(bank.clone());
    let most = 50;
    let shop = Shop::built(builder.configure_driver(move |driver| driver.in_flight(most)));
    let by_thread = wait(shop.loja.ask(&charge("c-1"))).unwrap();
    let by_task = awaited(shop.loja.ask(&charge("c-2"))).unwrap();
    assert_eq!(by_thread.answer.qr_copypaste.as_deref(), Some("code of c-1"));
    assert_eq!(by_task.answer.qr_copypaste.as_deref(), Some("code of c-2"));
    for refused in
        [wait(shop.loja.ask(&charge("c-panics"))), awaited(shop.loja.ask(&charge("c-panics")))]
    {
        let refusal = refused.unwrap_err();
        assert_eq!(refusal.refusal().unwrap().code(), Some(Code::ProviderSilent), "{refusal}");
    }
    shop.collect(&ana(), 10_000, 1);
    let (document, key) = (Document::new(CPF).unwrap(), PixKey::new("a@example.com").unwrap());
    let id = ExternalId::new("p-1").unwrap();
    let payout = CreatePayout::new(amount(1_000), ana(), document, key, id.clone());
    awaited(shop.loja.ask(&payout)).unwrap();
    let listed = ListPayouts::new(id);
    let status = || wait(shop.loja.ask(&listed)).unwrap().answer.payouts[0].status.clone();
    until(|| status() == PayoutStatus::Completed);
    until(|| bank.0.told.load(Ordering::Relaxed) == 1);
    shop.ledger.shutdown().unwrap();
    assert_eq!(bank.0.sent.load(Ordering::Relaxed), 1);
}

#[test]
fn a_payout_is_proven_sent_and_told_and_what_the_provider_tells_is_taken() {
    let (folder, bank) = (tempfile::tempdir().unwrap(), Bank::default());
    let shop = Shop::built(Ledger::builder(store(&folder)).provider(bank.clone()));
    shop.collect(&ana(), 10_000, 1);
    let (document, key) = (Document::new(CPF).unwrap(), PixKey::new("a@example.com").unwrap());
    let id = ExternalId::new("p-1").unwrap();
    let payout = CreatePayout::new(amount(1_000), ana(), document, key, id.clone());
    wait(shop.loja.ask(&payout)).unwrap();
    let listed = ListPayouts::new(id);
    let status = || wait(shop.loja.ask(&listed)).unwrap().answer.payouts[0].status.clone();
    until(|| status() == PayoutStatus::Completed);
    until(|| bank.told.load(Ordering::Relaxed) == 1);
    shop.ledger.shutdown().unwrap();
    assert_eq!(bank.sent.load(Ordering::Relaxed), 1);

    // Opened again, it sends nothing that it sent.
    let again = Shop::built(Ledger::builder(store(&folder)).provider(bank.clone()));
    std::thread::sleep(Duration::from_millis(500));
    again.ledger.shutdown().unwrap();
    assert_eq!(bank.sent.load(Ordering::Relaxed), 1);
}
