//! The bytes of every row, changed one at a time: every fourth in the gate, `FLIPS=1` every one.

use ledger_store::journal::Row;

use super::{finding_of, journal};

/// A change of one byte, another one at every place.
fn flip(place: usize) -> u8 {
    1 << (place % 8)
}

/// Where each frame of the row ends in its payload.
fn ends(row: &Row) -> Vec<usize> {
    let mut end = 0;
    let length = |frame: ledger_store::frame::Frame<'_>| {
        let record = frame.record.len();
        let header = if record < 0x80 { 1 } else { 2 };
        end += header + frame.check.len() + record;
        end
    };
    row.frames().map(Result::unwrap).map(length).collect()
}

/// Of how many bytes one is changed: as `FLIPS` says, or four.
fn stride() -> usize {
    std::env::var("FLIPS").map_or(4, |text| text.parse().expect("FLIPS is a number"))
}

/// Flips the payload bytes of every second row, beginning with row `from`.
fn every_byte_is_missed_by_its_record(from: usize) {
    let (_, sound) = journal();
    let stride = stride();
    for (at, row) in sound.iter().enumerate().skip(from).step_by(2) {
        let ends = ends(row);
        assert_eq!(ends.last(), Some(&row.payload.len()));
        // What comes after the row is not read any more.
        let mut rows = sound[..=at].to_vec();
        for place in (at % stride..row.payload.len()).step_by(stride) {
            rows[at].payload[place] ^= flip(place / stride);
            let finding = finding_of(&rows, "a changed byte");
            rows[at].payload[place] = row.payload[place];
            let record = row.first + ends.iter().filter(|end| **end <= place).count() as u64;
            assert_eq!(finding.seq(), Some(record), "byte {place} of row {at}: {finding:?}");
        }
        assert_eq!(rows, sound[..=at]);
    }
}

#[test]
fn a_changed_byte_of_a_first_third_or_fifth_row_is_pinned_to_its_record() {
    every_byte_is_missed_by_its_record(0);
}

#[test]
fn a_changed_byte_of_a_second_fourth_or_sixth_row_is_pinned_to_its_record() {
    every_byte_is_missed_by_its_record(1);
}

/// Changes every row in turn, and asks that a record of that row be named.
fn every_change_is_seen(what: &str, change: impl Fn(&mut Row)) {
    let (_, sound) = journal();
    for at in 0..sound.len() {
        let mut rows = sound.clone();
        change(&mut rows[at]);
        assert_ne!(rows[at], sound[at]);
        let finding = finding_of(&rows, what);
        let named = finding.seq().expect(what);
        // A row that promises too many lacks the one after its last.
        let row = &sound[at];
        assert!(
            (row.first..=row.last() + 1).contains(&named),
            "{what} of row {at}: record {named} is named: {finding:?}"
        );
    }
}

#[test]
fn a_changed_link_of_a_row_is_seen_in_every_byte() {
    for place in 0..32 {
        every_change_is_seen(&format!("byte {place} of the link"), |row| {
            row.link.0[place] ^= flip(place);
        });
    }
}

#[test]
fn a_changed_count_of_a_row_is_seen_in_every_bit() {
    for bit in 0..u32::BITS {
        every_change_is_seen(&format!("bit {bit} of the count"), |row| row.count ^= 1 << bit);
    }
}

#[test]
fn a_changed_first_number_of_a_row_is_seen_in_every_bit() {
    for bit in 0..u64::BITS {
        every_change_is_seen(&format!("bit {bit} of the first"), |row| row.first ^= 1 << bit);
    }
}
