//! Bytes as hexadecimal digits, and read back.

/// Two digits a byte, in small letters.
pub(crate) fn digits(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(digit).collect()
}

fn digit(nibble: u8) -> char {
    char::from_digit(nibble.into(), 16).expect("half a byte is a digit")
}

/// The bytes that digits stand for; none where there are not `2 * N` of them.
pub(crate) fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let nibbles = text.chars().map(|digit| digit.to_digit(16)).collect::<Option<Vec<_>>>()?;
    let pairs = nibbles.chunks_exact(2).map(|pair| u8::try_from(pair[0] << 4 | pair[1]).ok());
    let whole = nibbles.len() == 2 * N;
    pairs.collect::<Option<Vec<_>>>().filter(|_| whole)?.try_into().ok()
}
