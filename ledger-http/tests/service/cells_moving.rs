//! Accounts that an operator moves from ledger to ledger of a service, while their clients ask.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ledger_core::contract::{Call, CallKind};
use ledger_http::{OpenLedger, Supply, Supplying};
use serde_json::{Value, json};
use tokio::sync::oneshot::{Receiver as Signal, Sender, channel};

use crate::cells::{
    CELLS, Codes, awaited, charged, collect, e2e, key_of, listen, open, post_as, read, reported,
    sending_to, started,
};
use crate::receiver::Receiver;
use crate::served::{Answer, Served};

fn move_to(served: &Served, account: &str, to: &str, id: &str) -> Answer {
    let body = json!({ "id": id, "account": account, "to": to });
    served.world().post("/moves", &body.to_string())
}

fn moved(served: &Served, account: &str, to: &str, id: &str) {
    let answer = move_to(served, account, to, id);
    assert_eq!((answer.status, &answer.body()["state"]), (200, &json!("done")), "{}", answer.text);
}

fn available(served: &Served, account: &str, customer: &str) -> i64 {
    let target = format!("/saldo?customer_ref={customer}");
    read(served, account, &target)["disponivel_cents"].as_i64().unwrap()
}

fn transfer(served: &Served, cents: i64, id: &str) -> Answer {
    let body = json!({ "amount_cents": cents, "from_customer_ref": "ana",
        "to_customer_ref": "bia", "external_id": id });
    post_as(served, "loja", "/saldo/transferir", &body)
}

#[test]
fn an_account_that_moves_while_its_client_asks_loses_nothing_and_does_nothing_twice() {
    let served = started();
    collect(&served, "loja", 20_000, 1);
    let funded = available(&served, "loja", "ana");
    let (ended, begun) = (AtomicBool::new(false), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for client in 0..4 {
            let (served, ended, begun) = (&served, &ended, &begun);
            scope.spawn(move || {
                let mut number = 0;
                while !ended.load(Ordering::SeqCst) || number < 5 {
                    let id = format!("t-{client}-{number}");
                    let answer = awaited(|| {
                        let answer = transfer(served, 1, &id);
                        // While it is on its way it begins nothing new, and the client asks again.
                        Some(answer).filter(|answer| answer.status != 503)
                    });
                    assert_eq!(answer.status, 200, "{}", answer.text);
                    number += 1;
                    begun.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        std::thread::sleep(Duration::from_millis(200));
        for (to, id) in [("cell-b", "mv-1"), ("cell-c", "mv-2")] {
            awaited(|| {
                let answer = move_to(&served, "loja", to, id);
                assert_eq!(answer.status, 200, "{}", answer.text);
                Some(()).filter(|()| answer.body()["state"] == "done")
            });
            std::thread::sleep(Duration::from_millis(100));
        }
        ended.store(true, Ordering::SeqCst);
    });
    let done = i64::from(begun.load(Ordering::SeqCst));
    assert!(20 <= done, "{done}");
    assert_eq!(available(&served, "loja", "bia"), done);
    assert_eq!(available(&served, "loja", "ana"), funded - done);
    // Asked again, each is answered as it was, by whichever ledger did it.
    for client in 0..4 {
        assert_eq!(transfer(&served, 1, &format!("t-{client}-0")).status, 200);
    }
    assert_eq!(available(&served, "loja", "bia"), done);
}

/// A provider of codes that holds up one read of a balance: who comes to it, and what lets it go on.
#[derive(Clone, Default)]
struct HeldUp(Arc<Mutex<Option<Signals>>>);

/// That somebody has come, and that they may go on.
type Signals = (Sender<()>, Signal<()>);

impl Supply for HeldUp {
    fn supply<'a>(&'a self, ledger: &'a OpenLedger, call: &'a mut Call) -> Supplying<'a> {
        Box::pin(async move {
            let reads = matches!(&call.ask, CallKind::Request { target, .. }
                if target.starts_with("/saldo?"));
            let held = if reads { self.0.lock().unwrap().take() } else { None };
            if let Some((arrived, goes_on)) = held {
                arrived.send(()).unwrap();
                goes_on.await.unwrap();
            }
            Codes.supply(ledger, call).await
        })
    }
}

#[test]
fn a_read_under_which_its_account_moves_is_answered_by_the_ledger_that_it_moved_to() {
    let held = HeldUp::default();
    let supply = held.clone();
    let served = Served::in_cells(&CELLS, |service, _| service.supply(supply));
    open(&served, &["loja"]);
    collect(&served, "loja", 5_000, 1);
    let funded = available(&served, "loja", "ana");
    let ((arrived, arrival), (go_on, goes_on)) = (channel(), channel());
    *held.0.lock().unwrap() = Some((arrived, goes_on));
    let read = std::thread::scope(|scope| {
        let reading = scope.spawn(|| available(&served, "loja", "ana"));
        arrival.blocking_recv().unwrap();
        moved(&served, "loja", "cell-b", "mv-1");
        go_on.send(()).unwrap();
        reading.join().unwrap()
    });
    assert!(0 < funded);
    assert_eq!(read, funded);
}

#[test]
fn what_was_asked_before_a_move_is_answered_after_it_with_the_same_text() {
    let served = started();
    collect(&served, "loja", 5_000, 1);
    let before = transfer(&served, 100, "t-1");
    let statement = read(&served, "loja", "/saldo/extrato?customer_ref=ana");
    assert!(!statement.to_string().is_empty());
    moved(&served, "loja", "cell-c", "mv-1");
    assert_eq!(read(&served, "loja", "/saldo/extrato?customer_ref=ana"), statement);
    let after = transfer(&served, 100, "t-1");
    assert_eq!((after.status, &after.text), (before.status, &before.text));
    let changed = transfer(&served, 101, "t-1");
    assert_eq!(changed.status, 409, "{}", changed.text);
    assert_eq!(transfer(&served, 50, "t-2").status, 200);
    assert_eq!(available(&served, "loja", "bia"), 150);
}

#[test]
fn a_move_waits_for_what_is_open_and_is_asked_again() {
    let served = started();
    let id = charged(&served, "loja", 500, "c-1").body()["cashin_id"].clone();
    let waiting = move_to(&served, "loja", "cell-b", "mv-1");
    assert_eq!(waiting.status, 200, "{}", waiting.text);
    let expected = json!({ "id": "mv-1", "account": "loja", "to": "cell-b", "state": "waiting",
        "open_operations": 1 });
    assert_eq!(waiting.body(), expected);
    let under_way = json!({ "id": "mv-1", "account": "loja", "from": "cell-a", "to": "cell-b",
        "state": "under_way" });
    let world = served.world();
    assert_eq!(world.get("/moves").body(), json!({ "items": [under_way] }));
    let refused = charged(&served, "loja", 500, "c-2");
    assert_eq!(refused.body()["erro"], "temporariamente_indisponivel", "{}", refused.text);
    let paid = json!({ "cashin_id": id, "e2e": e2e(1), "amount_cents": 500 });
    assert_eq!(reported(&served, "pix.received", &paid)["outcome"], "applied");
    moved(&served, "loja", "cell-b", "mv-1");
    assert_eq!(world.get("/moves").body(), json!({ "items": [] }));
    assert_eq!(world.get("/moves/mv-1").body()["state"], "done");
    assert_eq!(world.get("/moves/mv-9").status, 404);
    assert!(0 < available(&served, "loja", "ana"));
}

#[test]
fn a_move_that_waits_is_given_up_and_the_account_begins_anew_where_it_was() {
    let served = started();
    charged(&served, "loja", 500, "c-1");
    assert_eq!(move_to(&served, "loja", "cell-b", "mv-1").body()["state"], "waiting");
    assert_eq!(charged(&served, "loja", 500, "c-2").status, 503);
    let world = served.world();
    let abandoned = json!({ "id": "mv-1", "account": "loja", "from": "cell-a", "to": "cell-b",
        "state": "abandoned" });
    for _ in 0..2 {
        assert_eq!(world.post("/moves/mv-1/abandon", "").body(), abandoned);
    }
    assert_eq!(charged(&served, "loja", 500, "c-2").status, 200);
    assert_eq!(move_to(&served, "loja", "cell-b", "mv-1").status, 409);
    assert_eq!(world.post("/moves/mv-9/abandon", "").status, 404);
    moved(&served, "bazar", "cell-c", "mv-2");
    assert_eq!(world.post("/moves/mv-2/abandon", "").status, 409, "it is done");
}

#[test]
fn a_move_that_cannot_be_is_refused_and_leaves_nothing() {
    let served = started();
    let refused = |account: &str, to: &str, id: &str| {
        let answer = move_to(&served, account, to, id);
        (answer.status, answer.body()["erro"].as_str().unwrap().to_owned())
    };
    assert_eq!(refused("loja", "cell-a", "mv-1"), (409, "conflito".to_owned()));
    assert_eq!(refused("loja", "cell-x", "mv-1"), (409, "conflito".to_owned()));
    assert_eq!(refused("nobody", "cell-b", "mv-1"), (409, "conflito".to_owned()));
    let invalid = (400, "requisicao_invalida".to_owned());
    assert_eq!(refused("loja", "cell-b", &"m".repeat(41)), invalid);
    assert_eq!(refused("loja", "cell-b", ""), invalid);
    let world = served.world();
    for wrong in ["[]", r#"{"id":"mv-1","account":"loja","to":"cell-b","at":"now"}"#, "{}"] {
        assert_eq!(world.post("/moves", wrong).status, 400, "{wrong}");
    }
    assert_eq!(world.get("/moves").body(), json!({ "items": [] }));
    let one = Served::start();
    let body = json!({ "id": "mv-1", "account": "loja", "to": "live" }).to_string();
    assert_eq!(one.world().post("/moves", &body).status, 404);
    assert_eq!(one.world().get("/moves").status, 404);
}

#[test]
fn whoever_moves_accounts_brings_the_token_of_the_world() {
    let served = started();
    let body = json!({ "id": "mv-1", "account": "loja", "to": "cell-b" });
    let answer = served.post("/moves", &[("x-api-key", &key_of("loja"))], &body);
    assert_eq!(answer.status, 404, "clients have no such path: {}", answer.text);
    let stranger = crate::served::World { token: "x".repeat(32), ..served.world() };
    assert_eq!(stranger.post("/moves", &body.to_string()).status, 401);
}

#[test]
fn webhooks_of_an_account_that_moved_go_where_it_wants_them_now() {
    let receiver = Receiver::start();
    let (served, courier) = sending_to(&receiver, &["loja"]);
    listen(&served, "loja");
    let charge = collect(&served, "loja", 5_000, 1);
    let paid = |path: &str| {
        let of = |seen: &crate::receiver::Seen| seen.body.contains(&charge);
        receiver.seen_on(path).iter().filter(|seen| of(seen)).count()
    };
    // That it was paid, and that it was settled.
    awaited(|| Some(()).filter(|()| paid("/loja") == 2));
    moved(&served, "loja", "cell-b", "mv-1");
    let body = json!({ "webhook_url": "https://loja.example/new" });
    let headers = [("x-api-key", &*key_of("loja")), ("content-type", "application/json")];
    let answer = served.send("PATCH", "/keys/me", &headers, Some(&body.to_string()));
    assert_eq!(answer.status, 200, "{}", answer.text);
    let test = post_as(&served, "loja", "/webhooks/test", &json!({}));
    assert_eq!(test.status, 200, "{}", test.text);
    let tests = |path: &str| {
        let seen = receiver.seen_on(path);
        seen.iter().filter(|seen| seen.topic() == "webhook.test").count()
    };
    assert_eq!((tests("/loja"), tests("/new")), (0, 1));
    // What comes later is booked in the charge's ledger, and announced at the new address.
    let back = json!({ "cashin_id": charge, "return_id": "D90400888202611201300abcdefghijk",
        "amount_cents": 5_000 });
    assert_eq!(reported(&served, "pix.returned", &back)["outcome"], "applied");
    awaited(|| Some(()).filter(|()| paid("/new") >= 1));
    assert_eq!(paid("/loja"), 2, "nothing more goes to the address before");
    // One list has what both ledgers have announced.
    let listed: Value = read(&served, "loja", "/webhooks/deliveries")["items"].clone();
    let about = |item: &&Value| item["event"].as_str().unwrap_or_default().starts_with("cashin");
    assert!(2 <= listed.as_array().unwrap().iter().filter(about).count(), "{listed}");
    drop(courier);
}
