//! A key's or a name's place in a table: the hash that leads to it, and the number it leads to.

/// The hash's lower 56 bits and a number from 1, a record's or a subaccount's, in three words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(pub(super) [u32; 3]);

/// What a ledger's numbers stay below: a million records a second for twelve days, or a thousand
/// for 34 years.
const NUMBER_BITS: u32 = 40;

impl Place {
    /// How many bits of a hash it holds.
    pub(super) const HASH_BITS: u32 = 56;

    /// As many bits of a hash as it holds.
    pub(super) const fn shortened(hash: u64) -> u64 {
        hash >> (u64::BITS - Self::HASH_BITS)
    }

    /// None: numbers begin with 1.
    pub(super) const EMPTY: Self = Self([0; 3]);

    pub(super) const fn is_empty(self) -> bool {
        (self.0[2] | self.0[1] >> 24) == 0
    }

    #[allow(clippy::cast_possible_truncation)] // The words are cut on purpose.
    pub(super) fn new(hash: u64, number: u64) -> Self {
        assert!(number >> NUMBER_BITS == 0, "a ledger holds fewer than a million million records");
        Self([hash as u32, (hash >> 32) as u32 | ((number >> 32) as u32) << 24, number as u32])
    }

    pub(super) fn hash(self) -> u64 {
        u64::from(self.0[0]) | u64::from(self.0[1] & 0x00FF_FFFF) << 32
    }

    pub(super) const fn number(self) -> u64 {
        self.0[2] as u64 | ((self.0[1] >> 24) as u64) << 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_gives_back_what_it_was_made_of() {
        let (hash, number) = ((1 << Place::HASH_BITS) - 1, (1 << NUMBER_BITS) - 1);
        for (hash, number) in
            [(0, 1), (hash, 1), (0, number), (hash, number), (0x00AB_CDEF_0123_4567, 77)]
        {
            let place = Place::new(hash, number);
            assert_eq!((place.hash(), place.number()), (hash, number));
        }
    }
}
