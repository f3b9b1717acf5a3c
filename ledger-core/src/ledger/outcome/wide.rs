//! Sums of 128 bits in CBOR: 16 bytes, little endian. What holds them is read by the version that
//! wrote it and by no other.

use minicbor::decode::Error as DecodeError;
use minicbor::encode::{Error as EncodeError, Write};
use minicbor::{Decode, Decoder, Encode, Encoder};

/// What was agreed to be sent: in centavos, and in units where it is crypto.
#[derive(Clone, Copy, Debug, Default, Encode, Decode)]
#[cbor(array)]
pub(super) struct AgreedAmount(#[n(0)] pub i64, #[cbor(n(1), with = "self")] pub u128);

/// A sum of 128 bits.
pub(super) trait Wide: Copy {
    fn to_bytes(self) -> [u8; 16];
    fn of_bytes(bytes: [u8; 16]) -> Self;
}

impl Wide for i128 {
    fn to_bytes(self) -> [u8; 16] {
        self.to_le_bytes()
    }

    fn of_bytes(bytes: [u8; 16]) -> Self {
        Self::from_le_bytes(bytes)
    }
}

impl Wide for u128 {
    fn to_bytes(self) -> [u8; 16] {
        self.to_le_bytes()
    }

    fn of_bytes(bytes: [u8; 16]) -> Self {
        Self::from_le_bytes(bytes)
    }
}

/// Writes a sum as 16 bytes.
pub(super) fn encode<T: Wide, C, W: Write>(
    value: &T,
    e: &mut Encoder<W>,
    _: &mut C,
) -> Result<(), EncodeError<W::Error>> {
    e.bytes(&value.to_bytes())?.ok()
}

/// Reads a sum of 16 bytes.
pub(super) fn decode<T: Wide, C>(d: &mut Decoder<'_>, _: &mut C) -> Result<T, DecodeError> {
    let bytes = d.bytes()?.try_into();
    bytes.map(T::of_bytes).map_err(|_| DecodeError::message("a sum has 16 bytes"))
}
