//! Those who buy crypto, and those who deliver it.

pub(super) mod buyer;
pub(super) mod deliverer;
pub(super) mod market;
