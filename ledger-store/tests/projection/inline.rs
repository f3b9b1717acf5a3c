//! An engine whose tables are inline: never behind an answer.

use ledger_store::engine::{Engine, EngineError};
use ledger_store::journal::{Journal, MemoryDisk};
use ledger_store::projection::{Projector, prove};

use crate::setup::{self, LIVE, call, memory, story};
use crate::{Home, journal};

#[test]
fn an_engine_that_follows_inline_answers_when_its_tables_have_it() {
    for home in Home::both() {
        let disk = MemoryDisk::new();
        let projector = Projector::open(&mut memory(&disk), LIVE, &home.target).unwrap();
        let builder = Engine::builder(LIVE).follower(projector);
        let engine = builder.start(Box::new(memory(&disk))).unwrap();
        let mut tables = home.tables();
        story::each_line(80, |text| {
            let response = engine.call(call(text)).wait().unwrap();
            assert_eq!(tables.checkpoint().unwrap().head, engine.head().unwrap(), "after {text}");
            response
        });
        assert!(engine.stop().unwrap().seq > 40);
        let proved = prove(&mut memory(&disk), LIVE, &home.target).unwrap();
        assert!(proved.is_some());
    }
}

#[test]
fn tables_that_miss_a_commit_stop_the_engine_and_the_commit_stays() {
    let home = Home::sqlite();
    let disk = MemoryDisk::new();
    let projector = Projector::open(&mut journal(&[]), LIVE, &home.target).unwrap();
    let first = Engine::builder(LIVE).start(Box::new(memory(&disk))).unwrap();
    story::each_line(1, |text| first.call(call(text)).wait().unwrap());
    let before = first.stop().unwrap();
    // The projector never saw what the first engine wrote.
    let engine = Engine::builder(LIVE).follower(projector).start(Box::new(memory(&disk))).unwrap();
    let tick = engine.decide(|sequencer| sequencer.execute(setup::tick(sequencer))).wait();
    let Err(EngineError::NotFollowed(reason)) = tick else { panic!("{tick:?}") };
    assert!(reason.contains("record"), "{reason}");
    assert!(engine.stop().is_err());
    assert_eq!(setup::memory(&disk).head().unwrap().seq, before.seq + 1);
}
