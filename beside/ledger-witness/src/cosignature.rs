//! Cosignatures of C2SP tlog-cosignature, by Ed25519: at this instant, this was the largest
//! consistent tree of its origin that the witness had seen.
//!
//! ```text
//! signature = instant (8 bytes, big endian) ‖ Ed25519 of the message
//!
//! cosignature/v1
//! time 1679315147                     seconds since 1970
//! example.com/behind-the-sofa         and every other line of the checkpoint
//! ...
//! ```

use crate::key::WitnessKey;

/// The last second that an instant may be.
const LAST_SECOND: u64 = i64::MAX.cast_unsigned();

/// Tells whether a cosignature may have this instant, in seconds since 1970: not zero, which says
/// nothing.
pub(crate) fn is_instant(time: u64) -> bool {
    (1..=LAST_SECOND).contains(&time)
}

/// The bytes that are signed.
pub(crate) fn message(time: u64, text: &str) -> Vec<u8> {
    format!("cosignature/v1\ntime {time}\n{text}").into_bytes()
}

/// The instant and the signature of a cosignature's bytes.
pub(crate) fn split(bytes: &[u8]) -> Option<(u64, &[u8; 64])> {
    let (time, signature) = bytes.split_first_chunk::<8>()?;
    let time = u64::from_be_bytes(*time);
    let signature = signature.try_into().ok()?;
    is_instant(time).then_some((time, signature))
}

/// The bytes of a cosignature of a checkpoint's text at an instant, in seconds since 1970.
pub(crate) fn sign(key: &WitnessKey, text: &str, time: u64) -> Vec<u8> {
    [&time.to_be_bytes()[..], &key.sign(&message(time, text))].concat()
}
