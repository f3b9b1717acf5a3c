//! Chance, from one seed.

/// Numbers that follow from a seed (`SplitMix64`).
pub struct Dice(pub u64);

impl Dice {
    /// The next, of all 64 bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Evenly from above zero up to one.
    #[allow(clippy::cast_precision_loss)] // 53 bits are kept, as many as the fraction has.
    pub const fn share(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// Time until the next of so many a second that know nothing of each other.
    pub fn wait(&mut self, rate: f64) -> f64 {
        -self.share().ln() / rate
    }
}
