//! The sandbox beside an engine: every flow of a test key walks to its end by itself, as the clock
//! goes.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

use std::sync::Arc;
use std::time::{Duration, Instant as Moment};

use ledger_core::contract::{Call, CallKind, Response};
use ledger_core::ledger::{Origin, invariants};
use ledger_core::time::Span;
use ledger_sim::{Sandbox, SandboxWorld};
use ledger_store::clock::{Clock, ManualClock, SystemClock};
use ledger_store::engine::Engine;
use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
use serde_json::{Value, json};

const BEGINS: &str = "2026-11-20T12:00:00Z";
const KEY: &str = "svc_test_loja";
const CPF: &str = "52998224725";
const WALLET: &str = "0x52908400098527886e0f7030069857d2e4169ee7";

/// A ledger of test keys that plays itself by this clock.
struct Trial<C> {
    engine: Arc<Engine>,
    clock: Arc<C>,
    world: SandboxWorld,
}

impl<C: Clock> Trial<C> {
    fn new(clock: C) -> Self {
        Self::over(&MemoryDisk::new(), Arc::new(clock))
    }

    fn over(disk: &MemoryDisk, clock: Arc<C>) -> Self {
        let journal = MemoryJournal::open(disk, "sandbox", OpenMode::create()).unwrap();
        let engine = Arc::new(Engine::builder("sandbox").start(Box::new(journal)).unwrap());
        let dated = Arc::clone(&clock) as Arc<dyn Clock>;
        let world = SandboxWorld::start(&engine, Sandbox::new(7), dated);
        let trial = Self { engine, clock, world };
        let terms = json!({ "sem_retencao": true, "liberacao": "imediata", "carencia_horas": 0 });
        let body = json!({ "id": "acc-1", "account": "loja", "terms": terms });
        trial.call(CallKind::Fact("account.opened".to_owned()), body, json!({ "key": KEY }));
        let body = json!({ "id": "pol-1", "payer_ladder": false });
        trial.call(CallKind::Fact("policy.adopted".to_owned()), body, Value::Null);
        trial
    }

    fn call(&self, ask: CallKind, body: Value, supplied: Value) -> Response {
        let (at, origin) = (self.clock.now(), Origin::Call);
        let call = Call { at, origin, ask, body, supplied, ip: None };
        self.engine.decide(self.world.sandbox().job(call)).wait().unwrap().response
    }

    fn ask(&self, request: &str, body: Value) -> Value {
        let (method, target) = request.split_once(' ').unwrap();
        let (method, target, key) = (method.to_owned(), target.to_owned(), Some(KEY.to_owned()));
        let answer = self.call(CallKind::Request { method, target, key }, body, Value::Null);
        assert!(answer.status < 300, "{request}: {}", answer.body);
        answer.body.into()
    }

    fn charge(&self, mut body: Value) -> String {
        body["payer_tax_number"] = CPF.into();
        let made = self.ask("POST /cashin/charge", body);
        made["cashin_id"].as_str().unwrap().to_owned()
    }

    fn pay(&self, charge: &str) {
        self.ask(&format!("POST /sandbox/cashin/{charge}/pay"), Value::Null);
    }

    fn status(&self, charge: &str, field: &str) -> String {
        let view = self.ask(&format!("GET /cashin/{charge}/status"), Value::Null);
        view[field].as_str().unwrap_or("none").to_owned()
    }

    /// An order of this amount, quoted and accepted.
    fn sell(&self, amount: &str) -> String {
        let body = json!({ "asset": "usdt", "network": "polygon", "amount": amount,
                           "pix_key": "bia@exemplo.com.br" });
        let made = self.ask("POST /cash-outs", body);
        let id = made["cashout_id"].as_str().unwrap().to_owned();
        let accepted = self.ask(&format!("POST /cash-outs/{id}/accept"), Value::Null);
        assert!(accepted["deposit_address"].as_str().unwrap().starts_with("sandbox-"), "COUT-13");
        id
    }

    fn state(&self, order: &str) -> String {
        let view = self.ask(&format!("GET /cash-outs/{order}"), Value::Null);
        view["state"].as_str().unwrap().to_owned()
    }

    fn records(&self) -> u64 {
        self.engine.head().unwrap().seq
    }

    fn holds(&self) {
        let checked = self.engine.decide(|sequencer| {
            let ledger = sequencer.ledger();
            invariants::check_all(&ledger.state, &ledger.archive).unwrap();
            invariants::check_statements(&ledger.state, &ledger.archive).unwrap();
        });
        checked.wait().unwrap();
    }
}

impl Trial<ManualClock> {
    fn begun() -> Self {
        Self::new(ManualClock::at(BEGINS).unwrap())
    }

    /// R$ 499.00 available, and a little later.
    fn funded() -> Self {
        let trial = Self::begun();
        let charge = trial.charge(json!({ "destino": "saldo", "amount_cents": 50_000 }));
        trial.pay(&charge);
        trial.later(1);
        trial
    }

    fn later(&self, seconds: u32) {
        self.clock.advance(Span::seconds(seconds));
        self.world.play_now().unwrap();
    }
}

#[test]
fn a_charge_that_is_paid_is_credited() {
    let trial = Trial::begun();
    let held = json!({ "destino": "saldo", "amount_cents": 10_000, "sandbox_scenario": "hold" });
    let charge = trial.charge(held);
    trial.pay(&charge);
    trial.later(10);
    assert_eq!(trial.status(&charge, "status"), "delayed");
    trial.later(60);
    assert_eq!(trial.status(&charge, "status"), "paid");
    trial.holds();
}

#[test]
fn a_purchase_is_delivered_in_fifteen_seconds() {
    let trial = Trial::begun();
    let bought = json!({ "amount_cents": 20_000, "asset": "usdt", "chain": "polygon",
                         "payout_address": WALLET });
    let charge = trial.charge(bought);
    trial.pay(&charge);
    trial.later(14);
    assert_ne!(trial.status(&charge, "settlement_status"), "sent");
    trial.later(1);
    assert_eq!(trial.status(&charge, "settlement_status"), "sent");
    trial.holds();
}

#[test]
fn a_payout_is_paid_in_fifteen_seconds() {
    let trial = Trial::funded();
    let body = json!({ "amount_cents": 10_000, "pix_key": "ana@exemplo.com.br",
                       "tax_number": CPF, "external_id": "p-1" });
    trial.ask("POST /payouts", body);
    let status =
        || trial.ask("GET /payouts?external_id=p-1", Value::Null)["payouts"][0]["status"].clone();
    trial.later(3);
    assert_eq!(status(), "submitted");
    trial.later(12);
    assert_eq!(status(), "completed");
    trial.holds();
}

#[test]
fn a_sale_of_each_ending_comes_to_its_end() {
    let trial = Trial::begun();
    let orders = ["100.00", "100.01", "100.02", "100.03", "100.05"].map(|it| trial.sell(it));
    let states = || orders.each_ref().map(|order| trial.state(order));
    trial.later(15);
    assert_eq!(states(), ["COMPLETED", "DELAYED", "FAILED", "EXPIRED", "AWAITING_DEPOSIT"]);
    trial.later(105);
    assert_eq!(states(), ["COMPLETED", "COMPLETED", "FAILED", "EXPIRED", "COMPLETED"]);
    trial.holds();
}

#[test]
fn a_deposit_fills_a_wallet_and_a_payment_from_it_is_made() {
    let trial = Trial::begun();
    trial.ask("GET /carteira-usdt", Value::Null);
    trial.ask("POST /carteira-usdt/deposits", json!({ "amount": "100" }));
    trial.later(15);
    let deposits = trial.ask("GET /carteira-usdt/deposits", Value::Null);
    assert_eq!(deposits["items"][0]["status"], "available");
    let body = json!({ "brl_amount": "50.02", "pix_key": "bia@exemplo.com.br" });
    let made = trial.ask("POST /carteira-usdt/payments", body);
    trial.later(15);
    let id = made["payment_id"].as_str().unwrap();
    let view = trial.ask(&format!("GET /carteira-usdt/payments/{id}"), Value::Null);
    assert_eq!(view["status"], "concluido");
    trial.holds();
}

#[test]
fn what_stopped_in_the_midst_goes_on_where_it_stood() {
    let disk = MemoryDisk::new();
    let clock = Arc::new(ManualClock::at(BEGINS).unwrap());
    let trial = Trial::over(&disk, Arc::clone(&clock));
    let order = trial.sell("100.00");
    trial.later(7);
    assert_eq!(trial.state(&order), "PROCESSING");
    trial.world.stop();
    trial.engine.stop().unwrap();

    let again = Trial::over(&disk, clock);
    again.later(8);
    assert_eq!(again.state(&order), "COMPLETED");
    again.holds();
}

#[test]
fn after_a_long_silence_what_was_due_meanwhile_comes_before_the_call() {
    let trial = Trial::begun();
    let order = trial.sell("100.00");
    trial.world.stop(); // Nobody plays while the clock goes on.
    trial.clock.advance(Span::hours(30));
    assert_eq!(trial.state(&order), "COMPLETED", "the quote did not lapse first");
    trial.holds();
}

#[test]
fn a_sandbox_at_rest_records_nothing() {
    let trial = Trial::begun();
    let order = trial.sell("100.00");
    trial.later(15);
    assert_eq!(trial.state(&order), "COMPLETED");
    let records = trial.records();
    for _ in 0..5 {
        trial.later(1);
    }
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(trial.records(), records);
}

/// The one test that waits: a script runs in real time beside an engine.
#[test]
fn in_real_time_a_sale_is_paid_in_about_fifteen_seconds() {
    let trial = Trial::new(SystemClock);
    let (order, begun) = (trial.sell("100.00"), Moment::now());
    while trial.state(&order) != "COMPLETED" {
        assert!(begun.elapsed() < Duration::from_secs(40), "it is not paid in time");
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(begun.elapsed() > Duration::from_secs(13), "it was paid too soon");
    trial.holds();
}
