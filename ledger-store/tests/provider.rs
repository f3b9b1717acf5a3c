//! A provider at work: each order reaches the world once by its key, whatever fails between, and
//! the ledger comes to rest.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

#[path = "provider/async_bank.rs"]
mod async_bank;
#[path = "provider/driven.rs"]
mod driven;
#[path = "provider/in_flight.rs"]
mod in_flight;
#[path = "provider/killed.rs"]
mod killed;
#[path = "provider/world.rs"]
mod world;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ledger_store::engine::EngineStatus;
use ledger_store::provider::{Answer, BackOff, KeyHolder, KeyLookup, Outcome, PixPaid, Report};
use ledger_store::sequencer::HandOut;
use serde_json::json;

use driven::{Stage, until};
use world::World;

#[test]
fn a_payout_is_sent_once_with_its_whole_key_and_its_payment_told() {
    let (stage, world) = (Stage::new(), Arc::new(World::default()));
    let id = stage.payout("p-1", 5_000);
    let driver = stage.drive(&world);
    until(|| stage.payout_status(&id) == "completed");
    driver.stop();
    let sent = world.sent();
    assert_eq!(sent.len(), 1);
    assert_eq!((sent[0].cents, &*sent[0].pix_key), (5_000, "ana@exemplo.com.br"));
    assert_eq!(sent[0].key, format!("{id}:send"));
    assert_eq!(stage.pending(), 0);
    stage.holds();
}

#[test]
fn an_outcome_that_nobody_knows_is_told_as_that_and_waits_for_evidence() {
    let (stage, world) = (Stage::new(), Arc::new(World::default()));
    let id = stage.payout("p-1", 5_000);
    let held = stage.available();
    world.says(&id, [Outcome::Unknown]);
    let driver = stage.drive(&world);
    until(|| stage.payout_status(&id) == "uncertain");
    until(|| stage.pending() == 0);
    driver.stop();
    // The money is neither back nor gone, and nobody is asked again.
    assert_eq!((world.send_attempts(&id), stage.available()), (1, held));
    stage.holds();
}

#[test]
fn one_that_fails_delays_its_own_operation_and_no_other() {
    let (stage, world) = (Stage::new(), Arc::new(World::default()));
    let late = stage.payout("p-1", 1_000);
    let others: Vec<String> = (2..=9).map(|n| stage.payout(&format!("p-{n}"), 1_000)).collect();
    world.says(&late, (0..3).map(|_| Outcome::NotNow));
    let slow = BackOff { first: Duration::from_millis(300), most: Duration::from_secs(1) };
    let driver = Stage::builder(&world).workers(1).back_off(slow).start(
        &stage.engine(),
        stage.clock(),
        stage.outbox(),
    );
    until(|| others.iter().all(|id| stage.payout_status(id) == "completed"));
    assert_eq!(stage.payout_status(&late), "requested", "the others did not wait for it");
    until(|| stage.payout_status(&late) == "completed");
    driver.stop();
    assert_eq!((world.send_attempts(&late), world.sent().len()), (4, 9));
    stage.holds();
}

#[test]
fn an_order_that_the_provider_panics_over_is_asked_again_under_the_same_key() {
    let (stage, world) = (Stage::new(), Arc::new(World::default()));
    let id = stage.payout("p-1", 5_000);
    world.panics(&id, 2);
    let driver = stage.drive(&world);
    until(|| stage.payout_status(&id) == "completed");
    driver.stop();
    // It had left at the first call: the key kept it from leaving again.
    assert_eq!((world.send_attempts(&id), world.sent().len()), (3, 1));
    stage.holds();
}

#[test]
fn what_the_provider_tells_by_itself_and_answers_too_is_in_the_books_once() {
    let (stage, world) = (Stage::new(), Arc::new(World::default()));
    let id = stage.payout("p-1", 5_000);
    let held = stage.available();
    let e2e = World::e2e(&format!("{id}:send"));
    let paid = Report::new("payout.paid", json!({ "payout_id": id, "e2e": e2e }));
    world.tells(paid.clone());
    world.tells(paid);
    let driver = stage.drive(&world);
    until(|| stage.payout_status(&id) == "completed" && world.untold() == 0);
    until(|| stage.pending() == 0);
    driver.stop();
    assert_eq!(stage.available(), held);
    stage.holds();
}

#[test]
fn a_report_that_the_books_did_not_take_is_told_again_and_not_confirmed() {
    let (stage, world) = (Stage::new(), Arc::new(World::default()));
    let id = stage.payout("p-1", 5_000);
    world.tells(Report::new("payout.paid", json!({ "payout_id": id })));
    world.tells(Report::new("no.such.fact", json!({ "id": "n-1" })));
    let e2e = World::e2e("an-arrival-00000000007");
    let received = json!({ "e2e": e2e, "amount_cents": 700 });
    world.tells(Report::new("pix.received", received));
    world.only_pix();
    let driver = stage.drive(&world);
    until(|| world.untold() == 2);
    std::thread::sleep(Duration::from_millis(100));
    driver.stop();
    assert_eq!(world.untold(), 2, "what was not understood is kept by the provider");
    stage.holds();
}

#[test]
fn an_order_that_hangs_holds_up_none_that_was_handed_out_with_it() {
    let (stage, world) = (Stage::new(), Arc::new(World::default()));
    world.takes(Duration::from_millis(1));
    let many = 400;
    for number in 0..many {
        stage.payout(&format!("p-{number}"), 100);
    }
    let (freed, told) = (Arc::new(AtomicBool::new(false)), Arc::clone(&world));
    let first_of_those = Arc::clone(&freed);
    // By then several are handed out at once; one of them waits for all others.
    world.when_sent(move || {
        until(|| told.sent().len() >= 40);
        let others = Arc::clone(&told);
        told.when_sent(move || {
            until(|| others.sent().len() == many);
            first_of_those.store(true, Ordering::SeqCst);
        });
    });
    let driver = stage.drive(&world);
    until(|| stage.pending() == 0);
    driver.stop();
    assert!(freed.load(Ordering::SeqCst) && world.sent().len() == many);
    stage.holds();
}

#[test]
fn a_payout_that_was_stopped_is_not_sent_until_it_is_cleared() {
    let (stage, world) = (Stage::new(), Arc::new(World::default()));
    let id = stage.payout("p-1", 5_000);
    let decided = json!({ "actor": "bia", "reason": "to be looked at", "evidence": "case-1" });
    stage.fact("payout.stopped", &json!({ "id": "st-1", "payout_id": id }), &decided);
    let driver = stage.drive(&world);
    until(|| stage.pending() == 0);
    assert_eq!(world.send_attempts(&id), 0);
    stage.fact("payout.cleared", &json!({ "id": "cl-1", "payout_id": id }), &decided);
    until(|| stage.payout_status(&id) == "completed");
    driver.stop();
    assert_eq!(world.sent().len(), 1);
    stage.holds();
}

#[test]
fn killed_between_handing_out_and_sending_it_is_given_again_and_nothing_is_written() {
    let mut stage = Stage::new();
    let id = stage.payout("p-1", 5_000);
    let keys = || vec![format!("{id}:send"), format!("{id}:deliver:1"), "none".to_owned()];
    let at = stage.clock().now();
    let came = stage.engine().hand_out(keys(), at).wait().unwrap();
    assert_eq!(came, [HandOut::Given, HandOut::CalledOff, HandOut::Unknown]);
    let head = stage.engine().head().unwrap();
    // The process dies before a byte has left.
    stage.reopen();
    assert_eq!(stage.engine().hand_out(keys(), at).wait().unwrap(), came);
    assert_eq!(stage.engine().head().unwrap(), head);
    let by_word = json!({ "actor": "bia", "reason": "to be looked at" });
    let stop = |number: u32| json!({ "id": format!("st-{number}"), "payout_id": id });
    stage.fact_comes_to("set_aside", "payout.stopped", &stop(1), &by_word);
    assert_eq!(stage.engine().hand_out(keys(), at).wait().unwrap(), came, "it may have been sent");
    let proven = json!({ "actor": "bia", "reason": "to be looked at", "evidence": "case-1" });
    stage.fact("payout.stopped", &stop(2), &proven);
    let came = stage.engine().hand_out(keys(), at).wait().unwrap();
    assert_eq!(came[0], HandOut::Answered, "it was handed out, and is over");
    stage.holds();
}

#[test]
fn killed_between_telling_and_acknowledging_it_sends_nothing_again() {
    let mut stage = Stage::new();
    let world = Arc::new(World::default());
    let id = stage.payout("p-1", 5_000);
    let driver = Stage::builder(&world).start(&stage.engine(), stage.clock(), stage.deaf_outbox());
    until(|| stage.payout_status(&id) == "completed");
    driver.stop();
    assert_eq!(stage.pending(), 1, "nothing was acknowledged");

    stage.reopen();
    let driver = stage.drive(&world);
    until(|| stage.pending() == 0);
    driver.stop();
    assert_eq!((world.send_attempts(&id), world.sent().len()), (1, 1));
    stage.holds();
}

#[test]
fn killed_between_carrying_out_and_telling_it_asks_again_and_the_key_sends_once() {
    let mut stage = Stage::new();
    let world = Arc::new(World::default());
    let id = stage.payout("p-1", 5_000);
    // The PIX leaves, and before anybody is told another process takes the ledger over.
    let taken = stage.hostage();
    world.when_sent(move || taken.take_over());
    let old = stage.engine();
    let driver = stage.drive(&world);
    until(|| matches!(old.status(), EngineStatus::Fenced { .. }));
    driver.stop();
    assert_eq!((world.sent().len(), stage.pending()), (1, 1));

    stage.reopen();
    assert_eq!(stage.payout_status(&id), "requested", "nobody was told");
    let driver = stage.drive(&world);
    until(|| stage.payout_status(&id) == "completed");
    driver.stop();
    assert_eq!((world.send_attempts(&id), world.sent().len(), stage.pending()), (2, 1, 0));
    stage.holds();
}

#[test]
fn a_delivery_that_fails_twice_is_delivered_by_its_third_attempt() {
    let (stage, world) = (Stage::new(), Arc::new(World::default()));
    let id = stage.withdraws_crypto("s-1", 20_000);
    world.fails_deliveries(2);
    let driver = stage.drive(&world);
    until(|| stage.settlement(&id) == "sent");
    until(|| stage.pending() == 0);
    driver.stop();
    let keys: Vec<String> = (1..=3).map(|n| format!("{id}:deliver:{n}")).collect();
    assert_eq!(world.deliveries(), keys);
    stage.holds();
}

#[test]
fn a_delivery_that_failed_waits_a_while_before_its_next_attempt() {
    let (stage, world) = (Stage::new(), Arc::new(World::default()));
    let id = stage.withdraws_crypto("s-1", 20_000);
    world.fails_deliveries(2);
    let slow = BackOff { first: Duration::from_millis(300), most: Duration::from_secs(2) };
    let began = Instant::now();
    let (engine, clock) = (stage.engine(), stage.clock());
    let driver = Stage::builder(&world).back_off(slow).start(&engine, clock, stage.outbox());
    until(|| stage.settlement(&id) == "sent");
    assert!(began.elapsed() >= Duration::from_millis(300 + 600), "{:?}", began.elapsed());
    driver.stop();
    stage.holds();
}

#[test]
fn an_order_that_is_paid_by_its_sale_is_sold_and_then_paid() {
    let (stage, world) = (Stage::new(), Arc::new(World::default()));
    let order = stage.sells("arbitrum", &world);
    let driver = stage.drive(&world);
    until(|| stage.state(&order) == "COMPLETED");
    until(|| stage.pending() == 0);
    driver.stop();
    assert_eq!(world.sales(), [format!("{order}:sell")]);
    let keys: Vec<String> = world.sent().into_iter().map(|sent| sent.key).collect();
    assert_eq!(keys, [format!("{order}:send:1")]);
    stage.holds();
}

#[test]
fn an_order_whose_pix_cannot_be_paid_gives_its_deposit_back() {
    let (stage, world) = (Stage::new(), Arc::new(World::default()));
    let order = stage.sells("polygon", &world);
    world.says(&order, [Outcome::Refused]);
    let driver = stage.drive(&world);
    until(|| stage.state(&order) == "AWAITING_REFUND_ADDRESS");
    stage.returns_to_a_wallet(&order);
    until(|| stage.state(&order) == "REFUNDED");
    until(|| stage.pending() == 0);
    driver.stop();
    assert_eq!((world.refunds(), world.sent().len()), (vec![format!("{order}:refund:1")], 0));
    stage.holds();
}

#[test]
fn whoever_does_not_carry_out_a_kind_of_order_begins_none() {
    let (stage, world) = (Stage::new(), Arc::new(World::default()));
    let id = stage.withdraws_crypto("s-1", 20_000);
    world.only_pix();
    let paid = stage.payout("p-1", 1_000);
    let driver = stage.drive(&world);
    until(|| stage.payout_status(&paid) == "completed");
    driver.stop();
    assert_eq!((stage.settlement(&id), stage.pending()), ("pending".to_owned(), 1));
    stage.holds();
}

#[test]
fn stopping_finishes_what_is_under_way() {
    let (stage, world) = (Stage::new(), Arc::new(World::default()));
    let id = stage.payout("p-1", 5_000);
    world.takes(Duration::from_millis(300));
    let driver = stage.drive(&world);
    until(|| world.send_attempts(&id) == 1);
    driver.stop();
    assert_eq!((stage.payout_status(&id), stage.pending()), ("completed".to_owned(), 0));
}

#[test]
fn under_every_kind_of_failure_each_meaning_leaves_once_and_the_ledger_comes_to_rest() {
    let (stage, world) = (Stage::new(), Arc::new(World::default()));
    let ids: Vec<String> = (1..=24).map(|n| stage.payout(&format!("p-{n}"), 1_000)).collect();
    for (place, id) in ids.iter().enumerate() {
        match place % 6 {
            0 => world.says(id, [Outcome::NotNow, Outcome::Failed]),
            1 => world.panics(id, 1),
            2 => world.says(id, [Outcome::Refused]),
            3 => world.says(id, [Outcome::Unknown]),
            4 => world.says(id, [Outcome::Done(PixPaid::new("nonsense"))]),
            _ => {}
        }
    }
    let driver = stage.drive(&world);
    until(|| stage.pending() == 0);
    driver.stop();
    let mut keys: Vec<String> = world.sent().into_iter().map(|sent| sent.key).collect();
    let total = keys.len();
    keys.sort();
    keys.dedup();
    assert_eq!((keys.len(), total), (16, 16), "a third was refused or is unknown");
    for (place, id) in ids.iter().enumerate() {
        let expected = match place % 6 {
            2 => "failed",
            3 => "uncertain",
            _ => "completed",
        };
        assert_eq!(stage.payout_status(id), expected, "{place}");
    }
    stage.holds();
}

#[test]
fn the_owner_of_a_key_is_asked_of_the_provider_by_who_has_an_account() {
    let (stage, world) = (Stage::new(), Arc::new(World::default()));
    let ask = |key: &str| {
        let mut call =
            Stage::request(key, "GET /pix/keys/lookup?key=bia@exemplo.com.br", json!({}));
        Stage::supplier(&world).supply(&stage.engine(), &mut call).unwrap();
        stage.engine().call(call).wait().unwrap()
    };
    assert_eq!(ask("svc_live_loja").body["available"], false, "a time-out is no owner");
    let holder = KeyHolder {
        name: Some("Bia".to_owned()),
        document: Some("***.982.247-**".to_owned()),
        institution: Some("Banco".to_owned()),
    };
    world.knows(Answer::Known(KeyLookup::Held(holder)));
    assert_eq!(ask("svc_live_loja").body["name"], "Bia");
    world.knows(Answer::Known(KeyLookup::NoSuchKey));
    assert_eq!(ask("svc_live_loja").body["erro"], "chave_nao_encontrada");
    let before = world.lookups();
    assert_eq!(ask("svc_live_nobody").status, 401);
    assert_eq!(world.lookups(), before, "nobody's key asks nobody");
}
