//! Purchases of crypto with a PIX, and their deliveries.

pub(super) mod delivery;
pub(super) mod early;
pub(super) mod offer;
