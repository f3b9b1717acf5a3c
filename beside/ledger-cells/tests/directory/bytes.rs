//! The bytes of each record, written by hand: they are frozen, since journals hold them for ever.

use ledger_cells::directory::Record;
use ledger_core::directory::Event;
use ledger_core::id::KeyHash;

use super::at;

/// A text of fewer than 24 bytes, as CBOR has it.
fn text(text: &str) -> Vec<u8> {
    let length = u8::try_from(text.len()).unwrap();
    assert!(length < 24);
    [&[0x60 | length], text.as_bytes()].concat()
}

/// 32 bytes, as CBOR has them.
fn hash(byte: u8) -> Vec<u8> {
    [&[0x58, 32][..], &[byte; 32]].concat()
}

/// A record of `at(1)`: the version, an array of the instant and of the event, and of that an array
/// of its number and its fields.
fn by_hand(number: u8, fields: &[Vec<u8>]) -> Vec<u8> {
    let instant = at(1).micros().to_be_bytes();
    let count = 0x80 | u8::try_from(fields.len()).unwrap();
    let head = [&[129, 0x82, 0x1b][..], &instant, &[0x82, number, count]].concat();
    [head, fields.concat()].concat()
}

#[test]
fn the_bytes_of_every_event_never_change() {
    let (id, account) = (|| "m".into(), || "loja".into());
    let (key_check, key) = ([7; 32], KeyHash([9; 32]));
    let (from, to) = (|| "a".into(), || "b".into());
    for (event, bytes) in [
        (Event::CellAdded { cell: from(), key_check }, by_hand(0, &[text("a"), hash(7)])),
        (
            Event::AccountPlaced { account: account(), cell: from() },
            by_hand(1, &[text("loja"), text("a")]),
        ),
        (Event::KeyBound { key, account: account() }, by_hand(2, &[hash(9), text("loja")])),
        (
            Event::MoveBegun { id: id(), account: account(), from: from(), to: to() },
            by_hand(3, &[text("m"), text("loja"), text("a"), text("b")]),
        ),
        (
            Event::MoveFinished { id: id(), account: account(), to: to() },
            by_hand(4, &[text("m"), text("loja"), text("b")]),
        ),
        (
            Event::MoveAbandoned { id: id(), account: account(), from: from() },
            by_hand(5, &[text("m"), text("loja"), text("a")]),
        ),
    ] {
        let record = Record { at: at(1), event };
        assert_eq!(record.encode(), bytes, "{record:?}");
        assert_eq!(Record::decode(&bytes).unwrap(), record);
    }
}
