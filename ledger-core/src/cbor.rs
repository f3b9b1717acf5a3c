//! Events through serde, as the bytes that a journal has of them: for frameworks that ask for
//! `Serialize` and `Deserialize`.
//!
//! Variants and fields keep their numbers for ever (docs/FORMAT.md), so what is stored this way is
//! read by every later version; names of Rust are no part of it.
//!
//! ```
//! use ledger_core::machine::payout::Event;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! struct Stored(#[serde(with = "ledger_core::cbor")] Event);
//!
//! let json = serde_json::to_string(&Stored(Event::Submitted))?;
//! assert_eq!(json, r#""820180""#); // Variant 1, without fields.
//! assert_eq!(serde_json::from_str::<Stored>(&json)?, Stored(Event::Submitted));
//! // Half a byte more, a byte more, another value.
//! let wrong = [r#""8201800""#, r#""82018000""#, r#""830180""#];
//! assert!(wrong.iter().all(|json| serde_json::from_str::<Stored>(json).is_err()));
//! # Ok::<(), serde_json::Error>(())
//! ```

use minicbor::{Decode, Encode};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serializer, ser};

use crate::hexadecimal;

/// Writes the hexadecimal digits of a value's bytes.
///
/// # Errors
///
/// Returns the serializer's own error.
pub fn serialize<T: Encode<()>, S: Serializer>(value: &T, into: S) -> Result<S::Ok, S::Error> {
    let bytes = minicbor::to_vec(value).map_err(ser::Error::custom)?;
    into.serialize_str(&hexadecimal::digits(&bytes))
}

/// Reads a value from the hexadecimal digits of its bytes, and of nothing more.
///
/// # Errors
///
/// Returns an error for text of other characters, and for bytes of another value.
pub fn deserialize<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: for<'b> Decode<'b, ()>,
    D: Deserializer<'de>,
{
    let digits = String::deserialize(from)?;
    let bytes = hexadecimal::bytes(&digits);
    let bytes = bytes.ok_or_else(|| D::Error::custom("bytes have two hexadecimal digits each"))?;
    let mut decoder = minicbor::Decoder::new(&bytes);
    let value = decoder.decode().map_err(D::Error::custom)?;
    if decoder.position() < bytes.len() {
        return Err(D::Error::custom("bytes follow the value"));
    }
    Ok(value)
}
