//! Purchases of crypto with a PIX, and their deliveries.

pub(super) mod delivery;
pub(super) mod delivery_step;
pub(super) mod early;
mod erroneous_delivery;
pub(super) mod fact;
pub(super) mod offer;

pub use fact::Fact;
