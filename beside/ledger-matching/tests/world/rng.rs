//! A small generator of numbers, the same for the same seed.

use std::fmt::Write as _;

/// The state of `SplitMix64`.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `least` to `most`.
    pub fn between(&mut self, least: i64, most: i64) -> i64 {
        least + i64::try_from(self.next() % most.abs_diff(least).saturating_add(1)).expect("small")
    }

    /// So many hexadecimal digits.
    pub fn digits(&mut self, count: usize) -> String {
        let mut text = String::new();
        while text.len() < count {
            let _ = write!(text, "{:016x}", self.next());
        }
        text.truncate(count);
        text
    }
}
