//! Those who sell crypto for a PIX, and those who settle it.

pub(super) mod closer;
pub(super) mod depositor;
pub(super) mod market;
pub(super) mod refunder;
pub(super) mod report;
pub(super) mod seller;
pub(super) mod settler;
