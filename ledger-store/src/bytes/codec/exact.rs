//! Whether bytes are those that are written here: CBOR says one thing in many ways, a journal in
//! one.
//!
//! A record is encoded again and compared. Bytes that differ may still be those of an earlier
//! program: fields with a default were added since, and a record of before ends where they begin.
//! So an array may be shorter than it is written today; nothing else may differ.

/// Major type 4 (RFC 8949, section 3.1).
const ARRAY: u8 = 4;

/// Tells whether `stored` is `written`, later fields of its arrays aside.
pub(super) fn is_as_written(stored: &[u8], written: &[u8]) -> bool {
    stored == written || matches!(pass(stored, written), Some(([], [])))
}

/// The head of an item: its major type, its value, and the bytes it takes.
struct Head {
    major: u8,
    value: u64,
    length: usize,
}

/// Returns what follows one item on either side, where the stored one is as written.
fn pass<'s, 'w>(stored: &'s [u8], written: &'w [u8]) -> Option<(&'s [u8], &'w [u8])> {
    let (found, known) = (Head::parse(stored)?, Head::parse(written)?);
    if found.major == ARRAY && known.major == ARRAY {
        let mut rest = (&stored[found.length..], &written[known.length..]);
        let missing = known.value.checked_sub(found.value)?;
        for _ in 0..found.value {
            rest = pass(rest.0, rest.1)?;
        }
        for _ in 0..missing {
            rest.1 = skip(rest.1)?;
        }
        return Some(rest);
    }
    let length = known.item(written)?;
    let (same, rest) = written.split_at_checked(length)?;
    Some((stored.strip_prefix(same)?, rest))
}

/// Returns what follows one item.
fn skip(bytes: &[u8]) -> Option<&[u8]> {
    let head = Head::parse(bytes)?;
    if head.major != ARRAY {
        return bytes.get(head.item(bytes)?..);
    }
    (0..head.value).try_fold(bytes.get(head.length..)?, |rest, _| skip(rest))
}

impl Head {
    /// The head that begins `bytes`, in its shortest form and of a definite length.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let (first, rest) = bytes.split_first()?;
        let (major, info) = (first >> 5, first & 0x1f);
        let width = match info {
            0..24 => 0,
            24..28 => 1_usize << (info - 24),
            _ => return None,
        };
        let value = rest.get(..width)?.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
        let least = [24, 1 << 8, 1 << 16, 1 << 32];
        match width {
            0 => Some(Self { major, value: info.into(), length: 1 }),
            _ if value < least[usize::from(info) - 24] => None,
            _ => Some(Self { major, value, length: 1 + width }),
        }
    }

    /// How many bytes the item takes that begins `bytes`, where it is no array.
    fn item(&self, bytes: &[u8]) -> Option<usize> {
        match self.major {
            // Unsigned, negative, simple.
            0 | 1 | 7 => Some(self.length),
            // Bytes, text.
            2 | 3 => self.length.checked_add(usize::try_from(self.value).ok()?),
            // A tag, and the item it is of.
            6 => {
                let tagged = bytes.get(self.length..)?;
                Some(self.length + (tagged.len() - skip(tagged)?.len()))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_rewritten_as(stored: &[u8], written: &[u8]) -> bool {
        is_as_written(stored, written)
    }

    #[test]
    fn an_array_may_lack_later_fields_wherever_it_stands() {
        // [1, [2, "a"], h'0102']
        let whole = [0x83, 0x01, 0x82, 0x02, 0x61, b'a', 0x42, 1, 2];
        assert!(is_rewritten_as(&whole, &whole));
        assert!(
            is_rewritten_as(&[0x83, 0x01, 0x81, 0x02, 0x42, 1, 2], &whole),
            "one lacks a field"
        );
        assert!(is_rewritten_as(&[0x81, 0x01], &whole), "two are lacking, one of them an array");
        assert!(is_rewritten_as(&[0x80], &whole));
        assert!(!is_rewritten_as(&whole, &[0x81, 0x01]), "none is added");
        assert!(!is_rewritten_as(&[0x81, 0x02], &whole), "what is there is as it was");
        assert!(!is_rewritten_as(&[0x81, 0x01, 0x01], &whole), "nothing follows it");
    }

    #[test]
    fn what_could_be_said_shorter_is_not_as_written() {
        // 1 in two bytes; 24 in three; an array of a length in two bytes, and of none.
        for (longer, plain) in [
            (&[0x18, 0x01][..], &[0x01][..]),
            (&[0x19, 0x00, 0x18], &[0x18, 0x18]),
            (&[0x98, 0x01, 0x01], &[0x81, 0x01]),
            (&[0x9f, 0x01, 0xff], &[0x81, 0x01]),
            (&[0x7f, 0x61, b'a', 0xff], &[0x61, b'a']),
            (&[0x78, 0x01, b'a'], &[0x61, b'a']),
        ] {
            assert!(
                is_rewritten_as(plain, plain) && !is_rewritten_as(longer, plain),
                "{longer:x?}"
            );
            let (longer, plain) = ([&[0x81], longer].concat(), [&[0x81], plain].concat());
            assert!(
                is_rewritten_as(&plain, &plain) && !is_rewritten_as(&longer, &plain),
                "{longer:x?}"
            );
        }
    }

    #[test]
    fn a_number_beyond_64_bits_is_compared_whole() {
        // Tag 2, a bignum of nine bytes, within an array that lacks its last field.
        let number = [0xc2, 0x49, 1, 0, 0, 0, 0, 0, 0, 0, 0];
        let whole = [&[0x82][..], &number, &[0x01]].concat();
        assert!(is_rewritten_as(&[&[0x81][..], &number].concat(), &whole));
        let mut other = [&[0x81][..], &number].concat();
        *other.last_mut().unwrap() = 1;
        assert!(!is_rewritten_as(&other, &whole));
        assert!(is_rewritten_as(&[0x80], &whole));
    }
}
