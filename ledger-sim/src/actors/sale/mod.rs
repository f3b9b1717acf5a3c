//! Those who sell crypto for a PIX, and those who settle it.

pub(super) mod closer;
pub(super) mod depositor;
pub(super) mod market;
pub(super) mod refunder;
mod report;
pub(super) mod seller;
pub(super) mod settler;
