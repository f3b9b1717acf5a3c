//! The outbox in memory: what the one in a database does.

use ledger_core::time::Instant;
use ledger_store::Vault;
use ledger_store::engine::{Engine, EngineBuilder};
use ledger_store::journal::{Journal, MemoryDisk};
use ledger_store::projection::{
    Acknowledged, EntryKind, MemoryOutboxes, OutboxError, Projector, Tables, Target,
};

use crate::engine_outbox::{answers, settled};
use crate::setup::story::Dice;
use crate::setup::{LIVE, memory, story};
use crate::{Home, lived, vault};

/// A ledger in memory, and where its outbox is.
#[derive(Default)]
struct Memory {
    disk: MemoryDisk,
    outboxes: MemoryOutboxes,
}

impl Memory {
    fn target(&self) -> Target {
        Target::Memory(self.outboxes.clone())
    }

    fn builder(&self) -> EngineBuilder<'static> {
        Engine::builder(LIVE).outbox(self.target())
    }

    fn start(&self) -> Engine {
        self.builder().take_over().start(Box::new(memory(&self.disk))).unwrap()
    }

    fn tables(&self) -> Tables {
        Tables::open_writing(&self.target(), LIVE).unwrap().expect("there is an outbox")
    }

    fn vault(&self) -> Vault {
        vault(&mut memory(&self.disk))
    }
}

/// An engine in memory that has lived a story, stopped; and a database that a projector filled with
/// the same.
fn beside_a_database(lines: usize) -> (Memory, Home) {
    let (here, there) = (Memory::default(), Home::sqlite());
    let engine = here.start();
    story::each_line(lines, answers(&engine));
    settled(&engine);
    engine.stop().unwrap();
    Projector::open(&mut memory(&here.disk), LIVE, &there.target).unwrap();
    (here, there)
}

#[test]
fn it_gives_what_a_database_gives_whatever_is_acknowledged() {
    let (here, there) = beside_a_database(300);
    let vault = here.vault();
    let (mut mine, mut theirs) = (here.tables(), there.tables());
    let kinds = [None, Some(EntryKind::Instruction), Some(EntryKind::Notification)];
    let mut dice = Dice(11);
    let mut acknowledged = 0;
    loop {
        for kind in kinds {
            for limit in [1, 7, 10_000] {
                let given = mine.pending(kind, limit, &vault).unwrap();
                assert_eq!(given, theirs.pending(kind, limit, &vault).unwrap());
                let waiting = mine.waiting(kind, limit, &vault).unwrap();
                assert_eq!(waiting, theirs.waiting(kind, limit, &vault).unwrap());
            }
        }
        let given = mine.pending(None, 60, &vault).unwrap();
        let Some(last) = given.last() else { break };
        for entry in &given {
            if dice.below(3) == 0 || entry == last {
                for tables in [&mut mine, &mut theirs] {
                    let done = tables.acknowledge(&entry.id, Instant::default()).unwrap();
                    assert_eq!(done, Acknowledged::Now);
                    let again = tables.acknowledge(&entry.id, Instant::default()).unwrap();
                    assert_eq!(again, Acknowledged::Before);
                }
                acknowledged += 1;
            }
        }
        // What goes, goes from both.
        let seq = dice.below(200);
        assert_eq!(mine.prune(seq).unwrap(), theirs.prune(seq).unwrap());
    }
    assert_eq!(acknowledged, lived(20, 300).effects.len());
}

#[test]
fn what_nothing_has_the_id_of_is_named() {
    let (here, _) = beside_a_database(30);
    let mut tables = here.tables();
    let first = tables.pending(None, 1, &here.vault()).unwrap().remove(0);
    for unknown in ["ev_1_0_none", "in_", "", &first.operation] {
        let refused = tables.acknowledge(unknown, Instant::default()).unwrap_err();
        assert!(matches!(&refused, OutboxError::Unknown { id, .. } if id == unknown), "{refused}");
    }
    // One that was pruned is no entry any more.
    let of_its_record = tables.waiting(None, 100, &here.vault()).unwrap();
    let of_its_record: Vec<_> = of_its_record.iter().filter(|it| it.seq == first.seq).collect();
    for entry in &of_its_record {
        tables.acknowledge(&entry.id, Instant::default()).unwrap();
    }
    assert_eq!(tables.prune(first.seq).unwrap(), of_its_record.len() as u64);
    let pruned = tables.acknowledge(&first.id, Instant::default()).unwrap_err();
    assert!(matches!(pruned, OutboxError::Unknown { .. }), "{pruned}");
}

#[test]
fn what_no_engine_kept_is_derived_when_one_keeps_it_again_and_what_was_done_stays_done() {
    let here = Memory::default();
    let first = here.start();
    let (mut number, mut without) = (0, None);
    story::each_line(200, |text| {
        number += 1;
        if number == 100 {
            first.stop().unwrap();
            let vault = here.vault();
            let mut tables = here.tables();
            for entry in tables.pending(None, 20, &vault).unwrap() {
                tables.acknowledge(&entry.id, Instant::default()).unwrap();
            }
            without = Some(
                Engine::builder(LIVE).take_over().start(Box::new(memory(&here.disk))).unwrap(),
            );
        }
        let engine = without.as_ref().unwrap_or(&first);
        engine.call(crate::setup::call(text)).wait().unwrap()
    });
    let head = without.expect("the story is longer").stop().unwrap();
    assert_eq!(here.start().stop().unwrap(), head);
    assert_eq!(here.tables().outbox_checkpoint().unwrap().head, head);
    let waiting = here.tables().waiting(None, 100_000, &here.vault()).unwrap();
    assert_eq!(waiting.len(), lived(20, 200).effects.len() - 20);
}

#[test]
fn a_superseded_engine_adds_nothing_and_its_successor_lacks_nothing() {
    let here = Memory::default();
    let mut engine = here.start();
    let mut superseded = Vec::new();
    let mut number = 0;
    story::each_line(150, |text| {
        number += 1;
        if number % 10 == 0 {
            superseded.push(std::mem::replace(&mut engine, here.start()));
        }
        engine.call(crate::setup::call(text)).wait().unwrap()
    });
    settled(&engine);
    drop(superseded);
    engine.stop().unwrap();
    let waiting = here.tables().waiting(None, 100_000, &here.vault()).unwrap();
    let places: Vec<_> = waiting.iter().map(|entry| (entry.seq, entry.place)).collect();
    assert!(places.is_sorted() && places.len() == lived(20, 150).effects.len());
}

#[test]
fn an_outbox_of_another_past_is_refused_and_no_other_table_is_there() {
    let here = Memory::default();
    let engine = here.start();
    story::each_line(20, answers(&engine));
    engine.stop().unwrap();
    let other = MemoryDisk::new();
    let refused = here.builder().start(Box::new(memory(&other))).unwrap_err();
    assert!(refused.to_string().contains("outbox"), "{refused}");
    assert_eq!(memory(&other).head().unwrap().seq, 0);
    assert!(here.tables().checkpoint().is_err());
    assert!(Projector::open(&mut memory(&here.disk), LIVE, &here.target()).is_err());
}
