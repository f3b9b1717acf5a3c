//! Records as bytes: what was ever written is read for ever, and nothing else is read at all.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod access;
mod by_hand;
mod catalogue;
mod cells;
mod closings;
mod damage;
mod golden;
mod later;
mod mesh;
mod numbers;
mod older;
mod products;
mod recoveries;
mod sold;
mod wallets;

use ledger_core::id::Seq;
use ledger_core::ledger::Record;
use ledger_store::codec::{self, VERSION};

fn encoded(record: &Record) -> Vec<u8> {
    let mut bytes = Vec::new();
    codec::encode(record, &mut bytes);
    bytes
}

/// A record's number is its place, so every sample is record 0.
fn decoded(bytes: &[u8]) -> Record {
    codec::decode(Seq(0), bytes).unwrap()
}

#[test]
fn every_sample_is_read_as_it_was_written_at_whatever_place() {
    for (name, record) in catalogue::samples() {
        let bytes = encoded(&record);
        assert_eq!(bytes[0], VERSION);
        assert_eq!(decoded(&bytes), record, "{name}");
        let elsewhere = codec::decode(Seq(77), &bytes).unwrap();
        assert_eq!(elsewhere, Record { seq: Seq(77), ..record.clone() }, "{name}");
        assert_eq!(encoded(&elsewhere), bytes, "the number of {name} is not encoded");
    }
}

#[test]
fn encoding_appends_to_what_is_there() {
    for (name, record) in catalogue::samples() {
        let mut bytes = vec![9, 9];
        codec::encode(&record, &mut bytes);
        assert_eq!(bytes[..2], [9, 9]);
        assert_eq!(bytes[2..], encoded(&record), "{name}");
    }
}
