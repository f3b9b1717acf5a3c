//! Orders in flight: futures of an asynchronous provider, which hold no thread.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use ledger_store::provider::{BackOff, Driver, DriverBuilder, ProviderRuntime, Report};
use serde_json::json;
use tokio::runtime::{Builder, Runtime};

use crate::async_bank::Bank;
use crate::driven::{Stage, until};
use crate::world::World;

const ANSWERS_IN: Duration = Duration::from_millis(300);

fn builder(bank: impl Into<ProviderRuntime>) -> DriverBuilder {
    let soon = Duration::from_millis(20);
    let back_off = BackOff { first: soon, most: Duration::from_millis(200) };
    Driver::async_builder(bank).every(soon).poll_every(soon).back_off(back_off)
}

fn drive(stage: &Stage, bank: &Bank) -> Driver {
    builder(bank.clone()).start(&stage.engine(), stage.clock(), stage.outbox())
}

/// A runtime of a service's, whose futures end with it.
fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

/// The threads of this process.
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

#[test]
fn a_thousand_orders_of_a_bank_that_takes_300_ms_end_together_and_hold_no_threads() {
    let (stage, bank) = (Stage::new(), Bank::answering_in(ANSWERS_IN));
    let ids = stage.payouts(1_000, 50);
    let before = threads();
    let driver = drive(&stage, &bank);
    until(|| bank.flying() > 500);
    let during = threads();
    let latest = || bank.ended().into_iter().max();
    until(|| bank.ended().len() == ids.len());
    let took = latest().unwrap().duration_since(bank.begun().unwrap());
    // Other tests run beside this one, and have some threads.
    assert!(during < before + 200, "{before} threads became {during}");
    assert!(took < ANSWERS_IN + Duration::from_millis(900), "{took:?}");
    println!("1,000 orders of 300 ms took {took:?}, {} at once", bank.most_flying());
    until(|| stage.pending() == 0);
    driver.stop();
    assert!(ids.iter().all(|id| bank.attempts(id) == 1));
    assert!(ids.iter().all(|id| stage.payout_status(id) == "completed"));
    stage.holds();
}

#[test]
fn no_more_are_in_flight_than_is_set() {
    let (stage, bank) = (Stage::new(), Bank::answering_in(Duration::from_millis(10)));
    let ids = stage.payouts(40, 100);
    let driver = builder(bank.clone()).in_flight(3);
    let driver = driver.start(&stage.engine(), stage.clock(), stage.outbox());
    until(|| stage.pending() == 0);
    driver.stop();
    assert_eq!((bank.most_flying(), bank.ended().len()), (3, ids.len()));
    stage.holds();
}

#[test]
fn a_future_that_panics_is_an_unknown_outcome_and_delays_no_other() {
    let (stage, bank) = (Stage::new(), Bank::answering_in(Duration::from_millis(5)));
    let ids = stage.payouts(8, 1_000);
    let held = stage.available();
    bank.panics_over(&ids[0]);
    let driver = drive(&stage, &bank);
    until(|| stage.pending() == 0);
    driver.stop();
    assert_eq!((bank.attempts(&ids[0]), &*stage.payout_status(&ids[0])), (1, "uncertain"));
    assert!(ids[1..].iter().all(|id| stage.payout_status(id) == "completed"));
    assert_eq!(stage.available(), held, "the money is neither back nor gone");
    stage.holds();
}

#[test]
fn a_future_that_is_dropped_at_any_await_is_an_unknown_outcome() {
    for at in 0..Bank::AWAITS {
        let (stage, bank, runtime) = (Stage::new(), Bank::default(), runtime());
        let id = stage.payout("p-1", 5_000);
        bank.hangs_at(at);
        let provider = ProviderRuntime::with_handle(bank.clone(), runtime.handle().clone());
        let driver = builder(provider).start(&stage.engine(), stage.clock(), stage.outbox());
        until(|| bank.hanging.load(Ordering::SeqCst) == 1);
        assert_eq!(stage.payout_status(&id), "requested", "await {at}");
        runtime.shutdown_background();
        until(|| stage.payout_status(&id) == "uncertain");
        until(|| stage.pending() == 0);
        driver.stop();
        assert_eq!(bank.attempts(&id), 1, "await {at}");
        stage.holds();
    }
}

#[test]
fn an_order_that_no_runtime_began_is_not_unknown_and_is_asked_for_again() {
    let (mut stage, bank, runtime) = (Stage::new(), Bank::default(), runtime());
    let provider = ProviderRuntime::with_handle(bank.clone(), runtime.handle().clone());
    let driver = builder(provider).start(&stage.engine(), stage.clock(), stage.outbox());
    runtime.shutdown_background();
    let id = stage.payout("p-1", 5_000);
    std::thread::sleep(Duration::from_millis(200));
    driver.stop();
    assert_eq!((bank.attempts(&id), &*stage.payout_status(&id)), (0, "requested"));

    stage.reopen();
    let driver = drive(&stage, &bank);
    until(|| stage.payout_status(&id) == "completed");
    driver.stop();
    assert_eq!((bank.attempts(&id), stage.pending()), (1, 0));
    stage.holds();
}

#[test]
fn stopping_waits_for_what_is_in_flight_and_begins_nothing_more() {
    let (stage, bank) = (Stage::new(), Bank::answering_in(ANSWERS_IN));
    let ids = stage.payouts(30, 100);
    let driver = builder(bank.clone()).in_flight(5);
    let driver = driver.start(&stage.engine(), stage.clock(), stage.outbox());
    until(|| bank.flying() == 5);
    driver.stop();
    let ended = bank.ended().len();
    let completed = ids.iter().filter(|id| stage.payout_status(id) == "completed").count();
    assert!(ended < ids.len(), "the others wait for whoever goes on");
    assert_eq!((ended, completed, stage.pending()), (ended, ended, ids.len() - ended));
    stage.holds();
}

#[test]
fn orders_of_one_operation_fly_one_after_the_other() {
    let (stage, bank) = (Stage::new(), Bank::answering_in(Duration::from_millis(20)));
    let id = stage.withdraws_crypto("s-1", 20_000);
    bank.fails_deliveries(2);
    let driver = drive(&stage, &bank);
    until(|| stage.settlement(&id) == "sent");
    until(|| stage.pending() == 0);
    driver.stop();
    let keys: Vec<String> = (1..=3).map(|n| format!("{id}:deliver:{n}")).collect();
    assert_eq!((bank.deliveries(), bank.most_flying()), (keys, 1));
    stage.holds();
}

#[test]
fn what_it_tells_by_itself_is_in_the_books_once_and_confirmed() {
    let (stage, bank) = (Stage::new(), Bank::default());
    let id = stage.payout("p-1", 5_000);
    let paid = json!({ "payout_id": id, "e2e": World::e2e(&format!("{id}:send")) });
    bank.tells(Report::new("payout.paid", paid.clone()));
    let driver = drive(&stage, &bank);
    until(|| stage.payout_status(&id) == "completed" && bank.untold() == 0);
    let told = runtime().block_on(driver.reports().tell_async(&Report::new("payout.paid", paid)));
    assert!(told.is_ok(), "{told:?}");
    until(|| stage.pending() == 0);
    driver.stop();
    stage.holds();
}

#[test]
fn a_service_waits_at_no_thread_for_answers_and_drops_a_question_at_will() {
    let (stage, bank) = (Stage::new(), Bank::answering_in(ANSWERS_IN));
    let supplier = Arc::new(ledger_store::provider::Supplier::from(bank.runtime()));
    let lookup = || {
        let target = "GET /pix/keys/lookup?key=bia@exemplo.com.br";
        Stage::request("svc_live_loja", target, json!({}))
    };
    let service = Builder::new_current_thread().enable_all().max_blocking_threads(1).build();
    let began = Instant::now();
    service.unwrap().block_on(async {
        let tasks = (0..100).map(|_| {
            let (supplier, engine, mut call) = (Arc::clone(&supplier), stage.engine(), lookup());
            tokio::spawn(async move {
                supplier.supply_async(&engine, &mut call).await.unwrap();
                call.supplied["lookup"]["name"].as_str().map(str::to_owned)
            })
        });
        for task in tasks.collect::<Vec<_>>() {
            assert_eq!(task.await.unwrap().as_deref(), Some("Bia"));
        }
        let (engine, mut call) = (stage.engine(), lookup());
        let asked = supplier.supply_async(&engine, &mut call);
        assert!(tokio::time::timeout(Duration::from_millis(50), asked).await.is_err());
        assert!(call.supplied.is_null(), "the call is as it was");
    });
    assert!(began.elapsed() < ANSWERS_IN + Duration::from_millis(900), "{:?}", began.elapsed());
    // On a plain thread the same supplier blocks.
    let mut call = lookup();
    supplier.supply(&stage.engine(), &mut call).unwrap();
    assert_eq!(call.supplied["lookup"]["name"], "Bia");
    bank.panics_at_questions();
    let mut call = lookup();
    assert!(supplier.supply(&stage.engine(), &mut call).is_err());
    assert!(call.supplied.is_null(), "whoever asked goes on without it");
}
