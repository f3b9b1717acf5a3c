//! A writer whose store is not the one that was followed: an older copy, or another ledger.

use ledger_core::contract::Environment;
use ledger_store::journal::Journal;
use ledger_store::{Commit, MemoryDisk, MemoryJournal, OpenMode};

use crate::faults::Faults;
use crate::writer::{GIFT, LIVE, OPEN, PATIENCE, Writer, ended, mode};

/// Returns what a store had when it was copied, with its first `rows` rows.
fn older(disk: &MemoryDisk, rows: usize) -> MemoryDisk {
    let mut journal = MemoryJournal::open(disk, LIVE, OpenMode::ReadOnly).unwrap();
    let (rows, vault) = (journal.read(1, rows).unwrap(), journal.vault().unwrap());
    let copy = MemoryDisk::new();
    let mut into = MemoryJournal::open(&copy, LIVE, mode(7, Environment::Live)).unwrap();
    let previous = into.open_writer().unwrap().head;
    into.append(&Commit { previous, rows, vault }).unwrap();
    copy
}

/// A writer with so many records, a replica that has followed them, and the port.
fn followed(records: u64) -> (MemoryDisk, Writer, ledger_store::engine::Replica) {
    let disk = MemoryDisk::new();
    let writer = Writer::start(&disk, 0, &Faults::none());
    writer.say(OPEN);
    let replica = writer.replica();
    while writer.head().seq < records {
        // One by one, so that each is followed by itself.
        let seq = writer.charge(writer.head().seq);
        replica.committed_at(seq, PATIENCE).wait().unwrap();
    }
    (disk, writer, replica)
}

#[test]
fn a_writer_restored_from_an_older_copy_is_refused_by_name() {
    let (disk, writer, replica) = followed(10);
    let port = writer.address.port();
    assert!(writer.end());
    let writer = Writer::start(&older(&disk, 6), port, &Faults::none());
    assert_eq!(writer.head().seq, 6);
    let said = ended(&replica);
    assert!(said.contains("record 10 was read of this journal and is no longer there"), "{said}");
    assert!(said.contains("the journal ends at record 6"), "{said}");
    // One that begins anew follows what there is now.
    let seq = writer.charge(100);
    let late = writer.replica();
    assert_eq!(late.committed_at(seq, PATIENCE).wait().unwrap().seq, 7);
}

#[test]
fn a_restored_writer_that_has_gone_on_beyond_is_refused_by_name() {
    for (records, at_once) in [(10, false), (14, false), (10, true), (14, true)] {
        let (disk, writer, replica) = followed(10);
        let port = writer.address.port();
        assert!(writer.end());
        let copy = older(&disk, 6);
        let writer = if at_once {
            // It has gone on before anybody can ask it.
            let apart = Writer::start(&copy, 0, &Faults::none());
            while apart.head().seq < records {
                apart.charge(100 + apart.head().seq);
            }
            assert!(apart.end());
            Writer::start(&copy, port, &Faults::none())
        } else {
            Writer::start(&copy, port, &Faults::none())
        };
        while writer.head().seq < records {
            writer.charge(100 + writer.head().seq);
        }
        let said = ended(&replica);
        assert!(said.contains("record 10 was read of this journal"), "{records}: {said}");
        assert!(said.contains("restored from an older copy"), "{records}: {said}");
    }
}

#[test]
fn another_ledger_of_the_same_name_is_refused_by_name() {
    let (_, writer, replica) = followed(4);
    let port = writer.address.port();
    assert!(writer.end());
    let other = Writer::of_key(&MemoryDisk::new(), 8, port, &Faults::none());
    other.say(OPEN);
    other.say(GIFT);
    for number in 0..8 {
        other.charge(number);
    }
    let said = ended(&replica);
    assert!(said.contains("the writer has another ledger of this name now"), "{said}");
}
