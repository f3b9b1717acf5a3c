//! An entry of an index of keys or names: the hash that leads to it, and the number it leads to.

/// The 56 bits of [`IndexEntry::hash_of`] and a number, a record's or a subaccount's, in three
/// words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IndexEntry(pub(super) [u32; 3]);

/// What a ledger's numbers stay below: a million records a second for twelve days, or a thousand
/// for 34 years.
const NUMBER_BITS: u32 = 40;

/// How many upper bits of a hash are bent: as many as products of two of them leave room for.
const BENT_BITS: u32 = 31;

impl IndexEntry {
    /// How many bits of a hash it holds.
    pub(super) const HASH_BITS: u32 = 56;

    /// The hash that an entry holds, of one of 64 bits.
    ///
    /// Its upper bits, as a part x of all that they can be, become (2x + x²) / 3: of hashes that
    /// look like chance, twice as many begin with the lowest bits as with the highest.
    pub(super) const fn hash_of(hash: u64) -> u64 {
        const TWO_THIRDS: u64 = 0xAAAA_AAAB;
        let x = hash >> (u64::BITS - BENT_BITS);
        let bent = (((((1 << 32) + x) * x) >> 32) * TWO_THIRDS) >> 32;
        let rest = (hash << BENT_BITS) >> (u64::BITS - Self::HASH_BITS + BENT_BITS);
        (bent << (Self::HASH_BITS - BENT_BITS)) | rest
    }

    /// How many of so many hashes begin with these bits, where they look like chance.
    #[allow(clippy::cast_possible_truncation)] // No more than `hashes`.
    pub(super) fn expected_count(hashes: usize, begin: u128, bits: u32) -> usize {
        const ONE: u128 = 1 << BENT_BITS;
        let unbent = |begin: u128| ((ONE + 3 * ((begin << BENT_BITS) >> bits)) * ONE).isqrt() - ONE;
        (((unbent(begin + 1) - unbent(begin)) * hashes as u128) >> BENT_BITS) as usize
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
        let (hash, number) = ((1 << IndexEntry::HASH_BITS) - 1, (1 << NUMBER_BITS) - 1);
        for (hash, number) in
            [(0, 1), (hash, 1), (0, number), (hash, number), (0x00AB_CDEF_0123_4567, 77)]
        {
            let place = IndexEntry::new(hash, number);
            assert_eq!((place.hash(), place.number()), (hash, number));
        }
    }

    #[test]
    fn as_many_hashes_begin_with_the_same_bits_as_are_expected() {
        let (count, bits) = (400_000, 4);
        let mut counts = [0_usize; 1 << 4];
        let like_chance = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for hash in (1..=count as u64).map(like_chance).map(IndexEntry::hash_of) {
            counts[usize::try_from(hash >> (IndexEntry::HASH_BITS - bits)).unwrap()] += 1;
        }
        for (begin, counted) in (0..).zip(counts) {
            let expected = IndexEntry::expected_count(count, begin, bits);
            assert!(counted.abs_diff(expected) < expected / 50, "{begin}: {counted}, {expected}");
        }
        assert!(counts[0] > counts[15] * 18 / 10, "{counts:?}");
    }

    #[test]
    fn hashes_keep_their_order_and_their_lower_bits() {
        let lower = (1 << (IndexEntry::HASH_BITS - BENT_BITS)) - 1;
        let hashes = (0..1_000_u64).map(|nth| u64::MAX / 999 * nth);
        let held: Vec<_> = hashes.clone().map(IndexEntry::hash_of).collect();
        assert!(held.is_sorted_by(|one, next| one < next));
        assert!(hashes.zip(&held).all(|(hash, held)| held & lower == hash >> 8 & lower));
        assert_eq!((held[0], IndexEntry::hash_of(u64::MAX) >> 36), (0, (1 << 20) - 1));
    }
}
