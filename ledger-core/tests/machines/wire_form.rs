//! Events in the journal's binary form: what is written is what is read.

use std::collections::BTreeSet;

use ledger_core::id::{OpId, Seq, Token};
use ledger_core::ledger::{Cause, Event, ExternalId, Origin, Record, Scope};
use ledger_core::money::{Amount, Cents};
use ledger_core::time::Instant;
use proptest::prelude::*;

use crate::grid::name;
use crate::sample_events::{Ink, inks};

fn record(ink: &Ink) -> Record {
    let origin = Origin::Line { source: ink.text(), pass: ink.id, number: ink.seq, hash: ink.seq };
    let origin = if ink.some { origin } else { Origin::Request(ink.text()) };
    let cause = Cause { origin, deadline: ink.some };
    let outside = ink.maybe(ExternalId { scope: Scope::ReturnedPayout, id: ink.text() });
    let original = ink.maybe(ink.at);
    Record { seq: Seq(0), at: ink.at, original, cause, outside, events: ink.events() }
}

fn read_back(event: &Event) -> Event {
    minicbor::decode(&minicbor::to_vec(event).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_event_is_read_as_it_was_written(ink in inks()) {
        for event in ink.events() {
            prop_assert_eq!(&read_back(&event), &event);
        }
        let record = record(&ink);
        let bytes = minicbor::to_vec(&record).unwrap();
        prop_assert_eq!(minicbor::decode::<Record>(&bytes).unwrap(), record);
    }

    #[test]
    fn damaged_events_are_errors_or_other_events_and_never_panic(
        ink in inks(),
        which in any::<proptest::sample::Index>(),
        place in any::<proptest::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let events = ink.events();
        let mut bytes = minicbor::to_vec(which.get(&events)).unwrap();
        let place = place.index(bytes.len());
        bytes[place] = byte;
        if let Ok(event) = minicbor::decode::<Event>(&bytes) {
            prop_assert_eq!(read_back(&event), event);
        }
        prop_assert!(minicbor::decode::<Event>(&bytes[..place]).is_err());
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(event) = minicbor::decode::<Event>(&bytes) {
            prop_assert_eq!(read_back(&event), event);
        }
        let _ = minicbor::decode::<Record>(&bytes);
    }
}

#[test]
fn the_table_names_every_variant() {
    let ink = Ink {
        id: 1,
        seq: 2,
        amount: Amount::CENTAVO,
        as_cents: Cents::ZERO,
        at: Instant::default(),
        token: Token([0; 16]),
        text: String::new(),
        some: true,
    };
    let names = |all: Vec<String>| all.into_iter().collect::<BTreeSet<_>>().len();
    assert_eq!(names(ink.events().iter().map(name).collect()), 60);
    assert_eq!(names(ink.charges().iter().map(name).collect()), 14);
    assert_eq!(names(ink.purchases().iter().map(name).collect()), 9);
    assert_eq!(names(ink.deliveries().iter().map(name).collect()), 6);
    assert_eq!(names(ink.conversions().iter().map(name).collect()), 3);
    assert_eq!(names(ink.erroneous_deliveries().iter().map(name).collect()), 2);
    assert_eq!(names(ink.cash_outs().iter().map(name).collect()), 39);
    assert_eq!(names(ink.unmatched().iter().map(name).collect()), 11);
    assert_eq!(names(ink.wallet_payments().iter().map(name).collect()), 13);
    assert_eq!(names(ink.crypto_withdrawals().iter().map(name).collect()), 8);
    assert_eq!(names(ink.quotes().iter().map(name).collect()), 3);
    assert_eq!(names(ink.wallet_deposits().iter().map(name).collect()), 13);
    assert_eq!(names(ink.payouts().iter().map(name).collect()), 8);
    assert_eq!(names(ink.holds().iter().map(name).collect()), 7);
    assert_eq!(names(ink.agents().iter().map(name).collect()), 8);
    assert_eq!(names(ink.suspenses().iter().map(name).collect()), 6);
}

#[test]
fn values_that_cannot_be_are_refused_when_read() {
    let refused = |bytes: Vec<u8>, what: &str| match what {
        "amount" => minicbor::decode::<Amount>(&bytes).is_err(),
        "share" => minicbor::decode::<Cents>(&bytes).is_err(),
        "instant" => minicbor::decode::<Instant>(&bytes).is_err(),
        "op" => minicbor::decode::<OpId>(&bytes).is_err(),
        "rate" => minicbor::decode::<ledger_core::money::Bps>(&bytes).is_err(),
        "token" => minicbor::decode::<Token>(&bytes).is_err(),
        other => panic!("{other} is not in the table"),
    };
    let number = |number: i64| minicbor::to_vec(number).unwrap();
    assert!(refused(number(0), "amount") && refused(number(-1), "amount"));
    assert!(!refused(number(1), "amount"));
    assert!(refused(number(-1), "share") && !refused(number(0), "share"));
    assert!(refused(number(-1), "instant") && refused(number(i64::MAX), "instant"));
    // An id has room for sixteen kinds, and all of them are given.
    assert!(!refused(number(0x1F), "op") && !refused(number(0x10), "op"));
    assert!(refused(number(10_001), "rate") && !refused(number(10_000), "rate"));
    let token: &minicbor::bytes::ByteSlice = [0_u8; 15].as_slice().into();
    assert!(refused(minicbor::to_vec(token).unwrap(), "token"));
}
