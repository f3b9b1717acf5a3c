//! What is to be sent, until it is acknowledged.

use custody_ledger::fact::payout::PayoutRefused;
use custody_ledger::request::account::UpdateAccount;
use custody_ledger::{Acknowledged, EntryKind, Ledger};
use ledger_core::contract::signature::sign_standard;
use ledger_core::time::Instant;

use super::shop::{Shop, ana};

#[test]
fn an_instruction_waits_in_the_outbox_until_it_is_acknowledged_whatever_stops_between() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("ledger.db").display());
    let shop = Shop::built(Ledger::builder(&store).outbox());
    shop.collect(&ana(), 10_000, 1);
    shop.payout(&ana(), 1_000, "p-1").unwrap();
    shop.ledger.shutdown().unwrap();

    let again = Shop::built(Ledger::builder(&store).outbox());
    let mut outbox = again.ledger.outbox().unwrap();
    let pending = outbox.pending(100).unwrap();
    let sends: Vec<_> = pending.iter().filter(|entry| entry.topic == "pix.send").collect();
    assert_eq!(sends.len(), 1);
    assert_eq!(sends[0].kind, EntryKind::Instruction);
    for entry in &pending {
        outbox.acknowledge(entry).unwrap();
    }
    let later = outbox.pending(100).unwrap();
    assert!(later.iter().all(|entry| entry.topic != "pix.send"), "{later:?}");
}

#[test]
fn an_outbox_hands_out_what_stands_and_acknowledges_what_was_called_off() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("ledger.db").display());
    let shop = Shop::built(Ledger::builder(&store).outbox());
    shop.collect(&ana(), 10_000, 1);
    let refused = shop.payout(&ana(), 1_000, "p-1").unwrap().answer.id;
    let stands = shop.payout(&ana(), 1_000, "p-2").unwrap().answer.id;
    let answer = PayoutRefused::new("r-1".try_into().unwrap(), refused);
    shop.ledger.report(&answer).wait().unwrap().ensure_applied().unwrap();
    let mut outbox = shop.ledger.outbox().unwrap();
    for _ in 0..2 {
        let given = outbox.instructions(10).unwrap();
        let operations: Vec<_> = given.iter().map(|entry| entry.operation.clone()).collect();
        assert_eq!(operations, [stands.as_str()]);
    }
    shop.ledger.shutdown().unwrap();
    assert!(outbox.instructions(10).is_err(), "the ledger cannot be asked");
}

#[test]
fn notifications_that_nobody_takes_keep_no_pix_from_being_sent() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("ledger.db").display());
    let shop = Shop::built(Ledger::builder(&store).outbox());
    for number in 1..=4 {
        shop.collect(&ana(), 10_000, number);
    }
    shop.payout(&ana(), 1_000, "p-1").unwrap();
    let mut outbox = shop.ledger.outbox().unwrap();
    let oldest = outbox.pending(2).unwrap();
    assert!(oldest.iter().all(|entry| entry.kind == EntryKind::Notification), "{oldest:?}");
    let instructions = outbox.instructions(2).unwrap();
    let topics: Vec<_> = instructions.iter().map(|entry| &*entry.topic).collect();
    assert_eq!(topics, ["pix.send"]);
    let notifications = outbox.notifications(100).unwrap();
    assert!(notifications.len() > 2);
    assert!(notifications.iter().all(|entry| entry.kind == EntryKind::Notification));
}

#[test]
fn a_webhook_carries_the_signatures_of_both_forms() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("ledger.db").display());
    let shop = Shop::built(Ledger::builder(&store).outbox());
    let update = UpdateAccount::new()
        .webhook_url("https://loja.example.com/hooks".try_into().unwrap())
        .entropy("ab".repeat(32).as_str().try_into().unwrap());
    let secret = shop.loja.ask(&update).wait().unwrap().answer.webhook_secret.unwrap();
    shop.collect(&ana(), 10_000, 1);
    let entry = shop.ledger.outbox().unwrap().notifications(1).unwrap().remove(0);
    let webhook = shop.ledger.webhook(&entry).wait().unwrap().unwrap();
    let header = |name: &str| {
        let found = webhook.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.unwrap_or_else(|| panic!("{name}: {:?}", webhook.headers)).1.clone()
    };
    assert!(header("X-Webhook-Signature").contains("v1="));
    assert_eq!(header("webhook-id"), entry.id);
    let seconds: i64 = header("webhook-timestamp").parse().unwrap();
    let at = Instant::from_micros(seconds * 1_000_000).unwrap();
    let expected = sign_standard(&[secret], &entry.id, at, webhook.body.as_bytes());
    assert_eq!(header("webhook-signature"), expected);
}

#[test]
fn a_ledger_without_an_outbox_says_so() {
    let shop = Shop::over("memory:");
    let refused = shop.ledger.outbox().unwrap_err();
    assert!(refused.to_string().contains("keeps no outbox"), "{refused}");
}

#[test]
fn a_ledger_kept_as_objects_has_nowhere_for_one_and_says_so_before_it_opens() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("file://{}", folder.path().join("books").display());
    let refused = Ledger::builder(&store).outbox().open().wait().unwrap_err();
    assert!(refused.to_string().ends_with("open it without, or on a database"), "{refused}");
    let shop = Shop::over(&store);
    assert!(shop.ledger.outbox().unwrap_err().to_string().contains("keeps no outbox"));
}

#[test]
fn a_ledger_in_memory_keeps_one_as_well() {
    let shop = Shop::built(Ledger::builder("memory:").outbox());
    shop.collect(&ana(), 10_000, 1);
    let mut outbox = shop.ledger.outbox().unwrap();
    let pending = outbox.pending(100).unwrap();
    assert_eq!(pending.len(), 1, "{pending:?}");
    assert_eq!((&*pending[0].topic, pending[0].account.as_deref()), ("cashin.paid", Some("loja")));
    assert_eq!(outbox.acknowledge(&pending[0]).unwrap(), Acknowledged::Now);
    // Whoever opens it anew reads the same.
    let mut again = shop.ledger.outbox().unwrap();
    assert_eq!(again.acknowledge(&pending[0]).unwrap(), Acknowledged::Before);
    assert!(again.pending(100).unwrap().iter().all(|entry| entry.id != pending[0].id));
}
