//! Whatever byte of a directory's rows is changed, cut or forged, the record is named.

use ledger_cells::directory::{DirectoryReplayError, Record, replay};
use ledger_core::directory::Event;
use ledger_core::id::KeyHash;
use ledger_store::journal::Row;
use ledger_store::{Algorithm, Chain, FrameWriter, Link};

use super::setup::rows_given::{RowsGiven, records_of};
use super::*;

/// Where the chain of a directory begins.
pub fn genesis() -> Chain {
    Chain::genesis(Algorithm::Blake3, DIRECTORY)
}

/// The rows of the whole story, one record each.
fn rows() -> Vec<Row> {
    let disk = MemoryDisk::new();
    lived(&disk);
    let mut journal = MemoryJournal::open(&disk, DIRECTORY, OpenMode::ReadOnly).unwrap();
    journal.read(1, 100).unwrap()
}

fn found_in(rows: Vec<Row>) -> Result<Head, DirectoryReplayError> {
    replay(&mut RowsGiven::new(rows), &[], |_, _| ()).map(|replayed| replayed.head())
}

/// The same records, framed and chained anew by whoever changed them.
fn forged(records: &[Vec<u8>]) -> Vec<Row> {
    let mut frames = FrameWriter::new(genesis());
    for record in records {
        frames.push(record);
    }
    Vec::from_iter(frames.cut())
}

#[test]
fn the_rows_of_the_story_are_sound() {
    let sound = rows();
    let head = Head { seq: 10, link: sound[9].link };
    assert_eq!(found_in(sound).unwrap(), head);
}

#[test]
fn every_changed_byte_is_pinned_to_its_record() {
    let sound = rows();
    let mut tried = 0;
    for at in 0..sound.len() {
        for place in 0..sound[at].payload.len() {
            let mut rows = sound.clone();
            rows[at].payload[place] ^= 1 << (place % 8);
            let found = found_in(rows).unwrap_err();
            assert_eq!(found.seq(), Some(at as u64 + 1), "byte {place} of row {at}: {found}");
            tried += 1;
        }
        for place in 0..sound[at].link.0.len() {
            let mut rows = sound.clone();
            rows[at].link.0[place] ^= 1;
            assert_eq!(found_in(rows).unwrap_err().seq(), Some(at as u64 + 1));
        }
    }
    assert!(400 < tried, "{tried} bytes");
}

#[test]
fn a_torn_row_is_named_wherever_it_was_torn() {
    let sound = rows();
    for at in 0..sound.len() {
        for length in 0..sound[at].payload.len() {
            let mut rows = sound.clone();
            rows[at].payload.truncate(length);
            assert_eq!(found_in(rows).unwrap_err().seq(), Some(at as u64 + 1), "{length}");
        }
    }
}

#[test]
fn a_missing_moved_or_repeated_row_is_named() {
    let sound = rows();
    for at in 0..sound.len() - 1 {
        let mut missing = sound.clone();
        missing.remove(at);
        assert_eq!(found_in(missing).unwrap_err().seq(), Some(at as u64 + 1));
        let mut repeated = sound.clone();
        repeated[at + 1] = repeated[at].clone();
        assert!(found_in(repeated).is_err());
    }
}

#[test]
fn an_end_that_was_cut_off_is_found_by_a_head_that_was_kept() {
    let sound = rows();
    let head = Head { seq: 10, link: sound[9].link };
    let against = |rows: Vec<Row>, kept| replay(&mut RowsGiven::new(rows), &[kept], |_, _| ());
    against(sound.clone(), head).unwrap();
    let mut cut = sound.clone();
    cut.pop();
    let found = against(cut, head).unwrap_err();
    assert!(matches!(found, DirectoryReplayError::Truncated { expected: 10, found: 9 }));
    let other = Head { seq: 3, link: Link([0; 32]) };
    let found = against(sound, other).unwrap_err();
    assert!(matches!(found, DirectoryReplayError::OtherPast { seq: 3 }), "{found}");
}

#[test]
fn a_record_that_cannot_have_happened_is_named_although_it_was_chained() {
    let sound = records_of(&rows());
    let with = |place: usize, event: Event, second: u32| {
        let mut records = sound.clone();
        records[place] = Record { at: at(second), event }.encode();
        found_in(forged(&records)).unwrap_err()
    };
    let to_nowhere = Event::AccountPlaced { account: "loja".into(), cell: "cell-c".into() };
    let of_nobody = Event::KeyBound { key: KeyHash([1; 32]), account: "feira".into() };
    for event in [to_nowhere, of_nobody] {
        let found = with(2, event, 3);
        assert!(matches!(found, DirectoryReplayError::Impossible { seq: 3 }), "{found}");
    }
    let placed = Event::AccountPlaced { account: "loja".into(), cell: "cell-a".into() };
    let found = with(2, placed, 1);
    assert!(matches!(found, DirectoryReplayError::TimeWentBack { seq: 3 }), "{found}");
}

#[test]
fn a_record_is_read_in_the_one_encoding_that_it_is_written_in() {
    let mut records = records_of(&rows());
    let last = records.last_mut().unwrap();
    last.push(0);
    let found = found_in(forged(&records)).unwrap_err();
    assert!(matches!(found, DirectoryReplayError::Codec { seq: 10, .. }), "{found}");
    let mut records = records_of(&rows());
    // An array of a length that is said in two bytes instead of one.
    let first = &mut records[0];
    assert_eq!(first[1], 0x82);
    first.splice(1..2, [0x98, 0x02]);
    let found = found_in(forged(&records)).unwrap_err();
    assert!(matches!(found, DirectoryReplayError::Codec { seq: 1, .. }), "{found}");
}
