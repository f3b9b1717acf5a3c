//! The commonest record is written and read by hand: to the same bytes, and as the same record, as
//! by the numbers on its types.

use ledger_core::id::{AccountId, Kind, OpId, Seq, SubaccountId, Token};
use ledger_core::ledger::{Cause, Event, ExternalId, Origin, Record};
use ledger_core::machine::transfer;
use ledger_core::money::Amount;
use ledger_core::time::Instant;
use ledger_store::codec::{self, VERSION};
use proptest::prelude::*;

use super::catalogue::samples;
use super::{decoded, encoded};

/// The bytes as the derived codec alone would write them.
fn derived(record: &Record) -> Vec<u8> {
    let mut bytes = vec![VERSION];
    minicbor::encode(record, &mut bytes).unwrap();
    bytes
}

/// Returns what the derived codec alone would read, if it read all of it.
fn read_by_numbers(bytes: &[u8]) -> Option<Record> {
    let mut decoder = minicbor::Decoder::new(bytes.strip_prefix(&[VERSION])?);
    let record = decoder.decode().ok()?;
    (decoder.position() + 1 == bytes.len()).then_some(record)
}

/// Numbers of every width that CBOR has.
fn number(most: u64) -> impl Strategy<Value = u64> {
    let edges = [0, 1, 23, 24, 0xff, 0x100, 0xffff, 0x1_0000, 0xffff_ffff, 0x1_0000_0000, most];
    let edges: Vec<u64> = edges.into_iter().filter(|edge| *edge <= most).collect();
    prop_oneof![proptest::sample::select(edges), 0..=most, 0..=most.min(300)]
}

fn id32() -> impl Strategy<Value = u32> {
    number(u32::MAX.into()).prop_map(|id| u32::try_from(id).unwrap())
}

/// Texts of every width of length, with and without characters of several bytes.
fn text() -> impl Strategy<Value = Box<str>> {
    let length = prop_oneof![0..30_usize, 60..70_usize, 120..135_usize, 250..300_usize];
    let letter = prop_oneof![Just('a'), Just('-'), Just('é'), Just('字')];
    length.prop_flat_map(move |n| proptest::collection::vec(letter.clone(), n)).prop_map(
        |letters| {
            let text: String = letters.into_iter().collect();
            text.into()
        },
    )
}

prop_compose! {
    fn order()(
        account in id32(),
        from in id32(),
        to in id32(),
        cents in number(i64::MAX.unsigned_abs()),
        external_id in proptest::option::of(text()),
        note in proptest::option::of(any::<[u8; 16]>()),
    ) -> transfer::Order {
        transfer::Order {
            account: AccountId(account),
            from: SubaccountId(from),
            to: SubaccountId(to),
            amount: Amount::new(i64::try_from(cents).unwrap().max(1)).unwrap(),
            external_id,
            note: note.map(Token),
        }
    }
}

fn origin() -> impl Strategy<Value = Origin> {
    let line = (text(), any::<u32>(), any::<u64>(), any::<u64>());
    prop_oneof![
        3 => Just(Origin::Call),
        3 => text().prop_map(Origin::Request),
        2 => line.prop_map(|(source, pass, number, hash)| Origin::Line {
            source,
            pass,
            number,
            hash
        }),
    ]
}

fn instant() -> impl Strategy<Value = Instant> {
    let latest = 253_402_300_799_999_999;
    number(latest).prop_map(|at| Instant::from_micros(i64::try_from(at).unwrap()).unwrap())
}

prop_compose! {
    fn record()(
        at in instant(),
        seq in number((1 << 60) - 1),
        order in order(),
        origin in origin(),
        deadline in any::<bool>(),
        outside in proptest::option::weighted(0.1, text()),
        original in proptest::option::weighted(0.1, instant()),
        events in prop_oneof![9 => Just(1_usize), 1 => 0..3_usize],
    ) -> Record {
        let op = OpId::new(Kind::Transfer, Seq(seq));
        let event = Event::Transfer { op, event: transfer::Event::Done(order) };
        Record {
            seq: Seq(0),
            at,
            events: vec![event; events],
            cause: Cause { origin, deadline },
            outside: outside.map(|id| ExternalId::fact(&id)),
            original,
        }
    }
}

#[test]
fn every_sample_has_the_bytes_that_its_numbers_give() {
    for (name, record) in samples() {
        assert_eq!(encoded(&record), derived(&record), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_transfer_has_the_bytes_that_its_numbers_give(record in record()) {
        let bytes = encoded(&record);
        prop_assert_eq!(&bytes, &derived(&record));
        prop_assert_eq!(decoded(&bytes), record);
    }

    #[test]
    fn damaged_bytes_are_read_as_their_numbers_say_or_not_at_all(
        record in record(),
        place in any::<proptest::sample::Index>(),
        byte in prop_oneof![any::<u8>(), Just(0xf6), Just(0x80), Just(0x9f), Just(0xff)],
        cut in proptest::option::weighted(0.2, any::<proptest::sample::Index>()),
    ) {
        let mut bytes = encoded(&record);
        let place = place.index(bytes.len());
        bytes[place] = byte;
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        prop_assert_eq!(codec::decode(Seq(0), &bytes).ok(), read_by_numbers(&bytes));
    }

    #[test]
    fn a_number_written_longer_than_it_need_be_is_read_as_the_same(record in record()) {
        let shortest = encoded(&record);
        // The instant stands after the version and the head of the record.
        let at = record.at.micros().unsigned_abs();
        let mut head = Vec::new();
        minicbor::encode(at, &mut head).unwrap();
        let mut bytes = shortest[..2].to_vec();
        bytes.push(0x1b);
        bytes.extend(at.to_be_bytes());
        bytes.extend(&shortest[2 + head.len()..]);
        prop_assert_eq!(decoded(&bytes), record);
    }
}
