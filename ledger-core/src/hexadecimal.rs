//! Bytes as hexadecimal digits, and read back.

/// Two digits a byte, in small letters.
///
/// ```
/// use ledger_core::hexadecimal::{bytes, digits};
///
/// assert_eq!(digits(&[0, 0xab]), "00ab");
/// assert_eq!(bytes("00AB"), Some(vec![0, 0xab]));
/// assert_eq!((bytes("0"), bytes("+1")), (None, None));
/// ```
#[must_use]
pub fn digits(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half)]);
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 0xf));
    }
    text
}

/// The bytes that digits stand for; none where there is half a byte, or anything else.
#[must_use]
pub fn bytes(text: &str) -> Option<Vec<u8>> {
    let halves = text.chars().map(|digit| digit.to_digit(16)).collect::<Option<Vec<_>>>()?;
    let (pairs, half) = halves.as_chunks::<2>();
    let whole = pairs.iter().map(|[high, low]| u8::try_from(high << 4 | low).ok());
    whole.collect::<Option<Vec<_>>>().filter(|_| half.is_empty())
}
