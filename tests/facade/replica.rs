//! A replica of a ledger, in the hand of whoever embeds one.

use std::time::Duration;

use custody_ledger::request::balance::GetBalance;
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::value::{ApiKey, ExternalId, Party};
use custody_ledger::{Error, Ledger, OpenError, ReplicaError, StartError};

use super::shop::{Shop, amount, ana};

fn store() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("ledger.db").display());
    (folder, store)
}

fn loja() -> ApiKey {
    ApiKey::new("svc_live_loja").unwrap()
}

#[test]
fn whoever_wrote_reads_it_at_a_replica_and_can_write_nothing_there() {
    let (_folder, store) = store();
    let shop = Shop::over(&store);
    let builder = Ledger::builder(&store).writer("https://ledger.example");
    let replica = builder.waits(Duration::from_millis(300)).replica().wait().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for number in 1..=10 {
        let seq = shop.collect(&ana(), 10_000, number).seq.unwrap();
        let asked = GetBalance::new(ana());
        let there = runtime.block_on(async { replica.ask(&loja(), &asked, seq).await }).unwrap();
        assert!(seq <= there.seq);
        assert_eq!(there.answer.available.cents(), shop.available(&ana()));
    }
    let id = ExternalId::new("t-1").unwrap();
    let transfer = CreateTransfer::new(ana(), Party::House, amount(1), id);
    let refused = replica.ask(&loja(), &transfer, 0).wait().unwrap_err();
    let Error::Replica(ReplicaError::OnlyRead { writer }) = refused else { panic!("{refused}") };
    assert_eq!(writer.as_deref(), Some("https://ledger.example"));
    let head = shop.ledger.head().unwrap();
    let late = replica.ask(&loja(), &GetBalance::new(ana()), head.seq + 1).wait().unwrap_err();
    let behind = ReplicaError::Behind { asked: head.seq + 1, at: head.seq };
    assert!(matches!(&late, Error::Replica(why) if *why == behind), "{late}");
    assert_eq!(replica.head(), head);
}

#[test]
fn a_promoted_replica_is_an_ordinary_ledger() {
    let (_folder, store) = store();
    let lease = Duration::from_secs(2);
    let shop = Shop::built(Ledger::builder(&store).lease(lease).outbox());
    shop.collect(&ana(), 10_000, 1);
    let replica = || Ledger::builder(&store).lease(lease).outbox().replica().wait().unwrap();
    let early = replica().promoted().wait().unwrap_err();
    assert!(matches!(early, OpenError::Start(StartError::Leased { .. })), "{early}");
    let payout = shop.payout(&ana(), 1_000, "p-1").unwrap();
    let follows = replica();
    let head = shop.ledger.shutdown().unwrap();

    let ledger = follows.promoted().wait().unwrap();
    assert_eq!(ledger.head().unwrap(), head);
    let pending = ledger.outbox().unwrap().pending(100).unwrap();
    assert_eq!(pending.iter().filter(|entry| entry.topic == "pix.send").count(), 1);
    let again = Shop { loja: ledger.client(loja()), ledger, clock: shop.clock };
    let repeated = again.payout(&ana(), 1_000, "p-1").unwrap();
    assert!(repeated.is_repeated());
    assert_eq!(repeated.answer.id, payout.answer.id);
    again.payout(&ana(), 1_000, "p-2").unwrap();
}

#[test]
fn a_ledger_that_nobody_made_is_followed_by_nobody() {
    let (_folder, store) = store();
    assert!(Ledger::replica(&store).wait().is_err());
    assert!(Ledger::replica("memory:").wait().is_err());
    assert!(!std::path::Path::new(store.trim_start_matches("sqlite:")).exists());
}
