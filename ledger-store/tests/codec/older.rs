//! An older version is read for ever: its own form, lifted to what is known today.
//!
//! No version before the first was ever released, so one is made up here as it might have been:
//! version 0 recorded a transfer and nothing else, in reais and centavos apart, and by the name of
//! its cause. Its golden bytes are read beside today's by a table that knows both, as a store that
//! came after a change of version would.

use ledger_core::id::{AccountId, Kind, OpId, Seq, SubaccountId};
use ledger_core::ledger::{Cause, Event, Origin, Record};
use ledger_core::machine::transfer;
use ledger_core::money::Amount;
use ledger_core::time::Instant;
use ledger_store::codec::{self, CodecError, KNOWN, VERSION, Version, Versions};
use minicbor::{Decode, Encode};

/// What version 0 wrote.
#[derive(Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(array)]
struct FormZero {
    #[n(0)]
    seconds: u32,
    #[n(1)]
    number: u32,
    #[n(2)]
    from: u32,
    #[n(3)]
    to: u32,
    #[n(4)]
    reais: u32,
    #[n(5)]
    centavos: u8,
    #[n(6)]
    request: Option<Box<str>>,
}

/// Lifts version 0 to version 1, which is today's.
impl TryFrom<FormZero> for Record {
    type Error = CodecError;

    fn try_from(form: FormZero) -> Result<Self, CodecError> {
        let wrong = |what| CodecError::Malformed(minicbor::decode::Error::message(what));
        let at = Instant::from_micros(i64::from(form.seconds) * 1_000_000);
        let amount = Amount::new(i64::from(form.reais) * 100 + i64::from(form.centavos));
        let order = transfer::Order {
            account: AccountId(0),
            from: SubaccountId(form.from),
            to: SubaccountId(form.to),
            amount: amount.ok_or_else(|| wrong("a transfer moves something"))?,
            external_id: None,
            note: None,
        };
        let op = OpId::new(Kind::Transfer, Seq(form.number.into()));
        Ok(Self {
            seq: Seq::default(),
            at: at.ok_or_else(|| wrong("an instant lies in 1970 to 9999"))?,
            events: vec![Event::Transfer { op, event: transfer::Event::Done(order) }],
            cause: Cause::new(form.request.map_or(Origin::Call, Origin::Request)),
            outside: None,
            original: None,
        })
    }
}

const BOTH: &[Version] = &[
    KNOWN.0[0],
    Version {
        number: 0,
        read: |body| codec::exactly::<FormZero>(body)?.try_into(),
        again: |_, body, into| {
            let form: FormZero = codec::exactly(body)?;
            minicbor::encode(form, into).expect("memory takes it");
            Ok(())
        },
    },
];

/// Golden: a transfer of R$ 1,234.56 as version 0 wrote it.
const OLD: &[u8] = &[
    0x00, 0x87, 0x1a, 0x69, 0x1f, 0x04, 0x40, 0x07, 0x03, 0x04, 0x19, 0x04, 0xd2, 0x18, 0x38, 0x63,
    b'r', b'-', b'1',
];

fn lifted() -> Record {
    let order = transfer::Order {
        account: AccountId(0),
        from: SubaccountId(3),
        to: SubaccountId(4),
        amount: Amount::new(123_456).unwrap(),
        external_id: None,
        note: None,
    };
    let op = OpId::new(Kind::Transfer, Seq(7));
    Record {
        seq: Seq(7),
        at: Instant::parse("2025-11-20T12:06:24Z").unwrap(),
        events: vec![Event::Transfer { op, event: transfer::Event::Done(order) }],
        cause: Cause::new(Origin::Request("r-1".into())),
        outside: None,
        original: None,
    }
}

#[test]
fn a_record_of_an_older_version_is_read_as_what_is_known_today() {
    let read = Versions(BOTH).decode(Seq(7), OLD).unwrap();
    assert_eq!(read, lifted());
    // What was read is written as today's version, and that is read as the same.
    let mut bytes = Vec::new();
    codec::encode(&read, &mut bytes);
    assert_eq!(bytes[0], VERSION);
    assert_eq!(Versions(BOTH).decode(Seq(7), &bytes).unwrap(), read);
}

#[test]
fn records_of_two_versions_stand_in_one_journal() {
    for (name, record) in super::catalogue::samples() {
        let bytes = super::encoded(&record);
        assert_eq!(Versions(BOTH).decode(Seq(0), &bytes).unwrap(), record, "{name}");
    }
}

#[test]
fn an_older_record_is_read_whole_or_not_at_all() {
    let decode = |bytes: &[u8]| Versions(BOTH).decode(Seq(7), bytes);
    for length in 1..OLD.len() {
        assert!(matches!(decode(&OLD[..length]), Err(CodecError::Malformed(_))), "{length}");
    }
    assert!(matches!(decode(&[OLD, &[0]].concat()), Err(CodecError::Trailing(1))));
    // Nothing was moved: the old form could say that, and the ledger never did.
    let mut nothing = OLD.to_vec();
    nothing.splice(10..15, [0, 0]);
    assert!(matches!(decode(&nothing), Err(CodecError::Malformed(_))));
}

#[test]
fn a_store_that_never_knew_a_version_says_which_it_is() {
    assert!(matches!(codec::decode(Seq(7), OLD), Err(CodecError::Version(0))));
    assert!(matches!(Versions(BOTH).decode(Seq(7), &[9]), Err(CodecError::Version(9))));
    assert!(matches!(Versions(BOTH).decode(Seq(7), &[]), Err(CodecError::Empty)));
}

#[test]
fn what_is_written_is_what_is_known_and_no_version_is_known_twice() {
    let numbers: Vec<u8> = KNOWN.0.iter().map(|version| version.number).collect();
    assert!(numbers.contains(&VERSION));
    let mut distinct = numbers.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), numbers.len());
}

#[test]
fn a_record_of_an_older_version_is_written_again_as_that_version_wrote_it() {
    let mut again = Vec::new();
    Versions(BOTH).encode_again(&lifted(), OLD, &mut again).unwrap();
    assert_eq!(again, OLD[1..]);
}
