//! Bytes that are no record.

use ledger_core::id::Seq;
use ledger_store::codec::{CodecError, DIRECTORY_VERSION, VERSION, decode};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::catalogue::samples;
use super::{decoded, encoded};

fn error(bytes: &[u8]) -> CodecError {
    decode(Seq(1), bytes).expect_err("these bytes are no record")
}

#[test]
fn nothing_is_no_record() {
    assert!(matches!(error(&[]), CodecError::Empty));
}

#[test]
fn every_other_version_is_named_and_refused() {
    for (name, record) in samples() {
        let mut bytes = encoded(&record);
        for version in (0..=u8::MAX).filter(|version| *version != VERSION) {
            bytes[0] = version;
            let error = error(&bytes);
            if version == DIRECTORY_VERSION {
                assert!(matches!(error, CodecError::OfADirectory), "{name}");
                continue;
            }
            assert!(matches!(error, CodecError::Version(found) if found == version), "{name}");
            assert!(error.to_string().contains(&format!("version {version},")), "{error}");
        }
    }
}

#[test]
fn a_record_cut_short_anywhere_is_no_record() {
    for (name, record) in samples() {
        let bytes = encoded(&record);
        for length in 1..bytes.len() {
            let error = error(&bytes[..length]);
            assert!(matches!(error, CodecError::Malformed(_)), "{name} at {length}: {error:?}");
        }
    }
}

#[test]
fn bytes_after_a_record_are_counted_and_refused() {
    for (name, record) in samples() {
        let mut bytes = encoded(&record);
        for (more, byte) in (1..=4).zip([0x00, 0xf6, 0x80, 0xff]) {
            bytes.push(byte);
            let error = error(&bytes);
            assert!(matches!(error, CodecError::Trailing(found) if found == more), "{name}");
        }
    }
}

#[test]
fn lengths_that_promise_more_than_memory_holds_are_refused() {
    // Arrays, texts and byte strings that claim 2^63 elements, where events and ids stand.
    for head in [0x9b_u8, 0x7b, 0x5b, 0xbb, 0xdb] {
        let mut bytes = vec![VERSION, 0x85, 0x18, 0x20, head];
        bytes.extend([0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
        assert!(matches!(error(&bytes), CodecError::Malformed(_)));
    }
}

#[test]
fn arrays_nested_without_end_are_refused() {
    for nest in [0x81_u8, 0x9f, 0xa1, 0xc6] {
        let mut bytes = vec![VERSION];
        bytes.extend(std::iter::repeat_n(nest, 1_000_000));
        assert!(matches!(error(&bytes), CodecError::Malformed(_)));
        // A field that this version does not know is skipped, however deep it goes.
        let mut bytes = vec![VERSION, 0x86, 0x00, 0x80, 0x82, 0x82, 0x00, 0x80, 0xf4, 0xf6, 0xf6];
        bytes.extend(std::iter::repeat_n(nest, 1_000_000));
        assert!(matches!(error(&bytes), CodecError::Malformed(_)));
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in vec(any::<u8>(), 0..300)) {
        let _ = decode(Seq(1), &bytes);
        let _ = decode(Seq(1), &[&[VERSION], &bytes[..]].concat());
    }

    #[test]
    fn a_damaged_record_is_no_record_or_another_one(
        sample in select(samples()),
        changes in vec((any::<Index>(), any::<u8>()), 1..4),
    ) {
        let (_, record) = sample;
        let mut bytes = encoded(&record);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Ok(read) = decode(Seq(0), &bytes) {
            // What was read is a record in its own right.
            prop_assert_eq!(decoded(&encoded(&read)), read);
        }
    }
}
