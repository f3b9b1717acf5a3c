//! Whoever forgets that a call blocks, and makes it within async code, waits and does not panic.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod setup;

use ledger_store::engine::Engine;
use ledger_store::journal::{Head, OpenMode};
use ledger_store::projection::{Projector, Tables, Target};
use setup::medium::{Medium, Postgres, Sqlite};
use setup::{LIVE, call, mode};
use tokio::runtime::Builder;

const OPEN: &str = r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"acc","account":"loja"},"supplied":{"key":"svc_live_loja"}}"#;

/// Opens, takes over, asks, waits, stops and drops everything, as a plain thread would.
async fn whole_life(medium: &impl Medium) -> Head {
    let journal = medium.open(LIVE, mode()).unwrap();
    let engine = Engine::start(journal, LIVE, |_, _| ()).unwrap();
    assert_eq!(engine.call(call(OPEN)).wait().unwrap().status, 200);
    assert_eq!(engine.reserve().await.unwrap().view().wait().unwrap().seq.0, 1);
    let records = engine.subscribe(1);
    let head = engine.stop().unwrap();
    assert_eq!(records.into_iter().count(), 1);
    let mut reader = medium.open(LIVE, OpenMode::ReadOnly).unwrap();
    assert_eq!(reader.head().unwrap(), head);
    head
}

fn an_engine_lives_within_async_code<M: Medium>() {
    for mut runtime in [Builder::new_current_thread(), Builder::new_multi_thread()] {
        let medium = M::default();
        let runtime = runtime.enable_all().build().unwrap();
        assert_eq!(runtime.block_on(whole_life(&medium)).seq, 1);
    }
}

#[test]
fn an_engine_on_sqlite_lives_within_async_code() {
    an_engine_lives_within_async_code::<Sqlite>();
}

#[test]
fn an_engine_on_postgresql_lives_within_async_code() {
    an_engine_lives_within_async_code::<Postgres>();
}

#[test]
fn tables_are_made_and_read_within_async_code() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let target = Target::Sqlite(folder.path().join("tables.db"));
        let mut journal = setup::memory(&ledger_store::MemoryDisk::new());
        drop(Projector::open(&mut journal, LIVE, &target).unwrap());
        assert!(Tables::open(&target, LIVE).unwrap().is_some());
    });
}
