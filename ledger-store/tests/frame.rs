//! Frames: what was written is what is read, and damage is pinned to one record.

use ledger_store::chain::{Algorithm, Chain};
use ledger_store::frame::{FrameError, FrameWriter, Frames, MAX_ROW_RECORDS, Row, RowBroken};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

fn genesis() -> Chain {
    Chain::genesis(Algorithm::Blake3, "live")
}

fn row_of(records: &[Vec<u8>]) -> Row {
    let mut writer = FrameWriter::new(genesis());
    for record in records {
        writer.push(record);
    }
    writer.cut().expect("there are records")
}

fn records() -> impl Strategy<Value = Vec<Vec<u8>>> {
    vec(vec(any::<u8>(), 0..300), 1..20)
}

/// The record whose frame holds the byte at `offset`.
fn record_at(records: &[Vec<u8>], offset: usize) -> u64 {
    let mut end = 0;
    for (seq, record) in (1..).zip(records) {
        end += if record.len() < 128 { 1 } else { 2 } + 8 + record.len();
        if offset < end {
            return seq;
        }
    }
    unreachable!("the offset is inside the payload")
}

proptest! {
    #[test]
    fn records_come_back_as_they_were_written(records in records()) {
        let row = row_of(&records);
        let mut found = Vec::new();
        let mut chain = genesis();
        row.verify(&mut chain, |frame, _| found.push((frame.seq, frame.record.to_vec()))).unwrap();
        prop_assert_eq!(chain.link(), row.link);
        prop_assert_eq!(found, (1..).zip(records).collect::<Vec<_>>());
    }

    #[test]
    fn a_changed_byte_is_pinned_to_its_record(
        records in records(),
        place in any::<Index>(),
        mask in 1_u8..,
    ) {
        let mut row = row_of(&records);
        let place = place.index(row.payload.len());
        row.payload[place] ^= mask;
        let mut sound = 0;
        let broken = row.verify(&mut genesis(), |_, _| sound += 1).unwrap_err();
        prop_assert_eq!(broken.seq(), record_at(&records, place));
        prop_assert_eq!(sound, broken.seq() - 1);
    }

    #[test]
    fn a_payload_cut_short_is_pinned_to_the_record_it_ends_in(
        records in records(),
        place in any::<Index>(),
    ) {
        let mut row = row_of(&records);
        let place = place.index(row.payload.len());
        row.payload.truncate(place);
        let broken = row.verify(&mut genesis(), |_, _| ()).unwrap_err();
        prop_assert_eq!(broken.seq(), record_at(&records, place));
    }

    #[test]
    fn reading_ends_after_the_first_error_whatever_the_bytes(
        first in any::<u64>(),
        count in any::<u32>(),
        payload in vec(any::<u8>(), 0..400),
    ) {
        let found: Vec<_> = Frames::new(first, count, &payload).collect();
        let errors = found.iter().filter(|frame| frame.is_err()).count();
        prop_assert!(errors <= 1);
        prop_assert!(errors == 0 || found.last().is_some_and(Result::is_err));
        prop_assert!(found.len() <= payload.len() / 9 + 1);
    }

    #[test]
    fn links_do_not_depend_on_where_rows_are_cut(records in records(), cuts in vec(any::<bool>(), 20)) {
        let mut writer = FrameWriter::new(genesis());
        let mut chain = genesis();
        for (record, cut) in records.iter().zip(cuts) {
            writer.push(record);
            if cut {
                writer.cut().unwrap().verify(&mut chain, |_, _| ()).unwrap();
            }
        }
        if let Some(row) = writer.cut() {
            row.verify(&mut chain, |_, _| ()).unwrap();
        }
        prop_assert_eq!(chain.link(), row_of(&records).link);
    }
}

#[test]
fn a_full_row_says_so_and_the_next_goes_on_after_it() {
    let mut writer = FrameWriter::new(genesis());
    assert_eq!(writer.cut(), None);
    for _ in 0..MAX_ROW_RECORDS {
        assert!(!writer.is_full());
        writer.push(b"record");
    }
    assert!(writer.is_full());
    let row = writer.cut().unwrap();
    assert_eq!((row.first, row.count, row.last()), (1, 1000, 1000));
    writer.push(b"next");
    assert_eq!((writer.count(), writer.bytes()), (1, 1 + 8 + 4));
    assert_eq!(writer.cut().unwrap().first, 1001);
}

#[test]
#[should_panic(expected = "a full row was not cut before record 1001")]
fn a_row_never_grows_past_its_bound() {
    let mut writer = FrameWriter::new(genesis());
    for _ in 0..=MAX_ROW_RECORDS {
        writer.push(b"record");
    }
}

#[test]
fn each_fault_of_a_payload_has_its_name() {
    let error = |count, payload: &[u8]| Frames::new(7, count, payload).find_map(Result::err);
    let sound = [1, 0, 0, 0, 0, 0, 0, 0, 0, b'a'];
    let overrun = FrameError::LengthOverrun { seq: 7, length: 1, left: 0 };
    assert_eq!(error(1, &sound), None);
    assert_eq!(error(0, &[]), None);
    assert_eq!(error(2, &sound), Some(FrameError::Truncated { seq: 8 }));
    assert_eq!(error(1, &sound[..5]), Some(FrameError::Truncated { seq: 7 }));
    assert_eq!(error(1, &[0x80]), Some(FrameError::Truncated { seq: 7 }));
    assert_eq!(error(1, &sound[..9]), Some(overrun));
    let trailing = [&sound[..], &[0, 0]].concat();
    assert_eq!(error(1, &trailing), Some(FrameError::TrailingBytes { seq: 7, left: 2 }));
    // Not the shortest form, too large a number, too many bytes.
    for length in [&[0x81, 0x00][..], &[0xff, 0xff, 0xff, 0xff, 0x7f], &[0x80; 6]] {
        assert_eq!(error(1, length), Some(FrameError::LengthMalformed { seq: 7 }));
    }
}

#[test]
fn a_row_out_of_turn_or_under_a_foreign_link_is_broken() {
    let mut row = row_of(&[b"one".to_vec(), b"two".to_vec()]);
    row.link.0[31] ^= 1;
    let verify = |row: &Row| row.verify(&mut genesis(), |_, _| ());
    assert_eq!(verify(&row), Err(RowBroken::LinkDiffers { seq: 2 }));
    row.first = 3;
    assert_eq!(verify(&row), Err(RowBroken::OutOfSequence { expected: 1, found: 3 }));
}
