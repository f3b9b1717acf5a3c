//! Requests whose callers stop waiting for them, at any moment.

use std::future::{Future, IntoFuture};
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use custody_ledger::prelude::*;
use custody_ledger::request::balance::GetBalance;
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::testkit::{AppendFault, TestLedger};

use super::faults::{of_house, shop, transfer};

/// Polls at most so often, and drops the future then; whether it had an answer.
async fn dropped_after<F: Future>(polls: u32, future: F) -> bool {
    let mut future = pin!(future);
    for _ in 0..polls {
        let polled = future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        if polled.is_ready() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    false
}

/// The transfer of this number, asked until it has an answer.
async fn repeats(shop: &TestLedger, key: &ApiKey, request: &CreateTransfer) -> bool {
    let client = shop.ledger().client(key.clone());
    client.ask(request).await.unwrap().is_repeated()
}

#[tokio::test]
async fn a_request_dropped_at_any_await_is_done_once_or_not_at_all() {
    let (shop, key) = shop();
    for polls in 0..6 {
        let (request, client) = (transfer(polls), shop.ledger().client(key.clone()));
        let is_answered = dropped_after(polls, client.ask(&request).into_future()).await;
        // Never polled, it never began.
        let is_repeated = repeats(&shop, &key, &request).await;
        assert!(polls > 0 || !is_repeated, "nothing is asked before the first poll");
        assert!(is_repeated || !is_answered, "what was answered was done");
        let house = client.ask(&GetBalance::new(Party::House)).await.unwrap().answer;
        assert_eq!(house.available.cents(), 5_000 - 100 * i64::from(polls + 1));
    }
}

#[tokio::test]
async fn a_request_whose_answer_is_late_is_done_although_its_caller_has_gone() {
    let (shop, key) = shop();
    let client = shop.ledger().client(key.clone());
    shop.faults().at_next(AppendFault::Slow(Duration::from_millis(50)));
    let late = client.ask(&transfer(1)).into_future();
    assert!(tokio::time::timeout(Duration::from_millis(5), late).await.is_err());
    assert!(repeats(&shop, &key, &transfer(1)).await, "it was decided when its caller left");
}

#[test]
fn a_detached_request_is_done_whoever_waits() {
    let (shop, key) = shop();
    let client = shop.ledger().client(key.clone());
    drop(client.ask(&transfer(1)).spawn());
    let waited = client.ask(&transfer(2)).spawn();
    assert!(!waited.wait().unwrap().is_repeated());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        drop(client.ask(&transfer(3)).spawn());
        assert!(!client.ask(&transfer(4)).spawn().await.unwrap().is_repeated());
    });
    // What nobody waited for comes to its end, too.
    let all_done = || of_house(&shop, &key) == 5_000 - 400;
    let waits = std::time::Instant::now();
    while !all_done() && waits.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(all_done());
}
