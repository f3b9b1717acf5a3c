//! Numbers in as few bytes as they need: seven bits a byte, the lowest first (LEB128).

/// The most bytes a number takes.
pub(crate) const LONGEST: usize = 10;

/// Writes `number` and gives how many bytes it took.
pub(crate) fn write(mut number: u64, into: &mut [u8; LONGEST]) -> usize {
    let mut length = 0;
    loop {
        let low = number.to_le_bytes()[0] & 0x7F;
        number >>= 7;
        into[length] = if number == 0 { low } else { low | 0x80 };
        length += 1;
        if number == 0 {
            return length;
        }
    }
}

/// Reads the number that `from` begins with, and leaves the rest; none where there is none.
pub(crate) fn read(from: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for (place, byte) in from.iter().take(LONGEST).enumerate() {
        number |= u64::from(byte & 0x7F) << (7 * place);
        if byte & 0x80 == 0 {
            *from = &from[place + 1..];
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_leave_the_rest() {
        for number in [0, 1, 127, 128, 16_383, 16_384, 1 << 40, u64::MAX] {
            let mut bytes = [0; LONGEST];
            let length = write(number, &mut bytes);
            let mut written = bytes[..length].to_vec();
            written.push(9);
            let mut rest = &written[..];
            assert_eq!((read(&mut rest), rest), (Some(number), &[9][..]));
            assert_eq!(read(&mut &bytes[..length - 1]), None);
        }
    }
}
