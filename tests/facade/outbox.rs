//! What is to be sent, until it is acknowledged.

use custody_ledger::{EntryKind, Ledger};

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
fn a_ledger_without_an_outbox_says_so() {
    let shop = Shop::over("memory:");
    let refused = shop.ledger.outbox().unwrap_err();
    assert!(refused.to_string().contains("keeps no outbox"), "{refused}");
    let refused = Ledger::builder("memory:").outbox().open().wait().unwrap_err();
    assert!(refused.to_string().contains("keeps no outbox"), "{refused}");
}
