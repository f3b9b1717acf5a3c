//! A replica of a ledger, in the hand of whoever embeds one.

use std::sync::Arc;
use std::time::Duration;

use custody_ledger::fact::account::AccountOpened;
use custody_ledger::http::server::{Connections, Running};
use custody_ledger::http::{CommitSource, Ledgers, OpenLedger, Service, Token, commits_router};
use custody_ledger::request::balance::GetBalance;
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::value::{ApiKey, ExternalId, FactId, Party};
use custody_ledger::{Error, Ledger, OpenError, ReplicaError, StartError};
use ledger_store::engine::Engine;
use ledger_store::{OpenMode, SqliteJournal};

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
        let seq = shop.collected(&ana(), 10_000, number).seq.unwrap();
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
    let next = || Ledger::builder(&store).lease(lease).outbox().clock(Arc::clone(&shop.clock));
    let replica = || next().replica().wait().unwrap();
    let early = replica().promote().wait().unwrap_err();
    assert!(matches!(early, OpenError::Start(StartError::Leased { .. })), "{early}");
    let payout = shop.payout(&ana(), 1_000, "p-1").unwrap();
    let follows = replica();
    let head = shop.ledger.shutdown().unwrap();

    let ledger = follows.promote().wait().unwrap();
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

/// Both ledgers of a service in one store, each written by an engine that this gives.
fn engines(file: &std::path::Path) -> [Arc<Engine>; 2] {
    ["live", "sandbox"].map(|name| {
        let journal = SqliteJournal::open(file, name, OpenMode::create()).unwrap();
        Arc::new(Engine::builder(name).start(Box::new(journal)).unwrap())
    })
}

#[test]
fn a_service_is_followed_over_http_and_neither_opened_nor_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ledger.db");
    let store = format!("sqlite:{}", file.display());
    let ledger = Ledger::open(&store).wait().unwrap();
    let opened = AccountOpened::new(FactId::new("acc-1").unwrap(), "loja".try_into().unwrap());
    let reported = ledger.report(&opened.key("svc_live_loja".try_into().unwrap())).wait().unwrap();
    let (seq, head) = (reported.seq.unwrap(), ledger.shutdown().unwrap());

    let [live, sandbox] = engines(&file);
    let open = |engine: &Arc<Engine>| OpenLedger::new(Arc::clone(engine)).unwrap();
    let service = Service::builder(Ledgers::new(open(&live), open(&sandbox))).build().unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let secret = Token::random().unwrap();
    let ten = Duration::from_secs(10);
    let connections = Connections { most: 8, header_read: ten, drain: ten };
    let routes = commits_router(&service, secret.clone());
    let running = Running::start(vec![(listener, routes)], connections, Some(1)).unwrap();

    let source = CommitSource::new(&url, secret).unwrap();
    let replica = Ledger::replica(source.clone()).wait().unwrap();
    let balance = replica.ask(&loja(), &GetBalance::new(Party::House), seq).wait().unwrap();
    assert_eq!((balance.seq, balance.answer.available.cents()), (seq, 0));
    assert_eq!((replica.head(), replica.fault()), (head, None));
    let promoted = replica.promote().wait().map(drop);
    let opened = Ledger::open(source.clone()).wait().map(drop);
    let outbox = Ledger::builder(source).outbox().open().wait().map(drop);
    for refused in [promoted, opened, outbox] {
        let error = refused.unwrap_err();
        assert!(matches!(error, OpenError::StreamOnly(_)), "{error}");
        assert!(error.to_string().starts_with(&url), "{error}");
    }
    service.close();
    assert!(running.end());
    assert_eq!(live.stop().unwrap(), head);
}
