//! Whatever bit of a page is changed on the way, the replica stops and names the record.

use ledger_store::journal::Journal;
use ledger_store::{MemoryDisk, MemoryJournal, OpenMode, Row};

use crate::faults::{Fault, Faults};
use crate::writer::{LIVE, OPEN, Writer, ended};

/// Bytes of a page before its first row, and of a row before its payload.
const HEAD: usize = 25 + 32 + 8 + 32;
const ROW: usize = 8 + 4 + 32 + 4;

/// The records of a row with where each one's check begins in the page, and where it ends.
fn places(rows: &[Row]) -> Vec<(u64, usize, usize)> {
    let mut places = Vec::new();
    let mut at = HEAD;
    for row in rows {
        at += ROW;
        let mut within = at;
        for frame in row.frames().map(Result::unwrap) {
            let length = frame.record.len();
            let digits = 1 + usize::from(length > 127) + usize::from(length > 16_383);
            let begins = within + digits;
            within = begins + 8 + length;
            places.push((frame.seq, begins, within));
        }
        at += row.payload.len();
        assert_eq!(within, at);
    }
    places
}

#[test]
fn a_page_with_one_bit_changed_stops_the_replica_at_the_record() {
    let (disk, faults) = (MemoryDisk::new(), Faults::none());
    let writer = Writer::start(&disk, 0, &faults);
    writer.say(OPEN);
    for number in 0..12 {
        writer.charge(number);
    }
    let mut journal = MemoryJournal::open(&disk, LIVE, OpenMode::ReadOnly).unwrap();
    let rows = journal.read(1, 16).unwrap();
    let places = places(&rows);
    assert_eq!(places.len(), 13);
    let seen = writer.journal().read(1, 16).unwrap();
    assert_eq!((seen, faults.longest().len()), (rows, places[12].2));
    // In the records themselves it is known which; all are changed at once, each for one replica.
    for (seq, begins, ends) in places.iter().copied().step_by(3) {
        for place in [begins, begins + 8, begins + 20, ends - 1] {
            faults.set(Fault::Flipped(place));
            let said = ended(&writer.replica());
            assert!(said.contains(&format!("record {seq}")), "{place}: {said}");
        }
    }
    // In what stands around them: the beginning, the ledger, the head, a row's numbers and link.
    for place in [0, 24, 25, 56, 57, 65, 96, HEAD, HEAD + 8, HEAD + 12, HEAD + 44, HEAD + 46] {
        faults.set(Fault::Flipped(place));
        let said = ended(&writer.replica());
        assert!(said.contains("record "), "{place}: {said}");
    }
    faults.set(Fault::None);
    let replica = writer.replica();
    let there = replica.committed_at(13, crate::writer::PATIENCE).wait().unwrap();
    assert_eq!((there.seq, replica.fault()), (13, None));
}

#[test]
fn a_page_that_was_changed_once_is_asked_for_again() {
    let (disk, faults) = (MemoryDisk::new(), Faults::none());
    let writer = Writer::start(&disk, 0, &faults);
    writer.say(OPEN);
    let replica = writer.replica();
    replica.committed_at(1, crate::writer::PATIENCE).wait().unwrap();
    faults.set(Fault::Flipped(HEAD + ROW + 30));
    let seq = writer.charge(1);
    crate::writer::until(|| replica.fault().is_some(), || "it was changed".to_owned());
    assert!(replica.head().seq < seq);
    faults.set(Fault::None);
    replica.committed_at(seq, crate::writer::PATIENCE).wait().unwrap();
    assert_eq!(replica.fault(), None);
}
