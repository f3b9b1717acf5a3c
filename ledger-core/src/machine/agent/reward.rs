//! What whoever referred an agent earns of what the agent settles (AGT-20).

use crate::money::WHOLE;

/// The reward on settled volume, in basis points: 0.10 % (contract, section 4.9).
pub const REWARD_BPS: i64 = 10;

/// The reward on so much volume in all, in centavos: fractions add up and are paid when they are
/// whole (INV-24).
#[must_use]
pub fn on_volume(centavos: i128) -> i128 {
    centavos * i128::from(REWARD_BPS) / i128::from(WHOLE)
}
