//! CBOR says one thing in many ways: a record that was written in another is named.

use ledger_core::id::Seq;
use ledger_core::ledger::Event;
use ledger_core::machine::payout;
use ledger_core::money::Amount;
use ledger_store::audit::Finding;
use ledger_store::codec::{self, CodecError};
use ledger_store::sequencer::ReplayError;

use super::forged::{first, forged};
use super::setup::rows_given::{records_of, rows_of};
use super::{audited_rows, journal, verified};

/// The place of the array that is the record, after the byte that is its version.
const ARRAY: usize = 1;

/// The same record, its array's length in two bytes where one is enough.
fn longer(record: &[u8]) -> Vec<u8> {
    let length = record[ARRAY] & 0x1f;
    [&record[..ARRAY], &[0x98, length], &record[ARRAY + 1..]].concat()
}

/// The same record, its array ended by a mark instead of counted.
fn unbounded(record: &[u8]) -> Vec<u8> {
    [&record[..ARRAY], &[0x9f], &record[ARRAY + 1..], &[0xff]].concat()
}

/// The same record with a field more, of which nobody knows anything.
fn with_more(record: &[u8]) -> Vec<u8> {
    let length = record[ARRAY] & 0x1f;
    // Fields that are absent are six at most.
    let nulls = vec![0xf6; 9 - usize::from(length)];
    [&record[..ARRAY], &[0x89], &record[ARRAY + 1..], &nulls].concat()
}

#[test]
fn a_record_in_other_bytes_than_a_ledger_writes_is_named() {
    let (_, rows) = journal();
    let sound = records_of(&rows);
    let whole = verified(&audited_rows(&rows).unwrap());
    for (way, name) in
        [(longer as fn(&[u8]) -> _, "longer"), (unbounded, "unbounded"), (with_more, "more")]
    {
        let mut seen = 0;
        for at in (0..sound.len()).step_by(37) {
            let seq = Seq(at as u64 + 1);
            let mut records = sound.clone();
            records[at] = way(&sound[at]);
            let (was, is) = (codec::decode(seq, &sound[at]), codec::decode(seq, &records[at]));
            let Ok(is) = is else { continue };
            assert_eq!(was.unwrap(), is, "{name}: it says the same");
            let rows = rows_of(records.iter().map(Vec::as_slice), 50);
            match audited_rows(&rows).unwrap_err() {
                Finding::Broken(ReplayError::Codec { seq: named, source }) => {
                    assert!(matches!(source, CodecError::NotAsWritten), "{source:?}");
                    assert_eq!(named, seq.0);
                }
                other => panic!("{name} at {at}: {other:?}"),
            }
            seen += 1;
        }
        assert!(seen > 3, "{name}: it can be read");
    }
    assert_eq!(verified(&audited_rows(&rows).unwrap()), whole);
}

#[test]
fn of_two_faults_the_first_is_named_whichever_replay_finds_it() {
    let (mut at, mut named) = (0, [0, 0]);
    let rows = forged(|records| {
        at = first(records, |event| match event {
            Event::Payout { event: payout::Event::Completed { amount, .. }, .. } => {
                *amount = Amount::new(amount.cents() + 1).unwrap();
                true
            }
            _ => false,
        });
    });
    let records = records_of(&rows);
    // The one that cannot follow, alone and with another beside it, before it and in itself.
    for seq in 1..=records.len() as u64 {
        let place = usize::try_from(seq).unwrap() - 1;
        let mut records = records.clone();
        records[place] = longer(&records[place]);
        if codec::decode(Seq(seq), &records[place]).is_err() {
            continue;
        }
        let rows = rows_of(records.iter().map(Vec::as_slice), 3);
        let found = audited_rows(&rows).unwrap_err();
        assert_eq!(found.seq(), Some(seq.min(at)), "{seq}: {found:?}");
        let bytes = matches!(&found, Finding::Broken(ReplayError::Codec { .. }));
        assert_eq!(bytes, seq <= at, "{seq}: {found:?}");
        named[usize::from(bytes)] += 1;
    }
    assert!(named[0] > 10 && named[1] > 10, "both were found: {named:?}");
}
