//! Random numbers from one seed: xoshiro256** filled by `SplitMix64`, the same on every machine.

/// A stream of numbers that its seed determines, or bytes while they last.
#[derive(Clone, Debug)]
pub(crate) struct Rng {
    state: [u64; 4],
    /// What is still to be taken, the next byte last.
    fed: Vec<u8>,
}

impl Rng {
    /// The stream of this seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut splitmix = seed;
        let state = std::array::from_fn(|_| {
            splitmix = splitmix.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = splitmix;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ (z >> 31)
        });
        Self { state, fed: Vec::new() }
    }

    /// The stream of these bytes, two a number, and then that of seed 0.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        Self { fed: bytes.iter().rev().copied().collect(), ..Self::new(0) }
    }

    fn next(&mut self) -> u64 {
        if let Some(high) = self.fed.pop() {
            let low = self.fed.pop().unwrap_or(0);
            return u64::from(u16::from_be_bytes([high, low])) << 48;
        }
        let s = &mut self.state;
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number below `bound`; zero when `bound` is zero.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        let product = u128::from(self.next()) * u128::from(bound);
        u64::try_from(product >> 64).expect("the high half of a product of two 64-bit numbers")
    }

    /// An index below `length`, which is at least one.
    pub(crate) fn index(&mut self, length: usize) -> usize {
        let below = self.below(u64::try_from(length).expect("lengths are below 64 bits"));
        usize::try_from(below).expect("below a length")
    }

    /// A number from `low` to `high`, both included; `low` when `high` is less.
    pub(crate) fn within(&mut self, low: i64, high: i64) -> i64 {
        if high <= low {
            return low;
        }
        low.saturating_add_unsigned(self.below(high.abs_diff(low).saturating_add(1)))
    }

    /// True about so many times in a hundred.
    pub(crate) fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// True about so many times in ten thousand.
    pub(crate) fn bps(&mut self, bps: u64) -> bool {
        self.below(10_000) < bps
    }

    /// One of `items`, each as likely as the others; none of none.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.index(items.len())) }
    }

    /// One of `items`, the later ones much likelier: what happened lately is what matters.
    pub(crate) fn pick_late<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let recent = items.len().min(12);
        if self.percent(75) { self.pick(&items[items.len() - recent..]) } else { self.pick(items) }
    }

    /// The place of one of `weights`, as likely as it weighs.
    pub(crate) fn by_weight(&mut self, weights: &[u32]) -> usize {
        let total: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
        let mut left = self.below(total);
        for (place, weight) in weights.iter().enumerate() {
            match left.checked_sub(u64::from(*weight)) {
                Some(less) => left = less,
                None => return place,
            }
        }
        0
    }
}
